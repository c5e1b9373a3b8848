"""Every table that a game expects fits the zones that were solved for it: real cards, laid as the zone's form says.

Bots play whole games with all options, decks and numbers of players. ``COMPANION_FIT_GAMES`` says how many games of
each kind (default: a few).
"""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from functools import lru_cache
from itertools import islice

import pytest

from companion.games import Form, Setup, SetupError, Shows, Zone, game, ids, places
from companion.referee.simulate import play, table_setup
from companion.table.forms import CARDS, INDEX, Size, lay
from companion.table.layout import ZoneShape
from companion.table.solve import TABLES, NoRoomError, Plan, solve

GAMES = int(os.environ.get("COMPANION_FIT_GAMES", "4"))
LONGEST = 600
"""Actions of a game that are looked at: games without an end go on like this."""


def chosen(name: str, number: int) -> tuple[Setup, random.Random]:
    """A set-up of its own for every game."""
    rules, chance = game(name), random.Random(f"{name} {number}")
    seats = chance.randint(rules.least_players, min(8, rules.most_players))
    options = tuple((option.name, chance.choice(option.values)) for option in rules.options)
    setup = Setup(tuple(f"P{n}" for n in range(seats)), chance.choice(rules.decks), options)
    try:
        rules.start(setup)
    except SetupError:
        setup = table_setup(rules, seats)
    return setup, chance


def own_size(shape: ZoneShape) -> Size:
    (left, top), (right, bottom) = shape.polygon[0], shape.polygon[2]
    return (right - left, bottom - top) if shape.turn % 180 == 0 else (bottom - top, right - left)


@lru_cache(maxsize=4096)
def misfit(shape: ZoneShape, form: Form, shows: Shows, count: int, card: Size) -> str:
    """What is wrong with `count` cards in a zone; empty when they lie well."""
    spots = lay(form, count, own_size(shape), card)
    if spots is None:
        return f"{count} cards do not fit {shape.id} of {own_size(shape)} mm"
    middle = [sum(axis) / 4 for axis in zip(*shape.polygon, strict=True)]
    cos, sin = math.cos(math.radians(shape.turn)), math.sin(math.radians(shape.turn))
    (left, top), (right, bottom) = shape.polygon[0], shape.polygon[2]
    for x, y in spots:
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            px, py = x + dx * card[0] / 2, y + dy * card[1] / 2
            at = (middle[0] + px * cos - py * sin, middle[1] + px * sin + py * cos)
            if not (left <= at[0] <= right and top <= at[1] <= bottom):
                return f"a corner at {at} of {count} cards lies outside {shape.id}"
    if shows is Shows.ALL:
        for n, (x, y) in enumerate(spots):
            for ox, oy in spots[n + 1 :]:
                index = (x - card[0] / 2 + INDEX[0], y - card[1] / 2 + INDEX[1])
                if ox - card[0] / 2 < index[0] - 1e-6 and oy - card[1] / 2 < index[1] - 1e-6:
                    return f"of {count} cards in {shape.id} one hides the index of another"
    return ""


def wrong(plan: Plan, shapes: dict[str, ZoneShape], zone: Zone) -> str:
    count = len(zone.cards) + zone.down
    if zone.id not in shapes:
        kind = zone.id.partition(":")[0]
        known = next((place for place in plan.places if place.kind == kind), None)
        gone = known is not None and known in plan.dropped
        return "" if gone or not count else f"{count} cards lie in {zone.id}, which the game does not declare"
    place = plan.place(zone.id)
    if count > place.most:
        return f"{count} cards lie in {zone.id}, declared for {place.most}"
    return misfit(shapes[zone.id], place.form, place.shows, count, plan.card)


@pytest.mark.parametrize("name", ids())
def test_every_expected_table_fits_its_zones(name: str) -> None:
    rules, looked = game(name), Counter[str]()
    for number in range(GAMES):
        setup, chance = chosen(name, number)
        card, table = chance.choice(list(CARDS.values())), chance.choice(TABLES)
        try:
            plan = solve(places(name, setup), len(setup.players), table, card)
        except NoRoomError:
            plan = solve(places(name, setup), len(setup.players), TABLES[-1], card)
        shapes = {shape.id: shape for shape in plan.layout.zones}
        bot = ("random", "simple")[number % 2]
        for step in islice(play(rules, setup, chance, bot), LONGEST):
            for zone in rules.expected_table(step.after):
                problem = wrong(plan, shapes, zone)
                assert not problem, f"{name}, game {number}, {setup}, {plan.layout.size}: {problem}"
                looked[zone.id.partition(":")[0]] += bool(zone.cards or zone.down)
    assert sum(looked.values()) > 0
