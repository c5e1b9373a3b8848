"""`companion simulate`: bots play whole games, on all cores."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

import click

from companion.cards import deck as find_deck
from companion.cards import keep, own_deck
from companion.commands import counted
from companion.commands.games import with_games
from companion.games import Setup
from companion.games import game as find_game
from companion.referee.simulate import Statistics, percent, simulate, table_setup

_Job = tuple[str, int, str, str, str | None, Setup, int]
MOST_A_JOB = 5
"""Games that a worker plays before it tells: so few are lost when somebody stops."""


def simulated(
    game: str,
    count: int,
    seed: str,
    players: int | None,
    bots: str,
    rival: str | None,
    options: Mapping[str, str],
    data: Path,
    deck: str = "",
) -> Statistics:
    """Play `count` games of `game`; the bar of progress goes to the terminal. `rival`: the bots on all seats but one.
    `data`: the data folder, where games from outside lie;
    `deck`: the name of the deck, "" for the one that the game recommends. An interrupt ends it with what was played so
    far. Raises SetupError, UnknownGameError, GameError, PlayError."""
    setup = table_setup(find_game(game), players, **options)
    setup = replace(setup, deck=deck) if deck else setup
    design = find_deck(deck).design if deck else None
    find_game(game).start(setup)  # says at once what is wrong with the set-up
    workers = os.cpu_count() or 1
    share = 1 if "strong" in (bots, rival) else max(1, min(MOST_A_JOB, count // (4 * workers)))
    jobs = [(game, min(share, count - first), seed, bots, rival, setup, first) for first in range(0, count, share)]
    total = Statistics(game, setup, bots, rival=rival)
    hidden = not sys.stderr.isatty()
    try:
        with (
            _pool(min(workers, len(jobs)), data, (design.text, deck) if design else None) as pool,
            click.progressbar(length=count, label=game, file=sys.stderr, hidden=hidden) as bar,
        ):
            for part in pool.imap_unordered(_play, jobs):
                total.merge(part)
                bar.update(part.games)
    except KeyboardInterrupt:  # leaving the pool has ended its workers
        pass
    return total


def _pool(workers: int, data: Path, own: tuple[str, str] | None) -> Pool:
    """Workers that leave it to this process to end them, from their first moment on: a terminal interrupts them too."""
    mine = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited
    try:
        return get_context("spawn").Pool(workers, _prepared, (data, own))
    finally:
        signal.signal(signal.SIGINT, mine)


def _prepared(data: Path, own: tuple[str, str] | None) -> None:
    """A worker knows the games from outside and the deck of one's `own` (text and name), and is not interrupted, also
    where it did not inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with_games(data)
    if own is not None:
        keep(own_deck(own[0], own[1].partition("~")[0]))


def _play(job: _Job) -> Statistics:
    """One worker's share, in a process that knows the games from outside."""
    game, games, seed, bots, rival, setup, first = job
    return simulate(game, games, seed, random.Random, setup=setup, bot=bots, rival=rival, first=first)


def as_table(total: Statistics, asked: int) -> Iterator[str]:
    """How long the games were, and how every seat fared, with intervals of 95 %."""
    setup, seats, mean = total.setup, len(total.setup.players), total.actions / max(1, total.games)
    deck = setup.deck or "own deck"
    bots = f"one {total.bot} bot, the others {total.rival}" if total.rival else f"{total.bot} bots"
    stopped = f" of {asked}, stopped" if total.games < asked else ""
    yield f"{total.game}, {counted(seats, 'player')}, {deck}, {bots}: {counted(total.games, 'game')}{stopped}"
    yield f"actions a game: {mean:.1f} (least {total.shortest}, most {total.longest})"
    if total.cut:
        yield f"cut off before their end, and won by nobody: {total.cut}"
    if total.rival:
        yield f"the {total.bot} bot wins {percent(total.duel, total.games)}; an even share is {1 / seats:.1%}"
    yield f"{'seat':>5} {'wins':>22} {'mean score':>18} {'best':>7}"
    for seat, wins, mean_score, best in total.rows():
        yield f"{seat:>5} {wins:>22} {mean_score:>18} {best:>7}"
