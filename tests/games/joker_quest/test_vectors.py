"""Joker Quest: the rule vectors, one adapter for each question they ask, and cases of our own in the same form."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cards import deck
from companion.games import UNKNOWN, Action, Hand, Setup, Verdict, game
from companion.games.joker_quest.fortune import fortune
from companion.games.joker_quest.state import JOKER, Phase, draw_count, owes, value

RULES = game("joker-quest")
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "rules" / "vectors.json"
WHO = {"older-man": "older man", "older-woman": "older woman", "same-generation": "someone of the same generation"}
REASONS = {
    "same-suit-as-road": "same_suit_as_road",
    "king-suit": "attack_card_must_match_suit",
    "kings-left": "kings_left",
    "too-few-cards": "not_enough_cards",
    "discard-count": "wrong_number_of_cards",
}

OWN = [
    ({"op": "deal", "players": 1}, {"deck": 53, "each": 4, "road": 1, "stock": 48}),
    ({"op": "deal", "players": 5}, {"deck": 53, "each": 4, "road": 1, "stock": 32}),
    (
        {"op": "road", "road": "4S", "play": "AD", "extra": ["9H", "2C", "KC"], "hand": 5},
        {"verdict": "broken_through", "draw": 0, "new_road": "KC", "hand_after": 1},
    ),
    ({"op": "road", "road": "4S", "play": "AD", "extra": ["9H", "2C"], "hand": 5}, {"verdict": "illegal"}),
    ({"op": "road", "road": "4S", "play": "AD", "hand": 3}, {"verdict": "illegal", "reason": "not_enough_cards"}),
    ({"op": "road", "road": "4C", "play": "KC"}, {"verdict": "illegal", "reason": "same_suit_as_road"}),
    ({"op": "road", "road": "4C", "play": "KC", "options": {"same_suit": "allowed"}}, {"draw": 9}),
    ({"op": "road", "road": "4C", "play": "4H", "hand": 1}, {"draw": 0, "hand_after": 0, "game_over": True}),
    (
        {"op": "road", "road": "4C", "play": "4H", "penalties": ["KS"], "take_back": "KS", "hand": 1},
        {"penalties_after": [], "hand_after": 1, "game_over": False},
    ),
    ({"op": "pass", "put": "KD", "hand": 1, "stock": 20}, {"penalties": ["KD"], "draw": 1, "hand_after": 1}),
    ({"op": "pass", "put": "KD", "hand": 1, "stock": 0}, {"draw": 0, "hand_after": 0, "game_over": True}),
    ({"op": "king", "king": "10H", "attack": "QH", "hand": 4}, {"verdict": "defeated", "draw": 2, "hand_after": 5}),
    ({"op": "king", "king": "10H", "attack": "10D"}, {"verdict": "illegal", "reason": "attack_card_must_match_suit"}),
    ({"op": "king", "king": "10H", "attack": "8H", "hand": 2}, {"verdict": "illegal", "reason": "not_enough_cards"}),
    (
        {"op": "draw", "allowed": 3, "stock_top": ["3S", "9D", "KC", "JK"]},
        {"drawn": ["3S", "9D", "KC"], "joker_appears": False},
    ),
    ({"op": "joker_strike", "kings_left": 0, "card": "KD", "hand": 1, "stock": 4}, {"draw": 4, "hand_after": 4}),
    ({"op": "joker_strike", "kings_left": 4, "card": "9D"}, {"verdict": "illegal", "reason": "kings_left"}),
    ({"op": "joker_appears", "stock": 30}, {"kings": 4}),
    ({"op": "joker_appears", "stock": 0}, {"kings": 0}),
    (
        {"op": "final_all", "hands": {"A": 7, "B": 7}, "penalties": {"A": ["4S", "3D"], "B": []}},
        {"scores": {"A": 0, "B": 7}, "winner": "B", "game_over": ["A"]},
    ),
    (
        {"op": "final_all", "hands": {"A": 9, "B": 2}, "penalties": {"A": ["4S", "3D"], "B": []}},
        {"scores": {"A": 2, "B": 2}, "winner": ["A", "B"]},
    ),
    (
        {"op": "fortune", "final_hand": ["AH", "2C", "10D", "KC"]},
        {"money": ["10D"], "trust": ["AH"], "knowledge": ["2C"], "acquaintances": {"KC": "older man"}},
    ),
]


def given():
    if VECTORS.exists():
        cases = json.loads(VECTORS.read_text("utf-8"))
        shared = [pytest.param(c["input"], c["expected"], id=c["id"]) for c in cases if c["game"] == "joker-quest"]
    else:
        skip = pytest.mark.skip(reason="the rule vectors are not beside this checkout")
        shared = [pytest.param({}, {}, marks=skip)]
    return shared + [pytest.param(*case, id=f"own-{i}") for i, case in enumerate(OWN)]


def started(players=2, options=None):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple((options or {}).items())))


def on_the_road(road="4C", hand=5, stock=20, penalties=(), options=None, **more):
    """A's turn with `hand` unknown cards."""
    state = started(2, options)
    return replace(
        state,
        phase=Phase.TURN,
        pile=(road,),
        hands=(Hand(unknown=hand), state.hands[1]),
        stock=stock,
        penalty=(tuple(penalties), ()),
        **more,
    )


def refused(state, action):
    fouls = [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
    return {"verdict": "illegal", "reason": REASONS.get(fouls[0].code, fouls[0].code)} if fouls else None


def drawn_out(state):
    """The state after everything that may be drawn is drawn, and how much that was."""
    if state.phase is not Phase.DRAW:
        return state, 0
    count = draw_count(state)
    action = Action("draw", state.turn, (UNKNOWN,) * count)
    assert RULES.check(state, action) == ()
    return RULES.apply(state, action), count


def done(state, action, verdict):
    state = RULES.apply(state, action)
    state, drawn = drawn_out(state)
    return {
        "verdict": verdict,
        "draw": drawn,
        "new_road": state.road,
        "hand_after": len(state.hands[0]),
        "penalties": list(state.penalty[0]),
        "penalties_after": list(state.penalty[0]),
        "game_over": 0 in state.out,
    }


def deal(players):
    state = started(players)
    each = {len(hand) for hand in state.hands}
    state = RULES.apply(state, Action("turn-up", None, ("5C",)))
    return {"deck": deck("53").size, "each": each.pop(), "road": len(state.pile), "stock": state.stock}


def road(road, play, extra=(), take_back=None, **table):
    state = on_the_road(road, **table)
    action = Action("play", 0, (play, *extra))
    if not take_back:
        return refused(state, action) or done(state, action, "broken_through")
    state = RULES.apply(state, action)
    assert RULES.check(state, Action("reclaim", 0, (take_back,))) == ()
    return done(state, Action("reclaim", 0, (take_back,)), "broken_through")


def passing(put, **table):
    state, action = on_the_road(**table), Action("pass", 0, (put,))
    return refused(state, action) or done(state, action, "passed")


def king(king, attack, extra=(), **table):
    state = on_the_road(joker_out=True, kings=(king,), **table)
    action = Action.of("attack", 0, (attack, *extra), king=king)
    answer = refused(state, action) or done(state, action, "defeated")
    return answer | {"pile_bottom_to_top": list(RULES.apply(state, action).pile[1:])}


def draw(allowed, stock_top):
    state = on_the_road(stock=30)
    state = replace(state, phase=Phase.DRAW, allowance=allowed)
    top = [JOKER if card == "JK" else card for card in stock_top][:allowed]
    top = top[: top.index(JOKER) + 1] if JOKER in top else top
    action = Action("draw", 0, tuple(JOKER if card == JOKER else UNKNOWN for card in top))
    assert RULES.check(state, action) == ()
    after = RULES.apply(state, action)
    count = len(after.hands[0]) - len(state.hands[0])
    kings = RULES.prompts(after)[0].slot.least if after.phase is Phase.KINGS else 0
    return {"drawn": stock_top[:count], "joker_appears": after.joker_out, "kings_drawn": kings}


def strike(kings_left, card, **table):
    state = on_the_road(joker_out=True, kings=("2S", "3S", "5S", "6S")[:kings_left], **table)
    action = Action("strike", 0, (card,))
    answer = refused(state, action) or done(state, action, "struck")
    after, _ = drawn_out(RULES.apply(state, action))
    if after.struck:
        answer |= {"joker": "defeated", "quest": "finished" if after.phase in (Phase.FINAL, Phase.OVER) else "on"}
    return answer


def appears(stock):
    state = on_the_road(stock=stock + 1)
    state = replace(state, phase=Phase.DRAW, allowance=1)
    state = RULES.apply(state, Action("draw", 0, (JOKER,)))
    return {"kings": RULES.prompts(state)[0].slot.least if state.phase is Phase.KINGS else 0}


def final(hands, penalties):
    names = list(hands)
    state = started(len(names))
    state = replace(
        state,
        phase=Phase.TURN,
        pile=("5C",),
        joker_out=True,
        stock=0,
        hands=tuple(Hand(unknown=n + (i == 0)) for i, n in enumerate(hands.values())),
        penalty=tuple(tuple(penalties.get(name, ())) for name in names),
    )
    state = RULES.apply(state, Action("strike", 0, ("2H",)))
    for seat in range(len(names)):
        if state.phase is Phase.FINAL and (count := owes(state, seat)):
            state = RULES.apply(state, Action("pay", seat, (UNKNOWN,) * count))
    assert state.phase is Phase.OVER
    best = [names[seat] for seat in RULES.winners(state)]
    return {
        "scores": {names[seat]: total for seat, total in RULES.totals(state).items()},
        "winner": best[0] if len(best) == 1 else best,
        "game_over": [names[seat] for seat in state.out],
    }


def alone(hand, penalties):
    """What one player keeps."""
    answer = final({"A": hand, "B": 1}, {"A": penalties})
    due = sum(value(card) for card in penalties)
    return {"discard": due, "score": answer["scores"]["A"], "game_over": "A" in answer["game_over"]}


def read(final_hand):
    reading = fortune(tuple(final_hand))
    return {
        "money": list(reading.money),
        "skill": list(reading.skill),
        "trust": list(reading.trust),
        "knowledge": list(reading.knowledge),
        "acquaintances": {card: WHO[who] for card, who in reading.acquaintances},
    }


OPS = {
    "deal": deal,
    "road": road,
    "pass": passing,
    "king": king,
    "draw": draw,
    "joker_strike": strike,
    "joker_appears": appears,
    "final": alone,
    "final_all": final,
    "fortune": read,
}


@pytest.mark.parametrize(("question", "wanted"), given())
def test_rule_vectors(question, wanted):
    question = dict(question)
    answer = OPS[question.pop("op")](**question)
    assert {key: answer.get(key) for key in wanted} == wanted
