"""Imagined photographs of single cards, cut up exactly as the running program cuts real ones.

One call of `Views.sample` lays one card on an invented ground at an observed size, spoils the picture as cameras and
rooms do, and returns the index crops and the whole-card crop that `companion.vision` would cut from a slightly
wrong outline, each with its label. Colours are BGR throughout.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.training.reader.items import NO_SUIT, REJECT_FACE, Item
from companion.training.scenes import prints
from companion.vision.geometry import as_quad, corner_windows, homography, index_window, project
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE, rectify
from companion.vision.reading.faces import REJECT


@dataclass(slots=True)
class Crops:
    """What one imagined photograph gave: index crops with (rank, suit), the whole card with its class, and sometimes
    a crop of a wrong outline."""

    index: list[tuple[np.ndarray, int, int]] = field(default_factory=list)
    whole: np.ndarray | None = None
    astray: np.ndarray | None = None
    label: int = REJECT_FACE
    item: int = REJECT_FACE
    """Class of the card itself, also where `label` is not to be seen."""


def grounds(seed: int, count: int = 160) -> list[np.ndarray]:
    """Table grounds, 512 × 512 BGR: felt, wood, cloth, stripes; and patches of photographs that may train."""
    rng = np.random.default_rng([seed, 3])
    out = [_invented_ground(rng) for _ in range(count)]
    folder = prints.photos_dir()
    if folder is not None:
        base = folder / "edje-tf-cards"
        for line in (base / "manifest.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row.get("use") == "may train" and rng.random() < 0.5:
                image = cv2.imread(str(base / row["file"]))
                for card in row["cards"]:
                    x, y, w, h = (round(v) for v in card["bbox"])
                    image[max(0, y) : y + h, max(0, x) : x + w] = image[:12, :12].mean(axis=(0, 1))
                out.append(cv2.resize(image, (512, 512)))
    return out


def _invented_ground(rng: np.random.Generator) -> np.ndarray:
    base = rng.integers(10, 245, 3).astype(np.float32)
    coarse = rng.normal(0, 1, (int(rng.integers(2, 40)), int(rng.integers(2, 40)), 3)).astype(np.float32)
    if rng.random() < 0.5:
        coarse[:] = coarse.mean(axis=2, keepdims=True)
    image = base + cv2.resize(coarse, (512, 512), interpolation=cv2.INTER_CUBIC) * rng.uniform(2, 30)
    grain = rng.normal(0, rng.uniform(1, 25), (512, 512, 1)).astype(np.float32)
    image += cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.4, 3)))[..., None] * 2
    if rng.random() < 0.35:
        y, x = np.mgrid[0:512, 0:512]
        angle, period = rng.uniform(0, math.pi), rng.uniform(8, 90)
        wave = np.sin((x * math.cos(angle) + y * math.sin(angle)) * 2 * math.pi / period)
        image += (wave > rng.uniform(-0.7, 0.7))[..., None] * rng.uniform(-90, 90, 3)
    return np.clip(image, 0, 255).astype(np.uint8)


class Views:
    """Draws labelled crops from items. Deterministic by seed; one instance a process."""

    def __init__(self, items: list[Item], foreign: list[Item], seed: int) -> None:
        self._items, self._foreign = items, foreign
        self._rng = np.random.default_rng([seed, 1])
        self._grounds = grounds(seed)
        self._noise = self._rng.normal(0, 1, (700, 700, 3)).astype(np.float32)

    def sample(self, smallest: float = 26.0, largest: float = 250.0) -> Crops:
        """The crops of one imagined photograph; `smallest` and `largest` bound the card's width in it, px."""
        return self._cut(*self._photograph(smallest, largest))

    def _photograph(self, smallest: float, largest: float) -> tuple[np.ndarray, np.ndarray, Item, np.ndarray]:
        """The picture, what lies over its card (not 0), that card, and its outline (4, 2) px."""
        rng = self._rng
        foreign = rng.random() < 0.12
        item = self._pick(self._foreign if foreign and self._foreign else self._items)
        width = math.exp(math.log(smallest) + math.log(largest / smallest) * rng.uniform(0, 1) ** 0.7)
        quad, size = self._pose(item, width)
        canvas = self._ground(size)
        covered = np.zeros(size[::-1], np.uint8)
        if rng.random() < 0.35:
            self._lay(canvas, self._pick(self._items), self._shifted(quad, width, 0.25, 1.0))
        self._lay(canvas, item, quad)
        if rng.random() < 0.3:
            self._cover(canvas, covered, quad, width)
        return self._spoil(canvas, width), covered, item, quad

    def _pick(self, items: list[Item]) -> Item:
        return items[int(self._rng.integers(len(items)))]

    def _pose(self, item: Item, width: float) -> tuple[np.ndarray, tuple[int, int]]:
        rng = self._rng
        high, wide = item.picture.shape[:2]
        length = width * high / wide
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, length / 2]
        tilt = math.radians(rng.uniform(0, 55) if rng.random() < 0.6 else 0)
        spin, lean = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
        turn = np.array([[math.cos(spin), -math.sin(spin)], [math.sin(spin), math.cos(spin)]])
        axis = np.array([math.cos(lean), math.sin(lean)])
        points = flat @ turn.T
        depth = points @ axis * math.sin(tilt)
        points = points - np.outer(points @ axis, axis) * (1 - math.cos(tilt))
        quad = points / (1 + depth / (width * rng.uniform(4, 14)))[:, None]
        margin = 0.35 * width + 6
        quad = quad - quad.min(axis=0) + margin
        size = tuple(int(v) for v in np.ceil(quad.max(axis=0) + margin))
        return as_quad(quad), size

    def _ground(self, size: tuple[int, int]) -> np.ndarray:
        rng = self._rng
        ground = self._grounds[int(rng.integers(len(self._grounds)))]
        scale = rng.uniform(0.3, 1.0)
        edge = max(24, int(512 * scale))
        x, y = rng.integers(0, 512 - edge + 1, 2)
        part = cv2.resize(ground[y : y + edge, x : x + edge], size, interpolation=cv2.INTER_LINEAR)
        return part if rng.random() < 0.5 else np.ascontiguousarray(part[::-1, ::-1])

    def _shifted(self, quad: np.ndarray, width: float, low: float, high: float) -> np.ndarray:
        rng = self._rng
        angle = rng.uniform(0, 2 * math.pi)
        step = np.array([math.cos(angle), math.sin(angle)]) * rng.uniform(low, high) * width
        spin = rng.normal(0, 0.5)
        centre = quad.mean(axis=0)
        turn = np.array([[math.cos(spin), -math.sin(spin)], [math.sin(spin), math.cos(spin)]])
        return (quad - centre) @ turn.T + centre + step

    def _lay(self, canvas: np.ndarray, item: Item, quad: np.ndarray, covered: np.ndarray | None = None) -> None:
        rng = self._rng
        picture = cv2.cvtColor(np.asarray(item.picture), cv2.COLOR_RGBA2BGRA)
        width = np.linalg.norm(quad[1] - quad[0])
        shrink = width / picture.shape[1]
        if shrink < 0.75:
            picture = cv2.resize(picture, None, fx=shrink * 1.2, fy=shrink * 1.2, interpolation=cv2.INTER_AREA)
        high, wide = picture.shape[:2]
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(flat, (quad - 0.5).astype(np.float32))
        size = canvas.shape[1::-1]
        warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        alpha = warped[..., 3:].astype(np.float32) / 255
        if rng.random() < 0.6:
            shade = cv2.GaussianBlur(alpha, (0, 0), max(0.6, float(width * rng.uniform(0.01, 0.05))))[..., None]
            shade = np.roll(shade, tuple(int(v) for v in rng.normal(0, width * 0.03, 2)), axis=(0, 1))
            canvas[:] = canvas * (1 - rng.uniform(0.2, 0.6) * shade)
        canvas[:] = canvas * (1 - alpha) + warped[..., :3] * alpha
        if covered is not None:
            covered[alpha[..., 0] > 0.5] = 255

    def _cover(self, canvas: np.ndarray, covered: np.ndarray, quad: np.ndarray, width: float) -> None:
        """Another card, a finger, a coin or a straight edge over a part of the card."""
        rng = self._rng
        if rng.random() < 0.6:
            self._lay(canvas, self._pick(self._items), self._shifted(quad, width, 0.45, 1.3), covered)
            return
        shape = np.zeros_like(covered)
        at = project(homography(quad, (1, 1)), rng.uniform(0, 1, 2))
        size = width * rng.uniform(0.06, 0.3)
        axes = (max(1, int(size * rng.uniform(1, 3))), max(1, int(size)))
        cv2.ellipse(shape, tuple(int(v) for v in at), axes, rng.uniform(0, 360), 0, 360, 255, -1)
        skin = np.array([140, 170, 215]) * rng.uniform(0.3, 1.1) if rng.random() < 0.6 else rng.integers(0, 256, 3)
        canvas[shape > 0] = np.clip(skin, 0, 255)
        covered[shape > 0] = 255

    def _spoil(self, canvas: np.ndarray, width: float) -> np.ndarray:
        """Light, lens, sensor and compression."""
        rng = self._rng
        image = canvas.astype(np.float32)
        high, wide = image.shape[:2]
        gain = np.clip(rng.normal(1, 0.10, 3), 0.6, 1.35)
        if rng.random() < 0.35:  # lamps: warm or cold, but red ink stays redder than the paper
            warmth = rng.uniform(-0.2, 0.45)
            gain = gain * np.array([1 - warmth, 1 - 0.35 * warmth, 1 + 0.1 * warmth])
        image *= gain.astype(np.float32)
        image *= rng.uniform(0.3, 1.0) if rng.random() < 0.3 else rng.uniform(0.75, 1.25)
        if rng.random() < 0.6:
            corners = rng.uniform(0.55, 1.25, (2, 2)).astype(np.float32)
            image *= cv2.resize(corners, (wide, high), interpolation=cv2.INTER_LINEAR)[..., None]
        if rng.random() < 0.25:
            spot = np.zeros((high, wide), np.float32)
            at = (int(rng.integers(wide)), int(rng.integers(high)))
            axes = tuple(max(2, int(v)) for v in width * rng.uniform(0.08, 0.5, 2))
            cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, 1, -1)
            spot = cv2.GaussianBlur(spot, (0, 0), max(1.0, float(width * rng.uniform(0.03, 0.2))))
            image += spot[..., None] * rng.uniform(40, 200)
        if rng.random() < 0.3:
            image = (image - 128) * rng.uniform(0.5, 1.4) + 128
        image = self._blur(image, width)
        if rng.random() < 0.75:
            y, x = rng.integers(0, 700 - min(high, 690)), rng.integers(0, 700 - min(wide, 690))
            noise = self._noise[y : y + high, x : x + wide]
            if noise.shape == image.shape:
                image += noise * rng.uniform(0.5, 12)
        picture = np.clip(image, 0, 255).astype(np.uint8)
        if rng.random() < 0.2:
            soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.6, 1.5)))
            picture = cv2.addWeighted(picture, 2.0, soft, -1.0, 0)
        if rng.random() < 0.75:
            quality = int(rng.integers(25, 96))
            picture = cv2.imdecode(
                cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
            )
        if rng.random() < 0.03:
            picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        return picture

    def _blur(self, image: np.ndarray, width: float) -> np.ndarray:
        """Out of focus, moved, or seen with fewer pixels; the strength grows with the card's size, within reason."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.45:
            return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, min(2.6, 0.4 + width / 90))))
        if kind < 0.6:
            length = int(np.clip(rng.uniform(2, 2 + width / 22), 2, 13))
            kernel = np.zeros((length, length), np.float32)
            angle = rng.uniform(0, math.pi)
            middle, reach = (length - 1) / 2, length / 2
            start = (round(middle - reach * math.cos(angle)), round(middle - reach * math.sin(angle)))
            end = (round(middle + reach * math.cos(angle)), round(middle + reach * math.sin(angle)))
            cv2.line(kernel, start, end, 1)
            return cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-6))
        if kind < 0.72 and width > 50:
            factor = rng.uniform(0.4, 0.9)
            small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            return cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return image

    def _cut(self, picture: np.ndarray, covered: np.ndarray, item: Item, quad: np.ndarray) -> Crops:
        seen, turn, sideways = self._outline(quad)
        crops = Crops(item=item.whole)
        hidden = self._hidden_share(covered, item, quad)
        for place, window in enumerate(corner_windows(seen)):
            corner = (place + turn) % 4
            if sideways or corner not in item.boxes:
                if not item.silent:
                    crops.index.append((rectify(picture, window, INDEX_SIZE), REJECT, NO_SUIT))
                continue
            label = self._label(item, hidden[corner])
            if label is not None:
                crops.index.append((rectify(picture, window, INDEX_SIZE), *label))
        for _ in range(2):
            self._cut_index(crops, picture, item, quad, hidden)
        self._cut_astray(crops, picture, item, quad)
        if not sideways and self._shows(covered, quad):
            crops.whole = rectify(picture, seen, FACE_SIZE)
            crops.label = item.whole
        return crops

    def _outline(self, quad: np.ndarray) -> tuple[np.ndarray, int, bool]:
        """The outline (4, 2) px as the program might see it; by how many corners it is turned; whether sideways too."""
        rng = self._rng
        width = float(np.linalg.norm(quad[1] - quad[0]))
        sigma = width * (0.02 if rng.random() < 0.75 else 0.05)
        seen = quad + rng.normal(0, sigma, quad.shape) + rng.normal(0, sigma * 0.6, 2)
        turn = 2 * int(rng.integers(2))
        sideways = bool(rng.random() < 0.06)
        return np.roll(seen, -turn - int(sideways), axis=0), turn, sideways

    def _shows(self, covered: np.ndarray, quad: np.ndarray) -> bool:
        """True where enough of a card is seen to tell its face."""
        return float((covered[self._mask(covered.shape, quad)] > 0).mean()) < 0.45

    def _cut_astray(self, crops: Crops, picture: np.ndarray, item: Item, quad: np.ndarray) -> None:
        """Crops along an outline where no card lies like that, to be rejected, in every fourth photograph."""
        if self._rng.random() > 0.25:
            return
        astray = self._aside(quad)
        crops.astray = rectify(picture, astray, FACE_SIZE)
        boxes = [project(homography(quad, (1, 1)), box.astype(np.float64)).mean(axis=0) for box in item.boxes.values()]
        for window in corner_windows(astray)[:2]:
            away = [np.linalg.norm(window.mean(axis=0) - box) for box in boxes]
            if not item.silent and all(distance > 0.8 * np.linalg.norm(window[3] - window[0]) for distance in away):
                crops.index.append((rectify(picture, window, INDEX_SIZE), REJECT, NO_SUIT))

    def _aside(self, quad: np.ndarray) -> np.ndarray:
        """An outline (4, 2) px half on a card, or over a part of its picture, or around much more."""
        rng = self._rng
        centre, width = quad.mean(axis=0), float(np.linalg.norm(quad[1] - quad[0]))
        scale = rng.choice([rng.uniform(0.4, 0.7), 1.0, rng.uniform(1.4, 1.8)])
        angle = rng.uniform(0, 2 * math.pi)
        step = np.array([math.cos(angle), math.sin(angle)]) * width * (rng.uniform(0.35, 0.9) if scale == 1.0 else 0.1)
        spin = rng.normal(0, 0.4)
        turn = np.array([[math.cos(spin), -math.sin(spin)], [math.sin(spin), math.cos(spin)]])
        return np.asarray((quad - centre) @ turn.T * scale + centre + step, np.float64)

    def _cut_index(
        self, crops: Crops, picture: np.ndarray, item: Item, quad: np.ndarray, hidden: dict[int, float]
    ) -> None:
        """A crop around an index itself, as for a hidden outline; sometimes turned, and then to be rejected."""
        rng = self._rng
        if not item.boxes:
            return
        corner = list(item.boxes)[int(rng.integers(len(item.boxes)))]
        label = self._label(item, hidden[corner])
        if label is None:
            return
        box = project(homography(quad, (1, 1)), item.boxes[corner].astype(np.float64))
        box = box + rng.normal(0, 0.07 * np.linalg.norm(box[1] - box[0]), box.shape)
        turn = int(rng.integers(1, 4)) if rng.random() < 0.15 else 0
        window = np.roll(index_window(box, 1.55 * rng.uniform(0.85, 1.2)), -turn, axis=0)
        if turn:
            label = (REJECT, NO_SUIT)
        crops.index.append((rectify(picture, window, INDEX_SIZE), *label))

    @staticmethod
    def _label(item: Item, hidden: float) -> tuple[int, int] | None:
        """The label of an index of which the share `hidden` cannot be seen; None where nobody could say."""
        if hidden > 0.6:
            return REJECT, NO_SUIT
        return None if hidden > 0.12 else (item.rank, item.suit)

    @staticmethod
    def _mask(shape: tuple[int, ...], quad: np.ndarray) -> np.ndarray:
        mask = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
        return mask > 0

    def _hidden_share(self, covered: np.ndarray, item: Item, quad: np.ndarray) -> dict[int, float]:
        shares = {}
        for corner, box in item.boxes.items():
            area = self._mask(covered.shape, project(homography(quad, (1, 1)), box.astype(np.float64)))
            shares[corner] = float((covered[area] > 0).mean()) if area.any() else 0.0
        return shares
