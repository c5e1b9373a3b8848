"""The backs of a table: learnt from what was surely read, found where an outline alone is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.following import parameters
from companion.vision.following.tracker import Tracker
from companion.vision.types import ReadResult, Side

from .test_tracker import HEIGHT, WIDTH, Card, Scene, show

BACK = Card("", 120, 120, side=Side.DOWN)
BESIDE = Card("", 400, 300, 10, side=Side.DOWN)


def seen(*cards: Card, outlines: tuple[Card, ...] = ()) -> ReadResult:
    """What a reader says that names `cards`, and of others sees `outlines` alone."""
    return ReadResult(
        WIDTH, HEIGHT, 1.0, tuple(card.read() for card in cards), outlines=tuple(card.polygon for card in outlines)
    )


def lying(tracker: Tracker) -> list[tuple[Side, str | None]]:
    return sorted(((card.side, card.face) for card in tracker.table(settled=True).cards), key=str)


@pytest.mark.parametrize("light", [1.0, 0.9])
def test_what_looks_like_a_back_of_this_table_is_one(light: float) -> None:
    """One that is seen as an outline alone, and one that reads as a face that nobody can name."""
    tracker, scene = Tracker(), Scene([BACK])
    for _ in range(2):
        show(tracker, scene)
    strange = Card("7S", 250, 350, side=Side.UP, reads=(("7S", 0.3),))
    laid = Scene([BACK, BESIDE, Card("", 250, 350, side=Side.DOWN), Card("AS", 500, 100)], light=light)
    read = seen(BACK, strange, Card("AS", 500, 100), outlines=(BESIDE, Card("", 560, 400)))
    tracker.update(read, laid.picture())
    assert lying(tracker) == [(Side.DOWN, None)] * 3 + [(Side.UP, "AS")]


@pytest.mark.parametrize(("outlined", "looks", "clear"), [(False, Side.DOWN, True), (True, Side.DOWN, True),
                                                         (False, Side.UP, False)])  # fmt: skip
def test_what_looks_like_a_back_of_this_table_is_clear_at_first_sight(outlined: bool, looks: Side, clear: bool) -> None:
    """What a reader takes for a back, not surely, and looks otherwise, is looked at once more."""
    tracker = Tracker()
    for _ in range(2):
        show(tracker, Scene([BACK]))
    assert tracker.unclear() == []
    picture = Scene([BACK, replace(BESIDE, face="AS", side=looks)]).picture()
    tracker.update(seen(BACK, outlines=(BESIDE,)) if outlined else seen(BACK, BESIDE), picture)
    assert lying(tracker) == [(Side.DOWN, None)] * 2 and (tracker.unclear() == []) is clear


def test_what_further_looks_do_not_find_is_not_looked_for_for_ever() -> None:
    """A card half beside the picture, seen once and no more: each look would cost the others their time."""
    tracker, scene = Tracker(), Scene([Card("AS", 300, 200), Card("", 20, 300, side=Side.DOWN)])
    tracker.update(seen(*scene.cards), scene.picture(), changed=((0, 0, WIDTH, HEIGHT),))
    part = ((0, 0, WIDTH, HEIGHT),)
    looks = 0
    while tracker.unclear() and looks < 20:
        tracker.update(seen(scene.cards[0], outlines=(scene.cards[1],)), scene.picture(), changed=(), parts=part)
        looks += 1
    assert looks == parameters.MAX_READS
    assert not tracker.in_doubt([])


def printed(*cards: Card) -> np.ndarray:
    """A picture of dark backs with wide stripes, the others as a scene shows them."""
    picture = Scene(list(cards)).picture()
    for card in (card for card in cards if card.side is Side.DOWN):
        (left, top), (right, bottom) = np.round(card.polygon[0]).astype(int), np.round(card.polygon[2]).astype(int)
        y, x = np.mgrid[: bottom - top, : right - left]
        picture[top:bottom, left:right][(x + 2 * y) % 24 < 8] = (60, 150, 190)
    return picture


@pytest.mark.parametrize(("laid", "found"), [("back", True), ("face", False), ("back turned over", False)])
def test_a_back_that_is_outlined_astray_is_found_where_it_lies(laid: str, found: bool) -> None:
    """Its outline is too narrow, and a little aside: a dark one without a border has hardly an edge."""
    tracker = Tracker()
    for _ in range(2):
        tracker.update(seen(BACK), printed(BACK))
    lies = Card("AS" if laid == "face" else "", 400, 300, side=Side.UP if laid == "face" else Side.DOWN)
    picture = printed(BACK, lies)
    if laid == "back turned over":  # no back of this table
        left, top, right, bottom = 368, 256, 432, 344
        picture[top:bottom, left:right] = picture[top:bottom, left:right][:, ::-1]
    middle = np.mean(lies.polygon, axis=0)
    astray = tuple((x + 0.12 * (middle[0] - x) + 2, y + 1) for x, y in lies.polygon)
    read = ReadResult(WIDTH, HEIGHT, 1.0, (BACK.read(),), outlines=(astray,))  # type: ignore[arg-type]
    tracker.update(read, picture)
    assert lying(tracker) == [(Side.DOWN, None)] * (1 + found)
    for card in tracker.table(settled=True).cards[1:]:
        assert np.abs(np.array(card.polygon) * (WIDTH, HEIGHT) - lies.polygon).max() < 4


def test_outlines_of_another_size_or_on_cards_are_no_backs() -> None:
    tracker, scene = Tracker(), Scene([BACK])
    for _ in range(2):
        show(tracker, scene)
    large = tuple((x * 1.5 - 60, y * 1.5 - 60) for x, y in BACK.polygon)
    read = ReadResult(WIDTH, HEIGHT, 1.0, (BACK.read(),), outlines=(large, Card("", 126, 124).polygon))  # type: ignore[arg-type]
    tracker.update(read, scene.picture())
    assert lying(tracker) == [(Side.DOWN, None)]


@pytest.mark.parametrize(("y", "backs"), [(325, 2), (303, 1)])
def test_a_back_seen_as_an_outline_may_lie_on_an_open_card_though_not_in_its_place(y: float, backs: int) -> None:
    tracker, ace = Tracker(), Card("AS", 400, 300)
    for _ in range(2):
        tracker.update(seen(BACK, ace), Scene([BACK, ace]).picture())
    upon = Card("", 400, y, side=Side.DOWN)
    tracker.update(seen(BACK, ace, outlines=(upon,)), Scene([BACK, ace, upon]).picture())
    assert [side for side, _ in lying(tracker)].count(Side.DOWN) == backs


def test_what_was_read_once_or_lies_under_others_teaches_nothing() -> None:
    once, scene = Tracker(), Scene([BACK])
    show(once, scene)
    under, heap = Tracker(), Scene([BACK, Card("AS", 140, 130)])
    for _ in range(3):
        show(under, heap)
    for tracker in (once, under):
        laid = Scene([*scene.cards, BESIDE])
        tracker.update(seen(BACK, outlines=(BESIDE,)), laid.picture())
        assert (Side.DOWN, None) not in lying(tracker)[1:]


def test_what_looks_like_no_face_tells_of_others_like_it_and_becomes_a_back_with_one_of_them() -> None:
    """A print whose backs no reader knows: two of them, then one is read as a back, and both are."""
    strange = Card("AS", 120, 120, reads=(("AS", 0.02),))
    tracker, one = Tracker(), Scene([BACK])
    for _ in range(2):
        tracker.update(seen(strange), one.picture(), changed=None)
    two = Scene([BACK, BESIDE])
    tracker.update(seen(strange, outlines=(BESIDE,)), two.picture())
    assert lying(tracker) == [(Side.UP, None)] * 2
    for _ in range(3):
        tracker.update(seen(strange, BESIDE), two.picture())
    assert lying(tracker) == [(Side.DOWN, None)] * 2


def test_what_the_edge_of_the_picture_cuts_does_not_tell_how_backs_look() -> None:
    """Half of it is what it is held with; a back seen whole does, and one in other light is like it."""
    held, alone = Card("", 120, 30, side=Side.DOWN), Card("", 400, 300, side=Side.DOWN)
    tracker = Tracker()
    for _ in range(2):
        show(tracker, Scene([held]))
    tracker.update(seen(held, outlines=(alone,)), Scene([held, alone]).picture())
    assert len(lying(tracker)) == 1
    lower = Card("", 120, 300, side=Side.DOWN)
    for _ in range(2):
        show(tracker, Scene([held, lower]))
    tracker.update(seen(held, lower, outlines=(alone,)), Scene([held, lower, alone]).picture())
    assert len(lying(tracker)) == 3


@pytest.mark.parametrize(("lies", "backs"), [(False, 3), (True, 4)])
def test_what_lies_across_two_backs_is_one_only_if_it_looks_like_one(lies: bool, backs: int) -> None:
    """Two that lie side by side, and a weak outline of halves of both with what is between them."""
    left, right = Card("", 300, 300, side=Side.DOWN), Card("", 388, 300, side=Side.DOWN)
    across = Card("", 344, 300, side=Side.DOWN)
    tracker, picture = Tracker(), printed(BACK, left, right, *([across] if lies else []))
    for _ in range(2):
        tracker.update(seen(BACK), picture)
    weak = replace(across.read(), confidence=0.3)
    read = replace(seen(BACK, left, right), cards=(BACK.read(), left.read(), right.read(), weak))
    tracker.update(read, picture, changed=[(240, 200, 460, 400)])
    assert len(lying(tracker)) == backs


def test_a_back_too_near_to_a_hand_is_still_to_be_taken_in() -> None:
    beside = Card("", 400, 300, side=Side.DOWN)
    tracker, picture = Tracker(), printed(BACK, beside)
    for _ in range(2):
        assert tracker.update(seen(BACK), picture) == []
    near = tracker.update(seen(BACK, outlines=(beside,)), picture, moving=[(390, 290, 500, 310)])
    assert near == [beside.polygon] and len(lying(tracker)) == 1
