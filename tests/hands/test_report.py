"""A hand as somebody typed it: category, cards, violations."""

from __future__ import annotations

import json

import pytest

from companion import resources
from companion.cards import NotationError
from companion.hands import HandError, RankingError, explain_hand, hand_report
from companion.server.show.texts import counted


def test_a_hand_in_order() -> None:
    assert hand_report("52D2", {}, ["9s", "9♠", "KD"]) == {
        "category": "D2",
        "cards": ["9S", "9S", "KD"],
        "violations": [],
    }
    assert hand_report("M9D4", {"cfl": "winds_or_dragons"}, ["東", "白", "發"])["category"] == "FL"
    straight = ["裁判官.連邦軍", "sword.lib", "revolution.fed", "staff.fed", "shepherd.fed"]
    assert hand_report("65", {"straights": "2"}, straight)["category"] == "straight"


def test_152_an_identical_pair_is_a_violation_where_the_deck_has_one_of_each() -> None:
    report = hand_report("52D1", {}, ["9S", "9S", "KD"])
    assert report["category"] == "none"
    assert report["violations"] == [
        {
            "code": "too-many-copies",
            "clause": "4",
            "cards": ["9S"],
            "params": {"face": "9S", "copies": 2, "holds": 1},
            "verdict": "foul",
        }
    ]


@pytest.mark.parametrize(
    ("ranking", "cards", "code", "params"),
    [
        ("52D2", "9S 9S 9S", "too-many-copies", {"face": "9S", "copies": 3, "holds": 2}),
        ("M9D3C2", "1z 1z 1z", "too-many-copies", {"face": "1z", "copies": 3, "holds": 2}),
        ("52D1", "9S 9H", "wrong-count", {"count": 2, "least": 3, "most": 3}),
        ("five-card", "9S 9H KD QD JD 2C", "wrong-count", {"count": 6, "least": 5, "most": 5}),
        ("40D1", "9s 2S 3S", "not-in-deck", {"face": "9S", "deck": "40D1"}),
        ("M7D1", "9s 2s 3s", "not-in-deck", {"face": "9s", "deck": "M7D1"}),
        ("52D1", "1z 2S 3S", "not-in-deck", {"face": "1z", "deck": "52D1"}),
    ],
)
def test_what_is_wrong_is_named(ranking: str, cards: str, code: str, params: dict[str, object]) -> None:
    (violation,) = hand_report(ranking, {}, cards.split())["violations"]  # type: ignore[misc]
    assert (violation["code"], violation["params"]) == (code, params)  # type: ignore[index]
    for lang in ("en", "ja"):
        texts = json.loads((resources.web() / "messages" / lang / "hands.json").read_text("utf-8"))
        assert str(next(iter(params.values()))) in counted(texts[f"hand.violation.{code}"], lang, params).format(
            **params
        )


def test_several_violations_at_once() -> None:
    report = hand_report("36D1", {}, ["9S", "2S", "2S", "3S"])
    codes = [violation["code"] for violation in report["violations"]]  # type: ignore[attr-defined]
    assert codes == ["wrong-count", "not-in-deck", "too-many-copies"]


def test_texts_that_name_no_card_or_ranking_are_errors() -> None:
    with pytest.raises(NotationError, match="'11S' is no card of the deck 52D1; did you mean"):
        hand_report("52D1", {}, ["11S", "2S", "3S"])
    with pytest.raises(RankingError, match="did you mean 52D"):
        hand_report("52", {}, ["2S", "2S", "3S"])
    with pytest.raises(HandError):
        explain_hand("52D1", {}, ["2S"])
    assert explain_hand("52D1", {}, ["2s", "2h", "3h"]).category == "RaP"
