"""Training pictures cut as the detector looks: what they show and what their labels say is the scene's own."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")


from companion.training.scenes import backgrounds, dataset, drawn_prints, fonts, layouts, looks
from companion.training.scenes import compose as scenes
from companion.training.scenes.prints import Print, round_corners

pytestmark = pytest.mark.skipif(not fonts.fonts(), reason="no text font is installed")


@cache
def table(seed: int) -> scenes.Scene:
    """A table full of narrow groups, cards 60 to 90 px wide."""
    design = drawn_prints.invent(5_000_000)
    faces = {f: round_corners(drawn_prints.draw_face(design, f)) for f in ("AS", "7H", "10D", "KC", "QH", "3C")}
    deck = Print("new", "invented", "train", faces, [], design.index, design.corners)
    maker = scenes.Composer([deck], backgrounds.Bank(), looks.SIZE, (60, 90), layouts.CROWD, 0.2)
    return maker.compose(seed)


def test_a_piece_shows_what_its_labels_say() -> None:
    """Each seen index lies where the scene, shrunk or grown as that look does, shows the same pixels."""
    compared = 0
    for seed in range(3):
        scene = table(seed)
        for piece in looks.pieces(scene, np.random.default_rng(seed)):
            assert piece.image.shape == (320, 320, 3)
            for card in piece.cards:
                (whole,) = [one for one in scene.cards if one.face == card.face and alike(one.printed, card.printed)]
                assert 0 < card.visible <= whole.visible + 1e-6
                for index, first in zip(card.indices, whole.indices, strict=True):
                    inside = ((index.quad > 0) & (index.quad < 320)).all()
                    assert index.visible <= first.visible + 1e-6
                    assert not inside or index.visible == pytest.approx(first.visible, abs=0.01)
                    if inside and index.visible > 0.9:
                        one, other = (straight(s.image, q) for s, q in ((piece, index.quad), (scene, first.quad)))
                        assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.8
                        compared += 1
    assert compared > 50


def alike(whole: np.ndarray, cut: np.ndarray) -> bool:
    """True where one outline is the other moved and grown: the same in shape, and here no two cards are that."""
    one, other = (quad - quad.mean(axis=0) for quad in (whole, cut))
    return bool(np.allclose(one / np.linalg.norm(one), other / np.linalg.norm(other), atol=1e-6))


def straight(image: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """What lies in a quad, grey, 24 × 32 px."""
    flat = np.array([[0, 0], [24, 0], [24, 32], [0, 32]], np.float32)
    warp = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), flat - 0.5)
    return cv2.cvtColor(cv2.warpPerspective(image, warp, (24, 32)), cv2.COLOR_RGB2GRAY).astype(np.float64)


def test_small_cards_over_each_other_are_looked_at_closer() -> None:
    views = looks.looks(table(1))
    assert (views[0].width, views[0].height, views[0].side) == (1280, 720, 640)
    assert len(views) > 1
    assert all(view.scale > views[0].scale for view in views[1:])


def test_labels_can_be_written() -> None:
    kinds = {line.split()[0] for piece in looks.pieces(table(2), np.random.default_rng(2))
             for line in dataset.label_lines(piece)}  # fmt: skip
    assert {"0", "2"} <= kinds


def test_a_crowd_is_narrow_groups_all_over_the_table() -> None:
    places = layouts.invent(np.random.default_rng(4), 20, 11, layouts.CROWD)
    assert len(places) > 30
    spots = np.array([(p.x, p.y) for p in places])
    away = np.linalg.norm(spots[:, None] - spots, axis=2)
    np.fill_diagonal(away, np.inf)
    assert np.median(away.min(axis=1)) < 0.8  # card widths: each lies over its neighbour
    assert np.ptp(spots[:, 0]) > 10
