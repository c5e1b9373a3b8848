"""Whole games played by bots, and what they say about a game: how long it lasts, who wins from which seat.

A bot chooses among the concrete actions that a `World` offers. ``random`` takes any; ``simple`` takes one of the
most sensible (`World.worth`). Chance is handed in as a factory (``random.Random`` fits), one per game, seeded with
``"<seed>:<number of the game>"``: game 17 of seed 5 is always the same game, however the work is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.games import Action, Chance, Game, Setup, Verdict, World, game

BOTS = ("random", "simple")
LIMIT = 20_000
"""Actions after which a game counts as endless."""
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


def choose(bot: str, world: World[Any], state: Any, chance: Chance) -> Action | None:
    """The action `bot` takes now; None when nothing is open."""
    actions = world.actions(state)
    if not actions:
        return None
    if bot == "simple":
        worths = [world.worth(state, action) for action in actions]
        best = max(worths)
        actions = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
    return chance.choice(actions)


def play(rules: Game[Any], setup: Setup, chance: Chance, bot: str = "random", limit: int = LIMIT) -> Iterator[Step]:
    """Play one game, step by step, to its end or to `limit` actions. Raises PlayError when the game calls an action
    of its own world a foul, or when its prompts and its world disagree about the end."""
    state, world = rules.start(setup), rules.world(setup, chance)
    for _ in range(limit):
        action = choose(bot, world, state, chance)
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


@dataclass(slots=True)
class Statistics:
    """Sums over games of one set-up; `merge` adds those of another worker. Scores and wins are by seat."""

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

    def __post_init__(self) -> None:
        n = len(self.setup.players)
        self.points = self.points or [0] * n
        self.best = self.best or [0] * n
        self.wins = self.wins or [0.0] * n

    def add(self, length: int, totals: dict[int, int], winners: tuple[int, ...], finished: bool) -> None:
        """Count one game. A shared win counts as its share."""
        self.shortest = min(self.shortest, length) if self.games else length
        self.longest = max(self.longest, length)
        self.games += 1
        self.finished += finished
        self.actions += length
        for seat, total in totals.items():
            self.points[seat] += total
            self.best[seat] = max(self.best[seat], total)
        for seat in winners:
            self.wins[seat] += 1 / len(winners)

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

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; means are rounded to three places."""
        return {
            "game": self.game,
            "players": len(self.setup.players),
            "deck": self.setup.deck,
            "options": dict(self.setup.options),
            "bot": self.bot,
            "games": self.games,
            "finished": self.finished,
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
                    "wins": round(self.wins[seat] / max(1, self.games), 4),
                }
                for seat in range(len(self.setup.players))
            ],
        }

    def rows(self) -> list[tuple[str, str, str, str]]:
        """A table for people: seat, share of wins, mean score, best score, all as text."""
        games = max(1, self.games)
        return [
            (str(seat + 1), f"{self.wins[seat] / games:.1%}", f"{self.points[seat] / games:.2f}", str(self.best[seat]))
            for seat in range(len(self.setup.players))
        ]


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
    first: int = 0,
    limit: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Statistics:
    """Play `games` games, numbered from `first`, and count. `progress` hears the number of games done after each.
    Raises SetupError, UnknownGameError, and PlayError naming seed and number of the game to repeat."""
    rules = game(game_id)
    setup = setup or table_setup(rules)
    limit = limit or (ENDLESS_LIMIT if rules.endless else LIMIT)
    statistics = Statistics(game_id, setup, bot)
    for number in range(first, first + games):
        chance = dice(f"{seed}:{number}")
        length, last = 0, rules.start(setup)
        try:
            for step in play(rules, setup, chance, bot, limit):
                length, last = length + 1, step.after
        except PlayError as error:
            raise PlayError(f"{error} (seed {seed}, game {number})") from error
        finished = not rules.prompts(last)
        statistics.add(length, rules.totals(last), rules.winners(last) if finished else (), finished)
        progress(number - first + 1)
    return statistics
