"""A true deal of Pokard Trick: hands that bots play from, with a little sense."""

from __future__ import annotations

from itertools import combinations

from companion.cards import deck
from companion.games.contract import Game, Setup
from companion.games.pokard_trick.state import (
    ASIDE,
    HAND,
    Phase,
    Play,
    State,
    captured,
    declarers,
    is_joker,
    legal_plays,
    rank_of,
    suit_of,
    trick_winner,
)
from companion.games.values import UNKNOWN, Action
from companion.games.world import Chance, World
from companion.hands import pokard

DEALS_OF_AN_EVENING = 8
"""Bots have no clock: when the end is agreed by time, their time is up after so many deals."""


class Deal(World[State]):
    """Hands, laid-aside pairs, captured cards and the rest, as they truly lie."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        self._seats = len(setup.players)
        self._places: dict[str, list[str]] = {}
        self._deal(range(self._seats))

    def _deal(self, seats: range | list[int]) -> None:
        cards = list(deck("54").codes)
        self._chance.shuffle(cards)
        self._places = {"trick": [], "folded": []}
        for seat in range(self._seats):
            self._places |= {f"captured:{seat}": [], f"aside:{seat}": [], f"hand:{seat}": []}
        for seat in seats:
            self._places[f"hand:{seat}"], cards = cards[:HAND], cards[HAND:]
        self._places["stock"] = cards

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            match prompt.kind:
                case "aside":
                    found.append(Action("aside", prompt.seat, (UNKNOWN,) * ASIDE))
                case "play":
                    hand = tuple(self._places[f"hand:{prompt.seat}"])
                    lead = state.table[0].card if state.table else None
                    found += [Action("play", prompt.seat, (card,)) for card in legal_plays(lead, hand)]
                case "show":
                    pair = self._places[f"aside:{prompt.seat}"]
                    counts = range(ASIDE if state.rules.aside_shown else 0, ASIDE + 1)
                    found += [Action("show", prompt.seat, cards) for n in counts for cards in combinations(pair, n)]
                case _:
                    found.append(Action(prompt.kind, prompt.seat))
        return found

    def follow(self, before: State, action: Action, after: State) -> None:
        seat, places = action.seat, self._places
        match action.kind:
            case "fold":
                places["folded"] += places[f"hand:{seat}"]
                places[f"hand:{seat}"] = []
            case "aside":
                for card in _pair_aside(places[f"hand:{seat}"]):
                    places[f"hand:{seat}"].remove(card)
                    places[f"aside:{seat}"].append(card)
            case "play":
                places[f"hand:{seat}"].remove(action.cards[0])
                places["trick"].append(action.cards[0])
            case "collect":
                places[f"captured:{seat}"] += places["trick"]
                places["trick"] = []
            case "deal":
                self._deal([seat for seat, gone in enumerate(after.bankrupt) if not gone])

    def own_places(self, seat: int) -> tuple[str, ...]:
        return (f"aside:{seat}",)

    def settled(self, before: State, after: State) -> bool:
        return after.phase in (Phase.SETTLED, Phase.OVER)

    def promise(self, state: State, seat: int) -> float:
        """Chips, and in a deal that is being played what it would bring now."""
        return float(state.chips[seat])

    def worth(self, state: State, action: Action) -> float:
        """Plays with good hands, takes cheap tricks, shows what makes points."""
        match action.kind:
            case "in":
                return _strength(self._places[f"hand:{action.seat}"]) - 4
            case "play":
                return self._play_worth(state, action)
            case "show":
                cards = captured(state, action.seat or 0) + action.cards
                return pokard.best(cards, {"ace_run": state.rules.ace_run})[1] - len(action.cards) / 10
            case "time-up":
                return 9 if state.deal > DEALS_OF_AN_EVENING else -9
        return 0

    def _play_worth(self, state: State, action: Action) -> float:
        card, height = action.cards[0], 0 if is_joker(action.cards[0]) else rank_of(action.cards[0]) / 13
        if not state.table:
            return height
        best = trick_winner((*state.table, Play(action.seat or 0, card)), state.rules.ace_high)
        wins = best.card == card and len(state.table) + 1 == len(declarers(state))
        return 2 - height if wins else -height - 3 * is_joker(card)


def _pair_aside(hand: list[str]) -> list[str]:
    """A pair if there is one, else two low cards of one suit, else the two lowest: jokers stay in the hand."""
    plain = sorted((card for card in hand if not is_joker(card)), key=rank_of)
    for same in (lambda c: c[:-1], suit_of):
        for first, second in combinations(plain, 2):
            if same(first) == same(second):
                return [first, second]
    return plain[:ASIDE]


def _strength(hand: list[str]) -> float:
    """High cards, jokers and pairs."""
    plain = [card for card in hand if not is_joker(card)]
    high = sum(rank_of(card) >= 9 for card in plain)
    pairs = len(plain) - len({card[:-1] for card in plain})
    return high + pairs + 2.0 * (len(hand) - len(plain))
