"""Pasted photographs with true duplicates: what is dealt, how copies are counted, cards cut out of a photograph."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.evaluation import doubles
from companion.training.scenes import compose as scenes
from companion.training.scenes import drawn_prints, fonts, layouts, photo_cards
from companion.training.scenes.photo_cards import Cut, Source, Table
from companion.training.scenes.prints import Print, round_corners
from companion.vision.pipeline import Reader
from companion.vision.types import CardRead, ReadResult, Side

ANYWHERE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.4), (0.0, 1.4))


def grey(level: int) -> np.ndarray:
    """A plain card picture, 100 px wide."""
    return round_corners(np.full((140, 100, 3), level, np.uint8))


@pytest.fixture
def source() -> Source:
    """Nine faces, three photographs each, told apart by their brightness."""
    cuts = {rank + "S": [Cut(rank + "S", grey(120 + 40 * k), np.full(3, 120.0 + 40 * k)) for k in range(3)]
            for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9")}  # fmt: skip
    faces = {face: found[0].picture for face, found in cuts.items()}
    return Source("plain", cuts, Print("plain", "plain", "train", faces, [], (0.05, 0.05, 0.2, 0.3)))


@pytest.fixture
def table() -> Table:
    """A speckled green cloth."""
    speck = np.random.default_rng(1).normal([40, 110, 60], 12, (150, 240, 3))
    return Table(np.clip(speck, 0, 255).astype(np.uint8), 100.0, np.array([200.0, 190.0, 180.0]))


def read(*faces: str | None, side: Side = Side.UP) -> ReadResult:
    """A reading of these names."""
    return ReadResult(100, 100, 1.0, tuple(CardRead(face, 1.0, side, ANYWHERE) for face in faces))


def scene(*faces: str, hidden: tuple[str, ...] = ()) -> scenes.Scene:
    """Cards with one large visible index each; of the `hidden` ones no index is seen."""
    tall = np.array([[0, 0], [10, 0], [10, 30], [0, 30]], float)
    seen, unseen = (scenes.IndexLabel(tall, share) for share in (1.0, 0.0))
    labels = [scenes.CardLabel(face, "plain", tall, tall, 1.0, (seen,)) for face in faces]
    labels += [scenes.CardLabel(face, "plain", tall, tall, 0.5, (unseen,)) for face in hidden]
    return scenes.Scene(np.zeros((10, 10, 3), np.uint8), tuple(labels))


def test_copies_are_counted_exactly() -> None:
    twice = scene("AS", "AS", "KH")
    assert doubles.miscounted(twice, read("AS", "AS", "KH")) == {}
    assert doubles.miscounted(twice, read("AS", "KH")) == {"AS": -1}
    assert doubles.miscounted(twice, read("AS", "AS", "AS")) == {"AS": 1}
    assert doubles.miscounted(twice, read("AS", "AS", "KH", "KH")) == {}, "a face that lies there once is no duplicate"


def test_a_copy_without_an_index_to_see_may_be_read_or_not() -> None:
    covered = scene("AS", hidden=("AS",))
    assert doubles.miscounted(covered, read("AS")) == {}
    assert doubles.miscounted(covered, read("AS", "AS")) == {}
    assert doubles.miscounted(covered, read()) == {"AS": -1}
    assert doubles.miscounted(covered, read("AS", "AS", "AS")) == {"AS": 1}


def test_a_table_is_settled_without_unnamed_faces() -> None:
    assert doubles.is_settled(read("AS", "AS"))
    assert doubles.is_settled(read(None, side=Side.DOWN))
    assert not doubles.is_settled(read("AS", None))
    count = doubles.Count()
    for result in (read("AS"), read("AS", None), read("AS", "AS"), read(None, side=Side.DOWN)):
        count.add(scene("AS", "AS"), result)
    figures = count.figures()
    assert (figures["scenes"], figures["miscounted"], figures["settled"]) == (4, 3, 3)
    assert (figures["settled and miscounted"], figures["false backs"]) == (2, 1)


@pytest.mark.parametrize("count", [2, 3, 9, 30])
def test_every_deal_has_a_duplicate_from_two_photographs(source: Source, count: int) -> None:
    for seed in range(20):
        dealt = doubles.deal(np.random.default_rng(seed), source, count, 80)
        assert len(dealt) == count
        faces = Counter(one.face for one in dealt)
        assert max(faces.values()) >= 2
        for face, copies in faces.items():
            different = {int(one.paper[0]) for one in dealt if one.face == face}
            assert len(different) == min(copies, 3)


def test_a_pasted_scene_is_the_same_by_seed_and_its_labels_are_where_the_cards_are(source: Source,
                                                                                  table: Table) -> None:  # fmt: skip
    collage = doubles.Collage([source], [table], (640, 360))
    assert np.array_equal(*(collage.paste(3, "grid")[0].image for _ in range(2)))
    pasted = [collage.paste(seed, "grid")[0] for seed in range(4)]
    whole = [(card, one.image) for one in pasted for card in one.cards if card.visible > 0.95]
    assert len(whole) > 4
    for card, image in whole:
        x, y = card.quad.mean(axis=0).astype(int)
        red, green, _ = image[y - 5 : y + 5, x - 5 : x + 5].mean(axis=(0, 1))
        assert red > green, "paper in the light of the table's photograph, which is green itself"


@pytest.mark.parametrize("arrangement", [*doubles.APART, *doubles.OVERLAPPING])
def test_arrangements_are_known(arrangement: str) -> None:
    assert arrangement in layouts.MAKERS


def test_a_quilt_has_only_pixels_of_its_texture(table: Table) -> None:
    small = Table(table.texture, 100.0, table.paper)
    cloth = doubles.laid(np.random.default_rng(2), small, 100.0, (500, 300))
    assert cloth.shape == (300, 500, 3)
    assert cloth.mean(axis=(0, 1)) == pytest.approx(table.texture.mean(axis=(0, 1)), abs=3)
    assert cloth.std(axis=(0, 1)) == pytest.approx(table.texture.std(axis=(0, 1)), rel=0.15)


def test_a_seam_follows_the_least_difference() -> None:
    cost = np.full((6, 5), 9.0)
    way = [1, 2, 3, 3, 2, 1]
    cost[range(6), way] = 0
    assert [int(row.argmax()) for row in doubles._seam(cost)] == way


@pytest.mark.skipif(not fonts.fonts(), reason="no text font is installed")
def test_a_labelled_card_is_cut_out_of_its_photograph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawn card lies turned on a cloth; rank and box are known. What is cut out is that card, upright."""
    monkeypatch.setenv("COMPANION_PRINTS", str(tmp_path / "cache"))
    design = drawn_prints.invent(5_000_002)
    card = round_corners(drawn_prints.draw_face(design, "KH"))
    canvas = scenes.Canvas(np.full((400, 500, 3), (30, 90, 50), np.uint8), np.full((400, 500), -1, np.int16))
    quad = scenes.placed_quad(scenes.camera(np.random.default_rng(1), (500, 400), 130.0), layouts.Place(0, 0, 0.3),
                              card.shape[0] / card.shape[1])  # fmt: skip
    canvas.paste(card, quad, 0, np.random.default_rng(1))
    base = tmp_path / photo_cards.BICYCLE
    base.mkdir()
    cv2.imwrite(str(base / "king.png"), canvas.image[..., ::-1])
    (left, top), (right, bottom) = quad.min(axis=0).astype(int).tolist(), quad.max(axis=0).astype(int).tolist()
    row = {"file": "king.png", "use": "may train",
           "cards": [{"name": "K?", "bbox": [left, top, right - left, bottom - top]}]}  # fmt: skip
    secret = {"file": "gone.png", "use": "measure only", "cards": []}
    (base / "manifest.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(secret) + "\n", "utf-8")
    (found,), tables = photo_cards.load_sources(tmp_path)
    (cut,) = found.cuts["KH"]
    wanted = cv2.resize(card[..., :3], cut.picture.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert photo_cards._like(cut.picture[..., :3].astype(float), wanted.astype(float))[0] > 0.9
    assert len(tables) == 1
    wrong = row | {"cards": [row["cards"][0] | {"name": "Q?"}]}
    assert photo_cards._outlines_in(Reader(threads=1), cv2.imread(str(base / "king.png")), wrong) == []


def test_a_folder_without_photographs_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("COMPANION_PHOTOS", str(tmp_path))
    with pytest.raises(SystemExit):
        doubles.main([])
    assert "no photographs with use 'may train'" in capsys.readouterr().err
    monkeypatch.delenv("COMPANION_PHOTOS")
    with pytest.raises(SystemExit):
        doubles.main([])
    assert "COMPANION_PHOTOS" in capsys.readouterr().err
