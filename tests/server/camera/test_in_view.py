"""Zones that a camera cannot see whole are named."""

import pytest

from companion.server.camera.in_view import cut_zones
from companion.table.layout import Layout, ZoneShape
from companion.vision.camera.calibration import Calibration
from companion.vision.types import Unit


def box(left, top, right, bottom):
    return ((left, top), (right, top), (right, bottom), (left, bottom))


LAYOUT = Layout(
    "small",
    Unit.MM,
    (800.0, 600.0),
    (ZoneShape("hand:0", box(20, 400, 300, 580)), ZoneShape("stock", box(300, 250, 380, 350)),
     ZoneShape("hand:1", box(500, 20, 780, 200))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("push", "cut"),
    [((0, 0), ()), ((-15, 0), ()), ((-100, 0), ("hand:0",)), ((-100, 60), ("hand:0",)), ((0, -250), ("hand:1",)),
     ((900, 0), ("hand:0", "stock", "hand:1"))],
)  # fmt: skip
def test_zones_that_lie_partly_out_of_the_picture_are_named_in_their_order(push, cut):
    left, top = push
    corners = [(left, top), (left + 800, top), (left + 800, top + 600), (left, top + 600)]
    assert cut_zones(LAYOUT, Calibration.from_corners(corners, (800.0, 600.0), (800, 600))) == cut
