"""Crops for the reader from photographs that may train: labels know the rank, and only those photographs are read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="prints are loaded with Pillow")

from companion import resources
from companion.training.reader.photos import COPIES, SOURCE, photo_pool
from companion.vision.geometry import corner_windows, index_window, window_index
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import Detector
from companion.vision.reading.faces import FACES, RANKS, REJECT

PICTURES = Path(__file__).parents[2] / "vision" / "pictures"


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder with one labelled photograph that may train and one that may not; the faces up in the first."""
    folder = tmp_path / SOURCE
    folder.mkdir()
    up = [card for card in json.loads((PICTURES / "table.json").read_text("utf-8")) if card["side"] == "up"]
    lines = [{"file": "table.jpg", "use": "may train", "cards": [labelled(card) for card in up]},
             {"file": "missing.jpg", "use": "measure only", "cards": []}]  # fmt: skip
    (folder / "manifest.jsonl").write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    shutil.copy(PICTURES / "table.jpg", folder)
    monkeypatch.setenv("COMPANION_PHOTOS", str(tmp_path))
    return [card["face"] for card in up]


def labelled(card: dict) -> dict:
    """A card's label as those photographs have it: the rank, and an upright box."""
    low, high = np.min(card["quad"], axis=0), np.max(card["quad"], axis=0)
    return {"name": card["face"][:-1] + "?", "bbox": [*low.tolist(), *(high - low).tolist()]}


def test_crops_carry_the_labelled_rank_and_the_suit_that_was_read(photos: list[str], tmp_path: Path) -> None:
    counts = photo_pool(resources.models(), tmp_path / "pool.npz")
    pool = np.load(tmp_path / "pool.npz")
    assert pool["index"].shape[1:] == (INDEX_SIZE[1], INDEX_SIZE[0], 3)
    assert pool["whole"].shape[1:] == (FACE_SIZE[1], FACE_SIZE[0], 3)
    named = {(RANKS[rank], suit) for rank, suit in zip(pool["rank"], pool["suit"], strict=True) if rank != REJECT}
    assert 0.7 * len(photos) <= counts["cards"] <= len(photos)
    assert named <= {(face[:-1], "SHDC".index(face[-1])) for face in photos} | {(face[:-1], -1) for face in photos}
    assert {FACES[label] for label in pool["label"]} <= set(photos)
    assert counts["index crops"] >= 2 * COPIES * counts["cards"]  # each with one that shows nothing
    assert (pool["rank"] == REJECT).sum() == COPIES * counts["cards"]


def test_what_shows_no_index_or_is_hardly_seen_teaches_no_rank(
    photos: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = photo_pool(resources.models(), tmp_path / "plain.npz")
    detect_tile, cards = Detector.detect_tile, json.loads((PICTURES / "table.json").read_text("utf-8"))
    corners = [corner_windows(np.array(card["quad"], np.float64))[[0, 1]] for card in cards if card["side"] == "up"]
    empty = [Detection(DetectionClass.INDEX, 0.9, index_window(window_index(right), 1.0)) for _, right in corners]
    faint = [Detection(DetectionClass.INDEX, 0.1, left + (left[1] - left[0])) for left, _ in corners]
    monkeypatch.setattr(Detector, "detect_tile", lambda *given: [*detect_tile(*given), *empty, *faint])
    assert photo_pool(resources.models(), tmp_path / "pool.npz")["cards"] == plain["cards"]
    ranks = [np.load(tmp_path / name)["rank"] for name in ("plain.npz", "pool.npz")]
    assert (ranks[0] != REJECT).sum() == (ranks[1] != REJECT).sum()


def test_where_no_card_is_found_there_is_no_pool(photos: list[str], tmp_path: Path) -> None:
    (tmp_path / "pool.npz").write_bytes(b"an older one")
    cv2.imwrite(str(tmp_path / SOURCE / "table.jpg"), np.full((540, 960, 3), 90, np.uint8))
    assert photo_pool(resources.models(), tmp_path / "pool.npz")["cards"] == 0
    assert not (tmp_path / "pool.npz").exists()
