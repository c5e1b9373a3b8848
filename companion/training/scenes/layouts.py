"""Where cards lie: positions on the table in card widths, as people lay them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator
TALL = 1.4  # height of a card in card widths


@dataclass(frozen=True, slots=True)
class Place:
    """One card on the table: centre in card widths (origin: middle of the picture), turn in radians, side up.

    `deck` picks the back where a deck has several; `strange` asks for a face of no known deck.
    """

    x: float
    y: float
    angle: float
    up: bool = True
    deck: int = 0
    strange: bool = False


def _single(rng: Rng, w: float, h: float) -> list[Place]:
    return [Place(rng.normal(0, w * 0.12), rng.normal(0, h * 0.12), rng.uniform(0, 6.28))]


def _scatter(rng: Rng, w: float, h: float) -> list[Place]:
    gap = float(rng.choice([1.5, 1.25, 0.7]))
    out: list[Place] = []
    for _ in range(int(rng.integers(2, 30)) * 2):
        p = Place(rng.uniform(-w, w) * 0.55, rng.uniform(-h, h) * 0.6, rng.uniform(0, 6.28))
        if all(math.hypot(p.x - q.x, p.y - q.y) > gap for q in out):
            out.append(p)
    return out[:26]


def _grid(rng: Rng, w: float, h: float) -> list[Place]:
    dx, dy = float(rng.choice([rng.uniform(0.98, 1.08), rng.uniform(1.1, 1.7)])), TALL * float(rng.uniform(1.02, 1.35))
    turn, loose = rng.uniform(-0.5, 0.5), float(rng.choice([0.0, 0.02, 0.06]))
    nx, ny = max(1, min(8, int(w / dx) + 1)), max(1, min(5, int(h / dy) + 1))
    nx, ny = int(rng.integers(1, nx + 1)), int(rng.integers(1, ny + 1))
    c, s = math.cos(turn), math.sin(turn)
    out = []
    for j in range(ny):
        for i in range(nx):
            x, y = (i - (nx - 1) / 2) * dx + rng.normal(0, loose), (j - (ny - 1) / 2) * dy + rng.normal(0, loose)
            out.append(
                Place(c * x - s * y, s * x + c * y, turn + rng.normal(0, loose) + math.pi * int(rng.integers(2)))
            )
    return out


def _spread(rng: Rng, w: float, h: float) -> list[Place]:
    """A row in which each card covers part of the one before (or the other way round), straight or upright."""
    n, step = int(rng.integers(3, 14)), float(rng.uniform(0.18, 0.75))
    turn, loose = rng.uniform(0, 6.28), float(rng.choice([0.0, 0.02, 0.05]))
    row = [
        Place(
            math.cos(turn) * (k - (n - 1) / 2) * step,
            math.sin(turn) * (k - (n - 1) / 2) * step,
            turn + rng.normal(0, loose),
        )
        for k in range(n)
    ]
    return row[::-1] if rng.random() < 0.4 else row


def _columns(rng: Rng, w: float, h: float) -> list[Place]:
    """Solitaire columns: some backs, then faces, each card showing the head of the one below."""
    n, step, turn = (
        int(rng.integers(1, 8)),
        float(rng.uniform(0.2, 0.5)),
        float(rng.choice([0, rng.normal(0, 0.3), rng.uniform(0, 6.28)])),
    )
    dx = float(rng.uniform(1.04, 1.35))
    c, s = math.cos(turn), math.sin(turn)
    out = []
    for i in range(n):
        backs, faces = int(rng.integers(0, 5)), int(rng.integers(1, 8))
        y = -h * 0.35
        for k in range(backs + faces):
            x = (i - (n - 1) / 2) * dx
            out.append(Place(c * x - s * y, s * x + c * y, turn + rng.normal(0, 0.01), up=k >= backs))
            y += step * (0.5 if k < backs else 1)
    return out


def _fan(rng: Rng, w: float, h: float) -> list[Place]:
    """A fan around a point below it, as a hand holds it or lays it down."""
    n = int(rng.integers(3, 14))
    step, radius = float(rng.uniform(4, 13)) * math.pi / 180, float(rng.uniform(0.9, 3.2))
    lean, cx, cy = (
        rng.uniform(0, 6.28) if rng.random() < 0.5 else rng.normal(0, 0.3),
        rng.normal(0, w * 0.08),
        rng.normal(0, h * 0.08),
    )
    out = []
    for k in range(n):
        a = lean + (k - (n - 1) / 2) * step + rng.normal(0, 0.012)
        out.append(
            Place(
                cx + math.sin(a) * radius - math.sin(lean) * radius,
                cy - math.cos(a) * radius + math.cos(lean) * radius,
                a,
            )
        )
    return out[::-1] if rng.random() < 0.25 else out


def _pile(rng: Rng, w: float, h: float) -> list[Place]:
    loose = float(rng.choice([0.03, 0.15, 0.4]))
    cx, cy, turn = rng.normal(0, w * 0.2), rng.normal(0, h * 0.2), rng.uniform(0, 6.28)
    return [
        Place(cx + rng.normal(0, loose), cy + rng.normal(0, loose), turn + rng.normal(0, loose))
        for _ in range(int(rng.integers(2, 8)))
    ]


def _trick(rng: Rng, w: float, h: float) -> list[Place]:
    n, reach = int(rng.integers(3, 6)), float(rng.uniform(0.35, 1.5))
    start = rng.uniform(0, 6.28)
    out = []
    for k in range(n):
        a = start + k * 2 * math.pi / n + rng.normal(0, 0.15)
        out.append(Place(math.sin(a) * reach, math.cos(a) * reach, -a + rng.normal(0, 0.3)))
    return out


def _hands(rng: Rng, w: float, h: float) -> list[Place]:
    """Several players' hands of two to five cards around the table, seen whole."""
    out: list[Place] = []
    for seat in range(int(rng.integers(2, 7))):
        cx, cy, turn = rng.uniform(-w, w) * 0.42, rng.uniform(-h, h) * 0.42, rng.uniform(0, 6.28)
        step, n, up = float(rng.uniform(0.3, 1.15)), int(rng.integers(2, 6)), rng.random() < 0.75
        for k in range(n):
            d = (k - (n - 1) / 2) * step
            out.append(
                Place(
                    cx + math.cos(turn) * d, cy + math.sin(turn) * d, turn + rng.normal(0, 0.08), up=up, deck=seat % 2
                )
            )
    return out


def _moved(cards: list[Place], dx: float, dy: float) -> list[Place]:
    return [Place(p.x + dx, p.y + dy, p.angle, p.up, p.deck, p.strange) for p in cards]


MAKERS = {"single": _single, "scatter": _scatter, "grid": _grid, "spread": _spread, "columns": _columns, "fan": _fan,
          "pile": _pile, "trick": _trick, "hands": _hands}  # fmt: skip
"""The arrangements by name."""
CROWD = "crowd"
"""One more, for training alone: as many narrow groups as the table holds."""


def _crowd(rng: Rng, w: float, h: float) -> list[Place]:
    """Narrow groups all over the table: fans, rows, piles and columns, each turned its own way."""
    nx, ny = max(1, int(w / 4.5)), max(1, int(h / 4))
    out: list[Place] = []
    for cell in rng.permutation(nx * ny):
        maker = (_fan, _spread, _pile, _columns)[int(rng.choice(4, p=[0.45, 0.3, 0.1, 0.15]))]
        group = [p for p in maker(rng, 1.5, 4.0) if math.hypot(p.x, p.y) < 3]
        turn = float(rng.normal(0, 0.4) if rng.random() < 0.5 else rng.uniform(0, 6.28))
        c, s = math.cos(turn), math.sin(turn)
        x, y = ((int(cell) % nx + 0.5) / nx - 0.5) * w, ((int(cell) // nx + 0.5) / ny - 0.5) * h
        x, y = x + rng.normal(0, 0.5), y + rng.normal(0, 0.5)
        out += [Place(c * p.x - s * p.y + x, s * p.x + c * p.y + y, p.angle + turn, p.up, p.deck) for p in group]
    return out


def invent(rng: Rng, w: float, h: float, only: str | None = None, down: float | None = None) -> list[Place]:
    """A table `w`×`h` card widths large: one arrangement, or two beside each other; bottom card first.

    `only` names the one arrangement to make, of `MAKERS` or `CROWD`; `down` is the share of cards that lie face down.
    """
    small = min(w, h) < 2.6
    makers = list(MAKERS.values())
    weights = np.array(
        [0.42, 0.1, 0.1, 0.1, 0.06, 0.12, 0.04, 0.06, 0.0]
        if small
        else [0.02, 0.2, 0.15, 0.13, 0.12, 0.14, 0.05, 0.09, 0.1]
    )
    out = (_crowd if only == CROWD else MAKERS[only] if only else makers[int(rng.choice(len(makers), p=weights))])(
        rng, w, h
    )
    if rng.random() < 0.75:
        turn, c, s = float(rng.uniform(0, 6.28)) if rng.random() < 0.5 else 0.0, 0.0, 0.0
        c, s = math.cos(turn), math.sin(turn)
        dx, dy = rng.normal(0, min(w * 0.12, 2)), rng.normal(0, min(h * 0.12, 2))
        out = [Place(c * p.x - s * p.y + dx, s * p.x + c * p.y + dy, p.angle + turn, p.up, p.deck) for p in out]
    if not only and not small and rng.random() < 0.3:
        more = makers[int(rng.choice([1, 3, 5, 6, 7]))](rng, w, h)
        out += _moved(more, rng.uniform(-w, w) * 0.4, rng.uniform(-h, h) * 0.4)
    backs = float(rng.choice([0, 0.15, 0.5, 1.0], p=[0.55, 0.2, 0.15, 0.1]))
    backs = backs if down is None else down
    strange = rng.random() < 0.06
    out = [
        Place(p.x, p.y, p.angle, p.up and rng.random() >= backs, p.deck, strange and rng.random() < 0.8) for p in out
    ]
    return out[:48]


def boxes_cross(a: list[float], b: list[float]) -> bool:
    """True where two boxes (x, y, width, height px) have a part in common."""
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
