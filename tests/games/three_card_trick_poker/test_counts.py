"""The count oracle of Three Card Trick Poker: how many actions the rules allow, and that generator and checker agree.

The generator is `prompts`; the checker is `check`. Over every kind, seat, card and argument of a small universe of
actions with at most one card, both must say the same in every state of whole games. The counts of lines (sequences
of such actions) from fixed states lock the rules like a fingerprint: the first ones are counted by hand below.
"""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from companion.games import UNKNOWN, Action, Setup, Verdict, game
from companion.games.three_card_trick_poker.flow import begin_bout
from companion.games.three_card_trick_poker.state import Phase, Player
from companion.referee.simulate import play

RULES = game("three-card-trick-poker")


def universe(state):
    """Every action with at most one card: all kinds, seats, faces, and argument values, some of them in no use."""
    faces = [(), (UNKNOWN,), ("XX",), *((code,) for code in state.rules.judge.deck.codes)]
    args = [(), (("source", "hidden"),), (("source", "exposed"),)]
    args += [(("count", n),) for n in range(8)] + [(("leader", n),) for n in range(-1, 4)]
    seats = [None, *range(-1, state.rules.seats + 1)]
    kinds = ("pot", "expose", "leader", "play", "fold", "draw", "reveal", "next-game", "dance")
    return (Action(*parts) for parts in product(kinds, seats, faces, args))


def offered(state):
    """What the prompts say, as a set of actions with at most one card."""
    found = set()
    for prompt in RULES.prompts(state):
        cards = [()]
        if prompt.slot is not None:
            cards = [()] if prompt.slot.least == 0 else []
            if prompt.slot.least <= 1 <= prompt.slot.most:
                cards += [(UNKNOWN,)] if prompt.slot.side != "up" else []
                faces = prompt.slot.faces if prompt.slot.faces is not None else state.rules.judge.deck.codes
                cards += [(face,) for face in faces] if prompt.slot.side != "down" else []
        values = [[(choice.name, value) for value in choice.values] for choice in prompt.choices]
        found |= {Action(prompt.kind, prompt.seat, c, args) for c in cards for args in product(*values)}
    return found


def legal(state, action):
    return all(v.verdict is not Verdict.FOUL for v in RULES.check(state, action))


@pytest.mark.parametrize(("players", "deck", "options"), [(2, "36D1", ()), (3, "36D1", (("refill", "any_order"),))])
def test_check_accepts_exactly_what_prompts_offer(players, deck, options):
    setup = Setup(tuple("ABC"[:players]), deck, options)
    for number, step in enumerate(play(RULES, setup, Random("counts"), "random")):
        if number % 31:
            continue
        accepted = {action for action in universe(step.before) if legal(step.before, action)}
        assert accepted == offered(step.before)


def lines(state, depth):
    """How many sequences of `depth` legal actions with at most one card there are."""
    actions = offered(state)
    if depth == 1:
        return len(actions)
    return sum(lines(RULES.apply(state, action), depth - 1) for action in actions)


def bout(exposed="2S 3S 4S", **changes):
    state = RULES.start(Setup(("A", "B"), "36D1"))
    player = replace(Player(6, 9, tuple(exposed.split())), **changes)
    return begin_bout(replace(state, phase=Phase.PLAY, players=(player, player)), 0)


@pytest.mark.parametrize(
    ("state", "depth", "count"),
    [
        # Play one of 36 faces or one face down, fold with one of 36 or one of 3 exposed.
        (bout(), 1, 36 + 1 + 36 + 3),
        # After a play: B plays 36 up (or 1 down), folds 36 + 3; A draws 1 (his row is full). After a fold from the
        # hidden hand: B has all 76, A draws 1; from the exposed row: B has 76, A exposes 36 (and has no room to draw).
        (bout(), 2, 36 * (36 + 39 + 1) + (1 + 39 + 1) + 36 * (76 + 1) + 3 * (76 + 36)),
        # Without stock nothing can be drawn; with one hidden card left whoever plays or folds it leaves (101), and B
        # plays on, the end being judged before a bout (105). Played face down it is turned up first: 36 faces.
        (bout(hidden=1, stock=0), 1, 76),
        (bout(hidden=1, stock=0), 2, 36 * (36 + 39) + 36 + 36 * 76 + 3 * (76 + 36)),
        # Too many for a hand: held as they were found.
        (bout(), 3, 162_452),
        (bout(exposed="2S"), 3, 517_004),
        (bout(hidden=2, stock=1), 3, 162_908),
    ],
)
def test_count_of_lines(state, depth, count):
    assert lines(state, depth) == count
