"""What was clearly seen does not go unseen in silence: unless a reported card explains it, it is one without a name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.unexplained import unexplained
from companion.vision.geometry import CARD_MM, INDEX_MM, Array, box_quad, homography, index_window, project
from companion.vision.reading.evidence import Evidence, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.types import Side

TUNING = Tuning()


def card(x: float, y: float, scale: float = 1.5) -> Array:
    """An upright outline, px."""
    return box_quad((x, y, x + CARD_MM[0] * scale, y + CARD_MM[1] * scale))


def index(outline: Array, corner: int = 0) -> Array:
    """Its top-left (0), top-right (1) or bottom-right (2) index."""
    left, top, right, bottom = INDEX_MM
    flat = box_quad((CARD_MM[0] - right, top, CARD_MM[0] - left, bottom)) if corner == 1 else box_quad(INDEX_MM)
    return project(homography(outline), np.array(CARD_MM) - flat if corner == 2 else flat)


def observation(quad: Array, face: str, chance: float = 0.6) -> IndexObservation:
    """A look at a detected index."""
    faces = np.full(len(FACES), (1 - chance) / (len(FACES) - 1))
    faces[FACES.index(face)] = chance
    return IndexObservation(index_window(quad), np.zeros((64, 48, 3), np.uint8), Evidence(faces, 0.95), quad)


def seen(outline: Array, face: str, corners: tuple[int, ...] = (0, 2), score: float = 0.9) -> CardInstance:
    """A card of which these indices were read clearly."""
    observations = tuple(observation(index(outline, corner), face, 0.99) for corner in corners)
    classification = combine([one.evidence for one in observations], None, TUNING)
    return CardInstance(CardHypothesis(outline, Side.UP, score, TABLE), observations, None, classification)


TABLE = TablePlane.fit([card(100, 100), card(300, 100)], [index(card(x, 100), k) for x in (100, 300) for k in (0, 2)])
KING = seen(card(100, 100), "KH")


def test_a_clear_outline_elsewhere_is_a_card_without_a_name() -> None:
    lost = seen(card(150, 160), "QH", score=0.65)
    (one,) = unexplained([KING], [KING, lost], [], TUNING)
    assert one.hypothesis is lost.hypothesis
    assert not TUNING.accepts(one.classification)


@pytest.mark.parametrize(
    "other",
    [
        seen(card(104, 104), "KH"),  # the same card
        seen(card(150, 160), "QH", score=0.5),  # not clear
        seen(card(150, 160, 0.8), "QH"),  # too small for a card of this table
        replace(
            seen(card(150, 160), "QH"),
            hypothesis=CardHypothesis(card(150, 160), Side.UP, 0.9, TABLE, body_visible=False),
        ),
        replace(seen(card(150, 160), "QH"), hypothesis=CardHypothesis(card(150, 160), Side.DOWN, 0.9, TABLE)),
    ],
)
def test_other_outlines_are_not(other: CardInstance) -> None:
    assert unexplained([KING], [KING, replace(other, observations=())], [], TUNING) == []


def test_what_was_read_clearly_does_not_go_with_its_outline() -> None:
    """An index of its own, of a card that was dropped: unless it is one of a reported card's."""
    dropped = seen(card(150, 160), "QH", (0,), score=0.5)
    (one,) = unexplained([KING], [KING, dropped], [], TUNING)
    assert one.observations == dropped.observations
    unclear = replace(dropped, observations=(observation(index(card(100, 100), 1), "QH"),))
    assert unexplained([KING], [KING, unclear], [], TUNING) == []  # not clear
    other = replace(dropped, observations=(observation(index(card(100, 100), 1), "QH", 0.99),))
    assert len(unexplained([KING], [KING, other], [], TUNING)) == 1  # at a king's corner, and surely no king's
    same = replace(dropped, observations=(observation(index(card(100, 100), 1), "KH", 0.99),))
    assert unexplained([KING], [KING, same], [], TUNING) == []


def test_indices_that_read_askew_are_not_of_one_card() -> None:
    outline = card(300, 100)
    straight = seen(outline, "KH", (0, 1))
    for degrees, cards in ((3, 0), (10, 1)):
        turned = rotated(index(outline, 1), degrees)
        row = replace(straight, observations=(straight.observations[0], observation(turned, "KH", 0.99)))
        assert len(unexplained([row], [row], [], TUNING)) == cards


@pytest.mark.parametrize("corners", [(0, 1, 2), (0, 2, 1)])
def test_many_indices_are_of_one_card_where_its_outline_was_seen(corners: tuple[int, ...]) -> None:
    """Else they may be of two equal cards, over each other."""
    for score, cards in ((0.9, 0), (0.5, 1)):
        one = seen(card(300, 100), "KH", corners, score)
        assert len(unexplained([one], [one], [], TUNING)) == cards


def test_many_indices_are_not_surely_of_one_card_where_other_cards_are_as_far_apart() -> None:
    aside = float((index(KING.hypothesis.outline, 1) - index(KING.hypothesis.outline))[0, 0])
    three = seen(card(100, 300), "KH", (0, 1, 2))
    for step, cards in ((aside, 1), (aside + 20, 0)):
        others = [seen(card(100 + k * step, 300), face, (0,), 0.5) for k, face in ((-1, "2S"), (1, "4S"), (2, "6S"))]
        assert len(unexplained([three, *others], [three, *others], [], TUNING)) == cards


def rotated(quad: Array, degrees: float) -> Array:
    """A quad turned about its middle."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return (quad - quad.mean(axis=0)) @ np.array([[c, s], [-s, c]]) + quad.mean(axis=0)


def test_an_index_that_no_card_shows_is_a_card_without_a_name() -> None:
    spare = observation(index(card(300, 300)), "9D")
    (one,) = unexplained([KING], [KING], [spare, spare], TUNING)
    assert one.observations == (spare,)
    assert not one.hypothesis.body_visible
    assert np.allclose(one.hypothesis.outline, card(300, 300), atol=3)
    assert not TUNING.accepts(one.classification)
    assert one.likeliest_face == "9D"


def test_an_index_is_explained_by_the_card_that_shows_it() -> None:
    outline = KING.hypothesis.outline
    half = seen(outline, "KH", (0,))
    assert unexplained([half], [half], [observation(index(outline), "KD")], TUNING) == []  # read there already
    assert unexplained([half], [half], [observation(index(outline, 2), "KD")], TUNING) == []  # its other corner
    assert (
        unexplained([half], [half], [observation(index(outline) + np.array([20, 45]), "KH")], TUNING) == []
    )  # a pip of it
    assert len(unexplained([half], [half], [observation(index(outline) + np.array([20, 45]), "KD")], TUNING)) == 1


def test_the_next_card_of_a_narrow_fan_is_not_explained_by_the_one_over_it() -> None:
    outline = KING.hypothesis.outline
    beside = observation(index(outline) + np.array([11, 2]), "9D")
    assert len(unexplained([KING], [KING], [beside], TUNING)) == 1
    two = TABLE.with_corner_count(range(len(TABLE.prints)), 2)
    known = replace(KING, hypothesis=replace(KING.hypothesis, plane=two))
    upper = observation(index(outline, 1), "9D")
    assert unexplained([KING], [KING], [upper], TUNING) == []
    assert len(unexplained([known], [known], [upper], TUNING)) == 1  # where its print has no index


def test_two_indices_beside_each_other_may_be_of_two_equal_cards() -> None:
    """Unless their outline was seen, or another card proves that its print has more than two corners."""
    row = seen(card(300, 100), "KH", (0, 1), score=0.5)
    (one,) = unexplained([row], [row], [], TUNING)
    assert one.observations == row.observations[1:]
    assert not TUNING.accepts(one.classification)
    aside = float((index(row.hypothesis.outline, 1) - index(row.hypothesis.outline))[0, 0])
    assert np.allclose(one.hypothesis.outline, card(300 + aside, 100), atol=3)
    outlined = seen(card(300, 100), "KH", (0, 1), score=0.8)
    three = seen(card(500, 100), "7C", (0, 1, 2))
    for proof in (outlined, three, seen(card(500, 100), "7C", (0, 1))):
        assert unexplained([row, proof], [row, proof], [], TUNING) == []
    assert unexplained([outlined], [outlined], [], TUNING) == []
    assert len(unexplained([row, KING], [row, KING], [], TUNING)) == 1  # opposite corners prove nothing


def row(*offsets: int) -> list[CardInstance]:
    """Cards that lie over each other's right side, of each one index read, at these places (px)."""
    faces = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]
    return [seen(card(100 + x, 100), face, (0,)) for x, face in zip(offsets, faces, strict=False)]


def test_a_gap_in_an_even_row_is_a_card_that_was_not_seen() -> None:
    cards = row(0, 24, 47, 95, 120, 143)
    (one,) = unexplained(cards, cards, [], TUNING)
    assert np.allclose(one.hypothesis.outline, card(171, 100), atol=3)
    assert one.observations == ()
    assert not TUNING.accepts(one.classification)
    back = replace(seen(card(171, 100), "KH", ()), hypothesis=CardHypothesis(card(171, 100), Side.DOWN, 0.4, TABLE))
    assert unexplained(cards, [*cards, back], [], TUNING) == []  # face down


@pytest.mark.parametrize(
    "offsets",
    [
        (0, 24, 48, 72, 96, 120),  # none is missing
        (0, 24, 48, 96),  # too few to say
        (0, 24, 60, 108, 125, 160),  # not evenly laid
        (0, 24, 48, 120, 144, 168),  # two rows beside each other
        (0, 110, 220, 440, 550, 660),  # cards beside each other: a place may be free
    ],
)
def test_other_rows_miss_none(offsets: tuple[int, ...]) -> None:
    cards = row(*offsets)
    assert unexplained(cards, cards, [], TUNING) == []


def test_nothing_seen_explains_nothing() -> None:
    assert unexplained([], [], [observation(index(card(300, 300)), "9D")], TUNING) == []
