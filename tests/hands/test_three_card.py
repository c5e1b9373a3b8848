"""The thirty three-card rows: printed orders, a second and naive reading of every definition, house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import deck, deck_from_toml
from companion.hands import HandError, OptionError, RankingError
from companion.hands.rows import ROWS
from companion.hands.three_card import PREDICATES, every_triple, ranking, ranking_over

# --- the second implementation: text, sets and lists of what stands side by side -------------------------------------

TRUMP_RUNS = {
    "52": "A23456789TJQKA",
    "48": "A23456789JQKA",
    "40": "A234567JQKA",
    "36": "A23456JQKA",
}
ELEMENTS, NUMBERS = "abc", "mps"


class Naive:
    """Category definitions read from the specification once more, hand by hand; nothing is shared with the product."""

    def __init__(self, row: str, options: dict[str, str]) -> None:
        self.row = row
        self.options = options
        if row[0] == "M":
            line = [str(n) for n in (range(1, 10) if row[1] == "9" else range(2, 9))]
            self.line, self.pure, self.extra = line, NUMBERS, "z"
        elif row[0] == "T":
            top = {"52": 12, "44": 10, "36": 8}[row[1:3]]
            self.line = [str(n) for n in (*range(top + 1), 0)]
            if options.get("zat") != "both_ends":
                self.line.append("1")
            self.pure, self.extra = ELEMENTS, "y"
        else:
            letters = TRUMP_RUNS[row[:2]]
            if options.get("short_deck_runs") == "gap":
                letters = "".join(c if c in letters else " " for c in TRUMP_RUNS["52"])
            if options.get("ace") == "low":
                letters = letters[:-1]
            if options.get("ace") == "high":
                letters = letters[1:]
            self.line = [{"T": "10", " ": ""}.get(c, c) for c in letters]
            self.pure, self.extra = "SHDC", "-"

        self.stretches = {
            tuple(sorted(part))
            for n in (2, 3)
            for i in range(len(self.line))
            if "" not in (part := self.line[i : i + n])
        }

    def side_by_side(self, *ranks: str) -> bool:
        """The ranks, in some order, are a stretch of the line."""
        return tuple(sorted(ranks)) in self.stretches

    def holds(self, hand: tuple[str, ...]) -> set[str]:
        cards = [(c[:-1] if c[-1] != "z" else "honour" + c[0], c[-1]) for c in hand]
        ranks, suits = [r for r, _ in cards], [s for _, s in cards]
        extra = suits.count(self.extra)
        copies = max(Counter(hand).values())
        different = copies == 1
        yes = self.options.get
        found = set()
        if set(suits) <= set("SC") or set(suits) <= set("HD"):
            found.add("CLF")
        if extra in (1, 2) and len(set(suits)) == 2:
            found.add("HF")
        if len(set(ranks)) < 3:
            found.add("P1")
        if sorted(suits) == sorted(self.pure) and len(self.pure) == 3:
            found.add("MW")
        friends = [(a, b) for a, b in combinations(cards, 2) if a[1] == b[1] and self.side_by_side(a[0], b[0])]
        if friends:
            found.add("RN2")
        honour_copies = max(Counter(c for c in hand if c[-1] == "z").values(), default=0)
        number_copies = max(Counter(c for c in hand if c[-1] != "z").values(), default=0)
        counted = number_copies if yes("d2_honours") == "no" else max(honour_copies, number_copies)
        if counted >= 2:
            found.add("D2")
        if counted == 3:
            found.add("D3")
        one_suit = len(set(suits)) == 1
        if one_suit and (different or yes("flush_duplicates") == "yes"):
            found.add("FL")
        if self.side_by_side(*ranks):
            found.add("ST")
            if one_suit:
                found.add("SF")
        if len(set(ranks)) == 1 and (different or yes("k3_identical") != "no"):
            found.add("K3")
        for third in range(3):
            pair = [cards[i] for i in range(3) if i != third]
            paired = pair[0][0] == pair[1][0] and (pair[0] != pair[1] or yes("rap_identical") == "yes")
            friendly = [p for p in pair if p[1] == cards[third][1] and self.side_by_side(p[0], cards[third][0])]
            if paired and friendly:
                found.add("RaP")
        if set(suits) == {"z"} and (different or yes("flush_duplicates") == "yes"):
            winds = [c for c in hand if c[0] in "1234"]
            if yes("cfl") != "winds_or_dragons" or len(winds) in (0, 3):
                found.add("CFL")
        if set(suits) == {"y"} and different:
            odd = [int(r) % 2 for r in ranks]
            if yes("bow") == "any_three" or ("0" not in ranks and sum(odd) in (0, 3)):
                found.add("BoW")
        return found


@cache
def naive_reading(family: str, options: tuple[tuple[str, str], ...]) -> Callable[[tuple[str, ...]], set[str]]:
    """What a naive reader finds in a hand; rows of one family differ in their order only."""
    return cache(Naive(family, dict(options)).holds)


def assert_same(row: str, options: dict[str, str], step: int = 1) -> None:
    ranked = ranking(row, options)
    holds = naive_reading(row.partition("D")[0], tuple(options.items()))
    codes = ranked.deck.codes
    hands = every_triple(ranked.deck)[0][::step]
    got = ranked.categories_of(hands)
    for hand, place in zip(hands.tolist(), got.tolist(), strict=True):
        cards = tuple(codes[i] for i in hand)
        found = holds(cards)
        assert ranked.codes[place] == next((code for code in reversed(ROWS[row]) if code in found), "none"), cards


@pytest.mark.parametrize("row", ROWS)
def test_every_hand_of_every_row_is_what_a_naive_reader_says(row: str) -> None:
    assert_same(row, {})


@pytest.mark.parametrize(
    ("row", "option", "value"),
    [
        ("36D1", "ace", "low"), ("36D1", "ace", "high"), ("40D1", "short_deck_runs", "gap"),
        ("36D2", "short_deck_runs", "gap"),
        ("T36D1", "zat", "both_ends"), ("T36D2", "bow", "any_three"), ("40D3", "flush_duplicates", "yes"),
        ("M7D2", "flush_duplicates", "yes"), ("36D2", "rap_identical", "yes"), ("36D2", "k3_identical", "no"),
        ("M7D3", "k3_identical", "no"), ("M7D3", "cfl", "winds_or_dragons"), ("M7D3", "d2_honours", "no"),
    ],
)  # fmt: skip
def test_house_rules_change_what_they_say_and_nothing_else(row: str, option: str, value: str) -> None:
    assert_same(row, {option: value}, step=3)
    hands, _ = every_triple(deck(row))
    assert (ranking(row, {option: value}).categories_of(hands) != ranking(row).categories_of(hands)).any()


# --- the printed tables ----------------------------------------------------------------------------------------------


def test_there_are_thirty_rows_of_twelve_nine_and_nine() -> None:
    assert Counter(name[0] if name[0] in "MT" else "trump" for name in ROWS) == {"trump": 12, "M": 9, "T": 9}
    for name, categories in ROWS.items():
        assert len(set(categories)) == len(categories)
        assert set(categories) <= set(PREDICATES)
        copies = max(deck(name).counts)
        assert ("D2" in categories) == (copies >= 2)
        assert ("D3" in categories) == (copies >= 3)
        assert ("CLF" in categories) == (name[0] not in "MT")
        assert ("CFL" in categories, "BoW" in categories) == (name[0] == "M", name[0] == "T")


@pytest.mark.parametrize("row", ROWS)
def test_every_printed_category_occurs(row: str) -> None:
    assert all(ranking(row).counts().values())


def test_152_an_identical_pair_is_a_category_only_where_the_deck_has_copies() -> None:
    assert ranking("52D2").category(["9S", "9S", "KD"]) == "D2"
    assert ranking("52D1").category(["9S", "9S", "KD"]) == "P1"
    assert ranking("52D3").category(["9S"] * 3) == "D3"


def test_4_runs_end_at_the_ace_on_both_sides() -> None:
    row = ranking("52D1")
    assert row.category(["AS", "2H", "3C"]) == row.category(["QS", "KH", "AC"]) == "ST"
    assert row.category(["KS", "AS", "2S"]) == "FL"
    assert ranking("52D1", {"short_deck_runs": "gap_wrap"}).category(["KS", "AS", "2S"]) == "SF"


@pytest.mark.parametrize(("row", "low", "high"), [("48D1", "9", "J"), ("40D1", "7", "J"), ("36D1", "6", "J")])
def test_7_3_short_decks_close_up(row: str, low: str, high: str) -> None:
    hand = [f"{low}S", f"{high}H", "QC"]
    assert ranking(row).category(hand) == "ST"
    assert ranking(row, {"short_deck_runs": "gap"}).category(hand) == "none"


def test_7_9_and_7_10_orders_by_rarity() -> None:
    assert ranking("36D3").categories.index("FL") < ranking("36D3").categories.index("D2")
    swapped = ranking("36D3", {"36D3": "rarity"}).categories
    assert swapped.index("D2") + 1 == swapped.index("FL")
    assert ranking("52D1", {"order": "rarity"}).categories[:2] == ("P1", "CLF")
    assert ranking("52D1", {"order": "rarity"}).category(["9S", "9C", "KS"]) == "CLF"
    assert ranking("T52D1", {"order": "rarity"}).categories == ROWS["T52D1"]


# --- comparing -------------------------------------------------------------------------------------------------------


def test_93_equal_categories_tie_and_nothing_never_wins() -> None:
    row = ranking("52D1")
    assert row.compare(["2D", "7D", "JD"], ["5S", "6H", "7C"]) == -1
    assert ranking("40D1").compare(["2D", "6D", "JD"], ["4S", "5H", "6C"]) == 1
    assert row.compare(["2D", "7D", "JD"], ["3H", "8H", "QH"]) == 0
    show = row.showdown([["2S", "7H", "KD"], ["3S", "8H", "QD"]])
    assert show.winners == () and show.categories == ("none", "none")
    assert row.showdown([["2D", "7D", "JD"], ["3H", "8H", "QH"], ["2S", "7H", "KD"]]).winners == (0, 1)


def test_7_1_the_highest_card_may_decide() -> None:
    row = ranking("52D1", {"intra_order": "rank"})
    assert row.compare(["2D", "7D", "AD"], ["3H", "8H", "KH"]) == 1
    assert row.compare(["2D", "7D", "KD"], ["3H", "7H", "KH"]) == -1
    assert row.compare(["2D", "7D", "KD"], ["2H", "7H", "KH"]) == 0
    assert row.strength(["2D", "7D", "AD"]) == row.strength(["2D", "7D", "KD"])
    tiles = ranking("M9D1", {"intra_order": "rank"})
    assert tiles.compare(["9m", "1m", "3m"], ["8p", "7p", "4p"]) == 1


@given(st.sampled_from(sorted(ROWS)), st.sampled_from(["none", "rank"]), st.data())
def test_one_hand_and_arrays_of_hands_agree_in_any_order_of_cards(row: str, order: str, data: st.DataObject) -> None:
    ranked = ranking(row, {"intra_order": order})
    hand = data.draw(st.lists(st.sampled_from(list(deck(row))), min_size=3, max_size=3))
    turned = data.draw(st.permutations(hand))
    array = np.array([ranked.encode(turned)], np.uint8)
    category = ranked.category(hand)
    assert category == ranked.category(turned) == ranked.codes[int(ranked.categories_of(array)[0])]
    assert ranked.key(hand) == int(ranked.keys_of(array)[0])
    assert ranked.strength(hand) == ranked.codes.index(category)
    assert ranked.compare(hand, turned) == 0


def test_hands_and_options_that_do_not_fit_are_errors() -> None:
    with pytest.raises(HandError, match="3 cards, not 2"):
        ranking("52D1").category(["9S", "9H"])
    with pytest.raises(RankingError, match=r"52D4.*did you mean.*52D"):
        ranking("52D4")
    with pytest.raises(OptionError, match="bow is one_colour or any_three, not 'maybe'"):
        ranking("T52D1", {"bow": "maybe"})
    with pytest.raises(OptionError, match="'asce' here; did you mean ace"):
        ranking("52D1", {"asce": "low"})


@pytest.mark.parametrize("row", ["36D1", "36D3", "M7D3", "M9D3C2", "T36D2"])
def test_ways_to_deal_are_those_of_dealing_every_card(row: str) -> None:
    cards = list(deck(row))
    dealt = Counter(tuple(sorted(map(deck(row).index, hand))) for hand in combinations(cards, 3))
    hands, ways = every_triple(deck(row))
    assert dict(zip(map(tuple, hands.tolist()), ways.tolist(), strict=True)) == dealt


def test_7_11_a_tesca_of_ones_own_is_ranked_by_a_printed_row() -> None:
    text = "".join(f'[[suits]]\ncode = "{s}"\n' for s in "abc") + "".join(
        f'[[ranks]]\ncode = "{n}"\n' for n in range(9)
    )
    for n in range(9):
        # In this print the low yin-yang cards are white, and ZAT is, too.
        text += f'[[extras]]\ncode = "{n}y"\nrank = "{n}"\nsuit = "y"\ncolour = "{"white" if n < 5 else "black"}"\n'
    own = ranking_over(deck_from_toml(text, "own"), "T36D1")
    assert own.category(["1y", "2y", "4y"]) == "BoW" != ranking("T36D1").category(["1y", "2y", "4y"])
    assert own.category(["8a", "0b", "1c"]) == ranking("T36D1").category(["8a", "0b", "1c"]) == "ST"
    assert sum(own.counts().values()) == 7140


def test_a_deck_of_another_family_has_no_place_in_a_row() -> None:
    with pytest.raises(ValueError, match="the card 1m of the deck M9D1 has no place in the row 52D1"):
        ranking_over(deck("M9D1"), "52D1")
    with pytest.raises(RankingError):
        ranking_over(deck("M9D1"), "M8")
    assert ranking_over(deck("48D2"), "48D2").counts() == ranking("48D2").counts()
