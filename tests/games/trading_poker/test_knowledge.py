"""What the table can know of hidden cards, weighed against the true cards; and the number of legal lines."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import deck
from companion.games import UNKNOWN, Action, Setup, Verdict, game
from companion.games.trading_poker.knowledge import FACES, JOKER, Knowledge
from companion.games.trading_poker.world import candidates
from companion.hands import trading
from companion.referee.simulate import play

RULES = game("trading-poker")


def test_two_unseen_hands_and_a_stock():
    known = Knowledge.dealt(3, 2)
    assert known.held == (2, 2, 2, 74, 0) and known.stock == 3 and not known.joker_hidden
    assert known.certain(0) == () and known.possible(0) == FACES


def test_a_card_seen_on_its_way_into_a_hand_is_certain_there():
    known = Knowledge.dealt(3, 2).seen("AD", 3).hidden(("AD",), 0)
    assert known.certain(0) == ("AD",) and known.held == (3, 2, 2, 73, 0)
    assert known.can("AD", 1)  # the other copy
    twice = known.seen("AD", 3).hidden(("AD",), 1)
    assert not twice.can("AD", 2) and not twice.can("AD", 3) and twice.can("AD", 0)


def test_a_card_passed_face_down_may_be_in_either_hand():
    known = Knowledge.dealt(3, 0).seen("AD", 3).hidden(("AD",), 0).seen("5S", 3).hidden(("5S",), 0).passed(0, 1)
    assert known.certain(0) == () == known.certain(1)
    assert set(known.possible(0)) == {"AD", "5S"} == set(known.possible(1)) and known.possible(2) == ()
    shown = known.seen("AD", 1)
    assert shown.possible(1) == () and shown.certain(0) == ("5S",)  # one hand is empty, so the other is clear


def test_a_whole_hand_passed_on_is_known_again():
    known = Knowledge.dealt(3, 0).seen("AD", 3).hidden(("AD",), 0).passed(0, 2)
    assert known.certain(2) == ("AD",)


def test_a_hand_full_of_certain_cards_holds_no_other():
    known = Knowledge.dealt(3, 1).seen("AD", 0)
    known = known.hidden(("AD",), 0)
    assert known.certain(0) == ("AD",) == known.possible(0)


def test_the_shuffle_blurs_everything_that_was_discarded():
    known = Knowledge.dealt(3, 0).seen("AD", 3).hidden(("AD",), 0).seen("5S", 3).hidden(("5S",), 0)
    known = known.passed(0, 4, 1).shuffled(())
    assert known.certain(0) == () and set(known.possible(0)) == {"AD", "5S"}
    assert known.can("AD", 3) and known.joker_hidden and known.held == (1, 0, 0, 80, 0)
    alone = Knowledge.dealt(3, 0).seen("AD", 3).hidden(("AD",), 0).passed(0, 4, 1).shuffled(())
    assert not alone.can("AD", 0) and alone.held[0] == 0


def test_a_third_copy_is_no_card_at_all():
    known = Knowledge.dealt(3, 0).seen("AD", 3).seen("AD", 3)
    assert known.seen("AD", 3) is None


def test_after_a_card_that_could_not_be_there_nothing_is_certain_any_more():
    known = Knowledge.dealt(3, 2).seen("AD", 3).hidden(("AD",), 0).seen("AD", 3).hidden(("AD",), 0)
    assert not known.can("AD", 1)
    assert known.seen("AD", 1).certain(0) == ()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), players=st.integers(3, 5), take=st.sampled_from(["all", "up_to"]))
def test_what_is_certain_is_true_and_what_is_true_is_possible(seed, players, take):
    setup = Setup(tuple("ABCDE"[:players]), "", (("c_take", take),))
    for step in play(RULES, setup, Random(seed), limit=150):
        truth, known = step.world.zones(), step.after.knowledge
        for place in [*range(players), known.stock]:
            cards = truth["stock" if place == known.stock else f"hand:{place}"]
            plain = [card for card in cards if card != JOKER]
            assert not Counter(known.certain(place)) - Counter(plain)
            assert set(plain) <= set(known.possible(place))
            assert known.held[place] == len(cards)
        open_cards = Counter(c for zone in RULES.expected_table(step.after) for c in zone.cards if c != JOKER)
        assert sum(open_cards.values()) == known.where[:80].count(0)


# --- the number of legal lines ---------------------------------------------------------------------------------------


def universe(state, hands):
    """Every action that might be thought of with these true hands and this table, legal or not."""
    seats, codes = range(state.seats), sorted(deck("trading").codes)
    kinds = trading.kind_codes()
    for seat in seats:
        yield from (Action(kind, seat) for kind in ("collect", "done", "skip", "once-more", "end-turn"))
        yield from (Action("discard", seat, (UNKNOWN,) * n) for n in range(4))
        yield from (Action("give", seat, (UNKNOWN,) * n) for n in range(3))
        for source in ("common", "stock"):
            yield from (Action.of("take", seat, (card,), source=source) for card in codes)
        for target in (*seats, state.seats):
            keep = state.keeps[target] if target in seats else ()
            for n in range(len(keep) + 1):
                yield from (Action.of("swap", seat, cards, target=target) for cards in set(combinations(keep, n)))
        for n in range(1, 6):
            for cards in combinations(hands[seat], n):
                yield from (Action.of("claim", seat, cards, hand=kind) for kind in kinds)
    yield from (Action("refill", None, (card,)) for card in codes)


def fits(prompts, action):
    """Does one of the prompts offer this action, card by card?"""
    for prompt in prompts:
        slot, args = prompt.slot, dict(action.args)
        if (prompt.kind, prompt.seat) != (action.kind, action.seat) or set(args) != {c.name for c in prompt.choices}:
            continue
        chosen = all(args[c.name] in c.values for c in prompt.choices)
        least, most = (slot.least, slot.most) if slot else (0, 0)
        allowed = slot is None or slot.faces is None or not Counter(action.cards) - Counter(slot.faces)
        if chosen and allowed and least <= len(action.cards) <= most:
            return True
    return False


def accepted(state, action):
    return all(v.verdict is not Verdict.FOUL for v in RULES.check(state, action))


LINES = [(3, "oracle-a", 40), (4, "oracle-b", 40), (5, "oracle-c", 30)]


@pytest.mark.parametrize(("players", "seed", "steps"), LINES)
def test_prompts_and_check_agree_on_every_action_that_can_be_thought_of(players, seed, steps):
    setup = Setup(tuple("ABCDE"[:players]))
    for step in play(RULES, setup, Random(seed), "simple", limit=steps):
        state, truth = step.after, step.world.zones()
        hands = [sorted(truth[f"hand:{seat}"])[:6] for seat in range(players)]
        prompts = RULES.prompts(state)
        offered = {action for action in step.world.actions(state) if action.kind != "refill"}
        for action in universe(state, hands):
            legal = accepted(state, action)
            if legal:
                assert fits(prompts, action), action
            elif fits(prompts, action):
                # What ties the cards of an action together is named: the hand of a claim, where a card can be.
                assert {v.code for v in RULES.check(state, action)} <= {
                    "not-the-hand",
                    "same-card-twice",
                    "card-elsewhere",
                }
        assert all(accepted(state, action) for action in offered)


COUNTS = [
    # Keep cards of three players, cards in the first player's hand, legal lines of one and of two actions.
    # Five different common cards and the stock: 6 first cards; 5 * 5 + 6 lines of two.
    (("", "", ""), "", 6, 31),
    # Collecting (then 6 cards to choose from), swapping for both cards (then one card is given).
    (("AS 2S", "3S 4S", ""), "", 6 + 1 + 1, 31 + 6 + 1),
    # Three ways to choose two of three cards, and one way to take the only card of the third player.
    (("AS 2S", "3S 4S 7S", "8S"), "", 6 + 1 + 3 + 1, 31 + 6 + 3 + 1),
    # A pair in the hand: one claim, after which the hand is empty and the turn over.
    (("", "", ""), "8S 8H", 6 + 1, 31 + 6),
    # Three of a kind: 3 pairs or the three; after a pair only "done" (one card is left), after the three the next
    # player's turn.
    (("", "", ""), "8S 8H 8D", 6 + 4, 31 + 3 * 1 + 6),
]


@pytest.mark.parametrize(("keeps", "hand", "first", "second"), COUNTS)
def test_the_number_of_legal_lines(keeps, hand, first, second):
    state = RULES.apply(RULES.start(Setup(tuple("ABC"))), Action("refill", None, ("AD", "5H", "6C", "10S", "2D")))
    known = state.knowledge
    for seat in range(3):
        known = known.passed(seat, known.stock, 2)
    for card in " ".join((*keeps, hand)).split():
        known = known.seen(card, known.stock)
    state = replace(state, knowledge=known.hidden(hand.split(), 0), keeps=tuple(tuple(k.split()) for k in keeps))
    lines = main_actions(state, hand.split(), "9H")
    assert len(lines) == first
    after = {action: RULES.apply(state, action) for action in lines}
    assert sum(len(main_actions(after[a], () if a.kind == "collect" else hand.split(), "9C")) for a in lines) == second


def main_actions(state, hand, top):
    """Every different action of the universe that is legal and true: from the stock only its top card, from the first
    player's hand only what he holds."""
    left = [card for card in hand if card not in state.pile]
    return {
        action
        for action in universe(state, [left, (), ()])
        if (action.kind not in ("take", "refill") or action.arg("source") == "common" or action.cards == (top,))
        and accepted(state, action)
    }


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_bots_find_only_claims_that_are_some_and_miss_no_kind(size):
    chance, missed = Random(size), 0
    for _ in range(60):
        hand = sorted(set(chance.sample(FACES, 8)), key=FACES.index)
        found = {kind for cards in candidates(hand, size) for kind in trading.kinds(cards)}
        true = {kind for cards in combinations(hand, size) for kind in trading.kinds(cards)}
        assert found <= true
        missed += found != true
    assert missed <= 3
