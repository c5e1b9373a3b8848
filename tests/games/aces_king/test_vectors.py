"""Ace's King: the rule vectors, one adapter for each question they ask, and cases of our own in the same form."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import UNKNOWN, Action, Setup, Verdict, game

RULES = game("aces-king")
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "rules" / "vectors.json"
PILE = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "2D", "3D", "4D", "6D", "7D")

OWN = [
    ({"op": "deal", "players": 2}, {"each": 8, "stock": 36}),
    ({"op": "deal", "players": 4}, {"each": 8, "stock": 20}),
    ({"op": "first_play", "hand": 8, "card": "KD"}, {"hand_after": 8, "draw": 1, "top": "KD"}),
    ({"op": "play", "top": "KS", "card": "AD", "hand": 4}, {"draw": 12, "hand_after": 15, "top": "AD"}),
    ({"op": "play", "top": "AS", "card": "KH", "hand": 3}, {"draw": 0, "hand_after": 2, "top": "KH"}),
    ({"op": "play", "top": "KS", "card": "AD", "hand": 4, "options": {"ace": "14"}}, {"draw": 0, "hand_after": 3}),
    ({"op": "play", "top": "5H", "card": "5S", "hand": 1}, {"draw": 0, "hand_after": 0, "out": True, "winner": True}),
    ({"op": "play", "top": "5H", "card": "4S", "hand": 1}, {"draw": 1, "hand_after": 1, "out": False}),
    (
        {"op": "play", "top": "5H", "card": "4S", "hand": 1, "options": {"out_on_empty": "before_draw"}},
        {"draw": 0, "hand_after": 0, "out": True},
    ),
    ({"op": "pass", "top": "KH", "hand": 1}, {"draw": 2, "hand_after": 3, "top": "KH"}),
    ({"op": "first_play_pass"}, {"verdict": "illegal"}),
    ({"op": "first_play_pass", "options": {"open_pass": "yes"}}, {"verdict": "legal"}),
    ({"op": "play_out_of_turn", "turn": "A", "actor": "B"}, {"verdict": "illegal", "reason": "not_your_turn"}),
    (
        {"op": "play", "top": "QS", "card": "2H", "hand": 5, "stock": 3, "discard_under_top": 14},
        {"draw": 10, "reshuffled": True, "stock_after": 8, "hand_after": 14},
    ),
    (
        {"op": "play", "top": "QS", "card": "2H", "hand": 5, "stock": 3, "discard_under_top": 4},
        {"draw": 8, "reshuffled": True, "stock_after": 0, "hand_after": 12},
    ),
    (
        {
            "op": "play",
            "top": "QS",
            "card": "2H",
            "hand": 5,
            "stock": 3,
            "discard_under_top": 14,
            "options": {"stock_empty": "no_draw"},
        },
        {"draw": 3, "reshuffled": False, "stock_after": 0, "hand_after": 7},
    ),
]


def given():
    shared = []
    if VECTORS.exists():
        cases = json.loads(VECTORS.read_text("utf-8"))
        shared = [pytest.param(c["input"], c["expected"], id=c["id"]) for c in cases if c["game"] == "aces-king"]
    else:
        skip = pytest.mark.skip(reason="the rule vectors are not beside this checkout")
        shared = [pytest.param({}, {}, marks=skip)]
    return shared + [pytest.param(*case, id=f"own-{i}") for i, case in enumerate(OWN)]


def started(players=2, options=None):
    setup = Setup(tuple("ABCDE"[:players]), "", tuple((options or {}).items()))
    return RULES.start(setup)


def under(top, hand, stock=20, discard_under_top=0, options=None, players=2):
    """A's turn with `hand` cards, on `top` over some other cards."""
    pile = (*[card for card in PILE if card != top][:discard_under_top], top)
    state = started(players, options)
    return replace(state, hands=(hand, *state.hands[1:]), stock=stock, discard=pile)


def moved(state, action):
    """The answer after A's action and every draw that it brings."""
    assert RULES.check(state, action) == ()
    after, reshuffled = RULES.apply(state, action), False
    while after.owed and not after.over:
        prompt = RULES.prompts(after)[0]
        reshuffled |= prompt.kind == "reshuffle"
        cards = (UNKNOWN,) * (prompt.slot.least if prompt.slot else 0)
        action = Action(prompt.kind, prompt.seat, cards)
        assert RULES.check(after, action) == ()
        after = RULES.apply(after, action)
    return {
        "draw": after.hands[0] - state.hands[0] + (0 if after.discard[-1:] == state.discard[-1:] else 1),
        "hand_after": after.hands[0],
        "top": after.top,
        "out": 0 in after.out,
        "winner": RULES.winners(after) == (0,),
        "reshuffled": reshuffled,
        "stock_after": after.stock,
    }


def deal(players):
    state = started(players)
    assert len(set(state.hands)) == 1
    return {"each": state.hands[0], "stock": state.stock}


def first_play(hand, card, options=None):
    state = started(2, options)
    return moved(replace(state, hands=(hand, *state.hands[1:])), Action("play", 0, (card,)))


def verdict(state, action):
    fouls = [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
    return {
        "verdict": "illegal" if fouls else "legal",
        "reason": fouls[0].code.replace("-", "_") if fouls else None,
    }


def out_of_turn(turn, actor):
    state = replace(started(3), turn="ABC".index(turn), discard=("5H",))
    return verdict(state, Action("play", "ABC".index(actor), ("9S",)))


def play(card, **table):
    return moved(under(**table), Action("play", 0, (card,)))


OPS = {
    "deal": deal,
    "first_play": first_play,
    "play": play,
    "pass": lambda **table: moved(under(**table), Action("pass", 0)),
    "first_play_pass": lambda options=None: verdict(started(2, options), Action("pass", 0)),
    "play_out_of_turn": out_of_turn,
}


@pytest.mark.parametrize(("question", "wanted"), given())
def test_rule_vectors(question, wanted):
    question = dict(question)
    answer = OPS[question.pop("op")](**question)
    assert {key: answer.get(key) for key in wanted} == wanted
