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
from copy import copy
from functools import lru_cache
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.games.values import Action, Zone

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

    _places: dict[str, list[str]]
    _chance: Chance

    @abstractmethod
    def actions(self, state: S) -> list[Action]:
        """Every concrete action (or a fair sample) that is open now, over all seats; empty when the game is over."""

    @abstractmethod
    def follow(self, before: S, action: Action, after: S) -> None:
        """Move the true cards as `action`, which took the game from `before` to `after`, says."""

    @abstractmethod
    def zones(self) -> dict[str, list[str]]:
        """True faces by zone id; together they are the whole deck."""

    # --- what thinking ahead needs (`companion.referee.bots`) --------------------------------------------------------

    breadth: ClassVar[int] = 6
    """So many actions of a decision are looked at, the most sensible ones."""
    samples: ClassVar[int] = 6
    """In so many imagined worlds each of them is tried."""
    horizon: ClassVar[int] = 10
    """So many actions are played on at most."""
    doubt: ClassVar[float] = 0.0
    """By so many standard errors an action has to do better in them than the most sensible one to be taken."""
    only: ClassVar[dict[str, str]] = {}
    """Faces of which everybody knows in which hidden place they are, if they are hidden."""

    def copy(self) -> World[S]:
        """A world of its own with the same cards in the same places."""
        twin = copy(self)
        twin._hold({zone: cards[:] for zone, cards in self.zones().items()})
        return twin

    def imagined(self, known: Sequence[Zone], seat: int, chance: Chance) -> World[S]:
        """A world that `seat` cannot tell from this one: his own hand, what only he knows and the cards that everybody
        knows (`known`, the game's whereabouts) lie where they lie, all others are dealt anew over the places left."""
        own = {f"hand:{seat}", *self.own_places(seat)}
        # Every place of a union such as ``pot+captured`` takes from the same cards.
        seen = {part: cards for zone in known for cards in [list(zone.cards)] for part in zone.id.split("+")}
        dealt: dict[str, list[str]] = {}
        gaps: list[tuple[str, int]] = []
        loose: list[str] = []
        for zone, cards in self.zones().items():
            dealt[zone] = cards[:]
            sure = seen.get(zone) or seen.get(zone.partition(":")[0]) or []
            glimpsed = self.glimpsed(seat).get(zone, 0)
            for at, card in enumerate(cards if zone not in own else ()):
                if at < glimpsed:
                    continue
                if card in sure:
                    sure.remove(card)
                else:
                    loose.append(card)
                    gaps.append((zone, at))
        loose.sort()  # where the hidden cards truly lie must not show
        chance.shuffle(loose)
        for face, zone in self.only.items():
            if face in loose and (there := [i for i, gap in enumerate(gaps) if gap[0] == zone]):
                at, to = loose.index(face), chance.choice(there)
                loose[at], loose[to] = loose[to], face
        for (zone, at), card in zip(gaps, loose, strict=True):
            dealt[zone][at] = card
        twin = copy(self)
        twin._chance = chance
        twin._hold(dealt)
        return twin

    def considered(self, seat: int, actions: Sequence[Action], picked: Action) -> list[Action]:
        """The actions worth thinking about beside the one that looks best (`picked`). Default: all of the seat's."""
        return [action for action in actions if action.seat == seat]

    def same(self, action: Action) -> Action:
        """What a choice that was offered in another world comes to in this one: the card turned up may be another."""
        return action

    def glimpsed(self, seat: int) -> dict[str, int]:
        """How many cards from the front of a hidden place `seat` sees before he decides (a card drawn to choose)."""
        return {}

    def taken_first(self, state: S, kind: str, seat: int) -> list[str]:
        """The cards that come to the hand of `seat` in an action of this kind before he says which he lays."""
        return []

    def own_places(self, seat: int) -> tuple[str, ...]:
        """Places beside his hand whose cards `seat` knows: those he laid face down himself."""
        return ()

    def _hold(self, zones: dict[str, list[str]]) -> None:
        """These are the true cards from now on. Default: for worlds that keep them in ``_places``."""
        self._places = zones

    def insight(self, state: S, action: Action) -> float | None:
        """How good `action` is by what its player may know, where that can be said without trying: any scale, more is
        better. None: it has to be tried in imagined worlds."""
        return None

    def settled(self, before: S, after: S) -> bool:
        """Thinking further than `after` tells nothing more: a round or a deal is done."""
        return False

    def promise(self, state: S, seat: int) -> float:
        """How well `seat` stands, by what he may know; any scale, more is better."""
        return 0.0

    def worth(self, state: S, action: Action) -> float:
        """How sensible `action` looks to its player, who knows his own cards and what lies open. Any scale."""
        return 0.0
