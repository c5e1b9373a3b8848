"""The contract every game keeps.

A game is a pure function of its events. It never shuffles, never asks the clock and never sees a hidden card:
the people at the table hold the cards, the game knows what has been shown. A hand is therefore *known cards +
a count of unknown ones* (`Hand`), and a judgement is one of three (`Verdict`): legal, foul, or unproven. What goes in
and comes out is plain data (`companion.games.values`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from companion.cards import Deck, Recommendation
from companion.games.fitting import Unfit, same_cards
from companion.games.values import Action, Option, Prompt, Role, ScoreLine, Verdict, View, Violation, Zone
from companion.games.world import Chance, World


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game is started: players in seat order, the deck's name, chosen options (missing = default)."""

    players: tuple[str, ...]
    deck: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def chosen(self, game: Game[Any]) -> dict[str, str]:
        """The value in force for every option of `game`, in the order of its options."""
        return {option.name: option.default for option in game.options} | dict(self.options)

    def option(self, game: Game[Any], name: str) -> str:
        """The value in force for one option of `game`."""
        return self.chosen(game)[name]


class SetupError(ValueError):
    """The set-up is impossible; the message is one sentence that says what is wrong and what is allowed."""


S = TypeVar("S")


class Game(ABC, Generic[S]):
    """A game. States are immutable; every method is pure and total on the states it made itself."""

    id: ClassVar[str]
    least_players: ClassVar[int]
    most_players: ClassVar[int]
    decks: ClassVar[tuple[str, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    jokers_differ: ClassVar[bool] = False
    """The jokers of the deck mean different things. Otherwise nobody tells them apart, whatever number is read."""
    endless: ClassVar[bool] = False
    """The game has no end of its own: people stop when they like."""
    unseen: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """What it costs to suppose, because later cards say so, that an action of this kind was done without a trace on
    the table: about minus the logarithm of how likely that is, 99 for never. Kinds not named: little where nothing
    else can be done, more than what makes an action certain where something can."""
    patience: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """So long, s, the cards of an action of this kind lie still before it counts as over. Kinds not named: not at all
    when no card more may come, a while when one may."""

    drawn: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Kinds of action that lay cards and draw from a stack: "before" those lie, or "after"."""

    def recommended_deck(self, players: int) -> str:
        """The deck used when a `Setup` names none. Default: the first of `decks`."""
        return self.decks[0]

    def recommended_decks(self, players: int) -> tuple[Recommendation, ...]:
        """The decks that the rule sheet recommends for so many players, in its order. Default: none."""
        return ()

    def unfit(self, own: Deck) -> Unfit | None:
        """Why the game cannot be played with the deck `own`, which is none of `decks`; None where it can. Default: it
        can where `own` has the same cards, however they look and whatever they are called."""
        return same_cards(own, self.decks)

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """The first state. Raises SetupError."""

    @abstractmethod
    def prompts(self, state: S) -> tuple[Prompt, ...]:
        """Everything that may happen now. Empty when the game is over."""

    @abstractmethod
    def check(self, state: S, action: Action) -> tuple[Violation, ...]:
        """Why `action` is not in order now; empty when it is. Never raises on odd actions: they get a code."""

    def proves(self, state: S, action: Action) -> tuple[Violation, ...]:
        """What `action` brings to light about earlier actions: fouls that could not be known when they happened
        (a revoke, shown by the suit that turns up). The action itself may be quite in order. Default: nothing."""
        return ()

    def implies(self, state: S, action: Action) -> tuple[Action, ...]:
        """What `apply` takes as done before `action` although nobody said so, for the record. Default: nothing."""
        return ()

    def full(self, state: S, action: Action) -> bool:
        """No card more can belong to `action`, although what is open in `state` would take one. Default: False."""
        return False

    def decides(self, state: S, doubt: Violation) -> Verdict | None:
        """What has become of an earlier `doubt` (an unproven violation) now that the game has come to `state`: a foul,
        in order because everything that could tell has been seen, or None while it is open. Asked after every action
        from the doubtful one on, until it is decided. Default: it stays open."""
        return None

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """The state after `action`. A fouled action that the table lets stand is applied as what really lies
        there, as far as it can be; an action that means nothing here leaves the state as it is."""

    @abstractmethod
    def expected_table(self, state: S) -> tuple[Zone, ...]:
        """Which faces should lie in which zone."""

    def whereabouts(self, state: S) -> tuple[Zone, ...]:
        """Every place with all faces known to be there, each physical card once: the table, and beyond it hands
        (known part and a count), piles and cards put away. The referee counts copies over this, and tests weigh
        it against the true cards. A place may be a union, such as ``pot+captured`` for the pot and all captured piles
        when nobody has said which card went where. Default: the expected table, for games without hidden hands."""
        return self.expected_table(state)

    @abstractmethod
    def scores(self, state: S) -> tuple[ScoreLine, ...]:
        """The score sheet so far; a player's total is the sum of his lines."""

    def winners(self, state: S) -> tuple[int, ...]:
        """The seats that have won, several for a draw; empty while the game goes on. Default: the highest total."""
        if self.prompts(state):
            return ()
        totals = self.totals(state)
        return tuple(seat for seat, total in totals.items() if total == max(totals.values()))

    def totals(self, state: S) -> dict[int, int]:
        """Every seat's sum of score lines, seats without a line included."""
        totals = dict.fromkeys(range(len(self.view(state, Role()).players)), 0)
        for line in self.scores(state):
            totals[line.seat] += line.points
        return totals

    @abstractmethod
    def view(self, state: S, role: Role) -> View:
        """What somebody in `role` may see."""

    @abstractmethod
    def world(self, setup: Setup, chance: Chance) -> World[S]:
        """A true deal for bots and tests: real cards, shuffled by `chance`, that answer every prompt."""
