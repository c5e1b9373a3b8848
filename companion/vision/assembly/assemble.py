"""Detections become card hypotheses: which outlines are one card, which index belongs to which, what is left over.

Place and direction decide, in millimetres on the table (`plane`, which indices that were read alike help to measure).
Otherwise a name only forbids: indices that were clearly read as different faces are not on one card, nor, where the
place alone leaves it open, any that were read differently.
Indices are found more exactly than outlines: those that lie as corners of one card do make its outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import edges, parameters
from companion.vision.assembly.borders import parted_between, parted_by_border
from companion.vision.assembly.corner_counts import four_corner_cards, two_corner_prints
from companion.vision.assembly.grouping import group_indices
from companion.vision.assembly.hypotheses import CardHypothesis, IndexConflicts
from companion.vision.assembly.outlines import outlines_of
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.poses import IndexPoses, separated_by_third
from companion.vision.assembly.prints import nearest_print
from companion.vision.geometry import (
    Array,
    locate_on_card,
    overlapping_boxes,
    points_inside,
    quarter_turn_if_ambiguous,
    side_lengths,
)
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import same_card
from companion.vision.types import Side


def assemble(
    cards: Sequence[Detection],
    indices: Sequence[Array],
    bright: NDArray[np.uint8],
    conflicts: IndexConflicts | None = None,
    moved: Sequence[Array] | None = None,
    beside: Sequence[Array] = (),
) -> list[CardHypothesis]:
    """Turn outlines and index quads (px) into physical cards.

    `bright`: the picture as `edges.min_channel` sees it; `conflicts`: which indices say otherwise, where that is known;
    `moved`: the cards' outlines on the edges of `bright`, where they were put there already; `beside`: outlines of
    cards that surely lie on the table beside this picture. First come the cards whose
    corners several indices are, then the detector's outlines that are none of those, each with the index nearest to
    each of its corners; an index on no card's corner shows a further card, whose outline follows from the table's
    plane.
    """
    if not cards and not indices:
        return []
    outlines = edges.refine_outlines(bright, [card.keypoints for card in cards]) if moved is None else moved
    up = [(card, outline) for card, outline in zip(cards, outlines, strict=True) if card.label is DetectionClass.UP]
    faces = [outline for _, outline in up]
    clear = [outline for card, outline in up if card.score >= parameters.CLEAR_FACE_SCORE]
    parted = parted_by_border(clear, indices, conflicts.conflicting, bright) if conflicts is not None else None
    table = _grouped(clear, faces, outlines, indices, conflicts, parted, bright.shape[:2], beside)
    if parted is not None and (between := parted_between(table.strict, table.poses, table.groups, bright)).any():
        parted = parted | between
        table = _grouped(clear, faces, outlines, indices, conflicts, parted, bright.shape[:2], beside)
    plane, poses, strict, conflicts = table.plane, table.poses, table.strict, table.conflicts
    planes = [plane] * len(table.whole) + [strict] * len(table.groups)
    groups = [*table.whole, *table.groups]
    hypotheses = [
        CardHypothesis(outline, Side.UP, parameters.UNCONFIRMED_SCORE, own, group)
        for outline, own, group in zip(outlines_of(plane, poses, groups, faces, bright), planes, groups, strict=True)
    ]
    _add_outlines(hypotheses, cards, outlines, strict)
    alone = [hypothesis for hypothesis in hypotheses if hypothesis.indices and hypothesis.detected_outline is None]
    moved = edges.refine_outlines(bright, [hypothesis.outline for hypothesis in alone])
    for hypothesis, outline in zip(alone, moved, strict=True):
        hypothesis.detected_outline, hypothesis.outline = hypothesis.outline, outline
    _assign_free_indices(hypotheses, indices, poses, conflicts, strict)
    taken = {number for hypothesis in hypotheses for number in hypothesis.indices}
    free = [number for number in range(len(indices)) if number not in taken]
    hypotheses += [CardHypothesis.of_index(indices[number], strict, [number]) for number in free]
    if parted is not None and parted.any():
        for hypothesis in hypotheses:
            hypothesis.strange = frozenset(np.flatnonzero(parted[hypothesis.indices].any(axis=0)).tolist())
    return hypotheses


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    """The table's `plane`, the indices' `poses` on it, the cards that show all corners (`whole`) and the other `groups`
    of indices, as the plane `strict` about a print's corners has them."""

    plane: TablePlane
    poses: IndexPoses
    whole: list[list[int]]
    groups: list[list[int]]
    strict: TablePlane
    conflicts: IndexConflicts


def _grouped(
    clear: Sequence[Array],
    faces: Sequence[Array],
    outlines: Sequence[Array],
    indices: Sequence[Array],
    conflicts: IndexConflicts | None,
    parted: NDArray[np.bool_] | None,
    size: tuple[int, ...],
    beside: Sequence[Array],
) -> _Grouped:
    """Which indices are of one card; those that are `parted` (n, n) are not."""
    if conflicts is not None and parted is not None:
        conflicts = conflicts.with_parted(parted)
    measured = [*(clear or faces or outlines), *beside]
    plane = TablePlane.fit(measured, indices, conflicts.conflicting if conflicts else None, size)
    conflicts = conflicts or IndexConflicts.of([0] * len(indices), [False] * len(indices))
    poses = plane.poses(indices)
    whole = four_corner_cards(clear, indices, conflicts)
    groups = _several(group_indices(plane, faces, poses, conflicts, whole))
    strict = two_corner_prints(plane, poses, indices, [*whole, *groups], outlines, size)
    if strict is not plane:  # three corners of a card of another print than most: no two cards show them so
        whole += [group for group in groups if len(group) > 2 and not conflicts.conflicting[np.ix_(group, group)].any()]
        groups = _several(group_indices(strict, faces, poses, conflicts, whole))
    return _Grouped(plane, poses, whole, groups, strict, conflicts)


def _several(groups: Sequence[list[int]]) -> list[list[int]]:
    """Those of more than one index."""
    return [group for group in groups if len(group) > 1]


def _add_outlines(
    hypotheses: list[CardHypothesis], cards: Sequence[Detection], outlines: Sequence[Array], plane: TablePlane
) -> None:
    """Join each of the detector's outlines to the hypothesis that it confirms, or add it as one of its own."""
    made, confirmed = len(hypotheses), set[int]()
    lying = np.concatenate([np.reshape([one.outline for one in hypotheses], (-1, 4, 2)), np.zeros((len(cards), 4, 2))])
    gaps_mm = plane.corner_gaps_mm(lying[:made, None], np.reshape(outlines, (-1, 4, 2)))
    for number, (card, outline) in enumerate(zip(cards, outlines, strict=True)):
        if card.label is DetectionClass.DOWN and made and not plane.is_card_sized(outline):
            continue  # nothing on a back says that it is one, but the cards beside it say how large it must be
        near = overlapping_boxes(outline, lying[: len(hypotheses)])
        same = next((n for n in near if same_card(hypotheses[n].outline, outline)), None)
        if same is None:
            lying[len(hypotheses)] = outline
            side = Side.DOWN if card.label is DetectionClass.DOWN else Side.UP
            hypotheses.append(CardHypothesis(outline, side, card.score, plane, detected_outline=card.keypoints))
        elif hypotheses[same].indices:
            hypothesis = hypotheses[same]
            hypothesis.score = max(hypothesis.score, card.score) if same in confirmed else card.score
            if same not in confirmed and gaps_mm[same, number] < parameters.EXACT_OUTLINE_MM:
                lying[same] = outline
                hypothesis.detected_outline, hypothesis.outline = hypothesis.outline, outline
            confirmed.add(same)


def plausible_sizes(cards: Sequence[Detection], indices: Sequence[Array]) -> list[bool]:
    """Which index quads are small enough for the card in which they lie (the smallest clear outline around them)."""
    up = [card for card in cards if card.label is DetectionClass.UP and card.score > parameters.CLEAR_FACE_SCORE]
    if not up or not indices:
        return [True] * len(indices)
    outlines, quads = np.stack([card.keypoints for card in up]), np.stack(indices)
    around = points_inside(outlines, quads.mean(axis=1)).T
    longest = np.where(around, side_lengths(outlines).max(axis=1), np.inf).min(axis=1)
    return [bool(fits) for fits in side_lengths(quads).max(axis=1) < parameters.LARGEST_INDEX * longest]


def _assign_free_indices(
    hypotheses: Sequence[CardHypothesis],
    indices: Sequence[Array],
    poses: IndexPoses,
    conflicts: IndexConflicts,
    plane: TablePlane,
) -> None:
    """Give each free index to the outline at one of whose corners it fits best; a corner takes one index only."""
    taken = {number for hypothesis in hypotheses for number in hypothesis.indices}
    errors = plane.residuals(poses)
    offsets, alignment = poses.offsets
    four = [plane.prints[n].four_cornered for n in nearest_print(plane.prints, poses.sizes).tolist()]
    claims = []
    for number, index in enumerate(indices):
        if number in taken:
            continue
        for which, hypothesis in enumerate(hypotheses):
            for outline in (
                hypothesis.outline,
                *([] if hypothesis.indices else quarter_turn_if_ambiguous(hypothesis.outline)),
            ):
                position = locate_on_card(outline, index)
                if position is not None and (four[number] or position.corner in (0, 2)):
                    claims.append((position.error, number, which, position.corner))
    corners: set[tuple[int, int]] = set()
    for _, number, which, corner in sorted(claims):
        hypothesis = hypotheses[which]
        if (
            number in taken
            or (which, corner) in corners
            or any(conflicts.conflicting[number, other] for other in hypothesis.indices)
            or (
                len(hypothesis.indices) > 1
                and (errors[number, hypothesis.indices] > parameters.CORNERS_OUTLINED_MM).any()
            )
            or _separated(offsets, alignment, number, hypothesis.indices)
        ):
            continue
        taken.add(number)
        corners.add((which, corner))
        hypothesis.indices.append(number)


def _separated(offsets: Array, alignment: Array, index: int, others: Sequence[int]) -> bool:
    """True for an index that cannot be of the card of others, as a third lies between it and one that reads alike."""
    pairs = np.array(
        [(index, other) for other in others if alignment[index, other] > parameters.SAME_WAY], np.intp
    ).reshape(-1, 2)
    return bool(separated_by_third(offsets, alignment, pairs).any())
