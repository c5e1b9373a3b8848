"""The sheets' recommended decks: which deck for how many players, how many cards each, how many are left.

Source: the three-card game's tables for playing cards (lines 120-130), mahjong tiles (210-218) and TESCA (238-246).
One cell is misprinted: for 3 players and middle length the sheet gives 52D1 with 56 cards, 18 each and 2 left; 52D1
has 52 cards, so it is 17 each and 1 left. All other cells add up.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.cards.decks import deck


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A row of the tables: `players` x `hand` + `rest` = `cards`. `printed` is the sheet's cell where it errs."""

    family: str
    length: str
    players: int
    deck: str
    cards: int
    hand: int
    rest: int
    printed: str = ""


_TABLES = {
    "trump": (
        ("long", "mid", "short"),
        """
        2  52D1  52 26 0   40D1  40 20 0   36D1  36 18 0
        3  40D2  80 26 2   52D1  52 17 1   48D1  48 16 0
        4  48D2  96 24 0   36D2  72 18 0   52D1  52 13 0
        5  40D3 120 24 0   48D2  96 19 1   36D2  72 14 2
        6  48D3 144 24 0   52D2 104 17 2   40D2  80 13 2
        7  52D3 156 22 2   40D3 120 17 1   48D2  96 13 5
        8  52D3 156 19 4   40D3 120 15 0   48D2  96 12 0
        """,
    ),
    "mahjong": (
        ("standard", "short"),
        """
        2  M7D2    56 28 0   M9D1    34 17 0
        3  M7D3    84 28 0   M7D2    56 18 2
        4  M9D3   102 25 2   M9D2    68 17 0
        5  M9D4C3 129 25 4   M7D3    84 16 4
        6  M9D4   136 22 4   M9D3C2  95 15 5
        7  M9D4   136 19 3   M9D3C2  95 13 4
        8  M9D4   136 17 0   M9D3   102 12 6
        """,
    ),
    "tesca": (
        ("standard", "short"),
        """
        2  T52D1  52 26 0   T44D1  44 22 0
        3  T36D2  72 24 0   T52D1  52 17 1
        4  T44D2  88 22 0   T36D2  72 18 0
        5  T52D2 104 20 4   T44D2  88 17 3
        6  T44D3 132 22 0   T52D2 104 17 2
        7  T52D3 156 22 2   T44D3 132 18 6
        8  T52D3 156 19 4   T44D3 132 16 4
        """,
    ),
}
_MISPRINTS = {("trump", "mid", 3): "52D1 56 18 2"}


def _rows() -> tuple[Recommendation, ...]:
    rows = []
    for family, (lengths, table) in _TABLES.items():
        for line in filter(None, (line.split() for line in table.splitlines())):
            players = int(line[0])
            for i, length in enumerate(lengths):
                name, cards, hand, rest = line[1 + 4 * i : 5 + 4 * i]
                printed = _MISPRINTS.get((family, length, players), "")
                rows.append(Recommendation(family, length, players, name, int(cards), int(hand), int(rest), printed))
    return tuple(rows)


RECOMMENDED: tuple[Recommendation, ...] = _rows()
"""Every cell of the three tables."""


def recommended(players: int, family: str = "trump") -> dict[str, Recommendation]:
    """The recommended decks for that many players by length (``long``, ``mid``, ``short`` or ``standard``, ``short``).

    Raises ValueError when the tables have no such number of players or no such family.
    """
    found = {row.length: row for row in RECOMMENDED if row.family == family and row.players == players}
    if not found:
        raise ValueError(
            f"the tables have decks of {', '.join(_TABLES)} for 2 to 8 players, not {family!r} for {players}"
        )
    return found


def deal(deck_name: str, players: int) -> tuple[int, int]:
    """Cards for each player and cards left when the whole deck is dealt out evenly. Raises DeckError."""
    return divmod(deck(deck_name).size, players)
