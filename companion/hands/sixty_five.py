"""Poker with the 65-card deck: thirteen pictures in five suits, and the Shepherd.

Reads like sections 4 and 7 of the rule specification. Shepherds never pair (74-78); the Shepherd five turns the order
of the categories over (68-71); straights depend on which of the sheet's three proposals the table plays (88-124).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.cards import Deck
from companion.cards import deck as named_deck
from companion.hands.base import Hands, Ranking, Showdown
from companion.hands.explanation import Explanation, Note
from companion.hands.five import RANK_SUMS, FiveSums, every_hand, look_up, rank_multisets
from companion.hands.five_reasons import Five, explain, satisfied
from companion.hands.options import Given, HouseRule, as_text, resolved

HOUSE_RULES = (
    HouseRule("pictures", ("revised", "original"), "36"),
    HouseRule("straights", ("1", "2", "3"), "7.1"),
    HouseRule("top_straight", ("yes", "no"), "7.2"),
    HouseRule("order", ("printed", "rarity"), "7.3"),
    HouseRule("straight_shepherd", ("ignored", "penalty"), "7.4"),
    HouseRule("revolution", ("categories", "full"), "7.5"),
    HouseRule("no_pair", ("all_cards", "best_card"), "7.7"),
    HouseRule("suits", ("best_first", "sum"), "7.8"),
)

_PAIRED = ("no_pair", "one_pair", "two_pair", "three")
PRINTED = {
    "1": (*_PAIRED, "flush", "full_house", "four", "five", "royal"),
    "2": (*_PAIRED, "flush", "full_house", "four", "straight", "five", "straight_flush", "royal"),
    "3": (*_PAIRED, "straight", "flush", "full_house", "four", "straight_flush", "five", "royal"),
}
"""The printed orders, weak to strong, by straight proposal (51-63, 110, 123-124)."""

ALL_CODES = (
    "no_pair",
    "one_pair",
    "two_pair",
    "three",
    "straight",
    "flush",
    "full_house",
    "four",
    "five",
    "straight_flush",
    "shepherd_five",
    "royal",
)

SHEPHERD = 0
"""The shepherd's rank; 1 is the end, 12 the judge."""

_BELOW_STAFF = 9
"""The shepherd's strength in the first order (36); the staff is 9 in the other one."""
_TOP_SET = (12, 11, 10, 9, SHEPHERD)
_BY_COUNTS = {(5,): "five", (4,): "four", (3, 2): "full_house", (3,): "three", (2, 2): "two_pair", (2,): "one_pair"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What five pictures are, suits aside: category, shepherds that count against it, what ties go by.

    `pictures` compare second (bigger wins); `forming` are the ranks of the cards that make the hand, in the order in
    which their suits compare.
    """

    code: str
    shepherds: int
    pictures: tuple[int, ...]
    forming: tuple[int, ...]


def picture_strength(rank: int, options: Mapping[str, str]) -> int:
    """How strong a picture is: its rank, the shepherd lowest; or as the cards were packed at first (36), the shepherd
    between arms dealer and staff."""
    if options["pictures"] == "revised":
        return rank
    return _BELOW_STAFF if rank == SHEPHERD else rank + (rank >= _BELOW_STAFF)


def straight_place(ranks: tuple[int, ...], options: Mapping[str, str]) -> int | None:
    """How strong a straight the five pictures (descending ranks) are, 13 for the top set, or None (7.1, 7.2)."""
    if ranks == _TOP_SET:
        top_set_counts = options["straights"] == "2" or (
            options["straights"] == "3" and options["top_straight"] == "yes"
        )
        return 13 if top_set_counts else None
    strengths = [picture_strength(rank, options) for rank in ranks]
    if options["straights"] == "3" and len(set(ranks)) == 5 and max(strengths) - min(strengths) == 4:
        return max(strengths)
    return None


def judge(ranks: tuple[int, ...], flush: bool, federal: bool, options: Mapping[str, str]) -> Judgement:
    """Five pictures (descending), all of one suit or not, that suit being the federal army's or not."""
    shepherds = ranks.count(SHEPHERD)
    if shepherds == 5:
        return Judgement("shepherd_five", 0, (), (SHEPHERD,))
    if federal and ranks == _TOP_SET:
        return Judgement("royal", 0, (), ranks)
    straight = straight_place(ranks, options)
    down = tuple(sorted(ranks, key=lambda rank: -picture_strength(rank, options)))
    if straight is not None:
        counted = shepherds if options["straight_shepherd"] == "penalty" else 0
        return Judgement("straight_flush" if flush else "straight", counted, (straight,), down)
    strengths = tuple(picture_strength(rank, options) for rank in down)
    if flush:
        return Judgement("flush", shepherds, strengths, down)
    counted_ranks = Counter(rank for rank in ranks if rank != SHEPHERD)
    groups = sorted(((n, rank) for rank, n in counted_ranks.items() if n > 1), reverse=True)
    if not groups:
        forming = tuple(dict.fromkeys(down)) if options["no_pair"] == "all_cards" else down[:1]
        return Judgement("no_pair", shepherds, strengths if len(forming) > 1 else strengths[:1], forming)
    pictures = tuple(rank for _, rank in groups)
    return Judgement(_BY_COUNTS[tuple(n for n, _ in groups)], shepherds, pictures, pictures)


def _number(digits: Sequence[int], base: int, length: int) -> int:
    """The digits as one number, padded on the right."""
    total = 0
    for i in range(length):
        total = total * base + (digits[i] if i < len(digits) else 0)
    return total


_PICTURES = 14**5
_SUITS = 5**5
_TIES = 6 * _PICTURES * _SUITS
"""How many tie-breaks fit below a category: shepherds, then pictures, then suits."""


class SixtyFiveRanking(Ranking):
    """The 65-card deck's order of hands under the table's house rules.

    `categories` are the printed (or rarity's) order without the Shepherd five, which has no place of its own: its
    presence turns the order over, so hands on one table are compared by `showdown`. `key` orders hands of a table
    without a Shepherd five; for the sake of a place at all, it ranks the Shepherd five just below the royal.
    """

    __slots__ = (
        *("_category", "_class", "_classes", "_group", "_order"),
        *("_places", "_rank_key", "_ranks", "_suits", "_sums"),
    )

    def __init__(self, options: Mapping[str, str], deck: Deck) -> None:
        self.name = deck.name
        self.deck = deck
        self.size = 5
        self.options = options
        self.codes = ALL_CODES
        self._sums = FiveSums(self.deck, self.deck.ranks, crown=self.deck.suits[-1])
        self._ranks, self._suits = self._sums.ranks.tolist(), self._sums.suits.tolist()
        self._places = {code: i for i, code in enumerate(self.deck.codes)}
        self._build_tables()
        self.categories = PRINTED[options["straights"]]
        if options["order"] == "rarity":
            counts = self.counts()
            self.categories = tuple(sorted(self.categories, key=lambda code: -counts[code]))
        self._order = {code: i for i, code in enumerate((*self.categories[:-1], "shepherd_five", self.categories[-1]))}
        self._rank_key = np.array([self._rank_part(j, self._order) for j in self._classes], np.int64)

    def _build_tables(self) -> None:
        known: dict[Judgement, int] = {}
        copies = max(self.deck.counts)
        self._class = np.zeros(3 * RANK_SUMS, np.uint16)
        for ranks, place in rank_multisets():
            for part in range(3):
                if part == 0 or max(Counter(ranks).values()) <= copies:
                    judgement = judge(ranks, part > 0, part == 2, self.options)
                    self._class[place + part * RANK_SUMS] = known.setdefault(judgement, len(known))
        self._classes = tuple(known)
        codes = np.array([ALL_CODES.index(j.code) for j in self._classes], np.uint8)
        self._category = codes[self._class]
        self._group = np.zeros((len(known), 13), np.uint8)
        for i, judgement in enumerate(self._classes):
            for place, rank in enumerate(judgement.forming):
                self._group[i, rank] = 5 - place

    def _rank_part(self, judgement: Judgement, order: Mapping[str, int]) -> int:
        below = (5 - judgement.shepherds) * _PICTURES + _number(judgement.pictures, 14, 5)
        return (order[judgement.code] * 6 * _PICTURES + below) * _SUITS

    def _suit_part(self, group_and_suit: Sequence[int]) -> int:
        suits = [code & 7 for code in sorted(group_and_suit, reverse=True) if code >= 8]
        return sum(suits) if self.options["suits"] == "sum" else _number(suits, 5, 5)

    def counts(self) -> dict[str, int]:
        """How many of all 8,259,888 hands of one pack are of each code, every single hand looked at.

        Two packs mixed are ranked by one pack's rarity. Codes that the straight proposal does not know are there
        with 0.
        """
        total = np.zeros(len(ALL_CODES), np.int64)
        tails = every_hand(len(self.deck.faces) - 1, 4)
        values = self._sums.values
        sums = values[tails[:, 0] + 1] + values[tails[:, 1] + 1] + values[tails[:, 2] + 1] + values[tails[:, 3] + 1]
        starts = np.searchsorted(tails[:, 0], np.arange(len(self.deck.faces)))
        for first, start in enumerate(starts):
            # Rows are sorted, so those whose cards all follow `first` are the rest of the array.
            for low in range(int(start), len(sums), 65_536):
                places = self._sums.from_sums(sums[low : low + 65_536] + values[first])
                total += np.bincount(self._category[places], minlength=len(ALL_CODES))
        return dict(zip(ALL_CODES, total.tolist(), strict=True))

    def encode(self, cards: Sequence[str]) -> tuple[int, ...]:
        """The cards as places in `deck.faces`. Errors as `category`."""
        if len(cards) == 5:
            try:
                return tuple([self._places[card] for card in cards])
            except KeyError:
                pass  # said properly below
        return super().encode(cards)

    def _judgement(self, faces: Sequence[int]) -> tuple[int, Judgement]:
        place = int(self._class[self._sums.place(faces)])
        return place, self._classes[place]

    def judgement(self, cards: Sequence[str]) -> Judgement:
        """What the five cards are, suits aside. Errors as `category`."""
        return self._judgement(self.encode(cards))[1]

    def category(self, cards: Sequence[str]) -> str:
        """The category of five cards (section 4)."""
        return self._judgement(self.encode(cards))[1].code

    def strength(self, cards: Sequence[str]) -> int:
        """The category's place in the order of `key`, 1 the weakest."""
        return self._order[self.category(cards)] + 1

    def key(self, cards: Sequence[str]) -> int:
        """Category, fewer shepherds, forming pictures, forming suits, in this order, as one number (143-145).

        Hands share a key only when they differ in cards that do not form the hand: of one pack never two of one table,
        of two packs mixed two that are made of the same cards.
        """
        faces = self.encode(cards)
        return self._key(self._judgement(faces)[0], faces)

    def _key(self, place: int, faces: Sequence[int]) -> int:
        group = self._group[place].tolist()
        suit_part = self._suit_part([group[self._ranks[f]] << 3 | self._suits[f] for f in faces])
        return int(self._rank_key[place]) + suit_part

    def showdown(self, hands: Sequence[Sequence[str]]) -> Showdown:
        """Compare the hands on the table; a Shepherd five among them turns the order over (68-71, 7.5)."""
        encoded = [self.encode(hand) for hand in hands]
        judged = [self._judgement(faces) for faces in encoded]
        categories = tuple([judgement.code for _, judgement in judged])
        turned = "shepherd_five" in categories
        keys = [self._key(place, faces) for faces, (place, _) in zip(encoded, judged, strict=True)]
        if turned:
            keys = [self._turned_key(code, key) for code, key in zip(categories, keys, strict=True)]
        best = max(keys, default=0)
        return Showdown(categories, tuple([i for i, key in enumerate(keys) if key == best]), turned)

    def _turned_key(self, code: str, key: int) -> int:
        """The key in the turned order: no pair > Shepherd five > one pair > ... > five of a kind (> royal)."""
        tie = key % _TIES
        if self.options["revolution"] == "full":
            tie = _TIES - 1 - tie
        turned = (*self.categories[:0:-1], "shepherd_five", self.categories[0])
        return turned.index(code) * _TIES + tie

    def categories_of(self, hands: Hands) -> NDArray[np.uint8]:
        """Places in `codes` for ``(n, 5) uint8`` hands: ``(n,) uint8``."""
        return look_up(self._category, self._sums, hands).astype(np.uint8, copy=False)

    def keys_of(self, hands: Hands) -> NDArray[np.int64]:
        """Keys for ``(n, 5) uint8`` hands: ``(n,) int64``."""
        out = np.empty(len(hands), np.int64)
        weights = 5 ** np.arange(4, -1, -1)
        for rows, places in self._sums.places(hands):
            classes = self._class[places]
            block = hands[rows]
            marks = self._group[classes[:, None], self._sums.ranks[block]] << 3 | self._sums.suits[block]
            marks.sort(axis=1)
            suits = np.where(marks >= 8, marks & 7, 0)[:, ::-1]
            part = suits.sum(axis=1) if self.options["suits"] == "sum" else suits @ weights
            out[rows] = self._rank_key[classes] + part
        return out

    def explain(self, cards: Sequence[str]) -> Explanation:
        """The category with its cards, what else would hold, and what is missing for more."""
        faces = self.encode(cards)
        judgement = self._judgement(faces)[1]
        ranks = tuple(int(self._sums.ranks[face]) for face in faces)
        suits = [int(self._sums.suits[face]) for face in faces]
        flush = len(set(suits)) == 1
        runs = straight_place(tuple(sorted(ranks, reverse=True)), self.options) is not None
        five = Five(tuple(cards), ranks, ranks.count(SHEPHERD), runs, flush, SHEPHERD)
        places = [i for i in range(5) if ranks[i] in judgement.forming]
        places.sort(key=lambda i: (judgement.forming.index(ranks[i]), -suits[i]))
        makers = tuple(cards[i] for i in places)
        tie = (
            Note.of("hand.tie.shepherds", shepherds=judgement.shepherds),
            Note.of("hand.tie.pictures", cards=makers),
            Note.of("hand.tie.suits-sum" if self.options["suits"] == "sum" else "hand.tie.suits", cards=makers),
        )
        return explain(judgement.code, makers, five, tuple(self._order), satisfied(five), tie)


@lru_cache(maxsize=32)
def _ranking(options: frozenset[tuple[str, str]], deck: str) -> SixtyFiveRanking:
    return SixtyFiveRanking(resolved(HOUSE_RULES, dict(options)), shepherd_first(named_deck(deck)))


def shepherd_first(deck: Deck) -> Deck:
    """The deck with its shepherd as the first rank: the picture of that code, or else the weakest one."""
    first = "shepherd" if "shepherd" in deck.ranks else deck.ranks[0]
    ranks = (first, *(rank for rank in deck.ranks if rank != first))
    return replace(deck, ranks=ranks) if ranks != deck.ranks else deck


def ranking(options: Given | None = None, deck: str = "65") -> SixtyFiveRanking:
    """The 65-card ranking under the given house rules (``{"straights": 2}``), over another deck of thirteen pictures in
    five suits if one is named. A deck in the author's earlier order (36) is ranked in that order. Raises OptionError,
    DeckError."""
    given = {key: as_text(value) for key, value in (options or {}).items()}
    if deck != "65" and named_deck(deck).ranks.index(shepherd_first(named_deck(deck)).ranks[0]) == _BELOW_STAFF - 1:
        given["pictures"] = "original"
    return _ranking(frozenset(given.items()), deck)
