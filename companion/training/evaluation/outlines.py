"""How well the whole reader finds the outlines of cards without an index, on composed scenes of held-out picture decks.

A card is found when one of the reader's outlines covers it with an IoU of 0.7, each outline used once. *Separate* cards
are seen whole, *overlapped* ones by a third at least; faces and backs are counted apart. *False* outlines meet no card
with an IoU of 0.5 and no cut or covered one by half of themselves.

With `--decks` tables of invented decks are read, as those are that an enrolled deck is played on: the outlines that the
reader keeps, and those `chosen` of all that the detector saw (`companion.vision.pipeline.sighted`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.training.decks import scenes as tables
from companion.training.decks.invented import HELDOUT, STYLES, Invented
from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset
from companion.vision.geometry import area, box_quad, iou, overlap
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.pipeline.sighted import sighted
from companion.vision.types import CardRead

FIRST_SEED = 79_300_000
FIRST_DECK = HELDOUT + 200_000
SIZE = (1280, 720)
WIDTHS = (80.0, 140.0)
SEPARATE = 0.98
SEEN = 1 / 3
FOUND = 0.7


TABLES = 6
"""So many tables of each invented deck."""


def count(scene: scenes.Scene, cards: Sequence[CardRead], sums: Counter[str]) -> None:
    """Add one scene's cards and the outlines of those that were read to `sums`."""
    read = [np.array(card.polygon, np.float64) for card in cards]
    table = np.array([[iou(quad, card.quad) for card in scene.cards] for quad in read]).reshape(
        len(read), len(scene.cards)
    )
    best: dict[int, float] = {}
    used: set[int] = set()
    for at in np.argsort(-table, axis=None):
        row, column = divmod(int(at), table.shape[1])
        if row not in used and column not in best:
            used.add(row)
            best[column] = float(table[row, column])
    frame = box_quad((0, 0, scene.image.shape[1], scene.image.shape[0]))
    for number, card in enumerate(scene.cards):
        whole = overlap(card.quad, frame) / max(abs(area(card.quad)), 1e-6) > 0.999
        if card.visible < SEEN or not whole:
            continue
        group = f"{'separate' if card.visible >= SEPARATE else 'overlapped'} {'faces' if card.up else 'backs'}"
        sums[f"{group}, cards"] += 1
        sums[f"{group}, found"] += best.get(number, 0.0) >= FOUND
    for quad, row in zip(read, table, strict=True):
        share = max((overlap(quad, card.quad) / max(abs(area(quad)), 1e-6) for card in scene.cards), default=0.0)
        sums["outlines"] += 1
        sums["false"] += int(row.max(initial=0.0) < 0.5 and share < 0.5)


def figures(sums: Counter[str]) -> dict[str, float | int]:
    """Recall of each group with its number of cards, and false outlines."""
    groups = sorted(key.removesuffix(", cards") for key in sums if key.endswith(", cards"))
    out: dict[str, float | int] = {"outlines": sums["outlines"], "false outlines": sums["false"]}
    for group in groups:
        out[group] = sums[f"{group}, cards"]
        out[f"{group}, recall"] = round(sums[f"{group}, found"] / sums[f"{group}, cards"], 4)
    return out


def of_decks(reader: Reader, first: int, decks: int) -> dict[str, dict[str, float | int]]:
    """Figures of the outlines that are kept, and of those that are chosen, on tables of invented decks, one a style."""
    sums: dict[str, Counter[str]] = {"kept": Counter(), "chosen": Counter()}
    for number in range(decks):
        seed = first + 7 * number
        deck, foreign = Invented(seed, STYLES[number % len(STYLES)]), [Invented(seed + 100 + k) for k in range(5)]
        for table in range(TABLES):
            scene = tables.table(deck, foreign, 100 + table)
            picture = np.ascontiguousarray(scene.image[..., ::-1])
            result = TwoPassReader(reader).read(picture, deck.codes)
            count(scene, result.cards, sums["kept"])
            seen = sighted(result, picture)
            count(scene, [*seen.cards, *seen.further], sums["chosen"])
    return {name: figures(each) for name, each in sums.items()}


def of_scenes(reader: Reader | TwoPassReader, first: int, count_: int, harsh: float) -> dict[str, float | int]:
    """Figures of the outlines that are kept, on composed scenes of held-out picture decks."""
    composer = dataset.composer("heldout", SIZE, drawn=16, picture_share=1.0)
    composer.widths, composer.harsh = WIDTHS, harsh
    sums: Counter[str] = Counter()
    for seed in range(first, first + count_):
        scene = composer.compose(seed)
        count(scene, reader.read(np.ascontiguousarray(scene.image[..., ::-1])).cards, sums)
    return figures(sums)


def main(argv: list[str]) -> int:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m companion.training outlines", description=__doc__)
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--first", type=int, help="the first scene's seed, or the first deck's")
    parser.add_argument("--harsh", type=float, default=0.35)
    parser.add_argument("--once", action="store_true", help="read once instead of twice")
    parser.add_argument("--decks", type=int, default=0, help="tables of so many invented decks, six each")
    parser.add_argument("--models", type=Path, help="a folder of weights other than those shipped")
    parser.add_argument("--json", type=Path)
    a = parser.parse_args(argv)
    once = Reader(a.models)
    found: dict = (
        of_decks(once, a.first or FIRST_DECK, a.decks)
        if a.decks
        else of_scenes(once if a.once else TwoPassReader(once), a.first or FIRST_SEED, a.scenes, a.harsh)
    )
    text = json.dumps(found, indent=1)
    print(text)
    if a.json:
        a.json.write_text(text + "\n", "utf-8")
    return 0
