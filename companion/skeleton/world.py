"""A true deal of Highest Card: hands that bots play from, with a little sense."""

from __future__ import annotations

from companion.cards import deck
from companion.games import Action, Chance, Game, Setup, World

from .state import DECK, HAND, State, number


class Deal(World[State]):
    """Hands, the cards that lie, and the rest of the deck."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        cards = list(deck(DECK).codes)
        chance.shuffle(cards)
        self._places: dict[str, list[str]] = {"discard": []}
        for seat in range(len(setup.players)):
            self._places[f"hand:{seat}"], cards = cards[:HAND], cards[HAND:]
            self._places[f"laid:{seat}"] = []
        self._places["stock"] = cards

    def zones(self) -> dict[str, list[str]]:
        """The true cards by zone."""
        return self._places

    def actions(self, state: State) -> list[Action]:
        """Every card that whoever is due may lay; between rounds clearing away."""
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            if prompt.kind == "lay":
                found += [Action("lay", prompt.seat, (card,)) for card in self._places[f"hand:{prompt.seat}"]]
            else:
                found.append(Action(prompt.kind))
        return found

    def follow(self, before: State, action: Action, after: State) -> None:
        """The card goes from the hand to the table, or all go to the pile."""
        if action.kind == "lay":
            self._places[f"hand:{action.seat}"].remove(action.cards[0])
            self._places[f"laid:{action.seat}"].append(action.cards[0])
        else:
            for seat in before.order:
                self._places["discard"] += self._places[f"laid:{seat}"]
                self._places[f"laid:{seat}"] = []

    def worth(self, state: State, action: Action) -> float:
        """Takes the round with a high card when it can, and gives its lowest away when it cannot."""
        if action.kind != "lay":
            return 0
        best = max((number(card) for card in state.laid if card), default=0)
        mine = number(action.cards[0])
        return mine if mine > best else -mine
