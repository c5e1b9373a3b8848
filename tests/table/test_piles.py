"""What was taken from under a pile's top, or from a place out of sight: nobody sees it go; it does not come anew."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from companion.games import Action, Setup, Zone, game
from companion.referee import Acted
from companion.referee.simulate import play
from companion.table import Layout, ZoneShape
from companion.table.compare import claim, difference, moved
from companion.table.fill import Pool
from companion.table.misfit import BURIED, EXTRA, MISSING, OVERLAPPED, UNDER_BACK, misfit
from companion.table.parts import part_of
from companion.table.sight import Memory, ZoneSeen
from companion.vision.types import SeenTable, Side, Unit
from tests.table.lying import at
from tests.table.test_following import Desk
from tests.table.test_visits import Watched


def played(kind: str, more: int) -> tuple[Desk, list[Action]]:
    """A game of Ace's King up to its first action of this kind, as the camera has seen it, and as many more."""
    setup = Setup(("Aki", "Ben", "Chie", "Dan"))
    actions = [step.action for step in play(game("aces-king"), setup, random.Random(2), limit=200)]
    first = next(n for n, action in enumerate(actions) if action.kind == kind)
    desk = Desk("aces-king", 4)
    assert follow(desk, actions[:first]) == []
    return desk, actions[first : first + more]


def follow(desk: Desk, actions: Iterable[Action]) -> list[tuple[Action, ...]]:
    """Everybody does what he did, one after the other; what no card tells is tapped. Returns what the camera wrote
    that is not so."""
    wrong, now = [], 10.0 + 5.0 * len(desk.match.entries)
    for action in actions:
        before, state = len(desk.match.actions), desk.match.game.apply(desk.match.state, action)
        desk.table.become({zone.id: zone for zone in desk.match.game.expected_table(state)}, now)
        desk.look(now + 0.6)
        desk.look(now + 4.0)
        written = desk.match.actions[before:]
        if not written:
            desk.match = desk.match.then(Acted(action, "tap"))
        elif desk.match.state != state:
            wrong.append(written)
            break
        now += 5.0
        desk.look(now)
    return wrong


def test_after_the_discards_are_shuffled_those_that_nobody_saw_go_are_not_played_again() -> None:
    desk, later = played("reshuffle", 8)
    under = [card for card in desk.table.cards["discard"] if card.face is not None]
    assert len(under) > 10 and later[0].kind == "reshuffle"
    assert follow(desk, later) == []
    assert desk.match.actions[-1].kind != "reshuffle"


def test_that_the_discards_were_shuffled_is_told_by_the_new_stock_alone() -> None:
    desk, (shuffled,) = played("reshuffle", 1)
    before = len(desk.match.actions)
    state = desk.match.game.apply(desk.match.state, shuffled)
    now = 20.0 + 5.0 * len(desk.match.entries)
    desk.table.become({zone.id: zone for zone in desk.match.game.expected_table(state)}, now)
    for moment in (0.6, 3.0, 6.0):
        desk.look(now + moment)
    assert [action.kind for action in desk.match.actions[before:]] == ["reshuffle"]


def test_cards_below_the_top_of_a_pile_cost_once_that_they_are_remembered() -> None:
    pile = Zone("discard", ("AS",), pile=True)
    below = [replace(at(0.5, 0.5, n, face), since=float(n), covered=True) for n, face in enumerate(("2S", "3S", "4S"))]
    top = replace(at(0.5, 0.5, 9, "AS"), since=9.0)
    assert misfit(pile, [*below, top], old=range(10)) == BURIED


def test_the_top_of_a_pile_laid_exactly_on_its_like_lies_over_what_came_since() -> None:
    """The camera takes it for the one below, which it knows since long; what was laid between them is covered."""
    pile = Zone("discard", ("10D", "10H", "10D"), pile=True)
    ten = replace(at(0.5, 0.5, 1, "10D"), since=1.0)
    between = replace(at(0.52, 0.5, 2, "10H"), since=9.0, covered=True)
    assert misfit(pile, [ten, between]) == 0.0
    assert misfit(pile, [ten, replace(between, covered=False)]) == MISSING
    assert misfit(pile, [replace(ten, covered=True), between]) == MISSING


def test_cards_of_a_heap_may_lie_hidden_under_others_but_no_foreign_one_lies_there() -> None:
    heap = Zone("captured:0", ("2D", "2D", "AS", "5H"), heap=True)
    two = [at(0.5, 0.5, 1, "2D"), at(0.52, 0.5, 2, "5H")]
    assert misfit(heap, two) == BURIED and not difference(heap, two)
    assert misfit(heap, []) == 4 * MISSING and difference(heap, []).missing == heap.cards
    assert misfit(heap, [*two, at(0.5, 0.5, 3, "KC")]) == BURIED + EXTRA
    assert difference(heap, [*two, at(0.5, 0.5, 3, "KC")]).extra == ("KC",)
    assert misfit(replace(heap, heap=False), two) == 2 * MISSING


@pytest.mark.parametrize(("shown", "cost"), [(3, 0.0), (2, OVERLAPPED), (1, 2 * MISSING)])
def test_one_card_of_a_fan_may_be_hidden_beside_two_others(shown: int, cost: float) -> None:
    """Pokard Trick: three cards of a trick have come to the captured ones, and a hand rests on them."""
    trick = ("AC", "10C", "4C")
    lies = [at(0.1 * n, 0.5, n, face) for n, face in enumerate(("AC", "4C", "10C")[:shown], 1)]
    fan = Zone("captured:1", trick, fan=True)
    assert misfit(fan, lies) == pytest.approx(cost)
    sight = {"trick": ZoneSeen(), "captured:1": ZoneSeen(tuple(lies))}
    before = {"trick": Zone("trick", trick)}
    assert moved(before, {"captured:1": fan}, list(sight), sight) is (shown > 1)
    row = replace(fan, fan=False)
    assert misfit(row, lies) == (3 - shown) * MISSING
    assert moved(before, {"captured:1": row}, list(sight), sight) is (shown == 3)


def test_a_card_without_a_name_has_come_with_the_others() -> None:
    sight = {"trick": ZoneSeen(), "captured:1": ZoneSeen((at(0.1, 0.5, 1, "JS"), at(0.2, 0.5, 2, None)))}
    trick, taken = Zone("trick", ("JS", "JK1")), Zone("captured:1", ("JS", "JK1"))
    assert moved({"trick": trick}, {"captured:1": taken}, list(sight), sight)
    assert not moved({"trick": trick}, {"captured:1": taken}, list(sight), sight | {"captured:1": ZoneSeen()})


@pytest.mark.parametrize("told", [True, False])
def test_what_was_seen_to_come_and_is_gone_when_it_is_told_is_seen_to_be_gone(told: bool) -> None:
    """The second card of a trick is certain only once both have been taken away; of cards that people tell nobody knows
    whether they ever lay in view."""
    memory = Memory(Layout("one", Unit.FRACTION, (1.0, 1.0), (ZoneShape("trick", ((0, 0), (1, 0), (1, 1), (0, 1))),)))
    jack, joker = at(0.3, 0.5, 1, "JS"), at(0.6, 0.5, 2, "JK1")
    for time, cards in ((1.0, (jack,)), (2.0, (jack, joker)), (3.0, ())):
        memory.take_in(SeenTable(time, True, Unit.FRACTION, cards))
        assert "trick" in memory.sight([Zone("trick", ("JS",))])
    if told:
        memory.tell((), ("trick",))
    assert ("trick" in memory.sight([Zone("trick", ("JS", "JK1"))])) is told
    assert ("trick" in memory.sight([Zone("trick", ("JS", "JK1"))])) is told
    assert "trick" not in memory.sight([Zone("trick", ("JS", "JK2"))])


@pytest.mark.parametrize(
    ("before", "after", "unseen"),
    [(("2S", "3S", "AS"), ("AS",), {"discard", "stock"}), (("2S", "AS"), ("2S",), {"stock"})],
)
def test_whoever_takes_cards_from_under_a_top_was_there_though_no_card_tells_it(
    before: tuple[str, ...], after: tuple[str, ...], unseen: set[str]
) -> None:
    """A hand at the stock alone has not shuffled the discards into it."""
    lay = {"discard": Zone("discard", before, pile=True), "stock": Zone("stock", pile=True)}
    lies = {"discard": Zone("discard", after, pile=True), "stock": Zone("stock", down=2, pile=True)}
    part = part_of(None, lay, lies, frozenset({"stock"}), 0.15)
    assert part.touched == {"discard", "stock"} and part.stacks == unseen


def test_captured_cards_of_three_card_trick_poker_lie_on_a_heap() -> None:
    setup = Setup(("Aki", "Ben", "Chie"), "M9D4C3", (("end", "S"),))
    states = [step.after for step in play(game("three-card-trick-poker"), setup, random.Random(1), limit=80)]
    lay = [zone for state in states for zone in game("three-card-trick-poker").expected_table(state)]
    taken = [zone for zone in lay if zone.id.startswith("captured") and len(zone.cards) > 3]
    assert taken and all(zone.heap for zone in taken)


def test_a_back_on_top_of_faces_shows_that_one_was_laid_there_and_hides_them() -> None:
    below, faces = Zone("discard", ("6C", "10S"), pile=True), Zone("discard", ("6C", "10S"), down=1, pile=True)
    assert claim(below) != claim(faces)
    back = at(0.5, 0.5, 9, None, Side.DOWN)
    assert misfit(faces, [back]) == 0.0 < misfit(below, [back])


def test_an_open_card_of_a_row_may_lie_exactly_under_a_back_that_should_lie_there() -> None:
    row, five, back = Zone("play:3", ("5S", "5H"), down=1), at(0.4, 0.5, 1, "5S"), at(0.6, 0.5, 2, None, Side.DOWN)
    assert misfit(row, [five, back]) == UNDER_BACK
    assert misfit(row, [back]) == MISSING + UNDER_BACK, "under one back lies one card"
    assert misfit(replace(row, down=0), [five]) == MISSING
    assert misfit(row, [five]) >= MISSING, "no back is seen that it could lie under"


@pytest.mark.parametrize("face", ["4H", None])
def test_a_back_that_is_turned_over_where_it_lies_comes_anew(face: str | None) -> None:
    """It keeps its number; as a face it is news, also before anybody can name it."""
    zone = Zone("play", ("5H",), down=1)
    memory = Memory(Layout("one", Unit.FRACTION, (1.0, 1.0), (ZoneShape("play", ((0, 0), (1, 0), (1, 1), (0, 1))),)))
    first, back = at(0.3, 0.5, 1, "5H"), at(0.6, 0.5, 2, None, Side.DOWN)
    for time, cards in ((1.0, (first, back)), (2.0, (first, at(0.6, 0.5, 2, face)))):
        memory.take_in(SeenTable(time, True, Unit.FRACTION, cards))
        sight = memory.sight([zone])
    assert memory.tracks["play"] == {1}
    assert [card.face for card in Pool.of({"play": zone}, sight, memory.tracks).came["play"]] == [face]


@pytest.mark.parametrize("told", [True, False])
def test_a_card_that_was_taken_from_under_the_top_and_is_laid_there_again_comes_anew(told: bool) -> None:
    """The tracker takes it for the card that it remembers there. The camera, or people, told that it was taken."""
    memory = Memory(Layout("one", Unit.FRACTION, (1.0, 1.0), (ZoneShape("pile", ((0, 0), (1, 0), (1, 1), (0, 1))),)))
    below, top = replace(at(0.5, 0.5, 1, "2S"), since=1.0, covered=True), replace(at(0.5, 0.5, 2, "AS"), since=2.0)
    for time, faces in ((3.0, ("2S", "AS")), (4.0, ("AS",))):
        memory.take_in(SeenTable(time, True, Unit.FRACTION, (below, top)))
        memory.sight([Zone("pile", faces, pile=True)])
        if told:
            memory.tell((), ("pile",))
    memory.take_in(SeenTable(5.0, True, Unit.FRACTION, (below, top)))
    assert [card.face for card in memory.zones["pile"].cards] == ["AS"]
    memory.take_in(SeenTable(9.0, True, Unit.FRACTION, (replace(below, covered=False), replace(top, covered=True))))
    assert {card.face: card.since for card in memory.zones["pile"].cards} == {"AS": 2.0, "2S": 9.0}


def test_a_card_laid_exactly_on_another_of_a_pile_comes_anew_though_it_keeps_its_number() -> None:
    zone = Zone("pile", ("2S", "AS"), pile=True)
    memory = Memory(Layout("one", Unit.FRACTION, (1.0, 1.0), (ZoneShape("pile", ((0, 0), (1, 0), (1, 1), (0, 1))),)))
    for time, face in ((3.0, "AS"), (5.0, "9C")):
        memory.take_in(SeenTable(time, True, Unit.FRACTION, (at(0.5, 0.5, 2, face),)))
        sight = memory.sight([zone])
    assert [card.face for card in Pool.of({"pile": zone}, sight, memory.tracks).came["pile"]] == ["9C"]


@pytest.mark.parametrize(("came", "asked"), [(10.8, True), (10.2, False), (None, False)])
def test_a_hand_from_under_another_laid_a_card_itself_unless_one_that_was_seen_came_after_it(
    came: float | None, asked: bool
) -> None:
    """It may be the hand that is seen, or the only one that laid anything."""
    desk = Watched("aces-king", 3)
    if came is not None:
        desk.hand(0, "discard", at=came)
    desk.put("discard", "9C", at=11.0)
    seen = replace(desk.table.seen(12.0), visits=desk.visits, astray=(10.5, 10.9))
    found = desk.observer.look(desk.match, seen)
    assert [q.kind for q in found.questions] == ["several"] * asked
    assert [a.cards for a in found.actions] == ([] if asked else [("9C",)])


@pytest.mark.parametrize(("laid", "asked"), [(11.0, False), (9.0, True)])
def test_a_hand_from_under_another_laid_the_card_that_came_just_then_and_nothing_under_the_next_one(
    laid: float, asked: bool
) -> None:
    desk = Watched("aces-king", 3)
    desk.put("discard", "7C", at=laid)
    desk.hand(1, "discard", at=11.4)
    desk.put("discard", "9C", at=11.8)
    for now in (12.4, 13.5):
        found = desk.observer.look(desk.match, replace(desk.table.seen(now), visits=desk.visits, astray=(10.5, 10.9)))
    assert [q.kind for q in found.questions] == ["several"] * asked
    assert [a.cards for a in found.actions] == [("7C",), ("9C",)][: 1 if asked else 2]


def test_cards_of_a_row_that_went_while_their_place_is_out_of_sight_are_not_laid_again() -> None:
    """The camera was pushed, say, so that nobody sees the place empty. One that is seen there comes anew."""
    memory = Memory(Layout("one", Unit.FRACTION, (1.0, 1.0), (ZoneShape("row", ((0, 0), (1, 0), (1, 1), (0, 1))),)))
    cards = [replace(at(x, 0.5, n, face), since=1.0) for n, (x, face) in enumerate(((0.3, "2S"), (0.6, "AS")), start=1)]
    memory.take_in(SeenTable(2.0, True, Unit.FRACTION, tuple(cards)))
    memory.sight([Zone("row", ("2S", "AS"))])
    gone = tuple(replace(card, covered=True) for card in cards)
    for time in (3.0, 4.0):
        memory.take_in(SeenTable(time, True, Unit.FRACTION, gone))
        memory.sight([Zone("row")])
    assert memory.zones["row"].cards == ()
    memory.take_in(SeenTable(5.0, True, Unit.FRACTION, (cards[0], gone[1])))
    assert [(card.face, card.since) for card in memory.zones["row"].cards] == [("2S", 5.0)]


def test_of_several_laid_on_a_pile_one_is_seen_and_the_last_may_be_still_to_come() -> None:
    rules, setup = game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan"))
    steps = list(play(rules, setup, random.Random(1), limit=200))
    first = next(n for n, step in enumerate(steps) if step.action.kind == "discard" and len(step.action.cards) > 2)
    desk = Desk("trading-poker", 4)
    for step in steps[:first]:
        desk.match = desk.match.then(Acted(step.action, "tap"))
    before = len(desk.match.actions)
    desk.table.become({zone.id: zone for zone in rules.expected_table(desk.match.state)}, 10.0)
    for now in (10.6, 14.0):
        desk.look(now)
    desk.put("discard", None, at=20.0)
    desk.look(20.6)
    assert len(desk.match.actions) == before
    desk.put("discard", None, None, at=21.5)
    for now in (22.0, 24.5):
        desk.look(now)
    assert [action.kind for action in desk.match.actions[before:]] == ["discard"]


@pytest.mark.parametrize("hand", [True, False])
def test_who_takes_his_cards_and_goes_on_to_those_of_another_may_swap_them(hand: bool) -> None:
    rules, setup = game("trading-poker"), Setup(("Aki", "Ben", "Chie", "Dan"))
    steps = list(play(rules, setup, random.Random(3), limit=300))
    first = next(n for n, step in enumerate(steps) if step.action.kind == "swap")
    seat, other = steps[first].action.seat, steps[first].action.arg("target")
    desk = Watched("trading-poker", 4)
    for step in steps[:first]:
        desk.match = desk.match.then(Acted(step.action, "tap"))
    desk.table.become({zone.id: zone for zone in rules.expected_table(desk.match.state)}, 10.0)
    for now in (10.6, 14.0):
        desk.look(now)
    before, places = len(desk.match.actions), (f"keep:{seat}", f"keep:{other}")
    desk.hand(seat, places[0], at=19.6)
    desk.clear(places[0], at=20.0)
    for now in (20.6, 20.9):
        desk.look(now)
    if hand:
        desk.hand(seat, places[1], at=21.0)
    for now in (21.3, 22.6):
        desk.look(now, *places[1:] * hand)
    assert (len(desk.match.actions) == before) is hand
