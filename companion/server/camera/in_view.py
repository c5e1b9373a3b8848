"""Which zones the camera cannot see whole: after a push, or where it was never turned to them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.table import Layout
from companion.vision.camera.calibration import Calibration

LEAST_SEEN = 0.9
"""Of a zone of which less lies in the picture a card may be out of it."""


def cut_zones(layout: Layout, through: Calibration) -> tuple[str, ...]:
    """The zones that lie partly out of the picture, in their order."""
    wide, high = through.picture
    picture = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    cut = []
    for zone in layout.for_table(through.unit, through.size).zones:
        outline = cv2.convexHull(np.array(through.to_picture(zone.polygon), np.float32))
        shared, _ = cv2.intersectConvexConvex(outline, picture)
        if shared < LEAST_SEEN * cv2.contourArea(outline):
            cut.append(zone.id)
    return tuple(cut)
