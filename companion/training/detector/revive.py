"""Turns shipped ONNX weights back into weights that can be trained on.

`python -m companion.training detector revive` and `reader revive`, see `docs/training.md`. An export folds each batch
normalisation into the convolution before it. Here the convolution keeps the folded weights, and its normalisation is
given the mean and spread that its inputs have on pictures of the training kind, with a scale and shift that undo it:
in evaluation the network answers what the ONNX file answers, and in training it normalises as usual.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn

FOLDED = "_h"  # `detector._halve` stores a tensor's 16-bit values under its name with this ending


def revive_detector(shipped: Path, images: Iterable[np.ndarray], out: Path) -> nn.Module:
    """Write `out` (.pt, for `detector train --weights`) with the weights of `shipped` (ONNX); returns the network.

    `images`: batches (n, height, width, 3) RGB, uint8, sides multiples of 32. Raises ValueError for another network.
    """
    from companion.training.detector.train import _quiet_environment, write_config

    _quiet_environment()
    from ultralytics import YOLO, __version__

    config = out.with_name("detector-pose.yaml")
    config.parent.mkdir(parents=True, exist_ok=True)
    write_config(config)
    net = YOLO(str(config), task="pose").model
    stored = {name.removesuffix(FOLDED): values for name, values in _tensors(shipped).items()}
    convolutions = {name: one for name, one in net.named_modules() if isinstance(one, nn.Conv2d)}
    norms = []
    for name, one in convolutions.items():
        if name.endswith("dfl.conv"):
            continue  # fixed numbers, not learned
        norm = None if one.bias is not None else net.get_submodule(name.rpartition(".")[0] + ".bn")
        _fill(one, norm, stored.get(f"{name}.weight"), stored.get(f"{name}.bias"), name)
        norms += [] if norm is None else [norm]
    _normalise(net, norms, images)
    torch.save({"epoch": -1, "model": net, "train_args": {}, "version": __version__}, out)
    return net


def revive_reader(shipped: Path, net: nn.Module, images: Iterable[np.ndarray], out: Path) -> nn.Module:
    """Write `out` (.pt, for `reader train --start`) with the weights of `shipped` (ONNX) in `net`; returns `net`.

    `net`: a new `IndexNet` or `FaceNet`. `images`: batches of crops (n, height, width, 3) RGB, uint8. Raises ValueError
    where `shipped` is another network.
    """
    import onnx

    stored = _tensors(shipped)
    folded = [node.input[1:3] for node in onnx.load(str(shipped)).graph.node if node.op_type == "Conv"]
    modules = list(net.named_modules())
    convolutions = [(name, one) for name, one in modules if isinstance(one, nn.Conv2d)]
    norms = [one for _, one in modules if isinstance(one, nn.BatchNorm2d)]
    if len(folded) != len(convolutions):
        raise ValueError(f"{shipped} has {len(folded)} convolutions, the network has {len(convolutions)}")
    for (weight, bias), (name, one), norm in zip(folded, convolutions, norms, strict=True):  # in the order of use
        _fill(one, norm, stored[weight], stored[bias], name)
    for name, one in modules:
        if isinstance(one, nn.Linear):
            _fill(one, None, stored.get(f"{name}.weight"), stored.get(f"{name}.bias"), name)
    _normalise(net, norms, images)
    torch.save(net.state_dict(), out)
    return net


def _tensors(path: Path) -> dict[str, np.ndarray]:
    """The stored numbers of an ONNX file by name, as float32."""
    import onnx
    from onnx import numpy_helper

    stored = onnx.load(str(path)).graph.initializer
    return {tensor.name: numpy_helper.to_array(tensor).astype(np.float32) for tensor in stored}


@torch.no_grad()
def _fill(one: nn.Module, norm: nn.BatchNorm2d | None, weight: np.ndarray | None, bias: np.ndarray | None,
          name: str) -> None:  # fmt: skip
    """Give a layer its stored numbers, the bias to the normalisation behind it, which does nothing else so far."""
    if weight is None or bias is None or weight.shape != tuple(one.weight.shape):
        raise ValueError(f"the stored weights have none for {name} {tuple(one.weight.shape)}: another network")
    one.weight.copy_(torch.from_numpy(weight))
    if norm is None:
        one.bias.copy_(torch.from_numpy(bias))
        return
    norm.weight.fill_(1)
    norm.bias.copy_(torch.from_numpy(bias))
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)


@torch.no_grad()
def _normalise(net: nn.Module, norms: list[nn.BatchNorm2d], images: Iterable[np.ndarray]) -> None:
    """Measure mean and spread before each normalisation on the images, and let it use them without changing anything.

    Raises ValueError where there are no images.
    """
    sums = [torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms]

    def watch(total: torch.Tensor):
        def hook(_module: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
            x = inputs[0].double()
            count = torch.full((x.shape[1],), x.numel() / x.shape[1], dtype=torch.float64)
            total.add_(torch.stack([x.sum((0, 2, 3)), (x * x).sum((0, 2, 3)), count]))

        return hook

    handles = [norm.register_forward_pre_hook(watch(total)) for norm, total in zip(norms, sums, strict=True)]
    net.eval()
    for batch in images:
        net(torch.from_numpy(np.ascontiguousarray(batch)).permute(0, 3, 1, 2).float() / 255)
    for handle in handles:
        handle.remove()
    for norm, (total, squares, count) in zip(norms, sums, strict=True):
        if not count.all():
            raise ValueError("no pictures to measure the normalisation on")
        mean = total / count
        spread = (squares / count - mean**2).clamp_min(1e-6)
        norm.bias.add_(mean.float())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
