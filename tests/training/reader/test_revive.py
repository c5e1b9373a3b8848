"""Shipped weights become trainable again: the revived network answers what the ONNX file answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("onnx", reason="training needs the extra `train`")

import onnxruntime as ort
import torch

from companion.training.reader import revive
from companion.training.reader.net import AimNet, FaceNet, IndexNet

MODELS = Path(__file__).parents[3] / "models"


def pictures(count: int, height: int, width: int) -> np.ndarray:
    """Soft random pictures (count, height, width, 3), uint8."""
    rough = np.random.default_rng(3).integers(0, 256, (count, height // 8, width // 8, 3), np.uint8)
    return rough.repeat(8, axis=1).repeat(8, axis=2)


def answers(path: Path, images: np.ndarray) -> list[np.ndarray]:
    """What an ONNX file says of the images."""
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    batch = np.ascontiguousarray(images.transpose(0, 3, 1, 2)).astype(np.float32) / 255
    return session.run(None, {session.get_inputs()[0].name: batch})


def tensor(images: np.ndarray):  # type: ignore[no-untyped-def]
    """The images as a torch batch, 0..1."""
    return torch.from_numpy(np.ascontiguousarray(images.transpose(0, 3, 1, 2))).float() / 255


@pytest.mark.parametrize(
    ("file", "make", "size"), [("reader", IndexNet, (64, 48)), ("face", FaceNet, (112, 80)), ("aim", AimNet, (64, 48))]
)
def test_a_revived_reader_answers_as_shipped_and_trains_on(file: str, make: type, size: tuple[int, int],
                                                           tmp_path: Path) -> None:  # fmt: skip
    shipped, images = MODELS / "reader" / f"{file}.onnx", pictures(64, *size)
    revive.revive_reader(shipped, make(), [images[:32], images[32:]], tmp_path / "again.pt")
    net = make()
    net.load_state_dict(torch.load(tmp_path / "again.pt"))
    net.eval()
    with torch.no_grad():
        for again, asked in zip(net(tensor(images[:8])), answers(shipped, images[:8]), strict=True):
            assert np.abs(again.numpy() - asked).max() < 1e-3 * np.abs(asked).max()
    norms = [one for one in net.modules() if isinstance(one, torch.nn.BatchNorm2d)]
    assert all(float((one.running_var - 1).abs().max()) > 0.01 for one in norms), "measured, not left at nothing"
    net.train()
    with torch.no_grad():
        trained = net.trunk[0](tensor(images) - 0.5)
        net.eval()
        assert torch.allclose(trained, net.trunk[0](tensor(images) - 0.5), atol=0.05)


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="convolutions"):
        revive.revive_reader(MODELS / "reader" / "face.onnx", IndexNet(), [], tmp_path / "none.pt")
    with pytest.raises(ValueError, match="no pictures"):
        revive.revive_reader(MODELS / "reader" / "face.onnx", FaceNet(), [], tmp_path / "none.pt")
