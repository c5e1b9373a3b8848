"""The reader's shipped networks as weights to go on from: `python -m companion.training reader revive`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn

from companion.training.networks.revive import fill, normalise, tensors


def revive_reader(shipped: Path, net: nn.Module, images: Iterable[np.ndarray], out: Path) -> nn.Module:
    """Write `out` (.pt, for `reader train --start`) with the weights of `shipped` (ONNX) in `net`; returns `net`.

    `net`: a new `IndexNet` or `FaceNet`. `images`: batches of crops (n, height, width, 3) RGB, uint8. Raises ValueError
    where `shipped` is another network.
    """
    import onnx

    stored = tensors(shipped)
    folded = [node.input[1:3] for node in onnx.load(str(shipped)).graph.node if node.op_type == "Conv"]
    modules = list(net.named_modules())
    convolutions = [(name, one) for name, one in modules if isinstance(one, nn.Conv2d)]
    norms = [one for _, one in modules if isinstance(one, nn.BatchNorm2d)]
    if len(folded) != len(convolutions):
        raise ValueError(f"{shipped} has {len(folded)} convolutions, the network has {len(convolutions)}")
    for (weight, bias), (name, one), norm in zip(folded, convolutions, norms, strict=True):  # in the order of use
        fill(one, norm, stored[weight], stored[bias], name)
    for name, one in modules:
        if isinstance(one, nn.Linear):
            fill(one, None, stored.get(f"{name}.weight"), stored.get(f"{name}.bias"), name)
    normalise(net, norms, images)
    torch.save(net.state_dict(), out)
    return net
