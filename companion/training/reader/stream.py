"""What the reader's networks learn from: endless batches of crops, pools of stored ones, and which kinds there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from companion.training.reader.items import REJECT_FACE, UNKNOWN, Item, foreign_items, items_of
from companion.training.reader.patches import Aims, Faces, Patches
from companion.training.reader.views import Views
from companion.training.scenes import drawn_prints, prints
from companion.vision.reading.faces import LETTERS, RANKS

FILES = {"index": "reader.onnx", "face": "face.onnx", "aim": "aim.onnx"}
POOL_KEYS = ("index", "rank", "suit", "whole", "label")
Drawer = Patches | Aims | Faces
DRAWERS: dict[str, type[Drawer]] = {"index": Patches, "aim": Aims, "face": Faces}
GOALS = {Patches: ("rank", "suit", "letter"), Aims: ("corners",), Faces: ("label",)}
"""What a network is to say of a crop, by what draws it: attributes of `Patch`, `Aim`, `Face`."""


def pool_dir() -> Path:
    """Where pools of crops are kept, beside the rendered prints."""
    path = prints.cache_dir().parent / "reader-pools"
    path.mkdir(parents=True, exist_ok=True)
    return path


def held_out_pool() -> Path:
    """A pool of crops of 1,500 imagined photographs of prints that nothing trains on (.npz); drawn if not there yet."""
    out = pool_dir() / "heldout-16-1500-1000.npz"
    if out.exists():
        return out
    cv2.setNumThreads(1)
    items = [item for design in prints.load_prints("heldout", drawn=16) for item in teachable(design)]
    foreign = [item for number in range(60) for item in foreign_items(5000 + number)]
    views = Views(items, foreign, 1000)
    rng = np.random.default_rng([1000, 2])
    index, ranks, suits, whole, labels = [], [], [], [], []
    for _ in range(1500):
        crops = views.sample()
        for crop, rank, suit in crops.index:
            if rank != 14 or rng.random() < 0.5:  # two-corner prints would make a half of all crops empty corners
                index.append(crop)
                ranks.append(rank)
                suits.append(suit)
        if crops.whole is not None:
            whole.append(crops.whole)
            labels.append(crops.label)
        if crops.astray is not None:
            whole.append(crops.astray)
            labels.append(REJECT_FACE)
    values = (np.stack(index), np.int8(ranks), np.int8(suits), np.stack(whole), np.int8(labels))
    scratch = out.with_suffix(".part.npz")
    np.savez(scratch, **dict(zip(POOL_KEYS, values, strict=True)))
    scratch.replace(out)
    return out


def teachable(design: prints.Print) -> list[Item]:
    """The items of a print without what cannot be known: a Dutch V is a queen, a French one (more common) a jack."""
    return [item for item in lettered(design) if item.rank != UNKNOWN]


def lettered(design: prints.Print) -> list[Item]:
    """The items of a print with the letters of invented ones; the rank of a Dutch V is no rank that can be known."""
    items = items_of(design)
    if not design.name.startswith("drawn-"):
        return items
    printed = drawn_prints.invent(int(design.name.removeprefix("drawn-"))).letters
    letters = {RANKS.index(rank): letter for rank, letter in zip("AJQK", printed, strict=True)}
    out = []
    for item in items:
        letter = letters.get(item.rank, "")
        rank = UNKNOWN if letter == "V" and item.rank == RANKS.index("Q") else item.rank
        out.append(replace(item, rank=rank, letter=LETTERS.index(letter)))
    return out


def load_pool(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """Several parts as one set of arrays."""
    parts = [np.load(path) for path in paths]
    return {key: np.concatenate([part[key] for part in parts if key in part]) for key in POOL_KEYS}


class Stream:
    """Endless batches of crops (n, height, width, 3) and their goals (`GOALS`); each process has its own."""

    def __init__(self, drawn: int, seed: int, kind: type[Drawer], size: int = 256, split: str = "train") -> None:
        cv2.setNumThreads(1)
        items = [item for design in prints.load_prints(split, drawn=drawn) for item in lettered(design)]
        foreign = [item for number in range(60) for item in foreign_items(number)]
        self.drawer, self.seed, self.size = kind(items, foreign, seed), seed, size

    def __getitem__(self, number: int):
        import torch

        self.drawer.reseed(1_000_003 * self.seed + number)
        drawn = list(islice(self.drawer, self.size))
        goals = GOALS[type(self.drawer)]
        return tuple(torch.from_numpy(np.stack([getattr(one, key) for one in drawn])) for key in ("crop", *goals))

    def __len__(self) -> int:
        return 10**6
