"""House rules by name: every gap of a sheet is an option with named values, the first being the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.cards.errors import nearest

Given = Mapping[str, str | int | bool]
"""Options as a caller gives them: ``{"straights": 2, "bow": "any_three", "rap_identical": True}``."""


class OptionError(ValueError):
    """An option or a value that a ranking does not have; the message names what it has."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option: its `values`, the first the default, and the clause of the rule specification it answers."""

    name: str
    values: tuple[str, ...]
    clause: str


def as_text(value: str | int | bool) -> str:
    """An option's value as text: True is ``yes``, 2 is ``2``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def resolved(rules: Sequence[HouseRule], given: Given) -> dict[str, str]:
    """Every rule's value: the given one, otherwise the default. Raises OptionError naming what would be possible."""
    chosen = {rule.name: rule.values[0] for rule in rules}
    allowed = {rule.name: rule.values for rule in rules}
    for name, value in given.items():
        if name not in allowed:
            hint = f"; did you mean {' or '.join(nearest(name, allowed, 2))}?" if allowed else ""
            raise OptionError(f"there is no option {name!r} here{hint}")
        text = as_text(value)
        if text not in allowed[name]:
            raise OptionError(f"option {name} is {' or '.join(allowed[name])}, not {text!r}")
        chosen[name] = text
    return chosen
