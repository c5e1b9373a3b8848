"""Trains the reader: `python -m companion.training reader STAGE …`, see `--help`.

`train` teaches one of the networks, which `--kind` chooses, and writes `reader.onnx` (index), `face.onnx` or
`aim.onnx`; `photos` cuts crops from the photographs that may train (hand its part to `train --extra`); `calibrate` fits
the temperatures; `revive` turns a written network back into weights beside it (`reader.pt`, …) that `train --start`
goes on from; `stream` goes on with the index network on a GPU while all other cores draw; `export` writes the network
of such weights (`--start`), as `blend` makes them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from companion.training.reader import drawing
from companion.training.reader.calibrate import calibrate
from companion.training.reader.measure import aimed, score
from companion.training.reader.photos import photo_pool
from companion.training.reader.stream import DRAWERS, FILES, Stream, held_out_pool, load_pool, pool_dir
from companion.training.reader.train import fit


def revive(kind: str, target: Path, drawn: int) -> Path:
    """Turn the network `target` (.onnx) back into trainable weights beside it; returns their path."""
    from companion.training.reader.net import NETS
    from companion.training.reader.revive import revive_reader

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


def _stream(given: argparse.Namespace) -> Path:
    """Begin to draw, and train the index network on it; returns the weights."""
    drawers = drawing.start(drawing.Order(given.lots, given.first, given.drawn), given.workers)
    from companion.training.reader.gpu import Course, stream

    course = Course(given.minutes, given.progress, given.rate)
    try:
        return stream(
            given.start, given.lots, given.out / "stream.pt", course, load_pool(given.extra) if given.extra else None
        )
    finally:
        for one in drawers:
            one.terminate()


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training reader", description=__doc__)
    parser.add_argument("stage", choices=["train", "photos", "calibrate", "revive", "stream", "export"])
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
    parser.add_argument("--lots", type=Path, help="a folder in memory where crops wait (`stream`)")
    parser.add_argument("--progress", type=float, default=0.0, help="share 0..1 of its schedule already done")
    given = parser.parse_args(argv)
    if given.stage == "calibrate":
        print(json.dumps(calibrate(given.out), indent=2, ensure_ascii=False))
        return 0
    if given.stage == "photos":
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
    if given.stage == "stream":
        if given.start is None or given.lots is None:
            parser.error("stream needs --start, the weights (.pt) to go on from, and --lots")
        print(_stream(given))
        return 0
    facts = fit(given.kind, given.drawn, given.minutes, target, threads=given.threads, workers=given.workers,
                seed=given.first, start=given.start, rate=given.rate, extra=given.extra, progress=given.progress,
                only=given.only)  # fmt: skip
    judged = aimed(target) if given.kind == "aim" else score(given.kind, target, load_pool([held_out_pool()]))
    facts |= {"held-out prints": judged}
    print(json.dumps(facts))
    target.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    return 0
