"""Three Card Trick Poker with true cards, for bots and tests (see `companion.games.world`).

The worked example of a `World`. `actions` turns every prompt into concrete actions; `follow` first moves the cards
that the action names and then lets the counts of the new state say what else has moved by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from companion.games.contract import Game
from companion.games.three_card_trick_poker.state import HAND, State
from companion.games.values import UNKNOWN, Action
from companion.games.world import Chance, World

KEEP = 3
"""A bot without stock keeps at least so many cards hidden: two are needed for a bout."""


class Deal(World[State]):
    """The true cards by zone."""

    def __init__(self, game: Game[State], state: State, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        self._rules = state.rules
        self._judge = state.rules.judge
        self._deal()

    def _deal(self) -> None:
        """43, 44: everything is dealt out; the first nine of each stock are the hand."""
        deck, rules = self._judge.deck, self._rules
        cards = [face for face in deck.codes for _ in range(deck.copies(face))]
        self._chance.shuffle(cards)
        seats = range(rules.seats)
        self.pot: list[str] = []
        self.rest = cards[rules.dealt * rules.seats :]
        own = [cards[rules.dealt * seat : rules.dealt * (seat + 1)] for seat in seats]
        self.hand = [cards[:HAND] for cards in own]
        self.stock = [cards[HAND:] for cards in own]
        self.exposed: list[list[str]] = [[] for _ in seats]
        self.play: list[list[str]] = [[] for _ in seats]
        self.captured: list[list[str]] = [[] for _ in seats]

    def zones(self) -> dict[str, list[str]]:
        zones = {"pot": self.pot, "rest": self.rest}
        for seat in range(self._rules.seats):
            zones[f"hand:{seat}"] = self.hand[seat]
            zones[f"stock:{seat}"] = self.stock[seat]
            zones[f"exposed:{seat}"] = self.exposed[seat]
            zones[f"play:{seat}"] = self.play[seat]
            zones[f"captured:{seat}"] = self.captured[seat]
        return zones

    # --- what may be done -----------------------------------------------------------------------------------------

    def actions(self, state: State) -> list[Action]:
        found: list[Action] = []
        for prompt in self._game.prompts(state):
            match prompt.kind, prompt.seat:
                case "pot", _:
                    found.append(Action("pot", None, tuple(self.rest)))
                case ("leader" | "next-game") as kind, _:
                    values = prompt.choices[0].values if prompt.choices else ()
                    found += [Action(kind, None, (), (("leader", seat),)) for seat in values] or [Action(kind)]
                case "expose", int(seat):
                    found += self._exposures(seat, prompt.slot.most if prompt.slot else 0, prompt.slot.least)  # type: ignore[union-attr]
                case "draw", int(seat):
                    found += [Action("draw", seat, (), (("count", n),)) for n in prompt.choices[0].values]
                case "reveal", int(seat):
                    found.append(Action("reveal", seat, self._down(state, seat)))
                case "play", int(seat):
                    found += self._plays(seat, prompt.slot.faces, prompt.slot.side)  # type: ignore[union-attr]
                case "fold", int(seat):
                    found += self._folds(state, seat, prompt.choices[0].values[0] if prompt.choices else None)
        return found

    def _exposures(self, seat: int, most: int, least: int) -> Iterator[Action]:
        """One sample of each size: which cards, chance decides."""
        for count in range(least, most + 1):
            yield Action("expose", seat, tuple(self._chance.sample(self.hand[seat], count)))

    def _plays(self, seat: int, faces: tuple[str, ...] | None, side: str) -> Iterator[Action]:
        cards = dict.fromkeys(self.hand[seat] if faces is None else faces)
        if side != "down":
            yield from (Action("play", seat, (card,)) for card in cards)
        if side != "up":
            yield Action("play", seat, (UNKNOWN,))

    def _folds(self, state: State, seat: int, source: object) -> Iterator[Action]:
        if source is None:
            yield Action("fold", seat, self._down(state, seat))
            return
        hidden = source == "hidden"
        args = (("source", "hidden" if hidden else "exposed"),)
        if hidden and self._rules.penalty_side == "down":
            yield Action("fold", seat, (UNKNOWN,), args)
            return
        for card in dict.fromkeys(self.hand[seat] if hidden else self.exposed[seat]):
            yield Action("fold", seat, (card,), args)

    def _down(self, state: State, seat: int) -> tuple[str, ...]:
        """The true faces of what the seat has lying face down."""
        shown = state.players[seat].played
        return tuple(true for true, card in zip(self.play[seat], shown, strict=True) if card == UNKNOWN)

    # --- what it does to the cards --------------------------------------------------------------------------------

    def follow(self, before: State, action: Action, after: State) -> None:
        if action.kind == "next-game":
            self._deal()
            return
        if action.kind == "pot":
            self.pot, self.rest = self.rest, []
        elif action.seat is not None:
            self._move(before, action, action.seat)
        self._settle(after)

    def _move(self, before: State, action: Action, seat: int) -> None:
        match action.kind:
            case "expose":
                self._take(self.hand[seat], action.cards, self.exposed[seat])
            case "play":
                source = self.exposed[seat] if len(self.play[seat]) == 1 else self.hand[seat]
                card = self._choose_down(seat) if action.cards == (UNKNOWN,) else action.cards[0]
                self._take(source, (card,), self.play[seat])
            case "fold" if not before.players[seat].played:
                hidden = action.arg("source") == "hidden"
                card = action.cards[0] if action.cards[0] != UNKNOWN else self._chance.choice(self.hand[seat])
                self._take(self.hand[seat] if hidden else self.exposed[seat], (card,), self.pot)

    @staticmethod
    def _take(source: list[str], cards: tuple[str, ...], target: list[str]) -> None:
        for card in cards:
            source.remove(card)
            target.append(card)

    def _choose_down(self, seat: int) -> str:
        """The hidden card that goes face down: as third card the best one, as first card any."""
        if len(self.play[seat]) < 2:
            return self._chance.choice(self.hand[seat])
        return max(self.hand[seat], key=lambda card: self._key((*self.play[seat], card)))

    def _settle(self, after: State) -> None:
        """Everything that is no longer where it was goes to the captured piles that have grown, else to the pot."""
        loose = self.pot
        for seat, player in enumerate(after.players):
            while len(self.stock[seat]) > player.stock and len(self.hand[seat]) < player.hidden:
                self.hand[seat].append(self.stock[seat].pop())
            if not player.played:
                loose, self.play[seat] = loose + self.play[seat], []
            for pile, kept in ((self.hand[seat], player.hidden), (self.stock[seat], player.stock)):
                loose, pile[kept:] = loose + pile[kept:], []
            if len(self.exposed[seat]) != len(player.exposed):
                for card in (Counter(self.exposed[seat]) - Counter(player.exposed)).elements():
                    self.exposed[seat].remove(card)
                    loose.append(card)
        self.pot = self._distributed(loose, after)

    def _distributed(self, loose: list[str], after: State) -> list[str]:
        for seat, player in enumerate(after.players):
            if len(player.captured) == len(self.captured[seat]):
                continue
            for card in (Counter(player.captured.known) - Counter(self.captured[seat])).elements():
                loose.remove(card)
                self.captured[seat].append(card)
        growing = [s for s, p in enumerate(after.players) if len(p.captured) > len(self.captured[s])]
        if growing:
            self._chance.shuffle(loose)
        for seat in growing:
            count = len(after.players[seat].captured) - len(self.captured[seat])
            kept = Counter(after.pot.known)
            for card in [c for c in loose if not kept[c]][:count]:
                loose.remove(card)
                self.captured[seat].append(card)
        return loose

    # --- thinking ahead -------------------------------------------------------------------------------------------

    def _hold(self, zones: dict[str, list[str]]) -> None:
        self.pot, self.rest = zones["pot"], zones["rest"]
        seats = range(self._rules.seats)
        self.hand, self.stock = [zones[f"hand:{s}"] for s in seats], [zones[f"stock:{s}"] for s in seats]
        self.exposed, self.play = [zones[f"exposed:{s}"] for s in seats], [zones[f"play:{s}"] for s in seats]
        self.captured = [zones[f"captured:{s}"] for s in seats]

    def own_places(self, seat: int) -> tuple[str, ...]:
        return (f"play:{seat}",)

    breadth: ClassVar[int] = 100
    """All ways to lay open three of nine cards."""

    def considered(self, seat: int, actions: Sequence[Action], picked: Action) -> list[Action]:
        """Of cards to lay open every choice of the number that looks best."""
        if picked.kind != "expose":
            return super().considered(seat, actions, picked)
        picks = {tuple(sorted(cards)) for cards in combinations(self.hand[seat], len(picked.cards))}
        return [Action("expose", seat, cards) for cards in sorted(picks)]

    def insight(self, state: State, action: Action) -> float | None:
        """Lays open what makes the two best hands of different cards with those that stay hidden."""
        if action.kind != "expose" or action.seat is None:
            return self.worth(state, action)
        hidden = list((Counter(self.hand[action.seat]) - Counter(action.cards)).elements())
        shown = self.exposed[action.seat] + list(action.cards)
        return self.worth(state, action) + self._two_hands(hidden, shown) / 100

    def _two_hands(self, hidden: list[str], shown: list[str]) -> float:
        """The key of the best hand, and half of that of the best one beside it."""
        pairs = list(combinations(range(len(hidden)), 2))
        hands = [(self._key((hidden[i], card, hidden[j])), i, j, at) for at, card in enumerate(shown) for i, j in pairs]
        if not hands:
            return 0.0
        best, *used = max(hands)
        left = (key for key, i, j, at in hands if i not in used[:2] and j not in used[:2] and at != used[2])
        return best + max(left, default=0) / 2

    # --- simple sense ---------------------------------------------------------------------------------------------

    def _key(self, cards: tuple[str, ...]) -> int:
        return self._judge.ranking.key(cards)

    def worth(self, state: State, action: Action) -> float:
        """Refill first; play towards the best hand within reach; fold when nothing is."""
        seat = action.seat
        if seat is None or action.kind == "reveal":
            return 100.0
        player = state.players[seat]
        match action.kind:
            case "draw":
                return 60.0 + int(action.arg("count"))
            case "expose":
                poor = not player.stock and player.hidden - len(action.cards) < KEEP
                return -1.0 if poor else 70.0 + len(action.cards)
            case "play":
                return float(self._reach(state, seat, action.cards[0]))
        return 0.5 if action.arg("source") != "exposed" else 0.25

    def _reach(self, state: State, seat: int, card: str) -> int:
        """The key of the best hand that `card` can still become, 0 when it can become none."""
        hidden, played = self.hand[seat], tuple(self.play[seat])
        if not played:
            firsts = hidden if card == UNKNOWN else [card]
            return max(self._best_with(first, seat) for first in dict.fromkeys(firsts))
        if len(played) == 1:
            return max((self._key((*played, card, last)) for last in hidden), default=0)
        if card != UNKNOWN:
            return self._key((*played, card))
        return max((self._key((*played, last)) for last in hidden), default=0)

    def _best_with(self, first: str, seat: int) -> int:
        hidden = list(self.hand[seat])
        hidden.remove(first)
        return max((self._key((first, second, last)) for second in self.exposed[seat] for last in hidden), default=0)
