"""What may have happened, as a small beam of hypotheses: the state of the game, what was done since the last certain
moment, and a cost, about minus the logarithm of how likely that is.

Every hypothesis is judged by the whole table. One that does nothing is always among them: something else happened.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.cards import Deck
from companion.games import Action, Game, Prompt, Slot, Zone
from companion.games.implied import is_foul, judged, open_prompts
from companion.referee.copies import surplus
from companion.table.compare import claim, gathered, grown
from companion.table.fill import Filled, Pool, fill, stand_in
from companion.table.hypotheses import (
    GATHERED,
    Hypothesis,
    Leaves,
    Said,
    Step,
    Ways,
    came_for,
    content,
    done_with,
    gone,
    leaves_unmoved,
    one_of,
    overlooked,
    patience_for,
    ranked,
    said,
    split,
    still_there,
    thought_on,
    to_be_seen,
    vanished,
    varied,
)
from companion.table.lain import Lain
from companion.table.misfit import MISSING, misfit
from companion.table.parts import Part, among, begun, part_of, with_cards
from companion.table.renamed import SEEN, as_named
from companion.table.sight import Marks, Sight, ZoneSeen, marks
from companion.table.tidy import Lag, lagging, less, less_hidden, untidied, without
from companion.table.touches import Touch
from companion.table.visits import AIMLESS, LEFT_OUT, UNREACHED, Hands
from companion.vision.types import SeenCard

FOUL, ALONE, AMONG = 2.0, 0.5, 3.0
"""Costs of an action: one against the rules; one without a trace that was the only thing to do; one without a trace
among others. A game may declare its own for the last two (`Game.unseen`)."""
TOO_MANY = 4.0
"""Of one that shows more of a face than the deck holds: a foreign card, or a name misread. Chosen by hand."""
IMPLIED = 0.4
"""Cost of each step that an action says was done before it, as the rules take it."""
HIDDEN = 1.0
"""Cost of a card on a pile that was covered before it was seen."""
DISORDER = 3.0
"""Cost of an action whose cards came before those of the action before it."""
AGAIN = 3.0
"""Cost of a card that comes when the same was just taken away by another action, or the other way round."""
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
_LAGGING, _AT_ONCE = 0.05, 0.2
_MOVING = ZoneSeen(resting=False)


@dataclass(slots=True)
class Beam:
    """See the module."""

    game: Game[Any]
    deck: Deck | None = None
    hypotheses: list[Hypothesis] = field(default_factory=list)
    refused: set[Said] = field(default_factory=set)
    """Actions (kind, seat, cards) that people do not want to hear of."""
    denied: set[tuple[str, int | None]] = field(default_factory=set)
    """Of these (kind, seat) people said that they did not happen."""
    named: dict[int, str | None] = field(default_factory=dict)
    """What people said of cards, by number; None: that is no card."""
    told: Mapping[str, tuple[Marks, Zone]] = field(default_factory=dict)
    """Zones that do not look as people say: how they lay then (while so, nothing happened), and how they should."""
    unshown: Mapping[str, Counter[str]] = field(default_factory=dict)
    """Faces that only people put into a zone, and that nobody has seen there yet: they cannot be seen to leave."""
    known: Mapping[str, set[int]] = field(default_factory=dict)
    """Numbers of the cards that were seen to lie in a zone as the certain state says."""
    places: Sight = field(default_factory=dict)
    """All zones of the layout, those out of sight too."""
    cut: Collection[str] = ()
    """Those of them that are partly out of the picture."""
    hands: Hands = field(default_factory=Hands)
    lain: Lain = field(default_factory=Lain)
    _costs: dict[Zone, float] = field(default_factory=dict)
    _sight: Sight = field(default_factory=dict)
    _lay: Counter[str] = field(default_factory=Counter)

    # --- roots -----------------------------------------------------------------------------------------------------

    def start(self, state: Any, lag: Lag = frozenset()) -> None:
        """Begin anew from a state that is certain."""
        self.hypotheses = [Hypothesis(state, self._expected(state), lag=lag)]

    def advance(self, state: Any) -> bool:
        """Take `state` as certain: hypotheses that lead over it go on from there. False when none does."""
        kept = []
        done: list[tuple[float, int, Hypothesis]] = []
        for known in self.hypotheses:
            for at, step in enumerate(known.steps, start=1):
                if step.after == state:
                    done.append((known.total, at, known))
                    kept.append(replace(known, steps=known.steps[at:], did=known.did[at:]))
                    break
        if kept:
            _, at, best = min(done, key=lambda one: one[0])
            for step, hands in zip(best.steps[:at], best.did[:at], strict=True):
                if step.action.seat is not None and step.seen and hands:
                    self.hands.seats.learn(step.action.seat, hands[-1].direction)
            parts = [part for step in best.steps[:at] for part in step.parts]
            self.hands.explain([hand for hands in best.did[:at] for hand in hands], parts)
            if all(known.steps for known in kept):
                kept.append(Hypothesis(state, self._expected(state), (), min(k.cost for k in kept), kept[0].lag))
            self.hypotheses = kept
        return bool(kept)

    def hands_of(self, actions: Sequence[Action]) -> list[Touch]:
        """The hands that probably did one of these, as far as anybody has thought of it: its cards may be others."""
        who = {(action.kind, action.seat) for action in actions}
        found = (
            (step, hands)
            for known in ranked(self.hypotheses)
            for step, hands in zip(known.steps, known.did, strict=True)
            if hands and (step.action.kind, step.action.seat) in who
        )
        return list(min(found, key=lambda pair: not pair[0].filled.hidden, default=(None, ()))[1])

    def _expected(self, state: Any) -> dict[str, Zone]:
        return {zone.id: zone for zone in self.game.expected_table(state)}

    # --- evidence --------------------------------------------------------------------------------------------------

    def weigh(self, sight: Sight, weight: float, *, search: bool = True) -> None:
        """Judge every hypothesis by what is in sight now, and think of new ones. `weight` (0..1): how much of the
        misfit so far counts on, because the table lay so for long."""
        carried = [replace(h, cost=h.cost + min(MOST_CARRIED, weight * h.present)) for h in self.hypotheses]
        carried = as_named(self.game, carried, self.named) or carried
        carried = [h for h in carried if not any(self._refused(step.action) for step in h.steps)]
        self._costs, self._sight = {}, sight
        there = (any(self._still_there(h.steps[:n], s.leaves) for n, s in enumerate(h.steps)) for h in carried)
        carried = [h for h, lies in zip(carried, there, strict=True) if not lies]
        least = min(h.cost for h in carried)
        sure = next((h.zones for h in carried if not h.steps), {})
        self.hands.idle({name: seen for name, seen in sight.items() if claim(sure.get(name)) == claim(None)})
        self._lay = Counter(face for name in sight for face in sure.get(name, Zone(name)).cards)
        self.told = {
            name: told for name, told in self.told.items() if name in sight and marks(sight[name].cards) == told[0]
        }
        known = [self._judged(replace(h, cost=h.cost - least, lag=untidied(h.lag, sight))) for h in carried]
        found = self._search(known) if search else known
        roots = [h for h in found if not h.steps]
        told = (h for h in found if not h.steps or (h.whole and (h.steps[-1].seen or h.did[-1])))
        kept = varied(sorted(told, key=lambda h: h.total), KEPT)
        self.hypotheses = kept + [h for h in roots if h not in kept]

    def _still_there(self, steps: Sequence[Step], leaves: Leaves) -> bool:
        """Cards lie, after these steps, where the next one takes them away: what a hand covered when it was thought of,
        too."""
        laid = {card.track for step in steps for card in step.cards}
        return any(still_there(laid, before, after, self._sight, self.known) for before, after in leaves)

    def _refused(self, action: Action) -> bool:
        return said(action) in self.refused or (action.kind, action.seat) in self.denied

    def _search(self, known: list[Hypothesis]) -> list[Hypothesis]:
        ways = Ways()
        for hypothesis in known:
            ways.keep(hypothesis)
        frontier = sorted(ways.all(), key=lambda h: h.total)
        for _ in range(MOST_STEPS):
            fresh = []
            # What was certain before is always thought on from: what came since may have been one thing.
            roots = [h for h in frontier if not h.steps]
            likely = thought_on(frontier, min(ways.all(), key=lambda h: h.total), WIDTH, SLACK)
            for hypothesis in roots + likely:
                if hypothesis.present + hypothesis.hands >= SETTLED and len(hypothesis.steps) < 3 * MOST_STEPS:
                    fresh += [child for child in self._children(hypothesis) if ways.keep(child)]
            frontier = sorted(fresh, key=lambda h: h.total)
            if not frontier:
                break
        return ways.all()

    def _children(self, parent: Hypothesis) -> Iterator[Hypothesis]:
        zones = {name: less_hidden(zone, self.unshown.get(name)) for name, zone in parent.zones.items()}
        pool = Pool.of(zones, self._untidied(parent), self.known)
        alone = len(self.game.prompts(parent.state)) == 1
        for prompt in open_prompts(self.game, parent.state):
            alike: dict[Any, list[Hypothesis]] = {}
            for filled in (*fill(prompt, pool, self._sight), *self._hidden(prompt, parent, pool)):
                child = self._child(parent, prompt, filled, alone=alone)
                if child is not None:
                    look = tuple(claim(child.zones.get(zone)) for zone in self._sight)
                    # Of cards that have been moved on since, the next action tells which was whose.
                    which = content(filled.action) if filled.elsewhere else None
                    alike.setdefault((look, round(child.total, 3), which), []).append(child)
            for children in alike.values():
                yield one_of(children)

    def _hidden(self, prompt: Prompt, parent: Hypothesis, pool: Pool) -> Iterator[Filled]:
        """A card laid on a pile that others covered before it was seen: hands tell that there was one."""
        slot = prompt.slot
        if slot is None or slot.target is None or slot.least != 1 or slot.side == "down" or prompt.choices:
            return
        zone = parent.zones.get(slot.target)
        if zone is None or not zone.pile or not self._sight.get(slot.target, _MOVING).resting:
            return
        # Whoever takes the next card from a stack is seen there, and perhaps not where he lays one down.
        near = {slot.target, *(self.hands.stacks if zone.cards else ())}  # they may have dealt
        laid = sum(any(slot.target in part.touched for part in step.parts[-1:]) for step in parent.steps)
        came = pool.came.get(slot.target, ())
        told = any(step.filled.hidden for step in parent.steps)
        until, bare = max((card.since for card in came), default=math.inf), self._sight[slot.target].bare
        if self.deck is None or told or laid + max(1, len(came)) >= self.hands.people(near, until, bare):
            return  # every hand has laid a card that is seen
        seen = {card.face for lying in self._sight.values() for card in lying.cards} | set(zone.cards)
        faces = [f for f in self.deck.codes if f not in seen and (slot.faces is None or f in slot.faces)]
        if face := stand_in(self.game, parent.state, prompt, faces, [card.face for card in came if card.face]):
            yield Filled(Action.of(prompt.kind, prompt.seat, (face,)), price=HIDDEN, elsewhere=True, hidden=True)

    def _child(self, parent: Hypothesis, prompt: Prompt, filled: Filled, *, alone: bool) -> Hypothesis | None:
        action = filled.action
        if parent.steps and parent.steps[-1].filled.hidden and not filled.cards:
            return None  # only a card that lies on it tells of a hidden one
        if done_with(parent.steps, action.kind, filled.cards):
            return None
        implied, there, violations = judged(self.game, parent.state, action)
        if any(self._refused(one) for one in (*implied, action)):
            return None
        if action.kind in self.game.unseen and any(step.kind == action.kind for step in implied):
            return None  # nobody sees whose it is: it comes in its turn
        foul = is_foul(violations)
        after = self.game.apply(there, action)
        zones = self._expected(after)
        changed = tuple(z for z in self._sight if claim(parent.zones.get(z)) != claim(zones.get(z)))
        if not changed and (foul or after == parent.state):
            return None
        if leaves_unmoved(parent.zones, zones, changed, self._sight):
            return None
        cleared = [*([self._expected(there)] if implied else []), *([] if action.cards else [zones])]
        leaves = tuple((parent.zones, then) for then in cleared)
        if self._still_there(parent.steps, leaves):
            return None
        unseen = self._unseen(prompt, alone=alone)
        done = (*implied, *self.game.implies(there, action))
        # Of a card that was covered before it was seen only hands tell, its own and that which laid the other on it.
        covers = bool(parent.steps) and parent.steps[-1].filled.hidden
        unreached = LEFT_OUT if self.hands.stacks.issuperset(changed) else UNREACHED
        alone_costs = NEVER if filled.hidden or covers else unreached if changed else unseen
        target = prompt.slot.target if prompt.slot is not None else None
        cards = self.lain.as_laid(filled.cards, target) if filled.elsewhere else filled.cards
        since, laid = (max((card.since for card in some), default=None) for some in (filled.cards, cards))
        parts = self._parts(parent, done, action, zones, alone_costs, cards, prompt.slot)
        price = SEEN if changed or (parts and parts[-1].touched) else unseen
        if (unseen >= NEVER and not changed) or price >= NEVER or (implied and not (changed and filled.cards)):
            return None
        price += IMPLIED * len(implied)
        before = next((step.laid for step in reversed(parent.steps) if step.laid is not None), None)
        if laid is not None and before is not None and laid < before - _AT_ONCE:
            price += DISORDER
        price += split(parent.steps, action, prompt.seat)
        again = Counter(card.face for card in filled.cards if card.face) & gone(parent, self._lay, self._sight)
        price += AGAIN * (again.total() + (0 if filled.cards else came_for(parent, action.cards, self._sight)))
        room = self._room(parent, prompt)
        arrived = prompt.slot is None and grown(parent.zones, zones, changed)
        usual = patience_for(self.game, prompt, filled, room, arrived=arrived, places=self.places)
        patience = GATHERED if gathered(parent.zones, zones) else usual
        patience = 0.0 if self.game.full(there, action) else patience
        step = Step(filled, changed, after, foul, bool(changed), since, patience, room, parts, leaves=leaves, laid=laid)
        lag = lagging(parent.zones, action, zones, target) | parent.lag
        cost = parent.cost + price + filled.price + (FOUL if foul else 0.0)
        child = self._judged(Hypothesis(after, zones, (*parent.steps, step), cost, lag))
        if changed and child.total >= parent.total:
            if not filled.elsewhere or child.total >= parent.total + DETOUR:
                return None
            child = replace(child, whole=False)
        moved_on = filled.elsewhere and not changed and child.present >= parent.present
        child = replace(child, whole=child.whole and not filled.hidden and not moved_on)
        if self.deck is not None and surplus(self.game, self.deck, there, action, after):
            step = replace(step, foul=True)
            child = replace(child, steps=(*parent.steps, step), cost=child.cost + TOO_MANY - (FOUL if foul else 0.0))
        return child

    def _parts(self, parent: Hypothesis, implied: Sequence[Action], action: Action, zones: Mapping[str, Zone],
               alone: float, cards: Sequence[SeenCard], slot: Slot | None) -> tuple[Part, ...]:  # fmt: skip
        """What hands had to do: for what was implied, then for the action itself, which leaves `zones`."""
        if not self.hands.told:
            return ()
        parts, state, before, stacks = [], parent.state, parent.zones, self.hands.stacks
        for step in implied:
            state = self.game.apply(state, step)
            then = self._expected(state)
            parts.append(part_of(step.seat, before, then, stacks, 0.0))
            before = then
        own = part_of(action.seat, before, zones, stacks, alone)
        own = with_cards(own, cards, slot, self.game.drawn.get(action.kind))
        own = among(own, cards, (slot.target if slot is not None else None) or "", self._sight)
        if not cards and alone < NEVER:  # a hidden one: nobody saw
            own = replace(own, began=begun(before, zones, self._sight))
        return (*parts, own)

    def _unseen(self, prompt: Prompt, *, alone: bool) -> float:
        if prompt.kind in self.game.unseen:
            return self.game.unseen[prompt.kind]
        forced = prompt.slot is None or prompt.slot.least == prompt.slot.most
        return ALONE if alone and forced and not prompt.choices else LEFT_OUT if self.hands.lost else AMONG

    def _room(self, parent: Hypothesis, prompt: Prompt) -> int:
        """How many cards could have been laid at once where this prompt asks for some."""
        if prompt.slot is None:
            return 0
        slots = [p.slot for p in open_prompts(self.game, parent.state) if p.slot is not None and p.seat == prompt.seat]
        same = [s for s in slots if s.target == prompt.slot.target and (s.side != "down" or prompt.slot.side == "down")]
        return max((s.most for s in same), default=prompt.slot.most)

    def _judged(self, hypothesis: Hypothesis) -> Hypothesis:
        hands, ways = self.hands.matched([part for step in hypothesis.steps for part in step.parts])
        left = iter(ways)
        did = tuple(tuple(hand for _ in step.parts for hand in next(left)) for step in hypothesis.steps)
        hands += AIMLESS * sum(to_be_seen(step, self._sight) for step in hypothesis.steps[1:])
        gone = vanished(hypothesis.zones, self._sight, self.lain.began)
        return replace(hypothesis, present=gone + sum(self.misfits(hypothesis).values()), hands=hands, did=did)

    def misfits(self, hypothesis: Hypothesis, *, moving: bool = False) -> dict[str, float]:
        """The cost of every zone that does not look as the hypothesis says; or did not, where something is `moving`."""
        sight, zones = self._untidied(hypothesis), hypothesis.zones
        if sight is not self._sight:
            zones = without(zones, self._sight, hypothesis.lag)
        found = {}
        for name, seen in sight.items():
            if seen.resting is moving:
                continue  # nobody can tell what lies under a hand
            whole = zones.get(name, Zone(name))
            zone = less_hidden(whole, self.unshown.get(name))
            if overlooked(name, zone, seen, self.hands.told):
                continue
            told = self.told.get(name)
            if told is not None and told[0] == marks(seen.cards):
                if claim(whole) != claim(told[1]):
                    found[name] = MISSING
                continue
            if seen is self._sight[name]:
                cost = self._costs.get(zone)
                if cost is None:
                    cost = self._costs[zone] = misfit(zone, seen.cards, self.known.get(name, ()))
            else:
                cost = misfit(zone, seen.cards, self.known.get(name, ())) + _LAGGING
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
