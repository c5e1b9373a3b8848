"""Reads a record: the head says what is played, every line after it is one event."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches

from companion.cards import Deck, DeckError, NotationError, deck, parse_face
from companion.games import UNKNOWN, Action, Arg, Setup, SetupError, UnknownGameError, Verdict, game
from companion.referee.events import (
    Acted,
    Corrected,
    EventError,
    Finished,
    Overruled,
    Started,
    TookBack,
    keep_deck_file,
)
from companion.referee.record.model import MARKS, PROVEN, TABLE, Expected, Line, Record, RecordError

HEAD_WORDS = ("game", "deck", "file", "player", "team", "option")
_TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_NAME = re.compile(r'([^="\s]+|"(?:[^"\\]|\\.)*")=')
_NUMBER = re.compile(r"-?[0-9]{1,4000}")


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
    """The lines before the first event. `at`: in which line each of them stands."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self.game = self.deck = self.file = ""
        self.players: list[str] = []
        self.teams: dict[int, str] = {}
        self.options: list[tuple[str, str]] = []
        self.at: dict[str, int] = {}

    def takes(self, number: int, row: str) -> bool:
        """Whether `row` belongs to the head; it is remembered then."""
        if row.startswith("#"):
            if self.game:
                return False
            self.remarks.append(row[1:].strip())
            return True
        word, _, rest = row.partition(" ")
        if word not in HEAD_WORDS:
            return False
        rest = rest.strip()
        if not rest or rest.startswith("#"):
            raise RecordError(number, f"after {word!r} something is missing")
        match word:
            case "game":
                self._once(number, "game", f"a record has one game, and this is {self.game} already")
                self.game = _head_text(number, rest)
            case "deck":
                self._once(number, "deck", f"a record has one deck, and this is {self.deck} already")
                self.deck = _head_text(number, rest)
            case "file":
                self._file(number, rest)
            case "player":
                self._player(number, _head_text(number, rest))
            case "team":
                self._team(number, rest)
            case _:
                self._option(number, rest)
        return True

    def _file(self, number: int, rest: str) -> None:
        """The deck file of a deck of one's own, quoted, behind the deck's name."""
        self._once(number, "file", "a record has one deck file")
        if not self.deck:
            raise RecordError(number, "a deck file stands behind the name of its deck")
        self.file = _head_text(number, rest)
        try:
            keep_deck_file(self.deck, self.file)
        except EventError as error:
            raise RecordError(number, str(error)) from error

    def _once(self, number: int, what: str, sentence: str) -> None:
        if what in self.at:
            raise RecordError(number, f"{sentence} (line {self.at[what]})")
        self.at[what] = number

    def _player(self, number: int, name: str) -> None:
        self._once(number, f"player {name}", f"a second player is called {name!r}; give each a name of his own")
        self.at["players"] = number
        self.players.append(name)

    def _team(self, number: int, rest: str) -> None:
        """``team 2=Red``: the second player is of the team Red."""
        seat, equals, team = rest.partition("=")
        if not equals or not re.fullmatch(r"[0-9]{1,2}", seat) or not 0 < int(seat) <= len(self.players):
            raise RecordError(number, f"a team is written SEAT=NAME behind the players, not {rest!r}")
        self._once(number, f"team {seat}", f"seat {seat} has a team already")
        self.teams[int(seat) - 1] = _head_text(number, team)

    def _option(self, number: int, rest: str) -> None:
        name, equals, value = rest.partition("=")
        if not equals:
            raise RecordError(number, f"an option is written name=value, not {rest!r}")
        self._once(number, f"option {name}", f"option {name} is set already")
        self.options.append((name, _head_text(number, value)))

    def reader(self, number: int) -> _Reader:
        """What reads the events, now that the head is known. `number`: the line where the head ends."""
        if not self.game:
            raise RecordError(number, "a record begins with 'game' and the name of the game")
        try:
            rules = game(self.game)
        except UnknownGameError as error:
            raise RecordError(self.at["game"], str(error)) from error
        # Part by part, so that an error names the line that brought it in.
        parts: list[tuple[int, str, list[tuple[str, str]]]] = [(self.at.get("players", self.at["game"]), "", [])]
        parts += [(self.at["deck"], self.deck, [])] if self.deck else []
        parts += [(self.at[f"option {o[0]}"], self.deck, self.options[: i + 1]) for i, o in enumerate(self.options)]
        for line, cards, options in parts:
            setup = Setup(tuple(self.players), cards, tuple(sorted(options)))
            try:
                rules.start(setup)
                named = deck(cards or rules.recommended_deck(len(self.players)))
            except (SetupError, DeckError) as error:
                raise RecordError(line, _away(cards) or str(error)) from error
        teams = tuple(self.teams.get(seat, "") for seat in range(len(self.players))) if self.teams else ()
        return _Reader(Started(self.game, setup, self.file, teams), named)


def _away(cards: str) -> str:
    """Where the deck is one of one's own that is not known here: what to do; else nothing."""
    try:
        known = "~" not in cards or bool(deck(cards))
    except DeckError:
        known = False
    return "" if known else f"the deck {cards} is somebody's own and neither here nor in the record: keep it first"


def _head_text(number: int, text: str) -> str:
    """A name or value of the head: quoted, or as it stands up to a remark."""
    if text.startswith('"'):
        tokens, _ = _split(number, text)
        if len(tokens) > 1:
            raise RecordError(number, f"after {tokens[0]} nothing but a remark may stand, not {tokens[1]!r}")
        return _unquoted(number, tokens[0])
    return re.split(r"\s+#", text, maxsplit=1)[0].strip()


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
            case ["finish"]:
                return Line(Finished(), remark=remark, number=number)
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
            if (equals := _NAME.match(word)) is not None:
                name = _unquoted(number, equals[1])
                if name in args:
                    raise RecordError(number, f"the argument {name!r} is there twice")
                args[name] = _value(number, word[equals.end() :])
            else:
                cards.append(self._card(number, word))
        return Action(_unquoted(number, words[0]), seat, tuple(cards), tuple(sorted(args.items()))), expected

    def _actor(self, number: int, row: str) -> tuple[int | None, str]:
        """Who acts (longest name first, for names that contain a colon), and the rest of the line."""
        if row.startswith(f"{TABLE}:"):
            return None, row[len(TABLE) + 1 :]
        if (by_seat := re.match(r"seat (-?\d+):", row)) is not None:
            return int(by_seat[1]) - 1, row[by_seat.end() :]
        for name in sorted(self.started.setup.players, key=len, reverse=True):
            if row.startswith(f"{name}:"):
                return self._seat(number, name), row[len(name) + 1 :]
        if row.partition(" ")[0] in HEAD_WORDS:
            word = row.partition(" ")[0]
            raise RecordError(number, f"{word!r} stands before the first event, with {', '.join(HEAD_WORDS)}")
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
    marks = [i for i, token in enumerate(tokens) if token in (*MARKS, PROVEN)]
    verdict, codes, proven = Verdict.LEGAL, [], []
    for start, end in zip(marks, [*marks[1:], len(tokens)], strict=False):
        if end == start + 1:
            raise RecordError(number, f"after {tokens[start]!r} the code of a ruling is missing")
        if tokens[start] == PROVEN:
            proven += tokens[start + 1 : end]
        else:
            verdict = MARKS[tokens[start]]
            codes += tokens[start + 1 : end]
    words = tokens[: marks[0]] if marks else tokens
    return words, Expected(verdict, tuple(sorted(codes)), tuple(sorted(proven)))


def _number(number: int, text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
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
    if _NUMBER.fullmatch(text):
        return int(text)
    if text.startswith("["):
        if not text.endswith("]"):
            raise RecordError(number, f"the list {text!r} is not closed")
        items = re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s]+', text[1:-1])
        return tuple(_unquoted(number, item) for item in items)
    return _unquoted(number, text)
