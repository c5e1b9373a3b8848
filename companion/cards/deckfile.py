"""A deck of one's own, from the text of a small TOML file.

    [deck]
    version = 1                   # of this form; may be left out
    name = { en = "Harbour cards", ja = "港の札" }
    copies = 2                    # how often every card is there; 1 if left out
    order = "weak-to-strong"      # how suits and ranks are listed below; or "strong-to-weak"
    separator = "."               # between rank and suit in a code: "tide.north"; nothing if left out
    size = "poker"                # poker, bridge, tarot, mini, square, tile, or [width, height] in mm
    shape = "card"                # or "tile", for thick ones

    [[suits]]
    code = "north"
    name = { en = "North", ja = "北" }
    colour = "blue"               # a colour word or "#rrggbb"
    mark = "star"                 # one of the marks, or one or two characters; the next mark if left out
    copies = 3                    # this suit's own number of copies

    [[ranks]]                     # or [[pictures]]: the same thing for cards without numbers
    code = "tide"
    name = { en = "Tide", ja = "潮" }
    picture = "wave"              # one of the pictures or marks, or one or two characters
    index = "T"                   # the corner; the code if left out and short

    [[extras]]                    # cards outside suits and ranks, such as jokers; rank and suit may be named, though,
    code = "JK1"                  # for a suit whose cards differ in colour or number
    name = { en = "Joker", ja = "ジョーカー" }
    copies = 1

`like` in ``[deck]`` names a deck of the program ("65", "54", "T52D1" …): its cards are there already, and the tables
only say what is called or drawn otherwise, by its code. Pictures that are all named come in the file's order.

Nothing is guessed: a key that is not known, a code that could not be typed, two cards with one code are errors that
name the table, the entry and what belongs there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from companion.cards import decks
from companion.cards.deckfields import Entry, Head, checked_head, checked_keys, checked_names, entries
from companion.cards.design import MARKS, Design, Part
from companion.cards.errors import DeckError, DeckFileError
from companion.cards.faces import Deck, Face, Kind
from companion.cards.ready import MARK_OF, Parts, known_faces, parts, suited_name, usual_names

_LONGEST_LINE = 400
"""Characters. What reads TOML needs the square of a line's dots in memory."""

MOST_FACES = 250
"""Array evaluators number the faces of a deck in one byte."""

LONGEST_CODE = 24
"""Characters of a card's whole code."""

MOST_CARDS = 320
"""More cards nobody shuffles."""


def deck_from_toml(text: str, name: str) -> Deck:
    """The deck that the file's text describes; `name` is what it is called in games and records.

    Raises DeckFileError saying which table and key is wrong and what belongs there.
    """
    data = _parsed(text)
    head = checked_head(data)
    if "ranks" in data and "pictures" in data:
        raise DeckFileError("a deck has [[ranks]] or [[pictures]], not both", "both")
    kind = "pictures" if "pictures" in data else "ranks"
    suits, ranks, extras = entries(data, "suits"), entries(data, kind), entries(data, "extras")
    if head.order == "strong-to-weak":
        suits, ranks = suits[::-1], ranks[::-1]
    names = checked_names("[deck]", data.get("deck", {}).get("name"), name)
    if head.like:
        return _like(text, name, names, head, suits, ranks, extras)
    if bool(suits) != bool(ranks):
        missing = "[[ranks]] or [[pictures]]" if suits else "[[suits]]"
        message = f"{missing} are missing: cards are made of every suit with every rank"
        raise DeckFileError(message, "missing", what=missing.replace(" or ", ", "))
    suits = _marked(suits)
    cards = [(_suited(rank, suit, head.separator), suit.copies or head.copies) for suit in suits for rank in ranks]
    cards += [(_extra(x), x.copies or head.copies) for x in extras]
    # An honour is of no rank but its own.
    ranked = [
        x for x, (face, _) in zip(extras, cards[len(suits) * len(ranks) :], strict=True) if face.kind is not Kind.TILE
    ]
    rank_codes = [*(rank.code for rank in ranks), *(x.rank for x in ranked if x.rank)]
    suit_codes = [*(suit.code for suit in suits), *(x.suit for x in extras if x.suit)]
    design = Design(text, "", head.size, head.tile, _parts(suits), _parts(ranks), _parts(extras))
    return _built(name, names, cards, rank_codes, suit_codes, design)


@lru_cache(maxsize=256)
def own_deck(text: str, stem: str) -> Deck:
    """The deck that the file's text describes, called as decks of one's own are: by `stem` (the name of the file) and
    a digest of the text, ``harbour~1a2b3c4d``. Raises DeckFileError."""
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:24].strip("-") or "deck"
    return replace(deck_from_toml(text, stem), name=f"{plain}~{sha256(text.encode()).hexdigest()[:8]}")


def _parsed(text: str) -> dict[str, Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            message = f"line {number} has more than {_LONGEST_LINE} characters; write it as several lines"
            raise DeckFileError(message, "line", line=number, most=_LONGEST_LINE)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and tables without end
        raise DeckFileError(f"this is no TOML: {error}", "toml", reason=error) from error
    checked_keys("the file", data, "")
    return data


def _marked(suits: Sequence[Entry]) -> list[Entry]:
    """The suits, each with a mark: its own, that of this suit in the program's decks, or the first free one."""
    wanted = [suit.mark or MARK_OF.get(suit.code, "") for suit in suits]
    free = (mark for mark in (*MARKS, *MARKS) if mark not in wanted)
    return [replace(suit, mark=mark or next(free, suit.code[0])) for suit, mark in zip(suits, wanted, strict=True)]


def _parts(found: Iterable[Entry]) -> dict[str, Part]:
    return {
        entry.code: Part(entry.code, entry.names, entry.colour or "black", entry.ink, entry.mark, entry.index)
        for entry in found
    }


def _suited(rank: Entry, suit: Entry, separator: str) -> Face:
    code = f"{rank.code}{separator}{suit.code}"
    names = suited_name(rank.names, suit.names)
    face = Face(code, rank.code, suit.code, suit.colour or "black", names, Kind.CUSTOM, code, suit.ink)
    usual = rank.mark in ("", rank.code) and not rank.index and suit.mark == MARK_OF.get(suit.code)
    return _as_known(face, suit.colour) if usual else face


def _extra(extra: Entry) -> Face:
    face = Face(
        extra.code, extra.rank, extra.suit, extra.colour or "black", extra.names, Kind.CUSTOM, extra.code, extra.ink
    )
    return face if extra.mark or extra.index else _as_known(face, extra.colour)


def _as_known(face: Face, colour: str) -> Face:
    """The face drawn as one of the program's, where it is that one in all but its name."""
    known = known_faces().get(face.code)
    if known is None or (known.rank, known.suit) != (face.rank, face.suit) or colour not in ("", known.colour):
        return face
    names = known.names if face.names == usual_names().get(face.code) else face.names
    return replace(face, colour=known.colour, ink=known.ink, kind=known.kind, glyph=known.glyph, names=names)


def _like(
    text: str,
    name: str,
    names: dict[str, str],
    head: Head,
    suits: Sequence[Entry],
    ranks: Sequence[Entry],
    extras: Sequence[Entry],
) -> Deck:
    """A deck of the program with some things called or drawn otherwise."""
    try:
        base = decks.deck(head.like)
    except DeckError as error:
        raise DeckFileError(
            f"[deck]: like: {error}", "like", value=head.like, near=", ".join(error.suggestions)
        ) from error
    had = parts(base)
    new = Parts(*(_changed(*pair) for pair in (
        ("suits", had.suits, suits), ("ranks", had.ranks, ranks), ("extras", had.extras, extras)
    )))  # fmt: skip
    own = {entry.code: entry for entry in (*suits, *ranks, *extras)}
    faces, counts = [], []
    for face, count in zip(base.faces, base.counts, strict=True):
        extra, suit, rank = new.extras.get(face.code), new.suits.get(face.suit), new.ranks.get(face.rank)
        entry = own.get(face.code) if extra else own.get(face.suit)
        faces.append(_changed_face(face, extra, suit, rank, own))
        counts.append((entry.copies if entry and entry.copies else head.copies) * count)
    order = [rank.code for rank in ranks] if {rank.code for rank in ranks} == set(base.ranks) else base.ranks
    suit_order = [suit.code for suit in suits] if {suit.code for suit in suits} == set(base.suits) else base.suits
    size = base.card_size if head.default_size else head.size
    tile = head.tile or (head.default_size and base.faces[0].kind is Kind.TILE)
    design = Design(text, base.name, size, tile, new.suits, new.ranks, new.extras)
    return _built(name, names, list(zip(faces, counts, strict=True)), order, suit_order, design)


def _changed(kind: str, had: Mapping[str, Part], entries: Sequence[Entry]) -> dict[str, Part]:
    found = dict(had)
    for number, entry in enumerate(entries, 1):
        if entry.code not in had:
            message = f"[[{kind}]] number {number}: the deck it is like has no {entry.code!r}"
            raise DeckFileError(message, "unlike", where=f"[[{kind}]] number {number}", value=entry.code)
        old = had[entry.code]
        found[entry.code] = Part(
            entry.code,
            entry.names if entry.named else old.names,
            entry.colour or old.colour,
            entry.ink if entry.colour else old.ink,
            entry.mark or old.mark,
            entry.index or old.index,
        )
    return found


def _changed_face(
    face: Face, extra: Part | None, suit: Part | None, rank: Part | None, own: Mapping[str, Entry]
) -> Face:
    touched = [own[code] for code in (face.code, face.suit, face.rank) if code in own]
    if any(entry.mark or entry.index or entry.colour for entry in touched):
        face = replace(face, kind=Kind.CUSTOM)
    if extra is not None:
        return replace(face, names=extra.names, colour=extra.colour, ink=extra.ink)
    if suit is None or rank is None:
        return face
    if any(entry.named for entry in touched):
        face = replace(face, names=suited_name(rank.names, suit.names))
    return replace(face, colour=suit.colour, ink=suit.ink) if own.get(face.suit) else face


def _built(
    name: str,
    names: Mapping[str, str],
    cards: Sequence[tuple[Face, int]],
    ranks: Iterable[str],
    suits: Iterable[str],
    design: Design,
) -> Deck:
    if not cards:
        message = "the deck has no cards: it needs [[suits]] and [[ranks]] (or [[pictures]]), or [[extras]]"
        raise DeckFileError(message, "empty")
    if len(cards) > MOST_FACES:
        message = f"the deck has {len(cards)} different cards; at most {MOST_FACES} are possible"
        raise DeckFileError(message, "many", n=len(cards), most=MOST_FACES)
    if (size := sum(count for _, count in cards)) > MOST_CARDS:
        message = f"the deck has {size} cards, copies included; at most {MOST_CARDS} are possible"
        raise DeckFileError(message, "large", n=size, most=MOST_CARDS)
    codes: set[str] = set()
    for face, _ in cards:
        if len(face.code) > LONGEST_CODE:
            message = f"the code {face.code!r} has more than {LONGEST_CODE} characters; shorten its rank or suit"
            raise DeckFileError(message, "length", value=face.code, most=LONGEST_CODE)
        if face.code in codes:
            message = f"two cards have the code {face.code!r}; a separator in [deck] would part them"
            raise DeckFileError(message, "double", value=face.code)
        codes.add(face.code)
    found = (tuple(face for face, _ in cards), tuple(n for _, n in cards))
    return Deck(name, *found, tuple(dict.fromkeys(ranks)), tuple(dict.fromkeys(suits)), names, design)
