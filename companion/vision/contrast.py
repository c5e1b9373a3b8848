"""Finds cards by nothing but how they stand out from the table: for cards, and backs, that no network knows."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision import parameters
from companion.vision.geometry import Array, area, side_lengths, upright
from companion.vision.images import Pixels


def by_contrast(picture: Pixels, longest: int = parameters.CONTRAST_SIDE) -> list[Array]:
    """Outlines (4, 2) px of cards that stand out from what lies around them, as on a plain table; whatever is on them.
    They are looked for in a picture so large (`longest` px)."""
    scale = longest / max(picture.shape[:2])
    small = cv2.GaussianBlur(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (0, 0), 1.2)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    edge = np.concatenate([lab[:6].reshape(-1, 3), lab[-6:].reshape(-1, 3), lab[:, :6].reshape(-1, 3),
                           lab[:, -6:].reshape(-1, 3)])  # fmt: skip
    far = np.clip(np.sqrt(((lab - np.median(edge, axis=0)) ** 2).sum(axis=2)), 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(far, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        hull = cv2.convexHull(contour)
        if cv2.contourArea(hull) < parameters.LEAST_SHARE * mask.size:
            continue
        quad = _quad_around(hull[:, 0].astype(np.float64))
        if quad is not None and cv2.contourArea(contour) > parameters.FULL_QUAD * abs(area(quad)):
            short, long = sorted(side_lengths(quad[None])[0].tolist())
            if 1.1 < long / max(short, 1e-6) < 1.9:
                found.append(upright((quad + 0.5) / scale))
    return found


def _quad_around(hull: Array) -> Array | None:
    """The quadrilateral whose sides lie on a convex hull's four long straight parts: a card's corners are round."""
    for share in np.linspace(0.01, 0.08, 15):
        loop = hull[:, None].astype(np.float32)
        rough = cv2.approxPolyDP(loop, float(share) * cv2.arcLength(loop, True), True)[:, 0].astype(np.float64)
        if len(rough) == 4:
            break
    else:
        return None
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        along = (hull - start) @ way / max(float(np.hypot(*(end - start))), 1e-6)
        aside = np.abs((hull - start) @ np.array([-way[1], way[0]]))
        near = hull[(along > 0.12) & (along < 0.88) & (aside < 6)]
        points = near if len(near) >= 2 else np.array([start, end])
        vx, vy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel().tolist()
        lines.append((vy, -vx, vy * x - vx * y))
    corners = []
    for one, other in zip([lines[-1], *lines[:-1]], lines, strict=True):
        both = np.array([one[:2], other[:2]])
        if abs(np.linalg.det(both)) < 0.1:
            return None
        corners.append(np.linalg.solve(both, [one[2], other[2]]))
    quad = np.array(corners)
    return quad if area(quad) > 0 else quad[::-1].copy()
