"""A true deal of Joker Quest: hands that bots play from, with a little sense."""

from __future__ import annotations

from typing import ClassVar

from companion.cards import deck
from companion.games.contract import Game, Setup
from companion.games.joker_quest.state import DECK, HAND, JOKER, Phase, State, draw_count, kings_to_lay, suit, value
from companion.games.values import UNKNOWN, Action, Prompt
from companion.games.world import Chance, World, offer

SAMPLES = 3
"""Ways to choose extra cards that are offered for each card played: all of them would be thousands."""

FAILED = -4.0
"""What a quest is worth that nobody wins, between one that is won (10) and one that is lost (-10)."""


class Deal(World[State]):
    """Hands, road, stock, joker, guardians, penalties, as they truly lie."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        cards = list(deck(DECK).codes)
        chance.shuffle(cards)
        self._places: dict[str, list[str]] = {"road": [], "joker": [], "kings": []}
        for seat in range(len(setup.players)):
            self._places[f"hand:{seat}"], cards = cards[:HAND], cards[HAND:]
            self._places |= {f"penalty:{seat}": [], f"paid:{seat}": [], f"shown:{seat}": []}
        self._places["stock"] = cards

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            if prompt.seat is None:
                found += self._of_the_table(state, prompt.kind)
            else:
                found += self._of_a_player(state, prompt, prompt.seat)
        return found

    def _of_the_table(self, state: State, kind: str) -> list[Action]:
        stock = self._places["stock"]
        if kind == "reshuffle":
            return [Action(kind)]
        if kind == "kings":
            return [Action(kind, None, tuple(stock[: kings_to_lay(state)]))]
        hidden = any(JOKER in self._places[f"hand:{seat}"] for seat in range(len(state.players)))
        return [] if hidden else [Action(kind, None, (stock[0],))]

    def _of_a_player(self, state: State, prompt: Prompt, seat: int) -> list[Action]:
        hand = self._places[f"hand:{seat}"]
        match prompt.kind:
            case "joker":
                return [offer("joker", seat, (JOKER,))] if JOKER in hand else []
            case "play":
                return self._plays(state, seat, hand)
            case "attack":
                return [a for king in prompt.choices[0].values for a in self._attacks(state, seat, hand, str(king))]
            case "draw":
                return self._draws(state, seat)
            case "reclaim":
                return [offer("reclaim", seat), *(offer("reclaim", seat, (c,)) for c in state.penalty[seat])]
            case "pay":
                count = prompt.slot.least if prompt.slot else 0
                shown = [Action("pay", seat, tuple(self._chance.sample(hand, count))) for _ in range(SAMPLES)]
                return [*shown, Action("pay", seat, (UNKNOWN,) * count)]
            case "reveal":
                return [Action("reveal", seat, tuple(hand))]
        return [offer(prompt.kind, seat, (card,)) for card in hand]

    def _plays(self, state: State, seat: int, hand: list[str]) -> list[Action]:
        found, road = [], state.road
        for card in hand:
            lack = value(road) - value(card)
            if suit(card) == suit(road) and not (state.rules.same_suit and lack < 0):
                continue
            found += [offer("play", seat, cards) for cards in self._with(card, hand, lack, state.rules.overkill)]
        return found

    def _attacks(self, state: State, seat: int, hand: list[str], king: str) -> list[Action]:
        found = []
        for card in hand:
            if suit(card) == suit(king):
                lack = value(king) - value(card)
                choices = self._with(card, hand, lack, state.rules.lost_cards)
                found += [Action.of("attack", seat, cards, king=king) for cards in choices]
        return found

    def _with(self, card: str, hand: list[str], lack: int, needy: bool) -> list[tuple[str, ...]]:
        """The card and as many others as are needed, in some of the ways there are; `needy`: all, if too few."""
        if lack <= 0:
            return [(card,)]
        others = [other for other in hand if other != card]
        if lack > len(others):
            return [(card, *others)] if needy else []
        return list({(card, *self._chance.sample(others, lack)): None for _ in range(SAMPLES)})

    def _draws(self, state: State, seat: int) -> list[Action]:
        """Any number up to the allowance, ending with the joker when he comes."""
        top = self._places["stock"][: draw_count(state)]
        whole = top.index(JOKER) + 1 if JOKER in top else len(top)
        counts = [whole] if state.forced else range(whole + 1)
        cards = tuple(JOKER if card == JOKER else UNKNOWN for card in top)
        return [offer("draw", seat, cards[:count]) for count in counts]

    def follow(self, before: State, action: Action, after: State) -> None:
        places, seat, cards = self._places, action.seat, action.cards
        match action.kind:
            case "joker":
                self._move(f"hand:{seat}", "joker", cards)
                self._top(before.stock - after.stock, f"hand:{seat}")
            case "turn-up":
                self._move("stock", "joker" if JOKER in cards else "road", cards)
            case "kings":
                self._move("stock", "kings", cards)
            case "play":
                self._move(f"hand:{seat}", "road", cards)
            case "attack":
                self._move(f"hand:{seat}", "road", cards)
                self._move("kings", "road", set(before.kings) - set(after.kings))
            case "strike":
                self._move(f"hand:{seat}", "joker", cards)
            case "pass":
                self._move(f"hand:{seat}", f"penalty:{seat}", cards)
            case "draw":
                self._top(cards.count(UNKNOWN), f"hand:{seat}")
                self._move("stock", "joker", [card for card in cards if card == JOKER])
            case "reclaim":
                self._move(f"penalty:{seat}", f"hand:{seat}", cards)
            case "reshuffle":
                places["stock"] = [card for card in places["road"] if card != after.road]
                self._chance.shuffle(places["stock"])
                places["road"] = [after.road]
            case "pay":
                hand = places[f"hand:{seat}"]
                known = cards if UNKNOWN not in cards else tuple(self._chance.sample(hand, len(cards)))
                self._move(f"hand:{seat}", f"paid:{seat}", known)
            case "reveal":
                self._move(f"hand:{seat}", f"shown:{seat}", cards)

    def _move(self, source: str, target: str, cards: set[str] | list[str] | tuple[str, ...]) -> None:
        for card in cards:
            self._places[source].remove(card)
            self._places[target].append(card)

    def _top(self, count: int, target: str) -> None:
        self._move("stock", target, self._places["stock"][:count])

    samples: ClassVar[int] = 24
    doubt: ClassVar[float] = 1.0
    horizon: ClassVar[int] = 120  # to the end of nearly every quest: who is left then decides
    only: ClassVar[dict[str, str]] = {JOKER: "stock"}

    def same(self, action: Action) -> Action:
        """A draw ends with the joker, wherever he lies here."""
        if action.kind != "draw":
            return action
        top = self._places["stock"][: len(action.cards)]
        count = top.index(JOKER) + 1 if JOKER in top else len(top)
        return offer("draw", action.seat, tuple(JOKER if card == JOKER else UNKNOWN for card in top[:count]))

    def promise(self, state: State, seat: int) -> float:
        """A quest that is won, lost, failed; one under way by what his hand holds after penalties."""
        if state.phase is Phase.OVER:
            winners = self._game.winners(state)
            return (10.0 / len(winners) if seat in winners else -10.0) if winners else FAILED
        if seat in state.out:
            return -9.0
        mine = _left(state, seat)
        ahead = mine - max((_left(state, other) for other in range(len(state.players)) if other != seat), default=0)
        return 5.0 * ahead / (abs(ahead) + 4) + min(mine, 4) / 4

    def worth(self, state: State, action: Action) -> float:
        """What an action leaves in the hand after penalties: draws all, pays least, goes for the joker when it can."""
        cards = action.cards
        match action.kind:
            case "strike":
                return 50.0 + value(cards[0])
            case "attack":
                surplus = value(cards[0]) - value(str(action.arg("king")))
                return 2.0 + self._gain(state, surplus, cards)
            case "play":
                return self._gain(state, value(cards[0]) - value(state.road), cards)
            case "pass":
                return -0.5 - value(cards[0])
            case "draw":
                return float(len(cards))
            case "reclaim":
                return float(value(cards[0])) if cards else 0.0
        return 9.0 if state.phase is Phase.DEALT else 0.0

    @staticmethod
    def _gain(state: State, surplus: int, cards: tuple[str, ...]) -> float:
        """Cards won less cards laid; strong cards are worth keeping."""
        last = len(cards) >= len(state.hands[state.turn])
        kept = sum(value(card) for card in cards) / 50
        return min(max(0, surplus), state.stock) - len(cards) - kept - (90 if last and surplus <= 0 else 0)


def _left(state: State, seat: int) -> int:
    """Cards that a player would keep if his penalties were due now; far less than none for one who is out."""
    return -20 if seat in state.out else len(state.hands[seat]) - sum(value(card) for card in state.penalty[seat])
