"""65-card poker, counted: the number of legal lines, and prompts against check on everything that can be thought of."""

from itertools import product
from math import factorial
from random import Random

import pytest

from companion.games import UNKNOWN, Action, Setup, Verdict, game
from companion.referee.simulate import play

RULES = game("sixty-five-card-poker")


def start(players, **options):
    return RULES.start(Setup(tuple("ABCDEFGHIJKLM"[:players]), "", tuple(options.items())))


def universe(state, hands):
    """Every action that might be thought of when the true hands are these."""
    names = (*state.rules.ranking.categories, "shepherd_five", "none")
    for seat, hand in enumerate(hands):
        yield Action("drop", seat)
        yield from (Action("exchange", seat, (UNKNOWN,) * n) for n in range(8))
        yield from (Action.of("open", seat, hand, hand=name) for name in names)
        yield Action.of("open", seat, hand[:4], hand="no_pair")


def accepted(state, hands):
    actions = universe(state, hands)
    return [a for a in actions if all(v.verdict is not Verdict.FOUL for v in RULES.check(state, a))]


def lines(state, hands):
    """How many ways lead from here to the end."""
    ways = accepted(state, hands)
    return sum(lines(RULES.apply(state, action), hands) for action in ways) if ways else 1


@pytest.mark.parametrize(
    ("players", "options", "count"),
    [
        # 0 to 5 cards for each player, then the hands are opened in any order.
        (2, {}, 6**2 * factorial(2)),
        (3, {"max_exchange": "3"}, 4**3 * factorial(3)),
        (2, {"max_exchange": "3"}, 4**2 * factorial(2)),
        # With outside betting the first player may drop (then the game is over), or exchange; so may the second;
        # then either opens and the other opens or drops, or either drops.
        (2, {"betting": "external"}, 1 + 6 * (1 + 6 * (2 * 2 + 2))),
    ],
)
def test_the_number_of_legal_lines(players, options, count):
    hands = [
        ("judge.lib", "sword.free", "revolution.fed", "staff.temple", "cruiser.fed"),
        ("end.lib", "end.free", "prayer.fed", "prayer.temple", "exile.fed"),
        ("shepherd.lib", "shepherd.free", "shepherd.fed", "shepherd.temple", "shepherd.nomad"),
    ]
    assert lines(start(players, **options), hands[:players]) == count


def test_where_the_stock_runs_out_fewer_exchanges_are_legal():
    # Twelve players leave five cards: the numbers exchanged add up to at most five.
    state = start(12)
    total = sum(sum(ways) <= 5 for ways in product(range(6), repeat=3))

    def exchanges(state, seats):
        if not seats:
            return 1
        ways = [a for a in accepted(state, [()] * 12) if a.kind == "exchange"]
        return sum(exchanges(RULES.apply(state, action), seats - 1) for action in ways)

    assert exchanges(state, 3) == total == 56


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("betting", ["none", "external"])
def test_prompts_and_check_agree_on_every_action_that_can_be_thought_of(seed, betting):
    setup = Setup(tuple("ABCDEFGH"), "", (("betting", betting), ("straights", str(1 + seed % 3))))
    state = RULES.start(setup)
    for step in play(RULES, setup, Random(seed)):
        truth = step.world.zones()
        hands = [tuple(truth.get(f"hand:{seat}", ["judge.fed"])) for seat in range(8)]
        state = step.after
        open_now = set(step.world.actions(state))
        assert set(accepted(state, hands)) == open_now
    assert RULES.prompts(state) == () and len(RULES.scores(state)) == 1
