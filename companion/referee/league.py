"""Over many evenings: who played, who won, against whom. A fold over the matches that are over, and nothing else.

A player is a name. However it is written (capitals, width, spaces), it is one player, shown as it was written last.
Who finished ahead of whom: a winner is ahead of everybody who has not won, else more points are ahead, where the game
has points. In a season table a player gets a point for everybody he finished ahead of and half a point for everybody
level with him: so games of different sizes and scores add up.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from companion.referee.match import Match

NIGHT = timedelta(hours=5)
"""An evening lasts until five in the morning."""

MOST_ROUNDS = 6
"""So many rounds of people are offered for a new game."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one match. `at`: when it began, in the time of the people who played; `points`: by seat, None in a
    game without a score sheet; `winners`: seats; `teams`: the seats of every team by its name."""

    table: str
    game: str
    at: datetime
    players: tuple[str, ...]
    points: tuple[int, ...] | None
    winners: tuple[int, ...]
    teams: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, match: Match, table: str, at: datetime) -> Result | None:
        """The result of a match; None while it goes on."""
        if not match.over:
            return None
        totals = match.game.totals(match.state)
        names = match.setup.players
        points = tuple(totals.get(seat, 0) for seat in range(len(names))) if match.scores() else None
        return cls(table, match.game.id, at, names, points, match.winners(), match.teams)

    def standing(self, seat: int) -> tuple[bool, int]:
        """What decides who is ahead: having won, then points."""
        return seat in self.winners, self.points[seat] if self.points else 0

    def place(self, seat: int) -> int:
        """1 for the first; those level with each other share the better place."""
        own = self.standing(seat)
        return 1 + sum(self.standing(other) > own for other in range(len(self.players)))

    def team_points(self) -> dict[str, int]:
        """What the players of each team have together; in a game without points, how many of them have won."""
        worth = self.points or tuple(int(seat in self.winners) for seat in range(len(self.players)))
        return {team: sum(worth[seat] for seat in seats) for team, seats in self.teams.items()}

    def winning_teams(self) -> tuple[str, ...]:
        """The teams with the most, when there are at least two teams and anybody has won."""
        points = self.team_points()
        if len(points) < 2 or not self.winners:
            return ()
        return tuple(team for team, total in points.items() if total == max(points.values()))

    @property
    def evening(self) -> str:
        """The evening it belongs to: the date on which it began (``2026-11-24``)."""
        return evening_of(self.at)


def evening_of(at: datetime) -> str:
    """The evening that a time belongs to."""
    return (at - NIGHT).date().isoformat()


def key(name: str) -> str:
    """What makes two names the same player."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(slots=True)
class Rival:
    """Two players who sat at one table: how often one finished ahead of the other."""

    name: str
    games: int = 0
    ahead: int = 0
    behind: int = 0

    @property
    def level(self) -> int:
        """How often neither was ahead."""
        return self.games - self.ahead - self.behind


@dataclass(slots=True)
class Profile:
    """What is known of a player. `streak`: games won in a row up to now; `best`: the longest such row ever; `points`:
    see the module; `evenings`: on how many he played; `games_of`, `wins_of`: by game; `rivals`: by `key`."""

    name: str
    games: int = 0
    wins: int = 0
    streak: int = 0
    best: int = 0
    points: float = 0.0
    last: str = ""
    days: set[str] = field(default_factory=set)
    games_of: Counter[str] = field(default_factory=Counter)
    wins_of: Counter[str] = field(default_factory=Counter)
    rivals: dict[str, Rival] = field(default_factory=dict)

    @property
    def evenings(self) -> int:
        """On how many evenings."""
        return len(self.days)

    def _played(self, result: Result, seat: int) -> None:
        won = seat in result.winners
        self.name, self.last = result.players[seat], result.evening
        self.games += 1
        self.wins += won
        self.streak = self.streak + 1 if won else 0
        self.best = max(self.best, self.streak)
        self.days.add(result.evening)
        self.games_of[result.game] += 1
        self.wins_of[result.game] += won
        own = result.standing(seat)
        for other, name in enumerate(result.players):
            if other == seat or key(name) == key(self.name):
                continue
            rival = self.rivals.setdefault(key(name), Rival(name))
            theirs = result.standing(other)
            rival.name = name
            rival.games += 1
            rival.ahead += own > theirs
            rival.behind += own < theirs
            self.points += 1.0 if own > theirs else 0.5 if own == theirs else 0.0


def profiles(results: Iterable[Result], strangers: Iterable[str] = ()) -> dict[str, Profile]:
    """Every player by `key`, folded over the results in the order of time. `strangers`: names that are nobody's
    (``Player 1``)."""
    nobody = {key(name) for name in strangers}
    found: dict[str, Profile] = {}
    for result in sorted(results, key=lambda r: r.at):
        for seat, name in enumerate(result.players):
            if key(name) not in nobody:
                found.setdefault(key(name), Profile(name))._played(result, seat)
    return found


def ranking(found: Iterable[Profile]) -> list[Profile]:
    """A season table: most points first, then wins, then who needed fewer games."""
    return sorted(found, key=lambda p: (-p.points, -p.wins, p.games, key(p.name)))


@dataclass(slots=True)
class Team:
    """What is known of a team, by its name. `players`: who has played in it."""

    name: str
    games: int = 0
    wins: int = 0
    players: dict[str, str] = field(default_factory=dict)


def teams(results: Iterable[Result]) -> list[Team]:
    """Every team, the most wins first."""
    found: dict[str, Team] = {}
    for result in sorted(results, key=lambda r: r.at):
        won = result.winning_teams()
        for name, seats in result.teams.items():
            team = found.setdefault(key(name), Team(name))
            team.name = name
            team.games += 1
            team.wins += name in won
            team.players |= {key(result.players[seat]): result.players[seat] for seat in seats}
    return sorted(found.values(), key=lambda t: (-t.wins, t.games, key(t.name)))


def seasons(results: Iterable[Result]) -> list[str]:
    """The years and months in which games were played (``2026``, ``2026-11``), the newest first, each year before its
    months."""
    days = {result.evening for result in results}
    years = {day[:4] for day in days}
    return sorted(years | {day[:7] for day in days}, key=lambda s: (s[:4], len(s) == 4, s), reverse=True)


def of_season(results: Iterable[Result], season: str) -> list[Result]:
    """The results of a season; of all when it is empty."""
    return [result for result in results if result.evening.startswith(season)]


def rounds(tables: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """People who play together, in the order in which they sat last: those who met most often first. `tables`: the
    players of every table, the newest first."""
    seated: dict[frozenset[str], tuple[str, ...]] = {}
    met: Counter[frozenset[str]] = Counter()
    for names in tables:
        people = frozenset(map(key, names))
        met[people] += 1
        seated.setdefault(people, tuple(names))
    newest = {people: at for at, people in enumerate(seated)}
    best = sorted(met, key=lambda people: (-met[people], newest[people]))[:MOST_ROUNDS]
    return [seated[people] for people in best]
