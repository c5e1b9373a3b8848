"""What the camera side hands to the rest: plain data, no OpenCV needed to import it.

Image coordinates are pixels of the original picture, x to the right, y down, origin at the outer corner of the
top-left pixel. Table coordinates are millimetres when the camera is calibrated, else fractions of the picture
(0..1 both ways); `Frame.unit` says which.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Region = tuple[int, int, int, int]
"""Left, top, right, bottom in px of a picture; right and bottom lie just outside."""
NOWHERE: Region = (-1, -1, -1, -1)
"""A region that meets nothing."""


class Side(StrEnum):
    """Which side of a card is visible."""

    UP = "up"
    DOWN = "down"


class Unit(StrEnum):
    """The unit of table coordinates."""

    MM = "mm"
    FRACTION = "fraction"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible identity of a card: a face code and its calibrated probability (0..1)."""

    face: str
    p: float


@dataclass(frozen=True, slots=True)
class CardRead:
    """One physical card found in one picture.

    `face` is None where the reader abstains, and for a card that lies face down. `confidence` is the
    probability of `face` (of the best candidate where it abstains; of "this is a back" for a back).
    `polygon` is the outline in pixels, clockwise, starting at the card's own top-left corner as far as the
    direction is known. `candidates` are ordered, most likely first. `own` is the chance that it is a card of
    its own, not a second sight of another; `agreed` that its print is not misread in every picture alike, by how well
    all that was read of it agrees with its likeliest face. `glanced`: something lies there, and what it is would have
    taken a second look, which was not worth it. `indices`: the middles of those it was read by, px.
    """

    face: str | None
    confidence: float
    side: Side
    polygon: Quad
    candidates: tuple[Candidate, ...] = ()
    own: float = 1.0
    agreed: float = 1.0
    glanced: bool = False
    indices: tuple[Point, ...] = ()

    @property
    def centre(self) -> Point:
        """Mean of the four corners, px."""
        return (sum(p[0] for p in self.polygon) / 4, sum(p[1] for p in self.polygon) / 4)


@dataclass(frozen=True, slots=True)
class Sight:
    """An outline (px) that the detector saw, be it a card or another sight of one: which `side` it seems, its best
    score, in how many `views` it was seen so, and what they score together."""

    polygon: Quad
    side: Side
    score: float
    views: int
    heard: float


def in_reading_order(cards: Iterable[CardRead], height: int) -> tuple[CardRead, ...]:
    """The cards by rows, each from left to right, of a picture `height` px high."""
    return tuple(sorted(cards, key=lambda card: (card.centre[1] // (0.15 * height), card.centre[0])))


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Everything read in one picture. `ms` is the time the reading took, decoding left out.

    `letters`: those surely printed there that tell a deck's language; see `companion.vision.reading.letters`. `inks`:
    those of suits, as words; see `companion.vision.assembly.inks`.
    `outlines`: all that looked like a card, also more than once, or where it made no card of `cards`. `sights`: all
    that it was told from, where faces may lie there that the reader cannot name. `parts`: nothing but these parts of
    the picture was read, px, and no card that their edges cut; empty: all of it was.
    """

    width: int
    height: int
    ms: float
    cards: tuple[CardRead, ...] = ()
    letters: frozenset[str] = frozenset()
    inks: frozenset[str] = frozenset()
    outlines: tuple[Quad, ...] = ()
    sights: tuple[Sight, ...] = ()
    parts: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture to be read, px. `beside`: the outlines of cards that surely lie in the rest of the picture:
    they tell how large cards are, and how the table lies."""

    box: Region
    beside: tuple[Quad, ...] = ()


class PictureReader(Protocol):
    """What reads pictures: `companion.vision.pipeline.Reader` once, `companion.vision.pipeline.TwoPassReader`
    twice."""

    def read(
        self,
        image: NDArray[np.uint8],
        deck: Collection[str] | None = None,
        letters: Collection[str] = (),
        where: Sequence[Region] | None = None,
        parts: Sequence[Part] = (),
    ) -> ReadResult:
        """All cards in a (height, width, 3) BGR picture. `deck`: faces that may occur; `letters`: those read on this
        table before, its inks, and `V=J` or `V=Q` where a person said what a V is. `where`: what matters; a card
        elsewhere may be `glanced` at. None: everything does; (`NOWHERE`,): nothing does; empty: nothing does, and what
        shows nothing else than in the picture of this camera before need not be looked at. `parts`: it suffices to read
        these parts of the picture, none of which overlaps another; the answer says whether that was done."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One tracked card on the table, in table coordinates.

    `track` is stable while the card stays on the table; two equal faces have two tracks. `crop` names the
    evidence picture (a key of the evidence store), or is None. `since`: when it was first seen to lie there, s of the
    camera's clock; of cards on one pile the latest lies on top. -inf: nobody knows. `covered`: it was not found when
    the table was last read: something lies on it, or it is gone and other cards fill its place. `hidden`: what rests
    there, as a dealer's hands do, may hide it: nobody sees whether it has left.
    """

    track: int
    face: str | None
    confidence: float
    side: Side
    polygon: Quad
    candidates: tuple[Candidate, ...] = ()
    crop: str | None = None
    since: float = -math.inf
    covered: bool = False
    hidden: bool = False

    @property
    def centre(self) -> Point:
        """Mean of the four corners, table coordinates."""
        return (sum(p[0] for p in self.polygon) / 4, sum(p[1] for p in self.polygon) / 4)


@dataclass(frozen=True, slots=True)
class Stir:
    """A part of the table, in table coordinates, in which something last moved at `time` (s of the camera's clock);
    `lasting`: and has for long, as a dealer's hands do."""

    area: Quad
    time: float
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """A place (table coordinates) at which the tip of a hand was from `began` to `ended` (s of the camera's clock)."""

    point: Point
    began: float
    ended: float


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand over the table. `entry`: where it reaches over the edge of the picture (table coordinates, beyond the
    table as a rule); `stops`: where its tip was, in order, short ones on its way too; `began`, `ended` in s of the
    camera's clock, `ended` None while it is there. `number` stays the same while the hand does not leave."""

    number: int
    entry: Point
    stops: tuple[Stop, ...]
    began: float
    ended: float | None = None


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The table as the tracker believes it lies now.

    `settled`: nothing moved anywhere for the gate's time. `stirs`: where something moved lately, so that every part
    of the table can rest for itself while a hand stays elsewhere; without any, an unsettled table moves as a whole.
    `visits`: the hands that are over the table, or were lately. `unseen`: when a hand may last have come and gone
    that nobody saw, between frames far apart, s; -inf: never. `astray`: from when to when one that came out from under
    a hand at rest last moved, s.
    """

    time: float
    settled: bool
    unit: Unit
    cards: tuple[SeenCard, ...] = ()
    frame: int = 0
    size: tuple[float, float] = field(default=(1.0, 1.0))
    stirs: tuple[Stir, ...] = ()
    visits: tuple[Visit, ...] = ()
    unseen: float = -math.inf
    astray: tuple[float, float] = (-math.inf, -math.inf)
