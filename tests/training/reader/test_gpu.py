"""Crops on a GPU: moved and coloured a little, and a network learns from them; here on the processor."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import torch

from companion.training.reader import drawing, gpu
from companion.training.reader.items import UNKNOWN
from companion.training.reader.net import IndexNet
from companion.training.scenes import fonts


def test_a_crop_stays_what_it_is() -> None:
    """A red square in the upper left of a light crop stays red, there, about as large."""
    torch.manual_seed(3)
    crops = torch.full((64, 64, 48, 3), 230, dtype=torch.uint8)
    crops[:, 12:24, 9:21] = torch.tensor([20, 20, 210], dtype=torch.uint8)
    images = gpu.augmented(crops)
    assert images.shape == (64, 3, 64, 48) and images.min() >= 0 and images.max() <= 1
    red = (images[:, 0] - images[:, 1] > 0.3).float()
    area = red.sum((1, 2))
    assert area.min() > 90 and area.max() < 220
    y, x = (red.sum(dim) @ torch.arange(float(size)) / area for dim, size in ((2, 64), (1, 48)))
    assert abs(float(y.mean()) - 17.5) < 0.7 and abs(float(x.mean()) - 14.5) < 0.7
    assert 0.5 < float(y.std()) < 4 and 0.5 < float(x.std()) < 4


def test_photographs_come_among_the_drawn() -> None:
    pool = {"index": np.full((5, 64, 48, 3), 9, np.uint8), "rank": np.arange(5, dtype=np.int8),
            "suit": np.full(5, UNKNOWN, np.int8)}  # fmt: skip
    batch = {"crop": torch.zeros((32, 64, 48, 3), dtype=torch.uint8)}
    batch |= {goal: torch.full((32,), 3) for goal in gpu.GOALS}
    mixed = gpu.Photographs(pool, torch.device("cpu")).among(batch)
    assert mixed["crop"][:, 0, 0, 0].tolist() == [9, 9] + [0] * 30
    assert mixed["suit"][:2].tolist() == mixed["letter"][:2].tolist() == [UNKNOWN] * 2
    assert mixed["letter"][2:].tolist() == [3] * 30


@pytest.mark.skipif(not fonts.fonts(), reason="no fonts to draw cards with")
def test_a_network_learns_from_lots_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "LOT", 96)
    monkeypatch.setattr(drawing, "FOREIGN", 1)
    items = drawing.share(drawing.Order(tmp_path, 0, 2), 1, 2)
    assert len(items) > 50
    (lot,) = islice(drawing.draw(items, 5), 1)
    assert lot["crop"].shape == (96, 64, 48, 3) and set(lot["rank"].tolist()) <= set(range(UNKNOWN, 15))
    torch.manual_seed(1)
    student = gpu.Student(None, gpu.Course(1), torch.device("cpu"))
    batch = {key: torch.from_numpy(array) for key, array in lot.items()}
    losses = [float(student.learn(batch, 2e-3).sum()) for _ in range(25)]
    assert np.mean(losses[-4:]) < 0.8 * np.mean(losses[:4])
    student.save(tmp_path / "reader.pt")
    net = IndexNet()
    net.load_state_dict(torch.load(tmp_path / "reader.pt"))
    kept = student.average.module.state_dict()
    assert all(torch.equal(value, kept[key]) for key, value in net.state_dict().items())
