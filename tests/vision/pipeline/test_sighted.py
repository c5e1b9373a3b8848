"""Cards without a name lie in the outlines that are chosen; what has a name, and what was read, stays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import resources
from companion.vision.geometry import Array, as_quad, box_quad, iou
from companion.vision.pipeline import sighted as module
from companion.vision.pipeline.report import as_polygon
from companion.vision.pipeline.sighted import sighted
from companion.vision.types import Candidate, CardRead, ReadResult, Side, Sight

LEFT, RIGHT = box_quad((100, 100, 200, 240)), box_quad((500, 100, 600, 240))
UNDER = box_quad((540, 180, 640, 320))


def picture() -> np.ndarray:
    """Two cards, and one under the second."""
    image = np.full((480, 800, 3), (60, 80, 50), np.uint8)
    for card in (LEFT, UNDER, RIGHT):
        cv2.fillPoly(image, [np.int32(card)], (225, 230, 235))
        cv2.polylines(image, [np.int32(card)], True, (120, 120, 120), 1)
    return cv2.GaussianBlur(image, (0, 0), 0.7)


def sight(outline: Array, score: float, side: Side = Side.UP) -> Sight:
    return Sight(as_polygon(outline), side, score, 4, 3 * score)


def read(*cards: CardRead, side: Side = Side.UP) -> ReadResult:
    sights = (sight(LEFT, 0.9), sight(RIGHT, 0.9), sight(UNDER, 0.5, side))
    return ReadResult(800, 480, 1.0, cards, outlines=(as_polygon(UNDER),), sights=sights)


def card(outline: Array, face: str | None = None) -> CardRead:
    return CardRead(face, 0.4, Side.UP, as_polygon(outline), (Candidate("7H", 0.4),), own=0.97)


def test_a_card_that_was_read_stays_what_it_is_in_its_exact_outline() -> None:
    aside = LEFT + np.array([9, 7])
    cards = sighted(read(card(aside), card(RIGHT)), picture()).cards
    first = next(one for one in cards if iou(as_quad(one.polygon), LEFT) > 0.9)
    assert (first.candidates, first.own, first.side) == ((Candidate("7H", 0.4),), 0.97, Side.UP)
    assert first.polygon != as_polygon(aside)


def test_a_card_of_which_the_reader_made_nothing_is_one_of_which_nothing_is_known() -> None:
    (under,) = sighted(read(card(LEFT), card(RIGHT)), picture()).further
    assert iou(as_quad(under.polygon), UNDER) > 0.8
    assert (under.face, under.side, under.candidates) == (None, Side.UP, ())
    assert 0.5 < under.own <= 1


def test_what_seems_a_back_of_which_the_reader_made_nothing_is_none() -> None:
    assert sighted(read(card(LEFT), card(RIGHT), side=Side.DOWN), picture()).further == []


def test_a_card_with_a_name_stays_as_it_is_and_is_not_found_again() -> None:
    aside = RIGHT + np.array([5, -4])
    cards = sighted(read(card(LEFT), card(aside, "7H")), picture()).cards
    assert card(aside, "7H") in cards
    assert sum(iou(as_quad(one.polygon), RIGHT) > 0.5 for one in cards) == 1


def test_where_nothing_tells_outlines_apart_everything_stays() -> None:
    result = ReadResult(800, 480, 1.0, (card(LEFT),), outlines=(as_polygon(UNDER),))
    seen = sighted(result, picture())
    assert (tuple(seen.cards), seen.further) == (result.cards, [])
    assert [as_polygon(one) for one in seen.outlines] == [as_polygon(UNDER)]


@pytest.mark.parametrize(("text", "said"), [(None, "missing"), ("{}", "damaged"), ("no", "damaged")])
def test_a_score_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, said: str
) -> None:
    (tmp_path / "decks").mkdir()
    if text is not None:
        (tmp_path / "decks" / "sights.json").write_text(text, "utf-8")
    monkeypatch.setattr(resources, "models", lambda: tmp_path)
    with pytest.raises(resources.PartError, match=said):
        module.shipped.__wrapped__()
