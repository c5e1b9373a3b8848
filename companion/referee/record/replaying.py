"""Plays a record again and says where it and the referee differ; makes a record of a line of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games import Ruling
from companion.referee.events import Acted, Event, EventError, Started
from companion.referee.match import Match
from companion.referee.record.model import Expected, Line, Record, RecordError
from companion.referee.record.writing import expected_row, row_text


@dataclass(frozen=True, slots=True)
class Step:
    """A line replayed: the match after it, and what differs from what the line states (sentences)."""

    line: Line
    match: Match
    differences: tuple[str, ...] = ()

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the line's action, if it is one."""
        return self.match.entries[-1].ruling if isinstance(self.line.event, Acted) else None


def record_of(events: Iterable[Event], remarks: Iterable[str] = ()) -> Record:
    """The record of a line of events (a journal), with the rulings they get and the totals at the end."""
    line = iter(events)
    match = Match.of([next(line)])
    started = match.entries[0].event
    assert isinstance(started, Started)
    lines = []
    for event in line:
        match = match.then(event)
        ruling = match.entries[-1].ruling
        if isinstance(event, Acted):
            lines.append(Line(Acted(event.action, "record"), Expected.of(ruling) if ruling else None))
        else:
            lines.append(Line(event))
    lines += [Line(seat=seat, total=total) for seat, total in match.game.totals(match.state).items()]
    return Record(started, tuple(lines), tuple(remarks))


def record_as_ruled(
    events: Iterable[Event], rulings: Iterable[dict[str, Any] | None], remarks: Iterable[str] = ()
) -> Record:
    """The record of a line of events with the rulings that were written down with them (`Ruling.to_json`), when the
    game is not there to rule again; without totals."""
    line = list(events)
    started = line[0]
    assert isinstance(started, Started)
    lines = []
    for event, ruling in zip(line[1:], list(rulings)[1:], strict=True):
        if isinstance(event, Acted):
            lines.append(Line(Acted(event.action, "record"), Expected.from_json(ruling) if ruling else None))
        else:
            lines.append(Line(event))
    return Record(started, tuple(lines), tuple(remarks))


def replay(record: Record) -> Iterator[Step]:
    """Play a record, line by line. Raises RecordError when a line refers to an entry that is not there."""
    match = Match.of([record.started])
    for line in record.lines:
        if line.event is not None:
            try:
                match = match.then(line.event)
            except EventError as error:
                raise RecordError(line.number, str(error)) from error
        yield Step(line, match, tuple(_differences(line, match)))


def _differences(line: Line, match: Match) -> Iterator[str]:
    ruling = match.entries[-1].ruling
    if line.expected is not None and ruling is not None and (got := Expected.of(ruling)) != line.expected:
        said, is_ = expected_row(line.expected).strip() or "legal", expected_row(got).strip() or "legal"
        yield f"line {line.number} (entry {len(match.entries)}): the record says {said}, the referee says {is_}"
    if line.seat is not None:
        total = match.game.totals(match.state)[line.seat]
        if total != line.total:
            name = match.setup.players[line.seat]
            yield f"line {line.number}: the record says {line.total} for {name}, the score sheet {total}"


def report(record: Record) -> dict[str, Any]:
    """Everything the referee has to say about a record, as plain JSON types: each line with its ruling and what it
    changed, the score sheet line by line, totals, winners, and where the record says otherwise."""
    steps = list(replay(record))
    match = steps[-1].match if steps else Match.of([record.started])
    cards, players = match.deck, record.started.setup.players
    return {
        "game": match.game.id,
        "players": list(players),
        "deck": match.deck.name,
        "options": dict(record.started.setup.options),
        "lines": [
            {
                "line": step.line.number,
                "seq": len(step.match.entries),
                "text": row_text(Line(step.line.event), players, cards),
                "event": step.line.event.to_json(),
                "ruling": step.ruling.to_json() if step.ruling else None,
                "changes": [
                    {"seq": c.seq, "before": c.before.to_json(), "after": c.after.to_json()} for c in step.match.changes
                ],
            }
            for step in steps
            if step.line.event is not None
        ],
        "scores": [
            {
                "seat": s.seat,
                "player": players[s.seat],
                "points": s.points,
                "reason": s.reason.to_json(),
                "cards": list(s.cards),
            }
            for s in match.scores()
        ],
        "totals": [
            {"seat": seat, "player": players[seat], "points": total}
            for seat, total in match.game.totals(match.state).items()
        ],
        "over": match.over,
        "winners": list(match.winners()),
        "pending": [entry.seq for entry in match.pending],
        "differences": [sentence for step in steps for sentence in step.differences],
    }
