"""Which candidates are physical cards of their own: a learned score where a chain of rules would be.

The surest candidate comes first. Each is described by what was seen of it and by how it lies to the cards that were
accepted before (`Lie.features`); boosted trees, fitted to composed scenes where the truth is exact
(`companion.training.evaluation.judge`), give the chance that it is a further physical card. Likely ones count, unlikely
ones are a second sight of a card, a gap or a thing and go; what lies between is a card without a name, so somebody is
asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.candidates import Candidate
from companion.vision.assembly.instances import CardInstance
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.prints import log_areas, nearest_print
from companion.vision.assembly.row_pattern import RowPattern
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import (
    Array,
    areas,
    axes,
    box_quad,
    lengths,
    locate_on_card,
    overlap,
    points_inside,
    side_lengths,
)
from companion.vision.reading.evidence import Tuning
from companion.vision.types import Side

FEATURES = (
    "loose", "body", "score", "back", "indices", "best", "second", "weight", "confidence", "detected", "misfit",
    "outside", "index size", "face", "height px", "confirmed", "of its name", "shared", "covered", "covers", "within",
    "equal", "equal residual", "equal residual, four corners", "other residual", "other face near", "index away",
    "corner", "equal corner", "row", "equal away", "equal indices", "near indices", "near score", "near confidence",
    "near equal", "near away", "cards", "four corners", "bare",
)  # fmt: skip
"""What a candidate is judged by; lengths on the table in mm."""
_SCORE, _INDICES, _CONFIDENCE = (FEATURES.index(name) for name in ("score", "indices", "confidence"))
FAR_MM, FAR = 60.0, 6.0
_ALONE = np.zeros(len(FEATURES) - FEATURES.index("of its name"))
"""What is said of one beside nobody, but for its print."""
_ALONE[[6, 7, 8, 10, 11, 12, 14]] = FAR_MM, FAR_MM, FAR_MM, FAR, FAR_MM, FAR_MM, FAR


class Lie:
    """How the candidates of a picture (`size`: height, width; px) lie to each other."""

    def __init__(self, given: Sequence[Candidate], size: tuple[int, int], tuning: Tuning) -> None:
        self.cards = [one.card for one in given]
        self._loose = [one.loose for one in given]
        self.tuning = tuning
        self._outlines = np.stack([one.hypothesis.outline for one in self.cards])
        self._sizes = np.maximum(np.abs(areas(self._outlines)), 1e-9)
        self._frame = box_quad((0, 0, size[1], size[0]))
        self.plane: TablePlane = max((one.hypothesis.plane for one in self.cards), key=lambda plane: plane.corners)
        quads = [one.readable_indices for one in self.cards]
        self._owners = np.repeat(np.arange(len(quads)), [len(some) for some in quads])
        self._quads = np.array([quad for some in quads for quad in some]).reshape(-1, 4, 2)
        self.names = [one.likeliest_face for one in self.cards]
        self._middles = self._outlines.mean(axis=1)
        self._whole = np.array([one.hypothesis.body_visible for one in self.cards])
        names = np.array([name or "" for name in self.names])
        self._equal = (names[:, None] == names) & (names != "")
        self._framed = np.asarray(((self._outlines >= 0) & (self._outlines <= (size[1], size[0]))).all(axis=(1, 2)))
        self._own = self._own_features()

    @cached_property
    def _rows(self) -> RowPattern:
        return RowPattern.of([one for one, loose in zip(self.cards, self._loose, strict=True) if not loose])

    @cached_property
    def _shared(self) -> Array:
        """(n, n) px²: the area that outlines have in common."""
        low, high = self._outlines.min(axis=1), self._outlines.max(axis=1)
        meet = ((low[:, None] < high) & (high[:, None] > low)).all(axis=2)
        out = np.zeros(meet.shape)
        for a, b in np.argwhere(np.triu(meet, 1)).tolist():
            out[a, b] = out[b, a] = overlap(self._outlines[a], self._outlines[b])
        return out

    def _least(self, values: Array, far: float) -> Array:
        """(n, n): the least of values (m, m) between the indices of two candidates."""
        out = np.full((len(self.cards),) * 2, far)
        np.minimum.at(out, (self._owners[:, None], self._owners[None]), np.minimum(values, far))
        return out

    @cached_property
    def _gaps(self) -> tuple[Array, Array, Array]:
        """(n, n) each: residuals (mm) as two corners of one card, the same with four corners, and heights apart."""
        poses, plane = self.plane.poses(self._quads), self.plane
        middles, tall = self._quads.mean(axis=1), np.maximum(lengths(axes(self._quads)[1]), 1e-9)
        away = lengths(middles[:, None] - middles) / np.maximum(tall[:, None], tall)
        four = plane.with_corner_count(range(len(plane.prints)), 4)
        return (
            self._least(plane.residuals(poses), FAR_MM),
            self._least(four.residuals(poses), FAR_MM),
            self._least(away, FAR),
        )

    @cached_property
    def _inside(self) -> Array:
        """(n, n): the share of one's indices that lie in the other's outline."""
        out = np.zeros((len(self.cards),) * 2)
        if len(self._quads):
            held = points_inside(self._outlines, self._quads.mean(axis=1)).T.astype(float)
            np.add.at(out, self._owners, held)
        return out / np.maximum(np.bincount(self._owners, minlength=len(self.cards)), 1)[:, None]

    @cached_property
    def _corners(self) -> Array:
        """(n, n) mm: how near an index of one lies to a free corner's place on the other."""
        middle = self._middles[:, None]
        out = np.full((len(self.cards),) * 2, FAR_MM)
        if not len(self._quads):
            return out
        near = points_inside(self._outlines + 0.15 * (self._outlines - middle), self._quads.mean(axis=1))
        taken: dict[int, set[int]] = {}
        for other, number in np.argwhere(near).tolist():
            one = int(self._owners[number])
            if one == other or not self.cards[other].hypothesis.body_visible:
                continue
            place = locate_on_card(self._outlines[other], self._quads[number])
            if place is None:
                continue
            if other not in taken:
                found = (locate_on_card(self._outlines[other], quad) for quad in self.cards[other].readable_indices)
                taken[other] = {own.corner for own in found if own is not None}
            if place.corner not in taken[other]:
                out[one, other] = min(out[one, other], place.error)
        return out

    def _own_features(self) -> Array:
        """(n, features): what was seen of each candidate, by itself."""
        out = np.array([self._seen_of(number) for number in range(len(self.cards))])
        sides = np.sort(side_lengths(self.plane.to_mm(self._outlines)), axis=1)
        out[:, 10] = np.abs(np.log(np.maximum(sides, 1e-6) / self.plane.card_mm)).max(axis=1).clip(0, 2)
        first = np.unique(self._owners, return_index=True)
        if len(self._quads):
            poses = self.plane.poses(self._quads[first[1]])
            usual = np.log([one.area for one in self.plane.prints])[nearest_print(self.plane.prints, poses.sizes)]
            out[first[0], 12] = np.abs(log_areas(poses.sizes) - usual).clip(0, 3)
            out[first[0], 14] = lengths(axes(self._quads[first[1]])[1])
        return out

    def _seen_of(self, number: int) -> list[float]:
        one, face = self.cards[number], self.cards[number].face_evidence
        hypothesis, seen = one.hypothesis, [x for x in one.observations if x.readable]
        strengths = [*sorted((x.evidence.weight * x.probability for x in one.observations), reverse=True), 0.0, 0.0]
        inside = bool(self._framed[number]) or overlap(self._outlines[number], self._frame) / self._sizes[number]
        return [
            2.0 * self._loose[number], float(hypothesis.body_visible), hypothesis.score,
            float(hypothesis.side is Side.DOWN), float(len(seen)), strengths[0], strengths[1],
            max((x.evidence.weight for x in one.observations), default=0.0), one.classification.confidence,
            float(any(x.quad is not None for x in seen)), 0.0, 1 - min(1.0, float(inside)), 0.0,
            0.0 if face is None else face.weight * float(face.faces.max()), 0.0, float(one.is_confirmed),
        ]  # fmt: skip

    @cached_property
    def _shares(self) -> Array:
        """(4, n, n): what is shared (IoU), as a share of the one and of the other, which counts where it shows whole;
        and the share of the one's indices in the other."""
        shared = np.where(self._whole, self._shared, 0.0)
        own = self._sizes[:, None]
        return np.stack(
            [shared / (own + self._sizes - shared), shared / own, shared / self._sizes, self._whole * self._inside]
        )

    @cached_property
    def _steps(self) -> Array:
        """(n, n): how far apart two lie, in sizes of the one."""
        apart = lengths(self._middles[:, None] - self._middles) / np.sqrt(self._sizes)[:, None]
        return np.asarray(np.minimum(FAR, apart), np.float64)

    @cached_property
    def _neighbours(self) -> NDArray[np.bool_]:
        """(n, n): which one is surely another card than an equal one before it, as the row shows."""
        out = np.zeros(self._equal.shape, np.bool_)
        for one, other in np.argwhere(np.tril(self._equal, -1)).tolist():
            out[one, other] = self._rows.two(self.cards[one], self.cards[other])
        return out

    def features(self, number: int, accepted: Sequence[int]) -> Array:
        """What a candidate is judged by, beside those `accepted` (numbers): as `FEATURES`."""
        beside = np.zeros((1, len(self.cards)), np.bool_)
        beside[0, list(accepted)] = True
        return np.asarray(self.features_beside(np.array([number]), beside)[0], np.float64)

    def features_beside(self, numbers: NDArray[np.intp], beside: NDArray[np.bool_]) -> Array:
        """The same of many (m, features), each beside other candidates (m, n), all of which come before it."""
        out = np.concatenate([self._own[numbers], np.tile(_ALONE, (len(numbers), 1))], axis=1)
        prints = self.plane.prints[0]
        out[:, -2:] = prints.four_cornered, prints.bare
        some = np.flatnonzero(beside.any(axis=1))
        if len(some):
            out[some, self._own.shape[1] : -2] = self._beside(numbers[some], beside[some])
        return out

    def _beside(self, numbers: NDArray[np.intp], beside: NDArray[np.bool_]) -> Array:
        """(m, features): what the others say of those that lie beside some."""
        rows, union = np.arange(len(numbers)), self._shares[0][numbers]
        steps, equal = self._steps[numbers], beside & self._equal[numbers]
        near = np.where(beside, union - 1e-3 * steps, -np.inf).argmax(axis=1)
        pair, twin = np.where(equal, steps, np.inf).argmin(axis=1), equal.any(axis=1)
        residuals, four, away = (table[numbers] for table in self._gaps)
        corners = self._corners[numbers]

        def least(values: Array, which: NDArray[np.bool_], far: float = FAR_MM) -> Array:
            return np.asarray(values.min(axis=1, where=which, initial=far), np.float64)

        return np.column_stack(
            [
                equal.sum(axis=1), *self._shares[:, numbers].max(axis=2, where=beside, initial=0.0),
                twin, least(residuals, equal), least(four, equal), least(residuals, beside & ~equal),
                ~equal[rows, near] & (union[rows, near] > 0), least(away, beside, FAR), least(corners, beside),
                least(corners, equal), twin & (self._neighbours[numbers] | ~equal).all(axis=1),
                np.where(twin, steps[rows, pair], FAR), np.where(twin, self._own[pair, _INDICES], 0.0),
                self._own[near][:, [_INDICES, _SCORE, _CONFIDENCE]], equal[rows, near], steps[rows, near],
                beside.sum(axis=1),
            ]
        )  # fmt: skip


def judged(
    given: Sequence[Candidate],
    size: tuple[int, int],
    trees: Trees,
    tuning: Tuning,
    copies: Mapping[str, int] | None = None,
) -> list[CardInstance]:
    """The cards among the candidates of a picture (`size`: height, width; px), the surest first.

    `copies`: how often the deck holds each face, where that is known: what is not surely a further card and can only
    be a further copy of a face that the deck has no more of, is none.
    """
    if not given:
        return []
    lie = Lie(given, size, tuning)
    everyone = np.arange(len(given))
    accepted = everyone < everyone[:, None]  # until one is not
    chances = trees.chances(lie.features_beside(everyone, accepted))
    out: list[CardInstance] = []
    named: Counter[str | None] = Counter()
    for number, card in enumerate(lie.cards):
        name, sure = lie.names[number], tuning.accepts(card.classification)
        spent = name is not None and named[name] >= _copies(name, copies)
        least = parameters.OWN_CARD if spent or card.hypothesis.side is Side.DOWN else parameters.WORTH_ASKING
        chance = float(chances[number])
        if chance < (parameters.MAY_BE_CARD if sure and not spent else least):
            accepted[:, number] = False
            rest = everyone[number + 1 :]
            chances[rest] = trees.chances(lie.features_beside(rest, accepted[rest]))
            continue
        card = replace(card, own=chance)
        if sure and chance < (parameters.OWN_EQUAL if named[name] else parameters.OWN_CARD):
            card = replace(card, classification=card.classification.abstained(tuning))
        elif sure:
            named[name] += 1
        out.append(card)
    return out


def _copies(face: str, copies: Mapping[str, int] | None) -> float:
    """How often the deck holds a face; endless where that is not known. Which joker is which, nobody knows yet."""
    if copies is None:
        return np.inf
    return copies.get("JK1", 0) + copies.get("JK2", 0) if face == "JK1" else copies.get(face, 0)
