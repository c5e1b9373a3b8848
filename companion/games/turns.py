"""Whose turn comes next, in either direction, for games that pass the turn around the table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from companion.games.contract import Game, Option, Setup, SetupError

CLOCKWISE, COUNTER = 1, -1

DIRECTIONS = ("cw", "ccw")
STARTERS = ("1", "2", "3", "4", "5")


def starter_option(clause: str) -> Option:
    """Who begins: the players decide (by janken), so it is chosen with the set-up."""
    return Option("starter", STARTERS, clause)


def starting_seat(game: Game[Any], setup: Setup) -> int:
    """The seat the set-up chose to begin. Raises SetupError when nobody sits there."""
    seat = int(setup.option(game, "starter")) - 1
    if seat >= len(setup.players):
        raise SetupError(f"the starter is one of the {len(setup.players)} players, not player {seat + 1}")
    return seat


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
