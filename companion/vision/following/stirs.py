"""Where on the table something moved lately, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.following import parameters
from companion.vision.following.lasting import Cells
from companion.vision.geometry import corners, touches
from companion.vision.types import Quad, Region, SeenTable, Stir


class Stirs:
    """When something last moved in each part of the picture. Not thread-safe."""

    def __init__(self) -> None:
        self._last: NDArray[np.float64] | None = None

    def note(self, where: Cells | None, time: float) -> None:
        """Something moved in these cells, last at `time` (s)."""
        if where is None:
            return
        if self._last is None or self._last.shape != where.shape:
            self._last = np.full(where.shape, -np.inf)
        self._last[where] = time

    def since(self, time: float) -> Cells:
        """The cells in which something moved after `time` (s)."""
        return np.zeros((0, 0), np.bool_) if self._last is None else np.asarray(self._last > time)

    def told(
        self,
        now: float,
        regions: Callable[[Cells], Sequence[Region]],
        areas: Callable[[Sequence[Region]], Sequence[Quad]],
    ) -> tuple[Stir, ...]:
        """What moved lately, on the table: `regions` tells where cells lie in the picture, `areas` where those lie on
        the table."""
        if self._last is None:
            return ()
        # What moved a while ago is told coarsely, so that there is little to tell.
        last = np.where(self._last > now - 2 * parameters.STILL_S, self._last, np.round(self._last * 4) / 4)
        times = np.unique(last[last > now - parameters.STIR_S])
        found = [(time, region) for time in times.tolist() for region in regions(last == time)]
        return tuple(
            Stir(area, time) for area, (time, _) in zip(areas([place for _, place in found]), found, strict=False)
        )


def restless(table: SeenTable, areas: Sequence[Quad], *, lasting: bool = False) -> SeenTable:
    """The table where these areas of it do not rest: what has changed there and is not read yet, or not clearly, or
    what has moved there for long (`lasting`)."""
    stirs = table.stirs + tuple(Stir(area, table.time, lasting) for area in areas)
    return replace(table, settled=table.settled and not areas, stirs=stirs)


def restless_at(table: SeenTable, unread: Sequence[Region], lasting: Sequence[Region],
                areas: Callable[[Sequence[Region]], Sequence[Quad]]) -> SeenTable:  # fmt: skip
    """The table where these regions (px) of it do not rest: what is `unread`, and where something has moved for long
    (`lasting`), with what is unread there."""
    there = [region for region in unread if touches(corners(region), lasting)]
    own = [region for region in unread if region not in there]
    return restless(restless(table, areas(own)), areas((*lasting, *there)), lasting=True)
