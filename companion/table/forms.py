"""How many millimetres cards take in each form, and where each card lies in a zone of given size.

A zone is measured as its owner looks at it: `width` to his right, `depth` away from him. Overlapping cards leave the
corner with the index in sight: each lies to the right of, or in a line nearer to its owner than, the one below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from companion.games.places import Form, Place
from companion.vision.geometry import CARD_MM

Size = tuple[float, float]

POKER: Size = CARD_MM
BRIDGE: Size = (57.0, 88.0)
CARDS = {"poker": POKER, "bridge": BRIDGE}
"""Width and height (mm) of a card."""

INDEX: Size = (15.0, 25.0)
"""Width and height (mm) that must stay in sight of an overlapped card, so that its index can be read."""

LEAST_SLACK = 2.0
"""Nobody lays a card nearer (mm) to the edge of its zone."""

GAP = 5.0
"""Between two cards (mm) that lie side by side."""


@dataclass(frozen=True, slots=True)
class Comfort:
    """How generously zones are measured, all in mm. `slack`: round the cards; `pile`: round a pile; `margin`: between
    two zones; `row` and `fan`: from one card to the next and from line to line, None: side by side."""

    name: str
    slack: float
    pile: float
    margin: float
    row: Size | None
    fan: Size
    lines: int = 1


COMFORTS = (
    Comfort("roomy", 14.0, 16.0, 30.0, None, (26.0, 40.0)),
    Comfort("easy", 8.0, 12.0, 20.0, None, (20.0, 32.0), lines=2),
    Comfort("close", 5.0, 7.0, 15.0, (34.0, 93.0), (16.0, 26.0), lines=2),
    Comfort("tight", 3.0, 4.0, 15.0, INDEX, INDEX, lines=4),
)
MARGIN = 15.0
"""The least distance (mm) between two zones."""


@lru_cache(maxsize=512)
def sizes(place: Place, card: Size, comfort: Comfort) -> tuple[Size, ...]:
    """The sizes (mm) that a zone may have to hold its usual cards in comfort and the most it must hold at all; none
    of them is larger than another both ways."""
    if place.form in (Form.PILE, Form.STACK):
        around = 2 * (comfort.pile if place.form is Form.PILE else comfort.slack)
        return ((card[0] + around, card[1] + around),)
    pitch = comfort.fan if place.form is Form.FAN else comfort.row or (card[0] + GAP, card[1] + GAP)
    at_ease = _blocks(place.usual, card, pitch, comfort.slack, comfort.lines)
    packed = _blocks(place.most, card, INDEX, LEAST_SLACK, 6)
    return least({(max(a, c), max(b, d)) for a, b in at_ease for c, d in packed})


def _blocks(count: int, card: Size, pitch: Size, slack: float, lines: int) -> Iterator[Size]:
    for line in range(1, min(count, lines) + 1):
        across = ceil(count / line)
        yield (
            card[0] + (across - 1) * pitch[0] + 2 * slack,
            card[1] + (line - 1) * pitch[1] + 2 * slack,
        )


def least(found: set[Size]) -> tuple[Size, ...]:
    """Those of the sizes that no other one beats both ways, narrow ones first."""
    kept: list[Size] = []
    for width, depth in sorted(found):
        if not kept or depth < kept[-1][1]:
            kept.append((width, depth))
    return tuple(kept)


def lay(form: Form, count: int, zone: Size, card: Size) -> tuple[tuple[float, float], ...] | None:
    """Where the centres of `count` cards lie (mm from the zone's centre, to the owner's right and towards him), as
    widely as the zone allows; None when they do not fit with every index in sight."""
    if not count:
        return ()
    if card[0] + 2 * LEAST_SLACK > zone[0] + 1e-6 or card[1] + 2 * LEAST_SLACK > zone[1] + 1e-6:
        return None
    if form in (Form.PILE, Form.STACK):
        return ((0.0, 0.0),) * count
    ways = [way for lines in range(1, count + 1) if (way := _spread(count, lines, zone, card)) is not None]
    if not ways:
        return None
    across, (right, down) = max(ways, key=lambda way: min(way[1][0] / card[0], way[1][1] / card[1]))
    lines = ceil(count / across)
    return tuple(
        ((n % across - (across - 1) / 2) * right, (n // across - (lines - 1) / 2) * down) for n in range(count)
    )


def _spread(count: int, lines: int, zone: Size, card: Size) -> tuple[int, Size] | None:
    """Cards in a line, and the steps from card to card and from line to line; None when an index would be hidden."""
    across = ceil(count / lines)
    steps = []
    for axis, number in ((0, across), (1, ceil(count / across))):
        wide = card[axis] + GAP
        step = min(wide, (zone[axis] - 2 * LEAST_SLACK - card[axis]) / (number - 1)) if number > 1 else wide
        if step < INDEX[axis] - 1e-6:
            return None
        steps.append(step)
    return across, (steps[0], steps[1])
