"""A true deal of Three Card Showdown, for bots and tests."""

from __future__ import annotations

from companion.games.three_card_showdown.state import CARDS, LAY, NEXT, State
from companion.games.values import Action
from companion.games.world import Chance, World


class Deal(World[State]):
    """Three cards each from a freshly shuffled deck."""

    def __init__(self, state: State, chance: Chance) -> None:
        self._chance = chance
        deck = state.judge.deck
        self._cards = [face for face in deck.codes for _ in range(deck.copies(face))]
        self._seats = len(state.laid)
        self._chance.shuffle(self._cards)

    def _hand(self, seat: int) -> list[str]:
        return self._cards[CARDS * seat : CARDS * seat + CARDS]

    def actions(self, state: State) -> list[Action]:
        if state.complete:
            return [Action(NEXT)]
        return [Action(LAY, seat, tuple(self._hand(seat))) for seat, cards in enumerate(state.laid) if cards is None]

    def follow(self, before: State, action: Action, after: State) -> None:
        if action.kind == NEXT:
            self._chance.shuffle(self._cards)

    def zones(self) -> dict[str, list[str]]:
        hands = {f"hand:{seat}": self._hand(seat) for seat in range(self._seats)}
        return hands | {"stock": self._cards[CARDS * self._seats :]}
