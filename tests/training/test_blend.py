"""The mean of two trainings' weights: lies between both, keeps its form, and runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import onnxruntime as ort
import torch

from companion.training import blend, reader
from companion.training.reader_net import FaceNet, IndexNet


def state(seed: int) -> dict:
    """An untrained index network's weights."""
    torch.manual_seed(seed)
    return IndexNet().state_dict()


def test_every_weight_lies_between_both() -> None:
    one, other = state(1), state(2)
    mixed = blend.blend(one, other, 0.25)
    for key, value in mixed.items():
        expected = other[key] if not value.is_floating_point() else 0.75 * one[key] + 0.25 * other[key]
        assert torch.allclose(value, expected), key
    assert not torch.allclose(mixed["rank.weight"], one["rank.weight"])


def test_weights_of_different_networks_do_not_blend() -> None:
    with pytest.raises(ValueError, match="two different networks"):
        blend.blend(state(1), FaceNet().state_dict())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch: its older ONNX export
def test_a_blend_of_two_files_is_exported_and_answers(tmp_path: Path) -> None:
    for seed in (1, 2):
        torch.save(state(seed), tmp_path / f"{seed}.pt")
    assert blend.main([str(tmp_path / "1.pt"), str(tmp_path / "2.pt"), "--out", str(tmp_path / "mean.pt")]) == 0
    written = reader.written("index", tmp_path / "mean.pt", tmp_path / "reader.onnx")
    net = IndexNet()
    net.load_state_dict(blend.blend(state(1), state(2)))
    crops = np.random.default_rng(0).random((3, 3, 64, 48), np.float32)
    session = ort.InferenceSession(str(written), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        expected = net.eval()(torch.from_numpy(crops))
    for given, wanted in zip(session.run(None, {"crops": crops}), expected, strict=True):
        assert np.allclose(given, wanted.numpy(), atol=1e-4)
