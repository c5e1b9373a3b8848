"""Counts how a filmed game was followed: the journal against the truth, action by action, while people set it right.

`People` are everybody at the table: they tap what no camera can see, answer questions with the truth, take back what
did not happen, and after a while tap what the camera missed, and whatever came after it, so that the game goes on.
An action is right when the journal holds exactly it, in its place; the order of cards laid together does not count, nor
that of actions at the same time which lead to the same table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

import numpy as np

from companion.games import Action
from companion.referee import Acted, Entry, Event, Match, TookBack
from companion.training.films.changes import Trace
from companion.training.films.truth import TrueAction, Truth

TAP_AFTER = 0.3
"""People tap what cannot be seen so long (s) after it happened."""
PATIENCE, LATER = 8.0, 4.0
"""People tap what the camera missed after so long (s), or so long after the next visible action."""
GRACE = 3.0
"""So long (s) a wrong action may stand before people take it back."""
TOGETHER = 4
"""So many actions may change places."""


class How(StrEnum):
    """How an action came into the journal. `BEHIND`: tapped together with one that was missed before it."""

    CAMERA = "camera"
    ANSWER = "answer"
    TAP = "tap"
    MISSED = "missed"
    BEHIND = "behind"


@dataclass(slots=True)
class Tally:
    """Counts of films. `waits`: seconds from letting go to the journal, of what the camera wrote without asking;
    `looked`: frames, and the seconds that looking at them took."""

    films: int = 0
    actions: int = 0
    visible: int = 0
    right: int = 0
    answered: int = 0
    tapped: int = 0
    missed: int = 0
    behind: int = 0
    wrong: int = 0
    mended: int = 0
    taken_back: int = 0
    questions: int = 0
    unanswerable: int = 0
    frames: int = 0
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Add the counts of other films."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types, with the figures that follow from the counts."""
        counts = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("waits", "seconds")}
        return counts | {
            "questions per 100 actions": round(100 * self.questions / max(1, self.actions), 1),
            "let go to journal, median s": round(float(np.median(self.waits)), 2) if self.waits else None,
            "let go to journal, 90th percentile s": round(float(np.quantile(self.waits, 0.9)), 2)
            if self.waits
            else None,
            "frames looked at per s": round(self.frames / self.seconds, 1) if self.seconds else None,
        }


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


class People:
    """Everybody at the table of one film. Ask them after every frame with the match as the journal has it."""

    def __init__(self, truth: Truth, *, tap_hands: bool = True, correct: bool = True) -> None:
        """`tap_hands`: what shows only a hand, or only some of its cards, is tapped too. `correct` False: nobody sets
        anything right."""
        self.truth = truth
        self._tap_hands, self._correct = tap_hands, correct
        self._offset = len(truth.skipped)
        self.how: dict[int, How] = {}
        self.waits: dict[int, float] = {}
        self.wrong: set[int] = set()
        self.mended: set[int] = set()
        self.taken_back = 0
        self._odd: dict[int, float] = {}
        self._taps: dict[int, How] = {}
        self._answers: set[int] = set()
        self._undone: set[int] = set()
        self._counted = (-1, 0)
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
        agreed = self._agreed(match, standing)
        self._note(standing[:agreed], time)
        odd = [entry for entry in entries if entry.pending or entry in standing[agreed:]]
        self._note_odd(odd, entries, time)
        if not self._correct:
            return []
        overdue = [entry for entry in odd if time - self._odd[entry.seq] >= GRACE]
        if overdue:
            self._tell_wrong(overdue, time)
            self.wrong |= {entry.seq for entry in overdue}
            self._undone |= {entry.seq for entry in overdue}
            self.taken_back += len(overdue)
            return [TookBack(entry.seq) for entry in reversed(overdue)]
        return [] if odd else self._tapped(match, time)

    def _tapped(self, match: Match, time: float) -> list[Event]:
        """What people tap now: what is due and, where one was missed, whatever happened after it."""
        written: list[Event] = []
        late = False
        for one in self.truth.actions[self.next :]:
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
        agreed = self._agreed(match, standing)
        self._note(standing[:agreed], self.truth.seconds)
        left = standing[agreed:] if self._correct else [e for e in standing if e not in self._lined_up(standing)]
        self.wrong |= {entry.seq for entry in entries if entry.pending} | {entry.seq for entry in left}
        ways = Counter(self.how.values())
        actions = self.truth.actions
        right, waits = ways[How.CAMERA], [self.waits[n] for n, how in self.how.items() if how is How.CAMERA]
        missed = len(actions) - sum(ways[how] for how in (How.CAMERA, How.ANSWER, How.TAP, How.BEHIND))
        if not self._correct:
            found = self._lined_up(standing)
            right = len(found)
            missed = sum(one.trace is Trace.CARDS for one in actions) - right
        return Tally(
            1, len(actions), sum(one.trace is Trace.CARDS for one in actions), right, ways[How.ANSWER], ways[How.TAP],
            missed, ways[How.BEHIND], len(self.wrong), len(self.mended), self.taken_back, waits=waits,
        )  # fmt: skip

    def _tell_wrong(self, odd: Sequence[Entry], time: float) -> None:
        true = self.truth.actions[self.next : self.next + 1]
        came = f"{told(true[0].action)} at {true[0].time:.1f} s" if true else "nothing more"
        for entry in odd:
            if entry.action is not None:
                foul = " (foul)" if entry.pending else ""
                self.notes.append(f"{self._odd[entry.seq]:.1f} s: wrong {told(entry.action)}{foul}, true was {came}")

    # --- the journal against the truth -----------------------------------------------------------------------------

    def _agreed(self, match: Match, standing: Sequence[Entry]) -> int:
        """So many standing actions are the true ones, in their order or one that makes no difference."""
        if self._counted[0] != len(match.entries):
            self._counted = (len(match.entries), self._count(match, standing))
        return self._counted[1]

    def _count(self, match: Match, standing: Sequence[Entry]) -> int:
        done, actions = 0, self.truth.actions
        while done < min(len(standing), len(actions)):
            here = next((n for n in range(1, TOGETHER + 1) if self._alike(match, standing, done, n)), None)
            if here is None:
                break
            done += here
        return min(done, len(standing), len(actions))

    def _alike(self, match: Match, standing: Sequence[Entry], first: int, count: int) -> bool:
        wrote, true = standing[first : first + count], self.truth.actions[first : first + count]
        if len(wrote) < count or len(true) < count:
            return False
        if count == 1:
            return wrote[0].action is not None and same(wrote[0].action, true[0].action)
        left = [one.action for one in true]
        for entry in wrote:
            fitting = next((a for a in left if entry.action is not None and same(entry.action, a)), None)
            if fitting is None:
                return False
            left.remove(fitting)
        state = match.entries[wrote[0].seq - 2].state
        for one in true:
            state = match.game.apply(state, one.action)
        return _table(match, state) == _table(match, wrote[-1].state)

    def _lined_up(self, standing: Sequence[Entry]) -> list[Entry]:
        """Where nobody corrects: the longest common line of the journal and the truth (by dynamic programming)."""
        true = [one.action for one in self.truth.actions]
        best = np.zeros((len(standing) + 1, len(true) + 1), int)
        for n in range(len(standing) - 1, -1, -1):
            for m in range(len(true) - 1, -1, -1):
                action = standing[n].action
                hit = action is not None and same(action, true[m])
                best[n, m] = best[n + 1, m + 1] + 1 if hit else max(best[n + 1, m], best[n, m + 1])
        found, n, m = [], 0, 0
        while n < len(standing) and m < len(true):
            action = standing[n].action
            if action is not None and same(action, true[m]):
                found.append(standing[n])
                n, m = n + 1, m + 1
            elif best[n + 1, m] >= best[n, m + 1]:
                n += 1
            else:
                m += 1
        return found

    def _note(self, agreed: Sequence[Entry], time: float) -> None:
        """Remember how and when each true action came into the journal; forget those that it no longer holds."""
        self.how = {n: how for n, how in self.how.items() if n < len(agreed)}
        for number in range(len(self.how), len(agreed)):
            entry = agreed[number]
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


def _acted(match: Match) -> list[Entry]:
    return [entry for entry in match.entries if isinstance(entry.event, Acted)]


def _table(match: Match, state: Any) -> list[tuple[Any, ...]]:
    """What lies where and who has how many points: two states with equal ones are one to the table."""
    zones = [(zone.id, tuple(sorted(zone.cards)), zone.down) for zone in match.game.expected_table(state)]
    return [*sorted(zones), *sorted(match.game.totals(state).items())]


COLUMNS = {
    "films": "films", "actions": "actions", "visible": "seen", "right": "right", "answered": "asked",
    "tapped": "tapped", "missed": "missed", "behind": "behind", "wrong": "wrong", "mended": "mended",
    "taken_back": "taken back",
    "questions per 100 actions": "questions/100", "unanswerable": "no answer",
    "let go to journal, median s": "median s", "let go to journal, 90th percentile s": "p90 s",
    "frames looked at per s": "frames/s",
}  # fmt: skip


def table(tallies: dict[str, Tally]) -> str:
    """The figures by game, as a Markdown table."""
    return "\n".join(_lines(tallies))


def _lines(tallies: dict[str, Tally]) -> Iterator[str]:
    yield "| game | " + " | ".join(COLUMNS.values()) + " |"
    yield "|---|" + "---:|" * len(COLUMNS)
    for game, tally in tallies.items():
        figures = tally.to_json()
        yield f"| {game} | " + " | ".join("–" if figures[key] is None else str(figures[key]) for key in COLUMNS) + " |"


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    out = Tally()
    for tally in tallies:
        out.merge(tally)
    return out
