"""Rule vectors handed over with the specifications; a clone without them runs the project's own cases instead."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cards import deck
from companion.hands import ranking
from companion.hands.hexa import best_partition, group
from companion.hands.pokard import best
from companion.hands.sixty_five import ranking as sixty_five
from companion.hands.trading import cards_of, kinds

Case = dict[str, Any]
FILE = Path(__file__).parents[3] / "shared" / "rules" / "vectors.json"
LABELS = {
    "NoPair": "no_pair",
    "OnePair": "one_pair",
    "TwoPair": "two_pair",
    "FullHouse": "full_house",
    "StraightFlush": "straight_flush",
    "ShepherdFive": "shepherd_five",
    "Three of a kind": "three",
    "Four of a kind": "four",
    "Nothing": "none",
}


def code(label: str) -> str:
    """The project's code for a label of the vectors (``Full house``, ``FullHouse``)."""
    return LABELS.get(label, label.lower().replace(" ", "_"))


def jokers(cards: list[str]) -> list[str]:
    return ["JK1" if card == "JK" else card for card in cards]


def deck_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    cards = deck(given.get("deck", "trading"))
    numbers = [face.code for face in cards.faces if face.rank and face.suit != "z"]
    honours = [face.code for face in cards.faces if face.suit == "z"]
    known = {
        "cards": cards.size,
        "types": len(numbers),
        "copies": max(cards.counts),
        "jokers": sum(cards.copies(face.code) for face in cards.faces if not face.rank),
        "number_tiles": sum(map(cards.copies, numbers)),
        "honours": sum(map(cards.copies, honours)),
    }
    assert {key: known[key] for key in expected} == expected


def options_of(text: str) -> dict[str, str]:
    name, _, value = text.partition("=")
    return {name: value}


def category_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    if "deck" not in given:
        for proposal in "123":
            want = expected.get(f"proposal_{proposal}", expected.get("category"))
            assert sixty_five({"straights": proposal}).category(given["cards"]) == code(want)
        return
    assert ranking(given["deck"]).category(given["cards"]) == expected["category"]
    for option, want in expected.get("house_rule", {}).items():
        assert ranking(given["deck"], **options_of(option)).category(given["cards"]) == want


def each_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    assert [ranking(given["deck"]).category(hand) for hand in given["hands"]] == expected["categories"]
    for option, want in expected.get("house_rule", {}).items():
        ranked = ranking(given["deck"], **options_of(option))
        assert [ranked.category(hand) for hand in given["hands"]] == want


def showdown_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    three = "deck" in given
    ranked = ranking(given["deck"]) if three else sixty_five({"straights": given["proposal"]})
    names = list(given["hands"])
    result = ranked.showdown([given["hands"][name] for name in names])
    winners = expected["winner"] if isinstance(expected["winner"], list) else [expected["winner"]]
    assert [names[i] for i in result.winners] == winners
    want = {name: label if three else code(label) for name, label in expected["categories"].items()}
    assert dict(zip(names, result.categories, strict=True)) == want


def count_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    counts = sixty_five({"straights": given.get("proposal", 1)}).counts()
    category = code(given["category"])
    want = expected.get("count", expected.get("count_with_shepherd_rule"))
    assert counts[category] == want
    if "count_ignoring_shepherd_rule" in expected:
        assert category == "four" and want + 5 * 60 == expected["count_ignoring_shepherd_rule"]


def kinds_case(case: Case) -> None:
    assert kinds(jokers(case["input"]["cards"])) == {code(label) for label in case["expected"]["legal_kinds"]}


def claim_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    for claim in given["claims"]:
        kind = code(claim["kind"])
        legal = kind in kinds(claim["cards"])
        assert legal == (expected["verdict"] == "legal"), claim
        assert not legal or len(claim["cards"]) == cards_of(kind)


def points_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    if "hands" in given:
        assert [best(jokers(hand)).points for hand in given["hands"]] == expected["points"]
        return
    result = best(jokers(given["cards"]))
    assert result.points == expected["points"]
    if "poker" in expected:
        assert result.code == code(expected["poker"])


def score_case(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    if case["game"] == "pokard-trick":
        result = best(jokers([*given["set_aside"], *given["captured"]]))
        assert (result.code, result.points) == (code(expected["poker"]), expected["poker_points"])
        return
    part = best_partition(given["cards"], given.get("options", {}))
    known: Case = {
        "out": part.out,
        "score": part.score,
        "base": part.base,
        "mult": part.multiplier,
        "amulet": part.amulet,
        "kingdom": part.kingdom,
        "park": part.park,
        "friend_park": part.friend_park,
        "groups": sorted([g.kind.capitalize(), sorted(g.cards), g.points] for g in part.groups),
    }
    want = dict(expected)
    if "groups" in want:
        want["groups"] = sorted([kind, sorted(cards), points] for kind, cards, points in want["groups"])
    assert {key: known[key] for key in want} == want


def group_case(case: Case) -> None:
    made = group(case["input"]["cards"])
    assert made is not None
    known = {"name": made.kind.capitalize(), "size": len(made.cards), "points": made.points}
    known |= {"diret": made.diret, "friend": made.friends}
    assert {key: known[key] for key in case["expected"]} == case["expected"]


ADAPTERS: dict[tuple[str, str], Callable[[Case], None]] = {
    ("trading-poker", "deck"): deck_case,
    ("trading-poker", "kinds"): kinds_case,
    ("trading-poker", "claim"): claim_case,
    ("three-card-trick-poker", "deck"): deck_case,
    ("three-card-trick-poker", "category"): category_case,
    ("three-card-trick-poker", "category_each"): each_case,
    ("three-card-trick-poker", "showdown"): showdown_case,
    ("sixty-five-card-poker", "category"): category_case,
    ("sixty-five-card-poker", "showdown"): showdown_case,
    ("sixty-five-card-poker", "count"): count_case,
    ("pokard-trick", "poker_points"): points_case,
    ("pokard-trick", "poker_points_each"): points_case,
    ("pokard-trick", "score"): score_case,
    ("hexa-card", "score"): score_case,
    ("hexa-card", "group"): group_case,
}
VECTORS = json.loads(FILE.read_text("utf-8")) if FILE.exists() else []
# A claim without cards asks about the stack of score cards, which is the game's business.
MINE = [
    case
    for case in VECTORS
    if (case["game"], case["input"]["op"]) in ADAPTERS and (case["input"]["op"] != "claim" or "claims" in case["input"])
]


@pytest.mark.skipif(not MINE, reason="the specifications' vectors.json is not beside this checkout")
@pytest.mark.parametrize("case", MINE, ids=lambda case: case["id"])
def test_vector(case: Case) -> None:
    ADAPTERS[case["game"], case["input"]["op"]](case)


@pytest.mark.skipif(not MINE, reason="the specifications' vectors.json is not beside this checkout")
def test_every_question_about_hands_and_decks_has_an_adapter() -> None:
    assert {(case["game"], case["input"]["op"]) for case in MINE} == set(ADAPTERS)
