"""Of all outlines that were seen, those of cards are chosen: the exact ones, each card once, the lower one too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import resources
from companion.vision.assembly.sights import FEATURES, Sights, chosen
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import Array, box_quad, iou
from companion.vision.pipeline.report import as_polygon
from companion.vision.types import CardRead, Side, Sight

TREES = Trees.load(resources.models() / "decks" / "sights.json")
LEFT, RIGHT, UNDER = box_quad((100, 100, 200, 240)), box_quad((600, 100, 700, 240)), box_quad((640, 180, 740, 320))


def table(*cards: Array) -> np.ndarray:
    """A dark cloth with paper on it, each card over the one before, with a border."""
    bright = np.full((480, 900), 60, np.uint8)
    for card in cards:
        corners = np.int32(card)
        cv2.fillPoly(bright, [corners], 230)
        cv2.polylines(bright, [corners], True, 120, 1)
    return cv2.GaussianBlur(bright, (0, 0), 0.7)


def seen(outline: Array, score: float, views: int = 4) -> Sight:
    return Sight(as_polygon(outline), Side.UP, score, views, score * views * 0.8)


def read(outline: Array, own: float = 0.97) -> CardRead:
    return CardRead(None, 0.1, Side.UP, as_polygon(outline), own=own)


def feature(sights: Sights, name: str) -> Array:
    return np.asarray(sights.features()[:, FEATURES.index(name)])


def test_a_card_under_another_is_chosen_in_the_outline_that_is_as_large_as_cards_are() -> None:
    bright = table(LEFT, UNDER, RIGHT)
    part = np.array([[640.0, 240], [740, 180], [740, 320], [640, 320]])  # what is seen of the lower one
    aside = UNDER + np.array([26, 30])
    given = [seen(LEFT, 0.9), seen(RIGHT, 0.92), seen(UNDER, 0.5), seen(part, 0.55, 2), seen(aside, 0.3, 1)]
    sights = Sights(given, [read(LEFT), read(RIGHT)], bright)
    found, _ = chosen(sights, TREES)
    places = [sights.outlines[number] for number, _ in found]
    assert sorted(int(np.argmax([iou(place, card) for card in (LEFT, RIGHT, UNDER)])) for place in places) == [0, 1, 2]
    assert min(max(iou(place, card) for card in (LEFT, RIGHT, UNDER)) for place in places) > 0.8


class Constant(Trees):
    """The same chance for all but what lies in a chosen card, which has none."""

    def __init__(self, chance: float) -> None:
        object.__setattr__(self, "start", chance)

    def chances(self, features: Array) -> Array:
        return np.where(features[:, FEATURES.index("shared")] > 0.5, 0.0, self.start)


def test_nothing_seen_makes_no_card() -> None:
    assert chosen(Sights([], [], table()), TREES) == ([], [])


def test_what_is_chosen_changes_those_that_lie_over_or_under_it() -> None:
    sights = Sights([seen(LEFT, 0.9), seen(RIGHT, 0.9), seen(UNDER, 0.5)], [], table(LEFT, UNDER, RIGHT))
    assert feature(sights, "free").tolist() == [1.0] * 6
    before = feature(sights, "free shown")[2]
    changed = sights.accept(RIGHT)
    assert changed.tolist() == [1, 2, 4, 5]
    assert feature(sights, "shared")[[0, 1]] == pytest.approx([0, 1])
    assert feature(sights, "within")[2] == pytest.approx(60 * 60 / (100 * 140))
    assert 0.5 < feature(sights, "free")[2] < 1
    assert feature(sights, "free shown")[2] > before  # the lines that another card hides are not missed
    assert feature(sights, "hidden shown")[0] == -1


def test_how_large_an_outline_is_is_told_by_the_clear_ones_about_it() -> None:
    small = box_quad((400, 100, 450, 170))
    sights = Sights([seen(LEFT, 0.9), seen(RIGHT, 0.9), seen(small, 0.4)], [], table(LEFT, RIGHT))
    assert feature(sights, "short")[:3] == pytest.approx([0, 0, -np.log(2)], abs=1e-3)
    assert feature(sights, "long")[:3] == pytest.approx([0, 0, -np.log(2)], abs=1e-3)


def test_an_outline_of_a_card_that_has_one_already_says_so() -> None:
    sights = Sights([seen(LEFT, 0.9), seen(LEFT + 4, 0.4)], [read(LEFT, 0.8)], table(LEFT))
    assert feature(sights, "read as own") == pytest.approx(0.8)
    assert not feature(sights, "read already").any()
    sights.accept(sights.outlines[0], 0)
    assert feature(sights, "read already").all()


def test_lines_show_along_the_sides_of_paper_alone() -> None:
    sights = Sights([seen(LEFT, 0.9), seen(box_quad((300, 100, 400, 240)), 0.9)], [], table(LEFT))
    assert feature(sights, "faintest side")[0] > 10 > 1 > feature(sights, "clearest side")[1]


def test_another_outline_of_a_chosen_card_may_be_the_card_instead() -> None:
    border = LEFT + np.array([[9.0, 9], [-9, 9], [-9, -9], [9, -9]])
    sights = Sights([seen(LEFT, 0.8), seen(border, 0.75), seen(LEFT + 1, 0.5)], [read(LEFT)], table(LEFT))
    found, others = chosen(sights, Constant(0.7))
    assert len(found) == 1
    assert [iou(sights.outlines[number], border) > 0.9 for number in others] == [True]
