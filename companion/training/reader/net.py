"""The reading networks (torch): small residual CNNs, and their way to ONNX. Needs the extra `train`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import torch
from torch import nn

from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE
from companion.vision.reading.faces import LETTERS
from companion.vision.reading.runtime import quantized_path


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = _conv(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


def _trunk(widths: tuple[int, ...], places: int, features: int) -> nn.Sequential:
    layers: list[nn.Module] = [_conv(3, widths[0], 2)]
    for inside, outside in pairwise(widths):
        layers += [_conv(inside, outside, 2), _Residual(outside), _Residual(outside)]
    layers += [nn.Flatten(), nn.Dropout(0.25), nn.Linear(widths[-1] * places, features), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers)


class IndexNet(nn.Module):
    """An index crop (3, 64, 48), 0..1 RGB → logits of 15 ranks (13, joker, reject), 5 suits (4, none) and `LETTERS`."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 24, 2), _Residual(24), _Residual(24),
            _conv(24, 56, 2), _Residual(56), _Residual(56),
            _conv(56, 104, 2), _Residual(104), _Residual(104),
            _conv(104, 160, 2), _Residual(160), _Residual(160),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(160 * 4 * 3, 160), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.rank, self.suit, self.letter = nn.Linear(160, 15), nn.Linear(160, 5), nn.Linear(160, len(LETTERS))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = self.trunk(x - 0.5)
        return self.rank(seen), self.suit(seen), self.letter(seen)


class AimNet(nn.Module):
    """A crop (3, 64, 48), 0..1 RGB, around a roughly detected index → where in it its corners are: (4, 2), 0..1."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 20, 2), _Residual(20),
            _conv(20, 40, 2), _Residual(40), _Residual(40),
            _conv(40, 72, 2), _Residual(72), _Residual(72),
            _conv(72, 96, 2), _Residual(96),
            nn.Flatten(), nn.Linear(96 * 4 * 3, 128), nn.ReLU(inplace=True), nn.Linear(128, 8),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (0.5 + 0.2 * self.trunk(x - 0.5).view(-1, 4, 2),)


class FaceNet(nn.Module):
    """A rectified card (3, 112, 80), 0..1 RGB → logits of 52 faces, joker, reject."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk((16, 32, 64, 128), 7 * 5, 128)
        self.face = nn.Linear(128, 54)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (self.face(self.trunk(x - 0.5)),)


NETS: dict[str, type[nn.Module]] = {"index": IndexNet, "face": FaceNet, "aim": AimNet}
OUTPUTS = {IndexNet: ["rank", "suit", "letter"], FaceNet: ["face"], AimNet: ["corners"]}


def export(net: nn.Module, path: Path) -> None:
    """Write the network as ONNX with a free batch size. Of it in eight bits `quantize` makes a new file."""
    size = FACE_SIZE if isinstance(net, FaceNet) else INDEX_SIZE
    names = OUTPUTS[type(net)]
    free = {name: {0: "batch"} for name in ["crops", *names]}
    net.eval()
    torch.onnx.export(net, (torch.zeros(2, 3, size[1], size[0]),), str(path), input_names=["crops"],
                      output_names=names, dynamic_axes=free, opset_version=17, dynamo=False)  # fmt: skip
    quantized_path(path).unlink(missing_ok=True)  # it was made of the weights before
