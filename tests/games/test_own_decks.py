"""Decks of one's own in the games: which game takes which, and why not the others; whole games with them."""

from __future__ import annotations

from random import Random

import pytest

from companion.cards import Deck, deck, keep, own_deck
from companion.cards.ready import as_toml
from companion.games import Action, Setup, SetupError, Verdict, game, ids
from companion.hands import OptionError, RankingError, odds, ranking
from companion.hands.rows import ROWS
from companion.referee import Match, Started, event_from_json
from companion.referee.simulate import play

SEASONS = "[deck]\nseparator = '.'\n" + "".join(
    f'[[suits]]\ncode = "{code}"\ncolour = "{colour}"\n'
    for code, colour in (("spring", "green"), ("summer", "red"), ("autumn", "orange"), ("winter", "blue"))
) + "".join(f'[[ranks]]\ncode = "{n}"\n' for n in range(1, 11))  # fmt: skip
FIVES = "[deck]\nseparator = '-'\n" + "".join(f'[[suits]]\ncode = "s{n}"\n' for n in range(5)) + "".join(
    f'[[pictures]]\ncode = "p{n}"\n' for n in range(13)
)  # fmt: skip
TWO_65 = '[deck]\nlike = "65"\ncopies = 2\n'
OTHER_TESCA = as_toml("tesca-44").replace("version = 1", "version = 1\ncopies = 2")


def own(text: str, name: str = "own") -> Deck:
    return keep(own_deck(text, name))


def takers(cards: Deck) -> set[str]:
    return {name for name in ids() if game(name).unfit(cards) is None}


THREES = {"three-card-showdown", "three-card-trick-poker"}


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (SEASONS, THREES | {"aces-king"}),
        (FIVES, THREES | {"aces-king", "sixty-five-card-poker"}),
        (as_toml("65-original"), THREES | {"aces-king", "sixty-five-card-poker"}),
        (TWO_65, THREES | {"aces-king", "sixty-five-card-poker"}),
        (TWO_65.replace("2", "3"), THREES | {"aces-king"}),
        (as_toml("52"), THREES | {"aces-king", "hexa-card"}),
        (as_toml("54"), {"pokard-trick"}),
        ('[deck]\nlike = "trading"', {"trading-poker"}),
        (OTHER_TESCA, THREES | {"aces-king"}),
        (as_toml("mahjong-9"), THREES),
        (as_toml("hanafuda"), THREES | {"aces-king"}),
    ],
    ids=["seasons", "fives", "65", "two-packs", "three-packs", "52", "54", "trading", "tesca", "mahjong", "hanafuda"],
)
def test_a_deck_fits_the_games_whose_rules_can_take_it(text: str, games: set[str]) -> None:
    assert takers(own(text)) == games


def test_a_refusal_says_what_is_lacking() -> None:
    said = {name: unfit.sentence for name in ids() if (unfit := game(name).unfit(own(SEASONS))) is not None}
    assert "13 pictures in 5 suits" in said["sixty-five-card-poker"]
    assert said["hexa-card"].startswith("it needs exactly the cards of the deck 52D1; 52 of them are missing")
    joker = game("three-card-showdown").unfit(own('[deck]\nlike = "54"'))
    assert joker is not None and "no suit: JK1 JK2" in joker.sentence
    with pytest.raises(SetupError, match="hexa-card cannot be played with own~"):
        game("hexa-card").start(Setup(("A", "B", "C"), own(SEASONS).name))
    with pytest.raises(SetupError, match="no deck 'gone~"):
        game("aces-king").start(Setup(("A", "B"), "gone~00000000"))
    with pytest.raises(SetupError, match="too few for 5 players"):
        game("aces-king").start(Setup(tuple("ABCDE"), own(SEASONS).name))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("aces-king", SEASONS),
        ("aces-king", as_toml("65")),
        ("three-card-trick-poker", FIVES),
        ("three-card-trick-poker", OTHER_TESCA),
        ("three-card-trick-poker", as_toml("hanafuda")),
        ("sixty-five-card-poker", FIVES),
        ("sixty-five-card-poker", as_toml("65-original")),
        ("sixty-five-card-poker", TWO_65),
        ("hexa-card", as_toml("52")),
    ],
)
def test_whole_games_are_played_with_it(name: str, text: str) -> None:
    cards, rules = own(text), game(name)
    setup = Setup(tuple("ABC"[: max(2, rules.least_players)]), cards.name)
    for seed in range(3):
        steps = list(play(rules, setup, Random(seed), "random", 3000))
        said = [found.verdict for step in steps for found in rules.check(step.before, step.action)]
        assert steps and Verdict.FOUL not in said
        assert not rules.prompts(steps[-1].after)


def test_two_packs_of_the_65_are_one_deck_for_the_poker() -> None:
    """A card may be there twice, not three times; equal cards make hands; equal hands share."""
    rules = game("sixty-five-card-poker")
    state = rules.start(Setup(tuple("ABCDEFGH"), own(TWO_65).name))
    order = state.rules.ranking
    assert state.stock == 130 - 8 * 5
    hands = {
        "judge.fed judge.fed sword.lib end.fed end.nomad": "two_pair",
        "judge.fed judge.fed sword.fed end.fed end.fed": "flush",
        "judge.fed judge.fed judge.lib judge.lib judge.free": "five",
        "shepherd.fed shepherd.fed shepherd.lib shepherd.lib shepherd.nomad": "shepherd_five",
        "judge.fed sword.fed revolution.fed staff.fed shepherd.fed": "royal",
    }
    assert {cards: order.category(cards.split()) for cards in hands} == hands
    alike = ["judge.fed", "judge.lib", "sword.fed", "end.fed", "moon_earth.nomad"]
    assert order.showdown([alike, next(iter(hands)).split(), alike]).winners == (1,)
    assert order.showdown([alike, alike]).winners == (0, 1)
    for seat in (1, 2, 3, 4, 5, 6, 7, 0):
        state = rules.apply(state, Action("exchange", seat))
    thrice = Action.of("open", 0, ["judge.fed"] * 3 + ["end.fed", "end.lib"], hand="full_house")
    assert [found.code for found in rules.check(state, thrice)] == ["card-twice"]
    twice = Action.of("open", 0, ["judge.fed"] * 2 + ["judge.lib", "end.fed", "end.lib"], hand="full_house")
    assert rules.check(state, twice) == ()


def test_aces_king_counts_by_the_place_of_a_rank() -> None:
    rules = game("aces-king").start(Setup(("A", "B"), own(as_toml("65-original")).name)).rules
    assert rules.numbers["end.fed"] == 1 and rules.numbers["shepherd.lib"] == 9 and rules.numbers["judge.nomad"] == 13


def test_a_deck_that_is_a_printed_one_in_all_but_its_looks_has_its_row() -> None:
    twice = own('[deck]\nlike = "52D1"\ncopies = 2\n[[suits]]\ncode = "S"\nname = "Swords"\nmark = "crown"\n')
    assert ranking(twice.name).categories == ROWS["52D2"]
    assert ranking(own(OTHER_TESCA).name).categories == ROWS["T44D2"]


@pytest.mark.parametrize("text", [SEASONS, FIVES, as_toml("hanafuda")])
def test_where_the_sheet_prints_no_row_rarity_decides(text: str) -> None:
    found = odds(own(text).name)
    order = [code for code in ranking(own(text).name).categories if found.counts[code]]
    assert sum(found.counts.values()) == found.hands
    assert found.counts[order[-1]] <= found.counts[order[0]] and found.counts["SF"] < found.counts["FL"]


def test_a_printed_table_can_be_chosen_for_it_where_suits_allow() -> None:
    cards = own(SEASONS)
    assert ranking(cards.name, table="40").categories == ("P1", "RN2", "ST", "FL", "RaP", "K3", "SF")
    assert ranking("52D2", table="40").categories == ROWS["40D2"]
    with pytest.raises(OptionError, match="other suits and ranks"):
        ranking(cards.name, table="M9")
    with pytest.raises(SetupError, match="other suits and ranks"):
        game("three-card-showdown").start(Setup(("A", "B"), cards.name, (("table", "T52"),)))


def test_a_deck_without_three_card_hands_says_why() -> None:
    with pytest.raises(RankingError, match="no three-card hands: these cards have no suit or rank: JK1 JK2"):
        ranking(own('[deck]\nlike = "54"').name)
    many = "".join(f'[[suits]]\ncode = "s{n}"\n' for n in range(10)) + "".join(
        f'[[ranks]]\ncode = "r{n}"\n' for n in range(11)
    )
    with pytest.raises(RankingError, match="110 different cards"):
        ranking(own(many).name)


def test_hanafuda_months_are_ranks_and_kinds_are_suits() -> None:
    hands = {
        "K3": ("pine.plain", "pine.ribbon", "pine.bright"),
        "D3": ("paulownia.plain",) * 3,
        "D2": ("plum.plain", "plum.plain", "willow.bright"),
        "SF": ("pine.ribbon", "plum.ribbon", "cherry.ribbon"),
        "FL": ("pine.bright", "cherry.bright", "willow.bright"),
        "ST": ("pine.bright", "plum.animal", "cherry.ribbon"),
        "RaP": ("pine.plain", "pine.ribbon", "plum.ribbon"),
        "P1": ("pine.plain", "pine.ribbon", "willow.bright"),
    }
    order = ranking("hanafuda")
    assert {code: order.category(cards) for code, cards in hands.items()} == {code: code for code in hands}


def test_the_shepherd_of_a_deck_of_ones_own_turns_the_order_over() -> None:
    order = game("sixty-five-card-poker").start(Setup(("A", "B"), own(FIVES).name)).rules.ranking
    shepherds, pair = [f"p0-s{n}" for n in range(5)], ["p5-s0", "p5-s1", "p7-s0", "p9-s0", "p11-s1"]
    assert order.category(shepherds) == "shepherd_five" and order.showdown([shepherds, pair]).turned_over
    assert order.category(["p12-s4", "p11-s4", "p10-s4", "p9-s4", "p0-s4"]) == "royal"


def test_a_start_brings_its_deck_along() -> None:
    made = own_deck(SEASONS + "# only here", "seasons")
    started = Started("aces-king", Setup(("A", "B"), made.name), SEASONS + "# only here")
    written = started.to_json()
    assert event_from_json(written) == started and deck(made.name).size == 40
    assert Match.of([started]).deck.name == made.name
    with pytest.raises(ValueError, match="not of seasons~00000000"):
        event_from_json(written | {"deck": "seasons~00000000"})
    with pytest.raises(ValueError, match="no TOML"):
        event_from_json(written | {"deck_file": "[deck"})
