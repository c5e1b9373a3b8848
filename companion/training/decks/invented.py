"""Invented custom decks: pictures × marks, unlimited from a seed, drawn with OpenCV alone.

A deck has a style. *Clear* ones have many-coloured pictures and large coloured marks, *muted* ones pictures in few
faded colours and small marks of like colours, *pen* ones are line drawings in one ink with coloured marks, and the
*worst* are line drawings of one pen with a small black mark. A face is what a person would call "the Judge of the
Temple": the same picture on five cards, the same mark on thirteen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.training.scenes.prints import round_corners

Rng = np.random.Generator
STYLES = ("clear", "muted", "pen", "worst")
HELDOUT = 1_000_000
"""Decks from this seed on are measured; training takes those below."""
WIDTH = 240
"""Width of a drawn face, px."""
_FINE = 2  # drawn so many times as large, then reduced: smooth edges

_STROKES = {  # points of each stroke in a box of ten by ten
    "0": "3,0 1,2 1,8 3,10 7,10 9,8 9,2 7,0 3,0", "1": "2,3 5,0 5,10", "2": "1,2 3,0 7,0 9,2 9,4 1,10 9,10",
    "3": "1,1 5,0 8,2 5,5 9,7 6,10 1,9", "4": "7,10 7,0 1,7 9,7",
    "5": "8,0 2,0 2,4 6,4 9,6 8,9 5,10 1,9",
    "6": "7,0 3,3 1,7 3,10 7,10 9,7 6,5 2,6", "7": "1,0 9,0 4,10",
    "8": "5,5 2,3 3,0 7,0 8,3 5,5 1,8 3,10 7,10 9,8 5,5",
    "9": "9,4 6,5 2,4 2,1 5,0 8,1 9,4 7,10", "A": "1,10 5,0 9,10|3,6 7,6",
    "B": "2,0 2,10 7,10 8,7 6,5 2,5|6,5 7,2 6,0 2,0",
    "K": "2,0 2,10|8,0 2,6|4,5 9,10", "M": "1,10 1,0 5,6 9,0 9,10",
    "Q": "3,0 1,3 1,7 3,10 7,10 9,7 9,3 7,0 3,0|6,7 9,10",
    "R": "2,10 2,0 7,0 8,3 6,5 2,5|5,5 9,10", "S": "9,1 5,0 2,2 4,5 8,7 6,10 1,9", "W": "0,0 3,10 5,4 7,10 10,0",
    "X": "1,0 9,10|9,0 1,10", "E": "9,0 2,0 2,10 9,10|2,5 7,5", "G": "9,2 6,0 2,2 1,6 3,10 8,10 9,6 5,6",
    "T": "0,0 10,0|5,0 5,10", "Z": "1,0 9,0 1,10 9,10", "P": "2,10 2,0 7,0 8,3 6,5 2,5", "Y": "1,0 5,5 9,0|5,5 5,10",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """What all cards of a deck have in common; lengths in card widths, colours RGB."""

    name: str
    tall: float
    paper: tuple[int, int, int]
    border: str
    border_colour: tuple[int, int, int]
    border_width: float
    inks: tuple[tuple[int, int, int], ...]
    art: str
    mark_size: float
    mark_at: tuple[float, float]
    mark_places: str
    tinted: bool
    halves: bool
    window: tuple[float, float, float, float]
    pen_width: float


def _hsv(rng: Rng, saturation: tuple[float, float], value: tuple[float, float]) -> tuple[int, int, int]:
    pixel = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]], np.float32)
    rgb = cv2.cvtColor(pixel.astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
    return (int(rgb[0]), int(rgb[1]), int(rgb[2]))


def _style(rng: Rng, name: str) -> Style:
    drawn = name in ("pen", "worst")
    saturation, value = {"clear": ((0.55, 1), (0.35, 0.95)), "muted": ((0.08, 0.4), (0.25, 0.75))}.get(
        name, ((0, 0.2), (0.05, 0.3))
    )
    inks = tuple(_hsv(rng, saturation, value) for _ in range(2 if drawn else int(rng.integers(4, 8))))
    border = str(rng.choice(["none", "frame", "edge"], p=[0.45, 0.3, 0.25]))
    art = str(rng.choice(["strokes", "glyph", "shapes"], p=[0.45, 0.25, 0.3]) if drawn else
              rng.choice(["scene", "emblem", "shapes", "glyph"], p=[0.4, 0.3, 0.2, 0.1]))  # fmt: skip
    size = {"clear": (0.15, 0.24), "muted": (0.11, 0.18), "pen": (0.11, 0.2), "worst": (0.095, 0.13)}[name]
    mark_size = float(rng.uniform(*size))
    places = str(rng.choice(["both", "one", "four", "middle"], p=[0.6, 0.12, 0.18, 0.1]))
    edge = 0.075
    top = edge + mark_size * (1.05 if places == "middle" or rng.random() < 0.5 else 0.35)
    side = edge + (mark_size * 1.05 if top < edge + mark_size and places != "middle" else 0.02)
    return Style(
        name,
        float(rng.choice([1.4, 1.38, 1.54, 1.33, 1.62], p=[0.5, 0.15, 0.2, 0.1, 0.05])),
        tuple(int(v) for v in 255 - np.abs(rng.normal(0, 7, 3)) - rng.uniform(0, 14)),
        border,
        _hsv(rng, (0.3, 0.95), (0.15, 0.8)),
        float(rng.uniform(0.03, 0.065)),
        inks,
        art,
        mark_size,
        (edge + mark_size / 2, edge + mark_size / 2),
        places,
        name == "clear" and rng.random() < 0.3,
        bool(rng.random() < 0.2),
        (side, top, 1 - side, 1 - top),
        float(rng.uniform(0.012, 0.026)),
    )


def _shape(rng: Rng, kind: int) -> np.ndarray:
    """A closed outline (n, 2) within -1..1."""
    t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    if kind == 0:  # star or flower
        n, depth = int(rng.integers(3, 9)), rng.uniform(0.15, 0.6)
        r = (
            1 - depth * (0.5 + 0.5 * np.cos(n * t))
            if rng.random() < 0.5
            else 1 - depth * np.abs(((n * t / np.pi) % 2) - 1)
        )
    elif kind == 1:  # polygon
        n = int(rng.integers(3, 7))
        r = math.cos(math.pi / n) / np.cos((t % (2 * math.pi / n)) - math.pi / n)
    elif kind == 2:  # a blob of few waves
        r = 0.7 + sum(rng.normal(0, 0.25 / k) * np.cos(k * t + rng.uniform(0, 6.28)) for k in range(2, 6))
        r = r / r.max()
    elif kind == 3:  # ellipse
        return np.c_[np.cos(t), np.sin(t) * rng.uniform(0.3, 0.8)]
    elif kind == 4:  # crescent
        bite = rng.uniform(0.4, 0.8)
        return np.r_[np.c_[np.cos(t[:48]), np.sin(t[:48])], np.c_[np.cos(t[48::-1]), bite * np.sin(t[48::-1])]]
    elif kind == 5:  # cross or plus
        a = rng.uniform(0.2, 0.45)
        return np.array([[-a, -1], [a, -1], [a, -a], [1, -a], [1, a], [a, a], [a, 1], [-a, 1], [-a, a], [-1, a],
                         [-1, -a], [-a, -a]])  # fmt: skip
    else:  # heart or drop
        x = 16 * np.sin(t) ** 3 / 17
        y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 17
        return np.c_[x, y] if rng.random() < 0.6 else np.c_[x, -y]
    return np.c_[r * np.sin(t), -r * np.cos(t)]


def _turned(points: np.ndarray, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark (a suit's sign): outlines within -1..1, which of them are cut out, its colour, filled or drawn."""

    parts: tuple[np.ndarray, ...]
    holes: tuple[bool, ...]
    colour: tuple[int, int, int]
    filled: bool

    def draw(self, canvas: np.ndarray, at: np.ndarray, half: float, turned: bool, paper: tuple[int, int, int]) -> None:
        """Draw it `half` px around `at`."""
        for part, hole in zip(self.parts, self.holes, strict=True):
            points = np.int32(np.round(((-part if turned else part) * half + at) * 16))
            if self.filled or hole:
                cv2.fillPoly(canvas, [points], paper if hole else self.colour, cv2.LINE_AA, shift=4)
            else:
                cv2.polylines(canvas, [points], True, self.colour, max(2, int(half * 0.22)), cv2.LINE_AA, shift=4)


def _marks(rng: Rng, style: Style, count: int) -> list[Mark]:
    hues = rng.permutation(count)
    base = rng.uniform(0, 180)
    filled = bool(rng.random() < 0.75)
    kinds = rng.permutation(7)
    out = []
    for k in range(count):
        shape = _shape(rng, int(kinds[k % 7]))
        shape = _turned(shape, float(rng.choice([0, 0, math.pi / 4, math.pi / 2])))
        parts, holes = [shape], [False]
        if rng.random() < 0.35:
            parts.append(_shape(rng, int(rng.integers(7))) * rng.uniform(0.3, 0.5))
            holes.append(filled)
        if style.name == "worst":
            colour = (22, 22, 26)
        elif style.name == "muted":
            colour = _hsv(rng, (0.15, 0.5), (0.2, 0.6))
        else:
            hue = (base + 180 * hues[k] / count + rng.normal(0, 3)) % 180
            pixel = np.array([[[hue, 255 * rng.uniform(0.6, 1), 255 * rng.uniform(0.3, 0.85)]]], np.uint8)
            colour = tuple(int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
            if rng.random() < 0.12:
                colour = (20, 20, 24)
        out.append(Mark(tuple(parts), tuple(holes), colour, filled))
    return out


def _smooth(rng: Rng, points: np.ndarray, wobble: float) -> np.ndarray:
    """A hand's line through points (n, 2): rounded and a little shaky."""
    steps = np.linspace(0, len(points) - 1, 14 * len(points))
    line = np.c_[[np.interp(steps, range(len(points)), points[:, k]) for k in (0, 1)]].T
    kernel = np.ones(9) / 9
    padded = np.pad(line, ((4, 4), (0, 0)), "edge")
    line = np.c_[[np.convolve(padded[:, k], kernel, "valid") for k in (0, 1)]].T
    shake = cv2.GaussianBlur(rng.normal(0, 1, (len(line), 2)), (1, 0), 0, sigmaY=4)
    return line + shake * wobble


def _curve(canvas: np.ndarray, points: np.ndarray, ink: tuple[int, int, int], width: float) -> None:
    cv2.polylines(canvas, [np.int32(np.round(points * 16))], False, ink, max(1, round(width)), cv2.LINE_AA, shift=4)


def _art_strokes(rng: Rng, canvas: np.ndarray, style: Style) -> None:
    """A line drawing: a few free lines and outlined shapes."""
    h, w = canvas.shape[:2]
    ink, pen = style.inks[0], style.pen_width * WIDTH * _FINE
    for _ in range(int(rng.integers(2, 5))):
        points = rng.uniform(0.08, 0.92, (int(rng.integers(3, 7)), 2)) * [w, h]
        _curve(canvas, _smooth(rng, points, w * 0.004), ink, pen)
    for _ in range(int(rng.integers(1, 4))):
        outline = _turned(_shape(rng, int(rng.integers(7))), rng.uniform(0, 6.28)) * w * rng.uniform(0.1, 0.34)
        outline = np.r_[outline, outline[:1]] + rng.uniform(0.3, 0.7, 2) * [w, h]
        _curve(canvas, outline + rng.normal(0, w * 0.002, outline.shape), ink, pen)


def _art_glyph(rng: Rng, canvas: np.ndarray, style: Style) -> None:
    """A large letter or digit, as a hand writes it; at times with a frame or a line below."""
    h, w = canvas.shape[:2]
    text = str(rng.choice(sorted(_STROKES)))
    size, lean = min(w, h) * rng.uniform(0.45, 0.85), rng.normal(0, 0.15)
    pen = style.pen_width * WIDTH * _FINE * rng.uniform(1, 1.8)
    for stroke in _STROKES[text].split("|"):
        points = np.array([[float(v) for v in pair.split(",")] for pair in stroke.split()]) / 10 - 0.5
        points = points + rng.normal(0, 0.02, points.shape)
        points[:, 0] = points[:, 0] * 0.7 - lean * points[:, 1]
        _curve(canvas, _smooth(rng, points * size + [w / 2, h / 2], w * 0.004), style.inks[0], pen)
    if rng.random() < 0.4:
        outline = _shape(rng, int(rng.integers(7))) * [w * 0.45, h * 0.45] + [w / 2, h / 2]
        _curve(canvas, np.r_[outline, outline[:1]], style.inks[-1], pen * 0.6)


def _art_shapes(rng: Rng, canvas: np.ndarray, style: Style) -> None:
    """Several plain shapes beside and over each other."""
    h, w = canvas.shape[:2]
    drawn = style.name in ("pen", "worst")
    for _ in range(int(rng.integers(3, 8))):
        outline = _turned(_shape(rng, int(rng.integers(7))), rng.uniform(0, 6.28)) * w * rng.uniform(0.08, 0.32)
        outline = outline * [1, rng.uniform(0.6, 1.5)] + rng.uniform(0.15, 0.85, 2) * [w, h]
        ink = style.inks[0 if drawn else int(rng.integers(len(style.inks)))]
        if drawn and rng.random() < 0.7:
            _curve(canvas, np.r_[outline, outline[:1]], ink, style.pen_width * WIDTH * _FINE)
        else:
            cv2.fillPoly(canvas, [np.int32(outline * 16)], ink, cv2.LINE_AA, shift=4)


def _art_emblem(rng: Rng, canvas: np.ndarray, style: Style) -> None:
    """A figure that is the same on its left and right, as heraldry has it."""
    h, w = canvas.shape[:2]
    for _ in range(int(rng.integers(4, 9))):
        outline = _turned(_shape(rng, int(rng.integers(7))), rng.uniform(0, 6.28)) * w * rng.uniform(0.06, 0.3)
        outline = outline * [1, rng.uniform(0.6, 1.6)] + [rng.uniform(0.2, 0.5) * w, rng.uniform(0.12, 0.88) * h]
        ink = style.inks[int(rng.integers(len(style.inks)))]
        for points in (outline, [w, 0] + outline * [-1, 1]):
            cv2.fillPoly(canvas, [np.int32(points * 16)], ink, cv2.LINE_AA, shift=4)


def _art_scene(rng: Rng, canvas: np.ndarray, style: Style) -> None:
    """A painted scene: clouds of colour in bands, figures before them."""
    h, w = canvas.shape[:2]
    a, b = (np.array(style.inks[int(rng.integers(len(style.inks)))], np.float32) for _ in range(2))
    cell = int(rng.integers(3, 9))
    cloud = cv2.resize(rng.random((cell + 2, cell)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    ramp = np.linspace(0, 1, h, dtype=np.float32)[:, None] * rng.uniform(-0.6, 0.6)
    field = np.clip(cloud + ramp, 0, 1)[..., None]
    light = rng.uniform(0.2, 0.75)
    canvas[:] = np.clip((a + (b - a) * field) * (1 - light) + 250 * light, 0, 255).astype(np.uint8)
    (_art_shapes if rng.random() < 0.6 else _art_emblem)(rng, canvas, style)
    for _ in range(int(rng.integers(0, 5))):
        points = rng.uniform(0.05, 0.95, (int(rng.integers(2, 6)), 2)) * [w, h]
        _curve(canvas, _smooth(rng, points, w * 0.004), style.inks[int(rng.integers(len(style.inks)))],
               rng.uniform(0.01, 0.05) * w)  # fmt: skip


_ARTS: dict[str, Callable[[Rng, np.ndarray, Style], None]] = {
    "strokes": _art_strokes, "glyph": _art_glyph, "shapes": _art_shapes, "emblem": _art_emblem, "scene": _art_scene
}  # fmt: skip


class Invented:
    """The deck of a seed: `pictures` × `marks` faces and a back, each drawn when it is asked for."""

    def __init__(self, seed: int, style: str | None = None, pictures: int = 13, marks: int = 5) -> None:
        """`style` is one of `STYLES`; None: any, by the seed."""
        self.seed, self.pictures, self.marks = seed, pictures, marks
        rng = np.random.default_rng([seed, 65])
        chosen = str(rng.choice(STYLES, p=[0.3, 0.25, 0.25, 0.2]))
        self.style = _style(rng, style or chosen)
        self._marks = _marks(rng, self.style, marks)
        self._art: dict[int, np.ndarray] = {}

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of all faces, mark by mark: ``p3.m1`` is picture 3 with mark 1."""
        return tuple(f"p{p}.m{m}" for m in range(self.marks) for p in range(self.pictures))

    @property
    def mark_boxes(self) -> np.ndarray:
        """Where marks are printed: boxes (n, 4) left, top, right, bottom as shares of width and height."""
        half = self.style.mark_size / 2
        return np.array([[(x - half), (y - half) / self.style.tall, (x + half), (y + half) / self.style.tall]
                         for x, y, _ in self._places()])  # fmt: skip

    def _places(self) -> list[tuple[float, float, bool]]:
        x, y = self.style.mark_at
        tall = self.style.tall
        if self.style.mark_places == "middle":
            return [(0.5, y, False), (0.5, tall - y, True)]
        out = [(x, y, False)]
        if self.style.mark_places != "one":
            out.append((1 - x, tall - y, True))
        if self.style.mark_places == "four":
            out += [(1 - x, y, False), (x, tall - y, True)]
        return out

    def _picture(self, number: int) -> np.ndarray:
        """The picture alone, in the window in which all pictures of the deck lie."""
        if number not in self._art:
            style = self.style
            left, top, right, bottom = style.window
            size = (int((right - left) * WIDTH * _FINE), int((bottom - top + style.tall - 1) * WIDTH * _FINE))
            canvas = np.empty((size[1], size[0], 3), np.uint8)
            canvas[:] = style.paper
            rng = np.random.default_rng([self.seed, 66, number])
            if style.halves:
                half = canvas[: size[1] // 2]
                _ARTS[style.art](rng, half, style)
                canvas[size[1] - len(half) :] = half[::-1, ::-1]
            else:
                _ARTS[style.art](rng, canvas, style)
            self._art[number] = canvas
        return self._art[number]

    def face(self, code: str) -> np.ndarray:
        """The face of that code as it is printed, RGBA with its corners cut, `WIDTH` px wide."""
        picture, mark = (int(part[1:]) for part in code.split("."))
        style = self.style
        w, h = WIDTH * _FINE, round(WIDTH * style.tall) * _FINE
        card = np.empty((h, w, 3), np.uint8)
        paper = style.paper
        if style.tinted:
            tint = np.array(self._marks[mark].colour, np.float32)
            paper = tuple(int(v) for v in np.array(paper) * 0.75 + tint * 0.25)
        card[:] = paper
        art = self._picture(picture)
        if style.tinted:
            art = np.minimum(art, np.array(paper, np.uint8))
        top, left = (h - art.shape[0]) // 2, (w - art.shape[1]) // 2
        card[top : top + art.shape[0], left : left + art.shape[1]] = art
        for x, y, turned in self._places():
            self._marks[mark].draw(card, np.array([x, y]) * w, style.mark_size * w / 2, turned, paper)
        self._frame(card)
        small = cv2.resize(card, (WIDTH, h // _FINE), interpolation=cv2.INTER_AREA)
        return round_corners(small, 0.055)

    def _frame(self, card: np.ndarray) -> None:
        h, w = card.shape[:2]
        style = self.style
        width = max(2, round(style.border_width * w))
        if style.border == "edge":
            cv2.rectangle(card, (0, 0), (w - 1, h - 1), style.border_colour, width)
        elif style.border == "frame":
            inset = round(0.04 * w)
            cv2.rectangle(card, (inset, inset), (w - 1 - inset, h - 1 - inset), style.border_colour, max(2, width // 5))

    @cached_property
    def back(self) -> np.ndarray:
        """The back, RGBA: a plain colour or a pattern."""
        rng = np.random.default_rng([self.seed, 67])
        w, h = WIDTH, round(WIDTH * self.style.tall)
        card = np.empty((h, w, 3), np.uint8)
        card[:] = self.style.border_colour
        if rng.random() < 0.65:
            y, x = np.mgrid[0:h, 0:w].astype(np.float32)
            period = rng.uniform(10, 40)
            wave = np.sin(x * 6.28 / period) * np.sin(y * 6.28 / period) > rng.uniform(-0.2, 0.4)
            card[wave] = np.clip(np.array(self.style.border_colour, int) + 70, 0, 255)
        if rng.random() < 0.5:
            cv2.rectangle(card, (0, 0), (w - 1, h - 1), self.style.paper, round(0.05 * w))
        return round_corners(card, 0.055)


def toml_of(drawn: Invented) -> str:
    """The deck file of an invented deck."""
    suits = "".join(f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(drawn.marks))
    pictures = "".join(f'[[pictures]]\ncode = "p{k}"\nname = "Picture {k}"\n' for k in range(drawn.pictures))
    return f'[deck]\nname = "Invented"\nseparator = "."\n{suits}{pictures}'
