"""Tables and photographs of invented decks, with exact truth: what custom decks are measured on.

A *photograph* is one card, as a person takes it to enrol a deck. A *table* is a 1280 × 720 picture of a webcam over
cards 80 to 140 px wide, laid anyhow: beside each other or over each other, either way up, two copies of a deck mixed,
cards of other decks and backs among them. A seed says everything.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.training.decks.invented import Invented
from companion.training.scenes import backgrounds, compose, layouts, light

Rng = np.random.Generator
SIZE = (1280, 720)
WIDTHS = (80.0, 140.0)
HARSH = 0.35
FOREIGN = "foreign"
"""The face under which a card of another deck is labelled."""


def photograph(deck: Invented, code: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One card to enrol: (960, 720, 3) BGR, and its outline (4, 2) px as printed."""
    rng = np.random.default_rng([seed, deck.seed, deck.codes.index(code), 68])
    return photographed(deck.face(code), deck.style.tall, rng)


def photographed(face: np.ndarray, tall: float, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """A card with that face, RGBA and `tall` widths high, as a person takes it to enrol it: (960, 720, 3) BGR, and its
    outline (4, 2) px as printed."""
    size = (720, 960)
    painted = backgrounds.table_top(rng, size[1], size[0])
    canvas = compose.Canvas(painted, np.full((size[1], size[0]), -1, np.int16))
    unit = float(rng.uniform(300, 430))
    homography = compose.camera(rng, size, unit, 0.0)
    tilt = np.array([[1, rng.normal(0, 0.02), 0], [rng.normal(0, 0.02), 1, 0], [0, 0, 1]])
    place = layouts.Place(rng.normal(0, 0.1), rng.normal(0, 0.1), rng.normal(0, 0.12))
    quad = compose.placed_quad(homography @ tilt, place, tall)
    canvas.paste(face, quad, 0, rng)
    return np.ascontiguousarray(light.photograph(rng, canvas.image, unit, HARSH)[..., ::-1]), quad


def _places(rng: Rng, across: float, down: float) -> list[layouts.Place]:
    """Half of the tables hold separate cards alone, half also cards over each other."""
    grid = [
        layouts.Place(x + rng.normal(0, 0.1), y + rng.normal(0, 0.1), rng.uniform(0, 6.28))
        for x in np.arange(-across / 2 + 1, across / 2 - 0.9, 1.85)
        for y in np.arange(-down / 2 + 1, down / 2 - 0.9, 1.85)
        if rng.random() < 0.75
    ]
    if rng.random() < 0.5:
        return grid
    out = []
    for place in grid:
        out.append(place)
        if rng.random() < 0.5:
            way, far = rng.uniform(0, 6.28), rng.uniform(0.35, 0.85)
            turn = place.angle + (rng.normal(0, 0.12) if rng.random() < 0.6 else rng.uniform(0, 6.28))
            out.append(layouts.Place(place.x + far * np.cos(way), place.y + far * np.sin(way), turn))
    return out


def table(deck: Invented, foreign: list[Invented], seed: int) -> compose.Scene:
    """A table of `deck`, two copies mixed, and some cards of `foreign` decks. The indices of a label are its marks."""
    rng = np.random.default_rng([seed, deck.seed, 69])
    w, h = SIZE
    unit = float(rng.uniform(*WIDTHS))
    canvas = compose.Canvas(backgrounds.table_top(rng, h, w), np.full((h, w), -1, np.int16))
    homography = compose.camera(rng, SIZE, unit, 0.2)
    stock = list(rng.permutation(np.repeat(np.arange(len(deck.codes)), 2)))
    placed = []
    for place in _places(rng, w / unit, h / unit):
        roll = rng.random()
        other = foreign[int(rng.integers(len(foreign)))]
        if roll < 0.07:
            face, design, picture = None, deck, deck.back
        elif roll < 0.17:
            face, design, picture = FOREIGN, other, other.face(other.codes[int(rng.integers(len(other.codes)))])
        else:
            stock = stock or list(rng.permutation(np.repeat(np.arange(len(deck.codes)), 2)))
            number = stock.pop()
            if placed and rng.random() < 0.1:  # its copy lies there, too
                known = [p[0] for p in placed if p[0] not in (None, FOREIGN)]
                number = deck.codes.index(known[-1]) if known else number
            face, design, picture = deck.codes[number], deck, deck.face(deck.codes[number])
        quad = compose.placed_quad(homography, place, design.style.tall)
        if (quad.min(axis=0) < 2).any() or (quad.max(axis=0) > [w - 2, h - 2]).any():
            continue
        canvas.paste(picture, quad, len(placed), rng)
        placed.append((face, design, quad, place))
    labels = []
    for number, (face, design, quad, place) in enumerate(placed):
        marks = []
        for left, top, right, bottom in design.mark_boxes if face not in (None, FOREIGN) else ():
            box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
            corners = compose.project(homography, compose.plane_points(place, design.style.tall, box))
            marks.append(compose.IndexLabel(corners, compose.share_on_top(canvas.owner, corners, number)))
        visible = compose.share_on_top(canvas.owner, quad, number)
        name = f"invented {design.seed}"
        labels.append(compose.CardLabel(face, name, compose.order_corners(quad), quad, visible, tuple(marks)))
    return compose.Scene(light.photograph(rng, canvas.image, unit, HARSH), tuple(labels))


def drawn(scene: compose.Scene) -> np.ndarray:
    """The scene with its outlines, to look at; BGR."""
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    for card in scene.cards:
        cv2.polylines(picture, [np.int32(card.quad)], True, (0, 0, 255) if card.face == FOREIGN else (0, 255, 0), 1)
    return picture
