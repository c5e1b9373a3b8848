"""Which language a deck's letters are: a V is a jack in French (valet) and a queen in Dutch (vrouw)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.vision.reader import FACES, LETTERS, Evidence

_SURE = 0.95
"""A letter, and the face with it, counts from this probability on."""

_RANK_OF = {"1": "A", "B": "J", "D": "Q", "R": "K", "H": "K"}
"""The rank that a letter says which tells a language."""


def dutch_share(looks: Iterable[Evidence]) -> float:
    """The chance that a V is a queen, by what else was surely read on the table: 0, 0.5 or 1.

    A king's H (heer) is Dutch and his R (roi) French alone. Without them a B (boer) is Dutch, a D (dame) or 1 French,
    as German decks, which have B and D, have no V. French is taken for granted where nothing tells.
    """
    seen = {letter for look in looks if (letter := _letter(look))}
    for dutch, french in (({"H"}, {"R"}), ({"B"}, {"D", "1"})):
        if seen & (dutch | french):
            return 0.5 * bool(seen & dutch) + 0.5 * (not seen & french)
    return 0.0


def _letter(look: Evidence) -> str:
    """The letter that surely is printed there and says what the rank says; "" where there is none."""
    if look.letters is None or look.weight * float(look.faces.max()) < _SURE or float(look.letters.max()) < _SURE:
        return ""
    letter, face = LETTERS[int(look.letters.argmax())], FACES[int(look.faces.argmax())]
    return letter if _RANK_OF.get(letter) == face[:-1] else ""
