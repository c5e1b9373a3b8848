"""Curves: a table with a fault is labelled as it lies, and the picture of the curves shows every point."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.evaluation import curves
from companion.training.scenes import prints


@pytest.fixture(scope="module")
def designs() -> list[prints.Print]:
    """One invented print."""
    return [one for one in prints.load_prints("heldout", 1) if one.source == "invented"]


@pytest.mark.parametrize("height", [40.0, 110.0])
def test_cards_are_as_high_as_asked(designs: list[prints.Print], height: float) -> None:
    scene = curves.table(curves.FIRST_SEED, designs, curves.USUAL | {"height": height, "slant": 0.0})
    tall = [np.linalg.norm(card.printed[3] - card.printed[0]) for card in scene.cards]
    assert len(tall) == 8 and len({card.face for card in scene.cards}) == 8
    assert np.allclose(tall, height, rtol=0.12)  # cards of some decks are longer
    assert all(card.visible > 0.9 for card in scene.cards)


def test_cut_cards_lie_over_the_edge_by_that_much(designs: list[prints.Print]) -> None:
    scene = curves.table(curves.FIRST_SEED, designs, curves.USUAL | {"cut": 0.3, "slant": 0.0})
    assert all(card.visible == pytest.approx(0.7, abs=0.05) for card in scene.cards)


def test_a_dark_table_is_dark(designs: list[prints.Print]) -> None:
    bright, dark = (
        curves.table(curves.FIRST_SEED, designs, curves.USUAL | {"exposure": exposure}).image.mean()
        for exposure in (1.0, 0.1)
    )
    assert dark < 0.2 * bright


def test_the_picture_shows_all_points() -> None:
    points = [curves.Point(strength, 40, recall, 0.0, 0.0) for strength, recall in ((25, 0.5), (50, 1.0))]
    drawn = curves.svg({"height": points})
    assert drawn.count("<polyline") == 2 and ">25<" in drawn and "height of a card, px" in drawn
