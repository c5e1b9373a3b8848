"""Backs that the detector is not sure of, beside one that it is sure of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.pipeline.backs import with_alike
from companion.vision.pipeline.parameters import MANY_ALIKE
from companion.vision.pipeline.reader import _copies
from companion.vision.types import Candidate, CardRead, Quad, Side

CLOTH, BACK, FACE = (60, 110, 40), (150, 60, 60), (235, 240, 240)
WIDTH, HEIGHT = 60, 84
Place = tuple[int, int]


def outline(place: Place, size: float = 1.0) -> Quad:
    x, y, w, h = *place, WIDTH * size, HEIGHT * size
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


def picture(backs: list[Place], faces: list[Place] = [], light: float = 1.0) -> np.ndarray:  # noqa: B006
    """A cloth with cards; every back but the first lies in other light."""
    image = np.full((400, 640, 3), CLOTH, np.uint8)
    for number, (x, y) in enumerate(backs):
        image[y : y + HEIGHT, x : x + WIDTH] = 235
        cell = image[y + 6 : y + HEIGHT - 6, x + 6 : x + WIDTH - 6]
        cell[:] = BACK
        cv2.circle(cell, (24, 36), 12, (40, 160, 200), -1)
        if number:
            image[y : y + HEIGHT, x : x + WIDTH] = (image[y : y + HEIGHT, x : x + WIDTH] * light).astype(np.uint8)
    for x, y in faces:
        image[y : y + HEIGHT, x : x + WIDTH] = FACE
        cv2.putText(image, "7", (x + 8, y + 60), cv2.FONT_HERSHEY_SIMPLEX, 2, (0, 0, 200), 6)
    return image


def back(place: Place, score: float = 0.8) -> CardRead:
    return CardRead(None, score, Side.DOWN, outline(place))


def seen(place: Place, score: float, size: float = 1.0) -> tuple[np.ndarray, float]:
    return np.array(outline(place, size)), score


SURE, OTHER, THIRD = (40, 60), (200, 80), (400, 200)


@pytest.mark.parametrize("light", [1.0, 0.85])
def test_what_looks_like_a_sure_back_is_one(light: float) -> None:
    image = picture([SURE, OTHER, THIRD], light=light)
    nameless = CardRead(None, 0.3, Side.UP, outline(OTHER), (Candidate("7H", 0.3),))
    found = with_alike([back(SURE), nameless], image, [seen(SURE, 0.8), seen(OTHER, 0.6), seen(THIRD, 0.45)])
    assert [(card.side, card.face, card.candidates) for card in found] == [(Side.DOWN, None, ())] * 3
    assert found[2].polygon == outline(THIRD)


def test_with_two_decks_a_back_of_either_tells_how_its_own_look() -> None:
    image = picture([SURE, OTHER, THIRD])
    for x, y in (OTHER, THIRD):
        image[y + 6 : y + HEIGHT - 6, x + 6 : x + WIDTH - 6] = (40, 160, 60)
    nameless = CardRead(None, 0.3, Side.UP, outline(THIRD), (Candidate("AS", 0.02),))
    assert with_alike([back(SURE), nameless], image, []) == [back(SURE), nameless]
    found = with_alike([back(SURE), back(OTHER, 0.7), nameless], image, [])
    assert [(card.side, card.confidence) for card in found] == [(Side.DOWN, 0.8), (Side.DOWN, 0.7), (Side.DOWN, 0.7)]


def test_a_face_and_a_piece_of_cloth_are_none_and_what_is_hardly_seen_does_not_count() -> None:
    image = picture([SURE, OTHER], [THIRD])
    nameless = CardRead(None, 0.3, Side.UP, outline(THIRD), (Candidate("7H", 0.3),))
    others = [seen((300, 60), 0.6), seen(OTHER, 0.2)]
    assert with_alike([back(SURE), nameless], image, others) == [back(SURE), nameless]


def test_a_name_stays_and_a_back_that_nobody_is_sure_of_tells_nothing() -> None:
    image = picture([SURE, OTHER])
    named = CardRead("7H", 0.99, Side.UP, outline(OTHER), (Candidate("7H", 0.99),))
    assert with_alike([back(SURE), named], image, []) == [back(SURE), named]
    nameless = CardRead(None, 0.3, Side.UP, outline(OTHER), (Candidate("7H", 0.3),))
    assert with_alike([back(SURE, 0.5), nameless], image, []) == [back(SURE, 0.5), nameless]


def test_one_back_that_was_seen_twice_counts_once() -> None:
    image = picture([SURE, OTHER])
    twice = [seen(OTHER, 0.6), seen((OTHER[0] + 3, OTHER[1]), 0.5)]
    assert len(with_alike([back(SURE)], image, twice)) == 2


def test_a_back_lies_where_it_looks_like_one_though_its_outline_is_too_small_and_aside() -> None:
    found = with_alike([back(SURE)], picture([SURE, OTHER]), [seen((OTHER[0] + 10, OTHER[1] + 8), 0.4, 0.8)])
    (x, y), *_ = found[1].polygon
    assert len(found) == 2 and abs(x - OTHER[0]) < 5 and abs(y - OTHER[1]) < 5


@pytest.mark.parametrize(("aside", "count"), [(18, 3), (4, 2)])
def test_what_surely_lies_face_down_lies_on_the_open_card_of_which_a_strip_is_seen(aside: int, count: int) -> None:
    """Just in the place of an open card it is that card."""
    upon = (OTHER[0], OTHER[1] + aside)
    image = picture([SURE, upon], [OTHER])
    image[upon[1] : upon[1] + HEIGHT, upon[0] : upon[0] + WIDTH] = picture([upon])[
        upon[1] : upon[1] + HEIGHT, upon[0] : upon[0] + WIDTH
    ]
    cards, place = [back(SURE), CardRead("7H", 0.99, Side.UP, outline(OTHER))], np.array(outline(upon))
    found = with_alike(cards, image, [(place, 0.9)], down=[place])
    assert len(found) == count and found[:2] == cards
    assert all((card.side, card.polygon) == (Side.DOWN, outline(upon)) for card in found[2:])
    assert with_alike(cards, picture([SURE], [OTHER]), [(place, 0.9)], down=[place]) == cards  # it looks like no back


def test_many_that_look_alike_are_checks_of_a_cloth_unless_many_are_sure() -> None:
    """One check scored like a back: all others look like it. Cards laid out face down are surely seen."""
    places = [(4 + 70 * column, 4 + 95 * row) for row in range(4) for column in range(8)]
    assert len(places) > MANY_ALIKE
    image = picture(places)
    for sure, left in ((1, 0), (len(places) // 2, len(places)), (0, 0)):
        found = with_alike(
            [*(back(place) for place in places[:sure]), CardRead("7H", 0.99, Side.UP, outline((570, 10)))],
            image,
            [seen(place, 0.4) for place in places],
        )
        assert sum(card.side is Side.DOWN for card in found) == left
        assert any(card.face == "7H" for card in found)


def test_what_looks_alike_and_like_no_face_is_a_back_unless_foreign_faces_may_lie_there() -> None:
    image = picture([SURE, OTHER, THIRD])
    strange = [CardRead(None, 0.02, Side.UP, outline(at), (Candidate("AS", 0.02),)) for at in (SURE, OTHER, THIRD)]
    assert [card.side for card in with_alike(strange, image, [], 2)] == [Side.DOWN] * 3
    assert with_alike(strange, image, []) == strange
    assert with_alike(strange[:2], image, [], 2) == strange[:2]
    assert [card.side for card in with_alike(strange[:2], image, [], 1)] == [Side.DOWN] * 2
    likely = [replace(card, candidates=(Candidate("AS", 0.3),)) for card in strange]
    assert with_alike(likely, image, [], 1) == likely


@pytest.mark.parametrize(
    ("deck", "copies"),
    [
        (None, None),
        (Counter({"AS": 1, "Moon": 1}), None),
        (["AS", "KH"], 2),
        (Counter({"AS": 1, "KH": 1}), 1),
        (Counter({"AS": 2, "KH": 1}), 2),
        (Counter({"AS": 1, "JK1": 1, "JK2": 1}), 2),
    ],
)
def test_how_many_cards_may_look_alike_the_deck_tells(deck: Counter[str] | None, copies: int | None) -> None:
    assert _copies(deck) == copies
