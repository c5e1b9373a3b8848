"""How fast the referee is, side by side with other libraries in one run.

Actions: how many actions are checked and applied a second, replaying recorded games (`check`, then `apply`); `match`
is the same through the whole referee, with the count of copies and the ruling written down. Games: whole games a
second in which bots choose at random among the legal actions. The others play at random too: rlcard steps its
environments, pokerkit plays hands of hold'em with every automation, open_spiel (a C++ core) is the limit beside them.

    pip install rlcard pokerkit open_spiel   # into the environment of the project
    python benchmarks/referee.py [--seconds 0.3] [--rounds 15] [GAME ...]

Contestants take short turns, round by round, the processor time of this process is measured, and the median counts:
only the ratios mean anything on a busy machine. They are of actions a second: games differ in length, and
`three-card-showdown` has no end of its own.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.games import game, ids
from companion.referee import Acted, Match, Started
from companion.referee.simulate import play, table_setup

NEAREST = {
    "three-card-showdown": "no-limit-holdem",
    "three-card-trick-poker": "mahjong",
    "trading-poker": "mahjong",
    "pokard-trick": "doudizhu",
    "aces-king": "uno",
    "hexa-card": "gin-rummy",
    "joker-quest": "gin-rummy",
    "sixty-five-card-poker": "no-limit-holdem",
}
"""The game of rlcard that is most like ours."""

POKERKIT = "pokerkit no-limit hold'em: random game"

Sample = tuple[int, int]
"""What one call of a contestant did: actions, whole games."""


def recorded(name: str, least: int = 500) -> list[tuple[Any, list[Any]]]:
    """Whole games of random bots, at least so many actions in all: first state and actions of each."""
    rules, games, total = game(name), [], 0
    limit = 300 if rules.endless else 20_000
    for number in range(1000):
        setup = table_setup(rules)
        actions = [step.action for step in play(rules, setup, Random(f"bench:{number}"), limit=limit)]
        games.append((setup, actions))
        total += len(actions)
        if total >= least:
            break
    return games


def ours(name: str) -> Iterator[tuple[str, Callable[[], Sample]]]:
    """Three rows for a game of this project."""
    rules, games = game(name), recorded(name)
    count = sum(len(actions) for _, actions in games)

    def check_and_apply() -> Sample:
        for setup, actions in games:
            state = rules.start(setup)
            for action in actions:
                rules.check(state, action)
                state = rules.apply(state, action)
        return count, len(games)

    def whole_match() -> Sample:
        for setup, actions in games:
            match = Match.of([Started(name, setup)])
            for action in actions:
                match = match.then(Acted(action, "bot"))
        return count, len(games)

    seeds = iter(range(10**9))

    def random_game() -> Sample:
        limit = 300 if rules.endless else 20_000
        return sum(1 for _ in play(rules, table_setup(rules), Random(next(seeds)), limit=limit)), 1

    yield f"{name}: check + apply", check_and_apply
    yield f"{name}: match", whole_match
    yield f"{name}: random game", random_game


def rlcard_rows() -> Iterator[tuple[str, Callable[[], Sample]]]:
    """Environments of rlcard, stepped at random."""
    import rlcard

    for name in ("no-limit-holdem", "gin-rummy", "uno", "mahjong", "doudizhu"):
        env = rlcard.make(name, {"seed": 1})
        chance = Random(1)

        def one(env: Any = env, chance: Random = chance) -> Sample:
            state, _ = env.reset()
            steps = 0
            while not env.is_over():
                state, _ = env.step(chance.choice(list(state["legal_actions"])))
                steps += 1
            return steps, 1

        yield f"rlcard {name}: random game", one


def pokerkit_rows() -> Iterator[tuple[str, Callable[[], Sample]]]:
    """Hands of no-limit hold'em for four in pokerkit; legality is asked before each action, as a referee must."""
    from pokerkit import Automation, NoLimitTexasHoldem

    chance = Random(1)

    def hand() -> Sample:
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, (200,) * 4, 4)
        steps = 0
        while state.status:
            choices = [state.check_or_call] if state.can_check_or_call() else []
            choices += [state.fold] if state.can_fold() else []
            choices += [state.complete_bet_or_raise_to] if state.can_complete_bet_or_raise_to() else []
            chance.choice(choices)()
            steps += 1
        return steps, 1

    yield POKERKIT, hand


def open_spiel_rows() -> Iterator[tuple[str, Callable[[], Sample]]]:
    """Games of open_spiel, the limit that a C++ core sets."""
    import pyspiel

    for name in ("hearts", "gin_rummy"):
        rules, chance = pyspiel.load_game(name), Random(1)

        def one(rules: Any = rules, chance: Random = chance) -> Sample:
            state, steps = rules.new_initial_state(), 0
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                steps += 1
            return steps, 1

        yield f"open_spiel {name}: random game", one


def contestants(names: list[str]) -> Iterator[tuple[str, Callable[[], Sample]]]:
    """All rows; a library that is not installed is said to be missing."""
    for name in names:
        yield from ours(name)
    for library, rows in (("rlcard", rlcard_rows), ("pokerkit", pokerkit_rows), ("open_spiel", open_spiel_rows)):
        try:
            yield from rows()
        except ImportError:
            print(f"{library} is not installed: left out")


def timed(work: Callable[[], Sample], seconds: float) -> tuple[float, float]:
    """Actions and whole games a second of processor time, over at least `seconds`."""
    actions = games = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or not games:
        done, whole = work()
        actions, games = actions + done, games + whole
    return actions / spent, games / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--seconds", type=float, default=0.3, help="per contestant and round")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    rows = list(contestants(asked.games or list(ids())))
    results: dict[str, list[tuple[float, float]]] = {label: [] for label, _ in rows}
    for _ in range(asked.rounds):
        for label, work in rows:
            results[label].append(timed(work, asked.seconds))
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}, medians of {asked.rounds}")
    print(f"{'':42} {'actions/s':>11} {'games/s':>10}   times rlcard, pokerkit")
    actions = {label: statistics.median(rate for rate, _ in samples) for label, samples in results.items()}
    for label, samples in results.items():
        games = statistics.median(rate for _, rate in samples)
        line = f"{label:42} {actions[label]:11,.0f} {games:10,.1f}"
        if nearest := NEAREST.get(label.split(":")[0]):
            peers = [actions.get(peer) for peer in (f"rlcard {nearest}: random game", POKERKIT)]
            line += "   " + "".join(f"{actions[label] / peer:7.2f}" if peer else f"{'–':>7}" for peer in peers)
        print(line)


if __name__ == "__main__":
    main()
