"""Composed scenes: their labels are exact, their corner order is the promised one, a seed says everything."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.scenes import backgrounds, dataset, layouts, light
from companion.training.scenes import compose as scenes
from companion.training.scenes.prints import FACES, Print, round_corners


def flat_print(colour: tuple[int, int, int] = (200, 30, 40)) -> Print:
    """A deck whose faces are one colour: its pixels tell where the card is."""
    card = np.empty((350, 250, 3), np.uint8)
    card[:] = colour
    picture = round_corners(card)
    return Print("flat", "test", "train", dict.fromkeys(FACES, picture), [picture], (0.05, 0.05, 0.2, 0.25))


def composer(size: tuple[int, int] = (320, 320)) -> scenes.Composer:
    """A composer that needs nothing from the machine."""
    return scenes.Composer([flat_print()], backgrounds.Bank(), size)


@pytest.mark.parametrize("turn", range(0, 360, 15))
def test_corner_order_is_geometric(turn: int) -> None:
    """Clockwise, the higher short side first, its left end first; the same after half a turn of the print."""
    a = np.radians(turn)
    c, s = np.cos(a), np.sin(a)
    printed = (np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]]) @ np.array([[c, s], [-s, c]])) + 200
    quad = scenes.order_corners(printed)
    area = np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1])
    assert area > 0
    assert np.hypot(*(quad[1] - quad[0])) == pytest.approx(100)
    assert quad[:2, 1].mean() <= quad[2:, 1].mean() + 1e-6
    if turn % 90:
        assert np.allclose(quad, scenes.order_corners(np.roll(printed, 2, axis=0)))
        assert quad[0, 0] < quad[1, 0]


def test_a_pasted_card_covers_exactly_its_label() -> None:
    """Pixels of the card's colour fill the labelled quadrilateral, and only it."""
    size = 400
    canvas = scenes.Canvas(np.zeros((size, size, 3), np.uint8), np.full((size, size), -1, np.int16))
    design = flat_print()
    matrix = scenes.camera(np.random.default_rng(5), (size, size), 120.0)
    quad = scenes.placed_quad(matrix, layouts.Place(0.1, -0.1, 0.4), 1.4)
    canvas.paste(design.faces["AS"], quad, 0, np.random.default_rng(1))
    ys, xs = np.nonzero(canvas.owner == 0)
    pad = 2.0
    assert abs(xs.min() - quad[:, 0].min()) < pad + 6 and abs(xs.max() + 1 - quad[:, 0].max()) < pad + 6
    assert abs(ys.min() - quad[:, 1].min()) < pad + 6 and abs(ys.max() + 1 - quad[:, 1].max()) < pad + 6
    assert scenes.share_on_top(canvas.owner, quad, 0) > 0.97
    assert (canvas.owner == 0).sum() == pytest.approx(_area(quad), rel=0.03)


def _area(quad: np.ndarray) -> float:
    return abs(float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1]))) / 2


def test_a_covered_card_loses_the_covered_share() -> None:
    """Half of the lower card under the upper one: visible one half; its hidden index corner is not seen."""
    size = 400
    canvas = scenes.Canvas(np.zeros((size, size, 3), np.uint8), np.full((size, size), -1, np.int16))
    picture = flat_print().faces["AS"]
    low = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], float)
    canvas.paste(picture, low, 0, np.random.default_rng(1))
    canvas.paste(picture, low + np.array([50, 0]), 1, np.random.default_rng(1))
    assert scenes.share_on_top(canvas.owner, low, 0) == pytest.approx(0.5, abs=0.03)
    assert scenes.share_on_top(canvas.owner, low + np.array([50, 0]), 1) > 0.97
    corner = np.array([[105, 107], [120, 107], [120, 135], [105, 135]], float)
    assert scenes.share_on_top(canvas.owner, corner, 0) > 0.97
    assert scenes.share_on_top(canvas.owner, corner + np.array([60, 0]), 0) == 0


def test_a_card_cut_by_the_border_counts_its_hidden_part() -> None:
    """Half outside the picture is half visible."""
    owner = np.zeros((200, 200), np.int16)
    quad = np.array([[-50, 20], [50, 20], [50, 160], [-50, 160]], float)
    assert scenes.share_on_top(owner, quad, 0) == pytest.approx(0.5, abs=0.03)


def test_same_seed_same_scene() -> None:
    """Every pixel and label comes from the seed."""
    one, two = composer().compose(11), composer().compose(11)
    assert np.array_equal(one.image, two.image)
    assert dataset.label_lines(one) == dataset.label_lines(two)
    assert not np.array_equal(one.image, composer().compose(12).image)


def test_labels_are_fractions_and_well_formed() -> None:
    """Seventeen numbers a line, class 0 to 2, everything inside the picture, hidden corners without place."""
    kinds = set()
    maker = composer((256, 192))
    for seed in range(30):
        for line in dataset.label_lines(maker.compose(seed)):
            numbers = line.split()
            assert len(numbers) == 1 + 4 + 4 * 3
            kinds.add(int(numbers[0]))
            assert all(0 <= float(v) <= 1 for v in numbers[1:5])
            points = np.array(numbers[5:], float).reshape(4, 3)
            assert set(points[:, 2]) <= {0, 1, 2}
            assert ((points[:, :2] >= 0) & (points[:, :2] <= 1)).all()
            assert (points[points[:, 2] == 0][:, :2] == 0).all()
    assert kinds == {0, 1, 2}


def test_index_corners_keep_their_direction() -> None:
    """An index quad starts at its own top-left: the same corner of the card whatever way the card lies."""
    maker = composer()
    seen = 0
    for seed in range(20):
        for card in maker.compose(seed).cards:
            if not card.indices:
                continue
            first = card.indices[0].quad
            assert np.hypot(*(first[0] - card.printed[0])) < np.hypot(*(first[2] - card.printed[0]))
            second = card.indices[1].quad
            assert np.hypot(*(second[0] - card.printed[2])) < np.hypot(*(second[2] - card.printed[2]))
            seen += 1
    assert seen > 20


def test_mostly_hidden_cards_and_tiny_indices_are_not_labelled() -> None:
    """What the detector cannot see it is not asked to find."""
    maker = composer()
    for seed in range(25):
        scene = maker.compose(seed)
        asked = dataset.targets(scene)
        assert sum(t.kind < 2 for t in asked) <= sum(c.visible >= dataset.MIN_CARD for c in scene.cards)
        for t in asked:
            if t.kind == 2:
                assert (
                    max(np.hypot(*(t.quad[2] - t.quad[1])), np.hypot(*(t.quad[3] - t.quad[0])))
                    > dataset.MIN_INDEX_PX * 0.7
                )


def test_ordinary_light_spoils_less_and_the_camera_leans_less() -> None:
    painted = np.full((90, 120, 3), 128, np.uint8)
    painted[30:60, 40:80] = 230

    def spoilt(harsh: float) -> float:
        taken = [light.photograph(np.random.default_rng(seed), painted, 80.0, harsh) for seed in range(40)]
        return float(np.mean([np.abs(one.astype(int) - painted).mean() for one in taken]))

    def flattest(harsh: float) -> float:
        views = [scenes.camera(np.random.default_rng(seed), (320, 320), 60.0, harsh) for seed in range(80)]
        quads = [scenes.placed_quad(view, layouts.Place(0, 0, 0), 1.4) for view in views]
        return min(_area(quad) for quad in quads)

    assert spoilt(0.35) < 0.6 * spoilt(1.0)
    assert flattest(0.35) > 1.3 * flattest(1.0)
    same = [light.photograph(np.random.default_rng(3), painted, 80.0, harsh) for harsh in (1.0, 1.0)]
    assert np.array_equal(*same)
