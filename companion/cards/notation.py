"""Reading face codes as people write them: ``10H``, ``th``, ``T♥``, ``♥10``, ``JK``, ``3m``, ``judge.fed``, names.

A deck decides what a text means: ``5s`` is a spade in ``52D1`` and a bamboo in ``M9D1``. Without a deck a text that is
a code keeps its meaning (``5s`` is the bamboo), anything else is looked for among all faces there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.cards.decks import deck as named_deck
from companion.cards.errors import LONGEST, NotationError, nearest
from companion.cards.faces import Deck, Face, Kind

_MARKS = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0e": None, "\ufe0f": None})


def _spellings(face: Face) -> list[str]:
    """Everything a face may be called, most usual first."""
    texts = [face.code, face.glyph, *face.names.values()]
    if face.kind is Kind.TRUMP:
        mark = face.glyph[-1]
        ranks = {"10": ("10", "T"), "A": ("A", "1")}.get(face.rank, (face.rank,))
        texts += [t for r in ranks for t in (f"{r}{face.suit}", f"{r}{mark}", f"{mark}{r}", f"{face.suit}{r}")]
    if face.kind is Kind.JOKER and face.code == "JK1":
        texts += ["JK", "Joker"]
    if face.kind in (Kind.PICTURE, Kind.FLOWER):
        suit_ja, _, picture_ja = face.names["ja"].partition("の")
        texts += [f"{picture_ja}.{suit_ja}", f"{face.suit}.{face.rank}"]
    return texts


def _fold(text: str) -> str:
    return text.strip().translate(_MARKS).casefold()


def _table(faces: Iterable[Face]) -> Mapping[str, str]:
    table: dict[str, str] = {}
    for face in faces:
        for text in _spellings(face):
            table.setdefault(_fold(text), face.code)
    return table


@lru_cache(maxsize=64)
def _spellings_of(deck: Deck) -> Mapping[str, str]:
    return _table(deck.faces)


@lru_cache(maxsize=1)
def _all_spellings() -> tuple[Mapping[str, str], frozenset[str]]:
    faces = [face for name in ("54", "M9D1", "T52D1", "65", "hanafuda") for face in named_deck(name).faces]
    return _table(faces), frozenset(face.code for face in faces)


def parse_face(text: str, deck: Deck | None = None) -> str:
    """The code of the face that `text` names, in `deck` if one is given.

    Raises NotationError with the text and the nearest faces when there is no such face (in that deck).
    """
    if deck is not None:
        table, place, known = _spellings_of(deck), deck.name, text in deck
    else:
        table, everything = _all_spellings()
        place, known = "", text in everything
    if known:
        return text
    found = table.get(_fold(text))
    if found is None:

        def close() -> tuple[str, ...]:
            return tuple(dict.fromkeys(table[c] for c in nearest(_fold(text[:LONGEST]), table)))

        raise NotationError(text, close, place)
    return found


def parse_faces(text: str | Iterable[str], deck: Deck | None = None) -> tuple[str, ...]:
    """The codes of several faces, in their order, copies kept: a text parted by spaces or commas, or a list of texts.

    Raises NotationError for the first text that names no face.
    """
    tokens = [t for t in re.split(r"[\s,、]+", text) if t] if isinstance(text, str) else list(text)
    return tuple(parse_face(token, deck) for token in tokens)


def format_faces(codes: Iterable[str]) -> str:
    """Codes as one text that `parse_faces` reads back."""
    return " ".join(codes)
