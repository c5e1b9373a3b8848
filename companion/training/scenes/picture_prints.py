"""Invented decks of picture cards: no rank and suit in a corner, as people draw or order them for their own games.

One deck has one paper, one border, one way of drawing and one kind of back; its faces differ by picture and mark. They
teach the detector the outer edge of a card of which nothing but the edge is known: borders inside borders, coloured
paper, line drawings on white, pictures without a margin, tiles; and backs of one colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import overload

import cv2
import numpy as np

from companion.training.scenes import backgrounds
from companion.training.scenes.drawn_prints import draw_back
from companion.training.scenes.fonts import family_pick, glyph_mask, suit_fonts
from companion.training.scenes.prints import WIDTH, Print, round_corners

Rng = np.random.Generator
Ink = tuple[int, int, int]
FACES = 12
"""So many faces of a deck are drawn: enough for the detector, which need not tell them apart."""
HELDOUT_SEEDS = 1_000_000
SIGNS = "\u2605\u2606\u2600\u2601\u2602\u2618\u2693\u2694\u2696\u265e\u265c\u2654\u266b\u2699\u2744\u25b2\u25cf"


def _colour(rng: Rng, low: int, high: int) -> Ink:
    r, g, b = (int(v) for v in rng.integers(low, high, 3))
    return r, g, b


def _blob(rng: Rng, card: np.ndarray, middle: tuple[float, float], reach: float, ink: Ink, width: int) -> None:
    """A closed wobbly shape about `reach` px wide; `width` -1 fills it."""
    lobes, phase = int(rng.integers(3, 9)), rng.uniform(0, 6.28, 3)
    turn = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    radius = reach * (1 + 0.35 * np.sin(lobes * turn + phase[0]) * rng.random() + 0.2 * np.sin(2 * turn + phase[1]))
    points = np.stack([middle[0] + radius * np.cos(turn), middle[1] + radius * np.sin(turn)], 1)
    shape = [np.round(points).astype(np.int32)]
    if width < 0:
        cv2.fillPoly(card, shape, ink, cv2.LINE_AA)
    else:
        cv2.polylines(card, shape, True, ink, width, cv2.LINE_AA)


def _figure(rng: Rng, card: np.ndarray, box: tuple[int, int, int, int]) -> None:
    """Filled shapes in a few colours."""
    x0, y0, x1, y1 = box
    inks = [_colour(rng, 0, 256) for _ in range(int(rng.integers(2, 5)))]
    for _ in range(int(rng.integers(3, 10))):
        middle = (rng.uniform(x0, x1), rng.uniform(y0, y1))
        part = np.ascontiguousarray(card[y0:y1, x0:x1])
        reach = float(rng.uniform(0.08, 0.35)) * (x1 - x0)
        _blob(rng, part, (middle[0] - x0, middle[1] - y0), reach, inks[int(rng.integers(len(inks)))], -1)
        card[y0:y1, x0:x1] = part


def _pen(rng: Rng, card: np.ndarray, box: tuple[int, int, int, int]) -> None:
    """A drawing in lines of one pen."""
    x0, y0, x1, y1 = box
    ink, width = _colour(rng, 0, 90), int(rng.integers(1, 6))
    for _ in range(int(rng.integers(2, 9))):
        middle = (rng.uniform(x0, x1), rng.uniform(y0, y1))
        part = np.ascontiguousarray(card[y0:y1, x0:x1])
        if rng.random() < 0.5:
            _blob(rng, part, (middle[0] - x0, middle[1] - y0), float(rng.uniform(0.05, 0.3)) * (x1 - x0), ink, width)
        else:
            points = rng.uniform([0, 0], [x1 - x0, y1 - y0], (int(rng.integers(2, 6)), 2)).astype(np.int32)
            cv2.polylines(part, [points], False, ink, width, cv2.LINE_AA)
        card[y0:y1, x0:x1] = part


def _scene(rng: Rng, card: np.ndarray, box: tuple[int, int, int, int], bank: backgrounds.Bank) -> None:
    """A picture: part of a wallpaper, a photograph's ground or a drawn texture, shapes upon it."""
    x0, y0, x1, y1 = box
    pool = bank.pictures if bank.pictures and rng.random() < 0.7 else None
    own = backgrounds.Bank(pool or [], []) if pool else backgrounds.Bank()
    card[y0:y1, x0:x1] = backgrounds.surface(rng, y1 - y0, x1 - x0, own)
    if rng.random() < 0.6:
        _figure(rng, card, box)


def _sign(rng: Rng, card: np.ndarray, box: tuple[int, int, int, int]) -> None:
    """One large sign or a word."""
    x0, y0, x1, y1 = box
    signs = bool(suit_fonts()) and rng.random() < 0.6
    text = str(rng.choice(list(SIGNS))) if signs else "".join(rng.choice(list("ABCDEGHKMNRSTXYZ0123456789"), 2))
    try:
        mask = np.asarray(glyph_mask(text, suit_fonts()[0] if signs else family_pick(rng), max(24, (y1 - y0) // 2)))
    except (ValueError, OSError):
        return
    scale = min(1.0, 0.9 * (x1 - x0) / mask.shape[1], 0.9 * (y1 - y0) / mask.shape[0])
    mask = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, left = (y0 + y1 - mask.shape[0]) // 2, (x0 + x1 - mask.shape[1]) // 2
    part = card[top : top + mask.shape[0], left : left + mask.shape[1]]
    share = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = part * (1 - share) + np.array(_colour(rng, 0, 200), np.float32) * share


def _marks(rng: Rng, card: np.ndarray, places: list[tuple[float, float]], ink: Ink, reach: float) -> None:
    """The same small mark at every place (card fractions)."""
    h, w = card.shape[:2]
    state = rng.integers(1 << 30)
    for x, y in places:
        _blob(np.random.default_rng(state), card, (x * w, y * h), reach * w, ink, -1)


def _plain_back(rng: Rng, aspect: float) -> np.ndarray:
    """A back of one colour, perhaps with an edge, a frame or a sign in its middle. RGB."""
    h, w = round(WIDTH * aspect), WIDTH
    card = np.empty((h, w, 3), np.uint8)
    card[:] = _colour(rng, 15, 250)
    if rng.random() < 0.3:
        card = np.clip(card + (backgrounds.clouds(rng, h, w, 60)[..., None] - 0.5) * rng.uniform(10, 60), 0, 255)
        card = card.astype(np.uint8)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))):
        inset = round(w * rng.uniform(0.02, 0.12))
        cv2.rectangle(card, (inset, inset), (w - inset, h - inset), _colour(rng, 0, 256), int(rng.choice([1, 2, 4, 8])))
    if rng.random() < 0.3:
        _blob(rng, card, (w / 2, h / 2), w * rng.uniform(0.08, 0.25), _colour(rng, 0, 256), -1)
    return card


def invent(seed: int, bank: backgrounds.Bank) -> Print:
    """The picture deck of this seed: `FACES` faces and two backs; no face has an index."""
    rng = np.random.default_rng([seed, 4711])
    tile = rng.random() < 0.12
    aspect = float(rng.uniform(1.25, 1.42)) if tile else float(rng.choice([1.397, 1.4, 1.5, 1.54, 1.3, 1.65, 1.75]))
    h, w = round(WIDTH * aspect), WIDTH
    paper = _colour(rng, 215, 256) if rng.random() < 0.7 else _colour(rng, 25, 256)
    inset = 0.0 if rng.random() < 0.3 else float(rng.uniform(0.03, 0.17))
    frame, frame_ink = int(rng.choice([0, 1, 2, 4, 7])), _colour(rng, 0, 200)
    border = _colour(rng, 0, 256) if rng.random() < 0.25 else paper
    styles: tuple[Callable[[Rng, np.ndarray, tuple[int, int, int, int]], None], ...] = (
        _figure,
        _pen,
        _sign,
        lambda r, c, b: _scene(r, c, b, bank),
    )
    style = styles[int(rng.choice(4, p=[0.25, 0.3, 0.15, 0.3]))]
    places = [(0.12, 0.09), (0.88, 0.91)] + ([(0.88, 0.09), (0.12, 0.91)] if rng.random() < 0.3 else [])
    marks, reach = rng.random() < 0.65, float(rng.uniform(0.025, 0.075))
    inks = [_colour(rng, 0, 230) for _ in range(5)]
    twofold = rng.random() < 0.25
    radius = float(rng.choice([0.0, 0.02, 0.055, 0.055, 0.09]))
    faces = {}
    for number in range(FACES):
        card = np.empty((h, w, 3), np.uint8)
        card[:] = border
        px = round(inset * w)
        if inset:
            card[px : h - px, px : w - px] = paper
        if frame and inset:
            cv2.rectangle(card, (px, px), (w - 1 - px, h - 1 - px), frame_ink, frame, cv2.LINE_AA)
        room = px + (round(0.02 * w) if inset else 0)
        style(rng, card, (room, room, w - room, h - room))
        if twofold:
            card[h - h // 2 :] = card[: h // 2][::-1, ::-1]
        if marks:
            _marks(rng, card, places, inks[number % 5], reach)
        faces[f"picture{number}"] = round_corners(card, radius)
    backs = [_plain_back(rng, aspect) if rng.random() < 0.7 else draw_back(seed * 2 + k, aspect) for k in range(2)]
    backs = [cv2.resize(back, (w, h)) for back in backs]
    return Print(f"pictures-{seed}", "picture deck", "heldout" if seed >= HELDOUT_SEEDS else "train", faces,
                 [round_corners(back, radius) for back in backs], (0.0, 0.0, 0.1, 0.1), 2, frozenset())  # fmt: skip


class Decks(Sequence[Print]):
    """Many picture decks of a split (`train` or `heldout`), each drawn when it is asked for; the last few are kept."""

    def __init__(self, split: str, count: int, bank: backgrounds.Bank) -> None:
        self._first, self._count = HELDOUT_SEEDS if split == "heldout" else 0, count
        self._draw = lru_cache(maxsize=16)(lambda seed: invent(seed, bank))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> Print: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Print]: ...
    def __getitem__(self, number: int | slice) -> Print | Sequence[Print]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(self._count))]
        return self._draw(self._first + range(self._count)[number])
