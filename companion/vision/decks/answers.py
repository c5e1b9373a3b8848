"""What is known of one card while an enrolled deck is asked about it: what maps say of it, how it lies on pictures, and
which card it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.decks import parameters
from companion.vision.decks.crops import Crops, Seen
from companion.vision.decks.matching import Floats
from companion.vision.geometry import Array
from companion.vision.types import Candidate


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid onto the pictures it is most like, likeliest first: which they are, upside down or not, under which
    map (2, 3), and what it shows there: (n, height, width, 3) upright, at half the size; `seen` (n, height, width):
    where nothing lies on it. `alike`: (2, pictures), how well it agrees with each, upright and upside down."""

    pictures: list[int]
    ways: list[bool]
    moves: list[Floats]
    shown: Crops
    alike: Floats
    seen: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A card cut out of a picture: its crops, levelled and, `fine`, `SAMPLE` times as large as cut; and its map."""

    fine: Crops
    plain: Crops
    map: Floats


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What maps say of a card before it is laid onto anything: its crops, levelled and, `fine`, `SAMPLE` times as large
    as cut; `seen`: where; `said` (2, templates): log evidence of each, upright and upside down."""

    fine: Crops
    plain: Crops
    seen: Seen | None
    said: Floats

    @property
    def ahead(self) -> float:
        """By how much log evidence the likeliest picture, or face, is ahead of the next."""
        each = np.sort(self.said[:, :-1].max(axis=0))
        return float(each[-1] - each[-2]) if len(each) > 1 else float(each[-1])


@dataclass(frozen=True, slots=True)
class Recognised:
    """Which card it may be: candidates, likeliest first, whose probabilities add up to 1 with that of any other card;
    and, each by itself, how sure its picture and its mark are."""

    candidates: tuple[Candidate, ...]
    picture: float
    mark: float
    outline: Array | None = field(default=None, compare=False)
    """Where the card lies as it was laid onto its likeliest picture, if it was: (4, 2) px of the crop, or of what it
    was cut from."""
    alike: float = 0.0
    """How much it looks like its likeliest picture laid onto it, -1..1; where none is laid on, how sure it is."""

    @property
    def face(self) -> str | None:
        """The likeliest face where it is sure, else None."""
        return self.candidates[0].face if self.candidates and self.candidates[0].p >= parameters.ACCEPT else None


NOTHING = Recognised((), 0.0, 0.0)


def surely_behind(alike: Floats, seen: Seen | None) -> NDArray[np.bool_]:
    """(pictures,): which a card that is seen whole is surely less like, by `Laid.alike`, than the one it is most
    like."""
    each = alike.max(axis=0)
    surely = seen is None and each.max() > parameters.SURELY_ALIKE
    return np.asarray(each < each.max() - parameters.SURELY_AHEAD) & surely
