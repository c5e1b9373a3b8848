"""The table as it really is: what bots play with, and what tests weigh the referee's knowledge against.

A game (`contract.Game`) never sees a hidden card. To play whole games by itself the program needs somebody who
holds real cards: a `World`. It deals the true deck with a `Chance` that is handed in (``random.Random(seed)``
fits; this room itself has no randomness), and it answers the game's prompts with cards that really are where
they are said to be. It is the people and the cards of a table, played by the program.

How a game author writes one, in four steps (`three_card_trick_poker/world.py` is the worked example):

1. ``__init__(setup, chance)``: shuffle the real deck, keep one list of faces per place (``hand:0``, ``stock`` …).
2. ``actions(state)``: every action that somebody may take now, concretely, for *all* seats that have a prompt.
   Faces that the action shows are filled in from the true cards (the top of the stock that will be turned up);
   a card that goes face down is ``UNKNOWN``. If there are more than some hundreds, a fair sample drawn with
   `chance` will do, as long as it is never empty while `prompts` is not. Nobody peeks: which action is *taken* is
   the bot's choice, and `worth` may only look at what the acting seat may know.
3. ``follow(before, action, after)``: the action was taken; move the true cards accordingly. An action with
   ``UNKNOWN`` cards: the world decides here which true card that was (drawn with `chance`, or the one it had in
   mind when it offered the action), and remembers.
4. ``zones()``: the true faces by zone id, every card of the deck exactly once, hands and stock included.

The tests then hold for every game without a line of their own: what `actions` offers, `check` does not call a
foul; zones the game claims (`Game.whereabouts`) hold the cards that truly lie there; nothing is lost or doubled;
games end. `worth` is the "simple sense" of a bot: higher is better, ties are broken by chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from companion.games.values import Action

S = TypeVar("S")
T = TypeVar("T")


class Chance(Protocol):
    """The part of ``random.Random`` that worlds and bots use."""

    def shuffle(self, x: MutableSequence[Any], /) -> None: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def randrange(self, stop: int, /) -> int: ...

    def random(self) -> float: ...

    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


@lru_cache(maxsize=8192)
def offer(kind: str, seat: int | None = None, cards: tuple[str, ...] = ()) -> Action:
    """``Action(kind, seat, cards)``, made once: worlds offer the same few actions over and over."""
    return Action(kind, seat, cards)


class World(ABC, Generic[S]):
    """The true cards of one table. Mutable; belongs to exactly one game that is being played."""

    @abstractmethod
    def actions(self, state: S) -> list[Action]:
        """Every concrete action (or a fair sample) that is open now, over all seats; empty when the game is over."""

    @abstractmethod
    def follow(self, before: S, action: Action, after: S) -> None:
        """Move the true cards as `action`, which took the game from `before` to `after`, says."""

    @abstractmethod
    def zones(self) -> dict[str, list[str]]:
        """True faces by zone id; together they are the whole deck."""

    def worth(self, state: S, action: Action) -> float:
        """How sensible `action` looks to its player, who knows his own cards and what lies open. Any scale."""
        return 0.0
