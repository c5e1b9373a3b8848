"""The shipped reading networks on small pictures that the project drew itself (designs no network trained on)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import resources
from companion.resources import PartError
from companion.vision.assembly.assemble import plausible_sizes
from companion.vision.assembly.instances import IndexObservation
from companion.vision.geometry import as_quad, axes, bounds, corner_distance, corner_windows, iou, overlap
from companion.vision.images import load
from companion.vision.pipeline import index_filter
from companion.vision.pipeline.index_filter import plausible_refinement, without_repeats
from companion.vision.pipeline.reader import Reader
from companion.vision.reading.classifier import FaceClassifier
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE, rectify
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import Detector
from companion.vision.reading.evidence import Classification, Evidence, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.reading.tiles import Tile
from companion.vision.types import ReadResult

PICTURES = Path(__file__).parents[1] / "pictures"
CARDS = json.loads((PICTURES / "cards.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def reader() -> FaceClassifier:
    """The shipped weights."""
    folder = resources.models() / "reader"
    return FaceClassifier(folder, Tuning.load(folder / "tuning.json"))


def classification(reader: FaceClassifier, file: str, quad: np.ndarray) -> Classification:
    """What the reader makes of the card with that outline."""
    image = load(PICTURES / file)
    observations = reader.classify_indices([rectify(image, window, INDEX_SIZE) for window in corner_windows(quad)])
    return combine(observations, reader.classify_faces([rectify(image, quad, FACE_SIZE)])[0], reader.tuning)


@pytest.mark.parametrize("card", CARDS, ids=[card["face"] for card in CARDS])
def test_a_drawn_card_is_read_either_way_up(reader: FaceClassifier, card: dict) -> None:
    for turn in (0, 2):
        read = classification(reader, card["file"], np.roll(as_quad(card["quad"]), turn, axis=0))
        assert read.candidates[0].face == card["face"]
        assert read.confidence >= reader.tuning.accept


@pytest.mark.parametrize("card", CARDS[:6], ids=[card["face"] for card in CARDS[:6]])
def test_the_bare_table_is_not_named(reader: FaceClassifier, card: dict) -> None:
    corner = as_quad([[2, 2], [40, 2], [40, 55], [2, 55]])
    assert classification(reader, card["file"], corner).confidence < reader.tuning.accept


@pytest.fixture(scope="module")
def result() -> ReadResult:
    """The drawn table, read once."""
    return Reader().read(load(PICTURES / "table.jpg"))


class TestTable:
    """The whole pipeline on a drawn table: two equal sevens, a back, one deck."""

    CARDS = json.loads((PICTURES / "table.json").read_text("utf-8"))

    def test_every_face_is_read_as_often_as_it_lies_there(self, result: ReadResult) -> None:
        faces = Counter(card.face for card in result.cards if card.face is not None)
        assert faces == Counter(card["face"] for card in self.CARDS if card["face"])

    def test_outlines_lie_where_the_cards_lie(self, result: ReadResult) -> None:
        for card in result.cards:
            if card.face is not None:
                near = [c for c in self.CARDS if corner_distance(as_quad(card.polygon), as_quad(c["quad"])) < 0.06]
                assert [c["face"] for c in near] == [card.face]

    def test_the_back_is_no_face(self, result: ReadResult) -> None:
        back = as_quad(next(card["quad"] for card in self.CARDS if card["side"] == "down"))
        assert all(card.face is None for card in result.cards if overlap(as_quad(card.polygon), back) > 0)

    def test_all_that_was_seen_is_told_where_faces_may_lie_that_have_no_index(self, result: ReadResult) -> None:
        assert len(result.sights) >= len(result.cards)
        quads = [as_quad(one.polygon) for one in result.sights]
        for card in self.CARDS:
            assert min(corner_distance(as_quad(card["quad"]), quad) for quad in quads) < 0.1
        assert Reader().read(load(PICTURES / "table.jpg"), FACES).sights == ()

    def test_an_empty_table_has_no_named_card(self) -> None:
        noise = np.random.default_rng(0).normal(90, 12, (480, 640, 3)).clip(0, 255).astype(np.uint8)
        assert not [card for card in Reader().read(noise).cards if card.face is not None]


def test_a_v_has_a_name_where_its_language_is_known() -> None:
    reader, picture = Reader(), load(PICTURES / "valet.jpg")
    known = {"R": "JH", "H": "QH", "V=J": "JH", "V=Q": "QH"}  # a French king, a Dutch one; what people said of a V
    for before, face in ((set(), None), ({"R", "V=Q"}, None), *(({one}, name) for one, name in known.items())):
        read = reader.read(picture, letters=before)
        assert read.letters == {"V"}
        assert [card.face for card in read.cards] == [face]
    assert {candidate.face for candidate in reader.read(picture).cards[0].candidates[:2]} == {"JH", "QH"}


@pytest.mark.parametrize(
    "card", [card for card in CARDS if card["face"] in ("4D", "5S", "6H")], ids=lambda card: card["face"]
)
def test_a_card_that_nearly_fills_the_picture_lying_across_it_is_one_card(card: dict) -> None:
    box = np.array([[468.7, 33.9], [468.7, 344.1], [35.3, 344.1], [35.3, 33.9]], np.float32)  # px, of 504 x 378
    turn = cv2.getPerspectiveTransform(np.array(card["quad"], np.float32), box)
    picture = load(PICTURES / card["file"])
    near = cv2.warpPerspective(picture, turn, (504, 378), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    (read,) = Reader().read(near).cards
    assert read.face == card["face"]
    assert min(corner_distance(as_quad(read.polygon), np.roll(box, k, axis=0)) for k in (0, 2)) < 0.06


def test_a_whole_face_is_looked_at_unless_two_indices_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a face that shows something else takes the name away."""
    picture, shown = load(PICTURES / "table.jpg"), np.zeros(len(FACES))
    courts = [number for number, face in enumerate(FACES[:-1]) if face[:-1] in "JQK"]
    shown[courts] = 1 / len(courts)
    monkeypatch.setattr(FaceClassifier, "classify_faces", lambda self, crops: [Evidence(shown, 1.0)] * len(crops))

    def numbers() -> int:
        cards = Reader().read(picture).cards
        assert any(card.face and card.face[:-1] in ("J", "Q", "K") for card in cards)
        return sum(card.face is not None and card.face[:-1] not in ("J", "Q", "K") for card in cards)

    assert numbers() == 4  # clear indices: no face was asked
    monkeypatch.setattr(index_filter.parameters, "NO_FACE_NEEDED", 1.0)
    assert numbers() == 0


@pytest.mark.parametrize(
    ("faces", "tops", "certain"),
    [
        (("8D", "8D"), (0.995, 0.999), True),
        (("8D", "8D"), (0.995, 0.98), False),
        (("8D", "8D", "8D"), (0.995, 0.98, 0.999), True),
        (("8D", "JD"), (0.995, 0.999), False),
        (("8D",), (0.999,), False),
    ],
)
def test_two_certain_indices_that_agree_need_no_whole_face(
    faces: tuple[str, ...], tops: tuple[float, ...], certain: bool
) -> None:
    def observation(face: str, top: float) -> IndexObservation:
        chances = np.full(len(FACES), (1 - top) / (len(FACES) - 1))
        chances[FACES.index(face)] = top
        return IndexObservation(np.zeros((4, 2)), np.zeros((64, 48, 3), np.uint8), Evidence(chances, 1.0))

    assert index_filter.face_certain([observation(*pair) for pair in zip(faces, tops, strict=True)]) == certain


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(PartError, match=r"detector\.onnx are missing"):
        Reader(tmp_path)


def test_a_faint_or_oversized_index_counts_where_it_is_read_clearly() -> None:
    reader, picture = Reader(), load(PICTURES / "table.jpg")
    found = reader._detector.detect(picture)
    index = max((f for f in found if f.label is DetectionClass.INDEX), key=lambda f: f.score)
    faint = replace(index, score=0.12)
    ((observation,), spare) = reader._observe_detected(picture, [], [faint])
    assert observation.certain
    assert not spare
    tiny = Detection(
        DetectionClass.UP, 0.9, index.keypoints + 0.2 * (index.keypoints - index.keypoints.mean(axis=0))
    )  # no card is so small
    assert plausible_sizes([tiny], [index.keypoints]) == [False]
    assert len(reader._observe_detected(picture, [tiny], [index])[0]) == 1
    bare = as_quad([[2, 2], [20, 2], [20, 40], [2, 40]])
    assert reader._observe_detected(picture, [], [replace(faint, keypoints=bare)]) == ([], [])


@pytest.mark.parametrize(
    ("weight", "top", "score", "kept", "spare"),
    [
        (0.99, 0.99, 0.05, 1, 0),  # hardly found, but plainly read
        (0.95, 0.99, 0.05, 0, 0),
        (0.99, 0.95, 0.05, 0, 0),
        (0.95, 0.95, 0.12, 1, 0),
        (0.95, 0.60, 0.12, 0, 1),  # an index, of whatever card
        (0.60, 0.60, 0.12, 0, 1),
        (0.99, 0.60, 0.05, 0, 0),
        (0.30, 0.60, 0.90, 1, 0),
        (0.20, 0.60, 0.90, 0, 0),
    ],
)
def test_how_much_must_be_seen_of_an_index_depends_on_how_clearly_it_was_found(
    monkeypatch: pytest.MonkeyPatch, weight: float, top: float, score: float, kept: int, spare: int
) -> None:
    reader, picture = Reader(), np.zeros((200, 200, 3), np.uint8)
    faces = np.full(len(FACES), (1 - top) / (len(FACES) - 1))
    faces[0] = top
    monkeypatch.setattr(reader._classifier, "classify_indices", lambda crops: [Evidence(faces, weight)] * len(crops))
    index = Detection(DetectionClass.INDEX, score, as_quad([[100, 100], [120, 100], [120, 140], [100, 140]]))
    observations, others = reader._observe_detected(picture, [], [index])
    assert (len(observations), len(others)) == (kept, spare)


def test_an_index_seen_together_with_what_is_beside_it_is_one_index() -> None:
    reader, picture = Reader(), load(PICTURES / "table.jpg")
    index = max((f for f in reader._detector.detect(picture) if f.label is DetectionClass.INDEX), key=lambda f: f.score)
    middle = index.keypoints.mean(axis=0)
    wide = replace(index, keypoints=middle + 1.3 * (index.keypoints - middle), score=index.score - 0.1)
    ((alone,), _) = reader._observe_detected(picture, [], [wide])
    assert alone.certain
    ((one,), _) = reader._observe_detected(picture, [], [index, wide])
    assert one.face_id == alone.face_id


@pytest.mark.parametrize("aside", [(0.35, 0.0), (-0.3, 0.1), (0.0, 0.2), (0.2, -0.2)])
def test_an_index_detected_aside_is_looked_at_where_it_lies(aside: tuple[float, float]) -> None:
    reader, picture = Reader(), load(PICTURES / "table.jpg")
    found = [f for f in reader._detector.detect(picture) if f.label is DetectionClass.INDEX and f.score > 0.6]
    across, down = axes(np.stack([f.keypoints for f in found]))
    offsets = aside[0] * across + aside[1] * down
    rough = [replace(f, keypoints=f.keypoints + step) for f, step in zip(found, offsets, strict=True)]
    from_rough, from_there = (
        np.stack([f.keypoints.mean(axis=0) for f in reader._refined_indices(picture, given)])
        for given in (rough, found)
    )
    away = np.linalg.norm(from_rough - from_there, axis=1) / np.linalg.norm(across, axis=1)
    assert np.median(away) < 0.08
    assert reader._refined_indices(picture, []) == []


def test_an_index_is_not_taken_for_something_else() -> None:
    index = as_quad([[100, 100], [120, 100], [120, 140], [100, 140]])
    middle = index.mean(axis=0)
    others = [
        index + np.array([0, 30]),  # another's place
        middle + 2.2 * (index - middle),
        middle + 0.4 * (index - middle),
        np.roll(index, 2, axis=0),  # upside down
        index[::-1],  # mirrored
    ]
    assert plausible_refinement(np.stack([index + 4, *others]), np.stack([index] * 6)).tolist() == [True] + [False] * 5


def test_two_indices_in_one_place_are_two_only_where_two_faces_are_surely_read() -> None:
    quad = as_quad([[100, 100], [120, 100], [120, 140], [100, 140]])
    beside, within = quad + np.array([18.0, 0]), quad + np.array([12.0, 20])

    def observation(place: np.ndarray, face: str, chance: float = 0.99) -> IndexObservation:
        faces = np.full(len(FACES), (1 - chance) / (len(FACES) - 1))
        faces[FACES.index(face)] = chance
        return IndexObservation(place, np.zeros((64, 48, 3), np.uint8), Evidence(faces, 1.0), place)

    first = observation(quad, "4H")
    assert without_repeats([first, observation(beside, "4H")]) == [first]
    assert len(without_repeats([first, observation(beside, "9D")])) == 2
    assert without_repeats([first, observation(beside, "9D", 0.85)]) == [first]
    assert without_repeats([observation(beside, "9D", 0.5), first]) == [first]  # however clearly the other was detected
    assert len(without_repeats([first, observation(quad + np.array([21.0, 0]), "4H")])) == 2  # the next card of a fan
    assert len(without_repeats([first, observation(within + np.array([0.0, 0.5]), "4H")])) == 2
    assert without_repeats([first, observation(within - np.array([3.0, 1]), "4H")]) == [
        first
    ]  # seen with a pip beside it


def test_an_index_found_a_little_astray_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, picture = Reader(), load(PICTURES / "table.jpg")
    best = max((f for f in reader._detector.detect(picture) if f.label is DetectionClass.INDEX), key=lambda f: f.score)
    down = axes(best.keypoints)[1]
    monkeypatch.setattr(
        reader._detector, "look", lambda *_, **__: ([replace(best, keypoints=best.keypoints + 0.35 * down)], None)
    )
    ((card,), _) = reader.detect_instances(picture)
    assert reader.tuning.accepts(card.classification)


@pytest.mark.parametrize(
    ("part", "sides"),
    [
        ((slice(None), slice(None)), [320, 640]),  # the whole table
        ((slice(60, 280), slice(60, 500)), [320]),  # two cards of it, large and apart
    ],
)
def test_large_cards_that_lie_apart_are_looked_at_once(
    part: tuple[slice, slice], sides: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = looked(monkeypatch)
    read = Reader().read(np.ascontiguousarray(load(PICTURES / "table.jpg")[part]))
    assert asked == sides
    assert {"AS", "7H"} <= {card.face for card in read.cards}


def test_large_cards_that_lie_over_each_other_are_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = looked(monkeypatch)
    picture = load(PICTURES / "table.jpg")[60:280, 60:500].copy()
    picture[25:190, 115:230] = picture[25:190, 55:170].copy()  # another ace, half over the first
    Reader().read(picture)
    assert asked[:2] == [320, 640]


def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sides (px) of the detector's looks from now on."""
    sides: list[int] = []
    real = Detector.detect_tile

    def detect_tile(
        self: Detector, image: np.ndarray, view: Tile, whole: np.ndarray | None = None, *, beside: bool = False
    ) -> list[Detection]:
        sides.append(view.side)
        return real(self, image, view, whole, beside=beside)

    monkeypatch.setattr(Detector, "detect_tile", detect_tile)
    return sides


def test_a_dark_picture_is_read_like_a_bright_one() -> None:
    picture = load(PICTURES / "table.jpg")
    reader = Reader()
    bright = Counter(card.face for card in reader.read(picture).cards if card.face)
    dark = Counter(card.face for card in reader.read((picture * 0.05).astype(np.uint8)).cards if card.face)
    assert bright.total() >= 5
    assert dark == bright


def test_all_that_looked_like_a_card_is_told_beside_the_cards() -> None:
    """Also more than once, for those who know better than the reader what a card is."""
    result = Reader(threads=1).read(load(PICTURES / "table.jpg"))
    told = [as_quad(outline) for outline in result.outlines]
    assert len(told) > len(result.cards) > 0
    assert all(max(iou(as_quad(card.polygon), one) for one in told) > 0.6 for card in result.cards)


def test_of_a_camera_that_watches_only_what_changes_is_looked_at_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card laid on the drawn table: found as in a whole look, in a part of the time; what lay there stays as it was;
    taken away, it is gone."""
    picture, card = load(PICTURES / "table.jpg"), load(PICTURES / "2H-2.jpg")
    reader, looked = Reader(), list[int]()
    real = Detector.detect_tile

    def detect_tile(self: Detector, image: np.ndarray, tile: Tile, *rest: object, **more: bool) -> list[Detection]:
        looked.append(tile.side**2 * min(tile.width, tile.height) // max(tile.width, tile.height))
        return real(self, image, tile, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Detector, "detect_tile", detect_tile)

    def read(image: np.ndarray, where: list[tuple[int, int, int, int]] | None = None) -> tuple[ReadResult, int]:
        looked.clear()
        return reader.read(image, None, (), where), sum(looked)

    whole, cost = read(picture)
    for _ in range(2):
        assert read(picture, [])[1] == cost
    again, less = read(picture, [])
    assert less == 0 and again.cards == whole.cards

    height, width = picture.shape[:2]
    length = int(np.median([np.ptp(as_quad(one.polygon), axis=0).max() for one in whole.cards]))
    small = cv2.resize(card, (round(length * card.shape[1] / card.shape[0]), length), interpolation=cv2.INTER_AREA)
    boxes = [bounds(one.polygon) for one in whole.cards]
    spots = (
        (left, top, left + small.shape[1], top + length)
        for top in range(4, height - length, 8)
        for left in range(4, width - small.shape[1], 8)
    )
    free = next(s for s in spots if not any(s[0] < b[2] and b[0] < s[2] and s[1] < b[3] and b[1] < s[3] for b in boxes))
    more = picture.copy()
    more[free[1] : free[3], free[0] : free[2]] = small
    laid, part = read(more, [])
    assert 0 < part < cost / 2
    full, every = read(more, [free])
    assert every >= cost  # where something matters the picture is looked at whole
    assert Counter(card.face for card in laid.cards) == Counter(card.face for card in full.cards)
    assert "2H" in {card.face for card in laid.cards}
    for one in laid.cards:
        before = [as_quad(card.polygon) for card in whole.cards if card.face == one.face]
        assert one.face == "2H" or min(corner_distance(as_quad(one.polygon), place) for place in before) < 0.02
    gone, _ = read(picture, [])
    assert Counter(card.face for card in gone.cards) == Counter(card.face for card in whole.cards)


@pytest.mark.parametrize(
    ("deck", "watched", "close"),
    [(None, True, True), (["sun.red", "AS"], True, True), (["sun.red"], True, False), (["sun.red"], False, True)],
)
def test_no_index_is_looked_at_closely_where_the_deck_of_a_watched_table_has_none_that_is_known(
    monkeypatch: pytest.MonkeyPatch, deck: list[str] | None, watched: bool, close: bool
) -> None:
    looks: list[int] = []
    monkeypatch.setattr(Reader, "_reobserve", lambda self, picture, found, deck: looks.append(len(found)) or found)
    found = Reader(threads=1).read(load(PICTURES / CARDS[0]["file"]), deck, where=() if watched else None)
    assert found.cards and bool(looks) is close
