"""What the detector makes of a raw tensor, with no network involved."""

from __future__ import annotations

import numpy as np
import pytest

from companion import resources
from companion.vision.reading import parameters
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import Detector, decode, less_where_cut, letterbox, sights, suppress
from companion.vision.reading.tiles import Tile, card_width, finer_tiles

QUAD = np.array([[10, 10], [73, 10], [73, 98], [10, 98]], np.float64)


def raw(rows: list[tuple[int, float, np.ndarray]], boxes: bool = True, places: int = 50) -> np.ndarray:
    """A network answer holding the given (class, score, quad) at some places."""
    table = np.zeros((1, 4 + 3 + 12, places), np.float32)
    for place, (kind, score, quad) in enumerate(rows):
        low, high = quad.min(axis=0), quad.max(axis=0)
        table[0, :4, 7 + place] = [*((low + high) / 2), *(high - low)]
        table[0, 4 + kind, 7 + place] = score
        table[0, 7:, 7 + place] = np.column_stack([quad, np.ones(4)]).ravel()
    return table if boxes else table[:, 4:]


@pytest.mark.parametrize("boxes", [True, False])
def test_boxes_before_scores_and_keypoints_are_left_aside(boxes: bool) -> None:
    found = decode(raw([(0, 0.9, QUAD), (2, 0.01, QUAD)], boxes), threshold=0.25)
    assert [f.label for f in found] == [DetectionClass.UP]
    assert np.allclose(found[0].keypoints, QUAD)
    assert found[0].score == pytest.approx(0.9)


@pytest.mark.parametrize("score", [0.15, 0.03])
def test_faint_indices_are_found_and_faint_outlines_are_not(score: float) -> None:
    rows = [(0, score, QUAD), (1, score, QUAD + 300), (2, score, QUAD + 600)]
    assert [f.label for f in decode(raw(rows), threshold=0.25)] == [DetectionClass.INDEX]


@pytest.mark.parametrize(("aside", "kept"), [(8.0, 1), (30.0, 2)])
def test_what_is_faintly_seen_where_a_clear_index_is_seen_is_that_one(aside: float, kept: int) -> None:
    tall = np.array([[0, 0], [18, 0], [18, 40], [0, 40]], np.float64) + 200
    wide = tall.mean(axis=0) + (tall - tall.mean(axis=0)) * [2.4, 0.5]  # too unlike to be merged
    rows = [(2, 0.9, tall), (2, 0.05, wide + np.array([aside, 0]))]
    assert len(suppress(decode(raw(rows), threshold=0.25))) == kept
    assert len(suppress(decode(raw([(2, 0.9, tall), (2, 0.2, wide + np.array([aside, 0]))]), threshold=0.25))) == 2


@pytest.mark.parametrize(("score", "kept"), [(0.9, [0.9]), (0.2, [0.2]), (0.05, [0.5])])
def test_a_faint_index_around_a_clear_one_does_not_hide_it(score: float, kept: list[float]) -> None:
    small = np.array([[0, 0], [18, 0], [18, 40], [0, 40]], np.float64) + 200
    around = small.mean(axis=0) + 2.5 * (small - small.mean(axis=0))
    found = suppress(decode(raw([(2, 0.5, small), (2, score, around)]), threshold=0.25))
    assert [round(f.score, 2) for f in found] == kept


def test_keypoints_come_back_to_the_place_in_the_picture() -> None:
    (found,) = decode(raw([(2, 0.9, QUAD)]), 0.25, 3.0, np.array([100.0, 40.0]))
    assert np.allclose(found.keypoints, QUAD * 3 + [100, 40])


def test_each_thing_lies_at_the_mean_of_its_clear_detections() -> None:
    far = QUAD + 200
    rows = [(0, 0.9, QUAD), (0, 0.9, np.roll(QUAD + 2, 2, axis=0)), (0, 0.3, QUAD + 4), (1, 0.8, far)]
    found = suppress(decode(raw(rows), threshold=0.25))
    assert [f.label for f in found] == [DetectionClass.UP, DetectionClass.DOWN]
    assert np.allclose(found[0].keypoints, QUAD + 1)  # the third is unclear beside the first: it has no say
    assert np.allclose(found[1].keypoints, far)


def test_a_counter_clockwise_answer_is_turned_and_a_crossed_one_dropped() -> None:
    mirrored = QUAD[[1, 0, 3, 2]]
    crossed = QUAD[[0, 2, 1, 3]]
    found = decode(raw([(0, 0.9, mirrored), (0, 0.8, crossed)]), threshold=0.25)
    assert len(found) == 1
    assert np.allclose(found[0].keypoints, QUAD)


def test_a_card_is_not_both_face_up_and_face_down() -> None:
    found = suppress(decode(raw([(0, 0.6, QUAD), (1, 0.9, QUAD + 1)]), threshold=0.25))
    assert [f.label for f in found] == [DetectionClass.DOWN]


def test_a_ground_on_which_cards_lie_is_no_card() -> None:
    ground = QUAD.mean(axis=0) + 6 * (QUAD - QUAD.mean(axis=0))
    cards = [(0, 0.8 - 0.1 * k, QUAD + np.array([k * 2.0 * np.ptp(QUAD[:, 0]), 0])) for k in range(2)]
    found = suppress(decode(raw([*cards, (1, 0.6, ground)]), threshold=0.25))
    assert [f.label for f in found] == [DetectionClass.UP, DetectionClass.UP]
    found = suppress(decode(raw([cards[0], (1, 0.6, ground)]), threshold=0.25))
    assert [f.label for f in found] == [DetectionClass.DOWN]  # one may be a picture printed on it
    found = suppress(decode(raw([*cards, (1, 0.9, ground)]), threshold=0.25))
    assert [f.label for f in found] == [DetectionClass.DOWN]


def test_a_fan_and_its_indices_survive_suppression() -> None:
    rows = []
    for k in range(4):
        shift = np.array([14.0 * k, 2.0 * k])
        rows.append((0, 0.9 - 0.1 * k, QUAD + shift))
        rows.append((2, 0.9 - 0.1 * k, QUAD[0] + shift + (QUAD - QUAD[0]) * 0.15))
        rows.append((2, 0.5 - 0.1 * k, QUAD[0] + shift + (QUAD - QUAD[0]) * 0.16))
    found = suppress(decode(raw(rows), threshold=0.05))
    assert 1 <= sum(f.label is DetectionClass.UP for f in found) <= 4  # near outlines may be one; each index stays
    assert sum(f.label is DetectionClass.INDEX for f in found) == 4


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


def test_small_cards_ask_for_finer_views_that_cover_them() -> None:
    corners = [Detection(DetectionClass.UP, 0.9, QUAD * 0.4 + shift) for shift in ([0, 0], [1700, 900], [900, 500])]
    views = finer_tiles(corners, 1920, 1080)
    assert len(views) > 1
    covered = np.zeros((1080, 1920), bool)
    for view in views:
        assert view.side <= parameters.WIDEST_TILE and view.scale == pytest.approx(views[0].scale)
        covered[view.top : view.top + view.height, view.left : view.left + view.width] = True
    shown_twice = sum(view.width * view.height for view in views) / covered.sum()
    assert shown_twice < 1.4, "little of the picture is looked at twice"
    for card in corners:
        x, y = card.keypoints.mean(axis=0).astype(int)
        assert covered[y - 15 : y + 15, x - 15 : x + 15].all()


def test_cards_that_lie_together_are_looked_at_once_more_as_closely_as_they_allow() -> None:
    near = [Detection(DetectionClass.UP, 0.9, QUAD + shift) for shift in ([400, 300], [520, 340])]
    (view,) = finer_tiles(near, 1280, 720)
    assert view.scale > 1.25 * 640 / 1280
    points = np.concatenate([card.keypoints for card in near])
    assert (points.min(axis=0) >= [view.left, view.top]).all()
    assert (points.max(axis=0) <= [view.left + view.width, view.top + view.height]).all()


def test_large_cards_and_far_spread_ones_need_no_finer_view() -> None:
    assert finer_tiles([Detection(DetectionClass.UP, 0.9, QUAD * 4)], 1280, 720) == []
    spread = [Detection(DetectionClass.UP, 0.9, QUAD * 1.6 + shift) for shift in ([0, 0], [1050, 550])]
    assert finer_tiles(spread, 1280, 720) == []
    assert card_width([]) is None


def test_middle_sized_cards_are_looked_at_closer_where_they_lie_over_each_other() -> None:
    card = np.array([[20, 20], [100, 20], [100, 132], [20, 132]], np.float64)

    def laid(step: float) -> list[Detection]:
        shifts = [np.array([step * k, 180 * row]) for row in range(4) for k in range(12)]
        return [Detection(DetectionClass.UP, 0.9, card + shift) for shift in shifts]

    assert finer_tiles(laid(100), 1280, 720) == []
    views = finer_tiles(laid(70), 1280, 720)
    assert views
    covered = np.zeros((720, 1280), bool)
    for view in views:
        assert view.width < 800
        covered[view.top : view.top + view.height, view.left : view.left + view.width] = True
    assert all(covered[tuple(f.keypoints.mean(axis=0).astype(int)[::-1])] for f in laid(70))


def test_what_is_taken_for_a_second_sight_is_told_with_how_often_it_was_seen() -> None:
    over = QUAD + np.array([0.3 * 63, 0])  # of two that lean alike and share so much one goes
    given = decode(raw([(0, 0.9, QUAD), (0, 0.5, QUAD + 1), (0, 0.4, over), (2, 0.9, QUAD * 0.1)]), threshold=0.25)
    assert len([f for f in suppress(given) if f.label is DetectionClass.UP]) == 1
    told = [(round(one.score, 2), views, round(heard, 2)) for one, views, heard in sights(given)]
    assert told == [(0.9, 2, 1.4), (0.4, 1, 0.4)]
    assert sights([]) == []


@pytest.mark.parametrize(
    ("found", "beside", "sides"),
    [(True, [], [320]), (True, [QUAD * 4], [320, 480]), (False, [QUAD * 2], [320, 512]), (False, [QUAD], [320, 640]),
     (False, [QUAD * 3], [320, 384])],
)  # fmt: skip
def test_large_cards_apart_are_looked_at_once_and_in_a_part_of_a_picture_twice(
    found: bool, beside: list[np.ndarray], sides: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outline of a card that is found in one view alone is off more often; the second is as close as cards are
    small."""
    looked = []
    corner = np.array([[20, 20], [60, 20], [60, 70], [20, 70]], np.float64)
    lie = [Detection(DetectionClass.UP, 0.9, QUAD * 4), Detection(DetectionClass.INDEX, 0.9, corner + 30)]

    def look(_: Detector, image: np.ndarray, tile: Tile, *__: object, **___: object) -> list[Detection]:
        looked.append(tile.side)
        return lie if found else []

    monkeypatch.setattr(Detector, "detect_tile", look)
    detector = Detector(resources.models() / "detector" / "detector.onnx", threads=1)
    detector.look(np.zeros((600, 800 if found else 640, 3), np.uint8), beside=beside)
    assert looked == sides


def test_what_the_edge_of_a_view_cuts_counts_half() -> None:
    """Where the edge cuts a card the network guesses the rest. Indices are small, and the picture's edge is its own."""
    size, box = (1280, 720), (0, 0, 640, 720)
    near, whole, index = QUAD + np.array([640 - 73 - 4.0, 100]), QUAD + np.array([300.0, 100]), QUAD * 0.2 + 600.0
    found = [Detection(DetectionClass.UP, 0.8, near), Detection(DetectionClass.DOWN, 0.7, whole)]
    found += [Detection(DetectionClass.INDEX, 0.6, index), Detection(DetectionClass.UP, 0.5, QUAD * 1.0)]
    assert [one.score for one in less_where_cut(found, box, size)] == [0.4, 0.7, 0.6, 0.5]
    assert less_where_cut(found, (0, 0, *size), size) == found
