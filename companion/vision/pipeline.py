"""From one picture to the physical cards in it: find, straighten, read, and decide what is one card.

The stages are separate values, so that each can be replaced: detections (`detector`), outlines on their edges
(`edges`), crops to evidence (`reader`), evidence to a verdict. Cards are told apart by place and direction only; no
step merges or splits by name.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision import edges
from companion.vision.detector import Detector, Found, Kind, suppress
from companion.vision.geometry import (
    HIDDEN_BELOW,
    Array,
    Plane,
    area,
    contains,
    corner_windows,
    doubtful_turn,
    group_indices,
    holds,
    index_window,
    iou,
    is_sound,
    outline_of_pair,
    overlap,
    same_index,
    spot_on_card,
    window_index,
)
from companion.vision.images import Pixels, as_bgr, fit
from companion.vision.reader import (
    FACE_SIZE,
    INDEX_SIZE,
    Evidence,
    FaceReader,
    Tuning,
    Verdict,
    average,
    combine,
    cut,
    joker_code,
)
from companion.vision.types import Candidate, CardRead, Quad, ReadResult, Side

LONGEST = 2560
"""Larger pictures are shrunk to this many px before anything else."""

_CLEAR = 0.9
"""A look names a face clearly from this probability on: enough to contradict another look."""

_UNREAD = 0.4
"""Outlines that could not be read count as cards from this detector score on."""


@dataclass(slots=True)
class Thing:
    """One physical card on its way to being read. `indices` are index quads that belong to it, px."""

    outline: Array
    side: Side
    score: float
    indices: list[Array] = field(default_factory=list)
    whole: bool = True
    """False where the outline was deduced from an index, because something covers the body."""
    predicted: Array | None = None
    """The outline as the detector gave it, before it was moved onto the edges."""

    def other_outlines(self) -> list[Thing]:
        """The same card seen otherwise: edges not trusted, or long and short side confused (steep views)."""
        outlines = [] if self.predicted is None else [self.predicted]
        outlines += [np.roll(outline, 1, axis=0) for outline in [self.outline, *outlines]]
        return [replace(self, outline=outline, predicted=None) for outline in outlines] if self.whole else []


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One straightened window (4, 2) px in which an index was looked for, and what it said."""

    window: Array
    crop: Pixels
    evidence: Evidence
    index: int | None = None
    """Number of the detected index that lies in the window, if one does."""
    tight: bool = False
    """True where the window was laid around a detected index and not at a corner of an outline."""

    @property
    def readable(self) -> bool:
        """True where an index was seen."""
        return self.evidence.weight > 0.5

    @property
    def name(self) -> int:
        """Number of the likeliest face."""
        return int(self.evidence.faces.argmax())

    @property
    def top(self) -> float:
        """Its probability."""
        return float(self.evidence.faces.max())

    def same(self, other: Look) -> bool:
        """True when both look at one printed index: the same detected one, or nearly the same place."""
        if self.index is not None and other.index is not None:
            return self.index == other.index or same_index(self.window, other.window, 0.3)
        return same_index(self.window, other.window)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A thing with all that was seen of it, and the verdict on it."""

    thing: Thing
    looks: tuple[Look, ...]
    face: Evidence | None
    verdict: Verdict


class Reader:
    """Reads pictures. Holds the networks; one instance serves one thread at a time."""

    def __init__(self, models_dir: Path | None = None, *, threads: int = 2, tuning: Tuning | None = None) -> None:
        """Load the weights below `models_dir` (default: those shipped). Raises FileNotFoundError without them."""
        folder = models_dir or resources.models()
        for name in ("detector/detector.onnx", "reader/reader.onnx", "reader/tuning.json"):
            if not (folder / name).is_file():
                raise FileNotFoundError(f"the weights {folder / name} are missing: install them or run the recipe")
        self.tuning = tuning or Tuning.load(folder / "reader" / "tuning.json")
        self._detector = Detector(folder / "detector" / "detector.onnx", threads=threads)
        self._reader = FaceReader(folder / "reader", self.tuning, threads=threads)

    def read(self, image: NDArray[np.generic], deck: Collection[str] | None = None) -> ReadResult:
        """Read every card in a picture.

        `image`: (height, width[, 3 or 4]) BGR, 8 or 16 bits. `deck`: face codes that may occur; a prior for
        ties only. Returns the cards in reading order, polygons in px of `image`.
        """
        began = time.perf_counter()
        original = as_bgr(image)
        picture, scale = fit(original, LONGEST)
        found = self._detector.find(picture)
        indices = [f.quad for f in found if f.kind is Kind.INDEX]
        seen = self.see(picture, arrange(found, edges.paper(picture)), indices, deck)
        seen = one_face_each(self._look_again(picture, seen, indices, deck), self.tuning, deck)
        seen = without_ghosts(seen, self.tuning, deck)
        cards = [
            _card(one, scale, self.tuning)
            for one in seen
            if self.tuning.accepts(one.verdict) or (one.thing.whole and one.thing.score >= _UNREAD)
        ]
        cards.sort(key=lambda card: (card.centre[1] // (0.15 * original.shape[0]), card.centre[0]))
        spent = (time.perf_counter() - began) * 1000
        return ReadResult(original.shape[1], original.shape[0], round(spent, 1), tuple(cards))

    def see(
        self,
        picture: Pixels,
        things: Sequence[Thing],
        indices: Sequence[Array],
        deck: Collection[str] | None = None,
    ) -> list[Seen]:
        """Cut, read and judge each thing. Both networks run once, over all crops together.

        `indices`: all index quads detected in the picture, to tell one printed index from another.
        """
        windows = [_windows(thing, indices, picture.shape[1], picture.shape[0]) for thing in things]
        crops = [[cut(picture, window, INDEX_SIZE) for window, _ in of_one] for of_one in windows]
        evidence = iter(self._reader.indices([crop for of_one in crops for crop in of_one]))
        bodies = iter(self._reader.faces([cut(picture, thing.outline, FACE_SIZE) for thing in things if thing.whole]))
        seen = []
        for thing, of_one, cuts in zip(things, windows, crops, strict=True):
            looks = once(
                [
                    Look(window, crop, next(evidence), _held(window, indices), tight)
                    for (window, tight), crop in zip(of_one, cuts, strict=True)
                ]
            )
            face = next(bodies) if thing.whole else None
            seen.append(Seen(thing, looks, face, combine([look.evidence for look in looks], face, self.tuning, deck)))
        return seen

    def _look_again(
        self, picture: Pixels, seen: list[Seen], indices: Sequence[Array], deck: Collection[str] | None
    ) -> list[Seen]:
        """Try other outlines for cards that lie face up and were not read; keep what reads better."""
        unsure = [
            number
            for number, one in enumerate(seen)
            if one.thing.side is Side.UP and not self.tuning.accepts(one.verdict)
        ]
        trials = [(number, other) for number in unsure for other in seen[number].thing.other_outlines()]
        best = list(seen)
        others = self.see(picture, [other for _, other in trials], indices, deck)
        for (number, _), trial in zip(trials, others, strict=True):
            if trial.verdict.confidence > best[number].verdict.confidence:
                best[number] = trial
        return best


def once(looks: Sequence[Look]) -> tuple[Look, ...]:
    """Looks of one card at the same printed index (its corner's window and a detected index) become one look."""
    groups: list[list[Look]] = []
    for look in looks:
        for group in groups:
            if group[0].same(look):
                group.append(look)
                break
        else:
            groups.append([look])
    return tuple(_best(group) for group in groups)


def _best(group: Sequence[Look]) -> Look:
    """The look laid around the index where that one reads: it does not depend on the outline. Else the mean of all."""
    for look in group:
        if look.tight and look.readable:
            return look
    first = max(group, key=lambda look: look.evidence.weight)
    return replace(first, evidence=average([look.evidence for look in group]))


def without_ghosts(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None = None) -> list[Seen]:
    """An index is printed once: where two outlines claim the same one, the surer card keeps it.

    Outlines that nearly coincide are one card in any case.

    The other is judged again without it, and is gone when nothing else was read of it and it overlaps the first: it
    was a second, worse outline of the same card.
    """
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda s: _standing(s, tuning), reverse=True):
        if any(_is_ghost_of(one, other) for other in kept):
            continue
        taken = [look for other in kept for look in other.looks if look.readable]
        free = tuple(look for look in one.looks if not any(look.same(other) for other in taken))
        if len(free) == len(one.looks) or not any(look.readable for look in one.looks):
            kept.append(one)
            continue
        ghost = not any(look.readable for look in free)
        if ghost and any(_mostly_same(one.thing, other.thing) for other in kept):
            continue
        rest = _with_looks(one, free, tuning, deck)
        if (one.thing.whole or free) and not any(_is_ghost_of(rest, other) for other in kept):
            kept.append(rest)
    return kept


def one_face_each(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None = None) -> list[Seen]:
    """A card has one face: an outline over indices that clearly read differently lies across several cards.

    It keeps the indices that agree with most, and is laid anew around them; each other one becomes a card of its own,
    placed by its index. Beside a clear look, an unclear one that says otherwise was no look at this card's index.
    """
    out: list[Seen] = []
    for one in seen:
        clear = [look for look in one.looks if look.readable and look.top > _CLEAR]
        weight: dict[int, float] = {}
        for look in clear:
            weight[look.name] = weight.get(look.name, 0.0) + look.top
        if not clear or (len(weight) == 1 and tuning.accepts(one.verdict)):
            out.append(one)
            continue
        main = max(sorted(weight), key=lambda name: weight[name])
        own = tuple(look for look in one.looks if not look.readable or look.name == main or 0.5 < look.top <= _CLEAR)
        others = [look for look in clear if look.name != main]
        thing = _around([look for look in clear if look.name == main], one.thing) if others else one.thing
        out.append(_with_looks(replace(one, thing=thing), own, tuning, deck))
        for look in others:
            apart = replace(one, thing=_around([look], one.thing))
            out.append(_with_looks(apart, (look,), tuning, deck))
    return out


def _around(looks: Sequence[Look], old: Thing) -> Thing:
    """A card placed by one or two of its indices, where the outline they were found with is wrong."""
    indices = [window_index(look.window) for look in looks]
    pairs = (outline_of_pair(a, b) for number, a in enumerate(indices) for b in indices[number + 1 :])
    outline = next((pair for pair in pairs if pair is not None and is_sound(pair)), None)
    if outline is not None:
        return Thing(outline, Side.UP, old.score)
    return Thing(Plane.of_card(old.outline).outline(indices[0]), Side.UP, old.score, whole=False)


def _with_looks(seen: Seen, looks: tuple[Look, ...], tuning: Tuning, deck: Collection[str] | None) -> Seen:
    """The same thing judged by some of its looks only, and without the whole face, which showed more than one card."""
    verdict = combine([look.evidence for look in looks], None, tuning, deck)
    return replace(seen, looks=looks, face=None, verdict=verdict)


def _standing(seen: Seen, tuning: Tuning) -> tuple[bool, float, float]:
    """Who keeps a disputed place: whole outlines first, then what is read surely, then what is found clearly."""
    sure = seen.verdict.confidence if tuning.accepts(seen.verdict) else 0.0
    return seen.thing.whole, sure * seen.thing.score, seen.thing.score


def _is_ghost_of(one: Seen, other: Seen) -> bool:
    """True for something that cannot be a card of its own beside a surer one.

    An outline that nearly coincides with it; or is unread, weaker and overlaps it much; or overlaps it by half while
    all that was read of it lies within that card, whose two opposite indices are both seen: a card on top would hide
    one of them. A card known by its index alone is judged by that last rule only, wherever its body may lie.
    """
    read = [look for look in one.looks if look.readable]
    shared = iou(one.thing.outline, other.thing.outline)
    if one.thing.whole and other.thing.whole:
        if shared > HIDDEN_BELOW:
            return True
        if not read:
            return shared > 0.4 and one.thing.score < 0.8 * other.thing.score
    within = bool(read) and all(contains(other.thing.outline, look.window.mean(axis=0)) for look in read)
    near = shared > 0.45 or not one.thing.whole
    return near and within and other.thing.whole and sum(look.readable for look in other.looks) >= 2


def _mostly_same(a: Thing, b: Thing) -> bool:
    smaller = min(abs(area(a.outline)), abs(area(b.outline)))
    return overlap(a.outline, b.outline) > 0.5 * smaller


def _held(window: Array, indices: Sequence[Array]) -> int | None:
    """Number of the detected index nearest to the middle of a window that holds it."""
    best, nearest = None, np.inf
    for number, index in enumerate(indices):
        away = holds(window, index)
        if away is not None and away < nearest:
            best, nearest = number, away
    return best


def arrange(found: Sequence[Found], bright: NDArray[np.uint8]) -> list[Thing]:
    """Turn detections into physical cards: outlines with their indices, and covered cards known by an index alone.

    `bright`: the picture as `edges.paper` sees it.

    An index belongs to the outline at whose corner it lies in the right direction. One that lies on no outline's
    corner shows a further card, whose outline is deduced in the plane of the nearest whole card.
    """
    cards = suppress([*(f for f in found if f.kind is not Kind.INDEX), *_from_pairs(found)])
    things = [
        Thing(edges.refine(bright, f.quad), Side.DOWN if f.kind is Kind.DOWN else Side.UP, f.score, predicted=f.quad)
        for f in cards
    ]
    orphans: list[Found] = []
    for f in found:
        if f.kind is Kind.INDEX:
            owner = _owner(things, f.quad)
            if owner is None:
                orphans.append(f)
            else:
                owner.indices.append(f.quad)
    return things + _covered(things, orphans)


def _from_pairs(found: Sequence[Found]) -> list[Found]:
    """Outlines that follow from two detected indices lying as diagonal corners of a card do.

    They stand in where the detector misses an outline or places it badly; where it does not, suppression makes one
    of both.
    """
    indices = [f for f in found if f.kind is Kind.INDEX]
    out = []
    for number, first in enumerate(indices):
        for second in indices[number + 1 :]:
            outline = outline_of_pair(first.quad, second.quad)
            if outline is not None and is_sound(outline):
                out.append(Found(Kind.UP, 0.8 * min(first.score, second.score), outline))
    return out


def _owner(things: Sequence[Thing], index: Array) -> Thing | None:
    """The outline one of whose corners this index marks best, or None."""
    best, nearest = None, np.inf
    for thing in things:
        for outline in (thing.outline, *doubtful_turn(thing.outline)):
            spot = spot_on_card(outline, index)
            if spot is not None and spot.error < nearest:
                best, nearest = thing, spot.error
    return best


def _covered(things: Sequence[Thing], orphans: Sequence[Found]) -> list[Thing]:
    """Cards of which only indices are seen, one for each group of indices that can be corners of one card."""
    if not orphans:
        return []
    quads = [f.quad for f in orphans]
    out = []
    for group in group_indices(_plane(things, quads[0]), quads):
        first = quads[group[0]]
        outline = _plane(things, first).outline(first)
        out.append(Thing(outline, Side.UP, orphans[group[0]].score, [quads[member] for member in group], whole=False))
    return out


def _plane(things: Sequence[Thing], index: Array) -> Plane:
    """The table's plane near an index: that of the nearest outline, else a guess from the index's own size."""
    if not things:
        return Plane.of_index(index)
    centre = index.mean(axis=0)
    nearest = min(things, key=lambda thing: float(np.linalg.norm(thing.outline.mean(axis=0) - centre)))
    return Plane.of_card(nearest.outline)


def _windows(thing: Thing, indices: Sequence[Array], width: int, height: int) -> list[tuple[Array, bool]]:
    """Where to look for a card's indices: around each index found there (tight), and at its corners."""
    corners = list(corner_windows(thing.outline)) if thing.whole else []
    held = {number for window in corners if (number := _held(window, indices)) is not None}
    own = [*thing.indices, *(indices[number] for number in sorted(held))]
    tight = [(index_window(index), True) for index in {id(index): index for index in own}.values()]
    windows = tight + [(window, False) for window in corners]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return [(window, near) for window, near in windows if overlap(window, frame) > 0.6 * abs(area(window))]


def _card(seen: Seen, scale: float, tuning: Tuning) -> CardRead:
    """The plain result for one thing. A card detected as face down is only turned up by a confident reading."""
    thing, verdict = seen.thing, seen.verdict
    points = thing.outline * scale
    polygon: Quad = tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)  # type: ignore[assignment]
    sure = tuning.accepts(verdict)
    if thing.side is Side.DOWN and not sure:
        return CardRead(None, round(thing.score, 4), Side.DOWN, polygon)
    joker = joker_code([look.crop for look in seen.looks if look.readable] or [look.crop for look in seen.looks])
    candidates = tuple(
        Candidate(joker if candidate.face == "JK1" else candidate.face, round(candidate.p, 4))
        for candidate in verdict.candidates
    )
    face = candidates[0].face if sure else None
    return CardRead(face, round(verdict.confidence, 4), Side.UP, polygon, candidates)
