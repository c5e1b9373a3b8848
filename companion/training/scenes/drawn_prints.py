"""Invented card prints, drawn with Pillow: unlimited designs from a seed.

A design is a dictionary of choices (fonts, letters, index size and place, suit shapes, colours, paper, courts).
`draw_deck` turns a seed into 54 faces and two backs. The index box is exact because the same numbers place the ink.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from companion.training.scenes.fonts import family_pick, glyph_mask, suit_fonts

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
GLYPHS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
Box = tuple[float, float, float, float]
SCALE = 2  # drawn twice as large, then reduced: smooth edges
HELDOUT_SEEDS = 1_000_000  # invented prints from here on are held out
LETTERS = (
    ("A", "J", "Q", "K"), ("A", "J", "Q", "K"), ("A", "J", "Q", "K"), ("A", "J", "Q", "K"),
    ("1", "V", "D", "R"), ("A", "V", "D", "R"), ("A", "B", "D", "K"), ("A", "W", "D", "K"), ("1", "J", "Q", "K"),
    ("A", "B", "D", "K"), ("A", "B", "V", "H"),
)  # fmt: skip
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0), (0.5, 1)),
    3: ((0.5, 0), (0.5, 0.5), (0.5, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    6: ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    8: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    9: ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    10: ((0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1)),
}


def drawn_suit(suit: str, size: int, style: int) -> Image.Image:
    """A suit sign of our own construction as a tight mask about `size` px tall; `style` varies proportions."""
    s = 4 * size
    im = Image.new("L", (s, s), 0)
    d = ImageDraw.Draw(im)
    t = 0.02 * (style % 4)
    if suit == "D":
        w = 0.32 + t
        bow = (style % 3) * 0.04
        pts = [(0.5, 0), (0.5 + w - bow * 2, 0.5 - 0.22), (0.5 + w, 0.5), (0.5 + w - bow * 2, 0.5 + 0.22), (0.5, 1)]
        pts = [(0.5, 0), (0.5 + w / 2 - bow, 0.25), pts[2], (0.5 + w / 2 - bow, 0.75), (0.5, 1),
               (0.5 - w / 2 + bow, 0.75), (0.5 - w, 0.5), (0.5 - w / 2 + bow, 0.25)]  # fmt: skip
        d.polygon([(x * s, y * s) for x, y in pts], fill=255)
    elif suit in "HS":
        top = []
        for k in range(121):
            a = 2 * math.pi * k / 120
            x = 16 * math.sin(a) ** 3
            y = (13 + 30 * t) * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a)
            top.append((x / 34 + 0.5, 0.46 - y / 32))
        if suit == "S":
            top = [(x, (1 - y) * 0.84 + 0.02) for x, y in top]
            d.polygon([(0.5 * s, 0.55 * s), ((0.3 + t) * s, s - 1), ((0.7 - t) * s, s - 1)], fill=255)
        d.polygon([(x * s, y * s) for x, y in top], fill=255)
    else:
        r = 0.2 + t
        for cx, cy in ((0.5, r), (0.26 - t / 2, 0.58), (0.74 + t / 2, 0.58)):
            d.ellipse([(cx - r) * s, (cy - r) * s, (cx + r) * s, (cy + r) * s], fill=255)
        d.polygon([(0.46 * s, 0.4 * s), (0.54 * s, 0.4 * s), (0.68 * s, s - 1), (0.32 * s, s - 1)], fill=255)
    box = im.getbbox()
    im = im.crop(box)
    return im.resize((max(3, round(im.width * size / im.height)), size), Image.Resampling.LANCZOS)


@dataclass(frozen=True, slots=True)
class Design:
    """The choices that make one invented deck. Lengths are fractions of the card's width."""

    aspect: float
    font: str
    letters: tuple[str, str, str, str]
    squeeze: float
    bold: int
    rank_h: float
    suit_h: float
    gap: float
    margin_x: float
    margin_y: float
    column: float
    corners: int
    suit_style: int
    pip_font: str | None
    colours: dict[str, tuple[int, int, int]]
    paper: tuple[int, int, int]
    pip_h: float
    frame: bool
    court: int
    joker: str

    @property
    def index(self) -> Box:
        """The top-left index box as fractions of the card: x0, y0, x1, y1."""
        x0, y0 = self.margin_x, self.margin_y / self.aspect
        height = (self.rank_h + self.gap + self.suit_h) / self.aspect
        return (x0 - 0.008, y0 - 0.006, x0 + self.column + 0.008, y0 + height + 0.006)


def invent(seed: int) -> Design:
    """The design of this seed."""
    rng = np.random.default_rng([seed, 77])
    size = rng.choice(["small", "standard", "large", "jumbo"], p=[0.2, 0.45, 0.2, 0.15])
    rank_h = {"small": (0.1, 0.14), "standard": (0.14, 0.2), "large": (0.2, 0.28), "jumbo": (0.28, 0.42)}[size]
    height = float(rng.uniform(*rank_h))
    suit_h = height * float(rng.uniform(0.5, 1.0))
    font = family_pick(rng, further=seed < HELDOUT_SEEDS)
    column = float(np.clip(height * rng.uniform(0.75, 1.15), 0.09, 0.4))
    dark = tuple(int(v) for v in rng.integers(0, 45, 3))
    red = (int(rng.integers(175, 240)), int(rng.integers(0, 50)), int(rng.integers(0, 50)))
    colours = {"S": dark, "H": red, "D": red, "C": dark}
    if rng.random() < 0.15:
        blue = (int(rng.integers(0, 60)), int(rng.integers(50, 110)), int(rng.integers(150, 220)))
        green = (int(rng.integers(0, 50)), int(rng.integers(100, 150)), int(rng.integers(30, 90)))
        colours = {"S": dark, "H": red, "D": blue, "C": green}
        if rng.random() < 0.3:
            colours |= {"D": (230, 130, 10), "S": blue}
    white = int(rng.integers(226, 256))
    own = rng.random() < 0.45 or not suit_fonts()
    return Design(
        aspect=float(rng.choice([1.397, 1.397, 1.54, 1.5])),
        font=font,
        letters=LETTERS[int(rng.integers(len(LETTERS)))],
        squeeze=float(rng.uniform(0.6, 1.1)),
        bold=int(rng.random() < 0.35),
        rank_h=height,
        suit_h=suit_h,
        gap=float(rng.uniform(0.01, 0.035)),
        margin_x=float(rng.uniform(0.025, 0.07)),
        margin_y=float(rng.uniform(0.035, 0.09)),
        column=column,
        corners=4 if rng.random() < 0.22 and size != "jumbo" else 2,
        suit_style=int(rng.integers(12)),
        pip_font=None if own else str(rng.choice(suit_fonts())),
        colours=colours,
        paper=(white, white - int(rng.integers(0, 7)), white - int(rng.integers(0, 22))),
        pip_h=float(rng.uniform(0.15, 0.23)) if size != "jumbo" else float(rng.uniform(0.13, 0.17)),
        frame=bool(rng.random() < 0.6),
        court=int(rng.integers(1 << 30)),
        joker=str(rng.choice(["JOKER", "JOKER", "\u2605", "JK"])),
    )


def _suit(design: Design, suit: str, px: int) -> Image.Image:
    if design.pip_font is None:
        return drawn_suit(suit, px, design.suit_style)
    return glyph_mask(GLYPHS[suit], design.pip_font, px)


def _fit(mask: Image.Image, width: int, height: int) -> Image.Image:
    return mask if mask.width <= width else mask.resize((width, height), Image.Resampling.LANCZOS)


def _index(design: Design, card: Image.Image, rank: str, suit: str | None, ink: tuple[int, int, int]) -> None:
    """Draw the top-left index (rank above suit; a joker's name downwards)."""
    w = card.width
    column, x0, y = round(design.column * w), round(design.margin_x * w), round(design.margin_y * w)
    height = round(design.rank_h * w)
    if suit is None:
        room = round((design.rank_h + design.gap + design.suit_h) * w)
        each = room // len(rank)
        for k, letter in enumerate(rank):
            tall = round(min(each * 0.86, column * 1.2))
            font = design.font if letter.isascii() else (suit_fonts() or (design.font,))[0]
            mask = _fit(glyph_mask(letter, font, tall), column, tall)
            card.paste(ink, (x0 + (column - mask.width) // 2, y + k * each), mask)
        return
    mask = _fit(glyph_mask(rank, design.font, height, design.squeeze, design.bold), column, height)
    card.paste(ink, (x0 + (column - mask.width) // 2, y), mask)
    tall = round(design.suit_h * w)
    sign = _fit(_suit(design, suit, tall), column, tall)
    card.paste(ink, (x0 + (column - sign.width) // 2, y + height + round(design.gap * w)), sign)


def _all_corners(design: Design, card: Image.Image, rank: str, suit: str | None, ink: tuple[int, int, int]) -> None:
    """The index in two corners (four if the design says so), by drawing one and turning the card."""
    _index(design, card, rank, suit, ink)
    if design.corners == 4:
        patch = Image.new("RGB", card.size, design.paper)
        _index(design, patch, rank, suit, ink)
        x0, y0, x1, y1 = design.index
        box = tuple(round(v) for v in (x0 * card.width, y0 * card.height, x1 * card.width, y1 * card.height))
        card.paste(patch.crop(box), (card.width - box[2], box[1]))
    card.paste(_half_turn(card))


def _half_turn(card: Image.Image) -> Image.Image:
    """The card with its upper half repeated, turned by 180°, in the lower half."""
    out = card.copy()
    top = card.crop((0, 0, card.width, card.height // 2)).rotate(180)
    out.paste(top, (0, card.height - top.height))
    return out


def _court(design: Design, card: Image.Image, rank: int, suit: str) -> None:
    """An invented half-figure in the upper half: robe of coloured shapes, head, hat, a held thing."""
    rng = np.random.default_rng([design.court, rank, ord(suit)])
    base = np.random.default_rng([design.court, rank])
    d = ImageDraw.Draw(card)
    w, h = card.size
    x0, x1 = w * (design.index[2] + 0.02), w * (0.98 - design.index[2])
    if design.corners == 2 and base.random() < 0.5:
        x0 = w * 0.16 if design.index[2] < 0.3 else x0
        x1 = w - x0
    y0, y1 = h * base.uniform(0.05, 0.1), h * 0.5
    palette = [
        (205, 30, 35),
        (30, 50, 140),
        (240, 195, 40),
        (20, 20, 25),
        (250, 250, 245),
        (40, 120, 70),
        (230, 150, 120),
    ]
    palette = [palette[i] for i in base.permutation(len(palette))[: int(base.integers(3, 6))]]
    cx, body = w / 2, (y0 + y1) / 2
    for k in range(int(base.integers(9, 16))):
        a, b = sorted(rng.uniform(0, 1, 2))
        shape = [
            (x0 + (x1 - x0) * a, y1),
            (cx + (a - 0.5) * w * 0.2, body - h * 0.05),
            (cx + (b - 0.5) * w * 0.2, body),
            (x0 + (x1 - x0) * b, y1),
        ]
        d.polygon(shape, fill=palette[k % len(palette)], outline=(15, 15, 20))
    step = max(4, int(w * base.uniform(0.02, 0.05)))
    for y in range(int(body), int(y1), step * 2):
        line = [(x, y + step * math.sin(x / step)) for x in range(int(cx - w * 0.2), int(cx + w * 0.2), 3)]
        d.line(line, fill=palette[(y // step) % len(palette)], width=max(2, step // 2))
    r = w * base.uniform(0.075, 0.11)
    hy = y0 + r * 2.2
    d.ellipse([cx - r * 1.5, hy - r, cx + r * 1.5, hy + r * 2.1], fill=palette[0], outline=(10, 10, 10))
    d.ellipse([cx - r, hy - r * 1.2, cx + r, hy + r * 1.4], fill=(248, 222, 196), outline=(10, 10, 10), width=3)
    for dx in (-0.4, 0.4):
        d.ellipse([cx + dx * r - 4, hy - 4, cx + dx * r + 4, hy + 4], fill=(15, 15, 15))
    d.line([(cx - r * 0.4, hy + r * 0.8), (cx + r * 0.4, hy + r * 0.8)], fill=(160, 30, 30), width=4)
    hat = [
        (cx - r * 1.3, hy - r * 0.6),
        (cx - r * 1.4, y0),
        (cx - r * 0.5, y0 + r * 0.7),
        (cx, y0),
        (cx + r * 0.5, y0 + r * 0.7),
        (cx + r * 1.4, y0),
        (cx + r * 1.3, hy - r * 0.6),
    ]
    d.polygon(hat, fill=palette[1], outline=(10, 10, 10))
    hx = x1 - w * 0.06
    d.line([(hx, y0), (hx, y1)], fill=(20, 20, 20), width=max(4, int(w * 0.02)))
    d.ellipse([hx - w * 0.04, y0, hx + w * 0.04, y0 + w * 0.08], fill=palette[2], outline=(10, 10, 10))
    pip = _suit(design, suit, round(design.pip_h * w * 1.05))
    card.paste(design.colours[suit], (round(x0 + w * 0.015), round(y0 + h * 0.015)), pip)
    if design.frame:
        d.rectangle(
            [x0, y0, x1, h - y0],
            outline=palette[base.integers(len(palette))] if base.random() < 0.5 else (20, 20, 60),
            width=max(2, w // 160),
        )


def _pips(design: Design, card: Image.Image, count: int, suit: str) -> None:
    w, h = card.size
    big = count == 1
    tall = round((design.pip_h * (2.2 if suit == "S" else 1.4) if big else design.pip_h) * w)
    sign = _suit(design, suit, tall)
    left = min(max(0.29, design.index[2] + 0.09), 0.36)
    for px, py in PIPS[count]:
        x = (left + (1 - 2 * left) * px) * w - sign.width / 2
        y = (0.16 + 0.68 * py) * h - sign.height / 2
        card.paste(design.colours[suit], (round(x), round(y)), sign if py <= 0.5 else sign.rotate(180))


def draw_face(design: Design, face: str, width: int = 250) -> np.ndarray:
    """One face as RGBA, `width` px wide. `face` is a code: `AS`, `10H`, `JK1`, `JK2`."""
    w = width * SCALE
    card = Image.new("RGB", (w, round(w * design.aspect)), design.paper)
    if face.startswith("JK"):
        ink = (200, 20, 30) if face == "JK1" else (25, 25, 30)
        figure = Image.new("RGB", card.size, design.paper)
        _court(design, figure, 3, "H" if face == "JK1" else "S")
        cut = round(w * (design.index[2] + 0.03))
        card.paste(_half_turn(figure).crop((cut, 0, w - cut, card.height)), (cut, 0))
        _all_corners(design, card, design.joker, None, ink)
        return np.asarray(card.resize((width, round(width * design.aspect)), Image.Resampling.LANCZOS))
    rank, suit = face[:-1], face[-1]
    number = RANKS.index(rank) + 1
    shown = {"A": design.letters[0], "J": design.letters[1], "Q": design.letters[2], "K": design.letters[3]}
    if number > 10:
        _court(design, card, number - 11, suit)
        _all_corners(design, card, shown.get(rank, rank), suit, design.colours[suit])
        if design.frame:
            ImageDraw.Draw(card).line(
                [(w * 0.2, card.height / 2), (w * 0.8, card.height / 2)], fill=(20, 20, 30), width=3
            )
    else:
        _all_corners(design, card, shown.get(rank, rank), suit, design.colours[suit])
        _pips(design, card, number, suit)
    return np.asarray(card.resize((width, round(width * design.aspect)), Image.Resampling.LANCZOS))


def draw_back(seed: int, aspect: float, width: int = 250) -> np.ndarray:
    """A back: a repeating pattern in one or two colours, with or without a white margin. RGB."""
    rng = np.random.default_rng([seed, 5])
    w, h = width * SCALE, round(width * SCALE * aspect)
    hues = [(170, 25, 35), (25, 50, 130), (20, 20, 25), (30, 100, 60), (120, 40, 110), (200, 120, 20), (60, 60, 70)]
    ink = np.array(hues[int(rng.integers(len(hues)))])
    paper = np.array([245, 243, 238]) if rng.random() < 0.7 else np.clip(ink + rng.integers(30, 90, 3), 0, 255)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = np.abs(x - w / 2), np.abs(y - h / 2)
    p = rng.uniform(14, 60)
    kind = int(rng.integers(6))
    if kind == 0:
        m = ((x + y) % p < p / 2) ^ ((x - y) % p < p / 2)
    elif kind == 1:
        m = np.minimum((x + y) % p, (x - y) % p) < p * 0.3
    elif kind == 2:
        m = np.sin(np.hypot(x, y) / p * 6) > 0
    elif kind == 3:
        m = np.sin(x / p * 6) * np.sin(y / p * 6) + 0.4 * np.sin((x + y) / p * 9) > 0
    elif kind == 4:
        m = np.hypot((x % p) - p / 2, (y % p) - p / 2) < p * rng.uniform(0.2, 0.45)
    else:
        m = np.sin(np.arctan2(y, x) * int(rng.integers(8, 40))) * np.cos(np.hypot(x, y) / p * 4) > 0
    im = np.where(m[..., None], ink, paper).astype(np.uint8)
    if rng.random() < 0.3:
        im[np.hypot(x, y) < w * 0.22] = ink
    edge = round(w * (rng.uniform(0.03, 0.09) if rng.random() < 0.75 else 0))
    if edge:
        white = np.full_like(im, int(rng.integers(230, 256)))
        white[edge : h - edge, edge : w - edge] = im[edge : h - edge, edge : w - edge]
        im = white
    return np.asarray(Image.fromarray(im).resize((width, round(width * aspect)), Image.Resampling.LANCZOS))
