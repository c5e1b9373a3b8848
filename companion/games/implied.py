"""What was left out silently: an optional draw, a pile taken in, the next deal.

People at a table do not announce what goes without saying. A prompt that says what it comes to when nobody answers it
(`Prompt.skipped`) does not stop the next action: the action implies it. The event stays the one action that people
told; what it implied follows from the state, so a journal replays to the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from companion.games.contract import Game
from companion.games.values import Action, Prompt, Verdict, Violation

S = TypeVar("S")

MOST = 32
"""So many steps are left out before one action at most: a round of seats and some table steps."""


def ways_on(game: Game[S], state: S) -> Iterator[tuple[tuple[Action, ...], S]]:
    """The states from which the table may go on, with what is left out to get there: `state` itself first, then,
    one more step left out each time, those behind it."""
    skipped: tuple[Action, ...] = ()
    while True:
        yield skipped, state
        step = next((prompt.skipped for prompt in game.prompts(state) if prompt.skipped is not None), None)
        if step is None or len(skipped) == MOST or is_foul(game.check(state, step)):
            return
        state = game.apply(state, step)
        skipped = (*skipped, step)


def open_prompts(game: Game[S], state: S) -> tuple[Prompt, ...]:
    """Everything that may happen now: the prompts of `state`, and those behind steps that may be left out."""
    own = game.prompts(state)
    if all(prompt.skipped is None for prompt in own):
        return own
    found: dict[tuple[str, int | None], list[Prompt]] = {}
    for _, there in ways_on(game, state):
        kinds = set(found)
        for prompt in game.prompts(there):
            if (prompt.kind, prompt.seat) not in kinds:
                found.setdefault((prompt.kind, prompt.seat), []).append(prompt)
    return tuple(prompt for prompts in found.values() for prompt in prompts)


def judged(game: Game[S], state: S, action: Action) -> tuple[tuple[Action, ...], S, tuple[Violation, ...]]:
    """What `action` implies, the state in which it then happens, and what is wrong with it there.

    As little is left out as makes the action no foul. One that is a foul everywhere is judged where an action of its
    kind is open to its player, so that the reason says what is wrong with it and not that it came too early."""
    violations = game.check(state, action)
    if not is_foul(violations) or all(prompt.skipped is None for prompt in game.prompts(state)):
        return (), state, violations
    best: tuple[tuple[Action, ...], Any, tuple[Violation, ...]] | None = None
    for skipped, there in ways_on(game, state):
        found = violations if not skipped else game.check(there, action)
        if not is_foul(found):
            return skipped, there, found
        if best is None and any((p.kind, p.seat) == (action.kind, action.seat) for p in game.prompts(there)):
            best = skipped, there, found
    return best or ((), state, violations)


def is_foul(violations: tuple[Violation, ...]) -> bool:
    """At least one of them is more than a doubt."""
    return any(v.verdict is Verdict.FOUL for v in violations)
