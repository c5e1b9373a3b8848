"""Why three cards are one category and not a better one: notes for the catalogues."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.cards import Face
from companion.cards.decks import HONOUR_SUIT, YIN_YANG, ZAT
from companion.hands.base import NONE
from companion.hands.explanation import Explanation, Note, Refusal

_PART = {"P1": "pairs", "RN2": "friends", "D2": "twins"}
"""Categories that two of the three cards make, and which two those are."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the reasons look at: the faces, and which two of them (places 0 to 2) pair, follow or are copies."""

    faces: tuple[Face, ...]
    pairs: tuple[tuple[int, int], ...]
    friends: tuple[tuple[int, int], ...]
    twins: tuple[tuple[int, int], ...]
    runs: bool

    @property
    def one_suit(self) -> bool:
        """All three share the suit."""
        return len({face.suit for face in self.faces}) == 1

    @property
    def one_colour(self) -> bool:
        """All three share the colour."""
        return len({face.colour for face in self.faces}) == 1


def _flush(seen: Seen) -> str:
    return "copies" if seen.one_suit and seen.twins else "suits"


def _straight_flush(seen: Seen) -> str:
    if not seen.runs and not seen.one_suit:
        return "no-run-no-suit"
    return "suits" if seen.runs else "no-run"


def _run_and_pair(seen: Seen) -> str:
    if not seen.pairs:
        return "no-pair"
    return "pair-of-copies" if set(seen.pairs) <= set(seen.twins) else "no-friend-of-pair"


def _three(seen: Seen) -> str:
    return "copies" if len(seen.pairs) == 3 else "no-three"


def _character_flush(seen: Seen) -> str:
    if any(face.suit != HONOUR_SUIT for face in seen.faces):
        return "not-honours"
    return "copies" if seen.twins else "winds-and-dragons"


def _black_or_white(seen: Seen) -> str:
    if any(face.suit != YIN_YANG for face in seen.faces):
        return "not-yin-yang"
    if seen.twins:
        return "copies"
    return "zat-neutral" if any(face.rank == ZAT for face in seen.faces) else "colours"


_WHY: dict[str, Callable[[Seen], str]] = {
    "CLF": lambda seen: "colours",
    "HF": lambda seen: "not-half",
    "P1": lambda seen: "no-pair",
    "MW": lambda seen: "not-mixed",
    "RN2": lambda seen: "no-friends",
    "D2": lambda seen: "no-twins",
    "FL": _flush,
    "ST": lambda seen: "no-run",
    "RaP": _run_and_pair,
    "K3": _three,
    "SF": _straight_flush,
    "CFL": _character_flush,
    "BoW": _black_or_white,
    "D3": lambda seen: "no-triplets",
}


def explain(
    cards: tuple[str, ...],
    order: Sequence[str],
    holds: Mapping[str, bool],
    seen: Seen,
    by_rank: tuple[str, ...] | None,
) -> Explanation:
    """The explanation of three cards.

    `order`: categories weak to strong; `holds`: which of them the cards satisfy; `by_rank`: the cards as equal
    categories compare them, None where equal categories tie.
    """
    satisfied = [code for code in order if holds[code]]
    category = satisfied[-1] if satisfied else NONE
    stronger = order[order.index(category) + 1 :] if satisfied else order
    refused = tuple(Refusal(code, Note.of(f"hand.why.{_WHY[code](seen)}", cards=cards)) for code in stronger)
    tie = Note.of("hand.tie.shared") if by_rank is None else Note.of("hand.tie.ranks", cards=by_rank)
    return Explanation(category, _makers(category, cards, seen), tuple(reversed(satisfied[:-1])), refused, (tie,))


def _makers(category: str, cards: tuple[str, ...], seen: Seen) -> tuple[str, ...]:
    if category == NONE:
        return ()
    if category not in _PART:
        return cards
    i, j = getattr(seen, _PART[category])[0]
    return cards[i], cards[j]
