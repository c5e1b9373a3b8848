"""Blind spots: each table is hard in the way that its name says, and no card of it has two names."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

import cv2

from companion.training.evaluation import spots
from companion.training.scenes import compose as scenes
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import CardRead, ReadResult, Side

PRINTS = (4, 13, 14)
"""Four-cornered with large indices and a frame, French, four-cornered."""
SEED = spots.FIRST_SEED


@pytest.fixture(scope="module")
def reader() -> TwoPassReader:
    """What the program reads single pictures with."""
    return TwoPassReader(Reader())


def square(left: float, top: float = 0.0) -> np.ndarray:
    """An outline 100 px wide and 140 px high."""
    return np.array([[left, top], [left + 100, top], [left + 100, top + 140], [left, top + 140]], float)


def label(face: str, left: float) -> scenes.CardLabel:
    """A card that lies there in full."""
    return scenes.CardLabel(face, "print", square(left), square(left), 1.0, ())


def read(face: str | None, left: float, confidence: float = 0.99) -> CardRead:
    """A card as it was read."""
    corners = tuple((float(x), float(y)) for x, y in square(left))
    return CardRead(face, confidence, Side.UP, corners)  # type: ignore[arg-type]


def twice(lying: list[scenes.CardLabel], *found: CardRead) -> list[str]:
    """The second names."""
    scene = scenes.Scene(np.zeros((2, 2, 3), np.uint8), tuple(lying))
    return [str(card.face) for _, card in spots.named_twice(scene, ReadResult(1000, 500, 1.0, found))]


def test_a_second_name_on_a_card_is_found() -> None:
    assert twice([label("7S", 0)], read("7S", 0), read("7C", 10, 1.0)) == ["7C"]
    assert twice([label("7S", 0)], read("7S", 0), read("7S", 10, 1.0)) == ["7S"]


def test_equal_cards_each_have_their_name() -> None:
    assert not twice([label("7S", 0), label("7S", 30)], read("7S", 0), read("7S", 30))


def test_a_wrong_name_alone_is_no_second_one() -> None:
    assert not twice([label("7S", 0)], read("7C", 0))
    assert not twice([label("7S", 0)], read("7S", 0), read("9C", 600))  # nothing lies there
    assert not twice([label("7S", 0)], read("7S", 0), read(None, 5))


@pytest.mark.parametrize("spot", spots.SPOTS)
def test_no_card_has_two_names(spot: str, reader: TwoPassReader) -> None:
    outcome = spots.look(reader, spot, 2, PRINTS)
    assert outcome.two_names == 0, outcome
    assert outcome.named > outcome.cards / 2, outcome  # who names nothing never names twice


def test_tables_are_hard_in_their_way() -> None:
    tables = {spot: spots.table(spot, SEED, PRINTS) for spot in spots.SPOTS}
    assert tables["dark: a twentieth of the light"].image.mean() < 15
    assert [card.up for card in tables["backs"].cards].count(False) == 6
    assert {card.face for card in tables["jacks with V"].cards} > {"JS", "JH", "JD", "JC"}
    assert {card.design for card in tables["jacks with V"].cards} == {f"drawn-{1_000_000 + 13}"}
    assert {"JK1", "JK2"} < {card.face for card in tables["jokers"].cards}
    assert all(0.2 < card.visible < 1 for card in tables["cut by the edge, four corners"].cards)
    assert all(card.face and card.face[-1] in "SC" for card in tables["cut by the edge, black suits"].cards)
    assert sum(card.visible < 0.6 for card in tables["fans of large cards"].cards) > 2
    assert all(card.visible == pytest.approx(1, abs=0.03) for card in tables["a card just laid"].cards)
    assert sum(card.visible < 0.3 for card in tables["one card on another, a little aside"].cards) == 4


def test_one_card_just_laid_is_blurred() -> None:
    scene = spots.table("a card just laid", SEED + 3, PRINTS)
    edges = np.abs(cv2.Laplacian(cv2.cvtColor(scene.image, cv2.COLOR_RGB2GRAY), cv2.CV_32F))
    sharp = []
    for card in scene.cards:
        mask = np.zeros(edges.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(card.quad).astype(np.int32), 1)
        sharp.append(float(edges[mask > 0].mean()))
    assert sorted(sharp)[0] < 0.5 * sorted(sharp)[1]
