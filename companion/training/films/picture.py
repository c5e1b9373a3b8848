"""Paints frames: what lies is painted once and kept, and only what moves is painted over it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.training.films.camera import Camera, project
from companion.training.films.cards import DeckPictures
from companion.training.films.hands import Hand
from companion.training.films.spec import Rng
from companion.training.films.tabletop import Lying, Pose
from companion.training.scenes import backgrounds

Array = np.ndarray
LIGHT_FROM = (0.45, 0.9)
"""Shadows fall this way, px for every px that a thing is above the table."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A warped picture at (x, y) px: colours (BGR, uint8), coverage and shadow (float32, 0..1)."""

    x: int
    y: int
    colours: Array
    alpha: Array
    shadow: Array

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 px."""
        return self.x, self.y, self.x + self.alpha.shape[1], self.y + self.alpha.shape[0]


def lay(canvas: Array, sprite: Sprite, within: tuple[int, int, int, int] | None = None) -> None:
    """Paint a sprite with its shadow into the canvas (BGR, uint8), in place, only `within` a box of px."""
    height, width = canvas.shape[:2]
    x0, y0, x1, y1 = within or (0, 0, width, height)
    left, top = max(sprite.x, x0, 0), max(sprite.y, y0, 0)
    right, bottom = min(sprite.box[2], x1, width), min(sprite.box[3], y1, height)
    if left >= right or top >= bottom:
        return
    part = canvas[top:bottom, left:right]
    own = np.s_[top - sprite.y : bottom - sprite.y, left - sprite.x : right - sprite.x]
    alpha, shadow = np.ascontiguousarray(sprite.alpha[own]), np.ascontiguousarray(sprite.shadow[own])
    dark = cv2.blendLinear(np.ascontiguousarray(part), np.zeros_like(part), 1 - shadow, shadow)
    canvas[top:bottom, left:right] = cv2.blendLinear(np.ascontiguousarray(sprite.colours[own]), dark, alpha, 1 - alpha)


class Painter:
    """Paints one film. `matrix`: homography from mm to px now; everything kept is painted anew when it changes."""

    def __init__(self, camera: Camera, deck: DeckPictures, hands: Sequence[Hand], surface: Array, floor: Array,
                 extras: Iterable[Lying] = ()) -> None:  # fmt: skip
        self._camera, self._deck, self._hands = camera, deck, hands
        self._surface, self._floor = surface, floor
        self._small: dict[tuple[str | None, int], Array] = {}
        self._kept: dict[int, tuple[Lying, Sprite]] = {}
        self._extras = tuple(extras)
        self.matrix = camera.first
        self._bare = self._still = self._painted_table()

    # --- what lies -------------------------------------------------------------------------------------------------

    def look_from(self, matrix: Array) -> None:
        """The camera looks from elsewhere now."""
        if np.allclose(matrix, self.matrix, atol=1e-9):
            return
        self.matrix = matrix
        self._small.clear()
        self._bare = self._painted_table()
        self.show([card for card, _ in self._kept.values()], afresh=True)

    def show(self, cards: Sequence[Lying], *, afresh: bool = False) -> None:
        """These cards lie, lowest first; paints only where something changed."""
        wanted = {card.number: card for card in cards}
        left = [number for number, (card, _) in self._kept.items() if afresh or wanted.get(number) != card]
        dirty = [self._kept.pop(number)[1].box for number in left]
        for card in cards:
            if card.number not in self._kept:
                sprite = self.card(card.face, card.number, card.pose)
                self._kept[card.number] = (card, sprite)
                dirty.append(sprite.box)
        order = [self._kept[card.number][1] for card in sorted(cards, key=lambda card: card.level)]
        if afresh or len(dirty) > 12:
            dirty = [(0, 0, *self._camera.size)]
        if dirty:
            self._still = self._still.copy()
        for box in dirty:
            x0, y0, x1, y1 = (max(0, side) for side in box)
            self._still[y0:y1, x0:x1] = self._bare[y0:y1, x0:x1]
            for sprite in order:
                lay(self._still, sprite, (x0, y0, x1, y1))

    @property
    def still(self) -> Array:
        """What lies, without hands; not to be written into."""
        return self._still

    # --- sprites ---------------------------------------------------------------------------------------------------

    def card(self, face: str | None, number: int, pose: Pose, lift: float = 0.0, narrow: float = 1.0) -> Sprite:
        """A card as it is seen. `lift`: mm above the table; `narrow`: 0..1 of its width while it is turned over."""
        wide, tall = self._deck.size
        quad = project(self.matrix, pose.corners((wide * max(narrow, 0.04), tall)))
        scale = 1 + lift / 900
        quad = (quad - quad.mean(0)) * scale + quad.mean(0) - (0, lift * 0.25)
        picture = self._sized(face, number, quad)
        high, across = picture.shape[:2]
        flat = np.array([[0, 0], [across, 0], [across, high], [0, high]], np.float32) - 0.5
        reach = 2.0 + lift * 0.35
        return self._warped(picture, flat, quad - 0.5, reach, 0.5 if lift < 1 else 0.38)

    def hand(self, seat: int, laid: Array, lift: float = 35.0) -> tuple[Sprite, float]:
        """The hand of a seat; `laid`: px of its drawing → mm (`hands.laid_at`). Also how many px it covers."""
        one = self._hands[seat % len(self._hands)]
        high, wide = one.picture.shape[:2]
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
        quad = project(self.matrix @ laid, flat)
        sprite = self._warped(one.picture, flat.astype(np.float32), quad, lift * 0.5, 0.45, one.shade)
        return sprite, float(cv2.countNonZero((sprite.alpha > 0.5).astype(np.uint8)))

    def _sized(self, face: str | None, number: int, quad: Array) -> Array:
        """A card's picture, already about as small as it will be seen."""
        key = (face, number % 2 if face is None else 0)
        if key not in self._small:
            picture = self._deck.picture(face, number)
            tall = max(np.hypot(*(quad[1] - quad[2])), 24.0) * 1.25  # not its width: it may be half turned over
            share = min(1.0, float(tall / picture.shape[0]))
            self._small[key] = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        return self._small[key]

    def _warped(self, picture: Array, flat: Array, quad: Array, reach: float, depth: float,
                shade: Array | None = None) -> Sprite:  # fmt: skip
        width, height = self._camera.size
        pad = reach * 1.6 + 3
        low = np.maximum(np.floor(quad.min(0) - pad), (-8, -8)).astype(int)
        high = np.minimum(np.ceil(quad.max(0) + pad), (width + 8, height + 8)).astype(int)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        if min(size) < 1:
            nothing = np.zeros((1, 1), np.float32)
            return Sprite(-9, -9, np.zeros((1, 1, 3), np.uint8), nothing, nothing)
        matrix = cv2.getPerspectiveTransform(flat.astype(np.float32), (quad - low).astype(np.float32))
        seen = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR)
        alpha = seen[..., 3].astype(np.float32) / 255
        fall = np.array([[1, 0, LIGHT_FROM[0] * reach], [0, 1, LIGHT_FROM[1] * reach], [0, 0, 1]])
        if shade is None:
            soft = cv2.GaussianBlur(alpha, (0, 0), max(0.8, reach * 0.45))
            soft = cv2.warpAffine(soft, fall[:2], size)
        else:
            soft = cv2.warpPerspective(shade, fall @ matrix, size, flags=cv2.INTER_LINEAR)
        return Sprite(int(low[0]), int(low[1]), np.ascontiguousarray(seen[..., :3]), alpha, soft * depth)

    # --- the table -------------------------------------------------------------------------------------------------

    def _painted_table(self) -> Array:
        """The bare table with the floor round it, and what always stands on it."""
        out = cv2.warpPerspective(self._floor, self.matrix @ _grown(self._camera.table, self._floor, 700.0),
                                  self._camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)  # fmt: skip
        ground = self.matrix @ _grown(self._camera.table, self._surface, EDGE)
        high, wide = self._surface.shape[:2]
        corners = project(ground, np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float))
        rim = np.zeros(out.shape[:2], np.uint8)
        cv2.fillConvexPoly(rim, np.round(corners * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
        soft = cv2.GaussianBlur(rim, (0, 0), 14)
        out = cv2.multiply(out, cv2.merge([255 - soft // 3] * 3), scale=1 / 255)
        cloth = cv2.warpPerspective(self._surface, ground, self._camera.size, flags=cv2.INTER_AREA)
        share = rim.astype(np.float32) / 255
        out = cv2.blendLinear(cloth, out, share, 1 - share)
        for extra in self._extras:
            lay(out, self.card(extra.face, extra.number, extra.pose, lift=40.0))
        return out


EDGE = 60.0
"""The table goes on so far (mm) beyond the layout."""


def _grown(table: tuple[float, float], picture: Array, beyond: float) -> Array:
    """Matrix from px of a picture to mm, where it covers the table and `beyond` mm round it."""
    high, wide = picture.shape[:2]
    kx, ky = (table[0] + 2 * beyond) / wide, (table[1] + 2 * beyond) / high
    return np.array([[kx, 0, -beyond], [0, ky, -beyond], [0, 0, 1]])


def table_top(rng: Rng, table: tuple[float, float], clutter: Iterable[tuple[float, float]] = ()) -> tuple[Array, Array]:
    """Pictures (BGR) of a table of so many mm, 1 px a mm, with glasses at the points named, and of the floor."""
    wide, high = round(table[0] + 2 * EDGE), round(table[1] + 2 * EDGE)
    surface = np.ascontiguousarray(backgrounds.table_top(rng, high, wide)[..., ::-1])
    for x, y in clutter:
        _glass(rng, surface, (x + EDGE, y + EDGE))
    floor = np.empty((80, 140, 3), np.float32)
    floor[:] = rng.uniform(25, 115) + rng.normal(0, 9, 3)
    floor += (backgrounds.clouds(rng, 80, 140, 12)[..., None] - 0.5) * 30
    return surface, np.clip(cv2.GaussianBlur(floor, (0, 0), 2), 0, 255).astype(np.uint8)


def _glass(rng: Rng, surface: Array, at: tuple[float, float]) -> None:
    """A glass from above: a rim, what is in it, a light on it."""
    centre, r = (round(at[0]), round(at[1])), rng.uniform(30, 42)
    drink = np.array([[30, 90, 170], [200, 210, 215], [60, 30, 90], [20, 25, 35]])[int(rng.integers(4))]
    shadow = surface.copy()
    cv2.circle(shadow, (centre[0] + 10, centre[1] + 16), round(r * 1.1), (0, 0, 0), -1, cv2.LINE_AA)
    surface[:] = cv2.addWeighted(surface, 0.7, cv2.GaussianBlur(shadow, (0, 0), 6), 0.3, 0)
    cv2.circle(surface, centre, round(r), (215, 220, 220), -1, cv2.LINE_AA)
    cv2.circle(surface, centre, round(r * 0.88), tuple(int(v) for v in drink), -1, cv2.LINE_AA)
    cv2.circle(surface, centre, round(r * 0.6), tuple(int(v * 0.82) for v in drink), 3, cv2.LINE_AA)
    angle = math.radians(rng.uniform(180, 300))
    spot = (round(centre[0] + r * 0.6 * math.cos(angle)), round(centre[1] + r * 0.6 * math.sin(angle)))
    cv2.ellipse(surface, spot, (7, 4), math.degrees(angle) + 90, 0, 360, (250, 250, 250), -1, cv2.LINE_AA)
