"""Photographs of a drawn deck enrol it: named after their cards, one card in each, seen whole."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

pytest.importorskip("PIL", reason="tables are drawn with what training needs")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion.cards import deck_from_toml
from companion.commands.enrol import code_of
from companion.training.evaluation.enrolment import take
from companion.vision.decks.photographs import the_card

DECK = deck_from_toml(
    """
[deck]
name = { en = "Two cards" }
separator = "."

[[suits]]
code = "north"
name = { en = "North" }
colour = "blue"
mark = "star"

[[ranks]]
code = "tide"
name = { en = "Tide" }
picture = "wave"

[[ranks]]
code = "sun"
name = { en = "Sun" }
picture = "sun"
""",
    "two",
)


def test_each_card_has_its_photographs_which_a_deck_is_enrolled_by(tmp_path: Path) -> None:
    assert take(DECK, tmp_path, times=2) == 4
    files = sorted(tmp_path.iterdir())
    assert [code_of(file, DECK) for file in files] == ["sun.north", "sun.north", "tide.north", "tide.north"]
    seen = [cv2.imread(str(file)) for file in files]
    assert all(len(the_card(picture, ())) for picture in seen)
    assert (seen[0] != seen[1]).mean() > 0.3  # another table, another light


def test_a_seed_says_which(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        take(DECK, tmp_path / name, seed=seed)
    one, again, other = ((tmp_path / name / "sun.north.jpg").read_bytes() for name in "abc")
    assert one == again != other
