"""Drawn hands with sleeves: one picture a seat, fingers at the top, laid over the table at any place and angle."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.training.films.spec import Film, Rng

Array = np.ndarray
DENSITY = 1.6
"""Pixels of the drawing per mm."""
WIDE, LONG = 250, 720
TIP = (125.0, 40.0)
"""Where the finger tips meet, mm from the drawing's top left."""

SKINS = ((120, 158, 214), (96, 132, 190), (150, 186, 232), (62, 92, 142), (178, 204, 240))
SLEEVES = ((120, 60, 40), (60, 60, 130), (70, 110, 60), (60, 60, 60), (190, 190, 195), (40, 40, 150), (150, 120, 90))


@dataclass(frozen=True, slots=True)
class Hand:
    """`picture`: BGRA drawing, `shade`: its blurred shape (float32, 0..1)."""

    picture: Array
    shade: Array


def hands(film: Film, count: int) -> list[Hand]:
    """One hand a seat."""
    rng = film.rng("hands")
    return [draw_hand(rng) for _ in range(count)]


def draw_hand(rng: Rng) -> Hand:
    """A hand seen from above: forearm in a sleeve or bare, back of the hand, fingers and thumb together at the tip."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.85, 1.05)
    sleeve = np.array(SLEEVES[int(rng.integers(len(SLEEVES)))], np.float32) * rng.uniform(0.7, 1.1)
    side = 1 if rng.random() < 0.6 else -1
    shape = np.zeros((round(LONG * DENSITY), round(WIDE * DENSITY)), np.uint8)
    lines = np.zeros_like(shape)

    def px(*points: tuple[float, float]) -> Array:
        turned = [(TIP[0] + side * (x - TIP[0]), y) for x, y in points]
        return np.round(np.array(turned) * DENSITY * 4).astype(np.int32)

    fan = rng.uniform(11, 19)
    for k in range(4):
        tip = (TIP[0] + (k - 1.5) * fan, TIP[1] + abs(k - 1.3) ** 1.5 * rng.uniform(4, 9))
        root = (TIP[0] + (k - 1.5) * 19, TIP[1] + 70 + abs(k - 1.5) * 3)
        a, b = px(root, tip)
        cv2.line(shape, tuple(map(int, a)), tuple(map(int, b)), 255, round(16 * DENSITY), cv2.LINE_AA, 2)
        cv2.line(lines, tuple(map(int, a)), tuple(map(int, b)), 255, 2, cv2.LINE_AA, 2)
    a, b, c = px((TIP[0] - 52, TIP[1] + 92), (TIP[0] - 44, TIP[1] + 58), (TIP[0] - 16, TIP[1] + 18))
    for one, two in ((a, b), (b, c)):
        cv2.line(shape, tuple(map(int, one)), tuple(map(int, two)), 255, round(19 * DENSITY), cv2.LINE_AA, 2)
    palm = px((TIP[0] - 42, TIP[1] + 64), (TIP[0] + 40, TIP[1] + 62), (TIP[0] + 42, TIP[1] + 110),
              (TIP[0] + 28, TIP[1] + 150), (TIP[0] - 28, TIP[1] + 150), (TIP[0] - 54, TIP[1] + 100))  # fmt: skip
    cv2.fillPoly(shape, [palm], 255, cv2.LINE_AA, 2)
    arm = px((TIP[0] - 27, TIP[1] + 140), (TIP[0] + 27, TIP[1] + 140), (TIP[0] + 42, LONG), (TIP[0] - 42, LONG))
    cv2.fillPoly(shape, [arm], 255, cv2.LINE_AA, 2)
    cuff = TIP[1] + (rng.uniform(150, 190) if rng.random() < 0.75 else rng.uniform(300, 420))
    cloth = np.zeros_like(shape)
    cv2.fillPoly(cloth, [px((TIP[0] - 40, cuff), (TIP[0] + 40, cuff), (TIP[0] + 62, LONG), (TIP[0] - 62, LONG))],
                 255, cv2.LINE_AA, 2)  # fmt: skip
    return _shaded(rng, shape, lines, cloth, skin, sleeve)


def _shaded(rng: Rng, shape: Array, lines: Array, cloth: Array, skin: Array, sleeve: Array) -> Hand:
    alpha = cv2.max(shape, cloth)
    round_off = cv2.GaussianBlur(shape.astype(np.float32) / 255, (0, 0), 7 * DENSITY)
    folds = cv2.GaussianBlur(rng.normal(0, 1, shape.shape).astype(np.float32), (0, 0), 3 * DENSITY)
    folds = cv2.resize(cv2.GaussianBlur(folds, (0, 0), 2), shape.shape[::-1]) * 3
    knuckles = cv2.GaussianBlur(lines.astype(np.float32) / 255, (0, 0), 2.5)
    skinned = skin * (0.52 + 0.5 * round_off + 0.03 * folds + 0.10 * knuckles)[..., None]
    over = cloth.astype(np.float32)[..., None] / 255
    woven = sleeve * (0.6 + 0.35 * cv2.GaussianBlur(over[..., 0], (0, 0), 9 * DENSITY) + 0.12 * folds)[..., None]
    picture = np.clip(skinned * (1 - over) + woven * over, 0, 255).astype(np.uint8)
    return Hand(np.dstack([picture, alpha]), cv2.GaussianBlur(alpha.astype(np.float32) / 255, (0, 0), 8 * DENSITY))


def laid_at(point: tuple[float, float], elbow: tuple[float, float], scale: float = 1.08) -> Array:
    """Matrix (3, 3) from px of a hand's drawing to mm, its finger tips at `point`, its arm pointing to `elbow`."""
    way = np.array(elbow) - np.array(point)
    along = way / max(float(np.hypot(*way)), 1e-6)
    across = np.array([along[1], -along[0]])
    k = scale / DENSITY
    x = np.array(point) - k * DENSITY * (across * TIP[0] + along * TIP[1])
    return np.array([[across[0] * k, along[0] * k, x[0]], [across[1] * k, along[1] * k, x[1]], [0, 0, 1]])
