"""Samples are turned and moved onto each other; a card on the table onto the picture it shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.alignment import (
    NOT_MOVED,
    Looks,
    Target,
    all_warped,
    grey,
    moves_alike,
    pictures_turned,
    small,
    softer,
    turned_alike,
    warped,
)
from companion.vision.decks.crops import CROP, half_turned, levelled
from companion.vision.decks.matching import interiors
from companion.vision.decks.network import Network

PHOTO = views.Conditions((150, 170), 0.1, 0.002, 0.0)
PICTURES, MARKS = 4, 4


@pytest.fixture(scope="module")
def drawn() -> Invented:
    return Invented(HELDOUT + 9, "muted", PICTURES, MARKS)


@pytest.fixture(scope="module")
def crops(drawn: Invented) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.stack([views.view(rng, drawn.face(code), PHOTO) for code in drawn.codes])


def parts(drawn: Invented) -> list[tuple[str, str]]:
    return [(code.split(".")[0], code.split(".")[1]) for code in drawn.codes]


def test_a_sample_that_lies_the_other_way_up_is_turned(drawn: Invented, crops: np.ndarray) -> None:
    network, pictures = Network(threads=1), [picture for picture, _ in parts(drawn)]
    mixed = crops.copy()
    mixed[[1, 6]] = half_turned(crops[[1, 6]])
    both = [interiors(network.sample_maps(each)) for each in (mixed, half_turned(mixed))]
    assert np.flatnonzero(turned_alike(both[0], both[1], pictures)).tolist() == [1, 6]


@pytest.mark.parametrize(("style", "seed", "found"), [("one corner", 5000, True), ("both corners", 9, False)])
def test_a_picture_that_lies_the_other_way_up_is_turned_by_its_marks(style: str, seed: int, found: bool) -> None:
    """Where marks stand in one corner, that of one picture alone in another is a picture upside down; where they are
    the same either way up nothing tells."""
    network, drawn = Network(threads=1), Invented(HELDOUT + seed, "pen", PICTURES, MARKS)
    assert (len(drawn.mark_boxes) == 1) is found, style
    rng = np.random.default_rng(1)
    crops = np.stack([views.view(rng, drawn.face(code), PHOTO) for code in drawn.codes])
    wrong = np.array([picture == "p2" for picture, _ in parts(drawn)])
    crops[wrong] = half_turned(crops[wrong])
    both = [interiors(network.sample_maps(each)) for each in (crops, half_turned(crops))]
    assert pictures_turned(both[0], both[1], parts(drawn)).tolist() == (wrong & found).tolist()


def test_samples_are_moved_onto_each_other(drawn: Invented, crops: np.ndarray) -> None:
    moved = crops.copy()
    moved[0] = warped(crops[0], np.array([[0.96, 0, 3], [0, 0.96, 3]], np.float32))
    after = all_warped(moved, moves_alike(moved, list(range(len(moved))), parts(drawn)))
    same = [k for k, (picture, _) in enumerate(parts(drawn)) if picture == parts(drawn)[0][0]][1:]

    def off(some: np.ndarray) -> float:
        plain = grey(levelled(some))[:, 30:-30, 30:-30]
        return float(np.mean([np.abs(plain[0] - plain[k]).mean() for k in same]))

    assert off(after) < 0.6 * off(moved)


@pytest.mark.parametrize("move", [(1.0, 4.0, -3.0), (0.93, 3.0, 4.0)])
def test_a_card_is_moved_onto_its_picture(crops: np.ndarray, move: tuple[float, float, float]) -> None:
    stretch, right, down = move
    look = grey(levelled(crops[:1]))[0]
    way = np.array([[stretch, 0, right], [0, stretch, down]])
    aside = cv2.warpAffine(look, way, CROP, borderMode=cv2.BORDER_REPLICATE)
    found = Target(look).moved(softer(aside))
    assert np.abs(found - way).max() < 0.5


def test_what_agrees_with_nothing_is_left_where_it_is() -> None:
    flat = np.full((CROP[1], CROP[0]), 128, np.float32)
    noise = np.random.default_rng(1).normal(128, 20, flat.shape).astype(np.float32)
    assert (Target(noise).moved(softer(flat)) == NOT_MOVED).all()


def test_what_lies_on_a_card_does_not_move_it(crops: np.ndarray) -> None:
    look = grey(levelled(crops[:1]))[0]
    aside = cv2.warpAffine(look, np.float32([[1, 0, 3], [0, 1, -2]]), CROP, borderMode=cv2.BORDER_REPLICATE)
    seen = np.ones(aside.shape, np.uint8)
    aside[70:], seen[70:] = np.random.default_rng(2).uniform(0, 255, aside[70:].shape), 0
    found = Target(look).moved(softer(aside), small(seen))
    assert np.abs(found[:, 2] - [3, -2]).max() < 1


def test_pictures_are_told_apart_by_where_they_differ(crops: np.ndarray) -> None:
    coloured = levelled(crops[:PICTURES])
    looks = Looks(coloured)
    for number, crop in enumerate(grey(coloured)):
        for way in (0, 1):
            said = looks.alike(small(np.ascontiguousarray(crop[::-1, ::-1]) if way else crop))
            assert said[way].argmax() == said.max(axis=0).argmax() == number
            assert said[way].max() > 0.95


def test_a_card_whose_corner_is_off_is_laid_on_exactly(crops: np.ndarray) -> None:
    look = grey(levelled(crops[:1]))[0]
    corners = np.float32([[8, 8], [104, 8], [104, 136], [8, 136]])
    off = corners + np.float32([[0, 0], [0, 0], [4, 3], [0, 0]])
    aside = cv2.warpPerspective(look, cv2.getPerspectiveTransform(corners, off), CROP, borderMode=cv2.BORDER_REPLICATE)
    target, soft = Target(look), softer(aside)
    move = target.moved(soft)
    exact = warped(aside, target.exactly(soft, move))
    assert np.abs(exact - look)[12:-12, 12:-12].mean() < 0.6 * np.abs(warped(aside, move) - look)[12:-12, 12:-12].mean()


def test_a_border_that_an_outline_shows_aside_does_not_make_a_picture_alike(crops: np.ndarray) -> None:
    """Printed borders: outlines of some samples run along the inner edge, so that dark lines show at the card's."""
    coloured = levelled(crops[:PICTURES]).copy()
    for k in (0, 1):
        cv2.rectangle(coloured[k], (9, 9), (CROP[0] - 10, CROP[1] - 10), (10, 10, 10), 3)
    looks, shown = Looks(coloured), levelled(crops[2:3])[0].copy()
    cv2.rectangle(shown, (9, 9), (CROP[0] - 10, CROP[1] - 10), (10, 10, 10), 3)
    said = looks.alike(small(grey(shown[None])[0])).max(axis=0)
    assert said[2] > 0.5 and np.delete(said, 2).max() < 0.3, said


def test_where_nothing_is_seen_nothing_moves(crops: np.ndarray) -> None:
    look = grey(levelled(crops[:1]))[0]
    none = np.zeros((CROP[1] // 2, CROP[0] // 2), np.uint8)
    assert (Target(look).moved(softer(look), none) == NOT_MOVED).all()
