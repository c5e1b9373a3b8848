"""Games as readable text: written at a table by hand, exported by the page, replayed by the tests.

::

    # A pair of equal cards in a single deck
    game three-card-showdown
    deck 52D1
    player Aki
    player Ben
    option ace=low

    Aki: lay 5S 6H 7C
    Ben: lay 9S 9S KD  ! identical-cards
    take back 3
    Ben: lay 9S 9H KD
    score Aki 1
    table: next

One line, one event; the first is entry 2 (entry 1 is the start), as on the page. ``docs/records.md`` describes the
format whole. `parse` and `text` are inverse to each other up to blank lines and spaces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from companion.cards import Deck, DeckError, NotationError, deck, parse_face
from companion.games import UNKNOWN, Action, Arg, Ruling, Setup, SetupError, UnknownGameError, Verdict, game
from companion.referee.events import Acted, Corrected, Event, EventError, Overruled, Started, TookBack
from companion.referee.match import Match

_MARKS = {"!": Verdict.FOUL, "~": Verdict.UNPROVEN}
_PROVEN = "^"
_TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_PLAIN = re.compile(r"[^\s\"\\=:,\[\]#!~^]+")
_TABLE = "table"


class RecordError(ValueError):
    """A record that cannot be read: one sentence, with the line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Expected:
    """The ruling that a record states: verdict, codes of the violations, codes of what is proven."""

    verdict: Verdict = Verdict.LEGAL
    codes: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()

    @classmethod
    def of(cls, ruling: Ruling) -> Expected:
        codes = tuple(sorted(v.code for v in ruling.violations))
        return cls(ruling.verdict, codes, tuple(sorted(v.code for v in ruling.proven)))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record: an event with the ruling it should get, or a player's total at this point (`seat`,
    `total`), or a remark of its own (neither). `number`: in the file, 1-based."""

    event: Event | None = None
    expected: Expected | None = None
    seat: int | None = None
    total: int = 0
    remark: str = ""
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text: remarks at the top, the start, the lines."""

    started: Started
    lines: tuple[Line, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, the start first."""
        return (self.started, *(line.event for line in self.lines if line.event))


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


# --- reading ----------------------------------------------------------------------------------------------------


def parse(source: str) -> Record:
    """Read a record. Raises RecordError, one sentence with the line."""
    rows = [(number, row.strip()) for number, row in enumerate(source.splitlines(), start=1)]
    head = _Head()
    lines: list[Line] = []
    reader: _Reader | None = None
    for number, row in rows:
        if not row:
            continue
        if reader is None and head.takes(number, row):
            continue
        if reader is None:
            reader = head.reader(number)
        lines.append(reader.line(number, row))
    reader = reader or head.reader(len(rows) + 1)
    return Record(reader.started, tuple(lines), tuple(head.remarks))


class _Head:
    """The lines before the first event."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self.game = self.deck = ""
        self.players: list[str] = []
        self.options: list[tuple[str, str]] = []

    def takes(self, number: int, row: str) -> bool:
        """Whether `row` belongs to the head; it is remembered then."""
        if row.startswith("#"):
            if self.game:
                return False
            self.remarks.append(row[1:].strip())
            return True
        word, _, rest = row.partition(" ")
        rest = rest.strip()
        match word:
            case "game":
                self.game = rest
            case "deck":
                self.deck = rest
            case "player":
                self.players.append(_unquoted(number, rest))
            case "option":
                name, equals, value = rest.partition("=")
                if not equals:
                    raise RecordError(number, f"an option is written name=value, not {rest!r}")
                self.options.append((name, _unquoted(number, value)))
            case _:
                return False
        if not rest:
            raise RecordError(number, f"after {word!r} something is missing")
        return True

    def reader(self, number: int) -> _Reader:
        """What reads the events, now that the head is known."""
        if not self.game:
            raise RecordError(number, "a record begins with 'game' and the name of the game")
        started = Started(self.game, Setup(tuple(self.players), self.deck, tuple(sorted(self.options))))
        try:
            rules = game(self.game)
            rules.start(started.setup)
            cards = deck(self.deck or rules.recommended_deck(len(self.players)))
        except (UnknownGameError, SetupError, DeckError) as error:
            raise RecordError(number, str(error)) from error
        return _Reader(started, cards)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads events for a known start."""

    started: Started
    deck: Deck

    def line(self, number: int, row: str) -> Line:
        tokens, remark = _split(number, row)
        if not tokens:
            return Line(remark=remark, number=number)
        match tokens:
            case ["take", "back", seq]:
                return Line(TookBack(_number(number, seq)), remark=remark, number=number)
            case ["play", "on", seq]:
                return Line(Overruled(_number(number, seq)), remark=remark, number=number)
            case ["score", *_]:
                return self._score(number, tokens, remark)
            case ["correct", seq, *_]:
                rest = row.split(None, 2)[2] if len(tokens) > 2 else ""
                action, _ = self._action(number, rest)
                return Line(Corrected(_number(number, seq), action), remark=remark, number=number)
        action, expected = self._action(number, row)
        return Line(Acted(action, "record"), expected, remark=remark, number=number)

    def _score(self, number: int, tokens: list[str], remark: str) -> Line:
        if len(tokens) < 3:
            raise RecordError(number, "a score line is 'score', the player, his total")
        seat = self._seat(number, " ".join(tokens[1:-1]))
        return Line(seat=seat, total=_number(number, tokens[-1]), remark=remark, number=number)

    def _action(self, number: int, row: str) -> tuple[Action, Expected]:
        seat, rest = self._actor(number, row)
        tokens, _ = _split(number, rest)
        words, expected = _expectation(number, tokens)
        if not words:
            raise RecordError(number, "after the colon the action is missing")
        cards: list[str] = []
        args: dict[str, Arg] = {}
        for word in words[1:]:
            if (equals := re.match(r'([^="\s]+)=', word)) is not None:
                args[equals[1]] = _value(number, word[equals.end() :])
            else:
                cards.append(self._card(number, word))
        return Action(_unquoted(number, words[0]), seat, tuple(cards), tuple(sorted(args.items()))), expected

    def _actor(self, number: int, row: str) -> tuple[int | None, str]:
        """Who acts (longest name first, for names that contain a colon), and the rest of the line."""
        if row.startswith(f"{_TABLE}:"):
            return None, row[len(_TABLE) + 1 :]
        if (by_seat := re.match(r"seat (-?\d+):", row)) is not None:
            return int(by_seat[1]) - 1, row[by_seat.end() :]
        for name in sorted(self.started.setup.players, key=len, reverse=True):
            if row.startswith(f"{name}:"):
                return self._seat(number, name), row[len(name) + 1 :]
        who, colon, _ = row.partition(":")
        if not colon:
            raise RecordError(number, f"an event is 'name: action', 'take back N', …, not {row!r}")
        return self._seat(number, who), ""

    def _seat(self, number: int, name: str) -> int:
        players = self.started.setup.players
        if (by_seat := re.fullmatch(r"seat (\d+)", name)) is not None and 0 < int(by_seat[1]) <= len(players):
            return int(by_seat[1]) - 1
        if players.count(name) == 1:
            return players.index(name)
        near = get_close_matches(name, players, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RecordError(number, f"no player is called {name!r}{hint}")

    def _card(self, number: int, word: str) -> str:
        if word.startswith('"'):
            return _unquoted(number, word)
        if word == UNKNOWN or word in self.deck:
            return word
        try:
            return parse_face(word, self.deck)
        except NotationError as error:
            raise RecordError(number, str(error)) from error


def _split(number: int, row: str) -> tuple[list[str], str]:
    """Tokens (quoted texts stay quoted) and the remark after ``#``."""
    tokens: list[str] = []
    at = 0
    while at < len(row):
        if row[at].isspace():
            at += 1
            continue
        if row[at] == "#":
            return tokens, row[at + 1 :].strip()
        token = _TOKEN.match(row, at)
        if token is None:
            raise RecordError(number, "a quoted text is not closed")
        tokens.append(token[0])
        at = token.end()
    return tokens, ""


def _expectation(number: int, tokens: list[str]) -> tuple[list[str], Expected]:
    marks = [i for i, token in enumerate(tokens) if token in (*_MARKS, _PROVEN)]
    verdict, codes, proven = Verdict.LEGAL, [], []
    for start, end in zip(marks, [*marks[1:], len(tokens)], strict=False):
        if end == start + 1:
            raise RecordError(number, f"after {tokens[start]!r} the code of a ruling is missing")
        if tokens[start] == _PROVEN:
            proven += tokens[start + 1 : end]
        else:
            verdict = _MARKS[tokens[start]]
            codes += tokens[start + 1 : end]
    words = tokens[: marks[0]] if marks else tokens
    return words, Expected(verdict, tuple(sorted(codes)), tuple(sorted(proven)))


def _number(number: int, text: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise RecordError(number, f"a number was expected, not {text!r}")
    return int(text)


def _unquoted(number: int, text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, str):
        raise RecordError(number, f"{text} is not a quoted text")
    return value


def _value(number: int, text: str) -> Arg:
    if text in ("yes", "no"):
        return text == "yes"
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    if text.startswith("["):
        if not text.endswith("]"):
            raise RecordError(number, f"the list {text!r} is not closed")
        return tuple(_unquoted(number, item) for item in re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s]+', text[1:-1]))
    return _unquoted(number, text)


# --- writing ----------------------------------------------------------------------------------------------------


def text(record: Record) -> str:
    """The record as text, with a line break at its end."""
    setup = record.started.setup
    rows = [f"# {remark}".rstrip() for remark in record.remarks]
    rows.append(f"game {record.started.game}")
    rows += [f"deck {setup.deck}"] if setup.deck else []
    rows += [f"player {name if _plain_name(name) else json.dumps(name)}" for name in setup.players]
    rows += [f"option {name}={value if _plain_name(value) else json.dumps(value)}" for name, value in setup.options]
    cards = deck(setup.deck or game(record.started.game).recommended_deck(len(setup.players)))
    rows.append("")
    rows += [_row(line, setup.players, cards) for line in record.lines]
    return "\n".join(rows) + "\n"


def _plain_name(name: str) -> bool:
    return name == name.strip() and name.isprintable() and name != "" and not name.startswith('"')


def _row(line: Line, players: tuple[str, ...], cards: Deck) -> str:
    row = ""
    match line.event:
        case Acted(action=action):
            row = _action_row(action, players, cards) + _expected_row(line.expected)
        case Corrected(seq=seq, action=action):
            row = f"correct {seq} " + _action_row(action, players, cards)
        case TookBack(seq=seq):
            row = f"take back {seq}"
        case Overruled(seq=seq):
            row = f"play on {seq}"
    if line.seat is not None:
        row = f"score {_who(line.seat, players)} {line.total}"
    return f"{row}  # {line.remark}".strip() if line.remark or not row else row


def _who(seat: int | None, players: tuple[str, ...]) -> str:
    """How a seat is written: by name where that is clear, else by its number from 1."""
    if seat is None:
        return _TABLE
    name = players[seat] if 0 <= seat < len(players) else ""
    clear = _PLAIN.fullmatch(name.replace(" ", "")) and _plain_name(name) and players.count(name) == 1
    reserved = re.match(r"(take|play|score|correct|table|seat|game|deck|player|option)\b", name)
    return name if clear and not reserved and "  " not in name else f"seat {seat + 1}"


def _action_row(action: Action, players: tuple[str, ...], cards: Deck) -> str:
    words = [_quoted(action.kind)]
    words += [c if c == UNKNOWN or (c in cards and _PLAIN.fullmatch(c)) else json.dumps(c) for c in action.cards]
    words += [f"{name}={_value_text(value)}" for name, value in action.args]
    return f"{_who(action.seat, players)}: " + " ".join(words)


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else json.dumps(word)


def _value_text(value: Arg) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ",".join(_quoted(item) for item in value) + "]"
    odd = value in ("yes", "no") or re.fullmatch(r"-?\d+", value)
    return json.dumps(value) if odd else _quoted(value)


def _expected_row(expected: Expected | None) -> str:
    if expected is None:
        return ""
    row = ""
    if expected.verdict is not Verdict.LEGAL:
        mark = next(mark for mark, verdict in _MARKS.items() if verdict is expected.verdict)
        row += f"  {mark} " + " ".join(expected.codes)
    if expected.proven:
        row += f"  {_PROVEN} " + " ".join(expected.proven)
    return row


# --- from and to matches ----------------------------------------------------------------------------------------


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
        said, is_ = _expected_row(line.expected).strip() or "legal", _expected_row(got).strip() or "legal"
        yield f"line {line.number}: the record says {said}, the referee says {is_}"
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
                "text": _row(Line(step.line.event), players, cards),
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
        "winners": list(match.game.winners(match.state)),
        "pending": [entry.seq for entry in match.pending],
        "differences": [sentence for step in steps for sentence in step.differences],
    }
