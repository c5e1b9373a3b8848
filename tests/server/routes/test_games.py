"""What a new game is offered with: above all the decks that the rule sheet recommends."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.cards import RECOMMENDED, deal, deck
from companion.games import game, ids


def test_the_tables_of_the_sheet_are_offered_for_every_number_of_players(client: FlaskClient) -> None:
    rows = {row["id"]: row for row in client.get("/api/games").get_json()["games"]}
    offered = [(row["players"], row["deck"]) for row in rows["three-card-trick-poker"]["recommended"]]
    assert sorted(offered) == sorted((row.players, row.deck) for row in RECOMMENDED)
    assert len(offered) == 7 * 7
    assert all(not row["recommended"] for name, row in rows.items() if name != "three-card-trick-poker")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Middle game: 52 playing cards · 52D1; 17 cards each, 1 left over"),
        ("ja", "ミドル:トランプ52枚 · 52D1(1人17枚、余り1枚)"),
    ],
)
def test_a_recommended_deck_says_how_it_is_dealt(client: FlaskClient, lang: str, words: str) -> None:
    rows = client.get(f"/api/games?lang={lang}").get_json()["games"]
    [found] = [row["recommended"] for row in rows if row["id"] == "three-card-trick-poker"]
    assert words in [row["text"] for row in found if row["players"] == 3]


@pytest.mark.parametrize("name", ids())
def test_every_recommended_deck_is_one_of_the_game_and_deals_as_it_says(name: str) -> None:
    rules = game(name)
    for players in range(rules.least_players, rules.most_players + 1):
        assert rules.recommended_deck(players) in rules.decks
        for row in rules.recommended_decks(players):
            assert row.deck in rules.decks and deck(row.deck).size == row.cards
            assert deal(row.deck, players) == (row.hand, row.rest)


RULES = [
    ("three-card-trick-poker", "156", "弱い役と見せかけて", "Look weak"),
    ("joker-quest", "176", "当たるも八卦、当たらぬも八卦", "the oracle may be wrong"),
    ("pokard-trick", "148", "4のワンペア", "a pair of fours"),
    ("pokard-trick", "152", "降り賃3チップ", "three chips may be his"),
    ("sixty-five-card-poker", "109", "3,600通り", "really 3,600"),
    ("sixty-five-card-poker", "128", "6,434通り", "6,434 flushes and 13,200 full houses"),
]


@pytest.mark.parametrize(("name", "clause", "japanese", "english"), RULES)
def test_the_rule_pages_tell_what_the_sheets_say_beside_their_rules(
    client: FlaskClient, name: str, clause: str, japanese: str, english: str
) -> None:
    for lang, words in (("ja", japanese), ("en", english)):
        page = client.get(f"/rules/{name}", headers={"Accept-Language": lang}).text
        assert f'id="c-{clause}"' in page and words in page


def test_the_figures_of_the_65_cards_are_those_that_are_counted(client: FlaskClient) -> None:
    from companion.hands import odds

    counts = odds("65", {}).counts
    assert (counts["four"], counts["flush"], counts["full_house"]) == (12 * 5 * 60, 6434, 13200)
    assert "12 × 5 × 60 = 3,600" in client.get("/odds?ranking=65", headers={"Accept-Language": "en"}).text
    assert "12×5×60=3,600通り" in client.get("/odds?ranking=65", headers={"Accept-Language": "ja"}).text
    assert "3,600" not in client.get("/odds?ranking=52D1", headers={"Accept-Language": "en"}).text
