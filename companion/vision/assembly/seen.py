"""What was seen of one thing on the table: looks at its indices, the look at its whole face, and the verdict."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly.cards import Thing
from companion.vision.geometry import Array, Pose, lengths, window_index
from companion.vision.images import Pixels
from companion.vision.reading.reader import Evidence, Tuning, Verdict, average, combine
from companion.vision.types import Side

CLEAR = 0.9
"""A look names a face clearly from this probability on: enough to contradict another look."""

CLEAR_OUTLINE = 0.7
"""Detector score from which an outline with one index is a card without doubt."""


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

    @cached_property
    def name(self) -> int:
        """Number of the likeliest face."""
        return int(self.evidence.faces.argmax())

    @cached_property
    def top(self) -> float:
        """Its probability."""
        return float(self.evidence.faces.max())

    @property
    def clear(self) -> bool:
        """True where an index was seen and named beyond doubt."""
        return self.readable and self.top > CLEAR

    @property
    def place(self) -> Array:
        """The index quad (px) that was looked at, detected or guessed from a corner's window."""
        return window_index(self.window) if self.quad is None else self.quad


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
        """True for a card that is surely one of its own: a clear outline of a face with its index, or two indices."""
        places = len(self.readable_places)
        outlined = self.thing.whole and self.thing.side is Side.UP and self.thing.score >= CLEAR_OUTLINE
        return places >= 2 or (places == 1 and outlined)

    @property
    def clear(self) -> bool:
        """True where some index was read beyond doubt."""
        return any(look.clear for look in self.looks)

    @property
    def readable_places(self) -> list[Array]:
        """The index quads (px) that were readable: see `Look.place`."""
        return [look.place for look in self.looks if look.readable]


def same_index(looks: Sequence[Look]) -> NDArray[np.bool_]:
    """Which two looks (n, n) are at one printed index: nearly one place, one direction.

    Two detected indices are exact; a window at an outline's corner is less so.
    """
    poses = [look.pose for look in looks]
    places = np.array([(pose.x, pose.y) for pose in poses]).reshape(-1, 2)
    downs = np.array([(pose.down_x, pose.down_y) for pose in poses]).reshape(-1, 2)
    tall, exact = np.array([pose.tall for pose in poses]), np.array([look.quad is not None for look in looks], np.bool_)
    reach = np.where(exact[:, None] & exact, 0.3, 0.45) * np.minimum(tall[:, None], tall)
    return np.asarray((lengths(places[:, None] - places) < reach) & (downs @ downs.T > 0.7), np.bool_)


def once(looks: Sequence[Look]) -> tuple[Look, ...]:
    """Looks of one card at the same printed index (its corner's window and a detected index) become one look."""
    groups: list[list[int]] = []
    same = same_index(looks)
    for number in range(len(looks)):
        group = next((group for group in groups if same[group[0], number]), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return tuple(_best([looks[number] for number in group]) for group in groups)


def _best(group: Sequence[Look]) -> Look:
    """The look laid around the index where that one reads: it does not depend on the outline. Else the mean of all."""
    for look in group:
        if look.quad is not None and look.readable:
            return look
    first = max(group, key=lambda look: look.evidence.weight)
    return replace(first, evidence=average([look.evidence for look in group]))


def with_looks(
    seen: Seen,
    looks: tuple[Look, ...],
    tuning: Tuning,
    deck: Collection[str] | None,
    face: Evidence | None = None,
) -> Seen:
    """The same thing judged by other looks; without the whole face, unless given, where that showed several cards."""
    verdict = combine([look.evidence for look in looks], face, tuning, deck)
    return replace(seen, looks=looks, face=face, verdict=verdict)
