"""Whole games played by bots, and what they say about a game: how long it lasts, who wins from which seat.

How a bot chooses among the concrete actions that a `World` offers says `companion.referee.bots`. Chance is handed in
as a factory (``random.Random`` fits), one per game, seeded with ``"<seed>:<number of the game>"``: game 17 of seed 5 is
always the same game, however the work is divided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.games import Action, Game, Setup, Verdict, game
from companion.games.world import Chance, World
from companion.referee.bots import BOTS, choose, sensible, thought

LIMIT = 20_000
"""Actions after which a game counts as endless."""
Z = 1.96
"""Standard deviations on each side that hold 95 % of a normal distribution."""
ENDLESS_LIMIT = 500
"""Actions of a game that has no end of its own, after which its bots stop."""

Dice = Callable[[str], Chance]


class PlayError(AssertionError):
    """A game contradicts itself; the message names the game, the seed, and the action."""


class Step(NamedTuple):
    """One action of a played game, the states around it and the world after it."""

    before: Any
    action: Action
    after: Any
    world: World[Any]


def play(
    rules: Game[Any],
    setup: Setup,
    chance: Chance,
    bot: str = "random",
    limit: int = LIMIT,
    seats: Mapping[int, str] | None = None,
) -> Iterator[Step]:
    """Play one game, step by step, to its end or to `limit` actions. `seats`: other bots on some seats. Raises
    PlayError when the game calls an action of its own world a foul, or when its prompts and its world disagree about
    the end."""
    state, world = rules.start(setup), rules.world(setup, chance)
    for _ in range(limit):
        action = choose(bot, world, state, chance, rules)
        if seats and action is not None and action.seat is not None and action.seat in seats:
            action = _of_seat(seats[action.seat], rules, world, state, action, chance)
        if action is None:
            if rules.prompts(state):
                raise PlayError(f"{rules.id}: prompts are open, but the world offers no action")
            return
        violations = rules.check(state, action)
        if violations and (fouls := [v for v in violations if v.verdict is Verdict.FOUL]):
            raise PlayError(f"{rules.id}: the world offers {action}, which is a foul: {fouls}")
        after = rules.apply(state, action)
        world.follow(state, action, after)
        yield Step(state, action, after, world)
        state = after


def _of_seat(bot: str, rules: Game[Any], world: World[Any], state: Any, due: Action, chance: Chance) -> Action:
    """What `bot` does on the seat whose turn it is (that of `due`)."""
    mine = [action for action in world.actions(state) if action.seat == due.seat] or [due]
    if bot == "random":
        return chance.choice(mine)
    picked = sensible(world, state, mine, chance)
    return thought(rules, world, state, mine, picked, chance) if bot == "strong" else picked


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson's score interval)."""
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, Z * Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def spread(total: float, squares: float, games: int) -> float:
    """Half the 95 % interval of a mean, by the normal approximation."""
    if games < 2:
        return 0.0
    variance = max(0.0, (squares - total * total / games) / (games - 1))
    return Z * math.sqrt(variance / games)


@dataclass(slots=True)
class Statistics:
    """Sums over games of one set-up; `merge` adds those of another worker. Scores and wins are by seat; `duel`: the
    wins of the one seat that `bot` had against `rival` bots, changing places from game to game."""

    game: str
    setup: Setup
    bot: str
    games: int = 0
    finished: int = 0
    actions: int = 0
    shortest: int = 0
    longest: int = 0
    points: list[int] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    rival: str | None = None
    duel: float = 0.0

    def __post_init__(self) -> None:
        n = len(self.setup.players)
        self.points = self.points or [0] * n
        self.best = self.best or [0] * n
        self.wins = self.wins or [0.0] * n
        self.squares = self.squares or [0] * n

    @property
    def cut(self) -> int:
        """Games that were stopped before their end."""
        return self.games - self.finished

    def add(
        self, length: int, totals: dict[int, int], winners: tuple[int, ...], finished: bool, clever: int = -1
    ) -> None:
        """Count one game. A shared win counts as its share. `clever`: the seat of the bot that plays against rivals."""
        self.shortest = min(self.shortest, length) if self.games else length
        self.longest = max(self.longest, length)
        self.games += 1
        self.finished += finished
        self.actions += length
        for seat, total in totals.items():
            self.points[seat] += total
            self.squares[seat] += total * total
            self.best[seat] = max(self.best[seat], total)
        for seat in winners:
            self.wins[seat] += 1 / len(winners)
        if clever in winners:
            self.duel += 1 / len(winners)

    def merge(self, other: Statistics) -> None:
        """Add the games of `other`, which has the same set-up."""
        if not other.games:
            return
        self.shortest = min(self.shortest, other.shortest) if self.games else other.shortest
        self.longest = max(self.longest, other.longest)
        self.games += other.games
        self.finished += other.finished
        self.actions += other.actions
        self.points = [a + b for a, b in zip(self.points, other.points, strict=True)]
        self.best = [max(a, b) for a, b in zip(self.best, other.best, strict=True)]
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.squares = [a + b for a, b in zip(self.squares, other.squares, strict=True)]
        self.duel += other.duel

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; means are rounded to three places."""
        return {
            "game": self.game,
            "players": len(self.setup.players),
            "deck": self.setup.deck,
            "options": dict(self.setup.options),
            "bot": self.bot,
            "rival": self.rival,
            "games": self.games,
            "finished": self.finished,
            "cut": self.cut,
            "duel": self._share(self.duel) if self.rival else None,
            "actions": {
                "mean": round(self.actions / max(1, self.games), 3),
                "least": self.shortest,
                "most": self.longest,
            },
            "seats": [
                {
                    "seat": seat,
                    "mean_score": round(self.points[seat] / max(1, self.games), 3),
                    "best_score": self.best[seat],
                    "mean_score_within": round(spread(self.points[seat], self.squares[seat], self.games), 3),
                    "wins": round(self.wins[seat] / max(1, self.games), 4),
                    "wins_between": self._share(self.wins[seat])["between"],
                }
                for seat in range(len(self.setup.players))
            ],
        }

    def _share(self, wins: float) -> dict[str, Any]:
        """A share of wins with its 95 % interval."""
        low, high = wilson(wins, self.games)
        return {"wins": round(wins / max(1, self.games), 4), "between": [round(low, 4), round(high, 4)]}

    def rows(self) -> list[tuple[str, str, str, str]]:
        """A table for people: seat, share of wins, mean score, best score, all as text, with 95 % intervals."""
        games = max(1, self.games)
        return [
            (
                str(seat + 1),
                percent(self.wins[seat], self.games),
                f"{self.points[seat] / games:.2f} ± {spread(self.points[seat], self.squares[seat], self.games):.2f}",
                str(self.best[seat]),
            )
            for seat in range(len(self.setup.players))
        ]


def percent(wins: float, games: int) -> str:
    """A share of wins with its 95 % interval: ``63.2% (60.1–66.1)``."""
    low, high = wilson(wins, games)
    return f"{wins / max(1, games):.1%} ({100 * low:.1f}–{100 * high:.1f})"


def table_setup(rules: Game[Any], players: int | None = None, **options: str) -> Setup:
    """A set-up for bots: `players` (default: four, or as near as the game allows), its recommended deck."""
    n = min(max(4, rules.least_players), rules.most_players) if players is None else players
    names = tuple(chr(ord("A") + seat) for seat in range(n))
    return Setup(names, rules.recommended_deck(n), tuple(sorted(options.items())))


def simulate(
    game_id: str,
    games: int,
    seed: int | str,
    dice: Dice,
    *,
    setup: Setup | None = None,
    bot: str = "random",
    rival: str | None = None,
    first: int = 0,
    limit: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Statistics:
    """Play `games` games, numbered from `first`, and count. With a `rival`, `bot` has one seat, which changes from game
    to game, and rivals have the others. `progress` hears the number of games done after each.
    Raises SetupError, UnknownGameError, and PlayError naming seed and number of the game to repeat."""
    rules = game(game_id)
    setup = setup or table_setup(rules)
    limit = limit or (ENDLESS_LIMIT if rules.endless else LIMIT)
    statistics = Statistics(game_id, setup, bot, rival=rival)
    seats = len(setup.players)
    for number in range(first, first + games):
        chance = dice(f"{seed}:{number}")
        length, last = 0, rules.start(setup)
        clever = number % seats if rival else -1
        others = {clever: bot} if rival else None
        try:
            for step in play(rules, setup, chance, rival or bot, limit, others):
                length, last = length + 1, step.after
        except PlayError as error:
            raise PlayError(f"{error} (seed {seed}, game {number})") from error
        finished = not rules.prompts(last)
        statistics.add(length, rules.totals(last), rules.winners(last) if finished else (), finished, clever)
        progress(number - first + 1)
    return statistics


__all__ = ["BOTS", "PlayError", "Statistics", "Step", "choose", "play", "simulate", "spread", "table_setup", "wilson"]
