"""Pokard Trick, counted: legal lines against the referee's proofs, and chips through random deals."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import Action, Setup, Verdict, game
from companion.games.pokard_trick.settlement import DealScore, settle
from companion.games.pokard_trick.state import Phase, legal_plays
from companion.referee.simulate import play

RULES = game("pokard-trick")

HANDS = [
    # Four cards each for the last four tricks, and the number of lines in which both follow.
    ("2S 3S 4S 5S", "2H 3H 4H 5H", 24 * 24),  # a suit each: anything goes
    ("2S 3S 4S 5S", "7S 8S 9S 10S", 24 * 24),  # one suit: everybody always follows
    ("2S 3S 4S 5S", "7S 8S 9S JK2", 24 * 24),  # a joker may always be played (110)
    ("2S 3S 4H 5H", "7S 8S 9H 10H", None),
    ("2S 3H 4D 5C", "7S 8H 9D 10C", None),
    ("2S 3S 3H JK2", "7S 8H 9H 10D", None),
]


def before_the_second_trick():
    """Two players; the first trick was a joker led and a diamond, which says nothing about suits (114)."""
    state = RULES.start(Setup(("A", "B"), "", (("deals", "1"),)))
    for kind, seat, *cards in (("in", 1), ("in", 0), ("aside", 1, "?", "?"), ("aside", 0, "?", "?")):
        state = RULES.apply(state, Action(kind, seat, tuple(cards)))
    for seat, card in ((1, "JK1"), (0, "AD")):
        state = RULES.apply(state, Action("play", seat, (card,)))
    return collected(state)


def collected(state):
    (prompt,) = RULES.prompts(state)[:1]
    return RULES.apply(state, Action("collect", prompt.seat)) if prompt.kind == "collect" else state


def legal_lines(state, hands, proofs):
    """The number of lines from here in which everybody follows. Where somebody does not, the hands are played out:
    was it proven?"""
    if state.phase is Phase.SHOW:
        return 1
    (prompt,) = RULES.prompts(state)
    seat, hand = prompt.seat, hands[prompt.seat]
    lead = state.table[0].card if state.table else None
    count = 0
    for card in hand:
        action = Action("play", seat, (card,))
        assert all(v.verdict is not Verdict.FOUL for v in RULES.check(state, action))
        left = {**hands, seat: tuple(c for c in hand if c != card)}
        after = collected(RULES.apply(state, action))
        if card in legal_plays(lead, hand):
            assert RULES.proves(state, action) == ()
            count += legal_lines(after, left, proofs)
        else:
            assert RULES.check(state, action)[0].verdict is Verdict.UNPROVEN
            proofs.append(proven_later(after, left, seat))
    return count


def proven_later(state, hands, cheat):
    while state.phase is Phase.TRICK:
        (prompt,) = RULES.prompts(state)
        card, *rest = hands[prompt.seat]
        action = Action("play", prompt.seat, (card,))
        if prompt.seat == cheat and any(v.code == "revoke" for v in RULES.proves(state, action)):
            return True
        hands = {**hands, prompt.seat: tuple(rest)}
        state = collected(RULES.apply(state, action))
    return False


def counted_apart(first, second):
    """The same number from the bare rule: of two orders of play, does the second of each trick follow if he can?"""
    count = 0
    for mine in permutations(first):
        for yours in permutations(second):
            count += all(follows(mine, yours, t) if t % 2 else follows(yours, mine, t) for t in range(4))
    return count


def follows(leads, answers, trick):
    suit, left = leads[trick][-1], answers[trick:]
    if leads[trick].startswith("JK") or answers[trick].startswith("JK"):
        return True
    can = any(card[-1] == suit and not card.startswith("JK") for card in left)
    return answers[trick][-1] == suit or not can


@pytest.mark.parametrize(("first", "second", "count"), HANDS)
def test_every_line_is_legal_or_proven_a_revoke_by_the_last_trick(first, second, count):
    proofs = []
    found = legal_lines(before_the_second_trick(), {1: tuple(first.split()), 0: tuple(second.split())}, proofs)
    assert found == counted_apart(first.split(), second.split())
    assert all(proofs)
    if count is None:
        assert found < 24 * 24 and proofs
    else:
        assert found == count and not proofs


points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(0, 40)), min_size=2, max_size=7)


@settings(max_examples=200, deadline=None)
@given(table=points, centre=st.integers(0, 9), net=st.booleans(), carry=st.booleans(), turn=st.randoms())
def test_no_chip_is_lost_and_nobody_pays_what_he_has_not(table, centre, net, carry, turn):
    scores = [DealScore(seat, tricks, 0, "none", poker) for seat, (tricks, poker, _) in enumerate(table)]
    chips, order = [purse for _, _, purse in table], list(range(len(table)))
    turn.shuffle(order)
    done = settle(chips, centre, scores, order, net=net, carry_remainder=carry)
    assert sum(done.chips) + done.centre == sum(chips) + centre
    assert min(done.chips) >= 0 and done.centre >= 0
    assert all(0 <= move.chips <= move.owed for move in done.transfers)
    if min(chips) >= 11 * len(table):  # nobody runs out of chips: both ways of paying are the same
        other = settle(chips, centre, scores, order, net=not net, carry_remainder=carry)
        assert other.chips == done.chips


@pytest.mark.parametrize("end", ["deals", "time", "bankrupts"])
@pytest.mark.parametrize("revoke", ["warn", "zero_points", "deal_void"])
def test_chips_add_up_after_every_action_of_whole_games(end, revoke):
    players = 5
    setup = Setup(tuple("ABCDE"), "", (("end", end), ("fee_remainder", "carry"), ("revoke", revoke)))
    for step in play(RULES, setup, Random(f"{end} {revoke}"), limit=500):
        state = step.after
        assert sum(state.chips) + state.centre == 30 * players and min(state.chips) >= 0
        assert RULES.totals(state) == dict(enumerate(state.chips))
    assert end == "bankrupts" or state.phase is Phase.OVER
