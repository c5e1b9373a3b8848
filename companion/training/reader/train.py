"""Trains the reader: `python -m companion.training reader STAGE …`, see `--help`.

`train` teaches one of the networks, which `--kind` chooses, and writes `reader.onnx` (index), `face.onnx` or
`aim.onnx`; `photos` cuts crops from the photographs that may train (hand its part to `train --extra`); `calibrate` fits
the temperatures; `revive` turns a written network back into weights beside it (`reader.pt`, …) that `train --start`
goes on from; `export` writes the network of such weights (`--start`), as `blend` makes them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path

import cv2
import numpy as np

from companion.training.reader.calibrate import calibrate
from companion.training.reader.patches import Aims, Faces, Patches
from companion.training.reader.views import REJECT_FACE, UNKNOWN, Item, Views, foreign_items, items_of
from companion.training.scenes import drawn_prints as prints_drawn
from companion.training.scenes import prints
from companion.vision.reading.reader import INDEX_SIZE, LETTERS, RANKS

FILES = {"index": "reader.onnx", "face": "face.onnx", "aim": "aim.onnx"}
POOL_KEYS = ("index", "rank", "suit", "whole", "label")
Drawer = Patches | Aims | Faces
DRAWERS: dict[str, type[Drawer]] = {"index": Patches, "aim": Aims, "face": Faces}
GOALS = {Patches: ("rank", "suit", "letter"), Aims: ("corners",), Faces: ("label",)}
"""What a network is to say of a crop, by what draws it: attributes of `Patch`, `Aim`, `Face`."""

_REAL = {"index": ("index", "rank", "suit"), "face": ("whole", "label")}
"""The real crops of a pool and what is known of them, by kind of network."""


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
    items = [item for design in prints.load_prints("heldout", drawn=16) for item in _teachable(design)]
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


def _teachable(design: prints.Print) -> list[Item]:
    """The items of a print without what cannot be known: a Dutch V is a queen, a French one (more common) a jack."""
    return [item for item in _lettered(design) if item.rank != UNKNOWN]


def _lettered(design: prints.Print) -> list[Item]:
    """The items of a print with the letters of invented ones; the rank of a Dutch V is no rank that can be known."""
    items = items_of(design)
    if not design.name.startswith("drawn-"):
        return items
    printed = prints_drawn.invent(int(design.name.removeprefix("drawn-"))).letters
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


def _batch(pool: np.ndarray, rows: np.ndarray, rng: np.random.Generator | None):
    """Crops → RGB tensor 0..1; with `rng` the light and colours change a little once more."""
    import torch

    images = torch.from_numpy(np.ascontiguousarray(pool[rows][..., ::-1])).permute(0, 3, 1, 2).float().div_(255)
    if rng is not None:
        count = len(rows)
        gain = rng.normal(1, 0.12, (count, 1, 1, 1)) * rng.normal(1, 0.04, (count, 3, 1, 1))
        lift = rng.normal(0, 0.05, (count, 1, 1, 1))
        images = images * torch.from_numpy(gain).float() + torch.from_numpy(lift).float()
        images = images.clamp_(0, 1)
    return images


def fit(kind: str, drawn: int, minutes: float, out: Path, *, threads: int, workers: int = 1, seed: int = 0,
        start: Path | None = None, rate: float = 3e-3, extra: Sequence[Path] = (), progress: float = 0.0,
        only: str | None = None) -> dict[str, float]:  # fmt: skip
    """Train a network (`FILES`) for `minutes` on crops that `workers` processes draw meanwhile; writes `out` (.onnx).

    Its weights lie beside it (.pt, not shipped). `extra`: pool parts with real crops, one in sixteen of a batch.
    `progress` 0..1 starts the schedule there. `only`: the one layer that learns, all else stays as it is.
    """
    import torch

    from companion.training.reader.net import NETS

    real = load_pool(extra) if extra and kind in _REAL else None
    rng = np.random.default_rng(seed)
    stream = torch.utils.data.DataLoader(
        Stream(drawn, seed, DRAWERS[kind]), batch_size=None, num_workers=workers, prefetch_factor=6
    )
    begun = time.time()

    def batches():
        for images, *goals in stream:
            done = progress + (1 - progress) * (time.time() - begun) / (60 * minutes)
            if real is not None:
                picture, *labels = _REAL[kind]
                share = len(images) // 16
                rows = rng.integers(0, len(real[picture]), share)
                images[:share] = torch.from_numpy(real[picture][rows])
                for goal, label in zip_longest(goals, labels):  # the letters of real cards are not known
                    goal[:share] = UNKNOWN if label is None else torch.from_numpy(real[label][rows].astype(np.int64))
            yield done, _batch(images.numpy(), np.arange(len(images)), rng), goals
            if done >= 1:
                return

    judge = torch.nn.SmoothL1Loss(beta=0.02) if kind == "aim" else None
    facts = _fit(kind, NETS[kind](), batches(), out, threads, start, rate, judge, only)
    return {"minutes": minutes, **facts}


class Stream:
    """Endless batches of crops (n, height, width, 3) and their goals (`GOALS`); each process has its own."""

    def __init__(self, drawn: int, seed: int, kind: type[Drawer], size: int = 256, split: str = "train") -> None:
        cv2.setNumThreads(1)
        items = [item for design in prints.load_prints(split, drawn=drawn) for item in _lettered(design)]
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


def _fit(kind: str, net, batches, out: Path, threads: int, start: Path | None, rate: float,
         judge=None, only: str | None = None) -> dict[str, float]:  # fmt: skip
    """One network through its batches (share done 0..1, images, goals per output); a clock sets the learning rate."""
    import torch
    from torch import nn

    from companion.training.detector.train import rate as share_of_rate
    from companion.training.reader.net import export

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    if start is not None:
        net.load_state_dict(torch.load(start))
    learning = net if only is None else net.get_submodule(only)
    net.requires_grad_(False)
    learning.requires_grad_(True)
    optimizer = torch.optim.AdamW(learning.parameters(), lr=rate, weight_decay=0.02)
    judge = judge or nn.CrossEntropyLoss(ignore_index=-1)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998),
                                                  use_buffers=True)  # fmt: skip
    began, running, seen, saved = time.time(), 0.0, 0, time.time()
    for step, (done, images, goals) in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = rate * share_of_rate(done) * min(1.0, 0.05 + step / 150)
        net.eval()
        learning.train()
        with torch.autocast("cpu", torch.bfloat16):
            outputs = net(images)
        loss = torch.stack([judge(o.float(), goal) for o, goal in zip(outputs, goals, strict=True)]).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learning.parameters(), 2.0)
        optimizer.step()
        average.update_parameters(net)
        seen += len(images)
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if step % 100 == 99:
            print(f"{kind} {done:.3f} loss {running:.4f} {seen / (time.time() - began):.0f} crops/s", flush=True)
        if time.time() - saved > 240:
            saved = time.time()
            torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    export(average.module, out)
    return {"crops seen": seen, "seconds": round(time.time() - began), "loss": round(running, 4)}


def score(kind: str, path: Path, pool: dict[str, np.ndarray]) -> dict[str, float]:
    """Plain accuracy of a written network on a pool: readable crops named right, empty ones refused."""
    from companion.vision.reading.reader import Network

    network = Network(path, threads=1)
    images = pool["index" if kind == "index" else "whole"]
    outputs = [network(list(images[i : i + 256])) for i in range(0, len(images), 256)]
    guesses = [np.concatenate([part[k] for part in outputs]).argmax(1) for k in range(2 if kind == "index" else 1)]
    if kind == "index":
        real = pool["rank"] != 14
        right = (guesses[0] == pool["rank"]) & (guesses[1] == pool["suit"])
        refused = guesses[0] == 14
    else:
        real = pool["label"] != 53
        right, refused = guesses[0] == pool["label"], guesses[0] == 53
    return {"right": round(float(right[real].mean()), 4), "refused wrongly": round(float(refused[real].mean()), 4),
            "refused rightly": round(float(refused[~real].mean()), 4)}  # fmt: skip


def aimed(path: Path, batches: int = 16) -> dict[str, float]:
    """How far a written network's corners are from those of indices of held-out prints, as a share of their width."""
    from companion.vision.reading.reader import Network

    network, stream = Network(path, threads=1), Stream(16, 0, Aims, split="heldout")
    off = []
    for crops, corners in (stream[number] for number in range(batches)):
        wanted, size = corners.numpy(), np.array(INDEX_SIZE)
        way = (network(list(crops.numpy()))[0] - wanted) * size
        wide = np.linalg.norm((wanted[:, 1] - wanted[:, 0] + wanted[:, 2] - wanted[:, 3]) / 2 * size, axis=1)
        off.append(np.linalg.norm(way, axis=2).mean(axis=1) / wide)
    every = np.concatenate(off)
    return {"median": round(float(np.median(every)), 4), "90th percentile": round(float(np.quantile(every, 0.9)), 4)}


def revive(kind: str, target: Path, drawn: int) -> Path:
    """Turn the network `target` (.onnx) back into trainable weights beside it; returns their path."""
    from companion.training.detector.revive import revive_reader
    from companion.training.reader.net import NETS

    out, stream = target.with_suffix(".pt"), Stream(drawn, 0, DRAWERS[kind])
    crops = (stream[number][0].numpy() for number in range(4))
    revive_reader(target, NETS[kind](), (np.ascontiguousarray(batch[..., ::-1]) for batch in crops), out)
    return out


def written(kind: str, weights: Path, target: Path) -> Path:
    """Write the network of `weights` (.pt) to `target` (.onnx); returns it."""
    import torch

    from companion.training.reader import net as reader_net

    net = reader_net.NETS[kind]()
    net.load_state_dict(torch.load(weights))
    reader_net.export(net, target)
    return target


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training reader", description=__doc__)
    parser.add_argument("stage", choices=["train", "photos", "calibrate", "revive", "export"])
    parser.add_argument("--drawn", type=int, default=160, help="invented designs besides the rendered ones")
    parser.add_argument("--first", type=int, default=0, help="seed of what is drawn")
    parser.add_argument("--models", type=Path, help="folder of the weights that `photos` finds cards with")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kind", choices=list(FILES), default="index")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="further pool parts (.npz)")
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path("models/reader"))
    parser.add_argument("--minutes", type=float, default=60, help="time to train")
    parser.add_argument("--only", help="the one layer of the index network that learns, such as letter")
    parser.add_argument("--progress", type=float, default=0.0, help="share 0..1 of its schedule already done")
    given = parser.parse_args(argv)
    if given.stage == "calibrate":
        print(json.dumps(calibrate(given.out), indent=2, ensure_ascii=False))
        return 0
    if given.stage == "photos":
        from companion.training.reader.photos import photo_pool

        print(json.dumps(photo_pool(given.models or given.out.parent, pool_dir() / "photos.npz")))
        return 0
    target = given.out / FILES[given.kind]
    if given.stage == "revive":
        print(revive(given.kind, target, given.drawn))
        return 0
    if given.stage == "export":
        if given.start is None:
            parser.error("export needs --start: the weights (.pt) to write")
        print(written(given.kind, given.start, target))
        return 0
    given.out.mkdir(parents=True, exist_ok=True)
    facts = fit(given.kind, given.drawn, given.minutes, target, threads=given.threads, workers=given.workers,
                seed=given.first, start=given.start, rate=given.rate, extra=given.extra, progress=given.progress,
                only=given.only)  # fmt: skip
    judged = aimed(target) if given.kind == "aim" else score(given.kind, target, load_pool([held_out_pool()]))
    facts |= {"held-out prints": judged}
    print(json.dumps(facts))
    target.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    return 0
