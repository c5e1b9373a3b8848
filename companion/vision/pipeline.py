"""From one picture to the physical cards in it: find, read the indices, assemble, and judge each card.

The stages are separate values, so that each can be replaced: detections (`detector`), the indices' evidence
(`reader`), cards (`assembly`), a verdict on each. Cards are told apart by place and direction. A name alone never
makes two things one card; it can only forbid that (two faces are two cards) or make the reader abstain (a twin that
lies where another corner of the first card would).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision.assembly import edges
from companion.vision.assembly.cards import Reading, Thing, arrange, plausible
from companion.vision.assembly.doubts import unexplained
from companion.vision.assembly.seen import CLEAR, Look, Seen, once, with_looks
from companion.vision.assembly.twins import (
    one_face_each,
    with_opposite_corners,
    without_doubtful_twins,
    without_ghosts,
    without_misread_corners,
)
from companion.vision.geometry import (
    Array,
    area,
    axes,
    contains,
    corner_windows,
    index_window,
    lengths,
    overlap,
    sound,
)
from companion.vision.images import Pixels, as_bgr, fit
from companion.vision.reading.detector import FAINT, Detector, Found, Kind
from companion.vision.reading.letters import dutch_share, letters_seen
from companion.vision.reading.reader import (
    AIM_MARGIN,
    FACE_SIZE,
    FACES,
    INDEX_SIZE,
    FaceReader,
    Tuning,
    average,
    combine,
    cut_all,
    in_dutch,
    joker_code,
)
from companion.vision.reading.suppression import same_print
from companion.vision.types import Candidate, CardRead, Quad, ReadResult, Side, in_reading_order

LONGEST = 2560
"""Larger pictures are shrunk to this many px before anything else."""

_UNREAD, _LIKELY = 0.4, 0.4
"""What could not be read counts as a card, without a name: an outline from this detector score on; an index from this
probability of one face on."""

_SURE_INDEX = 0.25
"""An index that the detector scored lower must be read clearly, or it was none."""

_PLAIN = 0.98
"""One that it hardly saw counts where the reader is surer than this that it is an index, and of which face."""

_SEEN_INDEX, _SHOWN_INDEX = 0.4, 0.9
"""What was read at no other card, and not clearly, is a card without a name: an index that the detector scored higher
than the first, or of which the reader sees more than the second."""

_CERTAIN = 0.99
"""What two indices of a card both say more surely than this, its whole face only repeats."""

_NO_INDEX = 0.25
"""A detected index that the reader sees less of than this was none."""

_SURE_SIGHT = 0.6
"""Of detections in one place, those that are read more surely than this count before the others."""

_CLOSER = 1.2
"""Margin of the further look at an index that was not read surely; the first look has 1.4."""


class Reader:
    """Reads pictures. Holds the networks; one instance serves one thread at a time."""

    def __init__(self, models_dir: Path | None = None, *, threads: int = 2, tuning: Tuning | None = None) -> None:
        """Load the weights below `models_dir` (default: those shipped). Raises FileNotFoundError without them."""
        folder = models_dir or resources.models()
        for name in ("detector/detector.onnx", "reader/reader.onnx", "reader/aim.onnx", "reader/tuning.json"):
            if not (folder / name).is_file():
                raise FileNotFoundError(f"the weights {folder / name} are missing: install them or run the recipe")
        self.tuning = tuning or Tuning.load(folder / "reader" / "tuning.json")
        self._detector = Detector(folder / "detector" / "detector.onnx", threads=threads)
        self._reader = FaceReader(folder / "reader", self.tuning, threads=threads)
        self._letters = frozenset[str]()
        self._beside = ThreadPoolExecutor(1, "edges")
        """Puts outlines on edges while indices are read."""

    def read(
        self, image: NDArray[np.generic], deck: Collection[str] | None = None, letters: Collection[str] = ()
    ) -> ReadResult:
        """Read every card in a picture.

        `image`: (height, width[, 3 or 4]) BGR, 8 or 16 bits. `deck`: face codes that may occur; a prior for
        ties only. `letters`: those read on this table before (see `ReadResult`). Returns the cards in reading order,
        polygons in px of `image`.
        """
        began = time.perf_counter()
        original = as_bgr(image)
        picture, scale = fit(original, LONGEST)
        every, spare = self.see(picture, deck, letters)
        seen = without_ghosts(one_face_each(every, self.tuning, deck), self.tuning, deck)
        seen = without_doubtful_twins(with_opposite_corners(seen, self.tuning, deck), self.tuning)
        seen = without_misread_corners(seen, self.tuning)
        seen = [one for one in seen if self.tuning.accepts(one.verdict) or _shows(one)]
        seen += unexplained(seen, every, spare, self.tuning)
        height, width = original.shape[:2]
        cards = in_reading_order([_card(one, scale, self.tuning) for one in seen], height)
        spent = (time.perf_counter() - began) * 1000
        return ReadResult(width, height, round(spent, 1), cards, self._letters)

    def see(
        self, picture: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = ()
    ) -> tuple[list[Seen], list[Look]]:
        """Find and read all that may be a card; some of it may be one card twice. And what else may be an index."""
        found = self._detector.find(picture)
        cards = [f for f in found if f.kind is not Kind.INDEX]
        indices = self._aimed(picture, [f for f in found if f.kind is Kind.INDEX])
        on_edges = self._beside.submit(_on_edges, picture, [card.quad for card in cards])
        self._reader.dutch = 0.0
        looks, spare = self._at_found(picture, cards, indices)
        self._letters = letters_seen((look.evidence, look.pose.tall) for look in looks)
        self._reader.dutch = dutch = dutch_share(self._letters, letters)
        if dutch:
            looks = [replace(look, evidence=in_dutch(look.evidence, dutch)) for look in looks]
        quads = [look.quad for look in looks if look.quad is not None]

        reading = Reading.of([look.name for look in looks], [look.clear for look in looks])
        bright, outlines = on_edges.result()
        things = arrange(cards, quads, bright, reading, outlines)
        seen = self._judge(picture, [(thing, [looks[number] for number in thing.indices]) for thing in things], deck)
        return self._look_again(picture, seen, deck), spare

    def _at_found(
        self, picture: Pixels, cards: Sequence[Found], indices: Sequence[Found]
    ) -> tuple[list[Look], list[Look]]:
        """One look at each detected index. Those faintly seen, or too large for their card, count if read clearly.

        And looks at what seems an index all the same: not read clearly, or so close to another.
        """
        quads = [index.quad for index in indices]
        looks = self._at_indices(picture, quads)
        kept = _once_printed(
            look
            for look, index, fits in zip(looks, indices, plausible(cards, quads), strict=True)
            if look.evidence.weight >= _least_weight(look, index, fits)
        )
        held = {id(look) for look in kept}
        spare = [
            look
            for look, index in zip(looks, indices, strict=True)
            if id(look) not in held
            and index.score >= FAINT
            and look.top > _LIKELY
            and (look.evidence.weight > _SHOWN_INDEX or (look.readable and index.score >= _SEEN_INDEX))
        ]
        return kept, spare

    def _aimed(self, picture: Pixels, indices: Sequence[Found]) -> list[Found]:
        """The same indices where they lie exactly: the detector sees them a little aside, turned, large or small."""
        if not indices:
            return []
        rough = np.array([index.quad for index in indices])
        windows = index_window(rough, AIM_MARGIN)
        inside = self._reader.corners(cut_all(picture, windows, INDEX_SIZE))
        sides = windows[:, [1, 3]] - windows[:, :1]
        exact = windows[:, :1] + inside @ sides  # windows are parallelograms
        quads = np.where(_same_index(exact, rough)[:, None, None], exact, rough)
        return [replace(index, quad=quad) for index, quad in zip(indices, quads, strict=True)]

    def _at_indices(self, picture: Pixels, quads: Sequence[Array], margin: float = 1.4) -> list[Look]:
        """One look at each detected index."""
        if not quads:
            return []
        windows = index_window(np.stack(quads), margin)
        crops = cut_all(picture, windows, INDEX_SIZE)
        return [Look(*look) for look in zip(windows, crops, self._reader.indices(crops), quads, strict=True)]

    def _at_corners(self, picture: Pixels, outlines: Sequence[Array]) -> list[list[Look]]:
        """A look at each corner of each outline that lies in the picture."""
        height, width = picture.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        windows = [
            [window for window in of_one if overlap(window, frame) > 0.6 * abs(area(window))]
            for of_one in corner_windows(np.reshape(outlines, (-1, 4, 2)))
        ]
        crops = cut_all(picture, [window for of_one in windows for window in of_one], INDEX_SIZE)
        looks = iter(zip(crops, self._reader.indices(crops), strict=True))
        return [[Look(window, *next(looks)) for window in of_one] for of_one in windows]

    def _judge(
        self, picture: Pixels, todo: Sequence[tuple[Thing, Sequence[Look]]], deck: Collection[str] | None
    ) -> list[Seen]:
        """Add up all that was seen of each thing. A whole face is looked at where it shows and is not known already."""
        asked = [number for number, (thing, looks) in enumerate(todo) if thing.whole and not _beyond_doubt(looks)]
        bodies = cut_all(picture, [todo[number][0].outline for number in asked], FACE_SIZE)
        faces = dict(zip(asked, self._reader.faces(bodies), strict=True))
        return [
            Seen(thing, tuple(looks), face, combine([look.evidence for look in looks], face, self.tuning, deck))
            for (thing, looks), face in zip(todo, map(faces.get, range(len(todo))), strict=True)
        ]

    def _look_again(self, picture: Pixels, seen: Sequence[Seen], deck: Collection[str] | None) -> list[Seen]:
        """Look harder at cards that lie face up and were not read; keep what reads better.

        First once more at their detected indices, closer; then at the corners of their outlines, as they are, as the
        detector gave them, and turned where a steep view confuses long and short side. There much looks like a joker's
        index that is none: what makes no joker at a detected one stays in doubt.
        """
        best = list(seen)
        unsure = self._unsure(best)
        quads = [look.quad for number in unsure for look in best[number].looks if look.quad is not None]
        closer = iter(self._at_indices(picture, quads, _CLOSER))
        for number in unsure:
            looks = [
                look if look.quad is None else replace(look, evidence=average([look.evidence, next(closer).evidence]))
                for look in best[number].looks
            ]
            best[number] = with_looks(best[number], tuple(looks), self.tuning, deck, best[number].face)
        unsure = [number for number in self._unsure(best) if best[number].thing.whole]
        trials = [(n, thing) for n in unsure for thing in (best[n].thing, *best[n].thing.other_outlines())]
        corners = self._at_corners(picture, [thing.outline for _, thing in trials])
        todo = [
            (thing, once([*best[number].looks, *looks])) for (number, thing), looks in zip(trials, corners, strict=True)
        ]
        known = [one.name for one in best]
        for (number, _), trial in zip(trials, self._judge(picture, todo, deck), strict=True):
            joker = trial.name == FACES[-1] != known[number] and self.tuning.accepts(trial.verdict)
            if trial.verdict.confidence > best[number].verdict.confidence:
                best[number] = replace(trial, verdict=trial.verdict.doubted(self.tuning)) if joker else trial
        return best

    def _unsure(self, seen: Sequence[Seen]) -> list[int]:
        return [n for n, one in enumerate(seen) if one.thing.side is Side.UP and not self.tuning.accepts(one.verdict)]


def _on_edges(picture: Pixels, quads: Sequence[Array]) -> tuple[NDArray[np.uint8], list[Array]]:
    """The picture as edges are looked for in it, and the outlines moved onto them."""
    bright = edges.paper(picture)
    return bright, edges.refine(bright, quads)


def _beyond_doubt(looks: Sequence[Look]) -> bool:
    """True where two indices of a card say the same so clearly that its whole face need not be looked at."""
    names = {look.name for look in looks if look.readable}
    return len(names) == 1 and sum(look.readable and look.top > _CERTAIN for look in looks) > 1


def _least_weight(look: Look, index: Found, fits: bool) -> float:
    """How much the reader must see of a detected index; `fits`: it is as large as its card may have it."""
    if fits and index.score >= _SURE_INDEX:
        return _NO_INDEX
    if index.score >= FAINT:
        return CLEAR if look.clear else np.inf
    return _PLAIN if look.readable and look.top > _PLAIN else np.inf


def _once_printed(found: Iterable[Look]) -> list[Look]:
    """Those at detected indices, what is read surely first, then the clearest detection, each printed index once.

    Two in one place are one, unless two faces are surely read there. An index that was read alike and lies within
    another's outline is that one as well, seen together with a pip beside it.
    """
    looks = sorted((look for look in found if look.quad is not None), key=lambda look: _sight(look) < _SURE_SIGHT)
    if not looks:
        return []
    quads = np.stack([look.quad for look in looks if look.quad is not None])
    names, sure = np.array([look.name for look in looks]), np.array([_sight(look) >= CLEAR for look in looks])
    alike, here = names[:, None] == names, same_print(quads[None], quads[:, None])
    repeats = here & (alike | ~(sure[:, None] & sure))
    middles, (_, downs) = quads.mean(axis=1), axes(quads)
    away, tall = lengths(middles[:, None] - middles), lengths(downs)
    for a, b in np.argwhere(
        np.triu(alike & (away < np.maximum(tall[:, None], tall)) & (downs @ downs.T > 0), 1)
    ).tolist():
        repeats[a, b] |= contains(quads[a], middles[b]) or contains(quads[b], middles[a])
    kept: list[int] = []
    for number in range(len(looks)):
        if not repeats[kept, number].any():
            kept.append(number)
    return [looks[number] for number in kept]


def _same_index(exact: Array, rough: Array) -> NDArray[np.bool_]:
    """Which indices (n, 4, 2) lie about where the detector saw them, about as large, and read about the same way."""
    (_, down), (_, seen) = axes(exact), axes(rough)
    tall, high = lengths(down), lengths(seen)
    away = lengths(exact.mean(axis=1) - rough.mean(axis=1))
    size = (tall > 0.5 * high) & (tall < 2 * high)
    return np.asarray(
        sound(exact) & (away < 0.7 * high) & size & ((down * seen).sum(axis=1) > 0.5 * tall * high), np.bool_
    )


def _sight(look: Look) -> float:
    """How surely something is seen, 0..1."""
    return look.evidence.weight * look.top


def _shows(one: Seen) -> bool:
    """True for what is a card all the same where its face is not sure: an index that says something, or an outline.

    Where no index is seen on what seems a face, it must be as large as the cards are.
    """
    outlined = one.thing.whole and one.thing.score >= _UNREAD
    blank = one.thing.side is Side.UP and not any(look.readable for look in one.looks)
    if outlined and not (blank and not one.thing.plane.sized(one.thing.outline)):
        return True
    return any(look.readable and look.top > _LIKELY for look in one.looks)


def _card(seen: Seen, scale: float, tuning: Tuning) -> CardRead:
    """The plain result for one thing. A card detected as face down is only turned up by a confident reading."""
    thing, verdict = seen.thing, seen.verdict
    points = thing.outline * scale
    polygon: Quad = tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)  # type: ignore[assignment]
    sure = tuning.accepts(verdict)
    if thing.side is Side.DOWN and not sure:
        return CardRead(None, round(thing.score, 4), Side.DOWN, polygon)
    candidates = tuple(
        Candidate(_joker(seen) if candidate.face == "JK1" else candidate.face, round(candidate.p, 4))
        for candidate in verdict.candidates
    )
    face = candidates[0].face if sure else None
    return CardRead(face, round(verdict.confidence, 4), Side.UP, polygon, candidates)


def _joker(seen: Seen) -> str:
    return joker_code([look.crop for look in seen.looks if look.readable] or [look.crop for look in seen.looks])
