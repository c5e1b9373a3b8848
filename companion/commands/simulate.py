"""`companion simulate`: bots play whole games, on all cores."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import click

from companion.commands.games import with_games
from companion.games import Setup
from companion.games import game as find_game
from companion.referee.simulate import Statistics, simulate, table_setup

_Job = tuple[str, int, str, str, Setup, int]


def simulated(
    game: str, count: int, seed: str, players: int | None, bots: str, options: Mapping[str, str], data: Path
) -> Statistics:
    """Play `count` games of `game`; the bar of progress goes to the terminal. `data`: the data folder, where games
    from outside lie. Raises SetupError, UnknownGameError, GameError, PlayError."""
    setup = table_setup(find_game(game), players, **options)
    find_game(game).start(setup)  # says at once what is wrong with the set-up
    workers = os.cpu_count() or 1
    share = max(1, min(200, count // (4 * workers)))
    jobs = [(game, min(share, count - first), seed, bots, setup, first) for first in range(0, count, share)]
    total = Statistics(game, setup, bots)
    hidden = not sys.stderr.isatty()
    with (
        ProcessPoolExecutor(workers, get_context("spawn"), initializer=with_games, initargs=(data,)) as pool,
        click.progressbar(length=count, label=game, file=sys.stderr, hidden=hidden) as bar,
    ):
        for part in pool.map(_play, jobs):
            total.merge(part)
            bar.update(part.games)
    return total


def _play(job: _Job) -> Statistics:
    """One worker's share, in a process that knows the games from outside."""
    game, games, seed, bots, setup, first = job
    return simulate(game, games, seed, random.Random, setup=setup, bot=bots, first=first)


def as_table(total: Statistics) -> Iterator[str]:
    """How long the games were, and how every seat fared."""
    setup, mean = total.setup, total.actions / max(1, total.games)
    deck = setup.deck or "own deck"
    yield f"{total.game}, {len(setup.players)} players, {deck}, {total.bot} bots: {total.games} games"
    yield f"actions a game: {mean:.1f} (least {total.shortest}, most {total.longest})"
    yield f"{'seat':>5} {'wins':>8} {'mean score':>11} {'best':>7}"
    for seat, wins, mean_score, best in total.rows():
        yield f"{seat:>5} {wins:>8} {mean_score:>11} {best:>7}"
