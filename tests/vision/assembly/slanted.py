"""Cards laid on a table, in mm, and what cameras above it and aslant see of them."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from companion.vision.assembly.assemble import assemble
from companion.vision.geometry import CARD_MM, INDEX_MM, Array, box_quad, project
from companion.vision.reading.detections import Detection, DetectionClass

BLANK = np.full((720, 1280), 120, np.uint8)


def camera(tilt: float, spin: float = 0.0, px_per_mm: float = 1.3) -> Array:
    """From the table (mm) to a 1280 × 720 picture: seen `tilt` degrees from straight above, turned by `spin`."""
    lean, turn = math.radians(tilt), math.radians(spin)
    slant = np.array([[1, 0, 0], [0, math.cos(lean), 0], [0, -math.sin(lean) / 900, 1]])
    turned = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    return np.array([[1, 0, 640], [0, 1, 360], [0, 0, 1]]) @ turned @ slant @ np.diag([px_per_mm, px_per_mm, 1])


VIEWS = [camera(0), camera(35, 10), camera(50, -25)]


def card(x: float, y: float, degrees: float = 0.0) -> Array:
    """A card on the table, mm: its middle at (x, y), turned clockwise."""
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return (box_quad((0, 0, *CARD_MM)) - np.array(CARD_MM) / 2) @ turn + [x, y]


def index(outline: Array, corner: int = 0, mm: tuple[float, float, float, float] = INDEX_MM) -> Array:
    """The index of a card's corner: 0 top-left, 1 top-right, 2 bottom-right, 3 bottom-left."""
    left, top, right, bottom = mm
    flat = box_quad((CARD_MM[0] - right, top, CARD_MM[0] - left, bottom)) if corner in (1, 3) else box_quad(mm)
    flat = np.array(CARD_MM) - flat if corner > 1 else flat
    origin, along, down = outline[0], (outline[1] - outline[0]) / CARD_MM[0], (outline[3] - outline[0]) / CARD_MM[1]
    return origin + flat @ np.stack([along, down])


def seen(view: Array, hypotheses: Iterable[Array], noise: float = 0.0, seed: int = 0) -> list[Array]:
    """Quads on the table as the camera sees them, each corner off by `noise` px or so."""
    rng = np.random.default_rng(seed)
    return [project(view, hypothesis) + rng.normal(0, noise, (4, 2)) for hypothesis in hypotheses]


FOUR = [(card(-200, 40), corner) for corner in range(4)]
TABLE = [card(-200, -60, 10), card(-60, 80, 75), card(90, -70, 140), card(220, 60, 30), card(10, -30, -20)]


def up(quads: Iterable[Array]) -> list[Detection]:
    return [Detection(DetectionClass.UP, 0.9, quad) for quad in quads]


def groups(cards: list[Array], indices: list[Array]) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(hypothesis.indices)) for hypothesis in assemble(up(cards), indices, BLANK))


LARGE = (1.5, 6.0, 21.5, 42.0)
