"""Whole games at a disturbed table: nothing wrong stays in the record, and nearly everything is told without asking.

The seeds are fixed; `benchmarks/table.py` plays more of them and tells what each trouble costs.
"""

from __future__ import annotations

import pytest

from companion.games import ids
from tests.table.bed import follow
from tests.table.bed_cards import STANDARD, Trouble

GAMES = ids()


@pytest.mark.parametrize("name", GAMES)
def test_with_perfect_eyes_every_action_that_cards_can_tell_is_told(name: str) -> None:
    tally = follow(name, ["eyes"], Trouble(), limit=60)
    assert tally.seen and (tally.wrong, tally.mended) == (0, 0), tally.notes
    assert tally.missed == 0 and tally.questions <= 0.02 * tally.actions, tally.notes


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("trouble", ["piecemeal", "hand", "phantom", "vanish", "twins"])
def test_a_trouble_alone_makes_nothing_wrong(name: str, trouble: str) -> None:
    tally = follow(name, ["alone"], Trouble(**{trouble: getattr(STANDARD, trouble)}), limit=40)
    assert tally.wrong == 0, tally.notes


def test_all_troubles_together_over_all_games() -> None:
    seen = missed = wrong = asked = actions = 0
    for name in GAMES:
        tally = follow(name, ["all"], STANDARD, limit=60)
        seen, missed, wrong = seen + tally.seen, missed + tally.missed, wrong + tally.wrong
        asked, actions = asked + tally.questions, actions + tally.actions
    assert wrong == 0
    assert missed <= 0.06 * seen and asked <= 0.04 * actions
