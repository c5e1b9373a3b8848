"""What the reader learns from, one picture a card: faces and backs of prints, and cards of decks that are none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.training.scenes import drawn_prints, fonts, prints
from companion.vision.reading.faces import FACES, JOKER, RANKS, REJECT, SUITS

NO_SUIT = 4
UNKNOWN = -1
JOKER_FACE = 52
REJECT_FACE = 53
CORNER_OF = (0, 2, 1, 3)
"""`prints.index_quads` goes diagonally; the reader's corners go clockwise."""


@dataclass(frozen=True, slots=True)
class Item:
    """One card picture (RGBA) with its labels; `boxes` maps a corner (0..3) to its index box in card fractions."""

    picture: np.ndarray
    rank: int
    suit: int
    whole: int
    boxes: dict[int, np.ndarray]
    silent: bool = False  # corners that carry something index-like that has no label: not used as crops
    letter: int = UNKNOWN  # number of the printed letter in `LETTERS`


def items_of(design: prints.Print) -> list[Item]:
    """The faces and backs of a print as labelled pictures."""
    out = []
    for code, picture in design.faces.items():
        quads = {CORNER_OF[k]: quad for k, quad in enumerate(prints.index_quads(design, code))}
        if code.startswith("JK"):
            out.append(Item(picture, JOKER, NO_SUIT, JOKER_FACE, quads, silent=not quads))
        else:
            rank, suit = RANKS.index(code[:-1]), SUITS.index(code[-1])
            out.append(Item(picture, rank, suit, FACES.index(code), quads))
    return out + [Item(back, REJECT, NO_SUIT, REJECT_FACE, {}) for back in design.backs]


FOREIGN = (
    *("0", "11", "12", "13", "14", "15", "20", "21", "+2", "+4", "?", "!", "&", "@", "#", "%", "REX", "XII", "IV"),
    *("E", "F", "G", "L", "M", "N", "P", "S", "T", "U", "X", "Y", "Z", "C", "I", "a", "e", "g", "h", "Ab", "Uno", "km"),
)


def foreign_items(seed: int) -> list[Item]:
    """Twelve cards of an invented deck that is no deck of ranks over suits: everything on them must be rejected.

    Kinds: suits alone in the corners with a large sign in the middle, ranks without suits on coloured grounds, foreign
    letters and numbers over suits or symbols, ruled or blank cards with words.
    """
    from PIL import Image, ImageDraw

    rng = np.random.default_rng([seed, 99])
    width, aspect = 250, float(rng.uniform(1.35, 1.6))
    height = round(width * aspect)
    kind = int(rng.integers(5))
    font = fonts.family_pick(rng)
    hue = tuple(int(v) for v in rng.integers(0, 256, 3))
    out = []
    for _ in range(12):
        ground = hue if kind in (1, 4) and rng.random() < 0.7 else tuple(int(v) for v in rng.integers(225, 256, 3))
        card = Image.new("RGB", (width, height), ground)
        draw = ImageDraw.Draw(card)
        if rng.random() < 0.5:
            inset = int(rng.integers(0, 14))
            edge = tuple(int(v) for v in rng.integers(0, 220, 3))
            draw.rectangle(
                [inset, inset, width - 1 - inset, height - 1 - inset], outline=edge, width=int(rng.integers(2, 12))
            )
        ink = (200, 20, 30) if rng.random() < 0.5 else (20, 20, 25)
        if kind == 1 and rng.random() < 0.6:
            ink = (250, 250, 250)
        suit = str(rng.choice(list(SUITS)))
        tall = int(width * rng.uniform(0.09, 0.24))
        marks: list[Image.Image] = []
        if kind == 0:
            marks = [drawn_prints.drawn_suit(suit, tall, int(rng.integers(12)))]
        elif kind == 1:
            marks = [_sign(str(rng.choice(RANKS[1:10])), font, tall)]
        elif kind in (2, 4):
            marks = [_sign(_foreign(rng), font, tall)]
            if rng.random() < 0.7:
                marks.append(drawn_prints.drawn_suit(suit, int(tall * rng.uniform(0.6, 1)), int(rng.integers(12))))
        y = x = int(width * rng.uniform(0.03, 0.09))
        for mark in marks:
            card.paste(ink, (x, y), mark)
            y += mark.height + int(rng.integers(3, 12))
        if rng.random() < 0.8:
            middle = _sign(str(rng.choice([*RANKS, _foreign(rng)])), font, int(width * rng.uniform(0.3, 0.9)))
            middle.thumbnail((int(width * 0.75), int(height * 0.6)))
            card.paste(ink, ((width - middle.width) // 2, (height - middle.height) // 2), middle)
        if kind == 3:
            for line in range(int(rng.integers(3, 9))):
                word = "".join(chr(97 + int(c)) for c in rng.integers(0, 26, int(rng.integers(2, 9))))
                mask = _sign(word, font, int(rng.integers(10, 20)))
                card.paste(ink, (int(rng.integers(8, 40)), 16 + 38 * line), mask)
        if rng.random() < 0.8:
            card.paste(card.crop((0, 0, width, height // 2)).rotate(180), (0, height - height // 2))
        rgba = prints.round_corners(np.asarray(card))
        out.append(Item(rgba, REJECT, NO_SUIT, REJECT_FACE, {}))
    return out


def _sign(text: str, font: str, height: int):
    """`text` as a mask; a font that lacks it is replaced by the plain one."""
    try:
        return fonts.glyph_mask(text, font, height)
    except ValueError:
        return fonts.glyph_mask(text, fonts.suit_fonts()[0], height)


def _foreign(rng: np.random.Generator) -> str:
    return str(FOREIGN[int(rng.integers(len(FOREIGN)))])
