"""What the assembly works on: where a physical card may lie, and which indices were read as different faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.plane import TablePlane
from companion.vision.geometry import (
    Array,
)
from companion.vision.types import Side


@dataclass(frozen=True, slots=True, eq=False)
class IndexConflicts:
    """What was read at n indices: which pairs (n, n) were read differently, and which clearly so."""

    conflicting: NDArray[np.bool_]
    certain: NDArray[np.bool_]

    def with_parted(self, parted: NDArray[np.bool_]) -> IndexConflicts:
        """The same with pairs (n, n) that are of two cards, whatever was read there."""
        return IndexConflicts(self.conflicting | parted, self.certain | parted)

    @classmethod
    def of(cls, names: Sequence[int], clear: Sequence[bool]) -> IndexConflicts:
        """From the likeliest face of each index, and whether it is beyond doubt."""
        faces, sure = np.array(names, np.intp), np.array(clear, np.bool_)
        conflicting = faces[:, None] != faces[None]
        return cls(conflicting, conflicting & sure[:, None] & sure[None])


@dataclass(slots=True)
class CardHypothesis:
    """One physical card on its way to being read. `indices` are the numbers of the index quads that belong to it."""

    outline: Array
    side: Side
    score: float
    plane: TablePlane
    """The table on which it lies."""
    indices: list[int] = field(default_factory=list)
    body_visible: bool = True
    """False where the outline was deduced from an index, because something covers the body."""
    strange: frozenset[int] = frozenset()
    """The indices that are of other cards, as a border shows between them and its own (`borders`)."""
    detected_outline: Array | None = None
    """The outline as the detector gave it, before it was moved onto the edges."""

    @classmethod
    def of_index(cls, index: Array, plane: TablePlane, numbers: Sequence[int] = ()) -> CardHypothesis:
        """A card known by one index (4, 2) px alone, whose body is occluded; `numbers`: that of the index."""
        outline = plane.card_outline([index])[0]
        return cls(outline, Side.UP, parameters.UNCONFIRMED_SCORE, plane, list(numbers), body_visible=False)

    def alternatives(self) -> list[CardHypothesis]:
        """The same card seen otherwise: edges not trusted, or long and short side confused (steep views)."""
        outlines = [] if self.detected_outline is None else [self.detected_outline]
        outlines += [np.roll(outline, 1, axis=0) for outline in [self.outline, *outlines]]
        return (
            [replace(self, outline=outline, detected_outline=None) for outline in outlines] if self.body_visible else []
        )
