"""The result of a game to show around: a picture for messages, and the lines of a score sheet for paper."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from companion.games import ScoreLine
from companion.referee import Match

WIDTH = 1080
"""Of the picture, px: what messengers and albums show whole."""

_ROW, _TOP, _CHART, _FOOT = 104, 250, 250, 90
_NAME_UNITS = 22
"""Room for a name: half-width letters."""

_COLOURS = ("#f2b632", "#7fd0b8", "#ff9a90", "#9db8ff", "#d6a2e8", "#c3d96b", "#f4f1e6", "#8fb3a7")
_FONT = "system-ui, 'Hiragino Sans', 'Noto Sans JP', 'Yu Gothic UI', Meiryo, IPAGothic, sans-serif"


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the picture. `points`: None in a game without points; `run`: his total after each entry."""

    place: int
    name: str
    points: int | None
    won: bool
    run: Sequence[int] = ()


def result_svg(title: str, under: str, rows: Sequence[Row], note: str, foot: str) -> str:
    """The picture. `under`: place and time below the title; `note`: of the teams, or empty; `foot`: whose picture."""
    chart = _chart([row.run for row in rows], _TOP + _ROW * len(rows) + 30)
    below = _TOP + _ROW * len(rows) + (_CHART if chart else 0) + (60 if note else 0)
    height = below + _FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        f' font-family="{_FONT}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#154c3f"/>',
        f'<rect x="24" y="24" width="{WIDTH - 48}" height="{height - 48}" rx="36" fill="#1d6352"/>',
        _text(80, 124, title, 64, weight=700),
        _text(80, 190, under, 34, "#dcebe4"),
        *(_line(row, _TOP + _ROW * at, _COLOURS[at % len(_COLOURS)]) for at, row in enumerate(rows)),
        chart,
        _text(80, below - 10, note, 32, "#dcebe4") if note else "",
        _text(WIDTH - 80, height - 52, foot, 26, "#a9c3b9", anchor="end"),
        "</svg>",
    ]
    return "".join(parts)


def _line(row: Row, y: int, colour: str) -> str:
    ground = f'<rect x="56" y="{y}" width="{WIDTH - 112}" height="88" rx="22" fill="#f2b632"/>'
    ink = "#1b1e22" if row.won else "#f4f1e6"
    points = "" if row.points is None else _text(WIDTH - 96, y + 62, str(row.points), 54, ink, "end", 700)
    return (
        (ground if row.won else "")
        + _text(96, y + 60, str(row.place), 44, ink, weight=700)
        + f'<circle cx="186" cy="{y + 44}" r="14" fill="{colour}" stroke="#154c3f" stroke-width="4"/>'
        + _text(222, y + 60, short(row.name), 46, ink, weight=700 if row.won else 500)
        + points
    )


def _chart(runs: Sequence[Sequence[int]], top: int) -> str:
    """Everybody's total over the game; empty where there is nothing to draw."""
    all_of_them = [value for run in runs for value in run]
    low, high = min(all_of_them, default=0), max(all_of_them, default=0)
    low, high = min(0, low), max(0, high)
    if low == high or len(runs[0]) < 2:
        return ""
    tall, wide = _CHART - 60, WIDTH - 160
    lines = []
    for at, run in enumerate(runs):
        places = (
            f"{80 + wide * i / (len(run) - 1):.1f},{top + tall - tall * (v - low) / (high - low):.1f}"
            for i, v in enumerate(run)
        )
        lines.append(
            f'<polyline points="{" ".join(places)}" fill="none" stroke="{_COLOURS[at % len(_COLOURS)]}"'
            ' stroke-width="6" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    zero = top + tall - tall * (0 - low) / (high - low)
    axis = f'<line x1="80" x2="{WIDTH - 80}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#a9c3b9" stroke-width="2"/>'
    return axis + "".join(lines)


def _text(x: int, y: int, text: str, size: int, ink: str = "#f4f1e6", anchor: str = "start", weight: int = 500) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{ink}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def short(name: str) -> str:
    """A name that fits into its line; what is cut off shows as an ellipsis."""
    units = 0
    for at, letter in enumerate(name):
        units += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if units > _NAME_UNITS:
            return name[:at].rstrip() + "…"
    return name


@dataclass(frozen=True, slots=True)
class Round:
    """What one entry brought: its score lines, and everybody's total after it."""

    seq: int
    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]


def shared_head(texts: Sequence[str]) -> str:
    """What all these lines of a score sheet begin with, up to and with a colon: ``Game 1:``; else empty."""
    heads = {text[: text.find(":") + 1] for text in texts}
    return heads.pop() if len(heads) == 1 else ""


def score_rounds(match: Match, lines: Sequence[ScoreLine]) -> list[Round]:
    """The score sheet by the entries that brought the points. `lines`: the sheet as its reader may know it."""
    found: list[Round] = []
    totals = [0] * len(match.setup.players)
    done = 0
    for entry in match.entries:
        count = min(len(match.game.scores(entry.state)), len(lines))
        if count <= done:
            continue
        new, done = tuple(lines[done:count]), count
        for line in new:
            totals[line.seat] += line.points
        found.append(Round(entry.seq, new, tuple(totals)))
    return found
