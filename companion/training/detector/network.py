"""The detector's network: ultralytics' yolo11n-pose from its YAML, without pretrained weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

MODEL: dict[str, Any] = {"cfg": "yolo11n-pose.yaml", "nc": 3, "kpt_shape": [4, 3]}


def quiet_environment() -> None:
    """Nothing may be fetched or reported; as many OpenMP threads as the caller allows."""
    for key, value in {
        "YOLO_OFFLINE": "1",
        "YOLO_AUTOINSTALL": "0",
        "OMP_NUM_THREADS": str(os.cpu_count() or 2),
    }.items():
        os.environ.setdefault(key, value)


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
