"""A wrong outline moves onto the card's edges in the picture, or stays where nothing is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.assembly.edges import min_channel, refine_outlines
from companion.vision.geometry import Array, as_quad, corner_distance

TRUE = as_quad([[120, 80], [250, 110], [215, 300], [70, 260]])


def painted(outline: Array, ground: tuple[int, int, int], card: tuple[int, int, int]) -> np.ndarray:
    """A plain card on a plain table, BGR, with some noise and a red sign in its middle."""
    picture = np.full((400, 400, 3), ground, np.uint8)
    cv2.fillConvexPoly(picture, np.round(outline * 16).astype(np.int32), card, cv2.LINE_AA, 4)
    centre = outline.mean(axis=0)
    cv2.circle(picture, (int(centre[0]), int(centre[1])), 25, (30, 20, 200), -1)
    noise = np.random.default_rng(1).normal(0, 4, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("ground", [(40, 90, 30), (60, 110, 160), (20, 20, 20), (150, 60, 20)])
@pytest.mark.parametrize("seed", range(5))
def test_an_outline_eight_per_cent_off_comes_home(ground: tuple[int, int, int], seed: int) -> None:
    wrong = TRUE + np.random.default_rng(seed).uniform(-12, 12, (4, 2))
    moved = refine_outlines(min_channel(painted(TRUE, ground, (240, 245, 245))), [wrong])[0]
    assert corner_distance(moved, TRUE) < 0.015


def test_a_dark_card_on_a_bright_table_is_found_as_well() -> None:
    wrong = TRUE + np.random.default_rng(3).uniform(-6, 6, (4, 2))
    assert (
        corner_distance(refine_outlines(min_channel(painted(TRUE, (225, 225, 225), (90, 30, 20))), [wrong])[0], TRUE)
        < 0.02
    )


def test_where_nothing_is_seen_the_outline_stays() -> None:
    noise = np.random.default_rng(0).normal(128, 2, (400, 400)).astype(np.uint8)
    assert np.allclose(refine_outlines(noise, [TRUE])[0], TRUE)


def test_an_outline_beyond_the_picture_is_harmless() -> None:
    picture = min_channel(painted(TRUE, (40, 90, 30), (240, 245, 245)))
    assert np.isfinite(refine_outlines(picture, [TRUE + np.array([300, 250])])[0]).all()


def test_many_outlines_at_once_move_as_one_by_one() -> None:
    picture = min_channel(painted(TRUE, (40, 90, 30), (240, 245, 245)))
    wrong = [TRUE + np.random.default_rng(seed).uniform(-9, 9, (4, 2)) for seed in range(3)]
    together = refine_outlines(picture, wrong)
    assert all(np.allclose(one, refine_outlines(picture, [quad])[0]) for one, quad in zip(together, wrong, strict=True))
    assert refine_outlines(picture, []) == []
