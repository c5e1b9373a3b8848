"""Hands over the table: where they come from, where they stop, when they leave."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from companion.vision.camera.calibration import Calibration
from companion.vision.following.visits import Visits
from companion.vision.images import Pixels

from .cards_in_ink import SIZE, TWO, Cards, picture, play, still, told

NEVER = (-math.inf, -math.inf)


def reaching(cards: Cards, depths: Iterable[int]) -> list[Pixels]:
    """An arm from below whose tip is so far from the upper edge."""
    frames = []
    for number, depth in enumerate(depths):
        shown = picture(cards, None, number)
        cv2.rectangle(shown, (150, depth), (175, SIZE[1]), (130, 160, 215), -1)
        frames.append(shown)
    return frames


def test_a_hand_is_told_from_where_it_comes_where_it_stops_and_when_it_leaves() -> None:
    whole = Calibration.from_corners([(0, 0), (320, 0), (320, 240), (0, 240)], (640, 480), SIZE)
    watcher, _, _ = told(calibration=whole)
    now = play(watcher, still(TWO))
    began = now
    now = play(watcher, reaching(TWO, [200, 160, 120, 80, 80, 80, 80, 120, 160, 200]), now)
    there = watcher.now()
    assert there is not None
    (visit,) = there.visits
    assert visit.ended is None and began / 10 <= visit.began <= began / 10 + 0.2
    assert visit.entry == pytest.approx((325, 480), abs=15)
    longest = max(visit.stops, key=lambda stop: stop.ended - stop.began)
    assert longest.point == pytest.approx((325, 165), abs=20)
    assert longest.began == pytest.approx(began / 10 + 0.3, abs=0.11) and longest.ended - longest.began > 0.2
    left = now
    play(watcher, still(TWO), now)
    after = watcher.now()
    assert after is not None
    (gone,) = after.visits
    assert gone.number == visit.number and gone.ended == pytest.approx(left / 10, abs=0.4)
    play(watcher, still(TWO, 320), now + 12)
    last = watcher.now()
    assert last is not None and last.visits == ()


@pytest.mark.parametrize(("left", "again"), [(142, True), (40, False)])
def test_where_a_hand_stayed_at_an_open_card_is_read_anew_though_no_pixel_tells(left: int, again: bool) -> None:
    """What it laid there may look exactly like what lay there before."""
    watcher, _, reader = told()
    cards: Cards = [("AS", left, 60)]
    now = play(watcher, still(cards, 20))
    now = play(watcher, reaching(cards, [220, 180, 140, 110, 100, 100, 100, 100, 110, 150, 200]), now)
    before = reader.calls
    play(watcher, still(cards, 20), now)
    near = [where for where in reader.where[before:] if where and any(box[0] < left + 20 < box[2] for box in where)]
    assert bool(near) is again


def test_what_lies_or_slides_apart_from_the_edge_is_no_hand() -> None:
    watcher, _, _ = told()
    now = play(watcher, still(TWO[:1]))
    now = play(watcher, [picture([("AS", 30 + 8 * n, 40)], None, n) for n in range(12)], now)
    play(watcher, still(TWO), now)
    table = watcher.now()
    assert table is not None and table.visits == ()


def test_frames_so_far_apart_that_a_hand_may_have_come_and_gone_are_noted() -> None:
    visits = Visits()
    for now in (0.0, 0.3, 0.6, 1.1):
        visits.note(None, now)
    assert visits.unseen == -math.inf
    visits.note(None, 2.0)
    visits.note(None, 2.1)
    assert visits.unseen == 2.0


@pytest.mark.parametrize(("size", "frames", "tip", "noted"), [
    (50, 6, False, True), (50, 2, False, False), (18, 6, False, False), (50, 6, True, False),
])  # fmt: skip
def test_a_hand_from_under_one_at_rest_is_one_that_nobody_saw(size: int, frames: int, tip: bool, noted: bool) -> None:
    """Not what slides, nor what goes by at once, nor the end of an arm whose sleeve looks like the cloth."""
    visits, moving = Visits(), np.ones((24, 40), np.bool_)
    arm = np.zeros((96, 160), np.bool_)
    arm[70:, 20:30] = True
    if tip:
        arm[40:, 25 : 25 + size] = True
        visits.note(arm, 0.9, moving, 300.0)
        arm[66:72] = False
    for number in range(frames):
        foreign = np.zeros_like(arm) if not tip else arm.copy()
        foreign[20:66, 25 : 25 + size] = True
        visits.note(foreign, 1.0 + number / 10, moving, 300.0)
    assert visits.unseen == -math.inf and visits.astray == ((1.0, 1.0 + (frames - 1) / 10) if noted else NEVER)


@pytest.mark.parametrize(("left", "seen"), [(15, True), (60, False)])
def test_a_hand_that_reaches_out_from_under_one_at_rest_comes_from_the_edge_beside_it(left: int, seen: bool) -> None:
    """Where it is first seen far from any edge nobody knows whose it is."""
    visits, moving = Visits(), np.ones((24, 40), np.bool_)
    for number, right in enumerate((30, 50, 70, 70, 70, 70, 50, 30)):
        foreign = np.zeros((96, 160), np.bool_)
        foreign[40:58, left : left + right] = True
        visits.note(foreign, 1.0 + number / 10, moving, 150.0)
    told = visits.told(lambda spots: spots)
    assert len(told) == seen and (visits.astray == NEVER) == seen
    if seen:
        assert told[0].entry[0] == 0.0 and 40 < told[0].entry[1] < 58 and told[0].began == 1.0
        assert max(stop.point[0] for stop in told[0].stops) > 80


@pytest.mark.parametrize(("comes", "visits_told"), [(False, 1), (True, 2)])
def test_a_hand_that_rested_for_long_and_leaves_is_the_same_one(comes: bool, visits_told: int) -> None:
    """It was taken for the table meanwhile; another one that comes there is seen on its way."""
    visits, arm = Visits(), np.zeros((96, 160), np.bool_)
    for number, top in enumerate((80, 60, 40, 40, 40)):
        seen = arm.copy()
        seen[top:, 70:90] = True
        visits.note(seen, 1.0 + number / 10)
    for number in range(10):
        visits.note(None, 1.5 + number / 10)
    for number, top in enumerate((80, 60, 40) if comes else (40, 60, 80)):
        seen = arm.copy()
        seen[top:, 70:90] = True
        visits.note(seen, 2.5 + number / 10)
    told = visits.told(lambda spots: spots)
    assert len(told) == visits_told
    assert all(stop.ended - stop.began < 0.3 for visit in told for stop in visit.stops), "it was not seen all the time"


def test_what_lies_there_anew_and_does_not_move_is_no_hand() -> None:
    visits, foreign = Visits(), np.zeros((96, 160), np.bool_)
    foreign[20:66, 25:75] = True
    for number in range(10):
        visits.note(foreign, 1.0 + number / 10, np.zeros((24, 40), np.bool_), 300.0)
    assert visits.astray == NEVER


def test_what_came_with_a_push_of_the_camera_was_no_hand() -> None:
    """One that was there before stays; that one may have come meanwhile is noted."""
    visits, arms = Visits(), np.zeros((90, 160), np.bool_)
    for now in (1.0, 1.1, 1.2, 1.3):
        arms[30:90, 20:40] = True
        arms[:50, 100:130] = now > 1.1
        visits.note(arms, now)
    assert len(visits.told(lambda spots: spots)) == 2
    visits.pushed(1.1, 1.4)
    (before,) = visits.told(lambda spots: spots)
    assert before.began == 1.0 and visits.unseen == 1.4
    visits.note(np.zeros_like(arms), 1.5)
    visits.note(np.zeros_like(arms), 3.0)
    visits.pushed(0.0, 3.1)
    assert visits.told(lambda spots: spots) == ()


def test_what_moved_with_the_camera_is_no_hand_from_under_another() -> None:
    """It is one from when it is seen to reach out after that."""
    visits, moving = Visits(), np.ones((24, 40), np.bool_)
    for number, right in enumerate((30, 60, 30, 50, 70, 80, 80)):
        if number == 2:
            visits.pushed(0.9, 1.15)
        foreign = np.zeros((96, 160), np.bool_)
        foreign[40:58, 15 : 15 + right] = True
        visits.note(foreign, 1.0 + number / 10, moving, 150.0)
    (told,) = visits.told(lambda spots: spots)
    assert told.began == pytest.approx(1.2)
