"""Why five cards are one category and not a better one: notes for the catalogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.hands.explanation import Explanation, Note, Refusal

_OF_A_RANK = {"one_pair": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True, slots=True)
class Five:
    """Five cards as the reasons see them.

    `ranks` are numbers (bigger is stronger); `shepherds` those cards that never pair, 0 in ordinary decks; `runs` and
    `flush` whether the ranks follow each other and the suits agree.
    """

    cards: tuple[str, ...]
    ranks: tuple[int, ...]
    shepherds: int
    runs: bool
    flush: bool
    shepherd_rank: int | None = None

    @property
    def counts(self) -> list[int]:
        """How many cards each pairing rank has, most first."""
        return sorted(Counter(r for r in self.ranks if r != self.shepherd_rank).values(), reverse=True) or [0]


def satisfied(five: Five) -> dict[str, bool]:
    """Which ordinary categories the five cards satisfy, weaker readings of a stronger hand included."""
    counts = [*five.counts, 0]
    return {
        "one_pair": counts[0] >= 2,
        "two_pair": counts[1] >= 2,
        "three": counts[0] >= 3,
        "straight": five.runs,
        "flush": five.flush,
        "full_house": counts[0] >= 3 and counts[1] >= 2,
        "four": counts[0] >= 4,
        "straight_flush": five.runs and five.flush,
        "five": counts[0] >= 5,
    }


def _why(code: str, five: Five) -> Note:
    if code in _OF_A_RANK:
        need, have = _OF_A_RANK[code], five.counts[0]
        if five.shepherds >= need:
            return Note.of("hand.why.shepherds", shepherds=five.shepherds)
        return Note.of("hand.why.of-a-rank", need=need, have=have)
    match code:
        case "two_pair" | "full_house":
            if five.shepherds >= 2:
                return Note.of("hand.why.shepherds", shepherds=five.shepherds)
            return Note.of("hand.why.no-two-pairs" if code == "two_pair" else "hand.why.no-full-house")
        case "straight":
            return Note.of("hand.why.no-run", cards=five.cards)
        case "flush":
            return Note.of("hand.why.suits", cards=five.cards)
        case "straight_flush":
            key = "suits" if five.runs else "no-run" if five.flush else "no-run-no-suit"
            return Note.of(f"hand.why.{key}", cards=five.cards)
        case "shepherd_five":
            return Note.of("hand.why.shepherd-five", shepherds=five.shepherds)
        case _:
            return Note.of("hand.why.royal", cards=five.cards)


def explain(
    category: str,
    makers: tuple[str, ...],
    five: Five,
    order: Sequence[str],
    holds: Mapping[str, bool],
    tie: tuple[Note, ...],
) -> Explanation:
    """The explanation of five cards. `order`: categories weak to strong, the hand's own among them."""
    place = order.index(category)
    also = tuple(code for code in reversed(order[:place]) if holds.get(code, False))
    # A category that would hold but is stronger cannot be: the strongest one that holds is the hand's.
    refused = tuple(Refusal(code, _why(code, five)) for code in order[place + 1 :])
    return Explanation(category, makers, also, refused, tie)
