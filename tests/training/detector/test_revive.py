"""The shipped detector becomes trainable again: the revived network answers what the ONNX file answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("onnx", reason="training needs the extra `train`")

import onnxruntime as ort
import torch

from companion.training.detector import revive

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


def test_a_revived_detector_answers_as_shipped_and_loads(tmp_path: Path) -> None:
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    from ultralytics import YOLO

    shipped, images = MODELS / "detector" / "detector.onnx", pictures(4, 192, 256)
    revive.revive_detector(shipped, [images], tmp_path / "again.pt")
    net = YOLO(str(tmp_path / "again.pt"), task="pose").model.eval()
    with torch.no_grad():
        again = net(tensor(images[:1]))
    again = again[0] if isinstance(again, (tuple, list)) else again
    asked = answers(shipped, images[:1])[0]
    things = again.numpy()[:, 4:]  # the shipped one has no boxes
    assert things.shape == asked.shape
    assert np.abs(things - asked).max() < 1e-3 * np.abs(asked).max()
