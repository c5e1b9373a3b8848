"""Pokard Trick: points and what they are paid; names as in `test_rules`."""

import pytest

from companion.games.pokard_trick.settlement import DealScore, differences, pay_out, settle, share_fees, trick_points
from tests.games.pokard_trick.steps import RULES, act, codes, playing, totals


def test_160_162_a_joker_trick_scores_nothing():
    assert trick_points(3, 0) == 3 and trick_points(3, 1) == 2
    assert DealScore(0, 3, 1, "straight", 3).total == 5
    assert DealScore(0, 3, 1, "straight", 3, voided=True).total == 0


@pytest.mark.parametrize(
    ("centre", "sharers", "each", "rest"), [(3, 1, 3, 0), (5, 2, 2, 1), (1, 2, 0, 1), (4, 0, 0, 4), (0, 3, 0, 0)]
)
def test_196_198_shared_fees_and_what_is_left(centre, sharers, each, rest):
    assert share_fees(centre, sharers) == (each, rest)


def test_206_three_points_get_two_from_one_and_pay_one_to_four():
    assert differences({0: 3, 1: 1, 2: 4}) == {0: {2: 1}, 1: {0: 2, 2: 3}, 2: {}}
    for net in (False, True):
        done = settle((30, 30, 30), 0, scores(3, 1, 4), (0, 1, 2), net=net)
        assert done.chips == (31, 25, 34)


def scores(*points, tricks=1, poker=0):
    return [DealScore(seat, tricks + p - poker, tricks, "none", poker) for seat, p in enumerate(points)]


def test_200_a_joker_trick_counts_as_won():
    done = settle((30, 30), 3, [DealScore(0, 1, 1, "none", 0), DealScore(1, 1, 0, "none", 0)], (0, 1))
    assert done.chips == (29, 34)  # nobody without a trick: the fees go to the top scorer (208)


def test_198_208_the_remainder_goes_to_the_top_scorer_or_stays():
    table = [DealScore(0, 5, 0, "none", 0), DealScore(1, 0, 0, "none", 0), DealScore(2, 0, 0, "none", 0)]
    assert settle((30,) * 3, 3, table, (0, 1, 2)).chips == (30 + 10 + 1, 26, 26)
    carried = settle((30,) * 3, 3, table, (0, 1, 2), carry_remainder=True)
    assert (carried.chips, carried.centre) == ((40, 26, 26), 1)


@pytest.mark.parametrize(
    ("poker", "order", "best"),
    [((2, 3, 0), (0, 1, 2), 1), ((3, 3, 0), (2, 1, 0), 1), ((3, 3, 0), (0, 2, 1), 0)],  # 210, 212, 212
)
def test_210_212_equal_points(poker, order, best):
    table = [DealScore(s, 5 - p, 0, "none", p) for s, p in enumerate(poker[:2])] + [DealScore(2, 1, 0, "none", 0)]
    done = settle((30,) * 3, 2, table, order)
    assert [move.payee for move in done.transfers if move.reason == "top"] == [best]


def test_224_226_a_bankrupt_pays_his_left_neighbour_first():
    assert pay_out(3, 1, {0: 2, 2: 2, 3: 1}, 4) == [(2, 2), (3, 1), (0, 0)]
    assert pay_out(9, 1, {0: 2, 2: 2, 3: 1}, 4) == [(2, 2), (3, 1), (0, 2)]


def test_222_226_chips_are_never_negative_and_the_sum_stays():
    done = settle((2, 1, 40), 5, scores(0, 3, 9), (0, 1, 2))
    assert sum(done.chips) + done.centre == 48 and min(done.chips) >= 0
    # Seat 0 owes 3 and 9: his left neighbour, seat 1, comes first; seat 1 can then pay what it owes.
    assert [(m.payer, m.payee, m.chips) for m in done.transfers if m.payer == 0] == [(0, 1, 2), (0, 2, 0)]


def five_tricks(state, *tricks):
    """Play whole tricks given as cards in playing order."""
    for cards in tricks:
        for card in cards.split():
            state = act(state, f"{RULES.prompts(state)[0].seat} play {card}")
        state = act(state, f"{RULES.prompts(state)[0].seat} collect")
    return state


def test_166_190_two_tricks_and_a_straight_are_five_points():
    state = five_tricks(playing(2, deals="1"), "6H 5H", "6D 5D", "JD 9D", "7C 4C", "QS 10S")
    assert [trick.taker for trick in state.tricks] == [1, 0, 1, 0, 1]
    state = act(state, "0 show 8S", "1 show")
    points = {dict(r.params)["player"]: dict(r.params)["total"] for r in state.results if "points" in r.key}
    assert points == {0: 5, 1: 3} and state.chips == (32, 28) == totals(state)


def test_7_8_cards_laid_aside_are_shown_if_used_or_always():
    tricks = ("6H 5H", "2D 7C", "JD 9D", "9C 4C", "QS 10S")
    state = five_tricks(playing(2), *tricks)
    assert codes(state, "0 show") == [] == codes(state, "0 show 4H")
    state = five_tricks(playing(2, aside="always_shown"), *tricks)
    assert codes(state, "0 show") == [("wrong-count", "166", "foul")] and codes(state, "0 show 4H 8S") == []
