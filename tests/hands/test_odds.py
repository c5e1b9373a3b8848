"""Exact odds: counts that add up, the findings for the games' authors, the JSON shape."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from companion.cards import deck
from companion.hands import NONE, OptionError, RankingError, odds, ranking, ranking_names
from companion.hands.rows import ROWS
from companion.hands.sixty_five import ALL_CODES


@pytest.mark.parametrize("name", [name for name in ranking_names() if name != "65"])
def test_counts_add_up_to_all_hands(name: str) -> None:
    result = odds(name)
    cards, size = ranking(name).deck.size, ranking(name).size
    assert result.hands == sum(result.counts.values()) == comb(cards, size)
    assert set(result.counts) - {NONE} == set(ranking(name).categories)
    assert sum(result.probability(code) for code in result.counts) == pytest.approx(1)


@pytest.mark.parametrize("row", ["36D1", "M7D1", "T36D1", "36D2"])
def test_counts_are_those_of_dealing_every_hand(row: str) -> None:
    ranked = ranking(row)
    dealt = Counter(ranked.category(hand) for hand in combinations(deck(row), 3))
    assert odds(row).counts == dealt


def disagreeing(name: str, **options: str | int) -> set[tuple[str, str]]:
    return set(odds(name, options).disagreements)


def test_the_findings_of_every_printed_row() -> None:
    weak = {"CLF", "P1", "HF", "MW", "CFL"}
    found = {row: disagreeing(row) for row in ROWS}
    assert found["36D3"] == {("CLF", "P1"), ("FL", "D2")}
    assert all(found[row] == {("CLF", "P1")} for row in ROWS if row[0] in "345" and row != "36D3")
    assert {row for row in ROWS if not found[row]} == {"T52D3", "T52D2", "T52D1", "T44D3", "T44D2", "T44D1"}
    assert all(found[row] == {("HF", "P1")} for row in ("T36D3", "T36D2", "T36D1"))
    assert found["M9D4C3"] == {("P1", "MW")}
    assert found["M9D3C2"] == {("HF", "MW"), ("P1", "MW")}
    # Apart from 36D3's flush, every disagreement has to do with the weak colour hands or the character flush.
    assert all(set(pair) & weak for row in ROWS for pair in found[row] - {("FL", "D2")})


def test_winds_or_dragons_put_the_character_flush_where_it_is_printed() -> None:
    for row in ("M9D4", "M9D3", "M9D2", "M9D1", "M7D3", "M7D2", "M7D1"):
        assert any("CFL" in pair for pair in disagreeing(row))
        assert not any("CFL" in pair for pair in disagreeing(row, cfl="winds_or_dragons"))


def test_a_rarity_order_of_the_65_deck_agrees_with_its_counts() -> None:
    for straights in "123":
        assert ("flush", "full_house") in disagreeing("65", straights=straights)
        assert not disagreeing("65", straights=straights, order="rarity")


def test_no_order_of_colour_flush_and_pair_agrees_with_its_own_counts() -> None:
    # Whichever of the two is called stronger takes the hands that are both, and so becomes the more frequent one.
    assert disagreeing("52D1") == {("CLF", "P1")}
    assert disagreeing("52D1", order="rarity") == {("P1", "CLF")}


def test_the_json_has_the_promised_shape() -> None:
    result = json.loads(json.dumps(odds("65", {"straights": 2}).to_json()))
    assert list(result) == ["ranking", "options", "hands", "counts", "order_by_rarity", "disagreements"]
    assert (result["ranking"], result["options"], result["hands"]) == ("65", {"straights": "2"}, 8_259_888)
    assert list(result["counts"]) == list(ALL_CODES)
    assert result["disagreements"] == [["flush", "full_house"]]
    assert set(result["order_by_rarity"]) == {code for code, count in result["counts"].items() if count}
    three = odds("52d2").to_json()
    assert three["ranking"] == "52D2" and three["options"] == {}
    assert three["order_by_rarity"] == ["P1", "CLF", "RN2", "FL", "ST", "D2", "RaP", "K3", "SF"]
    assert list(three["counts"]) == ["none", *ROWS["52D2"]]  # type: ignore[call-overload]


def test_unknown_names_and_options_are_errors() -> None:
    with pytest.raises(RankingError, match=r"M9D5.*did you mean M9D4"):
        odds("M9D5")
    with pytest.raises(OptionError, match="did you mean straights"):
        odds("65", {"straight": 2})
