"""The rule vectors of Trading Poker, one adapter for each question they ask."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cards import deck
from companion.games import Action, Setup, Verdict, game
from companion.games.trading_poker.knowledge import JOKER
from companion.games.trading_poker.state import Phase, ends, final_winner, half
from companion.hands import trading

RULES = game("trading-poker")
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "rules" / "vectors.json"
COMMON = ("2S", "5H", "6C", "10S", "8D")
KINDS = {
    "One pair": "one_pair",
    "Two pair": "two_pair",
    "Three of a kind": "three",
    "Four of a kind": "four",
    "Full house": "full_house",
    "Straight": "straight",
    "Flush": "flush",
    "Straight flush": "straight_flush",
    "No pair": "no_pair",
}
NAMES = {code: name for name, code in KINDS.items()}


def cases():
    if not VECTORS.exists():
        return [pytest.param({}, marks=pytest.mark.skip(reason="the rule vectors are not beside this checkout"))]
    every = json.loads(VECTORS.read_text("utf-8"))
    return [pytest.param(case, id=case["id"]) for case in every if case["game"] == RULES.id]


def main_action(players=3, keeps=(), hand=(), **options):
    """The start player's main action, with these keep cards, and these cards in his hand."""
    visible = [card for cards in (*keeps, hand) for card in cards]
    common = [card for card in ("2S", "5H", "6C", "10S", "8D", "3H", "9C", "4S", "7D", "AC") if card not in visible][:5]
    state = RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple(options.items())))
    state = RULES.apply(state, Action("refill", None, tuple(common)))
    knowledge = state.knowledge
    for card in visible:
        knowledge = knowledge.seen(card, knowledge.stock)
    knowledge = knowledge.hidden(hand, 0)
    laid = tuple(tuple(keeps[seat]) if seat < len(keeps) else () for seat in range(players))
    return replace(state, knowledge=knowledge, keeps=laid)


def fouls(state, action):
    return [v.code for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]


def deck_op():
    cards = deck("trading")
    types = [code for code in cards.codes if code != JOKER]
    copies = {cards.copies(code) for code in types}
    return {"cards": cards.size, "types": len(types), "copies": copies.pop(), "jokers": cards.copies(JOKER)}


def claim(claims=None, kind=None, cards=None, hand_before=None, stack_left=None, stack_points_top_first=None):
    cards = cards or ["AD", "AH"]
    claims = claims or [{"kind": kind, "cards": cards}]
    hand = hand_before or [card for one in claims for card in one["cards"]]
    state = main_action(hand=hand)
    points = stack_points_top_first if stack_points_top_first is not None else None
    if stack_left is not None:
        points = list(range(stack_left, 0, -1))
    if points is not None:
        at = state.rules.catalogue.kinds.index(KINDS[kind])
        state = replace(state, stacks=(*state.stacks[:at], tuple(points), *state.stacks[at + 1 :]))
    reasons = {"stack-empty": "stack_empty", "same-card-twice": "identical_card", "not-the-hand": "not_the_hand"}
    won = []
    for one in claims:
        action = Action.of("claim", 0, one["cards"], hand=KINDS[one["kind"]])
        if wrong := fouls(state, action):
            return {"verdict": "illegal", "reason": reasons.get(wrong[0], wrong[0])}
        state = RULES.apply(state, action)
        won.append(one["kind"])
    return {"verdict": "legal", "score_cards": won, "points_taken": RULES.scores(state)[-1].points}


def kinds(cards):
    found = sorted(NAMES[kind] for kind in trading.kinds(cards) if kind in NAMES)
    return {"legal_kinds": found, "claimable": "exactly one of them"}


def final(seats, points, once_more):
    return {"winner": seats[final_winner(points, seats.index(once_more))]}


def actions(active_keep, others_keep):
    spare = iter(deck("trading").codes[10:])
    keeps = [[next(spare) for _ in range(n)] for n in (active_keep, *others_keep)]
    state = main_action(1 + len(others_keep), keeps)
    open_now = {prompt.kind for prompt in RULES.prompts(state)}
    names = {"take": "A", "collect": "B", "swap": "C", "claim": "D_if_a_claim_is_possible"}
    return {
        "legal_actions": [name for kind, name in names.items() if kind in open_now],
        "illegal": [name for kind, name in names.items() if kind not in open_now],
    }


def take(state, sources):
    for source in sources:
        place, _, card = source.partition(":")
        where = {"deck": "stock", "common": "common"}[place]
        action = Action.of("take", 0, (card,), source=where)
        assert not fouls(state, action)
        state = RULES.apply(state, action)
    return state


def b_collect(keep_before, take_):
    state = RULES.apply(main_action(keeps=[keep_before]), Action("collect", 0))
    gains = next(zone.cards for zone in RULES.whereabouts(state) if zone.id == "hand:0")
    state = take(state, take_)
    return {"hand_gains": sorted(gains, key=keep_before.index), "keep_after": list(state.keeps[0])}


def a_keep(deck_top, take_):
    state, top = main_action(), iter(deck_top)
    for _ in take_:
        card = {"JK": JOKER}.get(first := next(top), first)
        state = take(state, [f"deck:{card}"])
        if card == JOKER:
            state = take(state, [f"deck:{next(top)}"])
    due = state.phase is Phase.SHUFFLE or state.joker_out
    return {"keep_after": list(state.keeps[0]), "joker_aside": state.joker_out, "shuffle_step_due": due}


def once_more(seats_clockwise, active, holder):
    seats = seats_clockwise
    state = replace(
        main_action(len(seats)), active=seats.index(active), once_more=seats.index(holder), phase=Phase.ONCE_MORE
    )
    state = RULES.apply(state, Action("once-more", seats.index(active)))
    return {"holder_after": seats[state.once_more], "next_turn": seats[state.active]}


def setup(seats_clockwise, start):
    state = RULES.start(Setup(tuple(seats_clockwise), "", (("start", str(seats_clockwise.index(start) + 1)),)))
    state = RULES.apply(state, Action("refill", None, COMMON))
    return {
        "once_more": seats_clockwise[state.once_more],
        "hands": state.hand(0),
        "common": len(state.common),
        "deck": state.knowledge.in_stock,
    }


OPS = {
    "deck": deck_op,
    "claim": claim,
    "kinds": kinds,
    "shuffle_discard": lambda hand_sizes: {"must_discard": [half(n) for n in hand_sizes]},
    "end_check": lambda kinds_left: {"ends": [ends(n, 6) for n in kinds_left]},
    "final": final,
    "actions": actions,
    "B_collect": lambda keep_before, take: b_collect(keep_before, take),
    "A_keep": lambda deck_top, take: a_keep(deck_top, take),
    "once_more": once_more,
    "setup": setup,
}


@pytest.mark.parametrize("case", cases())
def test_rule_vectors(case):
    question = dict(case["input"])
    answer = OPS[question.pop("op")](**question)
    assert {key: answer.get(key) for key in case["expected"]} == case["expected"], case["quote"]
