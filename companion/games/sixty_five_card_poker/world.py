"""A true deal of the 65 cards for bots: who exchanges what, and what comes from the stock."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from companion.games.contract import Game, Setup
from companion.games.sixty_five_card_poker.options import HAND, Rules
from companion.games.sixty_five_card_poker.state import State, category
from companion.games.values import UNKNOWN, Action
from companion.games.world import Chance, World, offer


class Deal(World[State]):
    """Hands, discards and stock as they truly lie."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        name = setup.deck or game.recommended_deck(len(setup.players))
        self._ranking = Rules.of(setup.chosen(game), name).ranking
        self._pictures = {face.code: face.rank for face in self._ranking.deck.faces}
        self._shepherd = self._ranking.deck.ranks[0]
        self._chance = chance
        cards = [code for code in self._ranking.deck.codes for _ in range(self._ranking.deck.copies(code))]
        chance.shuffle(cards)
        self._places: dict[str, list[str]] = {"discard": []}
        for seat in range(len(setup.players)):
            self._places[f"hand:{seat}"], cards = cards[:HAND], cards[HAND:]
        self._places["stock"] = cards
        self._openings: dict[int, Action] = {}

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            if prompt.kind == "exchange" and prompt.slot:
                found += _exchanges(prompt.seat, prompt.slot.most)
            elif prompt.kind == "open" and prompt.seat is not None:
                found.append(self._openings.get(prompt.seat) or self._opening(prompt.seat))
            else:
                found.append(offer(prompt.kind, prompt.seat))
        return found

    def _opening(self, seat: int) -> Action:
        """The hand as it will be opened: hands no longer change at the showdown."""
        cards = tuple(self._places[f"hand:{seat}"])
        self._openings[seat] = action = Action.of("open", seat, cards, hand=category(self._ranking, cards))
        return action

    def follow(self, before: State, action: Action, after: State) -> None:
        hand = self._places[f"hand:{action.seat}"]
        if action.kind == "drop":
            self._places["discard"] += hand
            del self._places[f"hand:{action.seat}"]
        elif action.kind == "exchange":
            gone = self._loose(hand)[: len(action.cards)]
            for card in gone:
                hand.remove(card)
            self._draw(hand, gone)

    def _draw(self, hand: list[str], gone: list[str]) -> None:
        stock, discard = self._places["stock"], self._places["discard"]
        if len(stock) < len(gone):
            self._chance.shuffle(discard)
            stock[:0] = discard
            discard.clear()
        hand.extend(stock.pop() for _ in gone)
        discard += gone

    def _loose(self, hand: list[str]) -> list[str]:
        """The cards of a hand, the most dispensable first: shepherds, then those without an equal picture."""
        pictures = [self._pictures[card] for card in hand]
        strength = self._ranking.deck.ranks.index

        def use(card: str) -> tuple[int, int]:
            picture = self._pictures[card]
            return (0 if picture == self._shepherd else pictures.count(picture), strength(picture))

        return sorted(hand, key=use)

    samples: ClassVar[int] = 24
    horizon: ClassVar[int] = 20

    def _hold(self, zones: dict[str, list[str]]) -> None:
        super()._hold(zones)
        self._openings = {}

    def promise(self, state: State, seat: int) -> float:
        """The hand wins, or it does not."""
        return sum(line.points for line in state.lines if line.seat == seat)

    def worth(self, state: State, action: Action) -> float:
        """Keeps what forms something, five shepherds too, and exchanges the rest."""
        if action.kind == "exchange":
            hand = self._places[f"hand:{action.seat}"]
            pictures = [self._pictures[card] for card in hand]
            lone = sum(pictures.count(picture) == 1 or picture == self._shepherd for picture in pictures)
            return -abs(len(action.cards) - (0 if set(pictures) == {self._shepherd} else lone))
        return -1 if action.kind == "drop" else 0


@cache
def _exchanges(seat: int | None, most: int) -> tuple[Action, ...]:
    return tuple(Action("exchange", seat, (UNKNOWN,) * count) for count in range(most + 1))
