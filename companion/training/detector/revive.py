"""The shipped detector as weights to go on from: `python -m companion.training detector revive`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from companion.training.detector.network import quiet_environment, write_config
from companion.training.networks.revive import fill, normalise, tensors
from companion.training.scenes import dataset

FOLDED = "_h"  # `export` stores a tensor's 16-bit values under its name with this ending


def revive_detector(shipped: Path, images: Iterable[np.ndarray], out: Path) -> nn.Module:
    """Write `out` (.pt, for `detector train --weights`) with the weights of `shipped` (ONNX); returns the network.

    `images`: batches (n, height, width, 3) RGB, uint8, sides multiples of 32. Raises ValueError for another network.
    """
    quiet_environment()
    from ultralytics import YOLO, __version__

    config = out.with_name("detector-pose.yaml")
    config.parent.mkdir(parents=True, exist_ok=True)
    write_config(config)
    net = YOLO(str(config), task="pose").model
    stored = {name.removesuffix(FOLDED): values for name, values in tensors(shipped).items()}
    convolutions = {name: one for name, one in net.named_modules() if isinstance(one, nn.Conv2d)}
    norms = []
    for name, one in convolutions.items():
        if name.endswith("dfl.conv"):
            continue  # fixed numbers, not learned
        norm = None if one.bias is not None else net.get_submodule(name.rpartition(".")[0] + ".bn")
        fill(one, norm, stored.get(f"{name}.weight"), stored.get(f"{name}.bias"), name)
        norms += [] if norm is None else [norm]
    normalise(net, norms, images)
    torch.save({"epoch": -1, "model": net, "train_args": {}, "version": __version__}, out)
    return net


def scene_batches(count: int, size: int = 320) -> Iterator[Any]:
    """`count` training scenes in batches (n, size, size, 3) RGB, uint8."""
    composer = dataset.composer("train", (size, size))
    for first in range(0, count, 16):
        yield np.stack([composer.compose(seed).image for seed in range(first, min(first + 16, count))])
