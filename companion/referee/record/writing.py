"""Writes a record so that it reads back as the same: what could be mistaken is quoted."""

from __future__ import annotations

import json
import re

from companion.cards import Deck, deck
from companion.games import UNKNOWN, Action, Arg, Verdict, game
from companion.referee.events import Acted, Corrected, Finished, Overruled, TookBack
from companion.referee.record.model import MARKS, PROVEN, TABLE, Expected, Line, Record

_PLAIN = re.compile(r"[^\s\"\\=:,\[\]#!~^]+")


def text(record: Record) -> str:
    """The record as text, with a line break at its end."""
    setup = record.started.setup
    players = _apart(setup.players)
    rows = [f"# {' '.join(remark.split())}".rstrip() for remark in record.remarks]
    rows.append(f"game {record.started.game}")
    rows += [f"deck {setup.deck}"] if setup.deck else []
    rows += [f"file {json.dumps(record.started.deck_file)}"] if record.started.deck_file else []
    rows += [f"player {name if _plain_name(name) else json.dumps(name)}" for name in players]
    teams = record.started.teams
    rows += [f"team {n}={t if _plain_name(t) else json.dumps(t)}" for n, t in enumerate(teams, start=1) if t]
    rows += [f"option {name}={value if _plain_name(value) else json.dumps(value)}" for name, value in setup.options]
    cards = deck(setup.deck or game(record.started.game).recommended_deck(len(setup.players)))
    rows.append("")
    rows += [row_text(line, players, cards) for line in record.lines]
    return "\n".join(rows) + "\n"


def _plain_name(name: str) -> bool:
    return name == name.strip() and name.isprintable() and name != "" and not name.startswith('"') and "#" not in name


def _apart(players: tuple[str, ...]) -> tuple[str, ...]:
    """The players' names; one that is there already gets the next free number behind it, as a record has no two."""
    names: list[str] = []
    for name in players:
        free = (f"{name} {n}" for n in range(2, len(players) + 2) if f"{name} {n}" not in (*names, *players))
        names.append(next(free) if name in names else name)
    return tuple(names)


def row_text(line: Line, players: tuple[str, ...], cards: Deck) -> str:
    """One line of a record, without its line break."""
    row = ""
    match line.event:
        case Acted(action=action):
            row = _action_row(action, players, cards) + expected_row(line.expected)
        case Corrected(seq=seq, action=action):
            row = f"correct {seq} " + _action_row(action, players, cards)
        case TookBack(seq=seq):
            row = f"take back {seq}"
        case Overruled(seq=seq):
            row = f"play on {seq}"
        case Finished():
            row = "finish"
    if line.seat is not None:
        row = f"score {_who(line.seat, players)} {line.total}"
    remark = " ".join(line.remark.split())
    return f"{row}  # {remark}".strip() if remark or not row else row


def _who(seat: int | None, players: tuple[str, ...]) -> str:
    """How a seat is written: by name where that is clear, else by its number from 1."""
    if seat is None:
        return TABLE
    name = players[seat] if 0 <= seat < len(players) else ""
    clear = _PLAIN.fullmatch(name.replace(" ", "")) and _plain_name(name) and players.count(name) == 1
    reserved = re.match(r"(take|play|score|correct|finish|table|seat|game|deck|file|player|team|option)\b", name)
    return name if clear and not reserved and "  " not in name else f"seat {seat + 1}"


def _action_row(action: Action, players: tuple[str, ...], cards: Deck) -> str:
    words = [_quoted(action.kind)]
    words += [c if c == UNKNOWN or (c in cards and _PLAIN.fullmatch(c)) else json.dumps(c) for c in action.cards]
    words += [f"{_quoted(name)}={_value_text(value)}" for name, value in action.args]
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


def expected_row(expected: Expected | None) -> str:
    if expected is None:
        return ""
    row = ""
    if expected.verdict is not Verdict.LEGAL:
        mark = next(mark for mark, verdict in MARKS.items() if verdict is expected.verdict)
        row += f"  {mark} " + " ".join(expected.codes)
    if expected.proven:
        row += f"  {PROVEN} " + " ".join(expected.proven)
    return row
