"""The decks of the games, by name: ``52D2`` is the 52-card deck twice.

Sources: the recommended decks of the three-card game's sheet (ranks removed in short decks: line 147; M7 without
1 and 9: 231; ``D4C3`` = number tiles four times, honours three times: 232), the 65-card deck with the order of its
pictures and suits (sheet lines 33 and 43), Trading Poker's A to 10 twice with a joker (33). TESCA's composition is not
printed on the sheet: three elements and a yin-yang suit with ranks from 0 (ZAT) up, as far as 52, 44 or 36 cards need;
odd yin-yang cards are white, even ones black, ZAT is neither.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from companion.cards.errors import DeckError, nearest
from companion.cards.faces import Deck, Face, Kind

BLACK, RED, BLUE, GREEN, GREY = "#14161a", "#c8102e", "#1d4e9e", "#0b7a3b", "#5b6470"

TRUMP_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK_NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}
_SUITS = {
    "S": ("Spades", "スペード", "♠", "black"),
    "H": ("Hearts", "ハート", "♥", "red"),
    "D": ("Diamonds", "ダイヤ", "♦", "red"),
    "C": ("Clubs", "クラブ", "♣", "black"),
}
_REMOVED = {52: (), 48: ("10",), 40: ("8", "9", "10"), 36: ("7", "8", "9", "10")}

_NUMERALS = "一二三四五六七八九"
_TILE_SUITS = {
    "m": ("Characters", "萬", "red", RED),
    "p": ("Circles", "筒", "blue", BLUE),
    "s": ("Bamboos", "索", "green", GREEN),
}
_HONOURS = (
    ("East", "東", "black", BLACK),
    ("South", "南", "black", BLACK),
    ("West", "西", "black", BLACK),
    ("North", "北", "black", BLACK),
    ("White Dragon", "白", "white", GREY),
    ("Green Dragon", "發", "green", GREEN),
    ("Red Dragon", "中", "red", RED),
)
HONOUR_SUIT = "z"

_ELEMENTS = {
    "a": ("Fire", "火", "red", RED),
    "b": ("Water", "水", "blue", BLUE),
    "c": ("Wood", "木", "green", GREEN),
}
YIN_YANG = "y"
ZAT = "0"
_TESCA_RANKS = {52: 13, 44: 11, 36: 9}

# Weak to strong, as everywhere; the sheet prints them the other way round.
PICTURES = {
    "shepherd": ("Shepherd", "羊飼い"),
    "end": ("The End", "終焉"),
    "prayer": ("Prayer", "祈り"),
    "undertaker": ("Undertaker", "死体処理人"),
    "moon_earth": ("Moon and Earth", "月と地球"),
    "cruiser": ("Cruiser", "巡洋艇"),
    "exile": ("Exile", "流刑囚"),
    "sniper": ("Sniper", "狙撃手"),
    "arms_dealer": ("Arms dealer", "武器商人"),
    "staff": ("Staff", "錫杖"),
    "revolution": ("Revolution", "革命"),
    "sword": ("Sword", "ソード"),
    "judge": ("Judge", "裁判官"),
}
PICTURE_SUITS = {
    "nomad": ("Nomads", "遊牧民", "red", "#a3121f"),
    "temple": ("Temple", "テンプル", "white", "#1b1c20"),
    "free": ("Free City", "自由都市", "deep green", "#0a4a2a"),
    "lib": ("Liberation Army", "解放軍", "blue", "#12469b"),
    "fed": ("Federal Army", "連邦軍", "silver", "#59626e"),
}


def _trump_face(rank: str, suit: str) -> Face:
    english, japanese, mark, colour = _SUITS[suit]
    names = {"en": f"{_RANK_NAMES.get(rank, rank)} of {english}", "ja": f"{japanese}の{rank}"}
    ink = RED if colour == "red" else BLACK
    return Face(f"{rank}{suit}", rank, suit, colour, names, Kind.TRUMP, f"{rank}{mark}", ink)


def _joker(number: int, alone: bool) -> Face:
    mark = "" if alone else f" {number}"
    names = {"en": f"Joker{mark}", "ja": f"ジョーカー{mark.strip()}"}
    glyph = "JK" if alone else f"JK{number}"
    return Face(f"JK{number}", "", "", "any", names, Kind.JOKER, glyph, RED if number == 1 else BLACK)


def _trump(name: str, ranks: tuple[str, ...], copies: int, jokers: int = 0) -> Deck:
    faces = [_trump_face(r, s) for s in _SUITS for r in ranks]
    counts = [copies] * len(faces) + [1] * jokers
    faces += [_joker(i + 1, jokers == 1) for i in range(jokers)]
    return Deck(name, tuple(faces), tuple(counts), ranks, tuple(_SUITS))


def _tile(number: int, suit: str) -> Face:
    english, japanese, colour, ink = _TILE_SUITS[suit]
    glyph = f"{_NUMERALS[number - 1]}{japanese}"
    names = {"en": f"{number} of {english}", "ja": glyph}
    return Face(f"{number}{suit}", str(number), suit, colour, names, Kind.TILE, glyph, ink)


def _honour(number: int) -> Face:
    english, japanese, colour, ink = _HONOURS[number - 1]
    names = {"en": english, "ja": japanese}
    return Face(f"{number}z", str(number), HONOUR_SUIT, colour, names, Kind.TILE, japanese, ink)


def _mahjong(name: str, width: int, copies: int, honours: int) -> Deck:
    numbers = range(1, 10) if width == 9 else range(2, 9)
    tiles = [_tile(n, s) for s in _TILE_SUITS for n in numbers]
    winds = [_honour(n) for n in range(1, 8)]
    counts = (copies,) * len(tiles) + (honours,) * len(winds)
    return Deck(name, (*tiles, *winds), counts, tuple(str(n) for n in numbers), (*_TILE_SUITS, HONOUR_SUIT))


def _tesca_face(number: int, suit: str) -> Face:
    rank = "ZAT" if number == 0 else str(number)
    if suit in _ELEMENTS:
        english, japanese, colour, ink = _ELEMENTS[suit]
        names = {"en": f"{rank} of {english}", "ja": f"{japanese}の{rank}"}
        return Face(f"{number}{suit}", str(number), suit, colour, names, Kind.TESCA, f"{japanese}{rank}", ink)
    colour = "none" if number == 0 else "white" if number % 2 else "black"
    names = {"en": f"{rank} of Yin-yang", "ja": f"陰陽の{rank}"}
    glyph = f"{'☯' if number == 0 else '○' if number % 2 else '●'}{rank}"
    return Face(f"{number}{YIN_YANG}", str(number), YIN_YANG, colour, names, Kind.TESCA, glyph, BLACK)


def _tesca(name: str, cards: int, copies: int) -> Deck:
    suits = (*_ELEMENTS, YIN_YANG)
    faces = tuple(_tesca_face(n, s) for s in suits for n in range(_TESCA_RANKS[cards]))
    ranks = tuple(str(n) for n in range(_TESCA_RANKS[cards]))
    return Deck(name, faces, (copies,) * len(faces), ranks, suits)


def _sixty_five() -> Deck:
    faces = tuple(
        Face(
            f"{picture}.{suit}",
            picture,
            suit,
            colour,
            {"en": f"{english} of the {suit_en}", "ja": f"{suit_ja}の{japanese}"},
            Kind.PICTURE,
            f"{suit_ja[0]}{japanese}",
            ink,
        )
        for suit, (suit_en, suit_ja, colour, ink) in PICTURE_SUITS.items()
        for picture, (english, japanese) in PICTURES.items()
    )
    return Deck("65", faces, (1,) * 65, tuple(PICTURES), tuple(PICTURE_SUITS))


NAMES: tuple[str, ...] = (
    *(f"{cards}D{sets}" for cards in _REMOVED for sets in (1, 2, 3)),
    "53",
    "54",
    "trading",
    *(f"{family}D{sets}" for family in ("M9", "M7") for sets in (1, 2, 3, 4)),
    "M9D4C3",
    "M9D3C2",
    *(f"T{cards}D{sets}" for cards in _TESCA_RANKS for sets in (1, 2, 3)),
    "65",
)
"""Every deck that has a name here."""


@cache
def _build(name: str) -> Deck:
    match name:
        case "53" | "54":
            return _trump(name, TRUMP_RANKS, 1, int(name) - 52)
        case "trading":
            return _trump(name, TRUMP_RANKS[:10], 2, 1)
        case "65":
            return _sixty_five()
    found = re.fullmatch(r"([MT]?)(\d+)D(\d)(?:C(\d))?", name)
    assert found is not None, name
    family, cards, sets = found[1], int(found[2]), int(found[3])
    if family == "M":
        return _mahjong(name, cards, sets, int(found[4] or sets))
    if family == "T":
        return _tesca(name, cards, sets)
    return _trump(name, tuple(r for r in TRUMP_RANKS if r not in _REMOVED[cards]), sets)


@lru_cache(maxsize=256)
def deck(name: str) -> Deck:
    """The deck of that name; letter case does not matter. Raises DeckError naming the nearest decks."""
    for known in (name, name.upper(), name.lower()):
        if known in NAMES:
            return _build(known)
    raise DeckError(name, nearest(name, NAMES))
