"""What is reported of an instance: which joker it is, and how well all that was read of a card agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.plane import TablePlane
from companion.vision.following.parameters import ACCEPT
from companion.vision.geometry import Array, box_quad, corner_windows
from companion.vision.pipeline.report import card_read
from companion.vision.reading.evidence import Evidence, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.types import CardRead, Side

OUTLINE = box_quad((100.0, 100.0, 194.0, 232.0))
TABLE = TablePlane.fit([OUTLINE, box_quad((300.0, 100.0, 394.0, 232.0))], [])
TUNING = Tuning()
Chances = Mapping[str, float]
BLACK, WINE = (30, 30, 30), (75, 75, 134)


def evidence(chances: Chances) -> Evidence:
    faces = np.full(len(FACES), (1.0 - sum(chances.values())) / len(FACES))
    for name, chance in chances.items():
        faces[FACES.index(name)] += chance
    return Evidence(faces, 1.0)


def instance(corners: Sequence[Chances], body: Chances | None, ink: tuple[int, int, int] = BLACK) -> CardInstance:
    """A card of whose corners and whole face this was read."""
    crop = np.full((64, 48, 3), 240, np.uint8)
    crop[10:54, 14:30] = ink
    windows = corner_windows(OUTLINE)[[0, 2]]
    seen = [IndexObservation(window, crop, evidence(c)) for window, c in zip(windows, corners, strict=False)]
    face = evidence(body) if body is not None else None
    named = combine([observation.evidence for observation in seen], face, TUNING)
    return CardInstance(CardHypothesis(OUTLINE, Side.UP, 0.9, TABLE), tuple(seen), face, named)


@pytest.mark.parametrize(
    ("deck", "joker"), [(None, "JK2"), ({"JK1"}, "JK1"), ({"JK2"}, "JK2"), ({"JK1", "JK2"}, "JK2")]
)
def test_a_joker_is_the_only_one_of_its_deck_else_told_by_its_colour(deck: set[str] | None, joker: str) -> None:
    """Many a deck prints its coloured joker in black."""
    read = card_read(instance([{"JK1": 0.999}] * 2, {"JK1": 0.999}), 1.0, TUNING, deck)
    assert read.face == joker and read.candidates[0].face == joker


def bare(weights: Sequence[float] = (0.02,) * 4, face: float = 0.9, score: float = 0.9) -> CardInstance:
    """A card in full view that looks like an ace a little, on whose corners the networks see next to no index: what is
    seen there looks like an eight's."""
    one = instance([{"8D": 0.9}] * len(weights), {"AH": 0.45, "JK1": 0.05, "AD": 0.1})
    windows = corner_windows(OUTLINE)
    seen = tuple(
        replace(one.observations[0], window=windows[at], evidence=replace(one.observations[0].evidence, weight=weight))
        for at, weight in enumerate(weights)
    )
    assert one.face_evidence is not None
    body = replace(one.face_evidence, weight=face)
    named = combine([observation.evidence for observation in seen], body, TUNING)
    hypothesis = replace(one.hypothesis, score=score)
    return replace(one, hypothesis=hypothesis, observations=seen, face_evidence=body, classification=named, own=0.985)


def test_a_card_in_full_view_without_any_index_is_most_likely_a_joker_and_never_named_so() -> None:
    """Each maker prints his own jokers, and no reader knows them all."""
    read = card_read(bare(), 1.0, TUNING, {"JK1", "AH", "8D"})
    assert read.face is None and read.candidates[0].face == "JK1"
    assert 0.6 < read.candidates[0].p * read.agreed < read.agreed < ACCEPT  # however often it is read
    assert sum(one.p for one in read.candidates) <= 1.0


@pytest.mark.parametrize(
    ("seen", "deck"),
    [
        (bare(), {"AH", "8D"}),  # no joker is in this deck
        (bare(), None),  # cards of other games have no index either
        (bare((0.02, 0.02)), {"JK1", "AH"}),  # half of it is out of the picture
        (bare(face=0.1), {"JK1", "AH"}),  # hardly a card
        (bare(score=0.5), {"JK1", "AH"}),  # a part of a card, or a shadow
        (bare((0.85, 0.85, 0.02, 0.02)), {"JK1", "AH", "8D"}),  # there is an index, of an eight
    ],
)
def test_what_may_be_another_card_is_no_joker(seen: CardInstance, deck: set[str] | None) -> None:
    read = card_read(seen, 1.0, TUNING, deck)
    assert not read.candidates or read.candidates[0].face != "JK1"


def test_a_joker_whose_colour_nobody_can_tell_has_no_name() -> None:
    seen = instance([{"JK1": 0.999}] * 2, {"JK1": 0.999}, WINE)
    read = card_read(seen, 1.0, TUNING)
    assert read.face is None and {one.face for one in read.candidates[:2]} == {"JK1", "JK2"}
    assert card_read(seen, 1.0, TUNING, {"JK2", "AS"}).face == "JK2"


def test_a_back_on_which_an_index_was_found_is_asked_about_unless_that_is_surely_read() -> None:
    def seen_down(chance: float, quad: Array | None) -> CardRead:
        one = instance([{"JS": chance, "JC": 0.98 - chance}], None)
        observations = tuple(replace(observation, quad=quad) for observation in one.observations)
        hypothesis = replace(one.hypothesis, side=Side.DOWN)
        return card_read(replace(one, hypothesis=hypothesis, observations=observations), 1.0, TUNING)

    assert seen_down(0.98, None).face == "JS"
    found = seen_down(0.5, OUTLINE)
    assert (found.side, found.face, found.candidates[0].face) == (Side.UP, None, "JS")
    assert seen_down(0.5, None).side is Side.DOWN  # what seems an index in a corner of a back is its pattern


# Read alike in every picture of a film, and wrong: a six of clubs, a three of spades, a two of spades, a queen of
# hearts (the Q of its print is like an 8). In a composed fan: a nine of hearts.
MISREAD = {
    "5C": ([{"10C": 0.59, "JC": 0.14, "6C": 0.11, "5C": 0.02}, {"5C": 0.97}], {"JK1": 0.42, "5C": 0.1}),
    "3C": ([{"AS": 0.48, "AC": 0.2, "3S": 0.05, "3C": 0.02}, {"AC": 0.56, "AS": 0.15, "3C": 0.1}], {"3C": 0.97}),
    "2C": ([{"2S": 0.45, "2C": 0.16}, {"2C": 0.46, "2S": 0.2}], {"2C": 0.96}),
    "AH": ([{"AH": 0.938, "AD": 0.03, "4H": 0.019}], None),
    "JH": ([{"8H": 0.49, "JH": 0.45, "QH": 0.005}, {"JH": 0.5, "8H": 0.45, "QH": 0.005}], {"JH": 0.9, "QH": 0.1}),
}


@pytest.mark.parametrize("face", MISREAD)
def test_a_name_that_only_one_of_its_crops_surely_says_may_be_misread_in_every_picture(face: str) -> None:
    read = card_read(instance(*MISREAD[face]), 1.0, TUNING)
    assert read.candidates[0].face == face
    assert read.agreed < ACCEPT


@pytest.mark.parametrize(
    ("corners", "body"),
    [
        ([{"9D": 0.99}, {"9D": 0.99}], None),
        ([{"9D": 0.99}], {"9D": 0.98}),
        ([{"9D": 0.98}, {"9D": 0.5, "8D": 0.4}], {"9D": 0.97}),
    ],
)
def test_a_name_on_which_two_of_its_crops_agree_is_told(corners: Sequence[Chances], body: Chances | None) -> None:
    assert card_read(instance(corners, body), 1.0, TUNING).agreed > 0.9


def test_a_name_that_the_only_corner_in_sight_says_beyond_doubt_is_told() -> None:
    """A card under others, or under the deck in somebody's hand."""
    assert card_read(instance([{"9D": 0.999}], None), 1.0, TUNING).agreed >= ACCEPT
