"""Cases with their source: a question (`op`), an input, the answer the sheet gives. One adapter per question.

The project's own cases stand in ``vectors.json``; a larger collection is read too where it lies beside the
checkout.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cards import deck
from companion.games import Action, Hand, Setup, game
from companion.games.three_card_trick_poker.flow import begin_bout, proceed
from companion.games.three_card_trick_poker.state import Mode, Phase, Player, Refill
from companion.hands import three_card

HERE = Path(__file__).resolve()
OWN = json.loads((HERE.parent / "vectors.json").read_text("utf-8"))
SHARED = HERE.parents[4] / "shared" / "rules" / "vectors.json"
RULES = game("three-card-trick-poker")
LETTERS = "ABCDEFGH"


def cases():
    known = {case["id"]: case for case in OWN}
    if SHARED.exists():
        collection = json.loads(SHARED.read_text("utf-8"))
        shared = collection if isinstance(collection, list) else collection["cases"]
        known |= {case["id"]: case for case in shared if case["game"] == RULES.id}
    return [pytest.param(case, id=case["id"]) for case in known.values()]


def table(players=3, deck_name="52D2", **options):
    state = RULES.start(Setup(tuple(LETTERS[:players]), deck_name, tuple(options.items())))
    players_ = (Player(hidden=6, stock=8, exposed=("3S", "4D", "9C")),) * players
    return begin_bout(replace(state, phase=Phase.PLAY, players=players_, pot=Hand()), 0)


def op_deal(given):
    state = RULES.start(Setup(tuple(LETTERS[: given["players"]]), given["deck"]))
    rules = state.rules
    return {"each": rules.dealt, "pot": rules.rest, "hidden": 6, "exposed": 3, "stock": state.players[0].stock}


def op_deck(given):
    tiles = deck(given["deck"])
    honours = sum(tiles.copies(code) for code in tiles.codes if code.endswith("z"))
    return {"cards": tiles.size, "number_tiles": tiles.size - honours, "honours": honours}


def categories(given, hands, **options):
    ranking = three_card.ranking(given["deck"], options)
    return [ranking.category(tuple(cards)) for cards in hands]


def with_house_rules(given, expected, answer):
    """`answer(options)` for the default and for every house rule the case names."""
    found = dict(answer({}))
    rules = expected.get("house_rule", {})
    if rules:
        (key,) = found
        found["house_rule"] = {rule: answer(dict([rule.split("=")]))[key] for rule in rules}
    return found


def op_category(given, expected):
    return with_house_rules(given, expected, lambda o: {"category": categories(given, [given["cards"]], **o)[0]})


def op_category_each(given, expected):
    return with_house_rules(given, expected, lambda o: {"categories": categories(given, given["hands"], **o)})


def op_showdown(given):
    names = list(given["hands"])
    rules = game("three-card-showdown")
    state = rules.start(Setup(tuple(names), given["deck"]))
    for seat, cards in enumerate(given["hands"].values()):
        action = Action("lay", seat, tuple(cards))
        assert rules.check(state, action) == ()
        state = rules.apply(state, action)
    return {
        "winner": [names[seat] for seat in state.winners],
        "categories": {name: state.judge.category(cards) for name, cards in given["hands"].items()},
    }


def op_turn(given):
    state = table()
    players = tuple(
        replace(p, played=("5S",) * (given["round"] - 1), exposed=p.exposed[: given["exposed"]]) for p in state.players
    )
    kinds = {p.kind for p in RULES.prompts(replace(state, players=players, mode=Mode.SUNNY))}
    return {"forced": "fold"} if kinds == {"fold"} else {"open": sorted(kinds)}


def op_fold(given):
    lying = tuple("?" if card["face"] == "down" else card["card"] for card in given["played"])
    state = table()
    players = tuple(replace(p, played=lying) for p in state.players)
    state = replace(state, players=players, mode=Mode(given["mode"]))
    assert state.round == given["round"]
    revealed = [card["card"] for card in given["played"] if card["face"] == "down"]
    prompts = [p for p in RULES.prompts(state) if p.kind == "fold"]
    if given["round"] == 1:
        assert all(prompt.slot.least == 1 for prompt in prompts)
        action = Action.of("fold", 0, (given["card"],), source=given["source"])
    else:
        assert [prompt.slot.least if prompt.slot else 0 for prompt in prompts] == [len(revealed)]
        action = Action("fold", 0, tuple(revealed))
    after = RULES.apply(state, action)
    cards = [len(s.players[0].exposed) + s.players[0].hidden for s in (state, after)]
    return {"pot_gain": list(after.pot.known), "revealed": revealed, "penalty_card": cards[1] < cards[0]}


REASONS = {
    "second-card-not-exposed": "second_card_not_from_exposed",
    "card-must-lie-up": "wrong_face_for_mode",
    "card-must-lie-down": "wrong_face_for_mode",
}


def op_play(given):
    state = table()
    mode = Mode(given.get("mode", "yo"))
    before = tuple(given.get("exposed", state.players[0].exposed))
    players = tuple(replace(p, played=("5S",) * (given["round"] - 1), exposed=before) for p in state.players)
    if given["round"] == 1:  # The leader has shown the mode; the next player answers.
        players = (replace(players[0], played=("?" if mode is Mode.SHADY else "5S",)), *players[1:])
    state = replace(state, players=players, mode=mode)
    card = "?" if given.get("card_face") == "down" else given.get("card", "6C")
    fouls = [v.code for v in RULES.check(state, Action("play", state.turn, (card,))) if v.verdict == "foul"]
    return {"verdict": "illegal", "reason": REASONS[fouls[0]]} if fouls else {"verdict": "legal"}


HANDS = {
    "none": "2S 7H KD",
    "CLF": "2S 7C KS",
    "P1": "9S 9H KD",
    "RN2": "3H 4H 10C",
    "FL": "2D 7D JD",
    "ST": "5S 6H 7C",
    "D2": "9S 9S KD",
    "RaP": "5S 5H 6H",
    "K3": "8S 8H 8D",
    "SF": "5H 6H 7H",
}


def op_settle_bout(given):
    """Hands of the categories the case names; where it names winners only, a flush for them, nothing for the others.
    Categories stand in turn order."""
    order = given["turn_order"]
    seats = {name: seat for seat, name in enumerate(sorted(order))}
    state = begin_bout(table(len(order)), seats[order[0]])
    winners = given.get("winners", [])
    named = given.get("categories") or ["FL" if name in winners else "none" for name in order]
    hands = {name: tuple(HANDS[category].split()) for name, category in zip(order, named, strict=True)}
    players = tuple(replace(p, played=hands[name]) for p, name in zip(state.players, sorted(order), strict=True))
    assert sum(len(p.played) for p in players) == given["bout_cards"]
    pot = Hand(("4C",) * given["pot"])
    assert order == [sorted(order)[seat] for seat in state.order]
    after = proceed(replace(state, players=players, pot=pot, phase=Phase.SHOWDOWN))
    captured = {name: len(after.players[seat].captured) for name, seat in seats.items()}
    leader = next(name for name, seat in seats.items() if seat == after.order[0])
    return {
        "captured": {name: count for name, count in captured.items() if count},
        "pot_left": len(after.pot),
        "next_leader": leader,
    }


def op_after_play(given):
    state = table()
    player = replace(state.players[0], hidden=given["hidden"] + 1, stock=given["stock"])
    after = RULES.apply(state.with_player(0, player), Action("play", 0, ("5S",))).players[0]
    drawn = given["stock"] - after.stock
    return {"forced_refill": drawn, "hidden_after": after.hidden, "stock_after": after.stock}


def op_end_settle(given):
    state = table(3, end=given["rule"])
    rest = given["remaining_cards"]
    left = tuple(given.get("left", (0,) if given["rule"] == "S" else (0, 1)))
    staying = [seat for seat in range(3) if seat not in left]
    for seat in range(3):
        share = rest // len(staying) + (seat == staying[-1]) * (rest % len(staying))
        state = state.with_player(seat, Player(share if seat in staying else 0, 0))
    after = proceed(begin_bout(replace(state, left=left), 2))
    assert after.phase is Phase.OVER
    return {"gain": {LETTERS[s]: len(p.captured) for s, p in enumerate(after.players) if len(p.captured)}}


@pytest.mark.parametrize("case", cases())
def test_case(case):
    given, expected = case["input"], case["expected"]
    adapter = globals()[f"op_{given['op']}"]
    wants = "house_rule" in expected or given["op"] in ("category", "category_each")
    answer = adapter(given, expected) if wants else adapter(given)
    wanted = {key: value for key, value in expected.items() if key != "table_erratum"}
    assert {key: answer.get(key) for key in wanted} == wanted


def test_refill_is_open_to_the_seat_that_acted():
    state = RULES.apply(table(), Action("play", 0, ("5S",)))
    assert state.refill == Refill(0)


def test_the_shared_collection_is_read_where_it_lies():
    if not SHARED.exists():
        pytest.skip("the larger collection of cases is not beside this checkout")
    assert len(cases()) > len(OWN)
