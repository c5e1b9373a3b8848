"""The sheets' tables of recommended decks add up, and the one cell that does not is corrected and noted."""

from __future__ import annotations

import pytest

from companion.cards import RECOMMENDED, deal, deck, recommended


@pytest.mark.parametrize("row", RECOMMENDED, ids=lambda row: f"{row.family}-{row.players}-{row.length}")
def test_players_times_hand_and_rest_are_all_cards(row: object) -> None:
    assert row.players * row.hand + row.rest == row.cards == deck(row.deck).size  # type: ignore[attr-defined]
    assert deal(row.deck, row.players) == (row.hand, row.rest)  # type: ignore[attr-defined]
    assert row.rest < row.players  # type: ignore[attr-defined]


def test_every_table_has_two_to_eight_players() -> None:
    for family, lengths in (
        ("trump", {"long", "mid", "short"}),
        ("mahjong", {"standard", "short"}),
        ("tesca", {"standard", "short"}),
    ):
        for players in range(2, 9):
            assert set(recommended(players, family)) == lengths
    assert len(RECOMMENDED) == 7 * (3 + 2 + 2)


def test_longer_games_have_more_cards() -> None:
    for players in range(2, 9):
        cards = [row.cards for row in recommended(players).values()]
        assert cards == sorted(cards, reverse=True)


def test_the_misprinted_cell_is_corrected_and_noted() -> None:
    (row,) = (row for row in RECOMMENDED if row.printed)
    assert (row.players, row.length, row.deck, row.cards, row.hand, row.rest) == (3, "mid", "52D1", 52, 17, 1)
    name, cards, hand, rest = row.printed.split()
    assert name == row.deck and int(cards) != deck(name).size
    assert 3 * int(hand) + int(rest) == int(cards)


def test_no_table_for_nine_players_or_other_cards() -> None:
    with pytest.raises(ValueError, match="2 to 8 players"):
        recommended(9)
    with pytest.raises(ValueError, match="trump, mahjong, tesca"):
        recommended(3, "tarot")
