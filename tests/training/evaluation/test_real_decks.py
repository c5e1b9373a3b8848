"""Real decks that were enrolled: whose card lies where, which way up, and what counts."""

from __future__ import annotations

import numpy as np

from companion.training.evaluation.real_decks import SIDES, Counts, Deal, before_players
from companion.vision.geometry import box_quad

SIZE = (1200, 1600)


def lying(x: float, y: float, turned: bool) -> np.ndarray:
    wide, high = (90, 60) if turned else (60, 90)
    return box_quad((x - wide, y - high, x + wide, y + high))


def test_each_card_belongs_to_the_player_it_lies_before_and_is_upright_for_him() -> None:
    top, right, bottom, left = (
        lying(560, 300, False),
        lying(1000, 830, True),
        lying(620, 1300, False),
        lying(200, 790, True),
    )
    found = before_players([bottom, left, top, right], SIZE)
    assert {side: tuple(np.round(quad.mean(axis=0))) for side, quad in found.items()} == {
        "top edge": (560, 300), "right edge": (1000, 830), "bottom edge": (620, 1300), "left edge": (200, 790),
    }  # fmt: skip
    upper = {side: tuple(quad[:2].mean(axis=0)) for side, quad in found.items()}
    assert upper == {
        "top edge": (560, 390), "right edge": (910, 830), "bottom edge": (620, 1210), "left edge": (290, 790),
    }  # fmt: skip


def test_where_a_card_was_not_found_its_player_has_none() -> None:
    assert set(before_players([lying(600, 300, False)], SIZE)) == {"top edge"}
    assert len(before_players([lying(600, y, False) for y in range(100, 1500, 200)], SIZE)) == len(SIDES)


def test_a_name_counts_once_and_only_where_the_card_lies() -> None:
    counts = Counts("a deck")
    counts.add(["6H", "KS", "2D", "9C"], ["KS", "KS", "9H"])
    assert (counts.photographs, counts.cards, counts.right, counts.wrong) == (1, 4, 1, 2)
    certain = Counts("a deck, 6 and 9 left out")
    certain.add(["6H", "KS", "2D", "9C"], ["KS", "KS", "9H"], ("6", "9"))
    assert (certain.cards, certain.right, certain.wrong) == (2, 1, 1)


def test_of_a_six_that_a_deal_has_twice_one_is_the_nine_it_never_has() -> None:
    deal = Deal(["6H", "6H", "6S", "9S", "KC", "KC"])
    assert deal.settled(["6H", "KC"], ["9H", "KC"]) == ["9H", "KC"]
    assert deal.settled(["6H"], ["9H"]) == ["6H"], "it lay there once"
    assert deal.settled(["6S", "9S"], ["9S", "6S"]) == ["6S", "9S"]
    assert deal.settled(["9S"], ["6S"]) == ["9S"], "its labels are sure"
    assert deal.settled(["KC"], ["KS"]) == ["KC"], "half a turn makes no king another"


def test_one_photograph_may_show_both() -> None:
    assert sorted(Deal(["6H", "6H"]).settled(["6H", "6H"], ["9H", "6H"])) == ["6H", "9H"]
    unread = Deal(["6H", "6H"])
    assert unread.settled(["6H"], []) == ["6H"]
    assert unread.settled(["6H"], ["9H"]) == ["9H"]
