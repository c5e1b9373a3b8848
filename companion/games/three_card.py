"""What the two games with three-card hands share: their decks, the options that shape the ranking, the judging.

Clauses are line numbers of the sheet (Rev. 0.9 of 2021-11-25) or sections of the formal reading of it (7.x).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.cards import Deck, deck
from companion.games.contract import Game, Setup, SetupError
from companion.games.fitting import Unfit, outside
from companion.games.setup import ranking_options
from companion.games.values import Msg
from companion.hands import OptionError, three_card
from companion.hands.three_card import ThreeCardRanking
from companion.hands.three_card_own import MOST_FACES, ranking_for

DECKS = (
    *("52D1", "52D2", "52D3", "48D1", "48D2", "48D3", "40D1", "40D2", "40D3", "36D1", "36D2", "36D3"),
    *("M9D1", "M9D2", "M9D3", "M9D4", "M9D4C3", "M9D3C2", "M7D1", "M7D2", "M7D3"),
    *("T52D1", "T52D2", "T52D3", "T44D1", "T44D2", "T44D3", "T36D1", "T36D2", "T36D3"),
    "hanafuda",
)

RANKING_OPTIONS = ranking_options(three_card.HOUSE_RULES)

NONE = "none"
"""The category of three cards that are no hand."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Deck and ranking of one table. `best` is the whole showdown."""

    deck: Deck
    ranking: ThreeCardRanking

    def category(self, cards: Sequence[str]) -> str:
        """The category of three cards; `NONE` for anything else, so that fouled hands that stand can be judged."""
        if len(cards) != 3 or any(c not in self.deck for c in cards):
            return NONE
        return self.ranking.category(tuple(cards))

    def best(self, hands: Mapping[int, Sequence[str]]) -> tuple[int, ...]:
        """The seats with the strongest hand, in the order of `hands`; several when equal (93), none when nobody
        has a category (93)."""
        strengths = {
            seat: self.ranking.key(tuple(cards)) for seat, cards in hands.items() if self.category(cards) != NONE
        }
        top = max(strengths.values(), default=None)
        return tuple(seat for seat, strength in strengths.items() if strength == top)


def judge(game: Game[Any], setup: Setup) -> Judge:
    """The judge for a checked `setup` of `game`. Raises SetupError for a table of hands that the deck cannot have."""
    names = {o.name: o.default for o in RANKING_OPTIONS}
    chosen = tuple((n, v) for n, v in setup.options if n in names and v != names[n])
    try:
        return _judge(setup.deck, tuple(sorted(chosen)))
    except OptionError as error:
        raise SetupError(str(error)) from error


@lru_cache(maxsize=64)
def _judge(name: str, options: tuple[tuple[str, str], ...]) -> Judge:
    return Judge(deck(name), ranking_for(deck(name), dict(options)))


def unfit(own: Deck) -> Unfit | None:
    """Any deck whose every card has a suit and a rank: pairs, runs and flushes are told by those (168-204)."""
    if len(own.faces) > MOST_FACES:
        sentence = f"it has {len(own.faces)} different cards; at most {MOST_FACES} can be ranked"
        return Unfit(Msg.of("deck.unfit.many", n=len(own.faces), most=MOST_FACES), sentence)
    if own.size < 18:
        return Unfit(Msg.of("deck.unfit.few", needs=18), "it needs at least 18 cards")
    return outside(own, "suit")
