"""Categories, rankings, evaluators and exact odds: what cards are worth, for every game of the project.

What lives here: the printed rankings as data and their categories as predicates (`three_card`, `five_card`,
`sixty_five`), the hands of the games that only count points (`pokard`, `hexa`, `trading`), why a hand is what it is
(`Explanation`), and how many hands make each category (`odds`). What may come in: decks and codes of
`companion.cards`, NumPy. What never does: a game's turns, a page, a file, a sentence for people (reasons are keys
for the message catalogues).

One entry for every order of hands: `ranking("52D2")`, `ranking("65", straights=2)`, `ranking("five-card")`. A ranking
answers for one hand of text codes and for arrays of hands alike: ``(n, k) uint8``, each number a place in the deck's
faces. House rules are named options; a default is the reading of the sheet that its own tables confirm best.
"""

from __future__ import annotations

from companion.hands.base import NONE, HandError, Ranking, RankingError, Showdown
from companion.hands.explanation import Explanation, Note, Refusal
from companion.hands.odds import Odds, odds
from companion.hands.options import HouseRule, OptionError
from companion.hands.registry import house_rules, ranking, ranking_names
from companion.hands.report import explain_hand, hand_report

__all__ = [
    "NONE",
    "Explanation",
    "HandError",
    "HouseRule",
    "Note",
    "Odds",
    "OptionError",
    "Ranking",
    "RankingError",
    "Refusal",
    "Showdown",
    "explain_hand",
    "hand_report",
    "house_rules",
    "odds",
    "ranking",
    "ranking_names",
]
