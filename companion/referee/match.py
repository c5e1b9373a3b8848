"""A match: the fold of its events. Immutable; the same events always give the same match.

An action that is legal, or that cannot be judged yet, is applied at once. A foul is written down with its ruling
and waits (`pending`): `TookBack` drops it, `Overruled` applies it as it lies. `TookBack` of any event undoes it,
also of a `TookBack`; `Corrected` replaces an action. Whatever follows a changed event is judged again, in order,
and `changes` says which rulings came out differently. What an action leaves out silently (`companion.games.implied`)
is applied before it and written beside it; a doubt is settled by the action that shows the last of what could decide
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from companion.cards import Deck, deck
from companion.games import Action, Game, Prompt, Role, Ruling, ScoreLine, Setup, Verdict, View, Zone, game
from companion.games.implied import is_foul, judged, open_prompts
from companion.referee.copies import surplus
from companion.referee.events import Acted, Corrected, Event, EventError, Finished, Overruled, Started, TookBack


@dataclass(frozen=True, slots=True)
class Entry:
    """One event and what became of it.

    `seq`: 1-based number; `ruling`: of an action, else None; `standing`: it counts (an action: it was applied);
    `pending`: a foul that waits for the table; `action`: the action in force (corrected, if it was);
    `state`: of the game after this entry; `implied`: what the action left out silently, applied before it;
    `settled`: what an unproven ruling has become.
    """

    seq: int
    event: Event
    state: Any
    ruling: Ruling | None = None
    standing: bool = True
    pending: bool = False
    action: Action | None = None
    implied: tuple[Action, ...] = ()
    settled: Settled | None = None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict as it is known now: of the ruling, or what its doubt has been settled as."""
        if self.settled is not None:
            return self.settled.verdict
        return self.ruling.verdict if self.ruling else None

    @property
    def doubtful(self) -> bool:
        """It counts, and nobody knows yet whether it was in order."""
        return self.standing and self.verdict is Verdict.UNPROVEN


@dataclass(frozen=True, slots=True)
class Settled:
    """What an unproven ruling has become, and the entry whose action decided it."""

    verdict: Verdict
    seq: int


@dataclass(frozen=True, slots=True)
class Change:
    """The ruling on entry `seq` came out differently because an earlier entry changed, or what its action takes as
    done before it (`implied`, None where that is as it was)."""

    seq: int
    before: Ruling
    after: Ruling
    implied: tuple[Action, ...] | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """See the module. Build with `Match.of`, continue with `then`. `doubts`: the entries that wait to be settled;
    `finished`: people have ended it (`Finished`)."""

    game: Game[Any]
    setup: Setup
    deck: Deck
    entries: tuple[Entry, ...]
    changes: tuple[Change, ...] = ()
    doubts: tuple[int, ...] = ()
    finished: bool = False

    @classmethod
    def of(cls, events: Iterable[Event]) -> Match:
        """Fold `events`, of which the first is `Started`. Raises EventError, SetupError, UnknownGameError."""
        line = iter(events)
        first = next(line, None)
        if not isinstance(first, Started):
            raise EventError("a match begins with its start")
        rules = game(first.game)
        state = rules.start(first.setup)
        cards = deck(first.setup.deck or rules.recommended_deck(len(first.setup.players)))
        return reduce(cls.then, line, cls(rules, first.setup, cards, (Entry(1, first, state),)))

    def then(self, event: Event) -> Match:
        """The match after `event`. Raises EventError when the event refers to something that is not there."""
        match event:
            case Started():
                raise EventError("a match starts only once")
            case Finished():
                if self.finished:
                    raise EventError("this match has been finished already")
                return replace(
                    self, entries=(*self.entries, Entry(self.next_seq, event, self.state)), changes=(), finished=True
                )
            case Acted() if self.finished:
                raise EventError("this match has been finished; take that back to go on")
            case Acted(action=action):
                entry = _judged(self, self.entries, len(self.entries) + 1, event, action, overruled=False)
                entries, doubts = _settle(self.game, (*self.entries, entry), self.doubts)
                return Match(self.game, self.setup, self.deck, entries, (), doubts)
            case Overruled(seq=seq):
                if not self._entry(seq).pending:
                    raise EventError(f"entry {seq} is no foul that waits for a decision")
            case TookBack(seq=seq):
                target = self._entry(seq)
                if not (target.standing or target.pending):
                    raise EventError(f"entry {seq} does not stand, so it cannot be taken back")
            case Corrected(seq=seq):
                target = self._entry(seq)
                if not (target.standing or target.pending) or target.action is None:
                    raise EventError(f"entry {seq} is no action that stands, so it cannot be corrected")
        return self._refolded(event)

    def _entry(self, seq: int) -> Entry:
        if not 2 <= seq <= len(self.entries):
            raise EventError(f"there is no entry {seq}: this match has 2 to {len(self.entries)}")
        return self.entries[seq - 1]

    def _refolded(self, event: Event) -> Match:
        events = [entry.event for entry in self.entries] + [event]
        plan = _Plan.of(events)
        # Nothing changes before the action that the event is about in the end.
        first = _root(events, event)
        kept = list(self.entries[: first - 1])
        for seq, old in enumerate(events[first - 1 :], start=first):
            known = self.entries[seq - 1] if seq <= len(self.entries) else None
            kept.append(self._refolded_entry(kept, plan, seq, old, known))
        pairs = zip(self.entries, kept, strict=False)
        changes = tuple(
            Change(new.seq, old.ruling, new.ruling, new.implied if old.implied != new.implied else None)
            for old, new in pairs
            if old.ruling and new.ruling and (old.ruling != new.ruling or (new.standing and old.implied != new.implied))
        )
        entries, doubts = _settled_anew(self.game, kept)
        finished = any(isinstance(entry.event, Finished) and entry.standing for entry in entries)
        return replace(self, entries=entries, changes=changes, doubts=doubts, finished=finished)

    def _refolded_entry(self, kept: Sequence[Entry], plan: _Plan, seq: int, event: Event, known: Entry | None) -> Entry:
        state = kept[-1].state
        if not isinstance(event, Acted):
            return Entry(seq, event, state, standing=plan.standing[seq])
        action = plan.actions.get(seq, event.action)
        if not plan.standing[seq]:
            ruling = known.ruling if known else None
            return Entry(seq, event, state, ruling, standing=False, action=action)
        return _judged(self, kept, seq, event, action, overruled=seq in plan.overruled)

    @property
    def state(self) -> Any:
        """The state of the game now."""
        return self.entries[-1].state

    @property
    def next_seq(self) -> int:
        """The number the next event will have."""
        return len(self.entries) + 1

    @property
    def pending(self) -> tuple[Entry, ...]:
        """Fouls that wait for "take back" or "play on"."""
        return tuple(entry for entry in self.entries if entry.pending)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events this match is the fold of."""
        return tuple(entry.event for entry in self.entries)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that count, in order."""
        return tuple(entry.action for entry in self.entries if entry.action and entry.standing)

    @property
    def over(self) -> bool:
        """Nothing more is open: the game has come to its end, or people have finished it."""
        return not self.prompts()

    def prompts(self) -> tuple[Prompt, ...]:
        """What may happen now, also behind steps that may be left out."""
        return () if self.finished else open_prompts(self.game, self.state)

    def view(self, role: Role) -> View:
        """What somebody in `role` may see."""
        view = self.game.view(self.state, role)
        return replace(view, prompts=self.prompts(), over=view.over or self.finished)

    def winners(self) -> tuple[int, ...]:
        """The seats that have won; of a match that people have finished before its game was at an end, whoever leads
        by the score sheet. Empty while it goes on, and where there is nothing to lead by."""
        found = self.game.winners(self.state)
        if found or not self.finished or not self.scores():
            return found
        totals = self.game.totals(self.state)
        return tuple(seat for seat, total in totals.items() if total == max(totals.values()))

    @property
    def teams(self) -> dict[str, tuple[int, ...]]:
        """The seats of every team, by its name; empty where everybody plays for himself."""
        first = self.entries[0].event
        teams = first.teams if isinstance(first, Started) else ()
        return {team: tuple(s for s, t in enumerate(teams) if t == team) for team in dict.fromkeys(teams) if team}

    def scores(self) -> tuple[ScoreLine, ...]:
        """The score sheet so far."""
        return self.game.scores(self.state)

    def expected_table(self) -> tuple[Zone, ...]:
        """Which faces should lie where."""
        return self.game.expected_table(self.state)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the later events make of the earlier ones: which stand, which are overruled, which read differently."""

    standing: dict[int, bool]
    overruled: frozenset[int]
    actions: dict[int, Action]

    @classmethod
    def of(cls, events: Sequence[Event]) -> _Plan:
        standing = dict.fromkeys(range(1, len(events) + 1), True)
        for seq in range(len(events), 0, -1):
            event = events[seq - 1]
            if isinstance(event, TookBack) and standing[seq]:
                standing[event.seq] = False
        overruled: set[int] = set()
        actions: dict[int, Action] = {}
        for seq, event in enumerate(events, start=1):
            if not standing[seq]:
                continue
            if isinstance(event, Overruled):
                overruled.add(event.seq)
            elif isinstance(event, Corrected):
                # Another action is another foul: a decision to play on does not carry over to it.
                overruled.discard(event.seq)
                actions[event.seq] = event.action
        return cls(standing, frozenset(overruled), actions)


def _root(events: Sequence[Event], event: Event) -> int:
    """The number of the action that `event` is about, through events about events."""
    seq = len(events)
    while isinstance(event, TookBack | Overruled | Corrected):
        seq = event.seq
        event = events[seq - 1]
    return seq


def _judged(match: Match, before: Sequence[Entry], seq: int, event: Event, action: Action, *, overruled: bool) -> Entry:
    rules, now = match.game, before[-1].state
    implied, state, violations = judged(rules, now, action)
    foul = is_foul(violations)
    after = state
    if not foul or overruled:
        # Also what the table lets stand may have brought a copy too many to light.
        after = rules.apply(state, action)
        history = ((e.seq, e.action) for e in before if e.action and e.standing)
        extra = surplus(rules, match.deck, state, action, after, history)
        violations, foul = (*violations, *extra), foul or bool(extra)
    verdict = Verdict.FOUL if foul else Verdict.UNPROVEN if violations else Verdict.LEGAL
    applied = overruled or not foul
    proven = rules.proves(state, action) if applied else ()
    if applied:
        implied = (*implied, *rules.implies(state, action))
    ruling = Ruling(verdict, violations, proven)
    return Entry(seq, event, after if applied else now, ruling, applied, not applied, action, implied)


def _settle(
    rules: Game[Any], entries: tuple[Entry, ...], doubts: tuple[int, ...]
) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
    """The entries with the doubts settled that the last one decides, and the doubts that stay."""
    last = entries[-1]
    if last.doubtful:
        doubts = (*doubts, last.seq)
    if not doubts or not last.standing:
        return entries, doubts
    settled: dict[int, Verdict] = {}
    for seq in doubts:
        ruling = entries[seq - 1].ruling
        found = [rules.decides(last.state, doubt) for doubt in (ruling.violations if ruling else ())]
        if Verdict.FOUL in found:
            settled[seq] = Verdict.FOUL
        elif None not in found:
            settled[seq] = Verdict.LEGAL
    if not settled:
        return entries, doubts
    changed = list(entries)
    for seq, verdict in settled.items():
        changed[seq - 1] = replace(changed[seq - 1], settled=Settled(verdict, last.seq))
    return tuple(changed), tuple(seq for seq in doubts if seq not in settled)


def _settled_anew(rules: Game[Any], entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
    """Every doubt asked again, entry by entry, after something earlier has changed."""
    fresh = [replace(entry, settled=None) if entry.settled else entry for entry in entries]
    if not any(entry.doubtful for entry in fresh):
        return tuple(fresh), ()
    done: tuple[Entry, ...] = ()
    doubts: tuple[int, ...] = ()
    for entry in fresh:
        done, doubts = _settle(rules, (*done, entry), doubts)
    return done, doubts
