"""A place to which a player may lay one card, or two: the open row of Three Card Trick Poker when he fills it up."""

from __future__ import annotations

from functools import cache
from random import Random

from companion.cards import deck
from companion.games import Action, game
from companion.referee.simulate import play, table_setup

GAME = "three-card-trick-poker"


@cache
def up_to_two() -> tuple[tuple[Action, ...], int, str]:
    """What bots have done until a player may lay up to two cards and it is another's turn after him; his seat; a face
    that lies nowhere."""
    rules = game(GAME)
    setup = table_setup(rules)
    for seed in range(50):
        actions: list[Action] = []
        for step in play(rules, setup, Random(seed), limit=60):
            actions.append(step.action)
            prompts = rules.prompts(step.after)
            expose = next((p for p in prompts if p.kind == "expose" and p.slot is not None), None)
            if expose is None or expose.slot is None or (expose.slot.least, expose.slot.most) != (1, 2):
                continue
            if expose.seat is None or all(prompt.seat == expose.seat for prompt in prompts):
                continue
            table = rules.expected_table(step.after)
            lie = {face for zone in table for face in zone.cards}
            if not any(zone.down for zone in table if not zone.pile):
                return tuple(actions), expose.seat, next(face for face in deck(setup.deck).codes if face not in lie)
    raise AssertionError("bots never come to such a state")
