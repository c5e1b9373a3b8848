"""A card of which only an index is seen beside the one that covers it: where the rest of it lies no reading knows."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.following.tracker import Tracker
from companion.vision.types import Candidate, CardRead, Point, ReadResult, Side

PIXELS = np.zeros((720, 1280, 3), np.uint8)
LAY = (640.0, 360.0)


def read(face: str, x: float, y: float, *indices: Point) -> CardRead:
    """A card 60 px wide with its middle at (x, y)."""
    outline = ((x - 30, y - 42), (x + 30, y - 42), (x + 30, y + 42), (x - 30, y + 42))
    return CardRead(face, 0.99, Side.UP, outline, (Candidate(face, 0.99),), indices=indices)


@pytest.mark.parametrize(
    ("aside", "index", "stays"),
    [(50.0, (662.0, 330.0), True), (50.0, (712.0, 330.0), False)],
    ids=["the index lies where it lay", "it was pushed aside"],
)
def test_where_fewer_of_its_indices_are_seen_and_those_in_their_place_it_lies_as_it_did(
    aside: float, index: Point, stays: bool
) -> None:
    """On a card with four indices the upper right one was taken for the upper left one."""
    tracker = Tracker()
    whole = read("8H", *LAY, (618.0, 330.0), (662.0, 330.0))
    for time in (0.0, 1.0):
        tracker.update(ReadResult(1280, 720, 0.0, (whole,)), PIXELS, time=time)
    partly = read("8H", LAY[0] + aside, LAY[1], index)
    over = read("QC", LAY[0] - 25, LAY[1], (593.0, 330.0))
    for time in (2.0, 3.0):
        tracker.update(ReadResult(1280, 720, 0.0, (over, partly)), PIXELS, time=time)
    (lies,) = (track for track in tracker.tracks if track.face(0.8) == "8H" and not track.covered)
    assert bool(np.hypot(*np.subtract(np.mean(lies.outline, axis=0), LAY)) < 1.0) is stays


@pytest.mark.parametrize("another", [True, False], ids=["another card came", "none came"])
def test_what_peeps_out_from_under_a_card_says_nothing_of_the_one_between_where_another_came(another: bool) -> None:
    """A card of a pile that lies a little aside shows an index, whatever lies on it; where nothing else is found, what
    lay on it has been lifted."""
    tracker, upper, lower = Tracker(), ((618.0, 330.0), (662.0, 390.0)), ((618.0, 338.0), (662.0, 398.0))
    five, six, last = read("5H", 640.0, 368.0, *lower), read("6H", *LAY, *upper), read("6D", *LAY, *upper)
    peeping = read("5H", 640.0, 368.0, lower[1])
    found = [(five,), (five,), (six,), (six,), (peeping, *([last] if another else []))]
    for time, cards in enumerate(found):
        pixels = PIXELS.copy()
        pixels[318:402:9, 610:670] = 40 * time  # what lies uppermost looks otherwise each time
        tracker.update(ReadResult(1280, 720, 0.0, cards), pixels, time=float(time))
    lying = {track.face(0.8): track.covered for track in tracker.tracks}
    assert lying == ({"5H": False, "6H": True, "6D": False} if another else {"5H": False})
