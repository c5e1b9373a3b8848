"""Whole games of bots, shown to the observer as cards on a table: what it proposes is what was done, or nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from companion.games import Action, Setup, Zone, game
from companion.referee.simulate import play
from companion.table import Layout, Observation, ZoneShape, observe
from companion.vision.types import SeenCard, SeenTable, Side, Unit


def strips(zones: Sequence[str]) -> Layout:
    """Every zone a strip of the table, so that nothing lies near a border."""
    wide = 1 / len(zones)
    shapes = tuple(
        ZoneShape(zone, ((n * wide, 0.0), ((n + 1) * wide, 0.0), ((n + 1) * wide, 1.0), (n * wide, 1.0)))
        for n, zone in enumerate(zones)
    )
    return Layout("strips", Unit.FRACTION, (1.0, 1.0), shapes)


def shown(zones: Sequence[Zone], layout: Layout) -> SeenTable:
    """The table as it would be seen: of piles the top only."""
    cards: list[SeenCard] = []
    left = {shape.id: shape.polygon[0][0] for shape in layout.zones}
    for zone in (z for z in zones if z.id in left):
        up = zone.cards[-1:] if zone.pile else zone.cards
        down = min(zone.down, 0 if zone.cards else 1) if zone.pile else zone.down
        for n, face in enumerate([*up, *[None] * down]):
            x, y = left[zone.id] + 0.5 / len(left), 0.1 + 0.01 * n
            quad = ((x - 0.001, y), (x + 0.001, y), (x + 0.001, y + 0.005), (x - 0.001, y + 0.005))
            cards.append(SeenCard(len(cards) + 1, face, 1.0, Side.UP if face else Side.DOWN, quad))
    return SeenTable(0.0, True, Unit.FRACTION, tuple(cards))


def content(action: Action) -> tuple[str, int | None, tuple[str, ...]]:
    return action.kind, action.seat, tuple(sorted(action.cards))


def told(found: Observation, action: Action) -> str:
    """ "right", "asked" (it is among the choices), "silent" or "wrong"."""
    if found.actions:
        return "right" if [content(a) for a in found.actions] == [content(action)] else "wrong"
    asked = any(content(action) == content(c) for question in found.questions for c in question.choices)
    return "asked" if asked else "silent"


@pytest.mark.parametrize(
    ("name", "players", "kinds"),
    [
        ("three-card-showdown", 4, {"lay": 1.0, "next": 1.0}),
        ("pokard-trick", 3, {"play": 1.0, "collect": 1.0, "aside": 1.0}),
        ("trading-poker", 3, {"take": 0.9, "refill": 0.9}),
        ("aces-king", 3, {"play": 1.0}),
    ],
)
def test_what_bots_lay_is_what_is_proposed(name: str, players: int, kinds: dict[str, float]) -> None:
    rules = game(name)
    setup = Setup(tuple(f"P{n}" for n in range(players)), rules.decks[0])
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for step in play(rules, setup, random.Random(7), limit=120):
        if step.action.kind not in kinds:
            continue
        before, after = rules.expected_table(step.before), rules.expected_table(step.after)
        held = () if name == "three-card-showdown" else ("hand",)
        zones = sorted({z.id for z in (*before, *after) if z.id.partition(":")[0] not in held})
        layout = strips(zones)
        counts[step.action.kind][told(observe(rules, step.before, shown(after, layout), layout), step.action)] += 1
    for kind, least in kinds.items():
        seen = counts[kind]
        assert seen.total() >= 3, kind
        assert seen["right"] >= least * seen.total(), (kind, seen)


def test_nothing_is_proposed_while_the_table_is_as_expected() -> None:
    for name in ("three-card-showdown", "pokard-trick", "trading-poker", "aces-king"):
        rules = game(name)
        setup = Setup(("A", "B", "C"), rules.decks[0])
        for step in play(rules, setup, random.Random(3), limit=40):
            zones = rules.expected_table(step.after)
            layout = strips(
                sorted(z.id for z in zones if not z.id.startswith("hand:") or name == "three-card-showdown")
            )
            found = observe(rules, step.after, shown(zones, layout), layout)
            assert found.actions == () and found.questions == (), (name, step.action, found)
