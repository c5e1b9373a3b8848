"""What people write is true, and what the table shows then they know: a misread card is no further play."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games import Action, Setup, Zone, game
from companion.referee import Acted
from companion.referee.simulate import play
from companion.table.renamed import misread
from companion.table.sight import ZoneSeen
from tests.table.lying import at
from tests.table.test_following import Desk
from tests.table.test_visits import aces_king


@pytest.mark.parametrize("also", [(), (Action("pass", 1),)], ids=["one entry", "two at once"])
@pytest.mark.parametrize("thought_of", [True, False])
def test_a_card_that_was_read_as_another_is_not_told_as_the_next_one(
    also: tuple[Action, ...], thought_of: bool
) -> None:
    """A nine of spades was played, and read as a ten of clubs; what was thought of before people told it counts no
    more, not even in the same look."""
    desk = Desk("aces-king", 4)
    desk.put("discard", "10C", at=10.0)
    if thought_of:
        desk.look(10.1, "discard")
    for action in (Action("play", 0, ("9S",)), *also):
        desk.match = desk.match.then(Acted(action))
    told = desk.told
    for now in (10.6, 12.0, 15.0, 25.0):
        desk.look(now)
    assert desk.told == told


@pytest.mark.parametrize(("hands", "known"), [(1, True), (2, False)])
def test_a_card_that_people_told_keeps_the_name_that_they_gave(hands: int, known: bool) -> None:
    """A nine of spades was read as a ten of clubs; where two hands were there the ten may lie on it."""
    desk = aces_king()
    for seat in range(hands):
        desk.hand(seat, "discard", at=40.0 + seat)
    (card,) = desk.put("discard", "10C", at=40.5 + hands)
    desk.match = desk.match.then(Acted(Action("play", 0, ("9S",))))
    desk.look(45.0)
    assert desk.observer.memory.named == ({card.track: "9S"} if known else {})


@pytest.mark.parametrize(("lies", "known"), [(("KS", "AC", "AH"), True), (("KS", "AC", "AH", None), False)])
def test_the_one_card_of_a_row_that_reads_otherwise_has_the_name_that_people_gave_where_as_many_lie_as_should(
    lies: tuple[str | None, ...], known: bool
) -> None:
    """A joker that reads as an ace was gathered, and came to lie there with the last of the others."""
    cards = tuple(replace(at(0.1 * n, 0.5, n, face), since=6.0) for n, face in enumerate(lies))
    before = {"captured:0": Zone("captured:0", ("KS",))}
    zones = {"captured:0": Zone("captured:0", ("KS", "AC", "JK1"))}
    assert misread(before, zones, {"captured:0": ZoneSeen(cards, 6.0)}, ()) == ({2: "JK1"} if known else {})
    pile = {"captured:0": replace(zones["captured:0"], pile=True)}
    assert misread(before, pile, {"captured:0": ZoneSeen(cards, 6.0)}, ()) == {}


def test_what_came_after_a_card_that_people_told_late_is_told() -> None:
    """It was read as what it is."""
    desk = Desk("aces-king", 4)
    desk.put("discard", "9S", at=10.0)
    desk.put("discard", "10C", at=10.2)
    desk.match = desk.match.then(Acted(Action("play", 0, ("9S",))))
    desk.look(10.8)
    desk.look(14.0)
    assert desk.told == [("play", 0, ("9S",)), ("play", 1, ("10C",))]


def test_what_covered_a_card_before_it_was_seen_is_still_told_once_people_say_which_that_was() -> None:
    """Two hands were there, and one card lies: it is the second one's."""
    desk = aces_king()
    desk.hand(0, "discard", at=40.0)
    desk.hand(1, "discard", at=41.0)
    desk.put("discard", "9C", at=41.5)
    desk.look(42.0)
    desk.match = desk.match.then(Acted(Action("play", 0, ("8H",))))
    desk.look(45.0)
    desk.look(48.0)
    assert desk.told[-2:] == [("play", 0, ("8H",)), ("play", 1, ("9C",))]


@pytest.mark.parametrize("taps", [1, 2])
def test_what_people_know_stays_known_when_they_tell_of_something_elsewhere(taps: int) -> None:
    """A card was exposed, and nobody saw it; another one that people had said lies there unseen had gone. That its
    player drew then nobody saw either, so people tell it, too."""
    setup, rules = Setup(("Aki", "Ben", "Chie", "Dan")), game("three-card-trick-poker")
    actions = [step.action for step in play(rules, setup, random.Random(5), limit=80)]
    first = next(n for n, action in enumerate(actions) if (action.kind, action.cards) == ("expose", ("4H",)))
    misread, draw, following = actions[first : first + 3]
    assert (draw.kind, following.kind, following.cards) == ("draw", "play", ("4D",))
    desk = Desk("three-card-trick-poker", 4, *actions[:first])
    desk.observer.memory.lacks(f"exposed:{misread.seat}", -9)
    desk.observer.memory.name(-9, "9H")
    desk.look(10.0)
    desk.match = desk.match.then(Acted(misread))
    desk.look(11.0)
    if taps == 2:
        desk.match = desk.match.then(Acted(draw))
        desk.look(14.0)
    beam = desk.observer._beam
    assert beam is not None and beam.misfits(next(h for h in beam.hypotheses if not h.steps)) == {}
    desk.clear(f"exposed:{following.seat}", "4D", at=19.5)
    desk.put(f"play:{following.seat}", "4D", at=20.0)
    found = [desk.look(now) for now in (21.0, 24.0, 28.0)]
    assert desk.told[-1] == ("play", following.seat, ("4D",))
    assert [question for one in found for question in one.questions] == []
