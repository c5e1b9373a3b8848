"""What is still under way is not told: cards in somebody's hand, cards laid one by one, cards nobody has seen."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TypeVar

import pytest

from companion.games import Action, Setup, game
from companion.referee import Acted
from companion.referee.simulate import play
from companion.table import Observation
from companion.table.parts import Part
from companion.table.touches import Touch
from companion.table.visits import Hands
from companion.vision.types import Candidate, Stir, Stop, Visit
from tests.table.open_ended import GAME, up_to_two
from tests.table.test_following import Desk
from tests.table.test_visits import Watched

D = TypeVar("D", bound=Desk)
FIVE = ("AH", "8S", "4D", "AC", "7C")


def refilled(*actions: Action) -> Desk:
    desk = Desk("trading-poker", 4, Action("refill", None, FIVE), *actions)
    desk.look(6.0)
    return desk


def kept(kind: type[D] = Desk) -> D:
    """A game in which somebody may collect what he has kept."""
    steps = list(play(game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan")), random.Random(3), limit=40))
    at = next(n for n, step in enumerate(steps) if step.action.kind == "collect")
    desk = kind("trading-poker", 4, *(step.action for step in steps[:at]))
    assert steps[at].action.seat == 0 and len(desk.table.cards["keep:0"]) == 2
    return desk


def test_a_dealer_who_lays_cards_one_by_one_for_long_does_one_thing() -> None:
    """His first hands were there long before the last card, but not long before the first one."""
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = [Touch(n, 100.0, "stock", 2.0 + 2 * n, 2.6 + 2 * n) for n in range(4)]
    part = Part(None, frozenset({"stock", "common"}), frozenset({"stock"}), 0.15, since=9.5, first=3.4)
    cost, (did,) = hands.matched([part])
    assert cost == 0.0 and len(did) == 4


def test_a_hand_long_before_the_first_card_did_not_lay_it() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = [Touch(1, 100.0, "stock", 2.0, 2.6), Touch(2, 100.0, "stock", 9.0, 9.4)]
    part = Part(None, frozenset({"stock", "common"}), frozenset({"stock"}), 0.15, since=9.5, first=9.5)
    _, (did,) = hands.matched([part])
    assert [touch.visit for touch in did] == [2]


def test_a_card_that_somebody_picks_up_and_puts_back_was_not_taken() -> None:
    desk = refilled()
    before = desk.told
    desk.clear("common", "8S", at=10.0)
    desk.look(10.6)
    assert [a.kind for a in desk.look(12.5).tentative] == ["take"]
    desk.put("common", "8S", at=13.0)
    desk.look(14.0)
    assert desk.look(20.0).questions == () and desk.told == before


def test_a_card_that_stays_away_was_taken() -> None:
    desk = refilled()
    desk.clear("common", "8S", at=10.0)
    due = desk.look(10.6).due
    assert due is not None
    desk.look(due + 0.01)
    assert desk.told[-1] == ("take", 0, ("8S",))


def test_cards_that_left_may_be_in_the_hand_that_is_over_another_zone() -> None:
    desk = kept()
    before = desk.told
    cards = list(desk.table.cards["keep:0"])
    desk.clear("keep:0", at=10.0)
    assert [a.kind for a in desk.look(10.6, "keep:1").tentative] == ["collect"]
    for now in (11.5, 13.0):
        assert desk.look(now, "keep:1").questions == () and desk.told == before
    desk.put("keep:0", *(card.face for card in cards), at=13.5)
    desk.look(14.5)
    desk.look(20.0)
    assert desk.told == before


def test_cards_that_left_and_lie_nowhere_else_are_gone() -> None:
    desk = kept()
    desk.clear("keep:0", at=10.0)
    desk.look(10.6, "keep:1")
    desk.look(11.7)
    assert desk.told[-1] == ("collect", 0, ())


def test_where_a_hand_never_leaves_people_are_asked() -> None:
    desk = kept()
    before = desk.told
    desk.look(9.0, "keep:1")
    desk.clear("keep:0", at=10.0)
    found = [desk.look(10.0 + n, "keep:1") for n in range(1, 12)]
    (question,) = found[-1].questions
    assert desk.told == before and [choice.kind for choice in question.choices] == ["collect"]


def test_a_card_that_nobody_saw_is_not_seen_to_leave_although_a_hand_was_there_when_people_told_of_it() -> None:
    desk = Desk("trading-poker", 4)
    desk.put("common", "AH", "8S", "4D", "AC", at=10.0)
    desk.look(11.0)
    desk.match = desk.match.then(Acted(Action("refill", None, FIVE), "tap"))
    desk.look(11.5, "common")
    before = desk.told
    for now in (12.5, 16.0, 20.0):
        assert desk.look(now).actions == ()
    assert desk.told == before
    desk.clear("common", "8S", at=21.0)
    desk.put("keep:0", "8S", at=21.0)
    desk.look(22.0)
    desk.look(25.0)
    assert desk.told[-1] == ("take", 0, ("8S",)) and desk.match.actions[-1].arg("source") == "common"


def test_nothing_is_corrected_while_a_hand_is_where_it_would_show() -> None:
    """The table is being cleared: what lies under the hand may be anything."""
    desk = Desk("three-card-showdown")
    for seat, faces in ((0, ("8C", "8H", "6C")), (2, ("JC", "JH", "8D")), (3, ("4D", "3S", "9S"))):
        desk.put(f"hand:{seat}", *faces, at=6.0 + 2 * seat)
        desk.look(7.0 + 2 * seat)
    assert len(desk.told) == 3
    desk.put("hand:1", "10D", at=19.0)
    desk.look(19.5)
    desk.clear("hand:0", at=20.0)
    for now in (20.5, 22.0, 24.0, 26.0):
        found = desk.look(now, "hand:1")
        assert found.corrections == () and found.actions == ()


def test_a_trick_that_was_taken_in_before_it_was_seen_is_told_from_where_its_cards_lie() -> None:
    """It is the first one, so nobody knows yet where tricks are played."""
    aside = [Action("aside", seat, ("?", "?")) for seat in (1, 2)]
    desk = Desk("pokard-trick", 4, Action("in", 1), Action("in", 2), Action("fold", 3), Action("fold", 0), *aside)
    first = len(desk.told)
    desk.put("captured:1", "AC", "3C", at=10.0)
    desk.look(11.0)
    desk.look(14.0)
    assert desk.told[first:] == [("play", 1, ("AC",)), ("play", 2, ("3C",)), ("collect", 1, ())]


def test_cards_that_a_hand_carries_on_to_another_place_are_not_told_as_gone_before_that_is_read() -> None:
    """Whoever swaps lays his card before another player; whoever collects takes his cards away."""
    desk = kept(Watched)
    before, places = desk.told, {shape.id: shape.middle for shape in desk.table.layout.zones}
    stops = (Stop(places["keep:0"], 20.0, 20.6), Stop(places["keep:2"], 21.2, 22.4))
    desk.visits += (Visit(50, places["keep:0"], stops, 19.5, None),)
    desk.clear("keep:0", at=20.6)
    desk.look(21.3, "keep:2")
    found = desk.look(22.7)
    assert found.actions == () and desk.told == before and found.due is not None
    desk.look(found.due + 0.1)
    assert desk.told[-1] == ("collect", 0, ())


def test_what_people_said_of_a_card_that_the_camera_cannot_read_holds_nothing_back() -> None:
    desk = Desk("three-card-showdown")
    for seat, faces in ((0, ("8C", "8H", "6C")), (1, ("4D", "3S", "9S"))):
        cards = desk.put(f"hand:{seat}", *faces, at=6.0 + 4 * seat)
        for card, until in zip(cards[1:], (12.0, 99.0), strict=True):
            card.shown, card.until = (None, (Candidate(card.face or "", 0.5),)), until
        desk.look(7.0 + 4 * seat)
        desk.match = desk.match.then(Acted(Action("lay", seat, faces), "tap"))
        desk.look(8.0 + 4 * seat)
    desk.put("hand:2", "JC", "JH", "8D", at=14.0)
    desk.look(15.0)
    assert desk.told[-1] == ("lay", 2, ("8D", "JC", "JH"))


def test_what_else_a_question_offered_may_still_come_after_it_is_answered() -> None:
    """The first joker is somebody's, or the first card of the road; then the road is turned up."""
    desk = Desk("joker-quest")
    desk.put("joker", "JK1", at=10.0)
    desk.look(11.0)
    (question,) = desk.look(14.0).questions
    mine = next(choice for choice in question.choices if choice.kind == "joker" and choice.seat == 3)
    assert any(choice.kind == "turn-up" for choice in question.choices)
    desk.match = desk.match.then(Acted(mine, "camera"))
    desk.observer.answered(question.key, len(desk.match.entries))
    desk.put("kings", "5C", "8S", "2S", "QS", at=16.0)
    desk.look(17.0)
    desk.put("road", "JC", at=20.0)
    desk.look(21.0)
    desk.look(24.0)
    assert desk.told[-2:] == [("kings", None, ("2S", "5C", "8S", "QS")), ("turn-up", None, ("JC",))]


def test_how_many_somebody_drew_is_not_asked_while_he_still_draws() -> None:
    steps = list(play(game("joker-quest"), Setup(("Aki", "Ben", "Chie", "Dan")), random.Random(3), limit=40))
    at = next(n for n, step in enumerate(steps) if step.action.kind == "draw" and len(step.action.cards) > 2)
    seat = steps[at].action.seat
    assert seat is not None
    desk = Watched("joker-quest", 4, *(step.action for step in steps[:at]))
    for moment, zone in ((10.0, "stock"), (11.5, "stock"), (12.5, "road"), (13.2, "stock")):
        desk.hand(seat, zone, at=moment)
        assert desk.look(moment + 0.9).questions == ()
    assert desk.look(15.0).questions == ()
    (question,) = desk.look(17.0).questions
    assert {choice.kind for choice in question.choices} == {"draw"}


@pytest.mark.parametrize("over", [(), ("joker",)])
def test_a_draw_face_down_is_not_told_while_what_was_drawn_may_lie_open_without_a_name(over: tuple[str, ...]) -> None:
    """A joker of a print that nobody knows: he who drew it lays it beside the stock, and the next hand is `over` it."""
    rules, setup = game("joker-quest"), Setup(("Aki", "Ben", "Chie", "Dan"), "53")
    games = (list(play(rules, setup, random.Random(seed), limit=30)) for seed in range(30))
    drawn = ((steps[:at], step) for steps in games for at, step in enumerate(steps) if step.action.kind == "draw")
    steps, seat = next((steps, one.action.seat) for steps, one in drawn if one.action.cards == ("JK1",))
    assert seat is not None
    desk = Watched("joker-quest", 4, *(step.action for step in steps), deck="53")
    before = desk.told
    desk.hand(seat, "stock", "joker", at=10.0)
    (joker,) = desk.put("joker", "JK1", at=11.2)
    joker.shown, joker.until = (None, (Candidate("QH", 0.06), Candidate("AH", 0.05))), 99.0
    for now in (11.9, 12.4):
        assert desk.look(now).questions == () and desk.told == before
    for now in (13.0, 13.6):
        assert desk.look(now, *over).questions == () and desk.told == before
    assert [question.kind for question in desk.look(15.0).questions] == ["card"]
    desk.observer.name(joker.track, "JK1")
    desk.look(15.5)
    desk.look(18.0)
    assert desk.told[len(before) :] == [("draw", seat, ("JK1",))]


class Unlit(Watched):
    """A desk whose camera sees everything but one stack."""

    def look(self, now: float, *hands: str) -> Observation:
        self.table.cards["stock:1"] = []
        return super().look(now, *hands)


class Dealers(Watched):
    """A desk at which a dealer's hands are never still, over that stack."""

    def look(self, now: float, *hands: str) -> Observation:
        (area,) = (shape.polygon for shape in self.table.layout.zones if shape.id == "stock:1")
        a, b, c, d = area
        seen = self.table.seen(now, hands)
        seen = replace(seen, settled=False, visits=self.visits, stirs=(*seen.stirs, Stir((a, b, c, d), now, True)))
        found = self.observer.look(self.match, seen)
        for proposal in found.proposals:
            self.match = self.match.then(Acted(proposal.action, "camera"))
        return found


def second_play(kind: type[D]) -> D:
    """Ben has played and may draw one card; then Chie's card lies there."""
    exposed = (("5H", "KD", "5C"), ("3H", "QS", "KS"), ("5H", "5S", "2H"), ("6S", "5S", "3S"))
    shown = [Action("expose", seat, faces) for seat, faces in enumerate(exposed)]
    desk = kind("three-card-trick-poker", 4, *shown, Action.of("leader", leader=1), Action("play", 1, ("?",)))
    desk.put("play:2", None, at=10.0)
    desk.look(11.0)
    return desk


@pytest.mark.parametrize("kind", [Unlit, Dealers])
def test_what_nobody_could_see_and_cannot_be_done_later_is_asked_before_the_next_action_is_written(
    kind: type[Watched],
) -> None:
    desk = second_play(kind)
    assert desk.told[-1][0] == "play" and desk.told[-1][1] == 1
    (question,) = desk.look(14.0).questions
    assert question.kind == "did" and question.choices == (Action.of("draw", 1, count=1),)
    assert question.text.key == "question.did" and dict(question.text.params) == {"player": 1, "deed": "draw", "n": 0}
    desk.match = desk.match.then(Acted(question.choices[0], "camera"))
    desk.observer.answered(question.key, len(desk.match.entries))
    desk.look(14.5)
    assert [told[:2] for told in desk.told[-2:]] == [("draw", 1), ("play", 2)]


def test_whoever_did_not_do_it_says_so_with_one_tap_and_the_game_goes_on() -> None:
    desk = second_play(Unlit)
    (question,) = desk.look(14.0).questions
    desk.observer.dismiss(question.key)
    assert desk.look(14.5).questions == () and desk.told[-1][:2] == ("play", 2)


def test_where_the_stack_is_in_sight_a_hand_would_have_told_it() -> None:
    desk = second_play(Watched)
    assert desk.look(14.0).questions == () and desk.told[-1][:2] == ("play", 2)


def three_discards() -> Desk:
    """Three players have laid a card each before the pile came to rest: loops or dices, as nobody saw a hand."""
    desk = Desk("hexa-card", 4)
    for number, face in enumerate(("9D", "4D", "8H", "2C")):
        desk.put("discard", face, at=10.0 + number)
    return desk


def test_of_several_actions_each_of_which_may_have_been_two_things_none_becomes_certain() -> None:
    desk = three_discards()
    for now in (13.5, 14.5, 17.0):
        found = desk.look(now)
    assert desk.told == []
    (question,) = found.questions
    assert {choice.kind for choice in question.choices} == {"loop", "dice"}


def test_an_action_is_not_over_while_cards_that_it_clears_away_still_lie_there_and_move() -> None:
    """Whoever discards last gathers the Joker and the discards for a new stock, one after the other."""
    rules, setup = game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan"))
    steps = list(play(rules, setup, random.Random(2), limit=60))
    lies = [{zone.id: zone for zone in rules.expected_table(step.before)} for step in steps]
    last = next(
        n for n, step in enumerate(steps[:-1]) if step.action.kind == "discard" and lies[n]["joker"].cards
        and not lies[n + 1]["joker"].cards
    )  # fmt: skip
    seat = steps[last].action.seat
    desk = Watched("trading-poker", 4, *(step.action for step in steps[:last]))
    assert seat is not None and lies[last]["discard"].down > 0
    desk.hand(seat, "joker", "stock", at=19.6)
    desk.clear("joker", at=20.0)
    for now in (20.5, 22.0, 24.0, 26.0, 28.0):
        desk.table.stirred["discard"] = now - 0.6
        assert desk.look(now).proposals == (), now
    desk.hand(seat, "discard", at=29.6)
    desk.clear("discard", at=30.0)
    desk.look(31.0)
    assert [proposal.action.kind for proposal in desk.look(35.0).proposals] == ["discard"]


@pytest.mark.parametrize(
    ("other", "after", "sure", "told"),
    [(1, 1.5, 1.0, True), (0, 1.5, 1.0, False), (1, 0.2, 1.0, False), (1, 1.5, 0.8, False)],
)
def test_when_the_next_player_comes_the_one_before_has_laid_all(
    other: int, after: float, sure: float, told: bool
) -> None:
    """One may lay several cards, one by one; that is waited for, but not once another player's hand is there, some time
    after the card came to lie. A name that is not sure may still change."""
    actions, seat, face = up_to_two()
    desk, row = Watched(GAME, 4, *actions), f"exposed:{seat}"
    desk.hand(seat, row, at=10.0)
    (card,) = desk.put(row, face, at=10.4)
    card.shown, card.until = (face, (Candidate(face, sure),)), 99.0
    desk.look(11.1)
    assert len(desk.told) == len(actions), "more may follow"
    desk.hand((seat + other) % 4, row, at=10.4 + after)
    desk.table.stirred[row] = 10.6 + after
    desk.look(10.7 + after, row)
    assert [a.kind for a in desk.match.actions[len(actions) :]] == (["expose"] if told else [])


def test_what_lies_beside_hands_that_are_never_still_counts_once_it_has_lain_so_for_long() -> None:
    desk = Desk("three-card-showdown")
    desk.look(6.0, "hand:1")
    desk.put("hand:1", "AS", "9D", at=10.0)
    desk.look(10.5, "hand:1")
    desk.put("hand:1", "2C", at=11.0)
    for now in (11.5, 12.0, 12.5, 13.0):
        desk.look(now, "hand:1")
    assert desk.told == []
    for now in (13.5, 14.0, 14.5, 15.0, 15.5, 16.0):
        desk.look(now, "hand:1")
    assert desk.told == [("lay", 1, ("2C", "9D", "AS"))]


@pytest.mark.parametrize("cut", [False, True])
def test_what_somebody_may_have_taken_back_from_a_place_out_of_the_picture_is_asked_first(cut: bool) -> None:
    """The camera was pushed: whether his card still lies there nobody sees."""
    rules, setup = game("joker-quest"), Setup(("Aki", "Ben", "Chie", "Dan"))
    games = (list(play(rules, setup, random.Random(seed), limit=90)) for seed in range(30))
    taken = ((steps[:at], step, steps[at + 1]) for steps in games for at, step in enumerate(steps[:-1])
             if step.action.kind == "reclaim" and steps[at + 1].action.kind == "play")  # fmt: skip
    steps, back, then = next(one for one in taken if one[2].action.seat != one[1].action.seat)
    desk = Watched("joker-quest", 4, *(step.action for step in steps))
    desk.observer.cut = (f"penalty:{back.action.seat}",) if cut else ()
    desk.hand(then.action.seat or 0, "road", at=9.7)
    desk.put("road", *then.action.cards, at=10.0)
    found = [desk.look(now) for now in (11.0, 13.0, 16.0)]
    asked = [question for one in found for question in one.questions]
    assert bool(asked) is cut
    if cut:
        assert asked[0].kind == "did" and back.action in asked[0].choices
        desk.match = desk.match.then(Acted(back.action, "tap"))
        desk.observer.answered(asked[0].key, len(desk.match.entries))
        desk.clear(f"penalty:{back.action.seat}", *back.action.cards, at=16.1)
        for now in (16.5, 17.5, 20.0):
            desk.look(now)
        assert [told[0] for told in desk.told[-2:]] == ["reclaim", "play"]
