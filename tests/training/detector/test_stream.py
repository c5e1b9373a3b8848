"""Pictures on a GPU: moved, turned and coloured, their labels go with them; and a network learns from them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("ultralytics", reason="training needs the extra `train`")

import torch

from companion.training.detector import stream
from companion.training.detector.composing import MOST, SIDE
from companion.training.detector.network import write_config


def spotted(kinds: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """A black picture a kind, with one thing 80 × 120 px: its four corners shine red, green, blue and white."""
    pictures = torch.zeros((len(kinds), 3, SIDE, SIDE), dtype=torch.uint8)
    labels = torch.full((len(kinds), MOST, 13), -1.0)
    quad = [(120, 100), (200, 100), (200, 220), (120, 220)]
    for number, kind in enumerate(kinds):
        labels[number, 0, 0] = kind
        for corner, ((x, y), shine) in enumerate(zip(quad, ([0], [1], [2], [0, 1, 2]), strict=True)):
            pictures[number, shine, y - 3 : y + 3, x - 3 : x + 3] = 255
            labels[number, 0, 1 + 3 * corner : 4 + 3 * corner] = torch.tensor([x, y, 1.0])
    return pictures, labels


def test_labels_go_where_the_picture_goes() -> None:
    torch.manual_seed(1)
    batch = stream.augmented(*spotted([k % 3 for k in range(48)]))
    assert batch["img"].shape == (48, 3, SIDE, SIDE) and len(batch["cls"]) == 48
    turned = 0
    for number, (x, y, w, h) in enumerate((batch["bboxes"] * SIDE).tolist()):
        image = batch["img"][int(batch["batch_idx"][number])].numpy()
        corners = (batch["keypoints"][number, :, :2] * SIDE).numpy()
        assert batch["keypoints"][number, :, 2].all()
        for (px, py), wanted in zip(corners, ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]), strict=True):
            shown = image[:, int(py), int(px)]
            assert list((shown > 0.6 * shown.max()).astype(int)) == wanted and shown.max() > 0.4
        assert np.allclose([x - w / 2, y - h / 2], corners.min(axis=0), atol=0.1)
        assert np.allclose([x + w / 2, y + h / 2], corners.max(axis=0), atol=0.1)
        turned += bool(w > h)
    assert 0 < turned < 30


def test_what_is_moved_out_of_the_picture_is_not_asked_for() -> None:
    """A card of which a third stays is, with corners unseen; an index of which two thirds stay is not."""
    _, labels = spotted([0, 2, 0])
    stay = torch.zeros(3, dtype=torch.long), torch.tensor([[-175.0, 0], [-140, 0], [-300, 0]])
    boxes, corners, asked = stream.moved(labels, torch.ones(3), *stay)
    assert asked[:, 0].tolist() == [True, False, False]
    assert boxes[0, 0].tolist() == [0, 100, 25, 220]
    assert corners[0, 0, :, 2].tolist() == [0, 1, 1, 0]


def test_a_network_learns_and_is_saved_as_others_are(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from ultralytics import YOLO

    write_config(tmp_path / "net.yaml")
    torch.manual_seed(2)
    net = YOLO(str(tmp_path / "net.yaml"), task="pose").model
    student = stream.Student(net, stream.Course(1, 0.0, 1e-3, 4, 0.1, 64, 1), torch.device("cpu"))
    pictures, labels = spotted([0, 1, 2, 0])
    losses = [float(student.learn(stream.augmented(pictures, labels), 2e-3).sum()) for _ in range(12)]
    assert np.mean(losses[-3:]) < 0.9 * np.mean(losses[:3])
    student.save(tmp_path / "last.pt")
    again = YOLO(str(tmp_path / "last.pt"), task="pose").model.float().eval()
    kept = student.average.ema.state_dict()
    assert all(
        torch.allclose(value, kept[name].to(value.dtype), rtol=1e-2, atol=1e-3)
        for name, value in again.state_dict().items()
    )
