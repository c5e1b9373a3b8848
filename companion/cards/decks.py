"""The decks of the games, by name: ``52D2`` is the 52-card deck twice.

Sources: the recommended decks of the three-card game's sheet (ranks removed in short decks: line 147; M7 without
1 and 9: 231; ``D4C3`` = number tiles four times, honours three times: 232), the 65-card deck with the order of its
pictures and suits (sheet lines 33 and 43), Trading Poker's A to 10 twice with a joker (33). TESCA's composition is not
printed on the sheet: three elements and a yin-yang suit with ranks from 0 (ZAT) up, as far as 52, 44 or 36 cards need;
odd yin-yang cards are white, even ones black, ZAT is neither. Hanafuda's twelve months are ranks, its four kinds
(plain, ribbon, animal, bright) suits; plain cards of one month are copies.

Decks of one's own stand beside them under names of their own.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from threading import Lock

from companion.cards.errors import DeckError, nearest
from companion.cards.faces import Deck, Face, Kind

BLACK, RED, BLUE, GREEN, GREY = "#14161a", "#c8102e", "#1d4e9e", "#0b7a3b", "#5b6470"

TRUMP_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANK_NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}
SUITS = {
    "S": ("Spades", "スペード", "♠", "black"),
    "H": ("Hearts", "ハート", "♥", "red"),
    "D": ("Diamonds", "ダイヤ", "♦", "red"),
    "C": ("Clubs", "クラブ", "♣", "black"),
}
_REMOVED = {52: (), 48: ("10",), 40: ("8", "9", "10"), 36: ("7", "8", "9", "10")}

_NUMERALS = "一二三四五六七八九"
TILE_SUITS = {
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

ELEMENTS = {
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
ORIGINAL_PICTURES = (*tuple(PICTURES)[1:9], "shepherd", *tuple(PICTURES)[9:])
"""The order in which the author first packed them: the shepherd between arms dealer and staff (36)."""

MONTHS = {
    "pine": ("Pine", "松"),
    "plum": ("Plum", "梅"),
    "cherry": ("Cherry", "桜"),
    "wisteria": ("Wisteria", "藤"),
    "iris": ("Iris", "菖蒲"),
    "peony": ("Peony", "牡丹"),
    "clover": ("Bush clover", "萩"),
    "pampas": ("Pampas", "芒"),
    "chrysanthemum": ("Chrysanthemum", "菊"),
    "maple": ("Maple", "紅葉"),
    "willow": ("Willow", "柳"),
    "paulownia": ("Paulownia", "桐"),
}
"""Hanafuda's months, January first: the ranks."""
FLOWER_KINDS = {
    "plain": ("Plain", "カス", "grey", GREY),
    "ribbon": ("Ribbon", "短冊", "red", RED),
    "animal": ("Animal", "タネ", "green", GREEN),
    "bright": ("Bright", "光", "yellow", "#b58900"),
}
"""Hanafuda's kinds, the suits, and how many cards of each month are of that kind."""
_FLOWERS = {
    "plain": (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 3),
    "ribbon": (1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0),
    "animal": (0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
    "bright": (1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1),
}


def _trump_face(rank: str, suit: str) -> Face:
    english, japanese, mark, colour = SUITS[suit]
    names = {"en": f"{RANK_NAMES.get(rank, rank)} of {english}", "ja": f"{japanese}の{rank}"}
    ink = RED if colour == "red" else BLACK
    return Face(f"{rank}{suit}", rank, suit, colour, names, Kind.TRUMP, f"{rank}{mark}", ink)


def _joker(number: int, alone: bool) -> Face:
    mark = "" if alone else f" {number}"
    names = {"en": f"Joker{mark}", "ja": f"ジョーカー{mark.strip()}"}
    glyph = "JK" if alone else f"JK{number}"
    return Face(f"JK{number}", "", "", "any", names, Kind.JOKER, glyph, RED if number == 1 else BLACK)


def _trump(name: str, ranks: tuple[str, ...], copies: int, jokers: int = 0) -> Deck:
    faces = [_trump_face(r, s) for s in SUITS for r in ranks]
    counts = [copies] * len(faces) + [1] * jokers
    faces += [_joker(i + 1, jokers == 1) for i in range(jokers)]
    return Deck(name, tuple(faces), tuple(counts), ranks, tuple(SUITS))


def _tile(number: int, suit: str) -> Face:
    english, japanese, colour, ink = TILE_SUITS[suit]
    glyph = f"{_NUMERALS[number - 1]}{japanese}"
    names = {"en": f"{number} of {english}", "ja": glyph}
    return Face(f"{number}{suit}", str(number), suit, colour, names, Kind.TILE, glyph, ink)


def _honour(number: int) -> Face:
    english, japanese, colour, ink = _HONOURS[number - 1]
    names = {"en": english, "ja": japanese}
    return Face(f"{number}z", str(number), HONOUR_SUIT, colour, names, Kind.TILE, japanese, ink)


def _mahjong(name: str, width: int, copies: int, honours: int) -> Deck:
    numbers = range(1, 10) if width == 9 else range(2, 9)
    tiles = [_tile(n, s) for s in TILE_SUITS for n in numbers]
    winds = [_honour(n) for n in range(1, 8)]
    counts = (copies,) * len(tiles) + (honours,) * len(winds)
    return Deck(name, (*tiles, *winds), counts, tuple(str(n) for n in numbers), (*TILE_SUITS, HONOUR_SUIT))


def _tesca_face(number: int, suit: str) -> Face:
    rank = "ZAT" if number == 0 else str(number)
    if suit in ELEMENTS:
        english, japanese, colour, ink = ELEMENTS[suit]
        names = {"en": f"{rank} of {english}", "ja": f"{japanese}の{rank}"}
        return Face(f"{number}{suit}", str(number), suit, colour, names, Kind.TESCA, f"{japanese}{rank}", ink)
    colour = "none" if number == 0 else "white" if number % 2 else "black"
    names = {"en": f"{rank} of Yin-yang", "ja": f"陰陽の{rank}"}
    glyph = f"{'☯' if number == 0 else '○' if number % 2 else '●'}{rank}"
    return Face(f"{number}{YIN_YANG}", str(number), YIN_YANG, colour, names, Kind.TESCA, glyph, BLACK)


def _tesca(name: str, cards: int, copies: int) -> Deck:
    suits = (*ELEMENTS, YIN_YANG)
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


def _hanafuda() -> Deck:
    faces, counts = [], []
    for kind, (kind_en, kind_ja, colour, ink) in FLOWER_KINDS.items():
        for number, (month, (month_en, month_ja)) in enumerate(MONTHS.items()):
            if copies := _FLOWERS[kind][number]:
                names = {"en": f"{month_en} {kind_en.lower()}", "ja": f"{month_ja}の{kind_ja}"}
                code = f"{month}.{kind}"
                faces.append(Face(code, month, kind, colour, names, Kind.FLOWER, f"{month_ja}{kind_ja}", ink))
                counts.append(copies)
    return Deck("hanafuda", tuple(faces), tuple(counts), tuple(MONTHS), tuple(FLOWER_KINDS))


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
    "hanafuda",
)
"""Every deck that has a name here."""

_PREVIEWS = 64
_own: dict[str, Deck] = {}
_previews: dict[str, Deck] = {}
_lock = Lock()


def keep(own: Deck) -> Deck:
    """`own`, known to `deck` by its name from now on. The name of a deck of one's own carries a digest of its file
    (`own_name`): another file is another deck, and what was played stays what it was."""
    with _lock:
        _previews.pop(own.name, None)
        return _own.setdefault(own.name, own)


def preview(own: Deck) -> Deck:
    """`own`, known to `deck` for a while: until some dozens of others have been looked at."""
    with _lock:
        if own.name not in _own:
            _previews.pop(own.name, None)
            _previews[own.name] = own
            while len(_previews) > _PREVIEWS:
                del _previews[next(iter(_previews))]
    return own


@cache
def _build(name: str) -> Deck:
    match name:
        case "53" | "54":
            return _trump(name, TRUMP_RANKS, 1, int(name) - 52)
        case "trading":
            return _trump(name, TRUMP_RANKS[:10], 2, 1)
        case "65":
            return _sixty_five()
        case "hanafuda":
            return _hanafuda()
    found = re.fullmatch(r"([MT]?)(\d+)D(\d)(?:C(\d))?", name)
    assert found is not None, name
    family, cards, sets = found[1], int(found[2]), int(found[3])
    if family == "M":
        return _mahjong(name, cards, sets, int(found[4] or sets))
    if family == "T":
        return _tesca(name, cards, sets)
    return _trump(name, tuple(r for r in TRUMP_RANKS if r not in _REMOVED[cards]), sets)


def deck(name: str) -> Deck:
    """The deck of that name; letter case does not matter for those of the program, a deck of one's own has to be kept
    (`keep`). Raises DeckError naming the nearest decks."""
    return _own.get(name) or _previews.get(name) or _ready(name)


@lru_cache(maxsize=256)
def _ready(name: str) -> Deck:
    for known in (name, name.upper(), name.lower()):
        if known in NAMES:
            return _build(known)
    raise DeckError(name, nearest(name, NAMES))
