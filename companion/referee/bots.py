"""Who decides for a bot: three ways of choosing among the concrete actions that a `World` offers.

``random`` takes any. ``simple`` takes one of the most sensible (`World.worth`). ``strong`` decides by what its seat
may know: by a judgement that its game's world has written down (`World.insight`), else by thinking ahead. It imagines
worlds that look the same from its seat (`World.imagined`: its own cards and all that is known as they are, every
hidden card dealt anew), tries each sensible action in each of them and lets simple bots play on for a while
(determinised Monte-Carlo search). It leaves the most sensible action only for one that did better in the same worlds,
and by more than chance explains where its game says so (`World.doubt`): the best of several noisy averages may be just
the luckiest. The same knowledge and the same chance give the same decision, wherever the hidden cards truly lie.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import mean, stdev
from typing import Any

from companion.games import Action, Game
from companion.games.world import Chance, World

BOTS = ("random", "simple", "strong")
AT_ONCE = 4
"""After so many imagined worlds, actions that fall behind the most sensible one are not tried any more."""


def choose(bot: str, world: World[Any], state: Any, chance: Chance, rules: Game[Any] | None = None) -> Action | None:
    """The action `bot` takes now; None when nothing is open. ``strong`` needs the `rules` of the game."""
    actions = world.actions(state)
    if not actions:
        return None
    if bot == "random":
        return chance.choice(actions)
    picked = sensible(world, state, actions, chance)
    if bot == "simple" or picked.seat is None:
        return picked
    if rules is None:
        raise ValueError("a strong bot needs the rules of its game")
    return thought(rules, world, state, actions, picked, chance)


def sensible(world: World[Any], state: Any, actions: Sequence[Action], chance: Chance) -> Action:
    """One of the actions of most `worth`."""
    if len(actions) == 1:
        return actions[0]
    worths = [world.worth(state, action) for action in actions]
    best = max(worths)
    return chance.choice([action for action, worth in zip(actions, worths, strict=True) if worth == best])


def thought(
    rules: Game[Any],
    world: World[Any],
    state: Any,
    actions: Sequence[Action],
    picked: Action,
    chance: Chance,
    enough: Callable[[], bool] = lambda: False,
) -> Action:
    """The best action of the seat of `picked`, the most sensible one, which wins a draw. `enough`: asked before each
    imagined world; where it says yes, what has been tried decides."""
    seat = picked.seat or 0
    mine = world.considered(seat, actions, picked)
    ranked = sorted(mine, key=lambda action: (action != picked, -world.worth(state, action)))
    tried = list(dict.fromkeys(ranked))[: world.breadth]
    if len(tried) == 1:
        return tried[0]
    known = [insight for action in tried if (insight := world.insight(state, action)) is not None]
    if len(known) == len(tried):
        return tried[known.index(max(known))]
    usual, gains = tried[0], {action: list[float]() for action in tried[1:]}
    for count in range(1, world.samples + 1):
        if enough() or not gains:
            break
        twin = world.imagined(rules.whereabouts(state), seat, chance)
        level = _outcome(rules, twin.copy(), state, seat, twin.same(usual), chance)
        for action, gained in gains.items():
            gained.append(_outcome(rules, twin.copy(), state, seat, twin.same(action), chance) - level)
        if count % AT_ONCE == 0:
            gains = {action: gained for action, gained in gains.items() if mean(gained) + _error(gained) > 0}
    tested = {action: gained for action, gained in gains.items() if len(gained) > 1}
    surely = {action: mean(gained) - world.doubt * _error(gained) for action, gained in tested.items()}
    best = max(surely, key=surely.__getitem__, default=usual)
    return best if surely.get(best, 0.0) > 0 else usual


def _error(values: Sequence[float]) -> float:
    """Standard error of the mean of `values`."""
    return stdev(values) / math.sqrt(len(values))


def _outcome(rules: Game[Any], world: World[Any], state: Any, seat: int, action: Action, chance: Chance) -> float:
    """How the seat stands some time after `action`, when simple bots play on."""
    for _ in range(world.horizon):
        after = rules.apply(state, action)
        world.follow(state, action, after)
        done, state = world.settled(state, after), after
        if done:
            break
        actions = world.actions(state)
        if not actions:
            break
        action = sensible(world, state, actions, chance)
    return world.promise(state, seat)
