"""The decks of the program as a deck file would describe them: what a deck of one's own starts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from companion.cards import decks
from companion.cards.decks import deck
from companion.cards.design import Part
from companion.cards.faces import Deck, Face, Kind

READY = {
    "65": "65",
    "65-original": "65",
    "52": "52D1",
    "54": "54",
    "tesca-52": "T52D1",
    "tesca-44": "T44D1",
    "tesca-36": "T36D1",
    "mahjong-9": "M9D1",
    "mahjong-7": "M7D1",
    "hanafuda": "hanafuda",
}
"""What to start from, by name, and the deck that it is."""

MARK_OF = {
    "S": "spade",
    "H": "heart",
    "D": "diamond",
    "C": "club",
    "fed": "star",
    "lib": "arrow",
    "free": "ring",
    "temple": "temple",
    "nomad": "tent",
    "a": "flame",
    "b": "drop",
    "c": "leaf",
    "y": "ring",
    "m": "萬",
    "p": "ring",
    "s": "tree",
    "z": "字",
    "plain": "leaf",
    "ribbon": "ribbon",
    "animal": "bird",
    "bright": "sun",
}
"""The mark of each suit of the program's decks."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The suits and ranks whose product the deck is, and the cards beside them, each by its code, weak to strong."""

    suits: Mapping[str, Part]
    ranks: Mapping[str, Part]
    extras: Mapping[str, Part]


@cache
def known_faces() -> Mapping[str, Face]:
    """Every face of the program's decks by its code."""
    return {face.code: face for name in ("54", "M9D1", "T52D1", "65", "hanafuda") for face in deck(name).faces}


@cache
def usual_names() -> Mapping[str, Mapping[str, str]]:
    """What every face of those would be called, were it named after rank and suit alone: by its code."""
    found = {}
    for name in ("52D1", "M9D1", "T52D1", "65"):
        had = parts(deck(name))
        for face in deck(name).faces:
            if face.suit in had.suits:
                found[face.code] = suited_name(had.ranks[face.rank].names, had.suits[face.suit].names)
    return found


def suited_name(rank: Mapping[str, str], suit: Mapping[str, str]) -> dict[str, str]:
    """What a card of that rank and suit is called, by language."""
    return {"en": f"{rank['en']} of {suit['en']}", "ja": f"{suit['ja']}の{rank['ja']}"}


def parts(of: Deck) -> Parts:
    """The suits, ranks and other cards of one of the program's decks."""
    outside = {"z", decks.YIN_YANG, ""}
    suits = {suit: _suit(suit) for suit in of.suits if suit not in outside}
    ranks = {rank: _rank(rank, of.faces[0].kind) for rank in of.ranks}
    extras = {
        face.code: Part(face.code, face.names, face.colour, face.ink, "", face.glyph if face.kind is Kind.JOKER else "")
        for face in of.faces
        if face.suit in outside
    }
    return Parts(suits, ranks, extras)


def _suit(code: str) -> Part:
    tables = (decks.SUITS, decks.TILE_SUITS, decks.ELEMENTS, decks.PICTURE_SUITS, decks.FLOWER_KINDS)
    english, japanese, third, fourth = next(table[code] for table in tables if code in table)
    colour, ink = (fourth, decks.RED if fourth == "red" else decks.BLACK) if code in decks.SUITS else (third, fourth)
    return Part(code, {"en": english, "ja": japanese}, colour, ink, MARK_OF.get(code, ""))


def _rank(code: str, kind: Kind) -> Part:
    if kind is Kind.PICTURE:
        english, japanese = decks.PICTURES[code]
        return Part(code, {"en": english, "ja": japanese}, mark=code)
    if kind is Kind.FLOWER:
        english, japanese = decks.MONTHS[code]
        return Part(
            code, {"en": english, "ja": japanese}, mark=japanese[0], index=str(list(decks.MONTHS).index(code) + 1)
        )
    name = "ZAT" if kind is Kind.TESCA and code == decks.ZAT else code
    english = decks.RANK_NAMES.get(code, name) if kind is Kind.TRUMP else name
    return Part(code, {"en": english, "ja": name}, index=code)


def as_toml(ready: str, brief: bool = False) -> str:
    """The deck file of one of `READY`, to change it and make it one's own; `brief`: only what differs from the deck it
    is like. Raises KeyError."""
    of = deck(READY[ready])
    original = ready.endswith("-original")
    names = _TITLES[ready]
    lines = ["[deck]", "version = 1", f"name = {_names(names)}"]
    if brief or of.faces[0].kind is Kind.FLOWER:
        lines.append(f'like = "{of.name}"')
        order = [("pictures", Part(code, {})) for code in decks.ORIGINAL_PICTURES] if original else []
        return "\n".join([*lines, *(line for kind, part in order for line in _table(kind, part))]) + "\n"
    separator = "." if of.faces[0].kind is Kind.PICTURE else ""
    lines += [f'separator = "{separator}"'] if separator else []
    if of.faces[0].kind is Kind.TILE:
        lines += ['size = "tile"', 'shape = "tile"']
    found = parts(of)
    ranks = [found.ranks[code] for code in decks.ORIGINAL_PICTURES] if original else list(found.ranks.values())
    kind = "pictures" if of.faces[0].kind is Kind.PICTURE else "ranks"
    for part in found.suits.values():
        lines += _table("suits", part)
    for part in ranks:
        lines += _table(kind, part)
    for code, part in found.extras.items():
        face = of.face(code)
        lines += _table("extras", part, rank=face.rank, suit=face.suit)
    return "\n".join(lines) + "\n"


_TITLES = {
    "65": {"en": "The 65 cards", "ja": "65枚の札"},
    "65-original": {"en": "The 65 cards, the author's earlier order", "ja": "65枚の札（作者の最初の並び）"},
    "52": {"en": "Playing cards", "ja": "トランプ"},
    "54": {"en": "Playing cards with two jokers", "ja": "トランプ（ジョーカー2枚）"},
    "tesca-52": {"en": "TESCA, 52 cards", "ja": "TESCA 52枚"},
    "tesca-44": {"en": "TESCA, 44 cards", "ja": "TESCA 44枚"},
    "tesca-36": {"en": "TESCA, 36 cards", "ja": "TESCA 36枚"},
    "mahjong-9": {"en": "Mahjong tiles", "ja": "麻雀牌"},
    "mahjong-7": {"en": "Mahjong tiles without 1 and 9", "ja": "麻雀牌（1と9なし）"},
    "hanafuda": {"en": "Hanafuda", "ja": "花札"},
}


def title(ready: str) -> Mapping[str, str]:
    """What one of `READY` is called, by language. Raises KeyError."""
    return _TITLES[ready]


def _names(names: Mapping[str, str]) -> str:
    return f'{{ en = "{names["en"]}", ja = "{names["ja"]}" }}'


def _table(kind: str, part: Part, **more: str) -> list[str]:
    return [f"\n[[{kind}]]", *(f"{key} = {value}" for key, value in _said(kind, part, more))]


def _said(kind: str, part: Part, more: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "code", f'"{part.code}"'
    if part.names:
        yield "name", _names(part.names)
    if kind in ("suits", "extras") and part.colour != "any":
        yield "colour", f'"{part.colour}"'
    if part.mark and kind == "suits":
        yield "mark", f'"{part.mark}"'
    if part.mark and kind == "pictures" and part.mark != part.code:
        yield "picture", f'"{part.mark}"'
    yield from ((key, f'"{value}"') for key, value in more.items() if value)


def listed(codes: Iterable[str]) -> str:
    """Codes in one line, the first dozen of them."""
    every = list(codes)
    return " ".join(every[:12]) + (f" … ({len(every)})" if len(every) > 12 else "")
