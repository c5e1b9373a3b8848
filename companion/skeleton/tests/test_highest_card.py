"""The rules of Highest Card by clause, and everything that holds for every game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games import Action, Setup
from companion.testing import CHECKS, load_folder

GAME = load_folder(Path(__file__).parents[1])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_contract(check: Callable[[str], None]) -> None:
    check(GAME.id)


def after(*actions: str, players: int = 2, **options: str) -> Any:
    """The state after cards laid (``"AS"``: by whoever is due) and ``next``."""
    names = ("Anna", "Ben", "Chiyo", "Daichi", "Emi")[:players]
    state = GAME.start(Setup(names, "", tuple(options.items())))
    for word in actions:
        action = Action("next") if word == "next" else Action("lay", state.turn, (word,))
        assert GAME.check(state, action) == (), word
        state = GAME.apply(state, action)
    return state


def codes(state: Any, action: Action) -> list[str]:
    return [violation.code for violation in GAME.check(state, action)]


def test_1_a_card_does_not_come_twice() -> None:
    assert codes(after("AS"), Action("lay", 1, ("AS",))) == ["highest-card-seen-before"]


def test_2_the_winner_of_a_round_begins_the_next() -> None:
    assert after("2S", "3S", "next").turn == 1
    assert after(starter="2").turn == 1


def test_3_one_card_each_clockwise() -> None:
    assert codes(after(players=3), Action("lay", 1, ("AS",))) == ["not-your-turn"]
    assert codes(after(), Action("lay", 0, ("AS", "KS"))) == ["wrong-count"]
    assert after("AS", players=3).turn == 1


@pytest.mark.parametrize(("cards", "points"), [(("KS", "AS"), {0: 0, 1: 1}), (("10S", "9S"), {0: 1, 1: 0})])
def test_4_the_highest_card_takes_a_point(cards: tuple[str, ...], points: dict[int, int]) -> None:
    assert GAME.totals(after(*cards)) == points


def test_5_of_equal_cards_the_first_counts_or_none() -> None:
    assert GAME.totals(after("AS", "AH")) == {0: 1, 1: 0}
    tied = after("AS", "AH", tie="nobody")
    assert GAME.totals(tied) == {0: 0, 1: 0}
    assert GAME.apply(tied, Action("next")).turn == 0


def test_6_after_five_rounds_most_points_win() -> None:
    cards = ["AS", "2S", "next", "AH", "2H", "next", "KS", "AC", "next", "QS", "AD", "next", "3S"]
    assert GAME.winners(after(*cards)) == ()
    assert GAME.winners(after(*cards, "4S")) == (0,)
