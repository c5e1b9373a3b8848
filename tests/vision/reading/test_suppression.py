"""Suppression by corners keeps fans, drops repeats, and says where the one thing lies that was seen several times."""

from __future__ import annotations

import numpy as np

from companion.vision.geometry import Array, box_quad, corner_distance
from companion.vision.reading.parameters import SAME_OUTLINE
from companion.vision.reading.suppression import cluster_by_corners, consensus, same_printed_index


def card(x: float = 0, y: float = 0, turn: float = 0) -> Array:
    """An outline of 63 × 88 px at (x, y), turned by `turn` degrees around its lower end."""
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (box_quad((0, 0, 63, 88)) - [31, 200]) @ matrix + [31 + x, 200 + y]


def test_repeats_of_one_outline_become_one_group_led_by_the_best() -> None:
    quads = np.stack([card(), card(2, 1), np.roll(card(1, -1), 2, axis=0)])
    assert cluster_by_corners(quads, [0.6, 0.9, 0.7], SAME_OUTLINE) == [[1, 2, 0]]


def test_a_fan_keeps_all_its_cards() -> None:
    quads = np.stack([card(14.0 * k, 0, turn) for k, turn in enumerate((-15, -5, 5, 15))])
    assert cluster_by_corners(quads, [0.9, 0.8, 0.7, 0.6], SAME_OUTLINE) == [[0], [1], [2], [3]]


def test_a_picture_printed_on_a_card_is_no_card() -> None:
    assert cluster_by_corners(np.stack([box_quad((10, 15, 50, 70)), card()]), [0.9, 0.5], SAME_OUTLINE) == [[1]]


def test_nothing_stays_nothing() -> None:
    assert cluster_by_corners(np.empty((0, 4, 2)), [], SAME_OUTLINE) == []


def test_groups_are_those_that_comparing_all_with_all_finds() -> None:
    rng = np.random.default_rng(4)
    outlines = [card(*rng.uniform(0, 900, 2), rng.uniform(0, 360)) for _ in range(25)]
    quads = np.stack([np.roll(outline, rng.integers(4), axis=0) + rng.normal(0, 5, (4, 2)) for outline in outlines * 6])
    scores = rng.random(len(quads))
    waiting, expected = np.argsort(-scores).tolist(), []
    while waiting:
        group = [n for n in waiting if corner_distance(quads[n], quads[waiting[0]]) < SAME_OUTLINE]
        expected.append(group)
        waiting = [n for n in waiting if n not in group]
    assert cluster_by_corners(quads, scores.tolist(), SAME_OUTLINE) == expected


def test_consensus_is_the_weighted_mean_whichever_way_round() -> None:
    quads = np.stack([card(), np.roll(card(4, 2), 2, axis=0), card(400, 400)])
    means = consensus(np.stack([quads, quads]), np.array([[0.5, 0.5, 0], [0.9, 0.3, 0]]))
    assert np.allclose(means, [card(2, 1), card(1, 0.5)])


def test_a_printed_index_and_that_of_the_next_card() -> None:
    index = box_quad((3, 3, 10, 20))
    quads = index + np.array([[0, 0], [2, 2], [12, 0], [0, 12]])[:, None]
    quads = np.concatenate([quads, np.roll(index, 2, axis=0)[None]])
    assert same_printed_index(quads, index).tolist() == [True, True, False, False, False]
    every = same_printed_index(quads[None], quads[:, None])
    assert (every == np.stack([same_printed_index(quads, one) for one in quads])).all()
