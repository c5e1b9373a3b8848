"""How well the whole reader finds the outlines of cards without an index, on composed scenes of held-out picture decks.

A card is found when one of the reader's outlines covers it with an IoU of 0.7, each outline used once. *Separate* cards
are seen whole, *overlapped* ones by a third at least; faces and backs are counted apart. *False* outlines meet no card
with an IoU of 0.5 and no cut or covered one by half of themselves.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset
from companion.vision.geometry import area, iou, overlap
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import ReadResult

FIRST_SEED = 79_300_000
SIZE = (1280, 720)
WIDTHS = (80.0, 140.0)
SEPARATE = 0.98
SEEN = 1 / 3
FOUND = 0.7


def count(scene: scenes.Scene, result: ReadResult, sums: Counter[str]) -> None:
    """Add one scene's cards and the reader's outlines to `sums`."""
    read = [np.array(card.polygon, np.float64) for card in result.cards]
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
    frame = np.array([[0, 0], [result.width, 0], [result.width, result.height], [0, result.height]], np.float64)
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


def main(argv: list[str]) -> int:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m companion.training outlines", description=__doc__)
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--first", type=int, default=FIRST_SEED)
    parser.add_argument("--harsh", type=float, default=0.35)
    parser.add_argument("--once", action="store_true", help="read once instead of twice")
    parser.add_argument("--models", type=Path, help="a folder of weights other than those shipped")
    parser.add_argument("--json", type=Path)
    a = parser.parse_args(argv)
    composer = dataset.composer("heldout", SIZE, drawn=16, picture_share=1.0)
    composer.widths, composer.harsh = WIDTHS, a.harsh
    once = Reader(a.models)
    reader = once if a.once else TwoPassReader(once)
    sums: Counter[str] = Counter()
    for seed in range(a.first, a.first + a.scenes):
        scene = composer.compose(seed)
        count(scene, reader.read(np.ascontiguousarray(scene.image[..., ::-1])), sums)
    text = json.dumps(figures(sums), indent=1)
    print(text)
    if a.json:
        a.json.write_text(text + "\n", "utf-8")
    return 0
