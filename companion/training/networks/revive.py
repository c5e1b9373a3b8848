"""Turns shipped ONNX weights back into weights that can be trained on.

An export folds each batch normalisation into the convolution before it. Here the convolution keeps the folded weights,
and its normalisation is given the mean and spread that its inputs have on pictures of the training kind, with a scale
and shift that undo it: in evaluation the network answers what the ONNX file answers, and in training it normalises as
usual. Needs torch and onnx.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn


def tensors(path: Path) -> dict[str, np.ndarray]:
    """The stored numbers of an ONNX file by name, as float32."""
    import onnx
    from onnx import numpy_helper

    stored = onnx.load(str(path)).graph.initializer
    return {tensor.name: numpy_helper.to_array(tensor).astype(np.float32) for tensor in stored}


@torch.no_grad()
def fill(one: nn.Module, norm: nn.BatchNorm2d | None, weight: np.ndarray | None, bias: np.ndarray | None,
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
def normalise(net: nn.Module, norms: list[nn.BatchNorm2d], images: Iterable[np.ndarray]) -> None:
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
