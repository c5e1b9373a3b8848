"""Counts how a filmed game was followed: the journal against the truth, action by action, while people set it right.

`People` are everybody at the table: they tap what no camera can see, answer questions with the truth, take back what
did not happen, and after a while tap what the camera missed, and whatever came after it, so that the game goes on.
An action is right when the journal holds exactly it, in its place, or when a later action says that it was done
(`Entry.implied`): both lead to the same state. The order of cards laid together does not count, nor that of a few
actions which lead to the same table, the same points and the same turn. A true action that stands before an earlier
one is early: people first tell the earlier one, and where that does not lead there, it was wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from companion.games import Action
from companion.games.implied import is_foul
from companion.referee import Acted, Entry, Event, Match, TookBack
from companion.training.evaluation.tally import Tally
from companion.training.films.changes import Trace, in_view, reached
from companion.training.films.truth import TrueAction, Truth

TAP_AFTER = 0.3
"""People tap what cannot be seen so long (s) after it happened."""
PATIENCE, LATER = 8.0, 4.0
"""People tap what the camera missed after so long (s), or so long after the next visible action."""
GRACE = 3.0
"""So long (s) a wrong action may stand before people take it back."""
GUESSED = 2.0
"""What the camera wrote so long before it was done (s) is wrong, though it came true: no gesture takes as long."""
TOGETHER = 4
"""So many actions may change places."""
AHEAD = 8
"""Among so many true actions one that stands too early is looked for."""


class How(StrEnum):
    """How an action came into the journal. `BEHIND`: tapped together with one that was missed before it."""

    CAMERA = "camera"
    ANSWER = "answer"
    TAP = "tap"
    MISSED = "missed"
    BEHIND = "behind"


def same(one: Action, other: Action) -> bool:
    """Two actions are the same thing done: cards laid together have no order."""
    return (one.kind, one.seat, one.args, Counter(one.cards)) == (
        other.kind,
        other.seat,
        other.args,
        Counter(other.cards),
    )


def told(action: Action) -> str:
    """An action in one line: kind, seat, cards, arguments."""
    who = "" if action.seat is None else f" by {action.seat}"
    extra = "".join(f" {name}={value}" for name, value in action.args)
    return f"{action.kind}{who} {' '.join(action.cards)}{extra}".rstrip()


def only_spoken(match: Match, choices: Sequence[Action]) -> bool:
    """All `choices`, one player's, take his hands to the same places and leave the same in view: only people know."""
    rules, state = match.game, match.state
    if len(choices) < 2 or len({choice.seat for choice in choices}) > 1:
        return False
    if any(is_foul(rules.check(state, choice)) for choice in choices):
        return False
    now = tuple(rules.expected_table(state))
    tables = [tuple(rules.expected_table(rules.apply(state, choice))) for choice in choices]
    told = [(in_view(table), reached(now, table)) for table in tables]
    return all(one == told[0] for one in told)


class People:
    """Everybody at the table of one film. Ask them after every frame with the match as the journal has it."""

    def __init__(self, truth: Truth, *, tap_hands: bool = True, correct: bool = True) -> None:
        """`tap_hands`: what shows only a hand, or only some of its cards, is tapped too. `correct` False: nobody sets
        anything right."""
        self.truth = truth
        self._tap_hands, self._correct = tap_hands, correct
        self._offset = len(truth.skipped)
        told_all = [truth.started, *(Acted(a, "record") for a in truth.skipped)]
        self._true = Match.of([*told_all, *(Acted(one.action, "record") for one in truth.actions)]).entries[
            len(told_all) :
        ]
        self.how: dict[int, How] = {}
        self.waits: dict[int, float] = {}
        self.implied: set[int] = set()
        self.wrong: set[int] = set()
        self.early: set[int] = set()
        self.mended: set[int] = set()
        self.taken_back = 0
        self._odd: dict[int, float] = {}
        self._taps: dict[int, How] = {}
        self._answers: set[int] = set()
        self._undone: set[int] = set()
        self._counted: tuple[int, Agreed] = (-1, ((), 0))
        self.notes: list[str] = []
        """What went wrong, a line each, for whoever mends it."""

    @property
    def next(self) -> int:
        """The number of the first true action that the journal does not hold."""
        return len(self.how)

    def answered(self, seq: int) -> None:
        """Entry `seq` is somebody's answer to a question."""
        self._answers.add(seq)

    def look(self, match: Match, time: float) -> list[Event]:
        """What people write now, given the journal at this moment (s of the film)."""
        entries = _acted(match)[self._offset :]
        standing = [entry for entry in entries if entry.standing]
        said, agreed = self._agreed(match, standing)
        self._note(said, time)
        odd = [entry for entry in entries if entry.pending or entry in standing[agreed:]]
        self._note_odd(odd, entries, time)
        if not self._correct:
            return []
        ahead = self._ahead(odd, time)
        missing = [n for n in range(self.next, max(ahead, default=self.next)) if n not in ahead]
        if ahead and missing:
            self._tell_early(odd)
            return self._tapped(match, time, ahead)
        overdue = [entry for entry in odd if time - self._odd[entry.seq] >= GRACE]
        if overdue:
            self._tell_wrong(overdue, time)
            self.wrong |= {entry.seq for entry in overdue}
            self._undone |= {entry.seq for entry in overdue}
            self.taken_back += len(overdue)
            return [TookBack(entry.seq) for entry in reversed(overdue)]
        return [] if odd else self._tapped(match, time)

    def _ahead(self, odd: Sequence[Entry], time: float) -> set[int]:
        """Numbers of the true actions that the odd entries are, when each of them only stands too early."""
        left = {
            n for n in range(self.next, min(self.next + AHEAD, len(self._true))) if self.truth.actions[n].time <= time
        }
        found: set[int] = set()
        for entry in odd:
            for unit in () if entry.pending else _units(entry):
                fitting = next((n for n in sorted(left - found) if same(unit, self.truth.actions[n].action)), None)
                if fitting is None:
                    return set()
                found.add(fitting)
            if entry.pending:
                return set()
        return found

    def _tapped(self, match: Match, time: float, there: Collection[int] = ()) -> list[Event]:
        """What people tap now: what is due and, where one was missed, whatever happened after it; not what the journal
        holds already (`there`)."""
        written: list[Event] = []
        late = False
        for number, one in enumerate(self.truth.actions[self.next :], start=self.next):
            if number in there:
                continue
            how = self._due(one, time)
            if late and how is not How.TAP and time >= one.time + TAP_AFTER:
                how = How.BEHIND
            if how is None:
                break
            if how is How.MISSED:
                late = True
                self.notes.append(f"{time:.1f} s: missed {told(one.action)}, let go at {one.time:.1f} s")
            self._taps[match.next_seq + len(written)] = how
            written.append(Acted(one.action, "tap"))
            if not late:
                break
        return written

    def close(self, match: Match) -> Tally:
        """The counts at the end, with the journal as it is then."""
        entries = _acted(match)[self._offset :]
        standing = [entry for entry in entries if entry.standing]
        said, agreed = self._agreed(match, standing)
        self._note(said, self.truth.seconds)
        left = standing[agreed:] if self._correct else self._beside(standing)
        self.wrong |= {entry.seq for entry in entries if entry.pending} | {entry.seq for entry in left}
        self.early -= self.wrong
        self._tell_wrong([entry for entry in left if entry.seq not in self._undone], self.truth.seconds)
        ways = Counter(self.how.values())
        actions = self.truth.actions
        mine = {n for n, how in self.how.items() if how is How.CAMERA and actions[n].trace is Trace.CARDS}
        right, more = len(mine), ways[How.CAMERA] - len(mine)
        missed = len(actions) - sum(ways[how] for how in (How.CAMERA, How.ANSWER, How.TAP, How.BEHIND))
        if not self._correct:
            found = self._lined_up(standing)[1]
            right = sum(actions[n].trace is Trace.CARDS for n in found)
            more = len(found) - right
            missed = sum(one.trace is Trace.CARDS for one in actions) - right
        return Tally(
            1, len(actions), sum(one.trace is Trace.CARDS for one in actions), right, len(self.implied & mine), more,
            len(self.early), ways[How.ANSWER], ways[How.TAP], missed, ways[How.BEHIND], len(self.wrong),
            len(self.mended), self.taken_back, waits=[self.waits[n] for n in sorted(mine)],
        )  # fmt: skip

    def _tell_wrong(self, odd: Sequence[Entry], time: float) -> None:
        true = self.truth.actions[self.next : self.next + 1]
        came = f"{told(true[0].action)} at {true[0].time:.1f} s" if true else "nothing more"
        for entry in odd:
            if entry.action is not None:
                foul = " (foul)" if entry.pending else ""
                since = self._odd.get(entry.seq, time)
                self.notes.append(f"{since:.1f} s: wrong {told(entry.action)}{foul}, true was {came}")

    def _tell_early(self, odd: Sequence[Entry]) -> None:
        true = self.truth.actions[self.next]
        for entry in odd:
            if entry.seq not in self.early and entry.action is not None:
                was = f"{told(true.action)} at {true.time:.1f} s"
                self.notes.append(f"{self._odd[entry.seq]:.1f} s: early {told(entry.action)}, before {was}")
            self.early.add(entry.seq)

    # --- the journal against the truth -----------------------------------------------------------------------------

    def _agreed(self, match: Match, standing: Sequence[Entry]) -> Agreed:
        """For each true action that the journal holds the entry that says so, and how many standing entries those are:
        in their order or one that makes no difference."""
        if self._counted[0] != len(match.entries):
            self._counted = (len(match.entries), self._count(match, standing))
        return self._counted[1]

    def _count(self, match: Match, standing: Sequence[Entry]) -> Agreed:
        said: list[Entry] = []
        done = 0
        while done < len(standing) and len(said) < len(self._true):
            ways = (self._alike(match, standing[done : done + n], len(said)) for n in range(1, TOGETHER + 1))
            found = next((way for way in ways if way), None)
            if found is None:
                break
            said += found
            done += len({entry.seq for entry in found})
        return tuple(said), done

    def _alike(self, match: Match, wrote: Sequence[Entry], first: int) -> tuple[Entry, ...]:
        """For each of the true actions from `first` on that these entries are together the one that says so; empty when
        they are not."""
        left = [(unit, entry) for entry in wrote for unit in _units(entry)]
        whole, found, true = len(left), dict[int, Entry](), self._true[first:]
        count = next((n for n in range(1, len(true) + 1) if sum(len(_units(e)) for e in true[:n]) >= whole), 0)
        for number, one in enumerate(true[:count]):
            for unit in _units(one):
                fitting = next((pair for pair in left if same(pair[0], unit)), None)
                if fitting is None:
                    return ()
                left.remove(fitting)
                found[number] = fitting[1]
        if left or not found or len({entry.seq for entry in found.values()}) < len(wrote):
            return ()
        plain = len(wrote) == count == 1
        alike = plain or _look(match, wrote[-1].state) == _look(match, true[count - 1].state)
        return tuple(found[n] for n in range(count)) if alike else ()

    def _beside(self, standing: Sequence[Entry]) -> list[Entry]:
        """Where nobody corrects: the entries that are no part of what is true."""
        entries, _ = self._lined_up(standing)
        return [entry for entry in standing if entry.seq not in entries]

    def _lined_up(self, standing: Sequence[Entry]) -> tuple[set[int], set[int]]:
        """Where nobody corrects: the longest common line of the journal and the truth (by dynamic programming), what
        later actions say included: entries all of which is on it, and the numbers of the true actions on it."""
        wrote = [(unit, entry.seq) for entry in standing for unit in _units(entry)]
        true = [(unit, n) for n, one in enumerate(self._true) for unit in _units(one)]
        best = np.zeros((len(wrote) + 1, len(true) + 1), int)
        for n in range(len(wrote) - 1, -1, -1):
            for m in range(len(true) - 1, -1, -1):
                hit = same(wrote[n][0], true[m][0])
                best[n, m] = best[n + 1, m + 1] + 1 if hit else max(best[n + 1, m], best[n, m + 1])
        off, missed, n, m = set[int](), set[int](), 0, 0
        while n < len(wrote) and m < len(true):
            if same(wrote[n][0], true[m][0]):
                n, m = n + 1, m + 1
            elif best[n + 1, m] >= best[n, m + 1]:
                off.add(wrote[n][1])
                n += 1
            else:
                missed.add(true[m][1])
                m += 1
        off |= {seq for _, seq in wrote[n:]}
        missed |= {number for _, number in true[m:]}
        return {entry.seq for entry in standing} - off, set(range(len(self._true))) - missed

    def _note(self, said: Sequence[Entry], time: float) -> None:
        """Remember how and when each true action came into the journal; forget those that it no longer holds."""
        self.how = {n: how for n, how in self.how.items() if n < len(said)}
        for number in range(len(self.how), len(said)):
            entry = said[number]
            by_camera = isinstance(entry.event, Acted) and entry.event.source == "camera"
            how = (
                How.ANSWER
                if entry.seq in self._answers
                else How.CAMERA
                if by_camera
                else self._taps.get(entry.seq, How.TAP)
            )
            self.how[number] = how
            self.waits[number] = time - self.truth.actions[number].time
            if by_camera and self.waits[number] < -GUESSED:
                self.wrong.add(entry.seq)
                happened = self.truth.actions[number]
                self.notes.append(f"{time:.1f} s: wrong {told(happened.action)}, done only at {happened.time:.1f} s")
            if entry.action is None or not same(entry.action, self.truth.actions[number].action):
                self.implied.add(number)

    def _note_odd(self, odd: Sequence[Entry], entries: Sequence[Entry], time: float) -> None:
        """Remember since when an action stands that did not happen; one that went by itself was wrong and mended."""
        now = {entry.seq for entry in odd}
        gone = set(self._odd) - now
        counted = {entry.seq for entry in entries if entry.standing}
        self.mended |= {seq for seq in gone if seq not in counted and seq not in self._undone}
        self.wrong |= self.mended
        self._odd = {seq: self._odd.get(seq, time) for seq in now}

    def _due(self, one: TrueAction, time: float) -> How | None:
        """Whether people tap this action now, and why."""
        if one.trace is Trace.NONE or (one.trace is not Trace.CARDS and self._tap_hands):
            return How.TAP if time >= one.time + TAP_AFTER else None
        later = [after.time for after in self.truth.actions if after.time > one.time and after.trace is Trace.CARDS][:1]
        overdue = time >= one.time + PATIENCE or any(time >= one.time and time >= at + LATER for at in later)
        return How.MISSED if overdue else None


Agreed = tuple[tuple[Entry, ...], int]
"""For each true action that the journal holds the entry that says so; and how many entries that are."""


def _acted(match: Match) -> list[Entry]:
    return [entry for entry in match.entries if isinstance(entry.event, Acted)]


def _units(entry: Entry) -> tuple[Action, ...]:
    """All that an entry says was done."""
    return (*entry.implied, entry.action) if entry.action is not None else entry.implied


def _look(match: Match, state: Any) -> tuple[Any, ...]:
    """What lies where, who has how many points and what may be done: two states in which these are equal are one to the
    table."""
    zones = sorted((zone.id, tuple(sorted(zone.cards)), zone.down) for zone in match.game.expected_table(state))
    points = sorted(match.game.totals(state).items())
    return (
        zones,
        points,
        sorted({(prompt.kind, -1 if prompt.seat is None else prompt.seat) for prompt in match.game.prompts(state)}),
    )
