"""A stack that the game expects, whose back no reader knows: the outline that lies in its place shows it."""

from __future__ import annotations

import numpy as np

from companion.vision.camera.calibration import Calibration
from companion.vision.following.tracker import Tracker
from companion.vision.types import Point, Side, Unit

from .test_backs import BACK, BESIDE, lying, seen
from .test_tracker import HEIGHT, WIDTH, Card, Scene

ACE = Card("AS", 500, 100)
LEFT: tuple[Point, ...] = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5))
"""Around BACK, in table coordinates; BESIDE lies elsewhere."""


def looks(tracker: Tracker, *outlines: Card, times: int = 2, expected: tuple[Point, ...] | None = LEFT) -> None:
    """Looks that name the ace and see these outlines alone, though backs lie there."""
    picture = Scene([ACE, BACK, BESIDE]).picture()
    for _ in range(times):
        tracker.update(seen(ACE, outlines=outlines), picture)
        if expected is not None:
            tracker.expect([expected])


def test_an_outline_seen_twice_where_a_stack_has_to_lie_is_that_stack_and_shows_its_back() -> None:
    tracker = Tracker()
    looks(tracker, BACK, BESIDE, times=1)
    assert lying(tracker) == [(Side.UP, "AS")] and len(tracker.unclear()) == 1
    looks(tracker, BACK, BESIDE, times=2)
    assert lying(tracker) == [(Side.DOWN, None), (Side.DOWN, None), (Side.UP, "AS")]
    assert not tracker.in_doubt(())


def test_where_no_stack_is_expected_an_outline_is_nothing() -> None:
    tracker = Tracker()
    looks(tracker, BACK, BESIDE, times=4, expected=None)
    assert lying(tracker) == [(Side.UP, "AS")]
    beside = Tracker()
    looks(beside, BESIDE, times=4, expected=((0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)))
    assert lying(beside) == [(Side.UP, "AS")]


def test_outlines_that_look_different_where_one_stack_has_to_lie_teach_nothing() -> None:
    """The cloth may look like a card as well."""
    tracker = Tracker()
    looks(tracker, BACK, Card("", 240, 120), times=4)
    assert lying(tracker) == [(Side.UP, "AS")]


def test_a_stack_is_as_large_as_the_cards_of_the_table() -> None:
    small = tuple((120 + 0.6 * (x - 120), 120 + 0.6 * (y - 120)) for x, y in BACK.polygon)
    tracker, picture = Tracker(), Scene([ACE]).picture()
    for _ in range(4):
        read = seen(ACE)
        tracker.update(type(read)(read.width, read.height, 1.0, read.cards, outlines=(small,)), picture)  # type: ignore[arg-type]
        tracker.expect([LEFT])
    assert lying(tracker) == [(Side.UP, "AS")]


def test_where_no_card_lies_open_it_is_as_large_as_cards_are() -> None:
    """The table is known in mm: nothing else tells how large a card is."""
    short = float(np.linalg.norm(np.subtract(BACK.polygon[1], BACK.polygon[0])))
    for width_mm, found in ((63.0, [(Side.DOWN, None)]), (40.0, [])):
        scale = width_mm / short
        size = (WIDTH * scale, HEIGHT * scale)
        tracker = Tracker(Calibration(Unit.MM, size, (scale, 0, 0, 0, scale, 0, 0, 0, 1), (WIDTH, HEIGHT)))
        half = ((0.0, 0.0), (size[0] / 2, 0.0), (size[0] / 2, size[1] / 2), (0.0, size[1] / 2))
        for _ in range(3):
            tracker.update(seen(outlines=(BACK,)), Scene([BACK]).picture())
            tracker.expect([half])
        assert lying(tracker) == found


def test_a_back_that_no_detector_finds_stands_out_from_the_table() -> None:
    """Also once it is known, and the game expects it no more, and when another thing than a card lies there."""
    tracker = Tracker()
    looks(tracker, times=3)
    found = [(Side.DOWN, None), (Side.UP, "AS")]
    assert lying(tracker) == found and not tracker.in_doubt(())
    tracker.expect([])
    looks(tracker, times=3, expected=None)
    assert lying(tracker) == found
    (card,) = (card for card in tracker.table(settled=True).cards if card.side is Side.DOWN)
    assert not card.covered
    assert np.hypot(*np.subtract(card.centre, np.mean(BACK.polygon, axis=0) / (WIDTH, HEIGHT))) < 0.01
    nothing = Tracker()
    looks(nothing, times=4, expected=None)
    assert lying(nothing) == [(Side.UP, "AS")]


def test_what_stands_out_is_a_stack_only_as_large_as_a_card() -> None:
    tracker, picture = Tracker(), Scene([ACE]).picture()
    picture[60:180, 40:200] = 20  # a telephone
    for _ in range(4):
        tracker.update(seen(ACE), picture)
        tracker.expect([LEFT])
    assert lying(tracker) == [(Side.UP, "AS")]
