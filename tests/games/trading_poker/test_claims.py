"""Trading Poker: what buys a score card, and the catalogue of score cards; names as in `test_rules`."""

import pytest

from companion.games import Action, SetupError
from companion.games.trading_poker.catalogue import catalogue
from companion.games.trading_poker.state import Phase, totals
from tests.games.trading_poker.steps import RULES, act, codes, do, holding, kinds_open, start


@pytest.mark.parametrize(
    ("cards", "hand", "fault"),
    [
        ("AD AH AC 10H 10C", "full_house", None),  # 123-125
        ("AD AH AC", "three", None),  # 126
        ("10H 10C", "one_pair", None),
        ("AD AD", "one_pair", "same-card-twice"),  # 130
        ("5C 5C 6C 7C 8C", "flush", "same-card-twice"),  # 131
        ("9S 9H 9D 9C", "four", None),  # 133
        ("9S 9H 9D 9C", "two_pair", None),  # 115
        ("9S 9H 9D 9D", "four", "same-card-twice"),  # 144
        ("3S 4S 5S 6S 7S", "straight_flush", None),
        ("3S 4S 5S 6S 7S", "flush", None),  # 114
        ("3S 4S 5S 6S 7S", "straight", None),
        ("3S 4S 5S 6S 7S", "no_pair", None),
        ("10S AS 2S 3S 4S", "straight", "not-the-hand"),  # 186
        ("6S 7H 8S 9S 10S", "straight", None),
        ("AS 2H 3S 4S 5S", "straight", None),
        ("AD 2D", "one_pair", "not-the-hand"),
        ("2D 2H 3C 3S 3H 3D", "three_pair", None),
        ("2D 2H 2C 3S 3H 3D", "two_triples", None),
    ],
)
def test_111_133_what_buys_a_score_card(cards, hand, fault):
    state = holding(cards, hands=(6, 0, 0), players=3)
    common = RULES.check(state, do(state, f"0 claim {cards} hand={hand}"))
    assert [v.code for v in common] == ([fault] if fault else [])


def test_47_112_a_claim_takes_the_top_card_and_lays_its_cards_on_the_discards():
    state = act(holding("AD AH 5S 5C"), "0 claim AD AH hand=one_pair")
    (line,) = RULES.scores(state)
    assert (line.seat, line.points, line.cards) == (0, 3, ("AD", "AH"))
    assert state.stack("one_pair") == (2, 1) and state.pile == ("AD", "AH")
    state = act(state, "0 claim 5S 5C hand=one_pair")  # 117: as often as cards last; then the action is over
    assert totals(state) == [5, 0, 0] and state.phase is not Phase.CLAIM


def test_146_152_two_pairs_from_cards_that_are_no_pair_together():
    state = holding("AD AD AH AC")
    assert codes(state, "0 claim AD AD hand=one_pair") == [("same-card-twice", "128", "foul")]
    state = act(state, "0 claim AD AH hand=one_pair", "0 claim AD AC hand=one_pair")
    assert len(RULES.scores(state)) == 2


def test_111_a_hand_too_small_for_the_score_card_is_told_both_counts():
    state = holding("AD AH")
    assert codes(state, "0 claim AD AH AS AC hand=four") == [("hand-too-small", "111", "foul")]
    (found,) = RULES.check(state, Action.of("claim", 0, ("AD", "AH", "AS", "AC"), hand="four"))
    assert {"holds": 2, "needs": 4, "category": "four", "seat": 0}.items() <= dict(found.params).items()


def test_118_a_score_card_that_is_gone_cannot_be_claimed():
    state = holding("AD AH 5S 5C", catalogue='kind=[{hand="one_pair",points=[3]},{hand="flush",points=[9]}]')
    state = act(state, "0 claim AD AH hand=one_pair")
    assert codes(state, "0 claim 5S 5C hand=one_pair") == [("stack-empty", "118", "foul")]
    stands = RULES.apply(state, do(state, "0 claim 5S 5C hand=one_pair"))
    assert totals(stands) == [3, 0, 0] and stands.pile[-2:] == ("5S", "5C")


def test_117_claims_end_when_the_player_says_so():
    state = act(holding("AD AH 5S"), "0 claim AD AH hand=one_pair")
    assert kinds_open(state) == ["done"]  # one card is left in the hand: nothing costs a single card
    state = act(holding("AD AH 5S 5H"), "0 claim AD AH hand=one_pair")
    assert kinds_open(state) == ["claim", "done"]
    assert codes(state, "0 take 7S source=stock") == [("wrong-phase", "75", "foul")]
    assert act(state, "0 done").active == 1


def test_7_3_exactly_the_cards_needed_unless_the_table_plays_otherwise():
    assert codes(holding("AD AH 5S"), "0 claim AD AH 5S hand=one_pair") == [("wrong-count", "111", "foul")]
    assert codes(holding("AD AH 5S", exact_count="no"), "0 claim AD AH 5S hand=one_pair") == []


def test_7_3_thrown_in_cards_are_few_and_never_the_joker():
    loose = holding("AD AH 5S", hands=(9, 0, 0), exact_count="no")
    assert codes(loose, "0 claim AD AH JK1 hand=one_pair") == [("card-elsewhere", "33", "foul")]
    assert next(p for p in RULES.prompts(loose) if p.kind == "claim").slot.most == 10
    assert codes(holding("AD AH 5S"), "0 claim AD JK1 hand=one_pair") == [("card-elsewhere", "33", "foul")]


def test_7_2_no_pair():
    assert codes(holding("3S 4S 5S 6S 7S", no_pair="strict"), "0 claim 3S 4S 5S 6S 7S hand=no_pair") == [
        ("not-the-hand", "111", "foul")
    ]
    assert codes(holding("3S 5S 8H", no_pair_cards="3"), "0 claim 3S 5S 8H hand=no_pair") == []


# --- the catalogue ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kinds", "cards", "end"), [("default", 11, 27, 6), ("nine", 9, 27, 4)])
def test_16_22_twenty_seven_score_cards(name, kinds, cards, end):
    found = catalogue(name)
    assert (len(found.kinds), sum(map(len, found.stacks)), found.end_kinds) == (kinds, cards, end)
    assert all(list(stack) == sorted(stack, reverse=True) for stack in found.stacks)


def test_7_1_a_table_writes_its_own_catalogue():
    text = 'end_kinds = 1\n[[kind]]\nhand = "flush"\npoints = [9, 8]\n[[kind]]\nhand = "one_pair"\npoints = [1]\n'
    found = catalogue(text)
    assert (found.kinds, found.stacks, found.end_kinds) == (("flush", "one_pair"), ((9, 8), (1,)), 1)
    assert start(3, catalogue=text).stacks == ((9, 8), (1,))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ten", "as TOML"),
        ("a = " + "[" * 900 + "]" * 900, "too deep"),
        ("a" + ".a" * 1900 + " = 1", "catalogue"),
        ("", "at least one"),
        ("kind = 3", "at least one"),
        ("kind = [3]", "exactly hand and points"),
        ('kind=[{hand="pair",points=[1]}]', "not 'pair'"),
        ('kind=[{hand="flush",points=[1, 2]}]', "highest down"),
        ('kind=[{hand="flush",points=[]}]', "highest down"),
        ('kind=[{hand="flush",points=["a"]}]', "highest down"),
        ('kind=[{hand="flush",points=[1]},{hand="flush",points=[1]}]', "twice"),
        ('end_kinds=1\nkind=[{hand="flush",points=[1]}]', "from 0 to 0"),
        ('colour=1\nkind=[{hand="flush",points=[1]}]', "no 'colour'"),
    ],
)
def test_7_1_a_broken_catalogue_is_refused_in_one_sentence(text, words):
    with pytest.raises(SetupError, match=words):
        catalogue(text)
