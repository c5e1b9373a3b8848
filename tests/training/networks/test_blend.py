"""The mean of two trainings' weights: lies between both, keeps its form, and runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import onnxruntime as ort
import torch

from companion.training.networks import blend
from companion.training.reader import commands as reader
from companion.training.reader.net import FaceNet, IndexNet


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


def test_a_missing_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        blend.main([str(tmp_path / "none.pt"), str(tmp_path / "none.pt"), "--out", str(tmp_path / "mean.pt")])
    assert "none.pt" in capsys.readouterr().err


def test_the_detectors_checkpoints_blend_and_stay_checkpoints(tmp_path: Path) -> None:
    ultralytics = pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    from companion.training.detector import network

    network.write_config(tmp_path / "yolo11n-pose.yaml")
    nets = [ultralytics.YOLO(str(tmp_path / "yolo11n-pose.yaml"), task="pose").model for _ in range(2)]
    for number, net in enumerate(nets):
        for weight in net.parameters():
            torch.nn.init.constant_(weight, float(number))
        torch.save({"model": net.half(), "epoch": -1}, tmp_path / f"{number}.pt")
    blend.blend_files(tmp_path / "0.pt", tmp_path / "1.pt", tmp_path / "mean.pt", 0.25)
    mean = ultralytics.YOLO(str(tmp_path / "mean.pt"), task="pose").model
    assert {float(value) for weight in mean.parameters() for value in weight.detach().unique()} == {0.25}


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
