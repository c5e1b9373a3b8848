"""A table that is being cleared place after place refutes nothing of what was written before."""

from __future__ import annotations

import importlib
import random
from dataclasses import replace

import pytest

from companion.games import Action, game
from companion.referee.simulate import play, table_setup
from companion.table.beam import Beam
from companion.table.hypotheses import CLEARED, GATHERED
from companion.table.observation import Observation
from companion.table.patience import waits
from companion.table.sight import ZoneSeen
from companion.vision.types import Candidate
from tests.table.test_following import Desk
from tests.table.test_visits import Watched

observe = importlib.import_module("companion.table.observe")  # the room has a function of this name, too


def half_cleared() -> Desk:
    """Two hands lay there; the dealer has taken the first one, and is on his way to the other."""
    desk = Desk("three-card-showdown", 2)
    for seat, faces in enumerate((("AH", "8S", "7C"), ("KH", "9S", "6C"))):
        desk.put(f"hand:{seat}", *faces, at=10.0 + 2 * seat)
        desk.look(11.0 + 2 * seat)
    assert [kind for kind, *_ in desk.told] == ["lay", "lay"]
    desk.clear("hand:0", at=20.0)
    return desk


@pytest.mark.parametrize(("more", "doubted"), [((), False), (("2C", "3C", "4C", "5C"), True)])
def test_what_is_only_not_yet_cleared_away_speaks_for_no_mistake(
    more: tuple[str, ...], doubted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies there as the certain state says, though the likeliest thought is that it should be gone; other cards
    beside it fit neither."""
    desk = half_cleared()
    desk.put("hand:1", *more, at=20.0)
    desk.look(20.6)
    beam = desk.observer._beam
    assert beam is not None
    certain = next(h for h in beam.hypotheses if not h.steps)
    state = desk.match.game.apply(certain.state, Action("next"))
    gone = {zone.id: replace(zone, open=False) for zone in desk.match.game.expected_table(state)}
    beam.hypotheses = [certain, replace(certain, state=state, zones=gone, cost=certain.cost - 99.0)]
    asked: list[object] = []
    monkeypatch.setattr(observe, "mend", lambda *what: asked.append(what))
    desk.observer._mended(desk.match, beam, beam._sight, 40.0, Observation())
    assert bool(asked) is doubted


@pytest.mark.parametrize(("bare", "over"), [(22.0, True), (21.2, False)])
def test_cards_laid_on_a_cleared_table_wait_for_nobody_who_is_over_a_place_that_was_bare(
    bare: float, over: bool
) -> None:
    """The dealer's hands are over another place; if it was not seen bare for a while, cards may lie there yet."""
    desk = half_cleared()
    desk.clear("hand:1", at=20.0)
    desk.put("hand:0", "2C", "3D", "5S", at=22.0)
    came = desk.table.seen(22.6).cards
    beam = Beam(desk.match.game)
    beam.start(desk.match.state)
    sight = {
        "hand:0": ZoneSeen(came, since=22.3),
        "hand:1": ZoneSeen((), since=21.0, resting=False, rested=bare, bare=bare, stirred=22.6),
    }
    beam.weigh(sight, 1.0)
    (root,) = (h for h in beam.hypotheses if not h.steps)
    laid = next(
        h for h in beam._children(root) if h.steps[-1].action.kind == "lay"
    )  # it implies that they were cleared
    assert (waits(beam, laid, 0, sight, 23.0, {}) is not None) is over


def settled() -> Watched:
    """A deal of Pokard Trick is over, and somebody has folded: all its cards lie there, his face down."""
    rules = game("pokard-trick")
    actions: list[Action] = []
    for step in play(rules, table_setup(rules, 4), random.Random(4), "simple", 80):
        if step.action.kind == "deal":
            return Watched("pokard-trick", 4, *actions)
        actions.append(step.action)
    raise AssertionError("no deal came to its end")


def trick_of_pokard() -> tuple[Watched, int, tuple[str, ...]]:
    """A trick of Pokard Trick is complete: who takes it, and its cards."""
    rules = game("pokard-trick")
    actions: list[Action] = []
    for step in play(rules, table_setup(rules, 4), random.Random(4), "simple", 80):
        if step.action.kind == "collect" and step.action.seat is not None:
            trick = next(zone.cards for zone in rules.expected_table(step.before) if zone.id == "trick")
            return Watched("pokard-trick", 4, *actions), step.action.seat, trick
        actions.append(step.action)
    raise AssertionError("no trick was complete")


def test_cards_that_still_lie_there_when_a_hand_has_left_them_are_not_cleared_yet() -> None:
    """While it covered them they may have been gone, and what lies there could have come anew."""
    desk = settled()
    before = desk.told
    assert any(kind == "fold" for kind, *_ in before)
    for zone in desk.table.cards:
        if zone not in {"folded", "stock"}:
            desk.clear(zone, at=20.0)
    for seat, at in ((1, 20.5), (1, 21.0), (2, 21.5)):
        desk.hand(seat, "folded", at=at - 0.4)
        desk.table.stirred["folded"] = at
        desk.look(at, "folded")
    for at in (22.0, 23.0, 25.0, 28.0):
        desk.look(at)
    assert desk.told == before
    desk.clear("folded", at=30.0)
    desk.look(30.5)
    desk.look(33.0)
    assert [kind for kind, *_ in desk.told[len(before) :]] == ["deal"]


def test_a_card_that_comes_to_a_trick_that_was_seen_bare_belongs_to_the_next_one() -> None:
    """The second card of a trick was never read; both were gathered, and the winner leads to the next one."""
    joined = [Action("in", 1), Action("fold", 2), Action("fold", 3), Action("in", 0)]
    desk = Desk("pokard-trick", 4, *joined, *(Action("aside", seat, ("?", "?")) for seat in (0, 1)))
    desk.put("trick", "JC", at=10.0)
    desk.look(11.0)
    desk.look(11.2)
    assert desk.told[-1][0] == "play"
    desk.clear("trick", at=14.0)
    desk.look(15.0)
    desk.put("trick", "KH", at=16.0)
    before = desk.told
    questions = [kind for now in (16.6, 17.5, 20.0) for kind in [q.kind for q in desk.look(now).questions]]
    assert desk.told == before and questions


def test_cards_of_a_trick_that_were_seen_to_come_are_told_in_that_order_however_they_were_gathered() -> None:
    """Hands were always over the trick: it was told only from the winner's pile, where they were read one by one."""
    joined = [Action("in", 1), Action("fold", 2), Action("fold", 3), Action("in", 0)]
    desk = Desk("pokard-trick", 4, *joined, *(Action("aside", seat, ("?", "?")) for seat in (0, 1)))
    for face, at in (("QC", 10.0), ("JH", 11.0)):
        desk.put("trick", face, at=at)
        desk.look(at + 0.2, "trick")
    desk.clear("trick", at=12.0)
    for face, at in (("JH", 12.5), ("QC", 12.7)):
        desk.put("captured:1", face, at=at)
    desk.look(13.2)
    assert desk.told[-3:] == [("play", 1, ("QC",)), ("play", 0, ("JH",)), ("collect", 1, ())]


def test_what_is_seen_to_lie_where_it_belongs_is_told_at_once_though_a_hand_is_over_another_place() -> None:
    """A trick that its winner has before him is collected; one that nobody sees any more may yet be in a hand."""
    for seen in (True, False):
        desk, winner, trick = trick_of_pokard()
        desk.clear("trick", at=20.0)
        if seen:
            desk.put(f"captured:{winner}", *trick, at=20.3)
        desk.look(20.9, f"aside:{winner}")
        assert (desk.told[-1][0] == "collect") is seen


def test_a_card_without_a_name_that_still_lies_in_a_place_that_is_cleared_holds_the_deal_back() -> None:
    """The others of a hand that is out have been gathered: who gathers is still at it."""
    rules, actions = game("hexa-card"), list[Action]()
    for step in play(rules, table_setup(rules, 3), random.Random(1), "simple", 90):
        if step.action.kind == "deal" and any(action.kind == "out" for action in actions):
            break
        actions.append(step.action)
    desk = Watched("hexa-card", 3, *actions)
    before, place = len(desk.told), f"shown:{actions[-1].seat}"
    lying = desk.table.cards[place]
    assert actions[-1].kind == "out" and len(lying) == 6
    lying[0].shown, lying[0].until = (None, (Candidate(lying[0].face or "", 0.29),)), 99.0
    desk.table.cards[place] = lying[:1]
    desk.table.stirred[place] = 20.0
    desk.clear("discard", at=20.0)
    for now in (20.6, 21.5, 23.0):
        desk.look(now)
        assert len(desk.told) == before
    desk.clear(place, at=23.2)
    for now in (23.8, 25.0, 28.0):
        desk.look(now)
    assert [kind for kind, *_ in desk.told[before:]] == ["deal"]


def test_a_table_that_is_cleared_waits_for_no_hand_over_an_empty_place() -> None:
    """Nobody moves a card of a hand that was shown to another one's place."""
    desk = settled()
    before = len(desk.told)
    zones = [zone for zone, cards in desk.table.cards.items() if cards and zone != "stock"]
    for zone in zones:
        desk.clear(zone, at=20.0)
    for now in (20.4, 20.9, 21.5):
        desk.look(now, "trick")
    assert [kind for kind, *_ in desk.told[before:]] == ["deal"]


def test_a_table_of_which_all_is_gathered_waits_for_nobody_who_picked_up_a_card() -> None:
    """There is no place left where it could be laid down again."""
    desk = settled()
    before = len(desk.told)
    for zone in [zone for zone, cards in desk.table.cards.items() if cards and zone != "stock"]:
        desk.clear(zone, at=20.0)
    told = {now: [kind for kind, *_ in desk.look(now) and desk.told[before:]] for now in (20.3, 20.5, 20.8)}
    assert told == {20.3: [], 20.5: [], 20.8: ["deal"]} and GATHERED < 0.5 < CLEARED


def test_what_was_shown_stays_told_when_the_table_is_cleared() -> None:
    """A pair was shown and is gathered with all the rest: nobody has folded instead."""
    rules = game("pokard-trick")
    actions = [step.action for step in play(rules, table_setup(rules, 3), random.Random(4), "simple", 90)][:25]
    *before, show = actions
    assert (show.kind, len(show.cards)) == ("show", 2)
    desk, place = Watched("pokard-trick", 3, *before), f"aside:{show.seat}"
    desk.hand(show.seat or 0, place, at=10.0)
    desk.clear(place, at=10.4)
    desk.put(place, *show.cards, at=10.5)
    desk.look(11.2)
    desk.look(14.0)
    assert desk.told[-1][:2] == ("show", show.seat)
    zones = [place, *(zone for zone, cards in desk.table.cards.items() if cards and zone not in (place, "stock"))]
    for start, zone in zip(range(18, 99, 3), zones, strict=False):
        desk.clear(zone, at=start)
        for after in (0.6, 1.2, 2.4):
            assert desk.look(start + after).corrections == ()
