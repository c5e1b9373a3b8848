"""The inks of suits. Decks of four colours print one black and one red suit in other inks, and which suit is blue no
look at one card tells: the cards of the table that were surely read say it.

An ink is a place in the plane of hues: black lies at (0, 0), the farther from it the more coloured it is; red lies to
the left, blue and green to the right. It is measured beside the paper around it, so coloured light tells nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.instances import CardInstance
from companion.vision.geometry import Array, lengths
from companion.vision.images import Pixels
from companion.vision.reading import parameters as reading_parameters
from companion.vision.reading.evidence import Classification, Tuning
from companion.vision.reading.faces import JOKERS, SUITS
from companion.vision.types import Candidate

Numbers = NDArray[np.intp]

RED = np.array([suit in "HD" for suit in SUITS])
"""Which suits are red in most decks."""


def fitted_to_inks(
    cards: Sequence[CardInstance], tuning: Tuning, before: Collection[str] = ()
) -> tuple[list[CardInstance], frozenset[str]]:
    """The cards, each name as much less likely as its index's ink fits the suits of its other names better; and which
    inks the suits have here, to be handed in as `before` when the same table is looked at again."""
    read = [number for number, one in enumerate(cards) if _suit(one) is not None and one.readable_indices]
    if not read:
        return list(cards), frozenset()
    inks, suits = _inks([cards[number] for number in read]), np.array([_suit(cards[number]) for number in read])
    sure = np.array([tuning.accepts(cards[number].classification) for number in read])
    known = [_told(word) for word in before if "@" in word]
    places = np.array([place for _, place in known]).reshape(-1, 2)
    faces = np.array([cards[number].likeliest_face for number in read])
    fits = _fits(inks, suits, faces[:, None] == faces, sure, places, np.array([suit for suit, _ in known], np.intp))
    out = list(cards)
    for number, fit in zip(read, fits, strict=True):
        out[number] = replace(out[number], classification=_weighed(out[number].classification, fit, tuning))
    told = zip(read, suits.tolist(), inks, strict=True)
    return out, frozenset(_word(suit, ink) for n, suit, ink in told if tuning.accepts(out[n].classification))


def _suit(one: CardInstance) -> int | None:
    """The number of the likeliest name's suit; None for a joker or where there is no name."""
    face = one.likeliest_face
    return None if face is None or face in JOKERS else SUITS.index(face[-1])


def _inks(cards: Sequence[CardInstance]) -> Array:
    """(n, 2): the ink of each card's readable indices, together."""
    seen = [observation.crop for one in cards for observation in one.observations if observation.readable]
    owner = [n for n, one in enumerate(cards) for observation in one.observations if observation.readable]
    darkened = np.zeros((len(cards), 3))
    np.add.at(darkened, owner, darkening(seen))
    blue, green, red = (darkened / np.maximum(darkened.sum(axis=1, keepdims=True), 1e-6)).T
    return np.column_stack([1.5 * (red - 1 / 3), np.sqrt(0.75) * (green - blue)])


def darkening(crops: Sequence[Pixels]) -> Array:
    """(n, 3): by how much the ink in crops of indices (64, 48, 3) BGR darkens blue, green and red, beside the paper."""
    left, right, top, bottom = reading_parameters.JOKER_INK
    inner = np.ascontiguousarray(np.stack(crops)[:, top:bottom, left:right].reshape(len(crops), -1, 3).swapaxes(1, 2))
    at = inner.shape[2] * 9 // 10
    paper = np.maximum(np.partition(inner, at, axis=2)[..., at], 1).astype(np.float32)
    dark = np.maximum(1 - inner / paper[..., None], 0)
    return np.asarray(np.einsum("nk,nck->nc", dark.max(axis=1), dark), np.float64)


def _fits(
    inks: Array, named: Numbers, same: NDArray[np.bool_], sure: NDArray[np.bool_], known: Array, suits: Numbers
) -> Array:
    """(n, 4): how well each ink (n, 2) fits each suit, 0..1, by the inks of the other cards that are `sure` of the suit
    `named`, and by those `known` before (m, 2) of `suits` (m,), which together count like one card of each suit. Those
    of the `same` face (n, n) may be one misread card."""
    every, of = np.concatenate([inks, known]), np.concatenate([named, suits])
    near, far = parameters.SAME_INK
    alike = np.exp(-0.5 * (lengths(inks[:, None] - every) / (near + far * lengths(every))) ** 2)
    once = np.ones(len(known)) / np.maximum(np.bincount(suits, minlength=len(SUITS))[suits], 1)
    counts = np.concatenate([sure, once]) * np.pad(~same, ((0, 0), (0, len(known))), constant_values=True)
    of_suit = (of[:, None] == np.arange(len(SUITS))).astype(np.float64)
    seen = (alike * counts) @ of_suit
    usual = np.array(
        [parameters.BLACK_SUITS_INK, parameters.RED_SUITS_INK, parameters.RED_SUITS_INK, parameters.BLACK_SUITS_INK]
    )
    as_usual = np.exp(-0.5 * (lengths(inks[:, None] - usual[:, :2]) / usual[:, 2]) ** 2)
    odd = parameters.ODD_INK ** (1.0 + (named[:, None] == np.arange(len(SUITS))))
    total = parameters.INK_UNSEEN + counts @ of_suit
    taken = seen / total  # no deck prints a black suit and a red one in one unusual ink
    taken = np.where(RED, taken[:, ~RED].max(axis=1, keepdims=True), taken[:, RED].max(axis=1, keepdims=True))
    fits = (parameters.INK_UNSEEN * np.maximum(as_usual, odd) + seen) / total
    fits *= 1 - taken * (1 - as_usual.max(axis=1, keepdims=True))
    return np.asarray(np.maximum(fits, parameters.WRONG_INK), np.float64)


def _weighed(said: Classification, fit: Array, tuning: Tuning) -> Classification:
    """The same candidates, each by how well the ink fits its suit (4,), and none likelier than before: an ink alone
    names nothing. Where it surely is another suit's the name is in doubt, however sure it was, and that suit's card may
    be it."""
    first = said.candidates[0].face
    own = float(fit[SUITS.index(first[-1])])
    if own * parameters.ANOTHER_INK < float(fit.max()):
        doubtful = said.abstained(tuning)
        other = Candidate(first[:-1] + SUITS[int(fit.argmax())], doubtful.candidates[0].p)
        rest = tuple(one for one in doubtful.candidates if one.face != other.face)
        return replace(doubtful, candidates=(*rest[:1], other, *rest[1:]))
    weights = [
        one.p * (own if one.face in JOKERS else float(fit[SUITS.index(one.face[-1])])) for one in said.candidates
    ]
    share = sum(one.p for one in said.candidates) / sum(weights)
    found = [Candidate(one.face, min(one.p, share * p)) for one, p in zip(said.candidates, weights, strict=True)]
    return replace(said, candidates=tuple(sorted(found, key=lambda one: -one.p)))


def _word(suit: int, ink: Array) -> str:
    """A suit and its ink as a word, `S@3,-2`: its place in cells of the plane."""
    x, y = np.round(ink / parameters.INK_CELL).astype(int).tolist()
    return f"{SUITS[suit]}@{x},{y}"


def _told(word: str) -> tuple[int, Array]:
    """The suit and the ink that such a word tells."""
    suit, _, place = word.partition("@")
    return SUITS.index(suit), parameters.INK_CELL * np.array(place.split(","), np.float64)
