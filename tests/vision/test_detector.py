"""What the detector makes of a raw tensor, with no network involved."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.detector import Found, Kind, card_width, decode, finer_views, letterbox, suppress

QUAD = np.array([[10, 10], [73, 10], [73, 98], [10, 98]], np.float64)


def raw(rows: list[tuple[int, float, np.ndarray]], points: int = 3, places: int = 50) -> np.ndarray:
    """A network answer holding the given (class, score, quad) at some places."""
    table = np.zeros((1, 4 + 3 + 4 * points, places), np.float32)
    for place, (kind, score, quad) in enumerate(rows):
        low, high = quad.min(axis=0), quad.max(axis=0)
        table[0, :4, 7 + place] = [*((low + high) / 2), *(high - low)]
        table[0, 4 + kind, 7 + place] = score
        table[0, 7:, 7 + place] = np.column_stack([quad, np.ones((4, points - 2))]).ravel()
    return table


@pytest.mark.parametrize("points", [2, 3])
def test_keypoints_with_or_without_visibility(points: int) -> None:
    found = decode(raw([(0, 0.9, QUAD), (2, 0.1, QUAD)], points), threshold=0.25)
    assert [f.kind for f in found] == [Kind.UP]
    assert np.allclose(found[0].quad, QUAD)
    assert found[0].score == pytest.approx(0.9)


def test_a_counter_clockwise_answer_is_turned_and_a_crossed_one_dropped() -> None:
    mirrored = QUAD[[1, 0, 3, 2]]
    crossed = QUAD[[0, 2, 1, 3]]
    found = decode(raw([(0, 0.9, mirrored), (0, 0.8, crossed)]), threshold=0.25)
    assert len(found) == 1
    assert np.allclose(found[0].quad, QUAD)


def test_a_card_is_not_both_face_up_and_face_down() -> None:
    found = suppress(decode(raw([(0, 0.6, QUAD), (1, 0.9, QUAD + 1)]), threshold=0.25))
    assert [f.kind for f in found] == [Kind.DOWN]


def test_a_fan_and_its_indices_survive_suppression() -> None:
    rows = []
    for k in range(4):
        shift = np.array([14.0 * k, 2.0 * k])
        rows.append((0, 0.9 - 0.1 * k, QUAD + shift))
        rows.append((2, 0.9 - 0.1 * k, QUAD[0] + shift + (QUAD - QUAD[0]) * 0.15))
        rows.append((2, 0.5 - 0.1 * k, QUAD[0] + shift + (QUAD - QUAD[0]) * 0.16))
    found = suppress(decode(raw(rows), threshold=0.05))
    assert 1 <= sum(f.kind is Kind.UP for f in found) <= 4  # near outlines may be one; each index stays
    assert sum(f.kind is Kind.INDEX for f in found) == 4


@pytest.mark.parametrize(("height", "width", "side"), [(720, 1280, 640), (1017, 491, 320), (100, 100, 320)])
def test_letterbox_pads_to_the_stride(height: int, width: int, side: int) -> None:
    tensor = letterbox(np.zeros((height, width, 3), np.uint8), side)
    assert tensor.shape[:2] == (1, 3)
    assert tensor.shape[2] % 32 == 0
    assert tensor.shape[3] % 32 == 0
    assert max(tensor.shape[2:]) == side
    assert tensor[0, :, 0, 0].max() == 0


def test_letterbox_gives_rgb() -> None:
    red = np.zeros((64, 64, 3), np.uint8)
    red[:, :, 2] = 255
    assert letterbox(red, 64)[0, :, 5, 5].tolist() == [1, 0, 0]


def test_small_cards_ask_for_finer_views_that_cover_the_picture() -> None:
    card = Found(Kind.UP, 0.9, QUAD * 0.5)
    assert card_width([card]) == pytest.approx(31.5)
    views = finer_views([card], 1920, 1080)
    assert len(views) > 1
    seen = np.zeros((1080, 1920), bool)
    for view in views:
        seen[view.top : view.top + view.height, view.left : view.left + view.width] = True
    assert seen.all()


def test_large_cards_ask_for_nothing_more() -> None:
    assert finer_views([Found(Kind.UP, 0.9, QUAD * 4)], 1280, 720) == []
    assert card_width([]) is None
