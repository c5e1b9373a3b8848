"""What was thought of while a place moved is thought of once more when it rests, though it lies as before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games import Action
from companion.table.beam import Beam
from companion.table.fill import Filled
from companion.table.hypotheses import EVEN, LIES, Hypothesis, Step, Ways, thought_on
from companion.table.misfit import EXTRA
from tests.table.lying import at
from tests.table.test_following import Desk


def test_a_name_told_while_another_place_moves_counts_there_once_that_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    thought: list[bool] = []
    weigh = Beam.weigh

    def noted(beam: Beam, sight: Any, weight: float, *, search: bool = True) -> None:
        thought.append(search)
        weigh(beam, sight, weight, search=search)

    desk = Desk("three-card-showdown", 4, deck="52D2")
    desk.put("hand:0", "AS", "KS", at=10.0)
    (unread,) = desk.put("hand:1", None, at=10.0)
    desk.look(11.0)
    monkeypatch.setattr(Beam, "weigh", noted)
    desk.observer.name(unread.track, "9H")
    desk.look(12.0, "hand:0")
    desk.look(13.0)
    desk.look(14.0)
    assert thought == [True, True, False]


def test_what_explains_a_card_that_the_likeliest_has_left_out_is_thought_on_however_little_it_explains_as_yet() -> None:
    """Three things that came after it are explained already, and without it none of them is."""

    def told(track: int, total: float) -> Hypothesis:
        filled = Filled(Action("expose", track, ("2C",)), (at(0.1 * track, 0.5, track, "2C"),))
        return Hypothesis(None, {}, (Step(filled, (), None, False, True, 1.0, 0.0),), cost=total)

    best, near = replace(told(1, 1.0), present=EXTRA), told(2, 6.0)
    left_out, explained = told(3, 20.0), told(1, 20.0)
    assert thought_on([best, near, explained, left_out], best, 6, 8.0) == [best, near, left_out]
    whole = told(1, 4.0)
    assert thought_on([whole, near, left_out], whole, 6, 8.0) == [whole, near], "it leaves nothing unexplained"


@pytest.mark.parametrize(("dearer", "known"), [(EVEN / 2, True), (EVEN + 0.1, False)])
def test_of_two_ways_to_the_same_table_both_are_known_where_they_tell_about_as_well_who_laid_what(
    dearer: float, known: bool
) -> None:
    """Two cards were gathered, and either may have been led."""

    def told(total: float, *laid: tuple[int, str]) -> Hypothesis:
        fills = (Filled(Action("play", seat, (face,)), (at(0.1, 0.5, seat, face),)) for seat, face in laid)
        return Hypothesis("gathered", {}, tuple(Step(one, (), None, False, True, 1.0, 0.0) for one in fills), total)

    ways = Ways()
    first, other = told(1.0, (0, "10C"), (3, "8D")), told(1.0 + dearer, (0, "8D"), (3, "10C"))
    assert ways.keep(first) and ways.keep(other) is known
    assert not ways.keep(told(1.0 + LIES, (3, "8D"), (0, "10C"))), "it says the same"
    assert ways.all() == [first, other][: 1 + known]
    better = told(0.5 - EVEN, (0, "8D"), (3, "10C"))
    assert ways.keep(better) and ways.all() == [better]


def test_the_first_cards_of_the_likeliest_way_told_of_others_are_thought_on() -> None:
    """Which of them was led nothing on the table tells; that they were gathered one way explains already."""

    def told(total: float, *done: tuple[str, int, str]) -> Hypothesis:
        fills = (Filled(Action(kind, seat, (face,) if face else ()), ()) for kind, seat, face in done)
        return Hypothesis(None, {}, tuple(Step(one, (), None, False, True, 1.0, 0.0) for one in fills), total)

    best = told(1.0, ("play", 0, "8D"), ("play", 3, "10C"), ("collect", 0, ""))
    others = told(20.0, ("play", 0, "10C"), ("play", 3, "8D"))
    half, strange = told(20.0, ("play", 0, "10C")), told(20.0, ("play", 0, "10C"), ("play", 3, "9D"))
    assert thought_on([best, half, strange, others], best, 6, 8.0) == [best, others]


def test_fouls_crowd_out_nothing_that_is_in_order() -> None:
    """What was done first is the same in all of them; the card that makes one of them right has not been read yet."""

    def told(total: float, *kinds: str) -> Hypothesis:
        steps = (Step(Filled(Action(kind, 0)), (), None, kind.startswith("foul"), True, 1.0, 0.0) for kind in kinds)
        return Hypothesis(None, {}, tuple(steps), cost=total)

    fouls = [told(1.0 + n, "draw", f"foul {n}") for n in range(6)]
    first = told(7.5, "draw")
    assert thought_on([*fouls, first], fouls[0], 6, 8.0) == [*fouls, first]
    assert thought_on([*fouls, first], fouls[0], 6, 6.0) == fouls, "it is too unlikely"
