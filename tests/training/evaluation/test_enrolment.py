"""Photographs of a drawn deck enrol it: named after their cards, which are seen whole."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="tables are drawn with what training needs")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion.cards import deck_from_toml
from companion.commands.enrol import code_of
from companion.training.evaluation import enrolment

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


def test_each_card_has_its_photographs_named_as_enrolling_wants_them(tmp_path: Path) -> None:
    assert enrolment.take(DECK, tmp_path, times=2) == 4
    files = sorted(tmp_path.iterdir())
    assert [code_of(file, DECK) for file in files] == ["sun.north", "sun.north", "tide.north", "tide.north"]
    one, other = (cv2.imread(str(file)) for file in files[:2])
    assert (one != other).mean() > 0.3  # another table, another light


def test_a_card_that_is_cut_off_is_photographed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outlines = iter([-5.0, 5.0, 40.0] * len(DECK))
    black = np.zeros((960, 720, 3), np.uint8)

    def shot(face: np.ndarray, tall: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        left = next(outlines)
        return (
            black + (255 if left > enrolment.FREE else 0),
            np.array([[left, 60], [300, 60], [300, 400], [left, 400]]),
        )

    monkeypatch.setattr(enrolment, "photographed", shot)
    enrolment.take(DECK, tmp_path)
    assert [int(cv2.imread(str(file)).min()) for file in tmp_path.iterdir()] == [255, 255]


def test_a_seed_says_which(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        enrolment.take(DECK, tmp_path / name, seed=seed)
    one, again, other = ((tmp_path / name / "sun.north.jpg").read_bytes() for name in "abc")
    assert one == again != other
