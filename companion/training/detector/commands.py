"""Trains the detector: where is a card, where is an index corner, whatever is printed on it.

`python -m companion.training detector scenes|train|export|quantize|measure|revive`. torch and ultralytics are imported
inside the functions that need them; without them this module still imports.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.training.detector import composing, measure
from companion.training.detector.export import export, quantize
from companion.training.detector.train import train
from companion.training.scenes import dataset, looks


def _stream(a: argparse.Namespace) -> Path:
    """Begin to compose, revive the network on the first scenes, and train it on all that follow."""
    order = composing.Order(a.lots, a.first, a.drawn, a.pictures)
    composers = composing.start(order, a.composers)
    from companion.training.detector.stream import Course, revived, stream

    course = Course(a.minutes, a.progress, a.top, a.batch, a.sigma, a.room, a.least)
    try:
        return stream(revived(a.onnx, a.lots, a.out), a.lots, a.out, course)
    finally:
        for one in composers:
            one.terminate()


def main(argv: list[str]) -> int:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m companion.training detector", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    s = steps.add_parser("scenes", help="compose the data set")
    s.add_argument("--out", type=Path, required=True)
    s.add_argument("--train", type=int, default=18000)
    s.add_argument("--val", type=int, default=400)
    s.add_argument("--first", type=int, default=1000)
    s.add_argument("--size", type=int, default=320)
    s.add_argument("--looks", type=int, default=0, help="also this many whole tables, cut up as it looks at them")
    s.add_argument("--pictures", type=float, default=0.0, help="share of decks without an index, 0..1")
    s.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    t = steps.add_parser("train", help="train on a data set")
    t.add_argument("--data", type=Path, required=True, help="data.yaml")
    t.add_argument("--out", type=Path, required=True)
    t.add_argument("--minutes", type=float, required=True)
    t.add_argument("--weights", type=Path)
    t.add_argument("--progress", type=float, default=0.0)
    t.add_argument("--size", type=int, default=320)
    t.add_argument("--batch", type=int, default=16)
    t.add_argument("--top", type=float, default=1e-3)
    t.add_argument("--sigma", type=float, default=0.12)
    t.add_argument("--amp", choices=("bf16", "off"), default="bf16")
    g = steps.add_parser("stream", help="go on from an ONNX file on a GPU, on scenes composed meanwhile")
    g.add_argument("--onnx", type=Path, default=Path("models/detector/detector.onnx"))
    g.add_argument("--out", type=Path, required=True)
    g.add_argument("--lots", type=Path, required=True, help="a folder in memory where composed scenes wait")
    g.add_argument("--minutes", type=float, required=True)
    g.add_argument("--first", type=int, required=True, help="the first seed")
    g.add_argument("--drawn", type=int, default=60, help="invented prints")
    g.add_argument("--pictures", type=float, default=0.1, help="share of decks without an index, 0..1")
    g.add_argument("--composers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    g.add_argument("--progress", type=float, default=0.2)
    g.add_argument("--top", type=float, default=2.5e-3)
    g.add_argument("--batch", type=int, default=256)
    g.add_argument("--sigma", type=float, default=0.05)
    g.add_argument("--room", type=int, default=160_000, help="pictures kept on the GPU")
    g.add_argument("--least", type=int, default=4096, help="pictures to begin with")
    e = steps.add_parser("export", help="weights to ONNX")
    e.add_argument("--weights", type=Path, required=True)
    e.add_argument("--to", type=Path, required=True)
    e.add_argument("--half", action="store_true")
    q = steps.add_parser("quantize", help="the ONNX file once more in eight bits: what runs")
    q.add_argument("--onnx", type=Path, default=Path("models/detector/detector.onnx"))
    q.add_argument("--scenes", type=int, default=48, help="composed scenes to fit its ranges to")
    m = steps.add_parser("measure", help="figures on composed scenes of held-out prints")
    m.add_argument("--onnx", type=Path, required=True)
    m.add_argument("--scenes", type=int, default=300)
    m.add_argument("--json", type=Path)
    r = steps.add_parser("revive", help="ONNX back to weights that `train --weights` goes on from")
    r.add_argument("--onnx", type=Path, default=Path("models/detector/detector.onnx"))
    r.add_argument("--out", type=Path, required=True, help="the .pt file to write")
    r.add_argument("--scenes", type=int, default=256, help="composed scenes to measure its normalisation on")
    a = parser.parse_args(argv)
    if a.step == "scenes":
        size = (a.size, a.size)
        dataset.write_split(a.out, "val", "heldout", a.val, first=9_000_000, size=size, workers=a.workers)
        dataset.write_split(a.out, "train", "train", a.train, first=a.first, size=size, workers=a.workers,
                            picture_share=a.pictures)  # fmt: skip
        if a.looks:
            looks.write_looks(a.out, "looks", "train", a.looks, first=a.first, workers=a.workers,
                              picture_share=a.pictures)  # fmt: skip
        print(dataset.write_yaml(a.out, ["train", "looks"] if a.looks else ["train"], "val"))
    elif a.step == "train":
        print(
            train(
                a.data,
                a.out,
                a.minutes,
                weights=a.weights,
                progress=a.progress,
                size=a.size,
                batch=a.batch,
                top=a.top,
                sigma=a.sigma,
                amp=a.amp,
            )
        )
    elif a.step == "stream":
        print(_stream(a))
    elif a.step == "export":
        print(export(a.weights, a.to, a.half))
    elif a.step == "quantize":
        print(quantize(a.onnx, a.scenes))
    elif a.step == "revive":
        from companion.training.detector.revive import revive_detector, scene_batches

        revive_detector(a.onnx, scene_batches(a.scenes), a.out)
        print(a.out)
    else:
        measure.report(a.onnx, a.scenes, a.json)
    return 0
