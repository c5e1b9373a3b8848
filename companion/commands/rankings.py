"""`companion rankings`: what `hand` and `odds` know, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from companion.hands import house_rules, ranking, ranking_names


def as_json() -> str:
    """Every ranking with its deck, categories (the strongest first) and house rules as one JSON object."""
    found = [
        {
            "name": name,
            "deck": ranking(name).deck.name,
            "categories": list(reversed(ranking(name).categories)),
            "options": {rule.name: list(rule.values) for rule in house_rules(name)},
        }
        for name in ranking_names()
    ]
    return json.dumps({"rankings": found}, ensure_ascii=False)


def as_table() -> Iterator[str]:
    """One line a ranking, then the house rules with their values."""
    rules: dict[str, tuple[str, ...]] = {}
    for name in ranking_names():
        yield f"{name:<10} {ranking(name).deck.name:<8} {' > '.join(reversed(ranking(name).categories))}"
        for rule in house_rules(name):
            rules.setdefault(rule.name, tuple(map(str, rule.values)))
    yield ""
    for option, values in rules.items():
        yield f"-o {option}={' | '.join(values)}"
