"""Hexa Card: the rule vectors, one adapter for each question they ask, and cases of our own in the same form."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import Action, Setup, game
from companion.games.hexa_card.state import Phase, dealt
from companion.hands.hexa import best_partition, group

RULES = game("hexa-card")
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "rules" / "vectors.json"
COMPLETE = ("2S", "3H", "4D", "5C", "6S", "KH")
NOTHING = ("2S", "4H", "6D", "8C", "10S", "QH")

OWN = [
    ({"op": "group", "cards": ["7S", "7H"]}, {"name": "Jewel", "size": 2, "points": 4}),
    ({"op": "group", "cards": ["2S", "3H", "4D", "5C"]}, {"name": "Coin", "size": 4, "points": 4}),
    ({"op": "group", "cards": ["2S", "3S", "4S", "5S"]}, {"name": "Coin", "size": 4, "points": 16}),
    ({"op": "group", "cards": ["JS", "QS", "KS"]}, {"name": "Coin", "size": 3, "points": 18}),
    ({"op": "group", "cards": ["AS", "2S"]}, {"name": "Coin", "size": 2, "points": 8}),
    (
        {"op": "score", "cards": ["2S", "3H", "4D", "5C", "6S", "KH"]},
        {"out": True, "score": 25, "base": 5, "amulet": 20},
    ),
    ({"op": "score", "cards": list(NOTHING)}, {"out": False}),
    ({"op": "score", "cards": ["JS", "JH", "QS", "QH", "KS", "KH"]}, {"out": True, "kingdom": True, "mult": 4}),
    ({"op": "false_claim", "players": ["A", "B"], "claimer": "A"}, {"gains": {"A": 0, "B": 10}, "game_ends": True}),
    ({"op": "holy", "declared_at_deal": True, "hand_complete_at_deal": True}, {"holy_bonus": 10}),
    ({"op": "holy", "declared_at_deal": False, "hand_complete_at_deal": True}, {"holy_bonus": 0}),
    ({"op": "loop", "hand": 5, "draw": 2, "discard": 1}, {"hand_after": 6}),
    ({"op": "dice", "hand": 6, "discard": 1}, {"hand_after": 6, "victim_after": 5}),
    ({"op": "stock_empty"}, {"scored": False, "game_ends": True}),
    ({"op": "games", "players": 4}, {"games": 8}),
]


def given():
    if VECTORS.exists():
        cases = json.loads(VECTORS.read_text("utf-8"))
        shared = [pytest.param(c["input"], c["expected"], id=c["id"]) for c in cases if c["game"] == "hexa-card"]
    else:
        skip = pytest.mark.skip(reason="the rule vectors are not beside this checkout")
        shared = [pytest.param({}, {}, marks=skip)]
    return shared + [pytest.param(*case, id=f"own-{i}") for i, case in enumerate(OWN)]


def started(players=3, options=None):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple((options or {}).items())))


def form(cards):
    found = group(cards)
    return {"name": found.kind.capitalize(), "size": len(found.cards), "points": found.points} if found else {}


def score(cards, options=None):
    answer = best_partition(cards, options or {})
    groups = [[g.kind.capitalize(), sorted(g.cards), g.points] for g in answer.groups]
    return {
        "out": answer.out,
        "score": answer.score,
        "base": answer.base,
        "mult": answer.multiplier,
        "amulet": answer.amulet,
        "groups": sorted(groups),
        "kingdom": answer.kingdom,
        "park": answer.park,
        "friend_park": answer.friend_park,
    }


def false_claim(players, claimer):
    state = RULES.start(Setup(tuple(players)))
    seat = players.index(claimer)
    state = replace(state, turn=seat)
    state = RULES.apply(state, Action("loop", seat, ("3S",)))
    action = Action("out", seat, NOTHING)
    assert [v.code for v in RULES.proves(state, action)] == ["false-out"]
    state = RULES.apply(state, action)
    gains = {name: RULES.totals(state)[i] for i, name in enumerate(players)}
    return {"gains": gains, "game_ends": state.phase in (Phase.SCORED, Phase.OVER)}


def holy(declared_at_deal, hand_complete_at_deal):
    cards = COMPLETE if hand_complete_at_deal else NOTHING
    state = started(2)
    if declared_at_deal:
        state = RULES.apply(state, Action("holy", 0, cards))
    else:
        state = RULES.apply(state, Action("loop", 0, ("9D",)))
        state = RULES.apply(state, Action("out", 0, cards))
    lines = [line for line in RULES.scores(state) if line.reason.key == "score.hexa-card.holy"]
    return {"holy_bonus": sum(line.points for line in lines)}


def loop(hand, draw, discard):
    state = started()
    state = replace(state, hands=(hand, *state.hands[1:]))
    after = RULES.apply(state, Action("loop", 0, ("3S",) * discard))
    assert not RULES.check(state, Action("loop", 0, ("3S",) * discard))
    assert state.stock - after.stock == draw
    return {"hand_after": after.hands[0], "stock_after": after.stock}


def dice(hand, discard):
    state = started()
    state = replace(state, hands=(hand, *state.hands[1:]))
    after = RULES.apply(state, Action("dice", 0, ("3S",) * discard))
    return {"hand_after": after.hands[0], "victim_after": after.hands[1]}


def exhausted():
    state = replace(dealt(started()), stock=0)
    after = RULES.apply(state, Action("washout"))
    return {"scored": bool(RULES.scores(after)), "game_ends": after.phase is Phase.SCORED}


def games(players):
    state, count = started(players), 0
    while state.phase is not Phase.OVER:
        state, count = RULES.apply(replace(state, stock=0), Action("washout")), count + 1
        state = RULES.apply(state, Action("deal"))
    return {"games": count}


OPS = {
    "group": form,
    "score": score,
    "false_claim": false_claim,
    "holy": holy,
    "loop": loop,
    "dice": dice,
    "stock_empty": exhausted,
    "games": games,
}


@pytest.mark.parametrize(("question", "wanted"), given())
def test_rule_vectors(question, wanted):
    question = dict(question)
    answer = OPS[question.pop("op")](**question)
    if "groups" in wanted:
        wanted = {**wanted, "groups": sorted([kind, sorted(cards), points] for kind, cards, points in wanted["groups"])}
    assert {key: answer.get(key) for key in wanted} == wanted
