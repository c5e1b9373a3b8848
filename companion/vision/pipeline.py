"""From one picture to the physical cards in it: find, read the indices, assemble, and judge each card.

The stages are separate values, so that each can be replaced: detections (`detector`), the indices' evidence
(`reader`), cards (`assembly`), a verdict on each. Cards are told apart by place and direction. A name alone never
makes two things one card; it can only forbid that (two faces are two cards) or make the reader abstain (a twin that
lies where another corner of the first card would).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision import edges
from companion.vision.assembly import Reading, Thing, arrange, plausible
from companion.vision.detector import Detector, Kind
from companion.vision.geometry import (
    HIDDEN_BELOW,
    Array,
    Pose,
    area,
    contains,
    corner_windows,
    index_window,
    iou,
    overlap,
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


_CLEAR_OUTLINE = 0.7
"""Detector score from which an outline with one index is a card without doubt."""

_NO_INDEX = 0.25
"""A detected index that the reader sees less of than this was none."""

_CORNER_MM, _DOUBTFUL_MM = 9.0, 18.0
"""An index that misses the place of another corner of a card by less than this is that corner; may be that corner."""

_SHARED = 0.3
"""Equal cards whose outlines share more than this and whose indices face each other may be one card."""

_WIDER = (1.2, 2.0)
"""Margins of the further looks at an index that was not read surely; the first look has 1.55."""


@dataclass(frozen=True, eq=False)
class Look:
    """One straightened window (4, 2) px in which an index was looked for, and what it said."""

    window: Array
    crop: Pixels
    evidence: Evidence
    quad: Array | None = None
    """The detected index (4, 2) px around which the window was laid; None for a window at an outline's corner."""

    @cached_property
    def pose(self) -> Pose:
        """Where the window lies."""
        return Pose.of(self.window)

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
        """True when both look at one printed index: nearly one place, one direction.

        Two detected indices are exact; a window at an outline's corner is less so.
        """
        return self.pose.meets(other.pose, 0.3 if self.quad is not None and other.quad is not None else 0.45)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A thing with all that was seen of it, and the verdict on it."""

    thing: Thing
    looks: tuple[Look, ...]
    face: Evidence | None
    verdict: Verdict

    @property
    def name(self) -> str | None:
        """The likeliest face."""
        return self.verdict.candidates[0].face if self.verdict.candidates else None

    @property
    def stands(self) -> bool:
        """True for a card that is surely one of its own: a clear outline with its index, or two indices."""
        places = len(self.readable_places)
        return places >= 2 or (places == 1 and self.thing.whole and self.thing.score >= _CLEAR_OUTLINE)

    @property
    def clear(self) -> bool:
        """True where some index was read beyond doubt."""
        return any(look.readable and look.top > _CLEAR for look in self.looks)

    @property
    def readable_places(self) -> list[Array]:
        """The index quads (px) that were readable, detected or guessed from a corner's window."""
        return [look.quad if look.quad is not None else window_index(look.window) for look in self.looks
                if look.readable]  # fmt: skip


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
        seen = one_face_each(self.see(picture, deck), self.tuning, deck)
        seen = without_doubtful_twins(without_ghosts(seen, self.tuning, deck), self.tuning)
        cards = [
            _card(one, scale, self.tuning)
            for one in seen
            if self.tuning.accepts(one.verdict) or (one.thing.whole and one.thing.score >= _UNREAD)
        ]
        cards.sort(key=lambda card: (card.centre[1] // (0.15 * original.shape[0]), card.centre[0]))
        spent = (time.perf_counter() - began) * 1000
        return ReadResult(original.shape[1], original.shape[0], round(spent, 1), tuple(cards))

    def see(self, picture: Pixels, deck: Collection[str] | None = None) -> list[Seen]:
        """Find and read all that may be a card; some of it may be one card twice."""
        found = self._detector.find(picture)
        cards = [f for f in found if f.kind is not Kind.INDEX]
        detected = [f.quad for f in found if f.kind is Kind.INDEX]
        detected = list(compress(detected, plausible(cards, detected)))
        looks = [look for look in self._at_indices(picture, detected) if look.evidence.weight >= _NO_INDEX]
        quads = [look.quad for look in looks if look.quad is not None]

        reading = Reading.of([look.name for look in looks], [look.readable and look.top > _CLEAR for look in looks])
        things = arrange(cards, quads, edges.paper(picture), reading)
        seen = self._judge(picture, [(thing, [looks[number] for number in thing.indices]) for thing in things], deck)
        return self._look_again(picture, seen, deck)

    def _at_indices(self, picture: Pixels, quads: Sequence[Array], margin: float = 1.55) -> list[Look]:
        """One look at each detected index."""
        windows = [index_window(quad, margin) for quad in quads]
        crops = [cut(picture, window, INDEX_SIZE) for window in windows]
        return [Look(*look) for look in zip(windows, crops, self._reader.indices(crops), quads, strict=True)]

    def _at_corners(self, picture: Pixels, outlines: Sequence[Array]) -> list[list[Look]]:
        """A look at each corner of each outline that lies in the picture."""
        height, width = picture.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        windows = [
            [window for window in corner_windows(outline) if overlap(window, frame) > 0.6 * abs(area(window))]
            for outline in outlines
        ]
        crops = [[cut(picture, window, INDEX_SIZE) for window in of_one] for of_one in windows]
        evidence = iter(self._reader.indices([crop for of_one in crops for crop in of_one]))
        return [
            [Look(window, crop, next(evidence)) for window, crop in zip(*pair, strict=True)]
            for pair in zip(windows, crops, strict=True)
        ]

    def _judge(
        self, picture: Pixels, todo: Sequence[tuple[Thing, Sequence[Look]]], deck: Collection[str] | None
    ) -> list[Seen]:
        """Look at the whole face of each thing that shows it, and add up all that was seen of it."""
        bodies = [cut(picture, thing.outline, FACE_SIZE) for thing, _ in todo if thing.whole]
        faces = iter(self._reader.faces(bodies))
        seen = []
        for thing, looks in todo:
            face = next(faces) if thing.whole else None
            verdict = combine([look.evidence for look in looks], face, self.tuning, deck)
            seen.append(Seen(thing, tuple(looks), face, verdict))
        return seen

    def _look_again(self, picture: Pixels, seen: Sequence[Seen], deck: Collection[str] | None) -> list[Seen]:
        """Look harder at cards that lie face up and were not read; keep what reads better.

        First once more at their detected indices, closer and wider; then at the corners of their outlines, as they
        are, as the detector gave them, and turned where a steep view confuses long and short side.
        """
        best = list(seen)
        unsure = self._unsure(best)
        quads = [look.quad for number in unsure for look in best[number].looks if look.quad is not None]
        more = [iter(self._at_indices(picture, quads, margin)) for margin in _WIDER]
        for number in unsure:
            looks = [
                look if look.quad is None else replace(look, evidence=average([look.evidence, *_next(more)]))
                for look in best[number].looks
            ]
            best[number] = _with_looks(best[number], tuple(looks), self.tuning, deck, best[number].face)
        unsure = [number for number in self._unsure(best) if best[number].thing.whole]
        trials = [(n, thing) for n in unsure for thing in (best[n].thing, *best[n].thing.other_outlines())]
        corners = self._at_corners(picture, [thing.outline for _, thing in trials])
        todo = [
            (thing, once([*best[number].looks, *looks])) for (number, thing), looks in zip(trials, corners, strict=True)
        ]
        for (number, _), trial in zip(trials, self._judge(picture, todo, deck), strict=True):
            if trial.verdict.confidence > best[number].verdict.confidence:
                best[number] = trial
        return best

    def _unsure(self, seen: Sequence[Seen]) -> list[int]:
        return [n for n, one in enumerate(seen) if one.thing.side is Side.UP and not self.tuning.accepts(one.verdict)]


def _next(rows: Sequence[Iterator[Look]]) -> list[Evidence]:
    """The next look's evidence of each row."""
    return [next(row).evidence for row in rows]


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
        if look.quad is not None and look.readable:
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
    seen = _detected_first(seen, tuning, deck)
    for one in sorted(seen, key=lambda s: _standing(s, tuning), reverse=True):
        if any(_is_ghost_of(one, other) or _other_corner_of(one, other) for other in kept):
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


def without_doubtful_twins(seen: Sequence[Seen], tuning: Tuning) -> list[Seen]:
    """Abstain where a second card of one face may be another corner of the first: it keeps its candidates, no name.

    A twin with an outline of its own, or with two indices, stands for itself; so does the next card of a fan or column,
    whose index reads the same way close by.
    """
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda s: (s.stands, *_standing(s, tuning)), reverse=True):
        twins = [o for o in kept if tuning.accepts(o.verdict) and tuning.accepts(one.verdict) and o.name == one.name]
        if not one.stands and any(_may_be_one(one, twin) for twin in twins):
            kept.append(replace(one, verdict=one.verdict.doubted(tuning)))
        else:
            kept.append(one)
    return kept


def _detected_first(seen: Sequence[Seen], tuning: Tuning, deck: Collection[str] | None) -> list[Seen]:
    """A detected index belongs to one card; a look at another outline's corner that meets it is none of that card's."""
    owned = [(number, look) for number, one in enumerate(seen) for look in one.looks if look.quad is not None]
    out = []
    for number, one in enumerate(seen):
        free = tuple(
            look
            for look in one.looks
            if look.quad is not None or not any(look.same(other) for owner, other in owned if owner != number)
        )
        out.append(one if len(free) == len(one.looks) else _with_looks(one, free, tuning, deck))
    return out


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
    indices = [window_index(look.window) if look.quad is None else look.quad for look in looks]
    outline, error = old.plane.card(indices, old.outline)
    if len(indices) > 1 and error < _CORNER_MM:
        return replace(old, outline=outline, side=Side.UP, indices=[], predicted=None)
    outline, _ = old.plane.card(indices[:1])
    return replace(old, outline=outline, side=Side.UP, indices=[], whole=False, predicted=None)


def _with_looks(
    seen: Seen,
    looks: tuple[Look, ...],
    tuning: Tuning,
    deck: Collection[str] | None,
    face: Evidence | None = None,
) -> Seen:
    """The same thing judged by other looks; without the whole face, unless given, where that showed several cards."""
    verdict = combine([look.evidence for look in looks], face, tuning, deck)
    return replace(seen, looks=looks, face=face, verdict=verdict)


def _standing(seen: Seen, tuning: Tuning) -> tuple[bool, float, float]:
    """Who keeps a disputed place: whole outlines first, then what is read surely, then what is found clearly."""
    sure = seen.verdict.confidence if tuning.accepts(seen.verdict) else 0.0
    return seen.thing.whole, sure * seen.thing.score, seen.thing.score


def _is_ghost_of(one: Seen, other: Seen) -> bool:
    """True for something that cannot be a card of its own beside a surer one.

    An outline that nearly coincides with it; or is unread, weaker and overlaps it much; or overlaps it by half while
    all that was read of it lies within that card, whose two opposite indices are both seen: a card on top would hide
    one of them. A card known by its index alone is judged by that last rule only, wherever its body may lie, unless it
    clearly says something else.
    """
    read = [look for look in one.looks if look.readable]
    shared = iou(one.thing.outline, other.thing.outline)
    if one.thing.whole and other.thing.whole:
        if shared > HIDDEN_BELOW:
            return True
        if not read:
            return shared > 0.4 and one.thing.score < 0.8 * other.thing.score
    near = shared > 0.45 or (not one.thing.whole and (one.name == other.name or not one.clear))
    if not near or not read or not other.thing.whole or sum(look.readable for look in other.looks) < 2:
        return False
    return all(contains(other.thing.outline, look.window.mean(axis=0)) for look in read)


def _other_corner_of(one: Seen, other: Seen) -> bool:
    """True where all that was read of a thing is another corner of a card that was read the same.

    Its place decides; that the names agree is only what two corners of one card must do.
    """
    if not one.verdict.candidates or not other.verdict.candidates:
        return False
    if one.verdict.candidates[0].face != other.verdict.candidates[0].face or not one.readable_places:
        return False
    return bool((_misfits(one, other).min(axis=1, initial=np.inf) < _CORNER_MM).all())


def _may_be_one(one: Seen, other: Seen) -> bool:
    """True where what was read of two things may be two corners of one card, as exactly as the table is known."""
    misfits = _misfits(one, other)
    facing = bool(np.isfinite(misfits).any()) and iou(one.thing.outline, other.thing.outline) > _SHARED
    return bool((misfits < _DOUBTFUL_MM).any()) or facing


def _misfits(one: Seen, other: Seen) -> Array:
    """By how much (mm) each readable index of one thing misses lying as another corner of the card of the other."""
    places, others = one.readable_places, other.readable_places
    return one.thing.plane.misfits([*places, *others])[: len(places), len(places) :]


def _mostly_same(a: Thing, b: Thing) -> bool:
    smaller = min(abs(area(a.outline)), abs(area(b.outline)))
    return overlap(a.outline, b.outline) > 0.5 * smaller


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
