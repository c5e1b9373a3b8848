"""A true deal of Hexa Card: hands that bots play from, with a little sense."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from companion.cards import deck
from companion.games.contract import Game, Setup
from companion.games.hexa_card.state import DECK, HAND, Phase, State, next_player
from companion.games.values import Action, Prompt
from companion.games.world import Chance, World, offer
from companion.hands.hexa import best_partition, may_go_out

RASH = 1 / 200
"""How often a bot may declare although it has no hand."""
CHEAT = 1 / 50
"""How often a bot may discard the very card it stole."""

_NUMBERS = {rank: i for i, rank in enumerate(deck(DECK).ranks, 1)}


class Deal(World[State]):
    """Hands, the pile and the stock, as they truly lie. Which card a dice steals is settled when the dice is offered,
    so that a player discards from the hand he then has."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        self._seats = len(setup.players)
        self._hand_rules: dict[str, str] = {}
        self._places: dict[str, list[str]] = {}
        self._stolen = ""
        self._settled = (-1, -1)
        self._returned = False
        self._deal(range(self._seats))

    def _deal(self, playing: range | tuple[int, ...]) -> None:
        cards = list(deck(DECK).codes)
        self._chance.shuffle(cards)
        self._places = {"discard": []}
        for seat in range(self._seats):
            count = HAND if seat in playing else 0
            self._places[f"hand:{seat}"], cards = cards[:count], cards[count:]
            self._places[f"shown:{seat}"] = []
        self._places["stock"] = cards

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        self._hand_rules = dict(state.rules.hands)
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            seat = prompt.seat
            if seat is None:
                found.append(offer(prompt.kind))
            elif prompt.kind in ("out", "holy"):
                found += self._declarations(prompt, seat)
            elif prompt.kind == "contest":
                found += [offer("contest", seat)] if self._returned else []
            else:
                cards = self._after_draw(prompt.kind, seat)
                if prompt.kind == "dice":
                    self._settle(state, seat)
                    cards += [self._stolen] if self._chance.random() < CHEAT else []
                found += [offer(prompt.kind, seat, (card,)) for card in cards]
        return found

    def _declarations(self, prompt: Prompt, seat: int) -> list[Action]:
        hand = tuple(self._places[f"hand:{seat}"])
        if len(hand) == HAND and (self._out(hand) or self._chance.random() < RASH):
            return [Action(prompt.kind, seat, hand)]
        return []

    def _out(self, hand: tuple[str, ...]) -> bool:
        return may_go_out(hand, self._hand_rules)

    def _settle(self, state: State, seat: int) -> None:
        """Which card a dice of this turn would steal: one answer, however often it is asked."""
        if self._settled != (state.game, state.turns):
            self._settled = (state.game, state.turns)
            self._stolen = self._chance.choice(self._places[f"hand:{next_player(state, seat)}"])

    def _after_draw(self, kind: str, seat: int) -> list[str]:
        """The player's cards and what he draws from the stock, without what he steals."""
        hand, stock = self._places[f"hand:{seat}"], self._places["stock"]
        drawn = HAND - len(hand) + (1 if kind == "loop" else 0)
        return hand + stock[:drawn]

    def taken_first(self, state: State, kind: str, seat: int) -> list[str]:
        """The cards drawn, and with a dice the one that is stolen."""
        if kind not in ("loop", "dice"):
            return []
        drawn = self._after_draw(kind, seat)[len(self._places[f"hand:{seat}"]) :]
        if kind == "dice":
            self._settle(state, seat)
            drawn.append(self._stolen)
        return drawn

    def follow(self, before: State, action: Action, after: State) -> None:
        places, seat = self._places, action.seat
        if action.kind == "deal":
            self._deal(after.playing)
        elif action.kind in ("out", "holy"):
            places[f"shown:{seat}"], places[f"hand:{seat}"] = places[f"hand:{seat}"], []
        elif action.kind in ("loop", "dice") and seat is not None:
            hand = places[f"hand:{seat}"]
            drawn = before.stock - after.stock
            hand += places["stock"][:drawn]
            del places["stock"][:drawn]
            if action.kind == "dice":
                self._settle(before, seat)
                places[f"hand:{next_player(before, seat)}"].remove(self._stolen)
                hand.append(self._stolen)
            hand.remove(action.cards[0])
            places["discard"].append(action.cards[0])
            self._returned = action.kind == "dice" and action.cards[0] == self._stolen

    def _hold(self, zones: dict[str, list[str]]) -> None:
        super()._hold(zones)
        self._settled = (-1, -1)

    def considered(self, seat: int, actions: Sequence[Action], picked: Action) -> list[Action]:
        """Loop or dice is decided before a card is drawn; the discard, after."""
        return [action for action in actions if action.seat == seat and action.kind == picked.kind]

    def glimpsed(self, seat: int) -> dict[str, int]:
        """The cards that he draws before he discards."""
        return {"stock": HAND - len(self._places[f"hand:{seat}"]) + 1}

    def insight(self, state: State, action: Action) -> float | None:
        """Out at once, else the number of cards that would complete the hand, and how close it is."""
        seat = action.seat or 0
        if action.kind not in ("loop", "dice"):
            return self.worth(state, action)
        if action.cards[0] == self._stolen and action.kind == "dice":
            return -999.0
        rest = [card for card in self._after_draw(action.kind, seat) if card != action.cards[0]][:HAND]
        gone = {*rest, *action.cards, *self._places["discard"]}
        if len(rest) == HAND and self._out(tuple(rest)):
            return 1000.0 + best_partition(rest, self._hand_rules).score
        outs = 0.0
        for card in deck(DECK).codes:
            if card in gone:
                continue
            whole = (*rest, card)
            ways = [whole] if len(whole) == HAND else [whole[:i] + whole[i + 1 :] for i in range(HAND)]
            outs += any(self._out(way) for way in ways)
        return outs + _closeness(rest) / 10

    def settled(self, before: State, after: State) -> bool:
        return after.phase is not Phase.TURN

    def promise(self, state: State, seat: int) -> float:
        """Points, and how near the hand is to being out."""
        points = dict.fromkeys(range(self._seats), 0)
        for line in state.lines:
            points[line.seat] += line.points
        lead = points[seat] - max(total for s, total in points.items() if s != seat)
        return lead + (4.0 * _closeness(self._places[f"hand:{seat}"]) if state.phase is Phase.TURN else 0)

    def worth(self, state: State, action: Action) -> float:
        """Goes out when it can; keeps cards that belong together; robs while its own hand is poor."""
        if action.kind in ("out", "holy"):
            return 9999.0 if self._out(action.cards) else -9999.0
        if action.kind not in ("loop", "dice"):
            return 999.0
        seat = action.seat or 0
        rest = [card for card in self._after_draw(action.kind, seat) if card != action.cards[0]]
        if action.kind == "loop":
            return float(best_partition(rest, self._hand_rules).score or _closeness(rest))
        if action.cards[0] == self._stolen:
            return -999.0
        return _closeness(rest) + (500 if _closeness(self._places[f"hand:{seat}"]) < 2 else -500)


def _closeness(cards: list[str]) -> float:
    """How many pairs of cards are equal or neighbours in number."""
    numbers = sorted(_NUMBERS[card[:-1]] for card in cards)
    return float(sum(b - a <= 1 for a, b in pairwise(numbers)))
