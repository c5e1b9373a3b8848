"""What closer views of a watched table showed, for as long as they show the same: most of a table lies still."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import Box
from companion.vision.images import Pixels
from companion.vision.reading import parameters
from companion.vision.reading.changes import small_picture
from companion.vision.reading.detections import Detection
from companion.vision.reading.tiles import Tile


@dataclass(slots=True, eq=False)
class _View:
    """A part of a picture as it was looked at: one pixel for each block, what was found, and how often it was taken
    from here since."""

    tile: Tile
    small: NDArray[np.float32]
    found: list[Detection]
    times: int = -1


class TileMemory:
    """The latest views of some cameras. A view is taken from here only where no block of it differs from the picture in
    which it was found; all of it is from one picture, so nothing new is mixed with old. Not thread-safe."""

    def __init__(self) -> None:
        self._views: deque[_View] = deque(maxlen=parameters.TILES_BEFORE)
        self._grids: deque[tuple[tuple[int, ...], list[Tile]]] = deque(maxlen=parameters.PICTURES_BEFORE)

    def look(
        self, image: Pixels, tiles: Sequence[Tile], anew: Iterable[Box],
        detect: Callable[[Sequence[Tile]], list[list[Detection]]],
    ) -> list[list[Detection]]:  # fmt: skip
        """What each of these parts of a picture shows, or of parts like them that were looked at before: as before, or
        by `detect`, which is asked for those that show something else and those that meet the boxes `anew` (px)."""
        tiles = self._settled(tiles, image.shape)
        small, boxes = small_picture(image), list(anew)
        parts = [_part(small, tile) for tile in tiles]
        known = [
            None if any(_meets(tile, box) for box in boxes) else self._recalled(tile, part)
            for tile, part in zip(tiles, parts, strict=True)
        ]
        missing = [at for at, view in enumerate(known) if view is None]
        for at, found in zip(missing, detect([tiles[at] for at in missing]) if missing else (), strict=True):
            known[at] = _View(tiles[at], parts[at], found)
        views = [view for view in known if view is not None]
        for view in views:  # those just used are the last to be forgotten
            if view in self._views:
                self._views.remove(view)
            self._views.append(view)
            view.times += 1
        return [view.found for view in views]

    def _settled(self, tiles: Sequence[Tile], shape: tuple[int, ...]) -> Sequence[Tile]:
        """Tiles of before that show all of what these do, about as closely; else these. Their size and place follow
        what is seen, so they would differ a little each time."""
        for known, grid in reversed(self._grids):
            if known == shape and _suits(grid, tiles):
                return grid
        if tiles:
            self._grids.append((shape, list(tiles)))
        return tiles

    def _recalled(self, tile: Tile, part: NDArray[np.float32]) -> _View | None:
        for view in reversed(self._views):
            if (
                view.times < parameters.LOOKS_ANEW
                and view.tile == tile
                and np.abs(view.small - part).max() <= parameters.SAME_TILE
            ):
                return view
        return None


def _suits(grid: Sequence[Tile], tiles: Sequence[Tile]) -> bool:
    if not tiles or abs(grid[0].scale / tiles[0].scale - 1) > parameters.SAME_VIEW:
        return False
    (left, top, right, bottom), box, near = _bounds(grid), _bounds(tiles), parameters.CHANGE_BLOCK
    return left <= box[0] + near and top <= box[1] + near and right >= box[2] - near and bottom >= box[3] - near


def _bounds(tiles: Sequence[Tile]) -> Box:
    return (min(one.left for one in tiles), min(one.top for one in tiles),
            max(one.left + one.width for one in tiles), max(one.top + one.height for one in tiles))  # fmt: skip


def _part(small: NDArray[np.float32], tile: Tile) -> NDArray[np.float32]:
    """The blocks that a tile meets."""
    block = parameters.CHANGE_BLOCK
    rows = slice(tile.top // block, -(-(tile.top + tile.height) // block))
    return small[rows, tile.left // block : -(-(tile.left + tile.width) // block)].copy()


def _meets(tile: Tile, box: Box) -> bool:
    left, top, right, bottom = box
    return left < tile.left + tile.width and tile.left < right and top < tile.top + tile.height and tile.top < bottom
