"""The true cards of one practice game: what the person may do with them, and what the bots do."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from threading import Lock
from typing import Any

from companion.games import UNKNOWN, Action, Prompt, Violation
from companion.games.implied import is_foul, judged
from companion.games.world import World
from companion.referee import Match
from companion.referee.bots import BOTS, sensible, thought

ME = 0
"""The seat of the person."""

LEVELS = BOTS[1:]
"""How well bots may play."""

THINKING = 0.4
"""s that a strong bot may think about one action."""

WAYS = 64
"""So many ways to say how a move is meant are tried at most."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something the person may do. `cards`: those he chooses from in his hand (None: he chooses none), `least` to
    `most` of them, face `down` or up; `options`: ready choices of cards (their faces only where he may know them);
    `draws`: cards come to his hand first, then he chooses."""

    id: str
    prompt: Prompt
    cards: tuple[str, ...] | None = None
    least: int = 0
    most: int = 0
    down: bool = False
    options: tuple[Action, ...] = ()
    open: bool = False
    draws: bool = False


class NotSoError(Exception):
    """The person's move is not possible. `violations`: what the referee says; empty: not with these cards. `ways`: it
    can be meant in several ways, and he has to say which."""

    def __init__(self, violations: Sequence[Violation] = (), ways: Sequence[Action] = ()) -> None:
        super().__init__("this move is not possible")
        self.violations, self.ways = tuple(violations), tuple(ways)


@dataclass(slots=True)
class Deal:
    """The true cards of one practice game, as far as its journal has come."""

    seed: str
    match: Match
    world: World[Any]
    state: Any
    chance: random.Random
    done: list[tuple[int, Action]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, match: Match, seed: str) -> Deal:
        """The deal before the first action."""
        chance = random.Random(seed)
        first = Match.of(match.events[:1])
        return cls(seed, match, match.game.world(first.setup, chance), first.state, chance)

    def actions(self) -> list[Action]:
        """What may be done now, with true cards; the same every time it is asked."""
        self.chance.seed(f"{self.seed}:{len(self.done)}")
        return self.world.actions(self.state)

    def catch_up(self, match: Match, chosen: Mapping[str, Sequence[str]]) -> bool:
        """Go on to `match`; False when it is no continuation of what was dealt (something was taken back)."""
        self.match = match
        standing = [(e.seq, e.action) for e in match.entries if e.action and e.standing]
        if standing[: len(self.done)] != self.done:
            return False
        for seq, action in standing[len(self.done) :]:
            self._do(action, chosen.get(str(seq)))
            self.done.append((seq, action))
        return True

    def _do(self, action: Action, chosen: Sequence[str] | None) -> None:
        left_out, _, _ = judged(self.match.game, self.state, action)
        self.actions()
        for step in (*left_out, action):
            self.chance.seed(f"{self.seed}:{len(self.done)}:{step.kind}")
            before = {zone: list(cards) for zone, cards in self.world.zones().items()}
            after = self.match.game.apply(self.state, step)
            self.world.follow(self.state, step, after)
            self.state = after
        if chosen:
            self._as_chosen(before, chosen)

    def _as_chosen(self, before: Mapping[str, Sequence[str]], chosen: Sequence[str]) -> None:
        """The world has put down cards of its own choice: those that the person chose take their places."""
        zones = self.world.zones()
        hand = zones[f"hand:{ME}"]
        gone, meant = Counter(before[f"hand:{ME}"]) - Counter(hand), Counter(chosen)
        for wrong, right in zip((gone - meant).elements(), (meant - gone).elements(), strict=False):
            for zone, cards in zones.items():
                came = cards.count(wrong) > list(before.get(zone, ())).count(wrong)
                if came and zone != f"hand:{ME}" and right in hand:
                    cards[len(cards) - 1 - cards[::-1].index(wrong)] = right
                    hand[hand.index(right)] = wrong
                    break

    def hand(self) -> list[str]:
        """The cards in the person's hand, sorted as the deck is."""
        cards = self.world.zones().get(f"hand:{ME}", [])
        order = {face: at for at, face in enumerate(self.match.deck.codes)}
        return sorted(cards, key=lambda face: order.get(face, 999))

    def aside(self) -> list[str]:
        """The cards that lie face down before the person, and that he knows."""
        zones = self.world.zones()
        return [card for zone in self.world.own_places(ME) for card in zones.get(zone, [])]

    # --- what the person may do ------------------------------------------------------------------------------------

    def moves(self, drawing: str | None) -> list[Move]:
        """The person's moves. `drawing`: the kind of action for which he has taken cards already."""
        offered = self.actions()
        found: list[Move] = []
        for at, prompt in enumerate(self.match.game.prompts(self.state)):
            if prompt.seat in (None, ME) and (drawing is None or prompt.kind == drawing):
                fitting = [action for action in offered if _fits(action, prompt)]
                found += self._moves(f"{prompt.kind}-{at}", prompt, fitting, drawing)
        return found

    def _moves(self, name: str, prompt: Prompt, offered: list[Action], drawing: str | None) -> Iterator[Move]:
        slot, hand = prompt.slot, self.hand()
        if slot is None or not slot.most:
            if offered or not is_foul(self.match.game.check(self.state, Action(prompt.kind, prompt.seat))):
                yield Move(name, prompt)
            return
        if self.world.taken_first(self.state, prompt.kind, ME):
            whole = (*hand, *self.world.taken_first(self.state, prompt.kind, ME))
            if drawing is None:
                yield Move(name, prompt, draws=True)
            else:
                yield Move(name, prompt, whole, slot.least, slot.most)
            return
        if slot.source == f"hand:{ME}":
            if len(hand) < slot.least:
                return
            if slot.side == "down":
                yield Move(name, prompt, tuple(hand), slot.least, slot.most, down=True)
                return
            cards = list(hand) if slot.faces is None else list((Counter(hand) & Counter(slot.faces)).elements())
            if slot.most == 1 and offered:
                cards = [card for card in cards if any(card in action.cards for action in offered)]
            if cards and len(cards) >= slot.least:
                yield Move(f"{name}-up", prompt, tuple(cards), slot.least, min(slot.most, len(cards)))
            if slot.side == "any" and slot.most == 1:
                yield Move(f"{name}-down", prompt, tuple(hand), slot.least, slot.most, down=True)
            return
        if offered:
            seen = slot.source is not None and not slot.source.startswith("stock")
            known = all(card in hand for action in offered for card in action.cards)
            yield Move(name, prompt, options=tuple(dict.fromkeys(offered)), open=seen or known)

    def meant(self, move: Move, cards: Sequence[str], option: int | None, args: Mapping[str, Any]) -> Action:
        """The action that the person means by a move. Raises NotSoError."""
        prompt = move.prompt
        if move.options:
            if option is None and len(move.options) > 1:
                raise NotSoError
            at = option or 0
            if not 0 <= at < len(move.options):
                raise NotSoError
            action = move.options[at]
            if is_foul(broken := self.match.game.check(self.state, action)):
                raise NotSoError(broken)
            return action
        if move.cards is not None:
            if Counter(cards) - Counter(move.cards) or not move.least <= len(cards) <= move.most:
                raise NotSoError
        elif cards:
            raise NotSoError
        shown = (UNKNOWN,) * len(cards) if move.down else tuple(cards)
        return self._one_way(prompt, shown, args)

    def _one_way(self, prompt: Prompt, cards: tuple[str, ...], args: Mapping[str, Any]) -> Action:
        """What may be left to say is said where there is one way only."""
        known = [[(c.name, v) for v in c.values if args.get(c.name, v) == v] for c in prompt.choices]
        ways = [Action(prompt.kind, prompt.seat, cards, tuple(sorted(way))) for way in islice(product(*known), WAYS)]
        judgements = [(way, self.match.game.check(self.state, way)) for way in ways]
        good = [way for way, broken in judgements if not is_foul(broken)]
        if len(good) == 1:
            return good[0]
        raise NotSoError(judgements[0][1] if judgements and not good else (), good)

    # --- what the bots do ------------------------------------------------------------------------------------------

    def bots(self, level: str, passed: bool) -> Action | None:
        """What one of the bots does now, or the table by itself; None when the person is to act. `passed`: he lets the
        others go on."""
        offered = self.actions()
        waits = {prompt.kind for prompt in self.match.game.prompts(self.state) if prompt.skipped is not None}
        theirs = [a for a in offered if a.seat != ME and not (a.seat is None and a.kind in waits)]
        if not theirs:
            return None
        mine = [action for action in offered if action.seat == ME]
        worth = {id(action): self.world.worth(self.state, action) for action in (*theirs, *mine)}
        best = max(worth[id(action)] for action in theirs)
        if mine and not passed and max(worth[id(action)] for action in mine) > best:
            return None
        chance = random.Random(f"{self.seed}:{len(self.done)}:bot")
        picked = sensible(self.world, self.state, theirs, chance)
        if level != "strong" or picked.seat is None:
            return picked
        end = time.monotonic() + THINKING
        rules = self.match.game
        return thought(rules, self.world, self.state, theirs, picked, chance, lambda: time.monotonic() > end)


def _fits(action: Action, prompt: Prompt) -> bool:
    """Is `action` an answer to `prompt`, and to no other one of its kind?"""
    if (action.kind, action.seat) != (prompt.kind, prompt.seat):
        return False
    values = {choice.name: choice.values for choice in prompt.choices}
    if any(name in values and value not in values[name] for name, value in action.args):
        return False
    faces = prompt.slot.faces if prompt.slot else None
    return faces is None or not Counter(c for c in action.cards if c != UNKNOWN) - Counter(faces)
