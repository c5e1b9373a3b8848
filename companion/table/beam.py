"""What may have happened, as a small beam of hypotheses: the state of the game, what was done since the last certain
moment, and a cost, about minus the logarithm of how likely that is.

Every hypothesis is judged by the whole table. One that does nothing is always among them: something else happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.cards import Deck
from companion.games import Action, Game, Prompt, Zone
from companion.games.implied import is_foul, judged, open_prompts
from companion.referee.copies import surplus
from companion.table.fill import Filled, Pool, fill
from companion.table.misfit import misfit
from companion.table.sight import Sight
from companion.table.tidy import Lag, lagging, less, untidied, without
from companion.vision.types import SeenCard, Side

SEEN, FOUL, ALONE, AMONG = 0.3, 2.0, 0.5, 3.0
"""Costs of an action: one that shows; one against the rules; one without a trace that was the only thing to do; one
without a trace among others. A game may declare its own for the last two (`Game.unseen`)."""
IMPLIED = 0.4
"""Cost of each step that an action says was done before it, as the rules take it."""
DISORDER = 3.0
"""Cost of an action whose cards came before those of the action before it."""
SPLIT = 3.0
"""Cost of the same again by the same player, where he could have laid it all at once."""
DETOUR = 4.0
"""So much worse may the table fit after an action whose cards have been moved on since."""
NEVER = 99.0
MOST_STEPS = 8
WIDTH = 6
KEPT = 12
SLACK = 8.0
MOST_CARRIED = 3.0
"""No more than this counts on of what did not fit at an earlier look."""
SETTLED = 0.25
"""A table that fits so well holds nothing to explain."""
_LAGGING = 0.05
_AT_ONCE = 0.2

Content = tuple[str, int | None, tuple[str, ...], tuple[tuple[str, Any], ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a hypothesis. `zones`: those in sight that it changes; `seen`: it changes any; `since`: when its
    cards came; `patience`: so long its zones have to rest before it is over, s; `room`: so many cards could have
    been laid at once."""

    filled: Filled
    zones: tuple[str, ...]
    after: Any
    foul: bool
    seen: bool
    since: float | None
    patience: float
    room: int = 0

    @property
    def action(self) -> Action:
        return self.filled.action

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        return self.filled.cards

    @property
    def guess(self) -> str | None:
        """What the card without a name is taken for."""
        pairs = zip(self.filled.cards, self.filled.action.cards, strict=False)
        return next((face for card, face in pairs if card is self.filled.unread), None)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state that may be the true one, how it came to be, what that costs, and how badly the table fits it now."""

    state: Any
    zones: Mapping[str, Zone]
    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    lag: Lag = frozenset()
    present: float = 0.0
    whole: bool = True
    """False: only another action makes sense of the last one."""

    @property
    def total(self) -> float:
        return self.cost + self.present


def content(action: Action) -> Content:
    """What an action says, the order of its cards left out."""
    return action.kind, action.seat, tuple(sorted(action.cards)), action.args


@dataclass(slots=True)
class Beam:
    """See the module."""

    game: Game[Any]
    deck: Deck | None = None
    hypotheses: list[Hypothesis] = field(default_factory=list)
    refused: set[tuple[str, int | None, tuple[str, ...]]] = field(default_factory=set)
    """Actions (kind, seat, cards) that people do not want to hear of."""
    named: dict[int, str | None] = field(default_factory=dict)
    """What people said of cards, by number; None: that is no card."""
    known: Mapping[str, set[int]] = field(default_factory=dict)
    """Numbers of the cards that were seen to lie in a zone as the certain state says."""
    _costs: dict[Zone, float] = field(default_factory=dict)
    _sight: Sight = field(default_factory=dict)

    # --- roots -----------------------------------------------------------------------------------------------------

    def start(self, state: Any, lag: Lag = frozenset()) -> None:
        """Begin anew from a state that is certain."""
        self.hypotheses = [Hypothesis(state, self._expected(state), lag=lag)]

    def advance(self, state: Any) -> bool:
        """Take `state` as certain: hypotheses that lead over it go on from there. False when none does."""
        kept = []
        for known in self.hypotheses:
            for at, step in enumerate(known.steps, start=1):
                if step.after == state:
                    kept.append(replace(known, steps=known.steps[at:]))
                    break
        if kept:
            if all(known.steps for known in kept):
                lag = next(iter(kept)).lag
                kept.append(Hypothesis(state, self._expected(state), (), min(k.cost for k in kept), lag))
            self.hypotheses = kept
        return bool(kept)

    def _expected(self, state: Any) -> dict[str, Zone]:
        return {zone.id: zone for zone in self.game.expected_table(state)}

    # --- evidence --------------------------------------------------------------------------------------------------

    def weigh(self, sight: Sight, weight: float, *, search: bool = True) -> None:
        """Judge every hypothesis by what is in sight now, and think of new ones. `weight` (0..1): how much of the
        misfit so far counts on, because the table lay so for long."""
        carried = [replace(h, cost=h.cost + min(MOST_CARRIED, weight * h.present)) for h in self.hypotheses]
        carried = [h for h in carried if all(self._agrees(step) for step in h.steps)] or carried
        least = min(h.cost for h in carried)
        self._costs, self._sight = {}, sight
        known = [self._judged(replace(h, cost=h.cost - least, lag=untidied(h.lag, sight))) for h in carried]
        found = self._search(known) if search else known
        roots = [h for h in found if not h.steps]
        kept = sorted((h for h in found if not h.steps or (h.whole and h.steps[-1].seen)), key=lambda h: h.total)[:KEPT]
        self.hypotheses = kept + [h for h in roots if h not in kept]

    def _agrees(self, step: Step) -> bool:
        """What people said of a card is what the step takes it for."""
        card = step.filled.unread
        return card is None or card.track not in self.named or step.guess == self.named[card.track]

    def _search(self, known: list[Hypothesis]) -> list[Hypothesis]:
        pool: dict[Any, Hypothesis] = {}
        for hypothesis in known:
            _keep(pool, hypothesis)
        frontier = sorted(pool.values(), key=lambda h: h.total)
        for _ in range(MOST_STEPS):
            best = min(h.total for h in pool.values())
            fresh = []
            # What was certain before is always thought on from: what came since may have been one thing.
            roots = [h for h in frontier if not h.steps]
            likely = [h for h in frontier if h.steps and h.total <= best + SLACK][:WIDTH]
            for hypothesis in roots + likely:
                if hypothesis.present >= SETTLED and len(hypothesis.steps) < 3 * MOST_STEPS:
                    fresh += [child for child in self._children(hypothesis) if _keep(pool, child)]
            frontier = sorted(fresh, key=lambda h: h.total)
            if not frontier:
                break
        return list(pool.values())

    def _children(self, parent: Hypothesis) -> Iterator[Hypothesis]:
        pool = Pool.of(parent.zones, self._untidied(parent))
        alone = len(self.game.prompts(parent.state)) == 1
        for prompt in open_prompts(self.game, parent.state):
            for filled in fill(prompt, pool, self._sight):
                child = self._child(parent, prompt, filled, alone=alone)
                if child is not None:
                    yield child

    def _child(self, parent: Hypothesis, prompt: Prompt, filled: Filled, *, alone: bool) -> Hypothesis | None:
        action = filled.action
        if (action.kind, action.seat, tuple(sorted(action.cards))) in self.refused:
            return None
        implied, there, violations = judged(self.game, parent.state, action)
        foul = is_foul(violations)
        after = self.game.apply(there, action)
        zones = self._expected(after)
        changed = tuple(z for z in self._sight if _claim(parent.zones.get(z)) != _claim(zones.get(z)))
        if not changed and (foul or after == parent.state):
            return None
        cleared = zones if not action.cards else self._expected(there) if implied else None
        if cleared is not None and self._still_there(parent, cleared):
            return None
        price = SEEN if changed else self._unseen(prompt, alone=alone)
        if price >= NEVER or (implied and not (changed and filled.cards)):
            return None
        price += IMPLIED * len(implied)
        since = max((card.since for card in filled.cards), default=None)
        before = next((step.since for step in reversed(parent.steps) if step.since is not None), None)
        if since is not None and before is not None and since < before - _AT_ONCE:
            price += DISORDER
        price += self._split(parent, prompt, action.cards)
        room = self._room(parent, prompt)
        patience = self._patience(prompt, filled, room)
        step = Step(filled, changed, after, foul, bool(changed), since, patience, room)
        target = prompt.slot.target if prompt.slot is not None else None
        lag = lagging(parent.zones, action, zones, target) | parent.lag
        cost = parent.cost + price + filled.price + (FOUL if foul else 0.0)
        child = self._judged(Hypothesis(after, zones, (*parent.steps, step), cost, lag))
        if changed and child.total >= parent.total:
            if not filled.elsewhere or child.total >= parent.total + DETOUR:
                return None
            child = replace(child, whole=False)
        if not foul and self.deck is not None and surplus(self.game, self.deck, there, action, after):
            step = replace(step, foul=True)
            child = replace(child, steps=(*parent.steps, step), cost=child.cost + FOUL)
        return child

    def _split(self, parent: Hypothesis, prompt: Prompt, cards: Sequence[str]) -> float:
        """What it costs to take as two actions what one could have been."""
        last = parent.steps[-1] if parent.steps else None
        if last is None or (last.action.kind, last.action.seat) != (prompt.kind, prompt.seat):
            return 0.0
        return SPLIT if last.room >= len(last.action.cards) + len(cards) > 1 else 0.0

    def _still_there(self, parent: Hypothesis, after: Mapping[str, Zone]) -> bool:
        """Some card lies where it has to be gone after an action that only takes cards away."""
        laid = {card.track for step in parent.steps for card in step.cards}
        for name, seen in self._sight.items():
            if not seen.resting:
                continue
            before, then = parent.zones.get(name, Zone(name)), after.get(name, Zone(name))
            if _claim(before) == _claim(then):
                continue
            old = laid | self.known.get(name, set())
            cards = [card for card in seen.cards if not old or card.track in old]
            spare = Counter(card.face for card in cards if card.face is not None) - Counter(then.cards)
            if spare & (Counter(before.cards) - Counter(then.cards)):
                return True
            if before.down > then.down and sum(card.side is Side.DOWN for card in cards) > then.down:
                return True
        return False

    def _unseen(self, prompt: Prompt, *, alone: bool) -> float:
        declared = self.game.unseen.get(prompt.kind)
        if declared is not None:
            return declared
        forced = prompt.slot is None or prompt.slot.least == prompt.slot.most
        return ALONE if alone and forced and not prompt.choices else AMONG

    def _room(self, parent: Hypothesis, prompt: Prompt) -> int:
        """How many cards could have been laid at once where this prompt asks for some."""
        if prompt.slot is None:
            return 0
        slots = [p.slot for p in open_prompts(self.game, parent.state) if p.slot is not None and p.seat == prompt.seat]
        same = [s for s in slots if s.target == prompt.slot.target and (s.side != "down" or prompt.slot.side == "down")]
        return max((s.most for s in same), default=prompt.slot.most)

    def _patience(self, prompt: Prompt, filled: Filled, room: int) -> float:
        """How long the zones of an action have to rest before it counts as over."""
        declared = self.game.patience.get(prompt.kind)
        if declared is not None:
            return declared
        if prompt.slot is not None and len(filled.action.cards) < room:
            return UNFINISHED
        return 0.0 if filled.cards else CLEARED

    def _judged(self, hypothesis: Hypothesis) -> Hypothesis:
        return replace(hypothesis, present=sum(self.misfits(hypothesis).values()))

    def misfits(self, hypothesis: Hypothesis) -> dict[str, float]:
        """The cost of every zone in sight that does not look as the hypothesis says."""
        sight, zones = self._untidied(hypothesis), hypothesis.zones
        if sight is not self._sight:
            zones = without(zones, self._sight, hypothesis.lag)
        found = {}
        for name, seen in sight.items():
            if not seen.resting:
                continue  # nobody can tell what lies under a hand
            zone = zones.get(name, Zone(name))
            if seen is self._sight[name]:
                cost = self._costs.get(zone)
                if cost is None:
                    cost = self._costs[zone] = misfit(zone, seen.cards)
            else:
                cost = misfit(zone, seen.cards) + _LAGGING
            if cost:
                found[name] = cost
        return found

    def _untidied(self, hypothesis: Hypothesis) -> Sight:
        """What is in sight, less the cards that people only have not tidied away yet."""
        if not hypothesis.lag:
            return self._sight
        sight = dict(self._sight)
        touched = False
        for face, name, _ in hypothesis.lag:
            seen = sight.get(name)
            if seen is None:
                continue
            zone = hypothesis.zones.get(name, Zone(name))
            left = less(seen.cards, face, zone)
            if left is not seen.cards:
                sight[name] = replace(seen, cards=left)
                touched = True
        return sight if touched else self._sight


CLEARED, UNFINISHED = 1.0, 2.5
"""Seconds of rest before cards that left are gone, and before cards that could be more are all."""


def _keep(pool: dict[Any, Hypothesis], new: Hypothesis) -> bool:
    """Of two ways to the same state keep the better one."""
    old = pool.get(new.state)
    if old is not None and old.total <= new.total:
        return False
    pool[new.state] = new
    return True


def _claim(zone: Zone | None) -> tuple[Any, ...]:
    """What can be seen of a zone: of a pile its top, or that backs lie there."""
    if zone is None:
        return (), 0
    if zone.pile:
        return (zone.cards[-1:], len(zone.cards)) if zone.cards else ((), int(zone.down > 0))
    return tuple(sorted(zone.cards)), zone.down


def ranked(hypotheses: Iterable[Hypothesis]) -> Sequence[Hypothesis]:
    """The cheapest first."""
    return sorted(hypotheses, key=lambda h: (h.total, len(h.steps)))
