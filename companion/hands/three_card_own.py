"""Three-card hands in a deck of one's own: which categories it can have, and in which order.

A deck that is one of the printed ones in all but its looks has that row. Another composition of TESCA has the row of
as many ranks and copies. For every other deck the sheet prints nothing; what the author did for his own decks is done
for it: the categories stand in the order of how rare they are there, or, as a house rule, in that of a printed row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from companion.cards import Deck
from companion.cards import deck as named_deck
from companion.cards.decks import TRUMP_RANKS
from companion.hands.base import RankingError
from companion.hands.options import Given, OptionError, as_text, resolved
from companion.hands.rows import ROWS
from companion.hands.three_card import HOUSE_RULES, ThreeCardRanking, ranking

MOST_FACES = 100
"""Every triple of faces has its place in a table: so many different cards make a million of them."""

_PLAIN = ("CLF", "P1", "RN2", "FL", "D2", "ST", "RaP", "K3", "SF", "D3")
_TILES = ("HF", "P1", "MW", "RN2", "D2", "FL", "ST", "RaP", "K3", "SF", "CFL", "D3")
_TESCA = ("HF", "P1", "MW", "RN2", "FL", "D2", "ST", "RaP", "K3", "SF", "BoW", "D3")


class UnrankedError(RankingError):
    """A deck that has no three-card hands; the message says why."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, tuple(ROWS))
        self.args = (f"the deck {name} has no three-card hands: {why}",)


def family(deck: Deck) -> str:
    """``trump``, ``tiles`` or ``tesca`` where all suits and ranks are those of that family, else ``own``."""
    for name, known in (("trump", "52D1"), ("tiles", "M9D1"), ("tesca", "T52D1")):
        cards = named_deck(known)
        ranks = {face.rank for face in cards.faces}
        if set(deck.suits) <= set(cards.suits) and all(face.rank in ranks and face.suit for face in deck.faces):
            return name
    return "own"


def row_of(deck: Deck) -> str:
    """The printed row of a deck of one's own; "" where there is none."""
    same = next((row for row in ROWS if named_deck(row).multiset == deck.multiset), "")
    if same or family(deck) != "tesca":
        return same
    row = f"T{4 * len(deck.ranks)}D{max(deck.counts)}"
    return row if row in ROWS else ""


def categories_of(deck: Deck) -> tuple[str, ...]:
    """The categories that the deck can have at all, in the usual order."""
    kind = family(deck)
    order = {"tiles": _TILES, "tesca": _TESCA}.get(kind, _PLAIN)
    missing = {"D2"} if max(deck.counts) < 2 else set()
    if max(deck.counts) < 3:
        missing.add("D3")
    colours = {face.suit: face.colour for face in deck.faces}
    if len(set(colours.values())) in (1, len(colours)):  # one colour for all, or one for each: nothing beside a flush
        missing.add("CLF")
    if len(deck.ranks) < 3:
        missing |= {"ST", "SF"}
    return tuple(code for code in order if code not in missing)


@lru_cache(maxsize=64)
def _own(name: str, options: frozenset[tuple[str, str]]) -> ThreeCardRanking:
    deck = named_deck(name)
    chosen = resolved(HOUSE_RULES, dict(options))
    kind, table = family(deck), chosen["table"]
    row = row_of(deck) if table == "deck" else printed(table, deck)
    if table != "deck" and kind != _row_family(row) and not (kind == "own" and _row_family(row) == "trump"):
        raise OptionError(f"table={table} is for other suits and ranks than those of {name}")
    possible = categories_of(deck)
    categories = tuple(code for code in ROWS[row] if code in possible) if row else possible
    if not row:
        chosen = {**chosen, "order": "rarity"}
    if kind == "trump":
        deck = replace(deck, ranks=tuple(rank for rank in TRUMP_RANKS if rank in deck.ranks))
    return ThreeCardRanking(name, deck, categories, chosen)


def printed(table: str, deck: Deck) -> str:
    """The row of a printed table for as many copies as the deck has: ``52`` is ``52D2`` where cards are there twice."""
    copies = min(3, max(deck.counts))
    return f"{table}D{copies}"


def _row_family(row: str) -> str:
    return {"M": "tiles", "T": "tesca"}.get(row[:1], "trump")


def ranking_for(deck: Deck, options: Given | None = None) -> ThreeCardRanking:
    """The three-card ranking of any deck that fits (`unfit` says which): a printed row, or the deck's own. Raises
    RankingError, OptionError."""
    given: Mapping[str, str] = {key: as_text(value) for key, value in (options or {}).items()}
    if deck.name in ROWS and given.get("table", "deck") == "deck":
        return ranking(deck.name, given)
    if lone := [face.code for face in deck.faces if not face.suit or not face.rank]:
        raise UnrankedError(deck.name, f"these cards have no suit or rank: {' '.join(lone[:6])}")
    if len(deck.faces) > MOST_FACES:
        raise UnrankedError(deck.name, f"it has {len(deck.faces)} different cards, more than {MOST_FACES}")
    return _own(deck.name, frozenset(given.items()))
