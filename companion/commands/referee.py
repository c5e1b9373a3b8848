"""`companion referee`: a game record replayed, with the rulings beside its lines and the score sheet under them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands import CommandError
from companion.referee.record import Record, parse, replay, report
from companion.server.show.texts import Context, Texts

STANDARD_INPUT = Path("-")


def record_of(file: Path) -> Record:
    """The game that a record file (``-``: standard input) tells of. Raises CommandError, and what `parse` raises."""
    named = "standard input" if file == STANDARD_INPUT else str(file)
    try:
        data = sys.stdin.buffer.read() if file == STANDARD_INPUT else file.read_bytes()
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{named} is not a text file in UTF-8.") from error
    return parse(text)


def lines(game: Record, result: dict[str, Any], lang: str) -> Iterator[str]:
    """The record's lines with their rulings in words, then every score line and the totals."""
    texts, steps = Texts.load(), list(replay(game))
    rulings = [step.ruling for step in steps if step.line.event is not None]
    for line, ruling in zip(result["lines"], rulings, strict=True):
        yield f"{line['line']:>4}  #{line['seq']:<4} {line['text']}"
        if ruling is not None and (ruling.violations or ruling.proven):
            deck = steps[-1].match.deck
            yield "      " + texts.ruling(ruling, lang, Context(game.started.setup.players, deck))
    if steps:
        match = steps[-1].match
        context = Context(match.setup.players, match.deck)
        for score in match.scores():
            name = match.setup.players[score.seat]
            yield f"{name:>12} {score.points:+5d}  {texts.text(score.reason, lang, context)}"
    for total in result["totals"]:
        yield f"{total['player']:>12} {total['points']:>5d}  ="


def as_json(result: dict[str, Any]) -> str:
    """The report as one JSON object."""
    return json.dumps(result, ensure_ascii=False)


__all__ = ["as_json", "lines", "record_of", "report"]
