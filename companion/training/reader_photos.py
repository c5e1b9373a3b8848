"""Crops for the reader from real photographs that may train: `python -m companion.training reader photos`.

The labels know the rank (and a box), not the suit. The detector finds the outlines; the reader trained so far says
which corners carry the index and, where it is sure, the suit. A crop enters under its labelled rank, never under a
guessed one; where the suit is in doubt it is left out of the loss (-1).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from companion.training import prints
from companion.vision import edges
from companion.vision.geometry import corner_windows
from companion.vision.images import load
from companion.vision.pipeline import Reader, Thing, arrange
from companion.vision.reader import FACE_SIZE, FACES, INDEX_SIZE, RANKS, REJECT, cut, softmax

SOURCE = "edje-tf-cards"
COPIES = 6
SURE = 0.9


def photo_pool(models: Path, out: Path, seed: int = 0) -> dict[str, int]:
    """Write a pool part (.npz) with the crops of all labelled cards that the detector finds; returns counts."""
    folder = prints.photos_dir()
    if folder is None:
        raise FileNotFoundError("set COMPANION_PHOTOS to the folder of photographs")
    reader, rng = Reader(models), np.random.default_rng(seed)
    index: list[tuple[np.ndarray, int, int]] = []
    whole: list[tuple[np.ndarray, int]] = []
    labelled = matched = 0
    for line in (folder / SOURCE / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("use") != "may train":
            continue
        image = load(folder / SOURCE / row["file"])
        things = [thing for thing in arrange(reader._detector.find(image), edges.paper(image)) if thing.whole]
        for card in row["cards"]:
            labelled += 1
            thing = _match(things, card["bbox"])
            if thing is None:
                continue
            matched += 1
            _add(reader, image, thing, RANKS.index(card["name"][:-1]), rng, index, whole)
    np.savez(out, index=np.stack([i[0] for i in index]), rank=np.int8([i[1] for i in index]),
             suit=np.int8([i[2] for i in index]), whole=np.stack([w[0] for w in whole]),
             label=np.int8([w[1] for w in whole]))  # fmt: skip
    return {"labelled": labelled, "matched": matched, "index crops": len(index), "whole crops": len(whole)}


def _match(things: list[Thing], box: list[float]) -> Thing | None:
    """The outline whose bounding box overlaps the label's by half at least."""
    best, most = None, 0.5
    x, y, w, h = box
    for thing in things:
        (left, top), (right, bottom) = thing.outline.min(axis=0), thing.outline.max(axis=0)
        shared = max(0, min(right, x + w) - max(left, x)) * max(0, min(bottom, y + h) - max(top, y))
        share = shared / ((right - left) * (bottom - top) + w * h - shared)
        if share > most:
            best, most = thing, share
    return best


def _add(reader: Reader, image, thing: Thing, rank: int, rng, index: list, whole: list) -> None:
    """Crops of one card whose rank is known; see the module's text for what decides the other labels."""
    crops = [cut(image, window, INDEX_SIZE) for window in corner_windows(thing.outline)]
    ranks, suits = (softmax(out) for out in reader._reader._index(crops))
    carrying = [k for k in range(4) if ranks[k, rank] > 0.3]
    blank = [k for k in range(4) if ranks[k, REJECT] > 0.9]
    vote = suits[carrying, :4].sum(axis=0) if carrying else np.zeros(4)
    suit = int(vote.argmax()) if carrying and vote.max() > SURE * vote.sum() and vote.sum() > 0.8 else -1
    for _ in range(COPIES):
        width = float(np.linalg.norm(thing.outline[1] - thing.outline[0]))
        outline = thing.outline + rng.normal(0, 0.02 * width, (4, 2))
        windows = corner_windows(outline)
        index.extend((cut(image, windows[k], INDEX_SIZE), rank, suit) for k in carrying)
        index.extend((cut(image, windows[k], INDEX_SIZE), REJECT, 4) for k in blank[:1])
        if suit >= 0:
            turned = np.roll(outline, 2 * int(rng.integers(2)), axis=0)
            whole.append((cut(image, turned, FACE_SIZE), FACES.index(RANKS[rank] + "SHDC"[suit])))
