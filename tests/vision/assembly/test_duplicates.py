"""One card or two: duplicates are suppressed, equal cards stay, and what is doubtful is asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.assembly.duplicates import (
    merge_opposite_corners,
    split_by_face,
    suppress_duplicates,
)
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation, merged_observations
from companion.vision.assembly.plane import TablePlane
from companion.vision.geometry import (
    CARD_MM,
    INDEX_MM,
    Array,
    box_quad,
    corner_windows,
    homography,
    project,
    window_index,
)
from companion.vision.pipeline import Reader
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.evidence import Evidence, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.types import Side

BLANK = np.full((600, 800), 120, np.uint8)


def card(x: float, y: float, scale: float = 1.5) -> Array:
    """An upright outline, px."""
    return box_quad((x, y, x + CARD_MM[0] * scale, y + CARD_MM[1] * scale))


def index(outline: Array, *, far: bool = False) -> Array:
    """Its top-left index, or the one diagonally across."""
    flat = box_quad(INDEX_MM)
    return project(homography(outline), np.array(CARD_MM) - flat if far else flat)


def up(quad: Array, score: float = 0.9) -> Detection:
    """A card face up."""
    return Detection(DetectionClass.UP, score, quad)


def seen(outline: Array, face: str, *, body_visible: bool = True, sure: float = 0.99) -> CardInstance:
    """A card at that outline whose top-left and bottom-right indices were read as `face`."""
    chances = np.full(len(FACES), (1 - sure) / (len(FACES) - 1))
    chances[FACES.index(face)] = sure
    blank = np.zeros((64, 48, 3), np.uint8)
    windows = corner_windows(outline)[[0, 2]] if body_visible else corner_windows(outline)[:1]
    observations = tuple(IndexObservation(window, blank, Evidence(chances, 1.0)) for window in windows)
    classification = combine([observation.evidence for observation in observations], None, TUNING)
    return CardInstance(
        CardHypothesis(outline, Side.UP, 0.9, TABLE, body_visible=body_visible), observations, None, classification
    )


def found_by_index(outline: Array, face: str) -> CardInstance:
    """A card of which the detector found the top-left index only."""
    known = seen(outline, face, body_visible=False)
    return replace(known, observations=(replace(known.observations[0], quad=index(outline)),))


TUNING = Tuning()
TABLE = TablePlane.fit([card(100, 100), card(300, 100)], [])


def test_a_second_worse_outline_of_one_card_is_a_duplicate() -> None:
    good, bad = card(100, 100), card(100, 100)
    bad[1:3] += (25, 3)
    duplicate = seen(good, "KH")
    duplicate = CardInstance(
        CardHypothesis(bad, Side.UP, 0.4, TABLE), duplicate.observations, None, duplicate.classification
    )
    assert len(suppress_duplicates([duplicate, seen(good, "KH")], TUNING)) == 1


def test_a_card_with_indices_of_its_own_is_no_duplicate_of_another_face() -> None:
    good, under = seen(card(100, 100), "KH"), seen(card(104, 102), "2S")
    assert len(suppress_duplicates([good, under], TUNING)) == 1  # a worse outline of that card, read at its corners
    detected = tuple(
        replace(observation, quad=window_index(observation.window))
        for observation in seen(card(130, 150), "2S").observations
    )
    assert len(suppress_duplicates([good, replace(under, observations=detected)], TUNING)) == 2


def test_two_equal_cards_side_by_side_stay_two() -> None:
    cards = [seen(card(100, 100), "KH"), seen(card(205, 100), "KH"), seen(card(300, 100), "KH")]
    assert len(suppress_duplicates(cards, TUNING)) == 3


def test_equal_cards_in_a_stack_shown_by_their_indices_stay_as_many() -> None:
    cards = [seen(card(100, 100 + 33 * k), "7S", body_visible=k == 2) for k in range(3)]
    assert len(suppress_duplicates(cards, TUNING)) == 3


def test_equal_neighbours_of_an_even_row_are_two_beside_others() -> None:
    row = [found_by_index(card(100 + 66 * k, 300), face) for k, face in enumerate(["7S", "7S", "KH", "2D", "9C"])]
    assert len(suppress_duplicates(row[:2], TUNING)) == 1  # alone, they may be the upper corners of one card
    assert len(suppress_duplicates(row, TUNING)) == 5


def test_equal_cards_with_others_between_them_are_two() -> None:
    offsets = (0.0, 25.0, 50.0, 75.0)  # the first and the last are as far apart as the upper corners of one card
    row = [found_by_index(card(100 + x, 300), f"{face}S") for x, face in zip(offsets, "7QK7", strict=True)]
    assert len(suppress_duplicates([row[0], row[3]], TUNING)) == 1
    assert len(suppress_duplicates(row, TUNING)) == 4


def test_only_a_card_with_opposite_indices_lies_over_what_is_read_within_it() -> None:
    whole, within = seen(card(100, 100), "KH"), found_by_index(card(118, 116), "2S")
    within = replace(within, hypothesis=replace(within.hypothesis, body_visible=True, score=0.5))
    opposite = tuple(replace(observation, quad=window_index(observation.window)) for observation in whole.observations)
    hidden = suppress_duplicates([replace(whole, observations=opposite), within], TUNING)
    assert [one.likeliest_face for one in hidden if TUNING.accepts(one.classification)] == ["KH"]
    astray = replace(opposite[1], evidence=seen(card(100, 100), "2C", sure=0.4).observations[1].evidence)
    assert len(suppress_duplicates([replace(whole, observations=(opposite[0], astray)), within], TUNING)) == 2
    below = corner_windows(card(100, 100))[3]
    one_side = (opposite[0], replace(opposite[1], window=below, quad=window_index(below)))
    assert len(suppress_duplicates([replace(whole, observations=one_side), within], TUNING)) == 2


@pytest.mark.parametrize(("read", "there", "named"), [("QH", "JK1", None), ("QH", "5S", "5S"), ("JK1", "JK1", "JK1")])
def test_what_only_an_outlines_corners_show_is_no_joker(
    read: str, there: str, named: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card whose own index is too blurred to be `read` surely, and what the corners of its outline show."""
    reader, outline = Reader(tuning=Tuning(joker=1.0, accept_joker=0.9)), card(300, 200)
    unsure, corners = seen(outline, read, body_visible=False, sure=0.4), seen(outline, there, sure=0.9999)
    observations = (replace(unsure.observations[0], quad=index(outline)),)
    unsure = replace(unsure, hypothesis=replace(unsure.hypothesis, body_visible=True), observations=observations)
    monkeypatch.setattr(reader, "_observe_indices", lambda *_: list(observations))
    monkeypatch.setattr(reader, "_observe_corners", lambda _, quads: [[corners.observations[1]] for _ in quads])
    (one,) = reader._reobserve(np.zeros((600, 800, 3), np.uint8), [unsure], None)
    assert (one.likeliest_face if reader.tuning.accepts(one.classification) else None) == named


def test_a_clear_index_that_no_card_can_show_there_stays_without_a_name() -> None:
    whole, within = seen(card(100, 100), "7D"), found_by_index(card(125, 120), "7D")
    opposite = tuple(replace(observation, quad=window_index(observation.window)) for observation in whole.observations)
    known, doubtful = suppress_duplicates([replace(whole, observations=opposite), within], TUNING)
    assert TUNING.accepts(known.classification) and known.likeliest_face == "7D"
    assert not TUNING.accepts(doubtful.classification) and doubtful.likeliest_face == "7D"
    corner = found_by_index(card(100, 100), "7D")  # the card's own index, found once more
    assert len(suppress_duplicates([replace(whole, observations=opposite), corner], TUNING)) == 1


def facing(face: str, other: str, aside: float = 0.0) -> tuple[CardInstance, CardInstance]:
    """Two things, one for each of the two corners of a card, of which the second is so many px off its place."""
    outline = card(100, 100)
    one, half = found_by_index(outline, face), found_by_index(np.roll(outline, 2, axis=0) + np.array([aside, 0]), other)
    return replace(one, hypothesis=replace(one.hypothesis, body_visible=True)), replace(
        half, hypothesis=replace(half.hypothesis, body_visible=True)
    )


def test_two_corners_of_one_card_that_were_read_differently_are_one_card() -> None:
    (both,) = merge_opposite_corners(facing("9D", "QD"), TUNING)
    assert not TUNING.accepts(both.classification)
    assert {candidate.face for candidate in both.classification.candidates[:2]} == {"9D", "QD"}
    one, other = facing("9D", "QD")
    (known,) = merge_opposite_corners([replace(one, face_evidence=one.observations[0].evidence), other], TUNING)
    assert known.likeliest_face == "9D" and TUNING.accepts(known.classification)  # as the whole face shows
    assert len(merge_opposite_corners(facing("9D", "QD", aside=30), TUNING)) == 2
    side_by_side = [found_by_index(card(100 + x, 100), face) for x, face in ((0, "9D"), (12, "QD"))]
    assert len(merge_opposite_corners(side_by_side, TUNING)) == 2


def test_an_outline_on_which_nothing_is_seen_is_a_card_where_it_is_as_large_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Reader()
    for outline, side, count in (
        (card(500, 100), Side.UP, 2),
        (card(500, 100, 0.9), Side.UP, 1),  # a sticker, a box of matches
        (card(500, 100, 0.9), Side.DOWN, 2),
    ):
        blank = CardInstance(CardHypothesis(outline, side, 0.8, TABLE), (), None, combine([], None, TUNING))
        monkeypatch.setattr(
            reader, "detect_instances", lambda *_, blank=blank, **__: ([seen(card(100, 100), "7S"), blank], [])
        )
        assert len(reader.read(np.zeros((600, 800, 3), np.uint8)).cards) == count


@pytest.mark.parametrize(("within", "cards"), [(2, 2), (7, 2), (20, 1)])
def test_a_clear_index_at_the_very_edge_of_a_card_is_the_card_beside_it(within: float, cards: int) -> None:
    whole, beside = seen(card(100, 100), "KH"), card(100, 140)
    middle = found_by_index(beside, "2S").observations[0].window.mean(axis=0)
    shift = np.array([100 + within - middle[0], 0])
    under = found_by_index(beside + shift, "2S")
    assert sum(TUNING.accepts(one.classification) for one in suppress_duplicates([whole, under], TUNING)) == cards


def test_one_index_is_not_two_cards_however_it_is_named() -> None:
    good = card(100, 100)
    index_only = seen(good, "QH", body_visible=False, sure=0.9)
    assert [
        s.classification.candidates[0].face for s in suppress_duplicates([index_only, seen(good, "KH")], TUNING)
    ] == ["KH"]


def test_observations_of_the_same_index_count_once() -> None:
    outline = card(100, 100)
    window = corner_windows(outline)[0]
    chances = np.full(len(FACES), 1 / len(FACES))
    blank = np.zeros((64, 48, 3), np.uint8)
    windows = [(window, 0.4), (window + 2, 0.9), (corner_windows(outline)[2], 0.9)]
    observations = [IndexObservation(where, blank, Evidence(chances, weight)) for where, weight in windows]
    assert [round(observation.evidence.weight, 2) for observation in merged_observations(observations)] == [0.9, 0.9]


def test_window_index_undoes_the_corner_window() -> None:
    outline = card(100, 100)
    assert np.allclose(window_index(corner_windows(outline)[0]), index(outline), atol=0.01)


def test_an_outline_across_two_cards_is_two_cards() -> None:
    across = seen(card(100, 100), "AC")
    other = seen(card(100, 100), "JH").observations[1]
    third = corner_windows(card(60, 100))[2]
    observations = (
        across.observations[0],
        replace(other, window=third),
        replace(across.observations[1], window=third + np.array([40, 0])),
    )
    split = split_by_face([replace(across, observations=observations)], TUNING)
    assert [s.classification.candidates[0].face for s in split] == ["AC", "JH"]
    assert [s.hypothesis.body_visible for s in split] == [True, False]


def test_indices_that_agree_stay_one_card() -> None:
    assert len(split_by_face([seen(card(100, 100), "AC")], TUNING)) == 1
