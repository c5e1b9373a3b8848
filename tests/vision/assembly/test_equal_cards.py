"""True duplicates on a slanted table: equal cards are two when, and only when, geometry says so."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.hypotheses import IndexConflicts
from companion.vision.geometry import CARD_MM, INDEX_MM, Array, box_quad, corner_distance, iou, project
from companion.vision.reading.detections import Detection, DetectionClass
from tests.vision.assembly.slanted import BLANK, FOUR, LARGE, TABLE, VIEWS, camera, card, groups, index, seen, up


def test_two_indices_of_a_lone_card_are_its_own_however_askew_its_outline_is() -> None:
    known = card(0, 0, 90)
    outline, (first, second) = project(VIEWS[0], card(12, 8, 75)) * [1, 0.8] + [0, 70], (index(known), index(known, 2))
    large = first.mean(axis=0) + 1.8 * (first - first.mean(axis=0))
    assert groups([outline], seen(VIEWS[0], [large, second])) == [(0, 1)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("pitch", [64.0, 70.0, 95.0])
def test_equal_four_corner_cards_side_by_side_keep_their_corners(view: Array, pitch: float) -> None:
    row = [card((k - 1.5) * pitch, 0) for k in range(4)]
    indices = [index(one, corner) for one in row for corner in range(4)]
    expected = [tuple(range(4 * k, 4 * k + 4)) for k in range(4)]
    assert groups(seen(view, row), seen(view, indices)) == expected
    assert groups([], seen(view, indices)) == expected


@pytest.mark.parametrize("view", VIEWS)
def test_equal_cards_in_two_rows_keep_their_diagonals(view: Array) -> None:
    grid = [card((k % 4 - 1.5) * 68, (k // 4 - 0.5) * 93, 180 * (k % 2)) for k in range(8)]
    indices = [index(one, corner) for one in grid for corner in (0, 2)]
    assert groups(seen(view, grid, 0.5), seen(view, indices, 0.5)) == [(2 * k, 2 * k + 1) for k in range(8)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("step", [12.0, 17.0, 25.0])
def test_equal_cards_of_a_fan_are_as_many_as_they_are(view: Array, step: float) -> None:
    known = card(-150, 60)
    fan = [card(step * k, -40, 4 * k) for k in range(5)]
    indices = [index(known), index(known, 2), *(index(one) for one in fan), index(fan[-1], 2)]
    found = groups(seen(view, [known, fan[-1]]), seen(view, indices))
    assert found == [(0, 1), (2,), (3,), (4,), (5,), (6, 7)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_covered_card_lies_where_its_index_says(view: Array) -> None:
    top, under = card(0, 0, 20), card(-14, -17, 20)
    hypotheses = assemble(up(seen(view, [top])), seen(view, [index(top), index(top, 2), index(under)]), BLANK)
    assert [hypothesis.body_visible for hypothesis in hypotheses] == [True, False]
    assert iou(hypotheses[1].outline, project(view, under)) > 0.85


def test_three_decks_mixed_are_counted_right() -> None:
    prints = [INDEX_MM, (3.0, 3.5, 12.0, 22.0), (2.0, 2.5, 8.5, 17.0)]
    cards = [card((k % 5 - 2) * 80, (k // 5 - 1) * 110, 37 * k) for k in range(15)]
    indices = [index(one, corner, prints[k % 3]) for k, one in enumerate(cards) for corner in (0, 2)]
    view = camera(30, 5, 1.1)
    assert groups(seen(view, cards, 0.5), seen(view, indices, 0.5)) == [(2 * k, 2 * k + 1) for k in range(15)]


def test_a_print_with_two_corners_has_no_index_beside_another() -> None:
    shared = [card(-150, 0), card(150, 20, 40)]
    row = [card(-25, -90), card(-25 + CARD_MM[0] - 2 * 6.25, -90)]  # as far apart as two corners of one card
    corners = [(shared[0], 0), (shared[0], 2), (shared[1], 0), (shared[1], 2), (row[0], 0), (row[1], 0)]
    indices = seen(VIEWS[1], [index(one, corner) for one, corner in corners])
    assert groups(seen(VIEWS[1], shared), indices) == [(0, 1), (2, 3), (4,), (5,)]
    corners[2:4] = [(shared[1], corner) for corner in range(4)]  # now the print has four corners: they may be one card
    indices = seen(VIEWS[1], [index(one, corner) for one, corner in corners])
    assert groups(seen(VIEWS[1], shared), indices) == [(0, 1), (2, 3, 4, 5), (6, 7)]


def test_a_card_that_lies_open_with_two_empty_corners_shows_that_its_print_has_two() -> None:
    shown, pair = card(120, 0), [card(-120, 0), card(-120 + CARD_MM[0] - 12.5, 0)]
    corners = [(shown, 0), (shown, 2), (pair[0], 0), (pair[1], 0)]
    indices = seen(VIEWS[1], [index(one, corner) for one, corner in corners])
    conflicts = IndexConflicts.of([9, 9, 1, 1], [True] * 4)

    def grouped(cards: list[Array]) -> list[list[int]]:
        hypotheses = assemble(up(seen(VIEWS[1], cards)), indices, BLANK, conflicts)
        return sorted(sorted(hypothesis.indices) for hypothesis in hypotheses if hypothesis.indices)

    assert grouped([shown]) == [[0, 1], [2], [3]]  # two equal cards, and never the upper corners of one
    x, y = index(shown, 1).mean(axis=0)
    over = card(x + 20, y + 20, 40)
    assert grouped([shown, over]) == [[0, 1], [2, 3]]  # now something lies over one of its empty corners
    plane = assemble(up(seen(VIEWS[1], [shown])), indices, BLANK, conflicts)[0].plane
    assert plane.prints[0].bare and plane.with_corner_count([0], 4).corners == 0


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(4))
def test_equal_cards_of_a_column_with_others_between_them_do_not_swap_corners(view: Array, seed: int) -> None:
    column = [card(0, step - 60, 90) for step in (0.0, 17.0, 33.0, 50.5)]  # the outer two are equal, and as far
    corners = [*((one, corner) for one in column for corner in (0, 3)), *FOUR]  # apart as the corners of one card
    indices = seen(view, [index(one, corner) for one, corner in corners], 0.8, seed)
    conflicts = IndexConflicts.of([1, 1, 2, 2, 3, 3, 1, 1] + [9] * 4, [True] * 12)
    between = card(0, -35, 90)  # where the detector sees a card, so that the diagonals seem to be it
    hypotheses = assemble(up(seen(view, [between, FOUR[0][0]])), indices, BLANK, conflicts)
    groups_ = sorted(sorted(hypothesis.indices) for hypothesis in hypotheses if hypothesis.indices)
    assert groups_ == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9, 10, 11]]


@pytest.mark.parametrize("view", VIEWS)
def test_no_outline_takes_equal_indices_with_others_between_them(view: Array) -> None:
    row = [card(step, 0) for step in (0.0, 17.0, 34.0, 50.5)]
    indices = seen(view, [index(one) for one in row])
    hypotheses = assemble(up(seen(view, row[:1])), indices, BLANK, IndexConflicts.of([1, 2, 3, 1], [True] * 4))
    assert sorted(hypothesis.indices for hypothesis in hypotheses) == [[0], [1], [2], [3]]


def test_an_index_at_the_wrong_corner_of_a_two_cornered_print_is_the_next_cards() -> None:
    view = VIEWS[0]
    known, other, under, top = card(-200, 0), card(-100, 20, 15), card(0, 0), card(46, 4)
    corners = [(known, 0), (known, 2), (other, 0), (other, 2), (under, 0), (top, 0)]
    indices = seen(view, [index(one, corner) for one, corner in corners])
    assert groups(seen(view, [known, other, under]), indices) == [(0, 1), (2, 3), (4,), (5,)]


@pytest.mark.parametrize("view", VIEWS)
def test_equal_neighbours_of_an_even_row_are_two(view: Array) -> None:
    row = [card(44 * k, -60) for k in range(5)]  # 6 mm less than the upper corners of one card are apart
    indices = seen(view, [index(one, corner) for one, corner in [*FOUR, *((one, 0) for one in row)]])
    together = assemble(
        up(seen(view, [FOUR[0][0]])), indices[:6], BLANK, IndexConflicts.of([9] * 4 + [1] * 2, [True] * 6)
    )
    assert [hypothesis.indices for hypothesis in together] == [
        [0, 1, 2, 3],
        [4, 5],
    ]  # two alone may be two corners of one
    conflicts = IndexConflicts.of([9] * 4 + [1, 1, 2, 3, 4], [True] * 9)
    hypotheses = assemble(up(seen(view, [FOUR[0][0]])), indices, BLANK, conflicts)
    assert [hypothesis.indices for hypothesis in hypotheses] == [[0, 1, 2, 3], [4], [5], [6], [7], [8]]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("step", [22.0, 28.0])
def test_two_equal_cards_close_over_each_other_do_not_tilt_the_table(view: Array, step: float) -> None:
    pair, other = [card(-60, 0), card(-60 + step, 0)], card(-20 + step, 0)
    corners = [*((one, corner) for one in pair for corner in (0, 3)), *((other, corner) for corner in range(4))]
    indices = seen(view, [index(one, corner) for one, corner in corners], 0.6)
    both = card(-60 + step / 2, 0)  # seen as one; the sizes of the indices say that it is too narrow for that
    hypotheses = assemble(
        up(seen(view, [both, other])), indices, BLANK, IndexConflicts.of([1] * 4 + [9] * 4, [True] * 8)
    )
    assert sorted(sorted(hypothesis.indices) for hypothesis in hypotheses if hypothesis.indices) == [
        [0, 1],
        [2, 3],
        [4, 5, 6, 7],
    ]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(4))
def test_no_card_lies_between_equal_ones_at_twice_the_distance_of_their_indices(view: Array, seed: int) -> None:
    row = [card(101 * k - 150, 0) for k in range(4)]
    indices = seen(view, [index(one, corner) for one in row for corner in range(4)], 0.5, seed)
    outlines = [*row, *(card(101 * k - 99.5, 0) for k in range(3))]  # the detector takes what lies between for cards
    hypotheses = assemble(up(seen(view, outlines)), indices, BLANK, IndexConflicts.of([1] * 16, [True] * 16))
    grouped = sorted(sorted(hypothesis.indices) for hypothesis in hypotheses if hypothesis.indices)
    assert grouped == [[4 * k + c for c in range(4)] for k in range(4)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_row_whose_steps_are_half_a_card_keeps_the_corners_of_its_last_card(view: Array) -> None:
    row = [card(25.25 * k, -60) for k in range(4)]
    corners = [*FOUR, *((one, 0) for one in row), (row[-1], 1), (row[-1], 2)]
    indices = seen(view, [index(one, corner) for one, corner in corners])
    conflicts = IndexConflicts.of([9] * 4 + [1, 2, 3, 4, 4, 4], [True] * 10)
    hypotheses = assemble(up(seen(view, [FOUR[0][0]])), indices, BLANK, conflicts)
    assert sorted(hypothesis.indices for hypothesis in hypotheses) == [[0, 1, 2, 3], [4], [5], [6], [7, 8, 9]]


@pytest.mark.parametrize("view", VIEWS)
def test_a_row_of_one_print_splits_no_card_of_another(view: Array) -> None:
    row = [card(40 * k - 120, -110) for k in range(4)]  # laid as far apart as the large print's upper corners are
    large = [card(-60, 100), card(130, 110, -15)]
    corners = [(one, k, INDEX_MM) for one in TABLE for k in (0, 2)] + [(one, 0, INDEX_MM) for one in row]
    corners += [(one, k, LARGE) for one in large for k in range(4)]
    names = [*(k // 2 for k in range(10)), 10, 11, 12, 13, *[14] * 4, *[15] * 4]
    indices = seen(view, [index(*corner) for corner in corners])
    hypotheses = assemble(
        up(seen(view, [*TABLE, *large])), indices, BLANK, IndexConflicts.of(names, [True] * len(names))
    )
    assert [14, 15, 16, 17] in [sorted(hypothesis.indices) for hypothesis in hypotheses]
    assert [18, 19, 20, 21] in [sorted(hypothesis.indices) for hypothesis in hypotheses]


@pytest.mark.parametrize("view", VIEWS)
def test_an_index_that_does_not_fit_a_known_card_is_a_twins(view: Array) -> None:
    under = card(0, -40)
    corners = [*FOUR, (under, 0), (under, 3)]
    near = index(under, 2) - np.array([0, 18])  # at that card's corner as outlines go, not as its two indices say
    indices = seen(view, [*(index(one, corner) for one, corner in corners), near])
    conflicts = IndexConflicts.of([9] * 4 + [1] * 3, [True] * 7)
    hypotheses = assemble(up(seen(view, [FOUR[0][0], under])), indices, BLANK, conflicts)
    assert sorted(hypothesis.indices for hypothesis in hypotheses if hypothesis.indices) == [[0, 1, 2, 3], [4, 5], [6]]


@pytest.mark.parametrize("view", VIEWS)
def test_three_corners_must_fit_one_card_better_than_two(view: Array) -> None:
    known = card(0, 0)
    for aside, together in ((3.0, True), (16.0, False)):
        astray = index(known, 1) + np.array([aside, 0])
        indices = seen(view, [*(index(one, corner) for one, corner in FOUR), index(known), index(known, 2), astray])
        conflicts = IndexConflicts.of([9] * 4 + [1] * 3, [True] * 7)
        grouped = [
            hypothesis.indices
            for hypothesis in assemble(up(seen(view, [FOUR[0][0], known])), indices, BLANK, conflicts)
        ]
        assert ([4, 5, 6] in [sorted(group) for group in grouped]) == together


@pytest.mark.parametrize("view", VIEWS)
def test_a_four_cornered_card_among_many_with_two_corners_is_one(view: Array) -> None:
    corners = [(one, k) for one in TABLE for k in (0, 2)]
    odd = card(-60, -190, 50)
    for shown in ((0, 1, 2, 3), (0, 1, 2)):
        indices = seen(view, [index(one, corner) for one, corner in [*corners, *((odd, k) for k in shown)]])
        conflicts = IndexConflicts.of([k // 2 for k in range(10)] + [7] * len(shown), [True] * len(indices))
        hypotheses = assemble(up(seen(view, TABLE)), indices, BLANK, conflicts)
        assert [10 + k for k in range(len(shown))] in [sorted(hypothesis.indices) for hypothesis in hypotheses]
        assert len(hypotheses) == 6


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("mm", [(2.5, 6.0, 10.5, 24.0), (3.0, 8.0, 13.5, 31.0)])  # inset as on no other card here
def test_a_clear_outline_with_an_index_in_each_corner_is_one_card_whatever_its_print(
    view: Array, mm: tuple[float, float, float, float]
) -> None:
    odd, half = card(-60, -190, 50), card(130, 190, -15)
    corners = [(one, k, INDEX_MM) for one in TABLE for k in (0, 2)] + [(odd, k, mm) for k in range(4)]
    corners += [(half, k, mm) for k in (0, 3)]
    indices = seen(view, [index(*corner) for corner in corners])
    conflicts = IndexConflicts.of([*(k // 2 for k in range(10)), *[7] * 4, *[8] * 2], [True] * 16)
    hypotheses = assemble(up(seen(view, [*TABLE, odd])), indices, BLANK, conflicts)
    (four,) = [hypothesis for hypothesis in hypotheses if len(hypothesis.indices) == 4]
    assert sorted(four.indices) == [10, 11, 12, 13]
    assert corner_distance(four.outline, project(view, odd)) < 0.02
    if mm[3] == 31.0:  # so much larger that it is another print, which that card measures
        assert [14, 15] in [sorted(hypothesis.indices) for hypothesis in hypotheses]
    apart = assemble(up(seen(view, [*TABLE, odd])), indices, BLANK, IndexConflicts.of(range(16), [True] * 16))
    assert all(len(hypothesis.indices) < 2 for hypothesis in apart)  # read differently, they are not of one card


@pytest.mark.parametrize("view", VIEWS)
def test_no_two_cards_take_one_outline(view: Array) -> None:
    row = [card(40 * k - 60, 60) for k in range(4)]  # each over the last: of all but the top one the left side shows
    corners = [*FOUR, *((one, k) for one in row[:3] for k in (0, 3)), *((row[3], k) for k in range(4))]
    indices = seen(view, [index(one, corner) for one, corner in corners])
    conflicts = IndexConflicts.of([9] * 4 + [1, 1, 2, 2, 3, 3, 4, 4, 4, 4], [True] * 14)
    hypotheses = assemble(up(seen(view, [FOUR[0][0], *row], 1.0)), indices, BLANK, conflicts)
    places = {tuple(sorted(hypothesis.indices)): hypothesis.outline for hypothesis in hypotheses}
    assert sorted(places) == [(0, 1, 2, 3), (4, 5), (6, 7), (8, 9), (10, 11, 12, 13)]
    assert all(iou(places[4 + 2 * k, 5 + 2 * k], project(view, row[k])) > 0.85 for k in range(3))


@pytest.mark.parametrize("view", VIEWS)
def test_no_two_cards_lie_in_one_place(view: Array) -> None:
    row = [card(52, 40), card(0, 40), card(-40, 40)]  # each over the last: of the lower ones the right side shows
    corners = [*((one, k) for one in row[:2] for k in (1, 2)), *((row[2], k) for k in range(4)), *FOUR]
    indices = seen(view, [index(one, corner) for one, corner in corners])
    conflicts = IndexConflicts.of([1, 1, 2, 2, 3, 3, 3, 3] + [9] * 4, [True] * 12)
    hypotheses = assemble(up(seen(view, [row[0], row[2], FOUR[0][0]])), indices, BLANK, conflicts)
    places = {tuple(sorted(hypothesis.indices)): hypothesis.outline for hypothesis in hypotheses}
    assert sorted(places) == [(0, 1), (2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]
    assert all(iou(places[2 * k, 2 * k + 1], project(view, row[k])) > 0.85 for k in range(2))


@pytest.mark.parametrize("view", VIEWS)
def test_a_back_must_be_as_large_as_the_cards_beside_it(view: Array) -> None:
    known, book = card(0, 0, 30), box_quad((80, -120, 210, 60))
    backs = [Detection(DetectionClass.DOWN, 0.8, quad) for quad in seen(view, [card(-150, 10, -50), book])]
    hypotheses = assemble([*up(seen(view, [known])), *backs], seen(view, [index(known), index(known, 2)]), BLANK)
    assert [len(hypothesis.indices) for hypothesis in hypotheses] == [2, 0]
    assert len(assemble(backs, [], BLANK)) == 2  # nothing beside them says how large a card is


def test_two_equal_cards_beside_a_third_are_not_one_with_four_corners() -> None:
    """Four indices of one face lie as those of one card would; one more card shows two. The outlines tell (px)."""
    outlines = [
        [[543, 292], [660, 263], [706, 419], [587, 449]], [[406, 320], [525, 290], [573, 458], [453, 489]],
        [[671, 241], [788, 213], [834, 367], [716, 397]],
    ]  # fmt: skip
    indices = [
        [[412, 323], [432, 318], [442, 351], [421, 357]], [[679, 246], [702, 240], [712, 278], [690, 284]],
        [[697, 413], [674, 419], [663, 381], [687, 375]], [[567, 455], [546, 460], [537, 427], [557, 422]],
        [[826, 361], [803, 367], [792, 329], [815, 323]], [[552, 298], [574, 292], [583, 330], [561, 336]],
    ]  # fmt: skip
    quads, names = [np.array(quad, np.float64) for quad in indices], IndexConflicts.of([9, 5, 9, 9, 5, 9], [True] * 6)
    hypotheses = assemble(up([np.array(quad, np.float64) for quad in outlines]), quads, BLANK, names)
    assert sorted(sorted(hypothesis.indices) for hypothesis in hypotheses) == [[0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize("view", VIEWS)
def test_twins_in_a_row_of_four_cornered_cards_are_not_one(view: Array) -> None:
    """Each card lies over the right side of the last: all but the top one show two indices below each other."""
    row = [card(37 * k - 140, 0) for k in range(8)]
    corners = [*((one, k) for one in row[:7] for k in (0, 3)), *((row[7], k) for k in range(4))]
    indices = seen(view, [index(one, corner) for one, corner in corners])
    faces = [1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7]  # two equal ones in the midst
    hypotheses = assemble([], indices, BLANK, IndexConflicts.of(faces, [True] * 18))
    assert sorted(sorted(hypothesis.indices) for hypothesis in hypotheses) == [
        *([2 * k, 2 * k + 1] for k in range(7)),
        [14, 15, 16, 17],
    ]
