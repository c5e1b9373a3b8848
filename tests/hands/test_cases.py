"""The project's own rule cases, kept as data beside this file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.hands import odds, ranking
from companion.hands.hexa import best_partition
from companion.hands.pokard import best
from companion.hands.trading import kinds

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))


def cases(kind: str) -> Any:
    return pytest.mark.parametrize("case", CASES[kind], ids=lambda case: case["because"].partition(":")[0])


def test_every_kind_of_case_is_run() -> None:
    assert set(CASES) == {"category", "showdown", "kinds", "pokard", "hexa", "count"}


@cases("category")
def test_category(case: dict[str, Any]) -> None:
    ranked = ranking(case["ranking"], **case.get("options", {}))
    assert {hand: ranked.category(hand.split()) for hand in case["hands"]} == case["hands"]


@cases("showdown")
def test_showdown(case: dict[str, Any]) -> None:
    ranked = ranking(case["ranking"], **case.get("options", {}))
    assert list(ranked.showdown([hand.split() for hand in case["hands"]]).winners) == case["winners"]


@cases("kinds")
def test_kinds(case: dict[str, Any]) -> None:
    assert sorted(kinds(case["cards"].split())) == case["are"]


@cases("pokard")
def test_pokard(case: dict[str, Any]) -> None:
    assert best(case["cards"].split())[:2] == (case["is"], case["points"])


@cases("hexa")
def test_hexa(case: dict[str, Any]) -> None:
    result = best_partition(case["cards"].split())
    assert result.out == case.get("out", True)
    assert result.score == case.get("score", 0)


@cases("count")
def test_count(case: dict[str, Any]) -> None:
    counts = odds(case["ranking"], case.get("options", {})).counts
    assert {code: counts[code] for code in case["counts"]} == case["counts"]
