"""Which language a deck's letters are: a V is a jack in French (valet) and a queen in Dutch (vrouw)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.vision.reading import parameters
from companion.vision.reading.evidence import Evidence
from companion.vision.reading.faces import FACES, LETTERS

_KINGS = ("H", "R")

_V = LETTERS.index("V")

_TOLD = {"V=J": 0.0, "V=Q": 1.0}
"""What a person said that a V is, and the chance that it is a queen's."""

_RANK_OF = {"1": "A", "B": "J", "W": "J", "D": "Q", "R": "K", "H": "K"}
"""The rank that a letter says which tells a language."""


def letters_seen(observed: Iterable[tuple[Evidence, float]]) -> frozenset[str]:
    """The letters that surely are printed on a table and tell a language, and "V" where one may be.

    `observed`: each with its index's height. Beside a V, B, D and 1 count from indices as high as that, for another
    deck's tell nothing about it.
    """
    observed = list(observed)
    tall = [
        high
        for evidence, high in observed
        if evidence.letters is not None and evidence.weight * evidence.letters[_V] > parameters.LETTER_MAYBE
    ]
    found = {
        letter
        for evidence, high in observed
        if (letter := _letter(evidence))
        and (
            letter in _KINGS
            or not tall
            or any(abs(high - other) < parameters.SAME_DECK_HEIGHT * other for other in tall)
        )
    }
    return frozenset(found | ({"V"} if tall else set()))


def dutch_share(seen: Collection[str], before: Collection[str] = ()) -> float:
    """The chance that a V is a queen, by the letters that are seen, or else were seen before: 0, 0.5 or 1.

    What people said of a V of this table (`V=J` or `V=Q` among those `before`) counts beside them. Where nothing tells,
    or they say otherwise than the letters, nobody knows.
    """
    if "V" not in seen:
        return 0.0
    read = [share for letters in (seen, before) if (share := _by_letters(letters)) is not None]
    shares = {*read[:1], *(share for said, share in _TOLD.items() if said in before)}
    return shares.pop() if len(shares) == 1 else 0.5


def _by_letters(letters: Collection[str]) -> float | None:
    """The chance that a V is a queen beside these letters; None where they tell nothing.

    A king's H (heer) is Dutch and his R (roi) French alone. Without them a B (boer) is Dutch, a D (dame) or 1 French,
    as German decks, which have B and D, have no V.
    """
    for dutch, french in (({"H"}, {"R"}), ({"B"}, {"D", "1"})):
        if not (dutch | french).isdisjoint(letters):
            return 0.5 * (not dutch.isdisjoint(letters)) + 0.5 * french.isdisjoint(letters)
    return None


def _letter(evidence: Evidence) -> str:
    """The letter that surely is printed there and says what the rank says; "" where there is none."""
    if (
        evidence.letters is None
        or evidence.weight * float(evidence.faces.max()) < parameters.LETTER_SURE
        or float(evidence.letters.max()) < parameters.LETTER_SURE
    ):
        return ""
    letter, face = LETTERS[int(evidence.letters.argmax())], FACES[int(evidence.faces.argmax())]
    return letter if _RANK_OF.get(letter) == face[:-1] else ""
