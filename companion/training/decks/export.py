"""Writes the trained network as ONNX and its numbers as JSON: what `companion.vision.decks.network` loads."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from companion.training.decks.net import Agreement, Embedder
from companion.vision.decks.crops import CROP


def export(weights: Path, out: Path) -> int:
    """Write `decks.onnx` and `decks.json` into `out`; returns the size of the network's file in bytes."""
    held = torch.load(weights)
    net, agreement = Embedder(), Agreement()
    net.load_state_dict(held["net"])
    agreement.load_state_dict(held["agreement"])
    net.eval()
    out.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (torch.zeros(2, 3, CROP[1], CROP[0]),), str(out / "decks.onnx"), dynamo=False, opset_version=17,
        input_names=["crops"], output_names=["maps"], dynamic_axes={"crops": {0: "n"}, "maps": {0: "n"}},
    )  # fmt: skip
    numbers = {
        "rho": [round(v, 5) for v in torch.sigmoid(agreement.rho).tolist()],
        "covered": round(float(torch.sigmoid(agreement.covered).detach()), 6),
        "factor": round(float(torch.nn.functional.softplus(agreement.factor).detach()), 6),
        "none": round(float(agreement.none.detach()), 4),
    }
    (out / "decks.json").write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
    return (out / "decks.onnx").stat().st_size
