"""Whether the pictures of a camera show a table at all: black, covered, standing still, of another size, carried along.

`Health` is fed every frame and says whether it may be looked at. What is wrong is a `SourceStatus` like any other, so a
page shows it as it shows a camera that was unplugged; it ends by itself with the first pictures that are in order.

A suspicious picture is left out at once, and spoken of when it stays (`parameters.SAID_AFTER_S`). A bare cloth has no
edges either: covered is only what loses its edges and changes nearly everywhere.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import parameters
from companion.vision.camera.source import Frame, SourceState, SourceStatus
from companion.vision.images import Pixels, shrunk, strongest

Colour = NDArray[np.float32]
Grey = NDArray[np.float32]
_CELL = 8


class Health:
    """See the module. One thread feeds it; `status` may be asked from any. `live`: pictures come without end, so
    silence and sameness mean something; not while somebody sends single photographs."""

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self._trouble = ""
        self._suspect: tuple[str, float] = ("", 0.0)
        self._seen: Colour | None = None
        self._edges = 0.0
        self._before: Grey | None = None
        self._same: tuple[int, float] = (0, 0.0)
        self._shape: tuple[int, int] | None = None
        self._resized = float("-inf")
        self._carried_since: float | None = None
        self._last: float | None = None
        self._lags: deque[tuple[float, float]] = deque(maxlen=parameters.SLOW_FRAMES - 1)
        self._slow = self._silent = self._sent = self._single = False

    @property
    def trouble(self) -> str:
        """What is wrong: ``dark``, ``covered``, ``frozen``, ``resized``, ``carried``, ``turned``; empty when nothing
        is. The last part of a catalogue key ``ui.camera.…``."""
        return "frozen" if self._silent else self._trouble

    @property
    def slow(self) -> bool:
        """So few pictures come that the table is followed with delay."""
        return self._slow

    def status(self, source: SourceStatus) -> SourceStatus:
        """How the camera is doing: what `source` says of itself, or else what its pictures say."""
        if source.state is not SourceState.OK:
            return source
        name = dict(source.params)["name"]
        if self.trouble:
            return SourceStatus.of(SourceState.BLIND, name, self.trouble)
        return SourceStatus.of(SourceState.OK, name, "slow") if self.slow else source

    def silent(self, seconds: float) -> None:
        """No frame has come for so long. Of pictures that are sent their source says when they are missed."""
        self._silent = self._live and not self._sent and seconds > parameters.FROZEN_S

    def feed(self, frame: Frame, *, fits: bool = True) -> bool:
        """Whether this frame may be looked at. `fits`: it has the shape in which the table was marked."""
        self._silent = False
        again = self._sent and frame.lag is None
        if not again:
            self._pace(frame)
        colour = _small(frame.pixels)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.float32)
        wrong = self._size(frame) or ("" if fits else "turned") or self._blind(colour, grey)
        still = not again and self._stands_still(frame)
        carried = not wrong and self._carried(grey, frame.time)
        if not wrong:
            self._remember(colour, grey)
        self._note(wrong, frame.time)
        if not wrong and (still or carried):
            self._trouble = "frozen" if still else "carried"
        return not wrong and not self._trouble

    def _pace(self, frame: Frame) -> None:
        """What kind of picture it is, and how much it and those before came too late."""
        last, self._last = self._last, frame.time
        if frame.lag is not None:
            self._sent, self._single = True, frame.single
            if last is not None and frame.time - last > parameters.FROZEN_S:  # its sender was away
                self._lags.clear()
                self._same = 0, frame.time
                return
        if last is not None:
            lag = frame.time - last - 1.0 / parameters.SLOW_FPS if frame.lag is None else frame.lag
            self._lags.append((last, lag))
        lags = self._lags
        enough = len(lags) == lags.maxlen or (len(lags) > 1 and frame.time - lags[0][0] >= parameters.FROZEN_S)
        self._slow = self._live and not self._single and enough and sum(lag for _, lag in lags) > 0

    def _note(self, wrong: str, now: float) -> None:
        if wrong != self._suspect[0]:
            self._suspect = wrong, now
        if not wrong:
            self._trouble = ""
        elif wrong in ("resized", "turned") or self._trouble or now - self._suspect[1] >= parameters.SAID_AFTER_S:
            self._trouble = wrong

    def _size(self, frame: Frame) -> str:
        shape = (frame.pixels.shape[0], frame.pixels.shape[1])
        if self._shape not in (None, shape):
            self._resized = frame.time
            self._seen = self._before = None
        self._shape = shape
        if self._single:
            return ""
        return "resized" if self._live and 0 <= frame.time - self._resized < parameters.RESIZED_S else ""

    def _blind(self, colour: Colour, grey: Grey) -> str:
        if float(np.percentile(grey, 99)) < parameters.DARK and not self._as_before(grey):
            return "dark"
        if self._seen is None or self._seen.shape != colour.shape:
            return ""
        changed = float((strongest(np.abs(colour - self._seen)) > parameters.EDGE).mean())
        few = float(_edges(grey).mean()) < parameters.COVERED_EDGES * max(self._edges, parameters.LEAST_EDGES)
        return "covered" if few and changed > parameters.COVERED_CHANGE else ""

    def _as_before(self, grey: Grey) -> bool:
        """A black table from which the last cards were taken looks as it did beside them."""
        if self._seen is None or self._seen.shape[:2] != grey.shape:
            return False
        seen = np.asarray(cv2.cvtColor(self._seen, cv2.COLOR_BGR2GRAY), np.float32)
        bare = seen < parameters.DARK
        if bare.mean() < 0.5 or np.median(grey[bare]) < 0.5 * np.median(seen[bare]) or grey[bare].std() == 0.0:
            return False
        return float(np.corrcoef(grey[bare], seen[bare])[0, 1]) > parameters.SAME_TABLE

    def _remember(self, colour: Colour, grey: Grey) -> None:
        """The picture as it is in order, slowly: a lens that is covered by and by is noticed too."""
        edges = float(_edges(grey).mean())
        if self._seen is None:
            self._seen, self._edges = colour.copy(), edges
        else:
            self._seen += 0.05 * (colour - self._seen)
            self._edges += 0.05 * (edges - self._edges)

    def _stands_still(self, frame: Frame) -> bool:
        """The very same bytes for long: no sensor gives that, only a driver or a wire that hangs."""
        if not self._live or self._single:
            return False
        digest = hash(np.ascontiguousarray(frame.pixels[::7, ::7]).tobytes())
        if digest != self._same[0] or frame.time < self._same[1]:
            self._same = digest, frame.time
        return frame.time - self._same[1] >= parameters.FROZEN_S

    def _carried(self, grey: Grey, now: float) -> bool:
        """Nearly all that could be seen to move does, for long. Hands leave the cards beside them alone."""
        before, self._before = self._before, grey
        if before is None or before.shape != grey.shape:
            self._carried_since = None
            return False
        detail = _cells(_edges(grey) | _edges(before))
        moves = _cells((np.abs(grey - before) > parameters.EDGE / 2)[:-1, :-1])
        everywhere = moves[detail].mean() > parameters.CARRIED_SHARE if detail.any() else False
        if not everywhere or detail.mean() < parameters.CARRIED_DETAIL:
            self._carried_since = None
        elif self._carried_since is None:
            self._carried_since = now
        return self._carried_since is not None and now - self._carried_since >= parameters.CARRIED_S


def _small(pixels: Pixels) -> Colour:
    height, width = pixels.shape[:2]
    size = (parameters.HEALTH_WIDTH, max(_CELL, round(height * parameters.HEALTH_WIDTH / width)))
    return shrunk(pixels, size).astype(np.float32)


def _edges(grey: Grey) -> NDArray[np.bool_]:
    across = np.abs(np.diff(grey, axis=1))[:-1]
    down = np.abs(np.diff(grey, axis=0))[:, :-1]
    return np.asarray(np.maximum(across, down) > parameters.EDGE)


def _cells(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows, columns = mask.shape[0] // _CELL, mask.shape[1] // _CELL
    cut = mask[: rows * _CELL, : columns * _CELL]
    return np.asarray(cut.reshape(rows, _CELL, columns, _CELL).any(axis=(1, 3)))
