"""What of a picture is looked at anew: blocks that show something else, in the right place, and no others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from companion.vision.boxes import Box, cut_by
from companion.vision.geometry import box_quad
from companion.vision.images import Pixels
from companion.vision.reading import parameters
from companion.vision.reading.changes import Answers, Before, Changes

SIZE = (640, 360)


def table(*cards: Box, light: float = 1.0, seed: int = 0, cloth: float = 90.0) -> Pixels:
    """A grey cloth with noise, and white cards."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), cloth)
    for left, top, right, bottom in cards:
        picture[top:bottom, left:right] = 220
    return np.clip(picture * light + rng.normal(0, 3.5, picture.shape), 0, 255).astype(np.uint8)


class Looks:
    """Finds all changes there ever were, and remembers how it was asked."""

    def __init__(self) -> None:
        self.before = Before[int]()
        self.whole, self.anew = 0, list[Changes]()
        self.fails = False

    def look(self, picture: Pixels, where: Sequence[Box] = ()) -> int | None:
        return self.before.look(picture, where, self._whole, self._anew)

    def _whole(self) -> int:
        self.whole += 1
        return 100 * self.whole

    def _anew(self, found: int, changes: Changes) -> int | None:
        self.anew.append(changes)
        return None if self.fails else found + 1


@pytest.fixture
def looks() -> Iterator[Looks]:
    """A table that was looked at whole, twice."""
    looks = Looks()
    looks.look(table(seed=1))
    looks.look(table(seed=2))
    assert looks.whole == 2 and not looks.anew
    yield looks


@pytest.mark.parametrize("light", [0.9, 1.0, 1.1])
def test_a_table_that_stays_the_same_shows_nothing_new_though_the_light_changes(looks: Looks, light: float) -> None:
    assert looks.look(table(light=light, seed=3)) == 201
    assert looks.whole == 2 and looks.anew[0].blocks.sum() == 0


@pytest.mark.parametrize("light", [0.95, 1.05])
def test_on_a_dark_cloth_cards_tell_the_light(light: float) -> None:
    """The least step of a dark cloth's own brightness would be a tenth of it."""
    card, looks = (200, 120, 263, 208), Looks()
    for number in range(2):
        looks.look(table(card, seed=number, cloth=13.5))
    looks.look(table(card, seed=3, light=light, cloth=13.5))
    assert looks.whole == 2 and looks.anew[0].blocks.sum() == 0


def test_a_card_that_comes_is_looked_at_twice_and_nothing_else_is(looks: Looks) -> None:
    card = (200, 120, 263, 208)
    for number in range(3):
        looks.look(table(card, seed=4 + number))
    first, second, third = looks.anew
    assert np.array_equal(first.blocks, second.blocks) and third.blocks.sum() == 0
    ((left, top, right, bottom),) = first.boxes(20)
    assert 160 <= left <= 180 and 80 <= top <= 100 and 283 <= right <= 303 and 228 <= bottom <= 248
    quads = [box_quad(card), box_quad((40, 40, 103, 128)), box_quad((262, 200, 325, 288))]
    assert first.touched_by(quads).tolist() == [True, False, True]
    ((left, top, right, bottom),) = first.boxes(0, [quads[1], quads[2]])
    assert (right, bottom) == (325, 288)  # a card that is partly there is seen whole


def test_what_matters_is_looked_at_though_it_shows_nothing_new(looks: Looks) -> None:
    doubtful, card = (40, 40, 103, 128), (400, 120, 463, 208)
    looks.look(table(card, seed=3), [doubtful])
    (left, top, _, _), (other, _, _, _) = looks.anew[0].boxes(0)
    assert (left, top) <= (40, 40) and left > 16 and abs(other - 392) <= 8
    looks.look(table(card, seed=4))
    assert len(looks.anew[1].boxes(0)) == 1  # the card once more


def test_of_a_card_that_changed_all_is_looked_at_with_those_that_lie_on_it() -> None:
    card, over, apart = box_quad((80, 80, 144, 168)), box_quad((136, 80, 200, 168)), box_quad((240, 80, 304, 168))
    blocks = np.zeros((45, 80), np.bool_)
    blocks[12, 12] = True  # in the first one's middle
    changes = Changes(blocks, SIZE).whole([over, card, apart])
    assert changes.boxes(0) == [(80, 80, 200, 168)]
    assert Changes(blocks, SIZE).whole([apart]).boxes(0) == [(96, 96, 104, 104)]


def test_parts_near_to_each_other_are_one(looks: Looks) -> None:
    looks.look(table((100, 100, 163, 188), (200, 100, 263, 188), (500, 200, 563, 288), seed=3))
    assert len(looks.anew[0].boxes(0)) == 3
    assert len(looks.anew[0].boxes(20)) == 2
    assert looks.anew[0].boxes(2000) == [(0, 0, *SIZE)]


def test_much_that_changes_other_views_and_many_looks_are_reasons_for_a_whole_one(looks: Looks) -> None:
    looks.look(table((0, 0, 640, 200), seed=3))
    assert looks.whole == 3 and not looks.anew
    looks.look(table(seed=4))  # the first table is remembered
    assert looks.whole == 3
    looks.fails = True
    looks.look(table(seed=5))
    looks.look(table(seed=6))  # for the second time, whatever it shows
    assert looks.whole == 5
    looks.fails = False
    before = len(looks.anew)
    for number in range(parameters.LOOKS_ANEW):
        looks.look(table(seed=7 + number))
    assert looks.whole == 5 and len(looks.anew) == before + parameters.LOOKS_ANEW
    looks.look(table(seed=99))
    assert looks.whole == 6


def test_cameras_that_share_a_reader_do_not_disturb_each_other(looks: Looks) -> None:
    other = table((0, 0, 640, 200), (100, 220, 163, 308), seed=3)
    looks.look(other)
    looks.look(other)
    looks.look(other[:300])
    assert looks.whole == 5 and not looks.anew
    looks.look(table(seed=4))
    looks.look(other)
    assert looks.whole == 5 and [changes.blocks.sum() for changes in looks.anew] == [0, 0]


def test_what_the_edge_of_a_part_cuts_is_told_but_not_at_the_edge_of_the_picture() -> None:
    quads = [box_quad((0, 10, 50, 60)), box_quad((40, 10, 100, 60)), box_quad((20, 10, 80, 60))]
    assert cut_by((0, 0, 100, 100), quads, (100, 100)).tolist() == [False, False, False]
    assert cut_by((0, 0, 100, 100), quads, (640, 360)).tolist() == [False, True, False]
    assert cut_by((0, 0, 100, 100), [], SIZE).tolist() == []


def test_what_is_known_of_a_place_is_not_asked_again_where_nothing_changed() -> None:
    places = [box_quad((20 + 100 * n, 20, 83 + 100 * n, 108)) for n in range(4)]
    worked, count = list[list[int]](), itertools.count()

    def ask(answers: Answers[str], question: str, *asked: np.ndarray) -> list[str]:
        def work(new: Sequence[int]) -> list[str]:
            worked.append(list(new))
            return [f"{question} {next(count)}" for _ in new]

        return answers.ask(question, asked, work)

    answers = Answers[str]()
    first = ask(answers, "face", *places[:3])
    assert ask(answers, "face", places[1]) == first[1:2] and worked == [[0, 1, 2]]
    corner = ask(answers, "corner", places[1])
    assert corner != first[1:2]
    assert ask(answers, "corner", places[1] + 0.5) != corner  # in one picture another place is another place
    covered = np.array([places[1], places[2]])
    ask(answers, "face", covered)

    blocks = np.zeros((45, 80), np.bool_)
    blocks[5, 28] = True  # on the third place
    then = answers.unchanged(Changes(blocks, SIZE))
    worked.clear()
    again = ask(then, "face", *(place + 0.8 for place in places))
    assert again[:2] == first[:2] and worked == [[2, 3]] and again[2] != first[2]
    assert ask(then, "face", covered)[0].startswith("face") and len(worked) == 1  # what is asked about has not changed
    assert ask(then, "face", np.array([places[1], places[0]])) and len(worked) == 2
    last = then.unchanged(Changes(np.zeros_like(blocks), SIZE))
    assert ask(last, "face", *places) == again and len(worked) == 2
    assert ask(last, "corner", places[1]) and len(worked) == 3  # what was not asked again is forgotten
