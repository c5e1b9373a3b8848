"""Showing a deck to a camera: a card is taken when it lies still and is good, and never the one before for the next."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.enrolled import EnrolledDeck
from companion.vision.decks.guided import Guided, Step, unlike
from companion.vision.decks.parameters import SAME_LYING
from companion.vision.decks.photographs import BadPhotographError, Fault, the_card
from companion.vision.types import ReadResult

PICTURES, MARKS = 3, 2
DRAWN = Invented(HELDOUT + 9, "clear", PICTURES, MARKS)
TOML = '[deck]\nname = "Invented"\nseparator = "."\n' + "".join(
    [f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(MARKS)]
    + [f'[[pictures]]\ncode = "p{k}"\nname = "Picture {k}"\n' for k in range(PICTURES)]
)
FPS = 6.0


class NoOutlines:
    """A reader that finds no card: what stands out from a plain table is found without one."""

    def read(self, image, deck=None, letters=(), where=None, parts=()) -> ReadResult:
        return ReadResult(image.shape[1], image.shape[0], 1.0, ())


def photograph(code: str) -> np.ndarray:
    for seed in range(8, 20):
        picture = scenes.photograph(DRAWN, code, seed)[0]
        try:
            the_card(picture, ())
            return picture
        except BadPhotographError:
            continue
    raise AssertionError(f"no good photograph of {code}")


PHOTOS = {code: photograph(code) for code in DRAWN.codes}
TABLE = np.full_like(next(iter(PHOTOS.values())), 90)


class Showing:
    """Somebody who lays cards before a camera of `FPS` pictures a second."""

    def __init__(self) -> None:
        self.guided = Guided(EnrolledDeck(deck_from_toml(TOML, "invented"), TOML), NoOutlines())
        self._rng, self.time = np.random.default_rng(1), 0.0

    def show(self, picture: np.ndarray, seconds: float = 1.0) -> list[Step]:
        """The same picture for a while, with a camera's noise; the steps that came of it."""
        steps = []
        for _ in range(int(seconds * FPS)):
            noisy = np.clip(picture + self._rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
            self.guided.look(noisy, self.time)
            self.time += 1 / FPS
            steps.append(self.guided.verdict.step)
        return steps


def test_a_deck_is_shown_card_by_card_hands_free() -> None:
    one = Showing()
    for code in one.guided.deck.deck.codes:
        assert one.guided.now == code
        one.show(TABLE, 0.4)
        one.show(PHOTOS[code])
        assert one.guided.taken[-1].face == code
    assert one.guided.now is None
    assert one.guided.verdict.step is Step.DONE
    assert one.guided.deck.missing == ()
    one.guided.more()
    assert one.guided.now == one.guided.deck.deck.codes[0]
    one.show(TABLE, 0.4)
    one.show(PHOTOS["p0.m0"])
    assert one.guided.count("p0.m0") == 2


def test_the_card_that_was_taken_is_not_taken_for_the_next_however_it_is_pushed() -> None:
    one = Showing()
    one.show(PHOTOS["p0.m0"])
    assert len(one.guided.taken) == 1
    one.show(PHOTOS["p0.m0"], 3.0)
    height, width = TABLE.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 4.0, 1.0)
    turn[:, 2] += 12
    pushed = cv2.warpAffine(PHOTOS["p0.m0"], turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    one.show(TABLE, 0.4)
    assert Step.SAME in one.show(pushed, 2.0)
    assert len(one.guided.taken) == 1
    one.show(PHOTOS[one.guided.now or ""], 1.0)
    assert len(one.guided.taken) == 2


def test_a_card_that_has_its_picture_already_is_said_by_name() -> None:
    one = Showing()
    for code in one.guided.deck.deck.codes[:2]:
        one.show(PHOTOS[code])
    one.show(TABLE, 0.4)
    assert Step.KNOWN in one.show(PHOTOS["p0.m0"], 1.5)
    assert one.guided.verdict.face == "p0.m0"
    assert len(one.guided.taken) == 2
    one.guided.look(PHOTOS["p0.m0"], one.time, take=True)  # somebody says that it is another card all the same
    assert len(one.guided.taken) == 3


def test_bad_ones_are_refused_with_the_reason_and_looked_at_again() -> None:
    one = Showing()
    good = PHOTOS["p0.m0"]
    assert one.show(cv2.GaussianBlur(good, (0, 0), 14), 1.5)[-1] is Step.BAD
    assert one.guided.verdict.fault is Fault.BLURRED
    assert one.show(np.hstack([good, PHOTOS["p1.m0"]]), 1.5)[-1] is Step.BAD
    assert (one.guided.verdict.fault, one.guided.verdict.detail) == (Fault.SEVERAL, 2)
    assert one.show(TABLE, 2.0)[-1] is Step.LAY
    assert one.guided.taken == []
    one.show(good)
    assert len(one.guided.taken) == 1


def test_skipping_going_back_and_taking_again() -> None:
    one = Showing()
    first, second, third = one.guided.deck.deck.codes[:3]
    one.show(PHOTOS[first])
    one.guided.skip()
    assert one.guided.now == third
    one.show(TABLE, 0.4)
    one.show(PHOTOS[third])
    one.guided.again()
    assert (one.guided.now, one.guided.count(third)) == (third, 0)
    one.guided.back()
    assert one.guided.now == second
    one.show(TABLE, 0.4)
    one.show(PHOTOS[second])
    assert one.guided.count(second) == 1
    assert one.guided.now == third


def test_it_goes_on_where_it_stopped() -> None:
    one = Showing()
    codes = one.guided.deck.deck.codes
    one.show(PHOTOS[codes[0]])
    again = Guided(one.guided.deck, NoOutlines())
    assert again.now == codes[1]


@pytest.mark.parametrize("style", ["clear", "worst"])
def test_one_card_in_one_light_and_another_mark_are_told_apart(style: str) -> None:
    drawn = Invented(HELDOUT + 60, style)
    picture, _ = scenes.photograph(drawn, "p2.m1", 9)
    first = the_card(picture, ())
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -3.0, 0.98)
    moved = the_card(cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REFLECT), ())
    other = the_card(scenes.photograph(drawn, "p2.m2", 9)[0], ())
    assert unlike(first, moved) < SAME_LYING
    assert unlike(first, np.ascontiguousarray(moved[::-1, ::-1])) < SAME_LYING
    assert unlike(first, other) > SAME_LYING
