"""Where people sit round a table: how many at each edge, seat 0 at the lower one, the others clockwise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

PERSON = 550.0
"""Width (mm) that a person takes at the edge of a table."""

Sides = tuple[int, int, int, int]
"""Seats at the lower, left, upper and right edge."""


@lru_cache(maxsize=128)
def seatings(seats: int, size: tuple[float, float]) -> tuple[Sides, ...]:
    """Ways to seat `seats` people at a table of `size` mm, the best first: nobody squeezed, opposite sides alike,
    long sides before short ones."""
    ways = [sides for sides in _ways(seats) if _even(sides)]

    def crowd(sides: Sides) -> tuple[float, ...]:
        lengths = (size[0], size[1], size[0], size[1])
        over = sum(max(0, n - max(1, int(length // PERSON))) for n, length in zip(sides, lengths, strict=True))
        squeezed = sum(n * n / length for n, length in zip(sides, lengths, strict=True)) if over else 0.0
        short = sides[1] + sides[3] if size[0] >= size[1] else sides[0] + sides[2]
        uneven = abs(sides[0] - sides[2]) + abs(sides[1] - sides[3])
        return over, squeezed, uneven, short, sides[0], sides[3]

    return tuple(sorted(ways, key=crowd))


def _ways(seats: int) -> Iterator[Sides]:
    for low in range(1, seats + 1):
        for left in range(seats - low + 1):
            for up in range(seats - low - left + 1):
                yield low, left, up, seats - low - left - up


def _even(sides: Sides) -> bool:
    """Opposite sides differ by one person at most; two people sit face to face."""
    low, left, up, right = sides
    even = abs(low - up) <= 1 and abs(left - right) <= 1
    return even and (sum(sides) != 2 or low == up == 1)


def places_at(sides: Sides) -> tuple[tuple[int, ...], ...]:
    """The seats at each side, in clockwise order: along the lower edge from right to left, and so on."""
    seats, low = sum(sides), sides[0]
    first = -((low - 1) // 2)
    order = [(first + n) % seats for n in range(seats)]
    found, at = [], 0
    for count in sides:
        found.append(tuple(order[at : at + count]))
        at += count
    return tuple(found)
