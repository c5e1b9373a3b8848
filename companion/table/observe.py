"""Follows one match: looks at the table again and again, says what surely happened, what probably happens, what the
camera has to correct of its own words, and what only people can decide. People always win over the camera.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import Game, Zone
from companion.games.implied import open_prompts
from companion.referee import Acted, Match, TookBack
from companion.table import ask, belong
from companion.table.ask import Question
from companion.table.beam import Beam
from companion.table.compare import differences
from companion.table.decide import decide, in_doubt, only_taps, piles, tentative, unexplained
from companion.table.hypotheses import UNFINISHED, Said, said
from companion.table.layout import Layout
from companion.table.mend import gone, mend, superseded
from companion.table.observation import Observation, Proposal
from companion.table.patience import ODD, unfinished
from companion.table.renamed import less_misread, misread
from companion.table.sight import Marks, Memory, Sight, ZoneSeen, marks, otherwise
from companion.table.strangers import Strangers
from companion.table.surmised import surmised
from companion.table.tidy import lag_after, unseen
from companion.table.touches import touches
from companion.table.visits import FORGOTTEN, OFTEN, Hands, Seats
from companion.vision.types import SeenTable

REGRET = 1.5
"""The table has contradicted what the camera wrote for so long before it corrects itself, s."""


def observe(
    game: Game[Any], state: Any, seen: SeenTable, layout: Layout, *, used: Collection[str] | None = None
) -> Observation:
    """One look without memory: what `seen` means for `game` in `state`. `used`: zones of the layout that the players
    use; others count when cards lie there (default: all)."""
    memory = Memory(layout)
    memory.used |= set(layout.ids if used is None else used)
    memory.take_in(seen)
    expected = {zone.id: zone for zone in game.expected_table(state)}
    sight = {
        name: zone
        for name, zone in memory.zones.items()
        if zone.resting and name in expected and (zone.cards or (name in memory.used and not expected[name].down))
    }
    if not any(zone.resting for zone in memory.zones.values()):
        return Observation()
    beam = Beam(game)
    beam.start(state)
    beam.weigh(sight, 1.0)
    return _observed(beam, sight, seen.time, {}, game, state)


def _observed(beam: Beam, sight: Sight, now: float, base: dict[str, Marks], game: Game[Any], state: Any,
              dismissed: Collection[str] = ()) -> Observation:  # fmt: skip
    found = decide(beam, sight, now, base)
    clear = beam.lain.still_sure(surmised(beam, found.best, len(found.taken), sight), now)
    waiting = (q for q in ask.unread(game, state, sight, found.first, now, clear) if q.key not in dismissed)
    found = replace(found, taken=ask.steps_before(found.taken, waiting, sight))
    sure = found.taken[-1].after if found.taken else state
    where = beam.misfits(found.best).keys() | unfinished(beam, found.best)
    rows = [row for row in ask.lacking(game, sure, sight, where) if row.key not in dismissed]
    odd = unexplained(beam, found.best, sight, base)
    unread = list(ask.unread(game, sure, sight, found.first, now, clear))
    places = {q.zone for q in unread if q.key not in dismissed}
    # What is asked about, or lacks, alone speaks against it.
    first = found.doubt == "several" and len(found.rivals) == 1 and (bool(rows) or set() < odd.keys() <= places)
    doubts = [ask.about_steps(found.doubt, found.rivals, sight)] if found.doubt and not first else []
    questions = [q for q in doubts if q.key not in dismissed]
    asked = {q.zone for q in questions if q.kind != "card"}  # all nameless cards of a row are asked at once
    late, due = ask.lain(odd, beam.lain.odd_since(odd, sight, now), sight, now)
    questions += [q for q in unread if q.zone not in asked]
    asked |= {q.zone for q in questions}
    questions += ask.unexplained(game, found.best, sight, late, asked)
    since = {q: sight[q.zone].since + (0.0 if first else ask.lacking_for(q)) for q in rows if q.zone not in asked}
    questions += [row for row, when in since.items() if when <= now]
    dues = [d for d in (found.due, due, *since.values(), *clear.values()) if d is not None and d > now]
    return Observation(
        tuple(map(Proposal.of, found.taken, found.best.did)),
        tuple({q.key: q for q in questions}.values()),
        tuple(differences(game, sure, sight)),
        tentative=tentative(found),
        waits=only_taps(game, found, odd),
        due=min(dues, default=None),
    )


@dataclass(slots=True)
class Observer:
    """Looks at one match through one layout, and remembers. See the module."""

    layout: Layout
    memory: Memory = field(init=False)
    cut: Collection[str] = ()
    """Zones that are partly out of the picture."""
    _beam: Beam | None = None
    _state: Any = None
    _zones: dict[Said, tuple[str, ...]] = field(default_factory=dict)
    _unwanted: dict[int, tuple[Said, dict[str, Marks]]] = field(default_factory=dict)
    _denied: list[tuple[set[tuple[str, int | None]], dict[str, Marks]]] = field(default_factory=list)
    _forgiven: set[int] = field(default_factory=set)
    _base: dict[str, Marks] = field(default_factory=dict)
    _waived: dict[str, Marks] = field(default_factory=dict)
    _dismissed: set[str] = field(default_factory=set)
    _answers: set[int] = field(default_factory=set)
    _asked: dict[str, tuple[Question, float, dict[str, Marks]]] = field(default_factory=dict)  # when, and how all lay
    _last: Observation = field(default_factory=Observation)
    _strangers: Strangers = field(default_factory=Strangers)
    _time: float = -math.inf
    _unshown: dict[str, Counter[str]] = field(default_factory=dict)
    _taken: Counter[str] = field(default_factory=Counter)  # so often hands were there, by stacks that are not seen
    _moved: set[str] = field(default_factory=set)  # zones that did not rest when hypotheses were last thought of
    _length: int = 0
    _dirty: bool = False

    def __post_init__(self) -> None:
        self.memory = Memory(self.layout)

    def look(self, match: Match, seen: SeenTable) -> Observation:
        """What the seen table means for `match` now. While the table moves, the questions of the last look stay."""
        # The table as last seen counts too: it may have been laid and cleared between two looks.
        zones = self.memory.confirm(match.expected_table())
        changed = self.memory.take_in(seen)
        if not any(zone.resting for zone in self.memory.zones.values()):
            return Observation((), self._last.questions, self._last.differences, tentative=self._last.tentative)
        first = self._beam is None
        sight: Sight = self.memory.sight(zones.values())
        followed = self._follow(match, seen.time)
        refused = self._refusals(match, first=first)
        beam = self._beam
        assert beam is not None
        search = self._dirty or changed or not followed or refused != beam.refused or match.state != self._state
        search |= any(self.memory.zones[name].resting for name in self._moved if name in self.memory.zones)
        prompts = open_prompts(match.game, match.state)
        search |= self._strangers.look(sight, zones, prompts, self.memory.tracks, seen.time)
        sight = self._strangers.without(sight, zones)
        search |= beam.hands.take_in(self.layout, seen, {n: zones.get(n, Zone(n)) for n in self.memory.used})
        denied = {who for what, _ in self._denied for who in what} | self._distrusted()
        search |= denied != beam.denied
        self._unshown, self._dirty = self._hidden(match, zones), False
        beam.refused, beam.denied, beam.unshown = refused, denied, self._strangers.unshown(self._unshown)
        unchanged, before = self._length == len(match.entries), self._before(match)
        self._state, self._length = match.state, len(match.entries)
        self._note_stacks(beam.hands, before, zones, seen)
        beam.known, beam.named, beam.places = self.memory.tracks, self.memory.named, self.memory.zones
        beam.cut = self.cut
        weight = min(1.0, max(0.0, (seen.time - self._time) / UNFINISHED - 1.0)) if followed and changed else 0.0
        self._time = seen.time if changed or not followed else self._time
        beam.lain.look(match.state, zones, sight, seen.time, self.memory, match.actions)
        if search:
            self._moved = {name for name, zone in self.memory.zones.items() if not zone.resting}
        beam.weigh(sight, weight, search=search)
        told = not first and self._people(match)
        if not followed or (told and not unchanged):
            # What people wrote is true; what differs then, they know: where the camera agrees, in what it changed.
            there = beam.misfits(next(h for h in beam.hypotheses if not h.steps))
            at = [name for name in there if not followed or zones.get(name) != before.get(name)]
            known = {n: lay for n, lay in self._base.items() if n in sight and zones.get(n) == before.get(n)}
            self._base = known | {name: marks(sight[name].cards) for name in at} if told else {}
            self._waived = {name: lay for name, lay in self._waived.items() if name not in self._base or name not in at}
            beam.told = {name: (lay, zones.get(name, Zone(name))) for name, lay in self._base.items()}
            beam.hypotheses = less_misread(beam.hypotheses, before, zones, sight) if told else beam.hypotheses
            self.memory.named |= misread(before, zones, sight, touches(self.layout, seen)) if told else {}
        found = _observed(beam, sight, seen.time, self._base | self._waived, match.game, match.state, self._dismissed)
        found = self._mended(match, beam, sight, seen.time, found)
        best = min(beam.hypotheses, key=lambda h: h.total).zones
        lost, due, unsure = belong.strays(match.game, match.state, seen, self.memory, self._dismissed)
        for n, p in enumerate(found.proposals):
            pile = ask.about_pile(p.action, p.cards, p.zones, zones | dict(best), seen, sight, p.hand)
            if pile or unsure.intersection(p.zones):
                doubt = (pile,) if pile and not unsure.intersection(p.zones) else ()
                found = replace(found, proposals=found.proposals[:n], questions=(*found.questions, *doubt))
                break
        for proposal in found.proposals:
            self._zones[said(proposal.action)] = proposal.zones
            self.memory.tell(proposal.guesses, proposal.zones if proposal.cards else ())
        # Whoever lays a card on the others, or only reaches over them, does not answer what was asked about them.
        kept = [q for q in self._last.questions if self._lasts(q) and not found.proposals and unchanged]
        asked = {q.kind for q in found.questions}
        every = (*found.questions, *(q for q in kept if q.kind not in asked))
        questions = tuple(q for q in every if q.key not in self._dismissed)
        questions = (*belong.placed(questions, match.game, beam.hypotheses, self.memory), *lost)
        for question in questions:
            once = self._asked.get(question.key, (question, seen.time, self.memory.marks(self.memory.zones)))
            self._asked[question.key] = question, once[1], once[2]
            if question.track is not None and question.track < 0:
                self.memory.lacks(question.zone, question.track)
            for action in question.choices:
                self._zones.setdefault(said(action), tuple(z for z in (question.zone,) if z))
        due = min((moment for moment in (found.due, due) if moment is not None), default=None)
        self._last = replace(found, questions=questions, due=due)
        return self._last

    def _note_stacks(self, hands: Hands, old: Mapping[str, Zone], new: Mapping[str, Zone], seen: SeenTable) -> None:
        """A stack whose back is not found lies there, once hands were there whenever something was taken from it."""
        for name, zone in new.items():
            was = old.get(name, zone)
            if was == zone or name in self.memory.used or not (zone.pile and zone.down and was.down) or zone.cards:
                continue
            there = [touch for touch in touches(self.layout, seen) if touch.zone == name]
            self._taken[name] += any(touch.ended > seen.time - FORGOTTEN for touch in there)
            if self._taken[name] >= OFTEN:
                self.memory.used.add(name)
                hands.begin(there, seen.time)

    def dismiss(self, key: str) -> None:
        """A person waves a question away: it is not asked again while the same cards lie there, nothing of what it
        offered is written by itself, and what is odd about the table now is known."""
        self._dismissed.add(key)
        asked, when, then = self._asked.get(key, (None, 0.0, {}))
        if asked is not None and asked.odd and not asked.zone:
            return  # it was about a card beside all places
        if asked is not None and asked.choices:
            there = self.memory.marks([asked.zone]) if asked.zone else then  # what came since may yet be it
            if asked.kind == "did" and self._beam is not None:
                self._beam.hands.explain(self._beam.hands.until(when))
            self._denied.append(({(action.kind, action.seat) for action in asked.choices}, there))
            if asked.kind == "several" and len(asked.choices) == 1 and asked.zone in piles(self._beam):
                lying = {card.track for card in self.memory.zones[asked.zone].cards}
                self.memory.named |= {card.track: None for card in asked.odd if card.track in lying}  # it is nothing
        if self._beam is not None and self._beam.hypotheses:
            best = min(self._beam.hypotheses, key=lambda h: h.total)
            self._waived |= self.memory.marks(self._beam.misfits(best))

    def answered(self, key: str, seq: int) -> None:
        """A person chose one of the actions that a question offered, entry `seq`: nothing is to be asked any more, and
        what else lies there the camera is still to tell. That its cards lie as they do people know."""
        self._dismissed.add(key)
        self._answers.add(seq)
        if key in self._asked:
            self._waived |= self.memory.marks([zone for zone in [self._asked[key][0].zone] if zone])

    def name(self, track: int, face: str | None) -> int:
        """A person says what card `track` is, or was; None: no card. The number of the card that is meant."""
        self._dirty = True
        return self.memory.name(track, face)

    def belongs(self, key: str, zone: str) -> None:
        """A person says that the odd cards of a question belong to another zone: there they count, as long as they lie
        as they do now."""
        self._dismissed.add(key)
        for card in self._asked[key][0].odd if key in self._asked else ():
            self.memory.belongs[card.track] = zone, card
        self._dirty = True

    def _lasts(self, question: Question) -> bool:
        """Whether a question stays open that this look does not ask: nobody can see its zone now, or its answers are
        still in doubt, and only something else moves."""
        if question.kind == "hidden" or not self.memory.zones.get(question.zone, ZoneSeen()).resting:
            return True
        return self._beam is not None and in_doubt(self._beam, question.choices)

    # --- the match -------------------------------------------------------------------------------------------------

    def _follow(self, match: Match, now: float) -> bool:
        """Bring the beam to the state of the match; False when it had to begin anew."""
        if self._beam is None or self._beam.game is not match.game:
            self._beam = Beam(match.game, match.deck, hands=Hands(Seats.of(self.layout)))
        elif (match.state == self._state and len(match.entries) == self._length) or (
            match.state != self._state and self._beam.advance(match.state)
        ):
            return True
        did = self._beam.hands_of(match.actions[-1:])
        if did or self._in_use(match):
            self._beam.hands.explain(did or self._beam.hands.until(now))
        self._beam.start(match.state, lag_after(match))
        return False

    def _in_use(self, match: Match) -> bool:
        """The match has changed where hands are noted, or nothing that lies on the table."""
        before = self._before(match)
        changed = [zone.id for zone in match.expected_table() if zone != before.get(zone.id)]
        return not changed or any(name in self.memory.used for name in changed)

    def _people(self, match: Match) -> bool:
        """Whether people wrote or changed the last entry, unasked."""
        entry = match.entries[-1]
        return getattr(entry.event, "source", "tap") != "camera" and entry.seq not in self._answers

    def _before(self, match: Match) -> dict[str, Zone]:
        """The table as it should have lain at the last look."""
        state = match.state if self._state is None else self._state
        return {zone.id: zone for zone in match.game.expected_table(state)}

    def _hidden(self, match: Match, zones: Mapping[str, Zone]) -> dict[str, Counter[str]]:
        """Faces that people have put into zones and that were not seen there yet."""
        before = self._before(match)
        wrote = self._state is not None and self._length != len(match.entries) and self._people(match)
        found = {}
        for name, zone in zones.items():
            old = self._unshown.get(name, Counter())
            new = Counter(zone.cards) - Counter(before.get(name, zone).cards) if wrote else Counter()
            if not zone.pile and (old or new):
                lying = self.memory.zones[name].cards if name in self.memory.zones else ()
                found[name] = unseen(zone, lying, old + new)
        return {name: faces for name, faces in found.items() if faces}

    def _refusals(self, match: Match, *, first: bool) -> set[Said]:
        """Actions not to be proposed now: fouls that wait for a decision, and what people took back of the camera's
        words, until the cards in one of its zones lie otherwise."""
        refused = {said(entry.action) for entry in match.pending if entry.action is not None}
        self._denied = [(what, then) for what, then in self._denied if self.memory.marks(then) == then]
        mine = {e.seq for e in match.events if isinstance(e, TookBack) and e.source == "camera"}
        for entry, event in ((entry, entry.event) for entry in match.entries):
            if not isinstance(event, Acted) or event.source != "camera" or entry.standing or entry.pending:
                continue
            if entry.seq in self._forgiven or entry.seq in mine or (first and superseded(match, entry.seq)):
                self._forgiven.add(entry.seq)
            elif entry.seq not in self._unwanted:
                what = said(event.action)
                zones = self._zones.get(what) or tuple(self.memory.zones)
                self._unwanted[entry.seq] = what, self.memory.marks(zones)
        for seq, (what, then) in list(self._unwanted.items()):
            moved = all(otherwise(then[zone], now) for zone, now in self.memory.marks(then).items())
            if moved or not gone(match, seq):
                self._forgiven.add(seq)
                del self._unwanted[seq]
            else:
                refused.add(what)
        return refused

    def _distrusted(self) -> set[tuple[str, int | None]]:
        """Whose actions of which kind the camera leaves to people: it was wrong about one, and the cards by which it
        was still lie so."""
        return {
            (kind, seat)
            for (kind, seat, *_), then in self._unwanted.values()
            if not any(otherwise(then[zone], now) for zone, now in self.memory.marks(then).items())
        }

    # --- second thoughts -------------------------------------------------------------------------------------------

    def _mended(self, match: Match, beam: Beam, sight: Sight, now: float, found: Observation) -> Observation:
        """Look for an own mistake when nothing explains the table for some time."""
        best = min(beam.hypotheses, key=lambda h: h.total)
        certain = unexplained(beam, next((h for h in beam.hypotheses if not h.steps), best), sight, self._base)
        odd = unexplained(beam, best, sight, self._base)
        odd = {name: cost for name, cost in odd.items() if name in certain}  # the rest is only not yet cleared away
        if sum(odd.values()) < ODD or not all(sight[name].resting for name in odd):
            return found
        since = max(sight[name].since for name in odd)
        if now < since + REGRET:
            due = min(since + REGRET, found.due or math.inf)
            if found.questions and not found.proposals:
                return Observation((), (), found.differences, (), found.tentative, (), due)
            return replace(found, due=due)
        correction = mend(match, beam, sight, odd)
        if correction is None:
            return found
        return Observation((), (), found.differences, (correction,))
