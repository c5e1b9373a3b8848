"""A true deal of Ace's King: hands that bots play from, with a little sense."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from companion.cards import Deck, deck
from companion.games.aces_king.state import HAND, State
from companion.games.contract import Game, Setup
from companion.games.values import UNKNOWN, Action
from companion.games.world import Chance, World, offer

PASS_COST = 6.0
"""A pass draws two cards and keeps one: it is worth it where a card would cost more than this."""
KEEPING = 0.3
"""A card that is higher by one is worth so many cards later, as it costs none then: low cards go first."""


class Deal(World[State]):
    """Hands, the pile and the stock, as they truly lie."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        cards = list(deck(setup.deck or game.recommended_deck(len(setup.players))))
        chance.shuffle(cards)
        self._places: dict[str, list[str]] = {}
        for seat in range(len(setup.players)):
            self._places[f"hand:{seat}"], cards = cards[:HAND], cards[HAND:]
        self._places |= {"stock": cards, "discard": []}

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        """Every card of the hand, the draw that is owed, and now and then a pass, which seldom is worth it."""
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            if prompt.kind == "play":
                plays = _plays(prompt.seat, state.rules.deck)
                found += [plays[card] for card in self._places[f"hand:{prompt.seat}"]]
            elif prompt.kind == "pass":
                found += [offer("pass", prompt.seat)] if self._chance.random() < 1 / 8 else []
            else:
                count = prompt.slot.least if prompt.slot else 0
                found.append(offer(prompt.kind, prompt.seat, (UNKNOWN,) * count))
        return found

    def follow(self, before: State, action: Action, after: State) -> None:
        if action.kind == "reshuffle":
            self._reshuffle()
            return
        if action.kind in ("play", "pass") and before.debtor is not None:
            # The draw that was owed is taken as done when the next player acts.
            self._draw(before.debtor, before.owed)
        if action.kind == "play":
            self._places[f"hand:{action.seat}"].remove(action.cards[0])
            self._places["discard"].append(action.cards[0])
        elif action.kind == "draw" and action.seat is not None:
            self._draw(action.seat, len(action.cards))

    def _draw(self, seat: int, count: int) -> None:
        stock = self._places["stock"]
        self._places[f"hand:{seat}"] += stock[:count]
        del stock[:count]

    def _reshuffle(self) -> None:
        pile = self._places["discard"]
        self._places["stock"] = pile[:-1]
        self._chance.shuffle(self._places["stock"])
        self._places["discard"] = pile[-1:]

    breadth: ClassVar[int] = 60
    """All cards of a hand."""

    def considered(self, seat: int, actions: Sequence[Action], picked: Action) -> list[Action]:
        """Also a pass, which costs two cards: cheaper than a card that is far too low."""
        found = super().considered(seat, actions, picked)
        may_pass = picked.kind == "play" and self._places["discard"]
        return [*found, offer("pass", seat)] if may_pass else found

    def insight(self, state: State, action: Action) -> float | None:
        """The cards it costs now, and what a high card is worth later. A pass costs three, counted with the card that
        is not laid; beside somebody's last card high cards are worth their price, since he has to draw for a lower
        one."""
        if action.kind == "pass":
            return -PASS_COST
        if action.kind != "play" or not state.discard:
            return self.worth(state, action)
        number = state.rules.numbers
        mine, top = number[action.cards[0]], number[state.discard[-1]]
        others = [count for at, count in enumerate(state.hands) if at != action.seat and at not in state.out]
        return -max(0, top - mine) + (mine if min(others) == 1 else 0) - KEEPING * mine

    def worth(self, state: State, action: Action) -> float:
        """Says draws at once; lays the card nearest the top and begins with a low one; never passes."""
        if action.kind not in ("play", "pass"):
            return 9.0
        if action.kind == "pass":
            return -99.0
        number = state.rules.numbers
        mine, top = number[action.cards[0]], number[state.discard[-1]] if state.discard else 1
        return float(mine - top if mine < top else (top - mine) / 20)


@cache
def _plays(seat: int | None, cards: Deck) -> dict[str, Action]:
    return {card: Action("play", seat, (card,)) for card in cards.codes}
