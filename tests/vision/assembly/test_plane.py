"""The table's plane: what outlines and indices say of how it lies, and where a card lies on it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.prints import nearest_print
from companion.vision.geometry import CARD_MM, INDEX_MM, Array, box_quad, corner_distance, project
from tests.vision.assembly.slanted import BLANK, LARGE, TABLE, VIEWS, camera, card, index, seen, up


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("noise", [0.0, 1.5])
def test_cards_measure_what_they_are(view: Array, noise: float) -> None:
    plane = TablePlane.fit(
        seen(view, TABLE, noise), seen(view, [index(one, k) for one in TABLE for k in (0, 2)], noise)
    )
    flat = plane.to_mm(np.stack(seen(view, TABLE)))
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    assert np.abs(sides / np.array([*CARD_MM, *CARD_MM]) - 1).max() < (0.01 if noise == 0 else 0.06)
    assert np.allclose(plane.to_px(plane.to_mm([[300.0, 200.0]])), [[300, 200]])


@pytest.mark.parametrize("mm", [INDEX_MM, (4.0, 4.0, 16.0, 30.0), (1.5, 2.0, 6.5, 12.0)])
def test_indices_alone_show_how_the_table_lies(mm: tuple[float, float, float, float]) -> None:
    plane = TablePlane.fit([], seen(VIEWS[1], [index(one, k, mm) for one in TABLE for k in (0, 2)]))
    flat = plane.to_mm(np.stack(seen(VIEWS[1], TABLE)))
    lengths = np.linalg.norm(flat[:, 2] - flat[:, 0], axis=1)
    assert lengths.std() < 0.02 * lengths.mean()
    wide, tall = plane.prints[0].index_mm
    assert wide / tall == pytest.approx((mm[2] - mm[0]) / (mm[3] - mm[1]), rel=0.1)


def test_one_wild_outline_changes_little() -> None:
    wild = project(VIEWS[1], box_quad((-100, -100, 160, -20)))
    plane = TablePlane.fit(
        [*seen(VIEWS[1], TABLE), wild], seen(VIEWS[1], [index(one, k) for one in TABLE for k in (0, 2)])
    )
    flat = plane.to_mm(np.stack(seen(VIEWS[1], TABLE)))
    assert np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1) == pytest.approx(CARD_MM[0], rel=0.05)


@pytest.mark.parametrize("view", VIEWS[1:])
def test_cards_beside_the_picture_tell_where_one_lies_of_which_an_index_is_seen(view: Array) -> None:
    lying, known = TABLE[0], seen(view, TABLE[1:], 1.5)

    def gap(beside: list[Array]) -> float:
        (found,) = assemble([], seen(view, [index(lying)]), BLANK, beside=beside)
        return corner_distance(found.outline, project(view, lying))

    assert gap(known) < 0.02 < 0.03 < gap([])


def test_nothing_seen_is_no_plane() -> None:
    with pytest.raises(ValueError, match="unknown"):
        TablePlane.fit([], [])


@pytest.mark.parametrize("view", VIEWS)
def test_residuals_tell_one_card_from_two(view: Array) -> None:
    plane = TablePlane.fit(seen(view, TABLE), seen(view, [index(one, k) for one in TABLE for k in (0, 2)]))
    own = plane.residuals(seen(view, [index(TABLE[1], corner) for corner in range(4)]))
    assert own[~np.eye(4, dtype=bool)].max() < 1.5
    assert np.isinf(np.diag(own)).all()
    beside = plane.residuals(seen(view, [index(card(0, 0)), index(card(66, 0)), index(card(66, 0), 2)]))
    assert beside[0, 1] > 12
    assert beside[0, 2] > 50
    fan = plane.residuals(seen(view, [index(card(16.5 * k, 0)) for k in range(4)]))
    assert np.isinf(fan[0, 3])  # as far apart as two corners of a card, but two others lie between
    across = seen(view, [index(TABLE[0]), np.roll(index(TABLE[0], 2), 1, axis=0)])
    assert np.isinf(plane.residuals(across)[0, 1])


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("corners", [(0,), (0, 2), (0, 3), (0, 1), (1, 2, 3), (0, 1, 2, 3)])
def test_a_card_follows_from_its_indices(view: Array, corners: tuple[int, ...]) -> None:
    plane = TablePlane.fit(seen(view, TABLE), seen(view, [index(one, k) for one in TABLE for k in (0, 2)]))
    hidden = card(30, 110, 65)
    outline, error = plane.card_outline(
        seen(view, [index(hidden, corner) for corner in corners]), project(view, hidden)
    )
    assert error < 1
    assert corner_distance(outline, project(view, hidden)) < 0.03
    if len(corners) > 1:  # they tell by themselves which corners they are
        assert plane.card_outline(seen(view, [index(hidden, corner) for corner in corners[::-1]]))[1] < 1


@pytest.mark.parametrize("view", VIEWS)
def test_equal_cards_with_others_between_them_do_not_bend_the_table(view: Array) -> None:
    column = [card(0, 18 * k - 60, 90) for k in range(6)]  # two faces twice, each time as far apart: 36 mm
    corners = [(one, corner) for one in column for corner in (0, 3)] + [(column[-1], 1), (column[-1], 2)]
    indices = seen(view, [index(one, corner) for one, corner in corners], 0.4)
    names = np.array([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4])
    plane = TablePlane.fit(seen(view, column, 2.0), indices, names[:, None] != names)
    assert plane.prints[0].spacing_mm[0] == pytest.approx(CARD_MM[0] - 12.5, abs=5)


def test_indices_that_read_different_ways_are_not_of_one_card() -> None:
    fan = [card(-30, 0, -20), card(30, 10, 20)]
    indices = seen(VIEWS[0], [index(fan[0]), index(fan[1]), index(fan[1], 2)], 0.3)
    plane = TablePlane.fit(seen(VIEWS[0], fan), indices, np.zeros((3, 3), np.bool_))
    assert plane.prints[0].spacing_mm[0] == pytest.approx(CARD_MM[0] - 12.5, abs=4)


@pytest.mark.parametrize("view", VIEWS)
def test_each_print_on_a_table_is_measured_by_its_own_indices(view: Array) -> None:
    large = [card(-60, -190, 50), card(130, 190, -15)]
    corners = [(one, k, INDEX_MM) for one in TABLE for k in (0, 2)] + [(one, k, LARGE) for one in large for k in (0, 2)]
    names = [k // 2 for k in range(14)]
    conflicting = np.not_equal.outer(names, names)
    indices = seen(view, [index(*corner) for corner in corners])
    plane = TablePlane.fit(seen(view, TABLE), indices, conflicting)
    assert len(plane.prints) == 2
    assert plane.prints[1].spacing_mm == pytest.approx((CARD_MM[0] - 23, CARD_MM[1] - 48), abs=1.5)
    assert nearest_print(plane.prints, plane.poses(indices).sizes).tolist() == [0] * 10 + [1] * 4
    residuals = plane.residuals(indices)
    assert max(residuals[k, k + 1] for k in range(0, 14, 2)) < 2
    assert np.isinf(residuals[0, 10:]).all()  # indices as unequal as these are not on one card
    outline, _ = plane.card_outline(indices[10:11])
    assert corner_distance(outline, project(view, large[0])) < 0.05
    assert len(TablePlane.fit(seen(view, TABLE), indices[:10], conflicting[:10, :10]).prints) == 1


@pytest.mark.parametrize("seed", range(3))
def test_large_indices_lie_nearer_to_each_other(seed: int) -> None:
    fan, jumbo = [card(0, 0), card(26, 3, 10)], (2.5, 3.0, 25.5, 41.0)
    corners = [(fan[0], 0), (fan[1], 0), (fan[1], 2)]
    indices = seen(VIEWS[0], [index(one, corner, jumbo) for one, corner in corners], 1.0, seed)
    names = np.array([1, 2, 2])
    assert TablePlane.fit([], indices, names[:, None] != names).residuals(indices)[1, 2] < 4


def upright(quad: Array) -> Array:
    """A slanted quad as the detector gives it: its middle and size right, its corners nearly right-angled."""
    across, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    mean = down / np.linalg.norm(down) + np.array([-across[1], across[0]]) / np.linalg.norm(across)
    unit = mean / np.linalg.norm(mean)
    x, y = np.array([unit[1], -unit[0]]) * np.linalg.norm(across) / 2, unit * np.linalg.norm(down) / 2
    return quad.mean(axis=0) + np.stack([-x - y, x - y, x + y, -x + y])


def test_indices_read_alike_show_a_slant_that_outlines_hide() -> None:
    view = camera(60, 40, 2.0)
    grid = [card((k % 3 - 1) * 72, (k // 3 - 0.5) * 98) for k in range(6)]
    outlines = [upright(quad) for quad in seen(view, grid)]
    indices = [upright(quad) for quad in seen(view, [index(one, corner) for one in grid for corner in range(4)])]
    names = IndexConflicts.of([k // 4 for k in range(24)], [True] * 24)
    errors = []
    for conflicting in (None, names.conflicting):
        flat = TablePlane.fit(outlines, indices, conflicting).to_mm(np.stack(seen(view, grid)))
        sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2) / np.array([*CARD_MM, *CARD_MM])
        errors.append(float(np.abs(np.log(sides)).max()))
    assert errors[1] < 0.5 * errors[0]
    hypotheses = assemble(up(outlines), indices, BLANK, names)
    assert sorted(tuple(sorted(t.indices)) for t in hypotheses if t.indices) == [
        tuple(range(4 * k, 4 * k + 4)) for k in range(6)
    ]
