"""Bots: nobody peeks, whatever they choose is in order, and thinking is worth something."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from companion.games import UNKNOWN, Action, Setup, game, ids
from companion.games.world import World
from companion.referee.bots import choose, sensible, thought
from companion.referee.simulate import play, simulate, table_setup, wilson

every_game = pytest.mark.parametrize("name", ids())


def decisions(name, seed, most=40):
    """States in which a seat has something to decide, with the world and the most sensible action."""
    rules = game(name)
    setup = table_setup(rules, max(2, rules.least_players))
    chance = Random(f"{name}:{seed}")
    state, world = rules.start(setup), rules.world(setup, chance)
    for _ in range(most):
        actions = world.actions(state)
        if not actions:
            return
        picked = sensible(world, state, actions, chance)
        if picked.seat is not None:
            yield rules, world, state, picked
        after = rules.apply(state, picked)
        world.follow(state, picked, after)
        state = after


def kept(action):
    """What a choice says without the card that only its outcome shows."""
    return (action.kind, action.seat, action.args, () if action.kind in ("draw", "take") else action.cards)


@every_game
def test_an_imagined_world_is_one_that_the_seat_cannot_tell_from_the_true_one(name):
    for rules, world, state, picked in decisions(name, 1):
        known = rules.whereabouts(state)
        twin = world.imagined(known, picked.seat, Random(5))
        true, other = world.zones(), twin.zones()
        assert {zone: len(cards) for zone, cards in true.items()} == {z: len(cards) for z, cards in other.items()}
        assert Counter(c for cards in true.values() for c in cards) == Counter(c for cs in other.values() for c in cs)
        for zone in (f"hand:{picked.seat}", *world.own_places(picked.seat)):
            assert true.get(zone) == other.get(zone)
        for zone in known:
            if "+" not in zone.id:
                assert not Counter(zone.cards) - Counter(other.get(zone.id, []))


@every_game
def test_nobody_peeks(name):
    """The same decision wherever the cards truly lie that the seat does not know."""
    compared = 0
    for rules, world, state, picked in islice(decisions(name, 2), 12):
        answers = []
        for number in range(2):
            twin = world.imagined(rules.whereabouts(state), picked.seat, Random(number))
            twin._chance = Random(9)
            actions = [a for a in twin.actions(state) if a.seat == picked.seat]
            if any(kept(a) == kept(picked) for a in actions):
                first = next(a for a in actions if kept(a) == kept(picked))
                answers.append(kept(thought(rules, twin, state, actions, first, Random(7))))
        if len(answers) == 2:
            compared += 1
            assert answers[0] == answers[1], (picked, answers)
    assert compared or name == "three-card-showdown"


@every_game
def test_a_strong_bot_plays_in_order(name):
    rules = game(name)
    steps = list(islice(play(rules, table_setup(rules), Random(f"strong:{name}"), "strong"), 25))
    assert steps


def test_thinking_is_worth_something():
    """Trading Poker for three, one seat strong: an even share would be two and two thirds of eight."""
    setup = table_setup(game("trading-poker"), 3)
    found = simulate("trading-poker", 8, "duel", Random, setup=setup, bot="strong", rival="simple")
    assert found.games == found.finished == 8 and found.duel > 4


@pytest.mark.parametrize(("name", "games"), [("aces-king", 40), ("three-card-trick-poker", 120)])
def test_a_strong_bot_beats_a_simple_one(name, games):
    """For two, over a fixed row of games: more than half."""
    setup = table_setup(game(name), 2)
    found = simulate(name, games, "duel", Random, setup=setup, bot="strong", rival="simple", limit=3000)
    assert found.duel > games * 0.54


class Lottery(World):
    """One decision: ``sure`` brings 0.5, ``ticket`` brings 1 with the chance of the state, else 0."""

    samples = 16

    def zones(self):
        return {}

    def actions(self, state):
        return [Action("sure", 0), Action("ticket", 0)]

    def imagined(self, known, seat, chance):
        twin = Lottery()
        twin._chance = chance
        return twin

    def copy(self):
        return self

    def follow(self, before, action, after):
        self.brought = 0.5 if action.kind == "sure" else float(self._chance.random() < after)

    def settled(self, before, after):
        return True

    def promise(self, state, seat):
        return self.brought


class Drawing:
    """The rules of the lottery: its state is the chance of a ticket, and nothing changes it."""

    def whereabouts(self, state):
        return ()

    def apply(self, state, action):
        return state


@pytest.mark.parametrize(
    ("doubt", "worth", "least", "most"), [(0.0, 0.5, 30, 60), (1.0, 0.5, 3, 25), (1.0, 0.9, 95, 100), (1.0, 0.1, 0, 0)]
)
def test_luck_is_not_taken_for_skill(monkeypatch, doubt, worth, least, most):
    """A ticket worth as much as what is sure is bought by chance only; a good one is, a bad one never."""
    monkeypatch.setattr(Lottery, "doubt", doubt)
    world = Lottery()
    chosen = [
        thought(Drawing(), world, worth, world.actions(worth), Action("sure", 0), Random(seed)) for seed in range(100)
    ]
    assert least <= sum(action.kind == "ticket" for action in chosen) <= most


def test_a_strong_bot_needs_the_rules():
    rules = game("pokard-trick")
    setup = Setup(("A", "B"), "54")
    with pytest.raises(ValueError, match="rules of its game"):
        choose("strong", rules.world(setup, Random(1)), rules.start(setup), Random(1))


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 0, 0, 1), (50, 100, 0.4038, 0.5962), (0, 20, 0.0, 0.1611), (10, 10, 0.7225, 1)],
)
def test_wilsons_interval(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.0002)


def test_a_hidden_card_stays_hidden_in_what_a_bot_offers():
    for _, _, _, picked in decisions("pokard-trick", 3):
        assert picked.kind != "aside" or set(picked.cards) == {UNKNOWN}
