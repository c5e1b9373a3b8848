"""A true deal of Trading Poker for bots: hands, stock and the claims that a hand allows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from companion.games.contract import Game, Setup
from companion.games.trading_poker.claims import kinds_of
from companion.games.trading_poker.knowledge import FACES, JOKER
from companion.games.trading_poker.state import COMMON, HAND, Phase, State, half, totals
from companion.games.values import UNKNOWN, Action, Prompt
from companion.games.world import Chance, World, offer

_PLACES = {face: i for i, face in enumerate(FACES)}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")


class Deal(World[State]):
    """Every card as it truly lies; the end of the stock is its top."""

    def __init__(self, game: Game[State], setup: Setup, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        stock = [face for face in FACES for _ in range(2)]
        chance.shuffle(stock)
        self._places: dict[str, list[str]] = {"common": [], "discard": [], "joker": [JOKER]}
        for seat in range(len(setup.players)):
            self._places[f"keep:{seat}"] = []
            self._places[f"hand:{seat}"] = [stock.pop() for _ in range(HAND)]
        self._places["stock"] = stock

    def zones(self) -> dict[str, list[str]]:
        return self._places

    def actions(self, state: State) -> list[Action]:
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            found += self._filled(state, prompt)
        return found

    def _filled(self, state: State, prompt: Prompt) -> list[Action]:
        seat, choices = prompt.seat, {choice.name: choice.values for choice in prompt.choices}
        stock = self._places["stock"]
        match prompt.kind:
            case "refill":
                return [Action("refill", None, tuple(self._next_common(state)))]
            case "take" if choices["source"] == ("stock",):
                return [Action.of("take", seat, stock[-1:], source="stock")]
            case "take":
                return [Action.of("take", seat, (card,), source="common") for card in dict.fromkeys(state.common)]
            case "swap" if prompt.slot:
                target = choices["target"][0]
                counts = range(prompt.slot.least, prompt.slot.most + 1)
                picks = {tuple(sorted(pick)) for n in counts for pick in self._picks(prompt.slot.faces or (), n)}
                return [Action.of("swap", seat, pick, target=target) for pick in sorted(picks)]
            case "claim" if prompt.slot:
                return self._claims(state, seat or 0, prompt.slot.least, [str(k) for k in choices["hand"]])
            case "give":
                return [offer("give", seat, (UNKNOWN,))]
            case "discard" if prompt.slot:
                return [offer("discard", seat, (UNKNOWN,) * prompt.slot.least)]
        return [offer(prompt.kind, seat)]

    def _picks(self, cards: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
        """Ways to take `count` of `cards`; a fair sample when there are very many."""
        if len(cards) <= 8:
            yield from combinations(cards, count)
            return
        for _ in range(40):
            yield tuple(self._chance.sample(cards, count))

    def _claims(self, state: State, seat: int, size: int, kinds: list[str]) -> list[Action]:
        hand = sorted(set(self._places[f"hand:{seat}"]), key=_PLACES.__getitem__)
        found = []
        for cards in candidates(hand, size):
            fits = kinds_of(cards, state.rules.hand_options)
            found += [Action.of("claim", seat, cards, hand=kind) for kind in kinds if kind in fits]
        return found

    def _next_common(self, state: State) -> list[str]:
        """Cards from the top until the row is full, or the stock is empty; a Joker comes along."""
        cards: list[str] = []
        for card in reversed(self._places["stock"]):
            if len(state.common) + sum(c != JOKER for c in cards) == COMMON:
                break
            cards.append(card)
        return cards

    def follow(self, before: State, action: Action, after: State) -> None:
        places, seat = self._places, action.seat
        match action.kind:
            case "refill":
                for card in action.cards:
                    places["stock"].remove(card)
                    places["joker" if card == JOKER else "common"].append(card)
                if before.phase is Phase.SETUP:
                    self._reshuffle()
            case "take":
                source, card = str(action.arg("source")), action.cards[0]
                if source == "stock":
                    places["stock"].pop()
                else:
                    places["common"].remove(card)
                places["joker" if card == JOKER else f"keep:{seat}"].append(card)
            case "collect":
                self._move(f"keep:{seat}", f"hand:{seat}", list(places[f"keep:{seat}"]))
            case "swap":
                target = action.arg("target")
                self._move(f"keep:{seat}", f"hand:{target}", list(places[f"keep:{seat}"]))
                self._move(f"keep:{target}", f"hand:{seat}", list(action.cards))
            case "give":
                self._move(f"hand:{seat}", f"hand:{before.active}", useless(places[f"hand:{seat}"])[:1])
            case "claim":
                self._move(f"hand:{seat}", "discard", list(action.cards))
            case "discard":
                hand = places[f"hand:{seat}"]
                self._move(f"hand:{seat}", "discard", useless(hand)[: half(len(hand))])
        if before.phase is not Phase.SETUP and places["joker"] and not after.joker_out:
            self._reshuffle()

    def _move(self, source: str, target: str, cards: list[str]) -> None:
        for card in cards:
            self._places[source].remove(card)
            self._places[target].append(card)

    def _reshuffle(self) -> None:
        """Discards and Joker into the stock (44, 164)."""
        stock = self._places["stock"]
        stock += self._places["discard"] + self._places["joker"]
        self._places["discard"], self._places["joker"] = [], []
        self._chance.shuffle(stock)

    samples: ClassVar[int] = 3
    horizon: ClassVar[int] = 8
    only: ClassVar[dict[str, str]] = {JOKER: "stock"}

    def same(self, action: Action) -> Action:
        """From the stock comes whatever lies on top here."""
        if action.kind == "take" and action.arg("source") == "stock":
            return Action.of("take", action.seat, self._places["stock"][-1:], source="stock")
        return action

    def promise(self, state: State, seat: int) -> float:
        """Points, and the cards that are to become more."""
        points = totals(state)
        best = max(total for s, total in enumerate(points) if s != seat)
        hand = self._places[f"hand:{seat}"]
        return points[seat] - best + 0.8 * len(set(hand)) + 0.5 * len(state.keeps[seat])

    def worth(self, state: State, action: Action) -> float:
        """Claims what it can, collects what it keeps, takes open cards that match its own."""
        match action.kind:
            case "claim":
                return 20 + state.stack(str(action.arg("hand")))[0] / len(action.cards)
            case "collect" | "swap":
                return len(state.keeps[state.active]) - 1.5 + len(action.cards) / 4
            case "take":
                return self._take_worth(state, action)
            case "once-more":
                return 1
        return 0

    def _take_worth(self, state: State, action: Action) -> float:
        if action.arg("source") == "stock":
            return 0.6
        own = self._places[f"hand:{state.active}"] + list(state.keeps[state.active])
        card = action.cards[0]
        if card in own:
            return 0
        return 0.3 * sum(other[:-1] == card[:-1] for other in own) + 0.15 * sum(o[-1] == card[-1] for o in own)


def useless(hand: list[str]) -> list[str]:
    """The cards of a hand, the most dispensable first: doubles, then those whose number stands alone."""
    numbers = Counter(card[:-1] for card in hand)
    seen: Counter[str] = Counter()

    def use(card: str) -> tuple[bool, int]:
        seen[card] += 1
        return seen[card] == 1, numbers[card[:-1]]

    return sorted(hand, key=use)


@lru_cache(maxsize=64)
def _parted(hand: tuple[str, ...]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The cards of a hand by number and by suit."""
    by_number: dict[str, list[str]] = defaultdict(list)
    by_suit: dict[str, list[str]] = defaultdict(list)
    for card in hand:
        by_number[card[:-1]].append(card)
        by_suit[card[-1]].append(card)
    return by_number, by_suit


def candidates(hand: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Sets of `size` different cards of a hand that may make something: not all that do, but some of each sort."""
    by_number, by_suit = _parted(tuple(hand))
    groups = sorted(by_number.values(), key=len, reverse=True)
    if size <= 4:
        for group in groups:
            yield from combinations(group, size)
    if size in (4, 6):
        pairs = [group for group in groups if len(group) > 1]
        yield from (sum((tuple(g[:2]) for g in pick), ()) for pick in combinations(pairs, size // 2))
    if size == 6:
        triples = [group for group in groups if len(group) > 2]
        yield from ((*a[:3], *b[:3]) for a, b in combinations(triples, 2))
    if size == 5:
        yield from ((*a[:3], *b[:2]) for a in groups for b in groups if a is not b and len(a) > 2 and len(b) > 1)
        for cards in by_suit.values():
            yield from combinations(cards[:7], 5)
        for low in range(len(RANKS) - 4):
            window = RANKS[low : low + 5]
            if all(number in by_number for number in window):
                yield tuple(by_number[number][0] for number in window)
    if size >= 3 and len(groups) >= size:
        yield tuple(group[0] for group in groups[-size:])
