"""Patches for the index reader: the same by seed, labelled as their windows deserve."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from companion import resources
from companion.training.reader import patches as reader_patches
from companion.training.reader.items import NO_SUIT, REJECT_FACE, UNKNOWN, Item, foreign_items, items_of
from companion.training.reader.patches import Aims, Faces, Patches
from companion.training.reader.stream import lettered, teachable
from companion.training.scenes import drawn_prints, fonts, prints
from companion.vision.reading.classifier import Network
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE
from companion.vision.reading.faces import FACES, JOKER, LETTERS, RANKS, REJECT

pytestmark = pytest.mark.skipif(not fonts.fonts(), reason="no fonts to draw cards with")


@pytest.fixture(scope="module")
def items() -> list[Item]:
    design = prints.load_prints("train", drawn=1, workers=1)[-1]
    return items_of(design)


def test_same_seed_same_patches(items: list[Item]) -> None:
    rows = [list(islice(Patches(items, [], 5), 12)) for _ in range(2)]
    for a, b in zip(*rows, strict=True):
        assert (a.rank, a.suit) == (b.rank, b.suit)
        assert np.array_equal(a.crop, b.crop)


def test_patches_are_crops_with_a_face_or_nothing(items: list[Item]) -> None:
    drawn = list(islice(Patches(items, [], 1), 150))
    assert {patch.crop.shape for patch in drawn} == {(INDEX_SIZE[1], INDEX_SIZE[0], 3)}
    assert all((patch.suit == NO_SUIT) == (patch.rank in (JOKER, REJECT)) for patch in drawn)
    readable = sum(patch.rank < JOKER for patch in drawn)
    assert 0.4 * len(drawn) < readable < 0.95 * len(drawn)


def test_the_corners_without_an_index_are_to_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    card = np.full((350, 250, 4), 255, np.uint8)
    two, four = (items_of(prints.Print("any", "test", "train", {"AS": card}, [], (0.03, 0.04, 0.2, 0.25), corners))[0]
                 for corners in (2, 4))  # fmt: skip
    bare = reader_patches._bare_corners(two)
    assert set(bare) == {1, 3}
    for corner, box in bare.items():
        assert box == pytest.approx(four.boxes[corner], abs=1e-6)
    assert reader_patches._bare_corners(four) == {}
    monkeypatch.setattr(reader_patches, "_BARE", 1.0)
    assert {patch.rank for patch in islice(Patches([two], [], 2), 20)} == {REJECT}
    assert {patch.rank for patch in islice(Patches([four], [], 2), 20)} > {REJECT}


def test_another_decks_cards_are_to_be_refused() -> None:
    drawn = list(islice(Patches(foreign_items(3), foreign_items(4), 2), 40))
    assert {patch.rank for patch in drawn} == {REJECT}


def test_aims_show_an_index_about_the_middle_and_say_where(items: list[Item]) -> None:
    rows = [list(islice(Aims(items, [], 5), 60)) for _ in range(2)]
    assert all(
        np.array_equal(a.crop, b.crop) and np.array_equal(a.corners, b.corners) for a, b in zip(*rows, strict=True)
    )
    corners = np.stack([aim.corners for aim in rows[0]])
    assert corners.shape == (60, 4, 2)
    middles = corners.mean(axis=1)
    assert np.abs(middles.mean(axis=0) - 0.5).max() < 0.06
    assert middles.std(axis=0).min() > 0.03, "windows lie astray"
    assert middles.std(axis=0).max() < 0.2, "but the index meant is the nearest"
    heights = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    assert 0.3 < np.median(heights) < 0.6


def test_the_shipped_network_finds_them_there(items: list[Item]) -> None:
    aims = list(islice(Aims(items, [], 6), 120))
    network = Network(resources.models() / "reader" / "aim.onnx")
    off = (network([aim.crop for aim in aims])[0] - np.stack([aim.corners for aim in aims])) * INDEX_SIZE
    wide = [np.linalg.norm((aim.corners[1] - aim.corners[0]) * INDEX_SIZE) for aim in aims]
    away = np.linalg.norm(off, axis=2).mean(axis=1) / wide
    assert np.median(away) < 0.12


def test_faces_are_whole_cards_or_to_be_refused(items: list[Item]) -> None:
    rows = [list(islice(Faces(items, foreign_items(3), 5), 80)) for _ in range(2)]
    assert all(np.array_equal(a.crop, b.crop) and a.label == b.label for a, b in zip(*rows, strict=True))
    assert {face.crop.shape for face in rows[0]} == {(FACE_SIZE[1], FACE_SIZE[0], 3)}
    assert 0.05 < np.mean([face.label == REJECT_FACE for face in rows[0]]) < 0.5
    assert {face.label for face in islice(Faces(foreign_items(3), [], 1), 20)} == {REJECT_FACE}
    unknown = [replace(item, rank=UNKNOWN) for item in items[:1]]
    assert {face.label for face in islice(Faces([*unknown, items[1]], [], 1), 30)} == {items[1].whole, REJECT_FACE}


def test_the_shipped_network_knows_faces(items: list[Item]) -> None:
    faces = list(islice(Faces(items, [], 7), 120))
    said = Network(resources.models() / "reader" / "face.onnx")([face.crop for face in faces])[0].argmax(axis=1)
    known = np.array([face.label for face in faces])
    assert (said == known)[known < len(FACES)].mean() > 0.7


def test_a_dutch_v_has_a_letter_and_no_rank() -> None:
    dutch = next(n for n in range(200) if drawn_prints.invent(n).letters[2] == "V")
    faces = {code: np.zeros((4, 4, 4), np.uint8) for code in ("QS", "JS", "KH", "7C")}
    design = prints.Print(f"drawn-{dutch}", "invented", "train", faces, [], (0.05, 0.05, 0.15, 0.25))
    known = {(item.rank, LETTERS[item.letter]) for item in lettered(design)}
    ranks = {rank: RANKS.index(rank) for rank in ("J", "K", "7")}
    assert known == {(UNKNOWN, "V"), (ranks["J"], "B"), (ranks["K"], "H"), (ranks["7"], "")}
    assert {item.rank for item in teachable(design)} == set(ranks.values())
