"""Pictures composed while the detector trains: what a lot holds is what the scenes show."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.detector import composing
from companion.training.networks import lots
from companion.training.scenes import dataset, fonts

pytestmark = pytest.mark.skipif(not fonts.fonts(), reason="no text font is installed")


@pytest.fixture
def order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> composing.Order:
    """Scenes of one invented print, rendered aside."""
    monkeypatch.setenv("COMPANION_PRINTS", str(tmp_path / "prints"))
    monkeypatch.delenv("COMPANION_NPM_CARDS", raising=False)
    monkeypatch.delenv("COMPANION_PHOTOS", raising=False)
    return composing.Order(tmp_path, 40, 1, 0.0)


def test_a_lot_says_what_its_pictures_show(order: composing.Order) -> None:
    lot = list(islice(composing.compose(order, 0, 1), 12))
    lots.write(order.folder, "first", composing.lot(lot))
    (ready,) = lots.ready(order.folder)
    pictures, labels = lots.take(ready).values()
    assert not lots.ready(order.folder) and not list(order.folder.glob("*.np*"))
    asked = 0
    for scene, picture, rows in zip(lot, pictures, labels, strict=True):
        assert np.array_equal(picture.transpose(1, 2, 0), scene.image)
        targets = dataset.targets(scene)
        assert [int(kind) for kind in rows[:, 0] if kind >= 0] == [target.kind for target in targets]
        for row, target in zip(rows, targets, strict=False):
            corners = row[1:].reshape(4, 3)
            assert np.allclose(corners[:, :2], target.quad, atol=1e-3)
            assert list(corners[:, 2] > 0) == [bool(seen) for seen in target.seen]
            asked += 1
    assert asked > 30


def test_two_processes_share_the_seeds(order: composing.Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each composes every second seed: together they make what one makes alone."""
    monkeypatch.setattr(composing, "TABLES", 0.0)
    alone, *two = (
        list(islice(composing.compose(order, number, of), 3 * (3 - of))) for number, of in ((0, 1), (0, 2), (1, 2))
    )
    together = [scene for pair in zip(*two, strict=True) for scene in pair]
    assert len(alone) == len(together) == 6
    assert all(np.array_equal(one.image, other.image) for one, other in zip(alone, together, strict=True))


def test_some_seeds_show_backs_first_of_all(order: composing.Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composing, "DOWN", 1.0)
    monkeypatch.setattr(composing, "TABLES", 0.0)
    cards = [card for scene in islice(composing.compose(order, 0, 1), 12) for card in scene.cards]
    assert np.mean([not card.up for card in cards]) > 0.6
