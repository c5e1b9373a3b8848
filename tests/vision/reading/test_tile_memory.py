"""What closer views of a watched table showed is known as long as they show the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.vision.reading import parameters
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.tile_memory import TileMemory
from companion.vision.reading.tiles import Tile

TILES = [Tile(left, 0, 200, 200, 640) for left in (0, 150, 300)]


class Network:
    """Finds one card in each tile, at a place that tells which look it was."""

    def __init__(self) -> None:
        self.asked: list[Tile] = []

    def __call__(self, tiles: Sequence[Tile]) -> list[list[Detection]]:
        self.asked += tiles
        return [[Detection(DetectionClass.UP, 0.9, np.full((4, 2), float(len(self.asked))))] for _ in tiles]


@pytest.fixture
def picture() -> np.ndarray:
    return np.random.default_rng(2).integers(40, 200, (200, 500, 3)).astype(np.uint8)


def noisy(picture: np.ndarray, seed: int) -> np.ndarray:
    """The same as a camera shows it another time."""
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_what_shows_the_same_is_not_looked_at_again(picture: np.ndarray) -> None:
    memory, network = TileMemory(), Network()
    first = memory.look(picture, TILES, (), network)
    again = memory.look(noisy(picture, 1), TILES, (), network)
    assert network.asked == TILES
    assert [one is other for a, b in zip(first, again, strict=True) for one, other in zip(a, b, strict=True)] == [
        True
    ] * 3


def test_a_tile_in_which_anything_changed_is_looked_at_whole(picture: np.ndarray) -> None:
    """Also one that it only laps into; compared with the picture in which it was looked at: nothing creeps in."""
    memory, network = TileMemory(), Network()
    memory.look(picture, TILES, (), network)
    changed = noisy(picture, 1)
    changed[90:106, 160:176] = 255 - changed[90:106, 160:176]
    memory.look(changed, TILES, (), network)
    assert network.asked[3:] == TILES[:2]
    memory.look(noisy(changed, 2), TILES, (), network)
    assert len(network.asked) == 5
    memory.look(noisy(picture, 3), TILES, (), network)
    assert len(network.asked) == 5, "as it was before: that is known as well"
    for step in range(1, 5):
        memory.look(np.clip(picture + 4.0 * step, 0, 255).astype(np.uint8), TILES, (), network)
    assert len(network.asked) == 8, "the light that changes slowly"


def test_tiles_of_before_serve_for_those_that_show_no_more_and_about_as_closely(picture: np.ndarray) -> None:
    memory, network = TileMemory(), Network()
    memory.look(picture, TILES, (), network)
    like = [Tile(left + 5, 4, 180, 180, 640) for left in (0, 160, 300)]
    memory.look(picture, like, (), network)
    assert network.asked == TILES
    memory.look(picture, [Tile(left, 0, 100, 100, 640) for left in (0, 80, 160)], (), network)
    assert len(network.asked) == 6, "closer"
    memory.look(picture, [Tile(0, 0, 200, 200, 640), Tile(310, 0, 200, 200, 640)], (), network)
    assert network.asked[6:] == [Tile(310, 0, 200, 200, 640)], "more than those show"


def test_what_matters_is_looked_at_in_any_case(picture: np.ndarray) -> None:
    memory, network = TileMemory(), Network()
    memory.look(picture, TILES, (), network)
    memory.look(picture, TILES, [(360, 10, 380, 40)], network)
    assert network.asked[3:] == TILES[2:]


def test_other_views_of_the_same_picture_are_not_known(picture: np.ndarray) -> None:
    memory, network = TileMemory(), Network()
    memory.look(picture, TILES, (), network)
    memory.look(picture, [Tile(0, 0, 200, 200, 320)], (), network)
    assert len(network.asked) == 4


def test_it_forgets_what_was_not_seen_for_long(picture: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "TILES_BEFORE", 4)
    memory, network = TileMemory(), Network()
    memory.look(picture, TILES, (), network)
    memory.look(255 - picture, TILES, (), network)
    memory.look(picture, TILES, (), network)
    assert network.asked[6:] == TILES[:2]


def test_what_was_known_for_long_is_looked_at_once_more(picture: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error does not stay because the table lies still."""
    monkeypatch.setattr(parameters, "LOOKS_ANEW", 2)
    memory, network = TileMemory(), Network()
    for looks, asked in enumerate((3, 3, 3, 6, 6), start=1):
        memory.look(noisy(picture, looks), TILES, (), network)
        assert len(network.asked) == asked, looks
