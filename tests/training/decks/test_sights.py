"""Lessons in choosing outlines: right is what meets a card that was not chosen before."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.training.decks import sights
from companion.vision.assembly.sights import FEATURES
from companion.vision.geometry import Array, box_quad
from companion.vision.pipeline.report import as_polygon
from companion.vision.types import CardRead, ReadResult, Side, Sight

ONE, OTHER, NONE = box_quad((50, 50, 150, 190)), box_quad((300, 50, 400, 190)), box_quad((450, 250, 520, 330))


def result(*cards: CardRead) -> ReadResult:
    seen = [Sight(as_polygon(quad), Side.UP, 0.9, 3, 2.5) for quad in (ONE, OTHER, NONE)]
    return ReadResult(600, 400, 1.0, cards, sights=tuple(seen))


def picture() -> np.ndarray:
    image = np.full((400, 600, 3), 70, np.uint8)
    for card in (ONE, OTHER):
        cv2.fillPoly(image, [np.int32(card)], (230, 230, 230))
    return image


def lessons(cards: list[tuple[Array, float]], *read: CardRead) -> list[tuple[np.ndarray, np.ndarray]]:
    return list(sights.lessons(result(*read), picture(), cards, np.random.default_rng(1)))


def test_an_outline_is_right_until_its_card_is_chosen() -> None:
    told = lessons([(ONE, 1.0), (OTHER, 0.5)])
    first, last = told[0][1], told[-1][1]
    assert first.tolist() == [True, True, False] * 2
    assert not last.any()
    assert all(features.shape == (6, len(FEATURES)) for features, _ in told)
    shared = FEATURES.index("shared")
    assert told[0][0][:, shared].tolist() == [0] * 6
    assert told[-1][0][:2, shared] == pytest.approx([1, 1], abs=0.05)


def test_a_card_with_a_name_is_chosen_before() -> None:
    told = lessons([(ONE, 1.0), (OTHER, 1.0)], CardRead("7H", 1.0, Side.UP, as_polygon(ONE)))
    assert told[0][1].tolist() == [False, True, False] * 2


def test_what_is_hardly_seen_need_not_be_found_and_an_empty_table_has_no_card() -> None:
    assert not any(right.any() for _, right in lessons([(OTHER, 0.05)]))
    assert not any(right.any() for _, right in lessons([]))
