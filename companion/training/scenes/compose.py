"""Composed scenes: cards on a table under a camera, with exact labels.

A scene is laid out in card widths on a plane, seen through one homography (so all cards lie in one plane), painted
bottom to top, then lit, blurred and compressed. Labels come from the same homography and from an owner map that
knows, for every pixel, which card is on top.

Corner order of an outline: clockwise in the picture, first the short side that lies higher, its left end first; a
card looks the same after half a turn, so its print cannot decide. Index corners do have a direction: top-left,
top-right, bottom-right, bottom-left as one reads rank over suit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.training.scenes import backgrounds, layouts, light
from companion.training.scenes.prints import Print, index_quads, round_corners

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class IndexLabel:
    """One printed index corner: `quad` 4×2 px in reading order, `visible` the share of it (0..1) that is seen."""

    quad: np.ndarray
    visible: float


@dataclass(frozen=True, slots=True)
class CardLabel:
    """One card of a scene. `quad` 4×2 px by the geometric order, `printed` by the print (top-left first).

    `face` is None for a back; `design` names the print. `visible` is the share of the whole card that is seen.
    """

    face: str | None
    design: str
    quad: np.ndarray
    printed: np.ndarray
    visible: float
    indices: tuple[IndexLabel, ...]

    @property
    def up(self) -> bool:
        """True where the face is seen."""
        return self.face is not None


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (RGB, uint8) and its cards, bottom to top."""

    image: np.ndarray
    cards: tuple[CardLabel, ...]


def order_corners(quad: np.ndarray) -> np.ndarray:
    """A printed quad (top-left, top-right, bottom-right, bottom-left) in the geometric order described above."""
    area = float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1]))
    clockwise = quad if area > 0 else quad[[1, 0, 3, 2]]
    top, bottom = clockwise[:2].mean(0), clockwise[2:].mean(0)
    higher = (top[1], top[0]) <= (bottom[1], bottom[0])
    return clockwise.copy() if higher else np.roll(clockwise, -2, axis=0)


def project(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Plane points n×2 → picture px n×2."""
    homogeneous = np.c_[points, np.ones(len(points))] @ homography.T
    return (homogeneous[:, :2] / homogeneous[:, 2:]).astype(np.float64)


def camera(rng: Rng, size: tuple[int, int], unit: float, harsh: float = 1.0) -> np.ndarray:
    """Homography from the table (in card widths, origin at the picture's middle) to px; `unit` px a card width.

    It looks down up to 62° aslant, or 42° where `harsh` (see `light`) is 0.35.
    """
    tilt = math.radians(
        float(rng.choice([rng.uniform(0, 12), rng.uniform(5, 40), rng.uniform(30, 62)], p=[0.35, 0.42, 0.23]))
        * (0.5 + 0.5 * harsh)
    )
    distance = float(rng.uniform(1.3, 4)) * max(size)
    spin = rng.normal(0, 0.12) if rng.random() < 0.8 else rng.uniform(0, 6.28)
    w, h = size
    scale = np.diag([unit, unit, 1.0])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, -math.sin(tilt) / distance, 1]])
    c, s = math.cos(spin), math.sin(spin)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    shift = np.array([[1, 0, w / 2], [0, 1, h / 2], [0, 0, 1]])
    return shift @ turn @ lean @ scale


def placed_quad(homography: np.ndarray, place: layouts.Place, aspect: float) -> np.ndarray:
    """The printed corners (top-left, top-right, bottom-right, bottom-left) of a placed card, px."""
    return project(homography, plane_points(place, aspect, np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)))


def plane_points(place: layouts.Place, aspect: float, fractions: np.ndarray) -> np.ndarray:
    """Card fractions n×2 → table coordinates of a placed card."""
    local = (fractions - 0.5) * [1, aspect]
    c, s = math.cos(place.angle), math.sin(place.angle)
    return local @ np.array([[c, s], [-s, c]]) + [place.x, place.y]


@dataclass(slots=True)
class Canvas:
    """The picture being painted and, per pixel, the number of the card on top (-1 none)."""

    image: np.ndarray
    owner: np.ndarray

    def paste(self, card: np.ndarray, quad: np.ndarray, number: int, rng: Rng) -> None:
        """Lay one RGBA card picture on `quad` (printed order), with its shadow and a dark rim."""
        h, w = self.owner.shape
        pad = 14
        x0, y0 = np.floor(np.maximum(quad.min(0) - pad, 0)).astype(int)
        x1, y1 = np.ceil(np.minimum(quad.max(0) + pad, [w, h])).astype(int)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        long_px = max(np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[3])), 4)
        width = int(min(card.shape[1], max(12, long_px * 1.15)))
        tall_px = max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])), 4)
        height = int(min(card.shape[0], max(12, tall_px * 1.15)))
        small = cv2.resize(np.ascontiguousarray(card), (width, height), interpolation=cv2.INTER_AREA)
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        target = (quad - [x0, y0] - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        layer = cv2.warpPerspective(small, warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
        alpha = layer[..., 3:].astype(np.float32) / 255
        part = self.image[y0:y1, x0:x1].astype(np.float32)
        part *= 1 - self._shadow(alpha, long_px, rng)
        rim = cv2.dilate(alpha, np.ones((3, 3), np.uint8))[..., None] if long_px > 45 and rng.random() < 0.6 else alpha
        part *= 1 - 0.45 * np.clip(rim - alpha, 0, 1)
        part += (layer[..., :3].astype(np.float32) - part) * alpha
        self.image[y0:y1, x0:x1] = part.astype(np.uint8)
        self.owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number

    @staticmethod
    def _shadow(alpha: np.ndarray, long_px: float, rng: Rng) -> np.ndarray:
        """Darkness 0..1 around a card: its own shape, shifted and softened."""
        depth = float(rng.uniform(0.05, 0.55))
        reach = max(1.0, long_px * float(rng.uniform(0.008, 0.05)))
        shift = np.float32([[1, 0, rng.normal(0, reach)], [0, 1, rng.normal(0, reach)]])
        soft = cv2.GaussianBlur(alpha, (0, 0), reach)
        return cv2.warpAffine(soft, shift, soft.shape[1::-1])[..., None] * depth


def lay(
    rng: Rng, surface: np.ndarray, homography: np.ndarray, cards: Iterable[tuple[str | None, Print, layouts.Place]]
) -> tuple[np.ndarray, tuple[CardLabel, ...]]:
    """The table `surface` (RGB) with these cards on it, bottom to top, before it is photographed; and their labels.

    A card is its face (None for the print's first back), its print and its place.
    """
    canvas = Canvas(surface, np.full(surface.shape[:2], -1, np.int16))
    placed = []
    for number, (face, design, place) in enumerate(cards):
        picture = design.backs[0] if face is None else design.faces[face]
        aspect = picture.shape[0] / picture.shape[1]
        quad = placed_quad(homography, place, aspect)
        canvas.paste(picture, quad, number, rng)
        placed.append((face, design, quad, place, aspect))
    labels = tuple(Composer.label(homography, canvas.owner, number, one) for number, one in enumerate(placed))
    return canvas.image, labels


def share_on_top(owner: np.ndarray, quad: np.ndarray, number: int) -> float:
    """The share of `quad`'s whole area (also outside the picture) where card `number` is on top."""
    h, w = owner.shape
    area = abs(float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1]))) / 2
    x0, y0 = np.clip(np.floor(quad.min(0)).astype(int), 0, [w, h])
    x1, y1 = np.clip(np.ceil(quad.max(0)).astype(int) + 1, 0, [w, h])
    if area < 1 or x1 <= x0 or y1 <= y0:
        return 0.0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad - [x0, y0] - 0.5) * 16).astype(np.int32), 1, shift=4)
    drawn = max(int(mask.sum()), 1)
    inside = min(1.0, drawn / area) if _touches(quad, w, h) else 1.0
    return float(((owner[y0:y1, x0:x1] == number) & (mask > 0)).sum()) / drawn * inside


def _touches(quad: np.ndarray, w: int, h: int) -> bool:
    return bool((quad < 0).any() or (quad > [w, h]).any())


def _custom(rng: Rng) -> np.ndarray:
    """A face of a deck nobody prints: a picture or a big sign on coloured paper, no index."""
    h, w = 350, 250
    card = np.empty((h, w, 3), np.uint8)
    card[:] = rng.integers(190, 256, 3) if rng.random() < 0.7 else rng.integers(20, 256, 3)
    inner = backgrounds.surface(rng, 200, 180, backgrounds.Bank())
    if rng.random() < 0.6:
        card[60:260, 35:215] = inner
    for _ in range(int(rng.integers(1, 5))):
        ink = tuple(int(v) for v in rng.integers(0, 255, 3))
        at = (int(rng.integers(50, 200)), int(rng.integers(80, 280)))
        if rng.random() < 0.5:
            cv2.circle(card, at, int(rng.integers(15, 60)), ink, -1, cv2.LINE_AA)
        else:
            cv2.putText(
                card,
                str(rng.choice(list("ABCDGMXYZ123456789!?"))),
                at,
                int(rng.integers(0, 8)),
                float(rng.uniform(1.5, 4)),
                ink,
                6,
                cv2.LINE_AA,
            )
    return round_corners(card, 0.06)


@dataclass(slots=True)
class Composer:
    """Makes scenes from prints and textures; one seed, one scene. `size` is (width, height) in px."""

    prints: list[Print]
    bank: backgrounds.Bank
    size: tuple[int, int] = (320, 320)
    widths: tuple[float, float] = (20, 240)
    arrangement: str | None = None
    """Lay all cards in this one of `layouts.MAKERS`; None for any."""
    harsh: float = 1.0
    """How bad light, lens and slant are, 0..1: see `light`."""
    pictures: Sequence[Print] = ()
    """Decks without an index (`picture_prints`)."""
    picture_share: float = 0.0
    """So often a scene's deck is one of those."""
    down: float | None = None
    """So many of a scene's cards lie face down, 0..1; None: as `layouts.invent` has it."""

    def compose(self, seed: int) -> Scene:
        """The scene of this seed: always the same for the same prints, textures and size."""
        rng = np.random.default_rng([seed, 2024])
        w, h = self.size
        unit = float(np.exp(rng.uniform(np.log(self.widths[0]), np.log(self.widths[1]))))
        canvas = Canvas(backgrounds.surface(rng, h, w, self.bank), np.full((h, w), -1, np.int16))
        negative = rng.random() < 0.06 and self.arrangement is None
        for _ in range(int(rng.integers(2, 7)) if negative else int(rng.choice([0, 1, 2, 3, 5]))):
            backgrounds.clutter(rng, canvas.image, unit, False)
        placed: list[tuple[str | None, Print | None, np.ndarray, layouts.Place, float]] = []
        if not negative:
            homography = camera(rng, self.size, unit, self.harsh)
            for place in layouts.invent(rng, w / unit, h / unit, self.arrangement, self.down):
                face, design, picture = self._deal(rng, place, placed)
                aspect = picture.shape[0] / picture.shape[1]
                quad = placed_quad(homography, place, aspect)
                if (quad.max(0) < 2).any() or (quad.min(0) > [w - 2, h - 2]).any():
                    continue
                canvas.paste(picture, quad, len(placed), rng)
                placed.append((face, design, quad, place, aspect))
            for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.72, 0.16, 0.08, 0.04]))):
                canvas.owner[backgrounds.clutter(rng, canvas.image, unit, True)] = -2
        labels = tuple(self.label(homography, canvas.owner, k, p) for k, p in enumerate(placed))
        return Scene(light.photograph(rng, canvas.image, unit, self.harsh), labels)

    def _deal(self, rng: Rng, place: layouts.Place, placed: list) -> tuple[str | None, Print | None, np.ndarray]:
        """Face code (None for a back), print and picture for the next card; one deck a scene is the rule."""
        last = next((p[1] for p in reversed(placed) if p[1] is not None), None)
        if place.strange:
            return "custom", None, _custom(rng)
        if last is None or rng.random() < 0.06:
            kinds: dict[str, Sequence[Print]] = {
                "drawn": [p for p in self.prints if p.source == "invented"],
                "real": [p for p in self.prints if p.source != "invented"],
            }
            pool = kinds["drawn" if rng.random() < 0.5 and kinds["drawn"] else "real"] or self.prints
            if self.picture_share and rng.random() < self.picture_share:
                pool = self.pictures
            last = pool[int(rng.integers(len(pool)))]
            photos = [p for p in self.prints if "may train" in p.source]
            if photos and rng.random() < 0.1 and pool is not self.pictures:
                last = photos[0]
        if not place.up:
            backs = last.backs or self.prints[int(rng.integers(len(self.prints)))].backs
            if backs:
                return None, last, backs[place.deck % len(backs)]
        seen = [p[0] for p in placed if p[0] in last.faces]
        if seen and rng.random() < 0.12:
            face = seen[int(rng.integers(len(seen)))]
        else:
            face = sorted(last.faces)[int(rng.integers(len(last.faces)))]
        return face if last.indexed else "custom", last, last.faces[face]

    @staticmethod
    def label(homography: np.ndarray, owner: np.ndarray, number: int, placed: tuple) -> CardLabel:
        """The label of card `number` of `owner`; `placed`: its face, print, quad, place and aspect."""
        face, design, quad, place, aspect = placed
        indices = []
        if face is not None and design is not None:
            for box in index_quads(design, face):
                corners = project(homography, plane_points(place, aspect, box.astype(float)))
                indices.append(IndexLabel(corners, share_on_top(owner, corners, number)))
        name = design.name if design is not None else "custom"
        return CardLabel(face, name, order_corners(quad), quad, share_on_top(owner, quad, number), tuple(indices))
