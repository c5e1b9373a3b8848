"""Trains the detector: where is a card, where is an index corner, whatever is printed on it.

`python -m companion.training detector scenes|train|export|measure|revive`. torch and ultralytics are imported inside
the functions that need them; without them this module still imports.

The network is ultralytics' yolo11n-pose from its YAML, without pretrained weights: three classes, four keypoints.
The learning rate follows the clock, not the epochs: training on a busy CPU ends when it should, fully annealed.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODEL = {"cfg": "yolo11n-pose.yaml", "nc": 3, "kpt_shape": [4, 3]}
WARM = 0.02  # share of the time budget in which the rate rises


def rate(progress: float, floor: float = 0.01) -> float:
    """Share of the top learning rate at `progress` 0..1 of the run: a short rise, then half a cosine to `floor`."""
    progress = min(max(progress, 0.0), 1.0)
    if progress < WARM:
        return max(progress / WARM, 0.02)
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * (progress - WARM) / (1 - WARM)))


def _quiet_environment() -> None:
    """Nothing may be fetched or reported; as many OpenMP threads as the caller allows."""
    for key, value in {
        "YOLO_OFFLINE": "1",
        "YOLO_AUTOINSTALL": "0",
        "OMP_NUM_THREADS": str(os.cpu_count() or 2),
    }.items():
        os.environ.setdefault(key, value)


def _trainer_class(task: str, sigma: float, half: bool, start: Path | None) -> Any:
    """A trainer for `task`; a pose's keypoint loss is as sharp as `sigma` asks; `half`: bfloat16 inside the network.

    Weights of `start` whose name and shape are the network's own are taken over, also from another task.
    """
    import torch
    from ultralytics.models.yolo import detect, pose
    from ultralytics.nn.tasks import DetectionModel, PoseModel

    from companion.training.detector.loss import CardLoss

    stock_trainer, stock_model = {
        "detect": (detect.DetectionTrainer, DetectionModel),
        "pose": (pose.PoseTrainer, PoseModel),
    }[task]

    def full(value: Any) -> Any:
        if torch.is_tensor(value):
            return value.float() if value.is_floating_point() else value
        if isinstance(value, dict):
            return {k: full(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(full(v) for v in value)
        return value

    class Model(stock_model):
        """Half precision in the network, full in the loss: corners need more than eight bits."""

        kpt_oks_sigmas = (sigma,) * 4

        def init_criterion(self) -> Any:
            return CardLoss(self) if task == "pose" else super().init_criterion()

        def loss(self, batch: Any, preds: Any = None) -> Any:
            if preds is None:
                with torch.autocast(batch["img"].device.type, torch.bfloat16, enabled=half):
                    preds = self.forward(batch["img"])
            return super().loss(batch, full(preds))

    class Trainer(stock_trainer):
        """The stock trainer with our model; saved networks are of the stock class."""

        def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
            model = super().get_model(cfg, weights, verbose)
            if start is not None:
                from ultralytics import YOLO

                model.load(YOLO(str(start)).model)
            model.__class__ = Model
            return model

        def save_model(self) -> bool:
            snapshot(self, Path(self.last))
            return True

        def validate(self) -> tuple[dict[str, float], float]:
            """No look at held-out scenes while training: time is better spent on learning."""
            return {}, 0.0

        def final_eval(self) -> None:
            """Measuring is a step of its own (`measure`)."""

    return Trainer


def snapshot(trainer: Any, path: Path) -> None:
    """Save the averaged network so that it loads in a stock ultralytics, and can be trained on."""
    import copy

    import torch
    from ultralytics import __version__

    model = copy.deepcopy(trainer.ema.ema)
    model.__class__ = type(model).__base__
    if hasattr(model, "criterion"):
        model.criterion = None
    content = {"epoch": -1, "model": model.half(), "train_args": vars(trainer.args), "version": __version__}
    scratch = path.with_suffix(".part")
    torch.save(content, scratch)
    scratch.replace(path)


def train(data: Path, out: Path, minutes: float, *, weights: Path | None = None, progress: float = 0.0, size: int = 320,
          batch: int = 16, top: float = 1e-3, sigma: float = 0.12, amp: str = "bf16",
          task: str = "pose", classes: int = MODEL["nc"]) -> Path:  # fmt: skip
    """Train for `minutes` on the data set `data` (its data.yaml); returns the path of the last weights.

    `weights` continues from a snapshot; with `progress` 0..1 the schedule starts there, as after an interruption.
    `task` and `classes` choose yolo11n's head: `pose` for the detector, `detect` for boxes alone.
    """
    _quiet_environment()
    from ultralytics import YOLO

    out = Path(out).resolve()  # ultralytics would put a relative folder below one of its own
    begun = time.time()
    state = {"saved": begun}

    def pace(trainer: Any) -> None:
        passed = time.time() - begun
        done = progress + (1 - progress) * passed / (minutes * 60)
        for group in trainer.optimizer.param_groups:
            group["lr"] = top * rate(done) * min(1.0, 0.05 + passed / 40)  # a fresh optimizer starts softly

    def keep(trainer: Any) -> None:
        if time.time() - state["saved"] > 480:
            state["saved"] = time.time()
            snapshot(trainer, Path(trainer.wdir) / "snapshot.pt")

    config = out / f"network-{task}.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    write_config(config, task, classes)
    model = YOLO(str(config), task=task)
    model.add_callback("on_train_batch_start", pace)
    model.add_callback("on_train_batch_end", keep)
    model.train(
        trainer=_trainer_class(task, sigma, amp == "bf16", weights), data=str(data), project=str(out),
        name="run",
        exist_ok=True, epochs=1000, time=minutes / 60,
        imgsz=size, batch=batch, nbs=batch, optimizer="AdamW", lr0=top, momentum=0.9,
        weight_decay=0.005, warmup_epochs=0, cos_lr=False, pretrained=False, amp=False,
        mosaic=0.0, close_mosaic=0, fliplr=0.0, flipud=0.0, degrees=0.0, scale=0.12, translate=0.06, shear=0.0,
        perspective=0.0, hsv_h=0.02, hsv_s=0.4, hsv_v=0.25, erasing=0.0, plots=False, val=False, workers=8, seed=7,
        deterministic=False, verbose=True, device="cpu" if not _has_gpu() else 0,
    )  # fmt: skip
    return out / "run" / "weights" / "last.pt"


def _has_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def write_config(path: Path, task: str = "pose", classes: int = MODEL["nc"]) -> None:
    """The network's YAML: ultralytics' own yolo11n for `task` with so many classes, and four keypoints for a pose."""
    import yaml
    from ultralytics.utils import ROOT

    own = {"pose": "yolo11-pose.yaml", "detect": "yolo11.yaml"}[task]
    base = yaml.safe_load((ROOT / "cfg/models/11" / own).read_text("utf-8"))
    base |= {"nc": classes, "scales": {"n": base["scales"]["n"]}}
    if task == "pose":
        base["kpt_shape"] = MODEL["kpt_shape"]
    path.write_text(yaml.safe_dump(base), "utf-8")


def export(weights: Path, target: Path, half: bool = False) -> Path:
    """Write `target` (ONNX, opset 17, free height and width in steps of 32, raw pose head but boxes); returns it."""
    _quiet_environment()
    import shutil

    from ultralytics import YOLO

    with _aside(weights) as copy:
        written = YOLO(str(copy), task="pose").export(
            format="onnx", dynamic=True, opset=17, simplify=True, imgsz=320, device="cpu"
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(written, target)
    if half:
        _halve(target)
    _leave_out_boxes(target)
    return target


def _leave_out_boxes(path: Path) -> None:
    """Nothing but the training asks for boxes: corners say more. Their numbers stay in the file, for `revive`.

    Raises ValueError for a network that does not stack boxes, scores and corners into its answer.
    """
    import onnx

    model = onnx.load(str(path))
    makers = {name: node for node in model.graph.node for name in node.output}
    (answer,) = model.graph.output
    stack = makers[answer.name]
    if stack.op_type != "Concat" or len(stack.input) != 3:
        raise ValueError(f"{path} does not stack boxes, scores and corners: another head than the pose head")
    stack.input.pop(0)
    needed, names = set[int](), [answer.name]
    while names:
        node = makers.get(names.pop())
        if node is not None and id(node) not in needed:
            needed.add(id(node))
            names += node.input
    kept = [node for node in model.graph.node if id(node) in needed]
    del model.graph.node[:]
    model.graph.node.extend(kept)
    for size in answer.type.tensor_type.shape.dim:
        size.Clear()
    onnx.save(model, str(path))


def _halve(path: Path) -> None:
    """Store large float tensors as 16-bit, cast back when loaded: half the file, the same arithmetic."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    casts = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 256:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), name + "_h"))
        casts.append(helper.make_node("Cast", [name + "_h"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    onnx.save(model, str(path))


def _scene_batches(count: int, size: int = 320) -> Iterator[Any]:
    """`count` training scenes in batches (n, size, size, 3) RGB, uint8."""
    import numpy as np

    from companion.training.scenes import dataset

    composer = dataset.composer("train", (size, size))
    for first in range(0, count, 16):
        yield np.stack([composer.compose(seed).image for seed in range(first, min(first + 16, count))])


@contextmanager
def _aside(weights: Path) -> Iterator[Path]:
    """A scratch copy, because the exporter writes beside its input."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(weights, copy)
        yield copy


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
    e = steps.add_parser("export", help="weights to ONNX")
    e.add_argument("--weights", type=Path, required=True)
    e.add_argument("--to", type=Path, required=True)
    e.add_argument("--half", action="store_true")
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
        from companion.training.scenes import dataset, looks

        size = (a.size, a.size)
        dataset.write_split(a.out, "val", "heldout", a.val, first=9_000_000, size=size, workers=a.workers)
        dataset.write_split(a.out, "train", "train", a.train, first=a.first, size=size, workers=a.workers)
        if a.looks:
            looks.write_looks(a.out, "looks", "train", a.looks, first=a.first, workers=a.workers)
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
    elif a.step == "export":
        print(export(a.weights, a.to, a.half))
    elif a.step == "revive":
        from companion.training.detector.revive import revive_detector

        revive_detector(a.onnx, _scene_batches(a.scenes), a.out)
        print(a.out)
    else:
        from companion.training.detector import measure as detector_measure

        detector_measure.report(a.onnx, a.scenes, a.json)
    return 0
