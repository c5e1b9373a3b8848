"""What known cards can do: the actions that an open prompt allows with them, for pages that would rather show a hand
that is there than ask for its cards one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

from companion.games import Action, Prompt, Violation
from companion.referee.match import Match

MOST_TRIED = 1_500
"""So many actions are tried for one prompt."""

MOST_OFFERED = 12
"""So many are told."""


def offers(
    match: Match,
    prompt: Prompt,
    cards: Sequence[str],
    told: Callable[[Sequence[Violation]], Sequence[Violation]] = tuple,
) -> list[Action]:
    """The actions in order that `prompt` allows with some of `cards`; those that need most cards, and of these the
    choices that stand last, first. None where the prompt asks for no open card. `told`: the violations that whoever
    asks may know of; to him an action is in order when there is none of these."""
    found: list[Action] = []
    for number, action in enumerate(_possible(prompt, tuple(cards))):
        if number == MOST_TRIED or len(found) == MOST_OFFERED:
            break
        if not told(match.game.check(match.state, action)):
            found.append(action)
    return found


def _possible(prompt: Prompt, cards: tuple[str, ...]) -> Iterator[Action]:
    slot = prompt.slot
    if slot is None or slot.side == "down" or not cards:
        return
    names = [choice.name for choice in prompt.choices]
    for size in range(min(slot.most, len(cards)), max(1, slot.least) - 1, -1):
        for values in product(*(reversed(choice.values) for choice in prompt.choices)):
            args = dict(zip(names, values, strict=True))
            for laid in dict.fromkeys(combinations(cards, size)):
                yield Action.of(prompt.kind, prompt.seat, laid, **args)
