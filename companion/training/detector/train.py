"""Teaches the detector's network a data set of composed scenes, in ultralytics' trainer with our own loss.

torch and ultralytics are imported inside the functions that need them; without them this module still imports.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from companion.training.detector.network import MODEL, quiet_environment, write_config
from companion.training.networks.schedule import learning_rate_share


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
    quiet_environment()
    from ultralytics import YOLO

    out = Path(out).resolve()  # ultralytics would put a relative folder below one of its own
    begun = time.time()
    state = {"saved": begun}

    def pace(trainer: Any) -> None:
        passed = time.time() - begun
        done = progress + (1 - progress) * passed / (minutes * 60)
        for group in trainer.optimizer.param_groups:
            group["lr"] = (
                top * learning_rate_share(done) * min(1.0, 0.05 + passed / 40)
            )  # a fresh optimizer starts softly

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
