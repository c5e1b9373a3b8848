"""Evidence adds up to a classification: what agrees grows sure, what sees nothing says nothing, a deck only breaks
ties."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import resources
from companion.vision.geometry import box_quad, index_window
from companion.vision.reading.classifier import coloured_joker
from companion.vision.reading.crops import rectify, rectify_all
from companion.vision.reading.evidence import Evidence, Tuning, combine, face_evidence, index_evidence, softmax
from companion.vision.reading.faces import FACES, JOKER, LETTERS, REJECT

TUNING = Tuning()


def evidence(weight: float = 1.0, **chances: float) -> Evidence:
    """Evidence with the given chances (face code = probability), the rest spread evenly."""
    faces = np.full(len(FACES), (1 - sum(chances.values())) / (len(FACES) - len(chances)))
    for face, chance in chances.items():
        faces[FACES.index(face.lstrip("_"))] = chance
    return Evidence(faces, weight)


def test_faces_are_the_fifty_two_and_a_joker() -> None:
    assert len(FACES) == len(set(FACES)) == 53
    assert FACES[0] == "AS"
    assert FACES[51] == "KC"


def test_two_corners_that_agree_are_surer_than_one() -> None:
    one = combine([evidence(KH=0.7)], None, TUNING)
    two = combine([evidence(KH=0.7), evidence(KH=0.7)], None, TUNING)
    assert one.candidates[0].face == two.candidates[0].face == "KH"
    assert two.confidence > one.confidence


def test_corners_that_disagree_are_unsure() -> None:
    classification = combine([evidence(KH=0.95), evidence(QH=0.95)], None, TUNING)
    assert classification.confidence < TUNING.accept
    assert {c.face for c in classification.candidates[:2]} == {"KH", "QH"}


def test_the_whole_face_of_a_tiny_card_says_less_beside_its_index() -> None:
    read, shown = [evidence(_7S=0.6, _7C=0.3)], evidence(_7C=0.9)
    large, small, tiny = (combine(read, shown, TUNING, tall=tall).candidates[0] for tall in (40.0, 10.0, 2.0))
    assert large == small
    assert large.face == "7C"
    assert tiny.face == "7S"


def test_one_wild_look_does_not_rule_out_what_three_saw() -> None:
    classification = combine([evidence(_9D=0.97)] * 3 + [evidence(AS=0.999)], None, TUNING)
    assert classification.candidates[0].face == "9D"


@pytest.mark.parametrize(("read", "shown", "named"), [
    ({"_8D": 0.97}, {"JD": 0.49, "QD": 0.49}, False),  # a jack whose letter looks like an 8: a court, whichever
    ({"_7D": 0.999}, {"_9D": 0.98}, False),
    ({"JC": 0.999}, {"_10C": 0.98}, False),
    ({"JC": 0.999}, {"QC": 0.5, "KC": 0.48}, True),  # courts look alike
    ({"_7D": 0.999}, {"_9D": 0.6}, True),  # not surely
    ({"_7D": 0.999}, {"_7D": 0.98}, True),
])  # fmt: skip
def test_a_name_that_the_whole_face_contradicts_is_none(
    read: dict[str, float], shown: dict[str, float], named: bool
) -> None:
    classification = combine([evidence(**read)] * 2, evidence(**shown), TUNING)
    assert classification.candidates[0].face == next(iter(read)).lstrip("_")
    assert TUNING.accepts(classification) == named
    faint = combine([evidence(**read)] * 2, evidence(0.3, **shown), TUNING)
    assert TUNING.accepts(faint)


def test_looks_that_saw_nothing_give_no_name() -> None:
    classification = combine([evidence(0.02, KH=0.9), evidence(0.01, KH=0.9)], evidence(0.03, KH=0.9), TUNING)
    assert classification.confidence < 0.1
    assert combine([], None, TUNING).candidates == ()


def test_candidates_are_ordered_and_sum_to_no_more_than_one() -> None:
    classification = combine([evidence(KH=0.5, QH=0.3)], None, TUNING)
    chances = [c.p for c in classification.candidates]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1 + 1e-9


def test_one_index_names_a_joker_only_where_it_can_be_nothing_else() -> None:
    shipped = Tuning.load(resources.models() / "reader" / "tuning.json")
    assert shipped.accepts(combine([evidence(0.9997, JK1=0.9998)], None, shipped))
    assert not shipped.accepts(combine([evidence(0.995, JK1=0.9998)], None, shipped))
    assert not shipped.accepts(combine([evidence(0.9997, JK1=0.995)], None, shipped))


def test_a_deck_breaks_a_tie_but_cannot_create_a_card() -> None:
    tie = [evidence(_6S=0.48, _6C=0.47)]
    assert combine(tie, None, TUNING).candidates[0].face == "6S"
    assert combine(tie, None, TUNING, deck={"6C", "7C"}).candidates[0].face == "6C"
    unseen = combine([evidence(0.02, _6S=0.5)], None, TUNING, deck={"6C"})
    assert unseen.confidence < 0.1


def test_strong_evidence_outlives_a_deck_that_lacks_the_face() -> None:
    classification = combine([evidence(_2S=0.995)] * 2, None, TUNING, deck={"AS", "KS"})
    assert classification.candidates[0].face == "2S"


def test_index_logits_become_faces_and_a_weight() -> None:
    ranks, suits, letters = np.zeros((3, 15)), np.zeros((3, 5)), np.zeros((3, len(LETTERS)))
    ranks[0, 9], suits[0, 2] = 20, 20
    ranks[1, REJECT], suits[1, 4] = 20, 20
    ranks[2, JOKER], suits[2, 4] = 20, 20
    letters[0, LETTERS.index("V")] = 20
    seen = index_evidence(ranks, suits, letters, 1.0)
    assert FACES[int(seen[0].faces.argmax())] == "10D"
    assert seen[0].weight == pytest.approx(1, abs=1e-3)
    assert seen[0].letters is not None
    assert LETTERS[int(seen[0].letters.argmax())] == "V"
    assert seen[1].weight < 1e-3
    assert FACES[int(seen[2].faces.argmax())] == "JK1"


def test_face_logits_with_reject_have_no_weight() -> None:
    logits = np.zeros((1, 54))
    logits[0, 53] = 20
    assert face_evidence(logits, 1.0)[0].weight < 1e-3


def test_a_higher_temperature_is_humbler() -> None:
    logits = np.array([[3.0, 1.0, 0.0]])
    assert softmax(logits, 2.0).max() < softmax(logits).max()


def test_cut_straightens_and_averages() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    picture[::2] = 200
    crop = rectify(picture, box_quad((0, 0, 400, 400)), (40, 40))
    assert crop.shape == (40, 40, 3)
    assert abs(int(crop[20, 20, 0]) - 100) < 12
    turned = rectify(np.dstack([np.tile(np.arange(200, dtype=np.uint8), (200, 1))] * 3),
                 np.roll(box_quad((0, 0, 200, 200)), -2, axis=0), (50, 50))  # fmt: skip
    assert turned[25, 5, 0] > turned[25, 45, 0]


PICTURE = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 255, (300, 400, 3)).astype(np.uint8), (0, 0), 6)


def warped(window: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """What OpenCV makes of a window in one go."""
    flat = box_quad((0, 0, *size)) - 0.5
    matrix = cv2.getPerspectiveTransform((window - 0.5).astype(np.float32), flat.astype(np.float32))
    return cv2.warpPerspective(PICTURE, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def test_many_windows_are_cut_as_each_by_itself() -> None:
    """Small and large ones, slanted, partly outside the picture: each in its place, whatever lies beside it."""
    rng, indices = np.random.default_rng(5), []
    for size in (12, 20, 45, 110, 30, 260):
        slanted = box_quad((0, 0, size * 0.6, size)) + rng.normal(0, size / 12, (4, 2))
        indices.append(slanted + rng.uniform(0, [360, 260]))
    windows = index_window(np.stack(indices), 2.0)
    windows[3] += rng.normal(0, 9, (4, 2))  # a slant that no parallelogram has
    crops = rectify_all(PICTURE, windows, (48, 64))
    assert crops.shape == (6, 64, 48, 3)
    for window, crop in zip(windows, crops, strict=True):
        assert np.array_equal(crop, rectify(PICTURE, window, (48, 64)))
        assert np.abs(crop.astype(int) - warped(window, (48, 64))).mean() < 1.5
    assert rectify_all(PICTURE, [], (48, 64)).shape == (0, 64, 48, 3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("window", [
    np.zeros((4, 2)), np.full((4, 2), 100.0), np.array([[0, 0], [50, 0], [100, 0], [30, 0]], float),
    np.array([[0, 0], [99, 99], [99, 0], [0, 99]], float),
    box_quad((5e4, 5e4, 6e4, 6e4)), box_quad((-1e6, -1e6, 1e6, 1e6)),
])  # fmt: skip
def test_a_window_that_is_none_spoils_no_other(window: np.ndarray) -> None:
    good = box_quad((100, 80, 130, 120))
    crops = rectify_all(PICTURE, [good, window, good], (48, 64))
    assert np.array_equal(crops[0], rectify(PICTURE, good, (48, 64)))
    assert np.array_equal(crops[0], crops[2])


def test_more_windows_than_opencv_takes_at_once() -> None:
    window = box_quad((20, 30, 180, 250))
    crops = rectify_all(PICTURE, np.stack([window, window + 40] * 150), (48, 64))
    assert (crops[::2] == crops[0]).all() and (crops[1::2] == crops[1]).all()
    assert not np.array_equal(crops[0], crops[1])


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.3, 0.3, 0.3), (0.6, 0.8, 1.0)], ids=["bright", "dim", "warm"])
def test_the_colour_of_a_joker(lamp: tuple[float, float, float]) -> None:
    red = np.full((64, 48, 3), 240, np.uint8)
    red[20:40, 10:30] = (30, 20, 200)
    black = np.full((64, 48, 3), 240, np.uint8)
    black[20:40, 10:30] = 20
    red, black = ((picture * np.array(lamp)).astype(np.uint8) for picture in (red, black))
    assert coloured_joker([red]) > 0.95 and coloured_joker([black]) < 0.05


def test_which_joker_it_is_is_told_by_its_index_not_by_the_picture_beside_it() -> None:
    """Thin letters, and a fool in other colours at the edge of the crop."""
    paper = np.full((64, 48, 3), 235, np.uint8)
    red, black = paper.copy(), paper.copy()
    red[10:54:3, 20:23], black[10:54:3, 20:23] = (170, 170, 225), (170, 170, 170)
    red[:, 38:], black[:, 38:] = (20, 20, 20), (20, 20, 220)
    assert coloured_joker([red]) > 0.95 and coloured_joker([black]) < 0.05
    assert coloured_joker([paper]) == 0.5


def test_tuning_is_read_from_beside_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "tuning.json"
    path.write_text(json.dumps({"accept": 0.9, "temperature": 1.5}), "utf-8")
    assert Tuning.load(path) == Tuning(accept=0.9, temperature=1.5)
    path.write_text(json.dumps({"acept": 0.9}), "utf-8")
    with pytest.raises(TypeError):
        Tuning.load(path)
