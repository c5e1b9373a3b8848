"""Whose turn comes next, in either direction, for games that pass the turn around the table."""

from __future__ import annotations

from collections.abc import Collection

CLOCKWISE, COUNTER = 1, -1

DIRECTIONS = ("cw", "ccw")


def step_of(direction: str) -> int:
    """The option ``direction`` as a step: 1 clockwise, -1 counter-clockwise."""
    return CLOCKWISE if direction == "cw" else COUNTER


def after(seat: int, seats: Collection[int], count: int, step: int = CLOCKWISE) -> int:
    """The next of `seats` after `seat` around a table of `count`; `seat` itself when there is no other."""
    for distance in range(1, count + 1):
        there = (seat + step * distance) % count
        if there in seats:
            return there
    return seat
