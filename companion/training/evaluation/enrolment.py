"""Photographs of a deck's cards, to enrol it by: `python -m companion.training photographs --deck DECK --out FOLDER`.

Each card as the project draws it, on a table of its own, in a light of its own, named as `companion deck enrol` wants
it: films of an enrolled deck are made with such decks.
"""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path

import cv2
import numpy as np

from companion.cards import Deck
from companion.shelf import named
from companion.training.decks.scenes import photographed
from companion.training.films.cards import own_artwork

QUALITY = 92
FREE = 12.0
"""So much, px, is free around a card."""


def take(deck: Deck, out: Path, times: int = 1, seed: int = 0) -> int:
    """Write so many photographs of each card of a deck into a folder, where it is seen whole; how many there are."""
    out.mkdir(parents=True, exist_ok=True)
    drawn = own_artwork(deck)
    tall = drawn.size[1] / drawn.size[0]
    for code, face in drawn.faces.items():
        for number in range(1, times + 1):
            rng = np.random.default_rng([seed, zlib.crc32(code.encode()), number, 71])
            picture = _whole(cv2.cvtColor(face, cv2.COLOR_BGRA2RGBA), tall, rng)
            name = f"{code}.jpg" if number == 1 else f"{code}-{number}.jpg"
            cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return len(drawn.faces) * times


def _whole(face: np.ndarray, tall: float, rng: np.random.Generator) -> np.ndarray:
    """A photograph on which the card is not cut off: a person takes such a one again."""
    while True:
        picture, quad = photographed(face, tall, rng)
        size = picture.shape[1::-1]
        if (quad > FREE).all() and (quad < np.array(size) - FREE).all():
            return picture


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training photographs", description=__doc__)
    parser.add_argument("--deck", required=True, help="a deck of the program's or of one's own, drawn as it is printed")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--times", type=int, default=1, help="photographs a card")
    parser.add_argument("--seed", type=int, default=0, help="of tables and light")
    given = parser.parse_args(argv)
    print(f"{given.out}: {take(named(given.deck), given.out, given.times, given.seed)} photographs")
    return 0
