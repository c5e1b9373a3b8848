"""Trains the reader: `python -m companion.training reader STAGE …`, see `--help`.

`views` draws imagined photographs of single cards and keeps their crops in the cache; `train` teaches one of the
networks, which `--kind` chooses, and writes `reader.onnx` (index), `face.onnx` or `aim.onnx`; `photos` cuts crops
from the photographs that may train (hand its part to `train --extra`); `calibrate` fits the temperatures; `revive`
turns a written network back into weights beside it (`reader.pt`, …) that `train --start` goes on from; `export` writes
the network of such weights (`--start`), as `blend` makes them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from companion.training import prints, prints_drawn
from companion.training.reader_calibrate import calibrate
from companion.training.reader_patches import Aims, Patches
from companion.training.reader_views import REJECT_FACE, UNKNOWN, Item, Views, foreign_items, items_of
from companion.vision.reader import INDEX_SIZE, LETTERS, RANKS

FILES = {"index": "reader.onnx", "face": "face.onnx", "aim": "aim.onnx"}
POOL_KEYS = ("index", "rank", "suit", "whole", "label")


def pool_dir() -> Path:
    """Where pools of crops are kept, beside the rendered prints."""
    path = prints.cache_dir().parent / "reader-pools"
    path.mkdir(parents=True, exist_ok=True)
    return path


def draw_part(split: str, drawn: int, cards: int, seed: int, out: Path) -> Path:
    """Draw `cards` imagined photographs of the prints of `split` and save their crops as one .npz part."""
    if out.exists():
        return out
    cv2.setNumThreads(1)
    items = [item for design in prints.load_prints(split, drawn=drawn, workers=1) for item in _teachable(design)]
    first = 0 if split == "train" else 5000
    foreign = [item for number in range(60) for item in foreign_items(first + number)]
    views = Views(items, foreign, seed)
    rng = np.random.default_rng([seed, 2])
    index, ranks, suits, whole, labels = [], [], [], [], []
    for _ in range(cards):
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


def draw(split: str, drawn: int, cards: int, parts: int, workers: int, first: int = 0) -> list[Path]:
    """A pool of `parts` files with `cards` photographs each; those that are there already are kept."""
    prints.load_prints(split, drawn=drawn, workers=workers)
    seeds = range(first, first + parts) if split == "train" else range(1000, 1000 + parts)
    jobs = [(split, drawn, cards, seed, pool_dir() / f"{split}-{drawn}-{cards}-{seed}.npz") for seed in seeds]
    spawn = multiprocessing.get_context("spawn")  # OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        return list(pool.map(draw_part, *zip(*jobs, strict=True)))


def load_pool(paths: list[Path]) -> dict[str, np.ndarray]:
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


def fit_face(pool: dict[str, np.ndarray], epochs: float, out: Path, *, threads: int, seed: int = 0,
             start: Path | None = None, rate: float = 3e-3) -> dict[str, float]:  # fmt: skip
    """Train the face network on a pool and write `out` (.onnx) with its weights beside it (.pt, not shipped)."""
    import torch

    from companion.training.reader_net import FaceNet

    images, goal = pool["whole"], torch.from_numpy(pool["label"].astype(np.int64))
    size, total = 192, int(epochs * len(pool["whole"]) / 192)
    rng = np.random.default_rng(seed)

    def batches():
        for step in range(total):
            rows = np.sort(rng.integers(0, len(images), size))
            yield (step + 1) / total, _batch(images, rows, rng), [goal[rows]]

    return {"crops": len(images), "epochs": epochs, **_fit("face", FaceNet(), batches(), out, threads, start, rate)}


def fit_aim(drawn: int, minutes: float, out: Path, *, threads: int, workers: int = 1, seed: int = 0,
            start: Path | None = None, rate: float = 3e-3) -> dict[str, float]:  # fmt: skip
    """Train the network that says where exactly an index lies, for `minutes` on crops drawn meanwhile; writes `out`."""
    import torch

    from companion.training.reader_net import AimNet

    rng = np.random.default_rng(seed)
    stream = torch.utils.data.DataLoader(
        Stream(drawn, seed, Aims), batch_size=None, num_workers=workers, prefetch_factor=6
    )
    begun = time.time()

    def batches():
        for images, corners in stream:
            done = (time.time() - begun) / (60 * minutes)
            yield done, _batch(images.numpy(), np.arange(len(images)), rng), [corners]
            if done >= 1:
                return

    judge = torch.nn.SmoothL1Loss(beta=0.02)
    return {"minutes": minutes, **_fit("aim", AimNet(), batches(), out, threads, start, rate, judge)}


def fit_index(drawn: int, minutes: float, out: Path, *, threads: int, workers: int = 1, seed: int = 0,
              start: Path | None = None, rate: float = 3e-3, extra: list[Path] | None = None,
              progress: float = 0.0, only: str | None = None) -> dict[str, float]:  # fmt: skip
    """Train the index network for `minutes` on patches that `workers` processes draw meanwhile; writes `out`.

    `extra`: pool parts with real crops, one in sixteen of a batch. `progress` 0..1 starts the schedule there. `only`:
    the one layer that learns, all else stays as it is.
    """
    import torch

    from companion.training.reader_net import IndexNet

    real = load_pool(extra) if extra else None
    rng = np.random.default_rng(seed)
    stream = torch.utils.data.DataLoader(
        Stream(drawn, seed, Patches), batch_size=None, num_workers=workers, prefetch_factor=6
    )
    begun = time.time()

    def batches():
        for images, ranks, suits, letters in stream:
            done = progress + (1 - progress) * (time.time() - begun) / (60 * minutes)
            if real is not None:
                share = len(images) // 16
                rows = rng.integers(0, len(real["index"]), share)
                images[:share] = torch.from_numpy(real["index"][rows])
                ranks[:share] = torch.from_numpy(real["rank"][rows].astype(np.int64))
                suits[:share] = torch.from_numpy(real["suit"][rows].astype(np.int64))
                letters[:share] = UNKNOWN
            yield done, _batch(images.numpy(), np.arange(len(images)), rng), [ranks, suits, letters]
            if done >= 1:
                return

    return {"minutes": minutes, **_fit("index", IndexNet(), batches(), out, threads, start, rate, only=only)}


class Stream:
    """Endless batches of crops (n, 64, 48, 3) with ranks, suits, letters, or with corners; each process has its own."""

    def __init__(self, drawn: int, seed: int, kind: type[Patches] | type[Aims], size: int = 256,
                 split: str = "train") -> None:  # fmt: skip
        cv2.setNumThreads(1)
        items = [item for design in prints.load_prints(split, drawn=drawn) for item in _lettered(design)]
        foreign = [item for number in range(60) for item in foreign_items(number)]
        self.patches, self.seed, self.size = kind(items, foreign, seed), seed, size

    def __getitem__(self, number: int):
        import torch

        self.patches.reseed(1_000_003 * self.seed + number)
        drawn = list(islice(self.patches, self.size))
        crops = torch.from_numpy(np.stack([patch.crop for patch in drawn]))
        if isinstance(self.patches, Aims):
            return crops, torch.from_numpy(np.stack([aim.corners for aim in drawn]))
        return crops, *(torch.tensor([getattr(patch, key) for patch in drawn]) for key in ("rank", "suit", "letter"))

    def __len__(self) -> int:
        return 10**6


def _fit(kind: str, net, batches, out: Path, threads: int, start: Path | None, rate: float,
         judge=None, only: str | None = None) -> dict[str, float]:  # fmt: skip
    """One network through its batches (share done 0..1, images, goals per output); a clock sets the learning rate."""
    import torch
    from torch import nn

    from companion.training.detector import rate as share_of_rate
    from companion.training.reader_net import export

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
    from companion.vision.reader import Network

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
    from companion.vision.reader import Network

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
    from companion.training.reader_net import NETS
    from companion.training.revive import revive_reader

    out = target.with_suffix(".pt")
    if kind == "face":
        pool = load_pool(draw("train", drawn, 500, 1, 1))["whole"]
        crops = (pool[first : first + 128] for first in range(0, len(pool), 128))
    else:
        stream = Stream(drawn, 0, Aims if kind == "aim" else Patches)
        crops = (stream[number][0].numpy() for number in range(4))
    revive_reader(target, NETS[kind](), (np.ascontiguousarray(batch[..., ::-1]) for batch in crops), out)
    return out


def written(kind: str, weights: Path, target: Path) -> Path:
    """Write the network of `weights` (.pt) to `target` (.onnx); returns it."""
    import torch

    from companion.training import reader_net

    net = reader_net.NETS[kind]()
    net.load_state_dict(torch.load(weights))
    reader_net.export(net, target)
    return target


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training reader", description=__doc__)
    parser.add_argument("stage", choices=["views", "train", "photos", "calibrate", "revive", "export"])
    parser.add_argument("--drawn", type=int, default=160, help="invented designs besides the rendered ones")
    parser.add_argument("--cards", type=int, default=5000, help="imagined photographs a part")
    parser.add_argument("--parts", type=int, default=8, help="parts of the training pool")
    parser.add_argument("--first", type=int, default=0, help="number (seed) of the first part")
    parser.add_argument("--models", type=Path, help="folder of the weights that `photos` finds cards with")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--kind", choices=list(FILES), default="index")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="further pool parts (.npz)")
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path("models/reader"))
    parser.add_argument("--minutes", type=float, default=60, help="time to train the index network")
    parser.add_argument("--only", help="the one layer of the index network that learns, such as letter")
    parser.add_argument("--progress", type=float, default=0.0, help="share 0..1 of its schedule already done")
    given = parser.parse_args(argv)
    face = given.kind == "face"
    if given.stage == "calibrate":
        print(json.dumps(calibrate(given.out), indent=2, ensure_ascii=False))
        return 0
    if given.stage == "photos":
        from companion.training.reader_photos import photo_pool

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
    how = {"threads": given.threads, "start": given.start, "rate": given.rate, "seed": given.first}
    if given.kind == "aim":
        facts = fit_aim(given.drawn, given.minutes, target, workers=given.workers, **how)
        facts |= {"held-out prints": aimed(target)}
        return _report(facts, target)
    held = draw("heldout", 16, 1500, 1, 1)
    pools = draw("train", given.drawn, given.cards, given.parts, given.workers, given.first) if face else []
    if given.stage == "views":
        return 0
    if face:
        facts = fit_face(load_pool([*pools, *given.extra]), given.epochs, target, **how)
    else:
        facts = fit_index(given.drawn, given.minutes, target, workers=given.workers, extra=given.extra,
                          progress=given.progress, only=given.only, **how)  # fmt: skip
    facts |= {"held-out prints": score(given.kind, target, load_pool(held))}
    return _report(facts, target)


def _report(facts: dict, target: Path) -> int:
    print(json.dumps(facts))
    target.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    return 0
