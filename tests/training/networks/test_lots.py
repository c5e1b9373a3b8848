"""Lots that other processes make ready: taken once, the newest rows stay in the pool."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from companion.training.networks import lots


def lot(value: int) -> lots.Lot:
    return {"pictures": np.full((4, 3, 2), value, np.uint8), "label": np.full(4, value, np.int64)}


def test_a_lot_is_taken_once(tmp_path: Path) -> None:
    for value in (1, 2):
        lots.write(tmp_path, f"7-{value:07d}", lot(value))
    first, second = lots.ready(tmp_path)
    assert lots.read(first)["label"].tolist() == [1] * 4 and lots.ready(tmp_path) == [first, second]
    assert lots.take(first)["pictures"].shape == (4, 3, 2) and lots.ready(tmp_path) == [second]
    assert not list(tmp_path.glob("*.part"))


def test_processes_number_their_lots_in_turns(tmp_path: Path) -> None:
    for number in (0, 1):
        with pytest.raises(StopIteration):
            lots.make(islice(map(lot, range(3)), 2), tmp_path, number, 2, 40)
    assert [path.name.split(".")[0] for path in lots.ready(tmp_path)] == [f"40-{k:07d}" for k in range(4)]


def test_the_newest_rows_stay(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="training needs the extra `train`")
    from companion.training.networks.pool import Pool

    pool = Pool(9, torch.device("cpu"))
    for value in (1, 2, 3):
        lots.write(tmp_path, str(value), lot(value))
    pool.filling(tmp_path, 8)()
    assert len(pool) == 8 and pool.seen == 12 and not lots.ready(tmp_path)
    assert sorted(set(pool.arrays["label"].tolist())) == [2, 3]
    rows = pool.rows(50)
    assert len(rows["label"]) == 50 and torch.equal(rows["pictures"][:, 0, 0].long(), rows["label"])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_lot_that_cannot_be_read_ends_it(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="training needs the extra `train`")
    from companion.training.networks.pool import Pool

    (tmp_path / "1.lot.npz").write_bytes(b"no lot")
    with pytest.raises(RuntimeError, match="could not be read"):
        Pool(9, torch.device("cpu")).filling(tmp_path, 8)
