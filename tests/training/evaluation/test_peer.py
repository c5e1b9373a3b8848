"""The peer of the reading benchmark: its labels, its thresholds, and that it is counted as our reader is."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.evaluation import peer, photographs
from companion.training.scenes import backgrounds, dataset, prints
from companion.training.scenes import compose as scenes
from companion.training.scenes.prints import Print, round_corners
from companion.vision.types import CardRead, ReadResult, Side

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def composer(faces: tuple[str, ...] = (*prints.FACES, "JK1", "JK2")) -> scenes.Composer:
    """A composer of plain cards that needs nothing from the machine."""
    card = round_corners(np.full((350, 250, 3), 230, np.uint8))
    design = Print(
        "flat", "test", "train", dict.fromkeys(faces, card), [card], (0.05, 0.05, 0.2, 0.25), indexed=frozenset(faces)
    )
    return scenes.Composer([design], backgrounds.Bank())


def test_classes_are_the_faces_without_jokers() -> None:
    assert len(set(peer.CLASSES)) == 52 and set(peer.CLASSES) == set(prints.FACES)


def test_labels_box_the_seen_indices_of_each_card_by_its_face() -> None:
    """Each box bounds an index corner of a card of its class; every index the detector learns of a face has one."""
    kinds: Counter[str] = Counter()
    for seed in range(40):
        scene = composer().compose(seed)
        h, w = scene.image.shape[:2]
        boxes = [line.split() for line in peer.face_lines(scene)]
        for kind, *numbers in boxes:
            x, y, wide, high = (float(n) for n in numbers)
            box = np.array([(x - wide / 2) * w, (y - high / 2) * h, (x + wide / 2) * w, (y + high / 2) * h])
            quads = [i.quad for card in scene.cards if card.face == peer.CLASSES[int(kind)] for i in card.indices]
            bounds = [np.r_[np.clip(q.min(0), 0, [w, h]), np.clip(q.max(0), 0, [w, h])] for q in quads]
            assert min(np.abs(box - b).max() for b in bounds) < 0.02
        taught = [t for t in dataset.targets(scene) if t.kind == peer.INDEX]
        kinds.update("joker" if t.face.startswith("JK") else "face" for t in taught if t.face)
        named = Counter(t.face for t in taught if t.face in prints.FACES)
        assert Counter(peer.CLASSES[int(kind)] for kind, *_ in boxes) == named
    assert kinds["face"] > 100 and kinds["joker"] > 0


def test_jokers_backs_and_foreign_cards_have_no_label() -> None:
    """A deck of jokers alone, with its backs and the foreign cards among them, teaches the detector, not the peer."""
    lying: Counter[str | None] = Counter()
    for seed in range(40):
        scene = composer(("JK1", "JK2")).compose(seed)
        lying.update(card.face for card in scene.cards)
        assert peer.face_lines(scene) == []
    assert all(lying[face] for face in ("JK1", "JK2", "custom", None))


def test_its_pictures_are_the_detectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same seeds, same files byte for byte; only the labels differ, and the data set says which classes they are."""
    monkeypatch.setattr(prints, "load_prints", lambda *_: composer().prints)
    monkeypatch.setattr(backgrounds, "load_bank", lambda *_: backgrounds.Bank())
    monkeypatch.setattr(dataset, "ProcessPoolExecutor", ThreadPoolExecutor)
    labels = {}
    data = peer.write_scenes(tmp_path / "peer", [(3, 2), (40, 1)], 1, workers=1)
    for first, count in ((3, 2), (40, 1)):
        dataset.write_split(tmp_path / "detector", "train", "train", count, first=first, workers=1)
    for kind in ("peer", "detector"):
        labels[kind] = {f.stem: f.read_text() for f in (tmp_path / kind / "train" / "labels").iterdir()}
    assert set(labels["peer"]) == set(labels["detector"]) == {"0000003", "0000004", "0000040"}
    for stem in labels["peer"]:
        one, two = (tmp_path / kind / "train" / "images" / f"{stem}.jpg" for kind in ("peer", "detector"))
        assert one.read_bytes() == two.read_bytes()
        indices = [" ".join(line.split()[1:5]) for line in labels["detector"][stem].splitlines() if line[0] == "2"]
        assert {line.split(" ", 1)[1] for line in labels["peer"][stem].splitlines()} <= set(indices)
    assert any(labels["peer"].values())
    text = data.read_text()
    assert "  0: AS\n" in text and "  51: KC\n" in text and "kpt" not in text


def test_a_class_is_one_card_with_its_surest_box() -> None:
    boxes = [(0, 0.4, (1, 2, 3, 4)), (12, 0.5, (0, 0, 9, 9)), (0, 0.7, (5, 6, 7, 8)), (0, 0.6, (1, 2, 3, 4))]
    named = peer.cards(boxes)
    assert [(card.face, card.confidence) for card in named] == [("AS", 0.7), ("KS", 0.5)]
    assert named[0].polygon == ((5, 6), (7, 6), (7, 8), (5, 8))


@pytest.mark.parametrize(
    ("figures", "points"),
    [
        # precise from 0.4 on; the best F1 lies below
        (
            {0.2: (0.9, 0.9), 0.4: (0.99, 0.5), 0.6: (1.0, 0.3), 0.8: (1.0, 0.0)},
            {"precision 0.99": 0.4, "best F1": 0.2},
        ),
        # never precise while it reads anything
        ({0.2: (0.5, 0.4), 0.4: (0.8, 0.4), 0.6: (0.9, 0.1), 0.8: (1.0, 0.0)}, {"best F1": 0.4}),
        # nothing read at all: the lowest
        ({0.2: (1.0, 0.0), 0.4: (1.0, 0.0)}, {"best F1": 0.2}),
    ],
)
def test_thresholds_are_chosen_by_precision_and_by_f1(figures: dict, points: dict) -> None:
    by_threshold = {t: {"precision": precision, "recall": recall} for t, (precision, recall) in figures.items()}
    assert peer.operating_points(by_threshold) == points


class Knows:
    """Reads a picture by its top-left pixel's blue: what was agreed to lie there."""

    def __init__(self, answers: dict[int, list[tuple[str, float]]]) -> None:
        self.answers = answers

    def read(self, pixels: np.ndarray) -> ReadResult:
        named = (CardRead(face, sure, Side.UP, QUAD) for face, sure in self.answers[int(pixels[0, 0, 0])])
        return ReadResult(pixels.shape[1], pixels.shape[0], 1.0, tuple(named))


def test_sweep_counts_what_each_threshold_lets_through() -> None:
    """Two kings of spades and a queen lie there; a king (0.9), a wrong ace (0.5) and the queen (0.3) are read."""
    tall = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], float)
    king = scenes.CardLabel("KS", "any", tall, tall, 1.0, (scenes.IndexLabel(tall, 1.0),))
    image = np.full((32, 32, 3), 7, np.uint8)
    scene = scenes.Scene(image, (king, king, replace(king, face="QS")))
    figures = peer.sweep(Knows({7: [("KS", 0.9), ("AS", 0.5), ("QS", 0.3)]}), [scene])
    assert figures[0.3]["precision"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures[0.3]["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures[0.5]["precision"] == 0.5 and figures[0.5]["recall"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures[0.6]["precision"] == 1.0
    assert figures[0.95]["recall"] == 0


def test_photographs_are_counted_by_the_protocol_of_our_reader(tmp_path: Path) -> None:
    """By hand: of four labelled cards two are met (one knows its rank alone), one name is wrong; one table is exact."""
    todo = []
    for blue, names in ((10, ("AS", "K?")), (20, ("5H", "5H"))):
        cv2.imwrite(str(tmp_path / f"{blue}.png"), np.full((32, 32, 3), blue, np.uint8))
        todo.append(photographs.Photo(tmp_path / f"{blue}.png", "here", "separate", "may train", names))
    boxes = {
        10: [(0, 0.9, (0, 0, 9, 9)), (0, 0.8, (9, 9, 18, 18)), (25, 0.7, (0, 0, 9, 9))],
        20: [(5, 0.6, (0, 0, 9, 9))],
    }
    reader = Knows({blue: [(c.face, c.confidence) for c in peer.cards(found)] for blue, found in boxes.items()})
    figures = photographs.measure(reader, todo, progress=False)[0]["figures"]["all indexed decks"]
    assert figures == {
        "pictures": 2,
        "cards": 4,
        "precision": pytest.approx(2 / 3, abs=1e-4),
        "recall": 0.5,
        "wrong_confident": 0.25,
        "exact": 0.5,
    }


def test_it_starts_from_the_detector_and_reads(tmp_path: Path) -> None:
    """A minute's chain in small: yolo11n boxes 52 faces, takes over all but the class scores, and its weights read."""
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    from ultralytics import YOLO

    from companion.training.detector import network
    from companion.training.detector.train import train

    network.write_config(tmp_path / "pose.yaml")
    YOLO(str(tmp_path / "pose.yaml"), task="pose").save(str(tmp_path / "start.pt"))
    for part in ("train", "val"):
        for sub in ("images", "labels"):
            (tmp_path / part / sub).mkdir(parents=True)
        for k in range(2):
            cv2.imwrite(str(tmp_path / part / "images" / f"{k}.jpg"), np.full((64, 64, 3), 90 + 40 * k, np.uint8))
            (tmp_path / part / "labels" / f"{k}.txt").write_text("51 0.5 0.5 0.3 0.4\n")
    data = dataset.write_yaml(tmp_path, ["train"], "val", peer.CLASSES, corners=False)
    last = train(data, tmp_path / "run", 0.01, weights=tmp_path / "start.pt", size=64, task="detect", classes=52)
    begun, ended = (YOLO(str(path)).model for path in (tmp_path / "start.pt", last))
    assert list(ended.names.values()) == list(peer.CLASSES) and type(ended).__name__ == "DetectionModel"
    ours, theirs = begun.state_dict(), ended.state_dict()
    odd = [key for key, value in theirs.items() if key not in ours or ours[key].shape != value.shape]
    assert len(odd) == 6 and all("cv3" in key for key in odd)
    reader = peer.Peer(last, 64, threshold=0.001)
    assert {card.face for card in reader.read(np.full((48, 64, 3), 90, np.uint8)).cards} <= set(peer.CLASSES)
