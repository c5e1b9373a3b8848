"""Three-card rankings: the thirty rows of the three-card game.

A category is a predicate over arrays of hands (`Triples`); the strongest one that holds, in the order of the deck's
row, counts. As a deck has at most 52 different faces, the answer for every triple of faces fits one table of 52^3
bytes: one hand is one look-up, and so is each row of an array. Clauses are those of the three-card game's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from companion.cards import Deck
from companion.cards import deck as named_deck
from companion.cards.decks import HONOUR_SUIT, TRUMP_RANKS, YIN_YANG, ZAT
from companion.hands.base import NONE, Hands, Ranking, RankingError
from companion.hands.explanation import Explanation
from companion.hands.options import Given, HouseRule, as_text, resolved
from companion.hands.rows import ROWS
from companion.hands.three_card_reasons import Seen, explain

Mask = NDArray[np.bool_]

HOUSE_RULES = (
    HouseRule("intra_order", ("none", "rank"), "7.1"),
    HouseRule("ace", ("both", "low", "high"), "7.2"),
    HouseRule("zat", ("cyclic", "both_ends"), "7.2b"),
    HouseRule("short_deck_runs", ("collapse", "gap", "gap_wrap"), "7.3"),
    HouseRule("flush_duplicates", ("no", "yes"), "7.4"),
    HouseRule("rap_identical", ("no", "yes"), "7.5"),
    HouseRule("k3_identical", ("yes", "no"), "7.6"),
    HouseRule("cfl", ("literal", "winds_or_dragons"), "7.7"),
    HouseRule("d2_honours", ("yes", "no"), "7.8"),
    HouseRule("36D3", ("printed", "rarity"), "7.9"),
    HouseRule("order", ("printed", "rarity"), "7.10"),
    HouseRule("bow", ("one_colour", "any_three"), "7.11"),
    HouseRule("table", ("deck", "52", "48", "40", "36", "M9", "M7", "T52", "T44", "T36"), "133"),
)
"""The sheet's gaps that touch categories. A rule that means nothing in a deck (`zat` in playing cards) is idle;
`table`: whose printed order holds, ``deck`` is the deck's own row."""


def run_sequence(deck: Deck, options: Mapping[str, str]) -> tuple[str | None, ...]:
    """The ranks in running order: neighbours stand side by side, None parts what does not run on (7.2, 7.2b, 7.3)."""
    if ZAT in deck.ranks and YIN_YANG in deck.suits:
        closed = (*deck.ranks, deck.ranks[0])
        return (*closed, deck.ranks[1]) if options["zat"] == "cyclic" else closed
    if "A" not in deck.ranks or not set(deck.ranks) <= set(TRUMP_RANKS):
        return deck.ranks
    if options["short_deck_runs"] == "collapse":
        ranks: tuple[str | None, ...] = deck.ranks
    else:
        ranks = tuple(rank if rank in deck.ranks else None for rank in TRUMP_RANKS)
        if options["short_deck_runs"] == "gap_wrap":
            return (*ranks, *ranks[:2])
    match options["ace"]:
        case "low":
            return ranks
        case "high":
            return (*ranks[1:], ranks[0])
        case _:
            return (*ranks, ranks[0])


class Anatomy:
    """What the predicates ask about the faces of a deck, as arrays by the face's place in `Deck.faces`."""

    def __init__(self, deck: Deck, options: Mapping[str, str]) -> None:
        # An honour is of no rank but its own; it neither pairs with a number nor runs.
        marks = [face.code if face.suit == HONOUR_SUIT else face.rank for face in deck.faces]
        names = list(dict.fromkeys([*deck.ranks, *marks]))
        suits = list(dict.fromkeys(face.suit for face in deck.faces))
        colours = list(dict.fromkeys(face.colour for face in deck.faces))
        self.options = options
        self.deck = deck
        self.rank = np.array([names.index(m) for m in marks])
        self.suit = np.array([suits.index(face.suit) for face in deck.faces])
        self.colour = np.array([colours.index(face.colour) for face in deck.faces])
        self.honour = np.array([face.suit == HONOUR_SUIT for face in deck.faces])
        # The first four honours are winds, the others dragons.
        self.wind = np.array([face.suit == HONOUR_SUIT and face.rank in "1234" for face in deck.faces])
        self.wild = np.array([face.suit in (HONOUR_SUIT, YIN_YANG) for face in deck.faces])
        self.yin_yang = np.array([face.suit == YIN_YANG for face in deck.faces])
        self.neutral = np.array([face.rank == ZAT for face in deck.faces])
        self.follows, self.runs = self._runs(names, run_sequence(deck, options))
        self.height = np.array([0 if face.suit == HONOUR_SUIT else self._height(face.rank) for face in deck.faces])

    def _height(self, rank: str) -> int:
        return len(self.deck.ranks) if rank == "A" else self.deck.ranks.index(rank)

    @staticmethod
    def _runs(names: Sequence[str], sequence: Sequence[str | None]) -> tuple[Mask, Mask]:
        follows = np.zeros((len(names),) * 2, bool)
        runs = np.zeros((len(names),) * 3, bool)
        places = [None if rank is None else names.index(rank) for rank in sequence]
        for window in pairwise(places):
            if None not in window:
                for order in permutations(window):
                    follows[order] = True
        for window3 in zip(places, places[1:], places[2:], strict=False):
            if None not in window3:
                for order3 in permutations(window3):
                    runs[order3] = True
        return follows, runs


class Triples:
    """Arrays of three cards under the eyes of the predicates. `hands`: ``(n, 3)`` places in `Deck.faces`."""

    def __init__(self, anatomy: Anatomy, hands: NDArray[np.integer]) -> None:
        self.of = anatomy
        self.options = anatomy.options
        self.face = hands
        self.rank = anatomy.rank[hands]
        self.suit = anatomy.suit[hands]

    def twins(self, i: int, j: int) -> Mask:
        """Cards i and j are copies of one face."""
        return np.asarray(self.face[:, i] == self.face[:, j])

    def pair(self, i: int, j: int) -> Mask:
        """Cards i and j have one rank."""
        return np.asarray(self.rank[:, i] == self.rank[:, j])

    def friends(self, i: int, j: int) -> Mask:
        """Cards i and j are suited neighbours."""
        suited = self.suit[:, i] == self.suit[:, j]
        return np.asarray(suited & self.of.follows[self.rank[:, i], self.rank[:, j]])

    def different(self) -> Mask:
        """No two of the three are copies."""
        return ~(self.twins(0, 1) | self.twins(0, 2) | self.twins(1, 2))

    def one_suit(self) -> Mask:
        """All three share the suit."""
        return np.asarray((self.suit[:, 0] == self.suit[:, 1]) & (self.suit[:, 1] == self.suit[:, 2]))


def colour_flush(t: Triples) -> Mask:
    """CLF: all three black or all three red (150, 162)."""
    colour = t.of.colour[t.face]
    return np.asarray((colour[:, 0] == colour[:, 1]) & (colour[:, 1] == colour[:, 2]))


def half_flush(t: Triples) -> Mask:
    """HF: one number suit and honours (or one element and yin-yang), two and one (233)."""
    wild = t.of.wild[t.face]
    found = np.zeros(len(wild), bool)
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        found |= wild[:, i] & wild[:, j] & ~wild[:, k]
        found |= ~wild[:, i] & ~wild[:, j] & wild[:, k] & (t.suit[:, i] == t.suit[:, j])
    return found


def one_pair(t: Triples) -> Mask:
    """P1: two of one rank (168)."""
    return t.pair(0, 1) | t.pair(0, 2) | t.pair(1, 2)


def mix_well(t: Triples) -> Mask:
    """MW: one of each of the three number suits, or elements (234)."""
    apart = (t.suit[:, 0] != t.suit[:, 1]) & (t.suit[:, 0] != t.suit[:, 2]) & (t.suit[:, 1] != t.suit[:, 2])
    return np.asarray(apart & ~t.of.wild[t.face].any(axis=1))


def run_of_two(t: Triples) -> Mask:
    """RN2: two suited neighbours (174)."""
    return t.friends(0, 1) | t.friends(0, 2) | t.friends(1, 2)


def double(t: Triples) -> Mask:
    """D2: two copies of one face (152; honours 7.8)."""
    found = t.twins(0, 1) | t.twins(0, 2) | t.twins(1, 2)
    if t.options["d2_honours"] == "no":
        honour = t.of.honour[t.face]
        found = np.zeros(len(found), bool)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            found |= t.twins(i, j) & ~honour[:, i]
    return found


def flush(t: Triples) -> Mask:
    """FL: one suit, three different cards (180; copies 7.4)."""
    return t.one_suit() if t.options["flush_duplicates"] == "yes" else t.one_suit() & t.different()


def straight(t: Triples) -> Mask:
    """ST: three ranks in a row (186)."""
    return np.asarray(t.of.runs[t.rank[:, 0], t.rank[:, 1], t.rank[:, 2]])


def run_and_pair(t: Triples) -> Mask:
    """RaP: a pair and a suited neighbour of one of the two (192; copies 7.5)."""
    found = np.zeros(len(t.face), bool)
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        pair = t.pair(i, j) if t.options["rap_identical"] == "yes" else t.pair(i, j) & ~t.twins(i, j)
        found |= pair & (t.friends(i, k) | t.friends(j, k))
    return found


def three_of_a_kind(t: Triples) -> Mask:
    """K3: three of one rank (198; copies 7.6)."""
    found = t.pair(0, 1) & t.pair(1, 2)
    return found & t.different() if t.options["k3_identical"] == "no" else found


def straight_flush(t: Triples) -> Mask:
    """SF: a straight in one suit (204)."""
    return straight(t) & t.one_suit()


def character_flush(t: Triples) -> Mask:
    """CFL: three different honours (234; 7.7 winds or dragons only; copies 7.4)."""
    honours = t.of.honour[t.face].all(axis=1)
    if t.options["cfl"] == "winds_or_dragons":
        winds = t.of.wind[t.face].sum(axis=1)
        honours &= (winds == 0) | (winds == 3)
    return np.asarray(honours if t.options["flush_duplicates"] == "yes" else honours & t.different())


def black_or_white(t: Triples) -> Mask:
    """BoW: three different yin-yang cards of one colour (7.11)."""
    found = t.of.yin_yang[t.face].all(axis=1) & t.different()
    if t.options["bow"] == "any_three":
        return np.asarray(found)
    return np.asarray(found & colour_flush(t) & ~t.of.neutral[t.face].any(axis=1))


def triple(t: Triples) -> Mask:
    """D3: three copies of one face (152; honours 7.8)."""
    found = t.twins(0, 1) & t.twins(1, 2)
    return found & ~t.of.honour[t.face[:, 0]] if t.options["d2_honours"] == "no" else found


PREDICATES: dict[str, Callable[[Triples], Mask]] = {
    "CLF": colour_flush,
    "HF": half_flush,
    "P1": one_pair,
    "MW": mix_well,
    "RN2": run_of_two,
    "D2": double,
    "FL": flush,
    "ST": straight,
    "RaP": run_and_pair,
    "K3": three_of_a_kind,
    "SF": straight_flush,
    "CFL": character_flush,
    "BoW": black_or_white,
    "D3": triple,
}
"""Every category's definition."""


def every_triple(deck: Deck) -> tuple[Hands, NDArray[np.int64]]:
    """All different hands of three, ``(m, 3) uint8``, and in how many ways each can be dealt, ``(m,) int64``."""
    counts = np.array(deck.counts, np.int64)
    a, b, c = (axis.ravel().astype(np.uint8) for axis in np.indices((len(counts),) * 3))
    hands = np.stack((a, b, c), axis=1)[(a <= b) & (b <= c)]
    a, b, c = hands.T
    ways = counts[a] * (counts[b] - (a == b)) * (counts[c] - (a == c) - (b == c).astype(np.int64))
    same = (a == b).astype(np.int64) + (b == c)
    ways = np.maximum(ways, 0) // np.array([1, 2, 6])[same]
    return hands[ways > 0], ways[ways > 0]


class ThreeCardRanking(Ranking):
    """A row of the three-card game: a deck and its categories, weak to strong.

    Strength 0 is `none`, 1 the weakest category. Any deck will do whose suits and ranks are those of a printed row's
    family (playing cards, tiles, TESCA).
    """

    __slots__ = ("_anatomy", "_faces", "_keys", "_strengths")

    def __init__(self, name: str, deck: Deck, categories: Sequence[str], options: Mapping[str, str]) -> None:
        self.name = name
        self.deck = deck
        self.size = 3
        self.options = options
        self._anatomy = Anatomy(deck, options)
        self._faces = len(deck.faces)
        triples = Triples(self._anatomy, np.indices((self._faces,) * 3).reshape(3, -1).T)
        holds = {code: PREDICATES[code](triples) for code in categories}
        order = tuple(categories)
        if options["order"] == "rarity":
            order = self._by_rarity(order, holds)
        self.categories = order
        self.codes = (NONE, *order)
        self._strengths = self._classify(order, holds)
        self._keys: NDArray[np.int64] = self._strengths.astype(np.int64)
        if options["intra_order"] == "rank":
            heights = np.sort(self._anatomy.height[triples.face], axis=1)
            self._keys = ((self._keys * 16 + heights[:, 2]) * 16 + heights[:, 1]) * 16 + heights[:, 0]

    @staticmethod
    def _classify(order: Sequence[str], holds: Mapping[str, Mask]) -> NDArray[np.uint8]:
        strengths = np.zeros(len(next(iter(holds.values()))), np.uint8)
        for strength, code in enumerate(order, 1):
            strengths[holds[code]] = strength
        return strengths

    def _by_rarity(self, printed: tuple[str, ...], holds: Mapping[str, Mask]) -> tuple[str, ...]:
        """The categories sorted by how many hands count as each in the printed order, frequent to rare (7.10).

        Sorted once: what a hand counts as depends on the order in turn, and in most rows no order at all agrees with
        its own counts.
        """
        hands, ways = every_triple(self.deck)
        counts = np.bincount(self._classify(printed, holds)[self._places(hands)], ways, len(printed) + 1)
        return tuple(printed[i] for i in np.argsort(-counts[1:], kind="stable"))

    def _places(self, hands: NDArray[np.integer]) -> NDArray[np.int64]:
        wide = hands.astype(np.int64)
        return (wide[:, 0] * self._faces + wide[:, 1]) * self._faces + wide[:, 2]

    def _place(self, cards: Sequence[str]) -> int:
        a, b, c = self.encode(cards)
        return (a * self._faces + b) * self._faces + c

    def category(self, cards: Sequence[str]) -> str:
        """The strongest category of this row that the three cards make, or ``none`` (section 4)."""
        return self.codes[int(self._strengths[self._place(cards)])]

    def key(self, cards: Sequence[str]) -> int:
        """The strength, with ranks below it where `intra_order=rank` orders equal categories (7.1)."""
        return int(self._keys[self._place(cards)])

    def categories_of(self, hands: Hands) -> NDArray[np.uint8]:
        """Strengths of ``(n, 3) uint8`` hands as ``(n,) uint8``: places in `codes`."""
        return self._strengths[self._places(hands)]

    def keys_of(self, hands: Hands) -> NDArray[np.int64]:
        """Keys of ``(n, 3) uint8`` hands, ``(n,) int64``."""
        return self._keys[self._places(hands)]

    def counts(self) -> dict[str, int]:
        """How many hands of three make each category: different hands, each as often as it can be dealt."""
        hands, ways = every_triple(self.deck)
        total = np.bincount(self.categories_of(hands), ways, len(self.codes))
        return {code: int(count) for code, count in zip(self.codes, total, strict=True)}

    def explain(self, cards: Sequence[str]) -> Explanation:
        """The category with its cards, what else would hold, and what is missing for more."""
        hand = Triples(self._anatomy, np.array([self.encode(cards)]))
        holds = {code: bool(PREDICATES[code](hand)[0]) for code in self.categories}
        two = ((0, 1), (0, 2), (1, 2))
        seen = Seen(
            faces=tuple(self.deck.face(card) for card in cards),
            pairs=tuple(ij for ij in two if hand.pair(*ij)[0]),
            friends=tuple(ij for ij in two if hand.friends(*ij)[0]),
            twins=tuple(ij for ij in two if hand.twins(*ij)[0]),
            runs=bool(straight(hand)[0]),
        )
        by_rank = None
        if self.options["intra_order"] == "rank":
            by_rank = tuple(sorted(cards, key=lambda card: -int(self._anatomy.height[self.deck.index(card)])))
        return explain(tuple(cards), self.categories, holds, seen, by_rank)


@lru_cache(maxsize=128)
def _ranking(name: str, options: frozenset[tuple[str, str]]) -> ThreeCardRanking:
    chosen = resolved(HOUSE_RULES, dict(options))
    categories = ROWS[name]
    if name == "36D3" and chosen["36D3"] == "rarity":
        swap = {"FL": "D2", "D2": "FL"}
        categories = tuple(swap.get(code, code) for code in categories)
    return ThreeCardRanking(name, named_deck(name), categories, chosen)


def ranking(name: str, options: Given | None = None) -> ThreeCardRanking:
    """The row of that name (``52D2``, ``M9D4C3``, ``T44D1``), letter case ignored, under the given house rules.

    Raises RankingError for an unknown row, OptionError for an unknown option or value.
    """
    row = name.upper()
    if row not in ROWS:
        raise RankingError(name, tuple(ROWS))
    return _ranking(row, frozenset((k, as_text(v)) for k, v in (options or {}).items()))


def ranking_over(deck: Deck, row: str, options: Given | None = None) -> ThreeCardRanking:
    """The order of a printed row over a deck of one's own, such as another TESCA (7.11).

    The deck's suits and ranks must be those of the row's family: S H D C; m p s z; a b c y. `row` names the categories.
    Raises RankingError, OptionError, and ValueError when the deck has a suit or rank that the row's family lacks.
    """
    name = row.upper()
    if name not in ROWS:
        raise RankingError(row, tuple(ROWS))
    family = named_deck({"M": "M9D1", "T": "T52D1"}.get(name[0], "52D1"))
    for face in deck.faces:
        if face.suit not in family.suits or face.rank not in {known.rank for known in family.faces}:
            raise ValueError(f"the card {face.code} of the deck {deck.name} has no place in the row {name}")
    ranks = tuple(rank for rank in family.ranks if rank in deck.ranks)
    ordered = Deck(deck.name, deck.faces, deck.counts, ranks, deck.suits, deck.names)
    return ThreeCardRanking(deck.name, ordered, ROWS[name], resolved(HOUSE_RULES, options or {}))
