"""From a painted scene to a photograph: light, glare, casts, blur, noise, compression.

`harsh` 0..1 scales every fault, how strong and how frequent it is: 1 is for training, worse than most rooms are; 0.35
an ordinary lamp and an ordinary webcam in focus.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.training.scenes.backgrounds import clouds

Rng = np.random.Generator


def _lit(rng: Rng, image: np.ndarray, harsh: float) -> np.ndarray:
    """Uneven light: a gradient, soft shadows, at times a hard shadow edge or a bright blob that washes print out."""
    h, w = image.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    a = rng.uniform(0, 6.28)
    ramp = ((x - w / 2) * np.cos(a) + (y - h / 2) * np.sin(a)) / max(h, w)
    field = 1 + ramp * rng.uniform(0, 0.9 * harsh)
    if rng.random() < 0.35:
        field *= 1 - clouds(rng, h, w, max(h, w) / 3) * rng.uniform(0.1, 0.55) * harsh
    if rng.random() < 0.15 * harsh:
        edge = np.clip((ramp * max(h, w) + rng.uniform(-0.3, 0.3) * w) / rng.uniform(1, 12), 0, 1)
        field *= 1 - edge * rng.uniform(0.2, 0.6)
    image *= field[..., None]
    if rng.random() < 0.22 * harsh:
        for _ in range(int(rng.integers(1, 4))):
            cx, cy = rng.uniform(0, w), rng.uniform(0, h)
            sx, sy = rng.uniform(0.03, 0.3, 2) * w
            blob = np.exp(-(((x - cx) / sx) ** 2) - ((y - cy) / sy) ** 2)
            image += blob[..., None] * rng.uniform(40, 230) * harsh
    return image


def _toned(rng: Rng, image: np.ndarray, harsh: float) -> np.ndarray:
    """Exposure, contrast, colour cast, at times grey."""
    if rng.random() < 0.7:
        image = image * (1 + rng.normal(0, 0.09 * harsh, 3)).astype(np.float32)
    if rng.random() < 0.15 * harsh:
        image = image * np.array([1.12, 1.0, rng.uniform(0.55, 0.85)], np.float32)
    gain = float(np.exp(rng.normal(0, 0.25 * harsh)))
    floor = float(rng.uniform(0, 50)) * harsh if rng.random() < 0.3 else 0.0
    image = floor + image * gain * (1 - floor / 255)
    image = 255 * np.clip(image / 255, 0, 1) ** float(np.exp(rng.normal(0, 0.2 * harsh)))
    if rng.random() < 0.05 * harsh:
        image = np.repeat(image.mean(2, keepdims=True), 3, axis=2)
    return image


def _blurred(rng: Rng, image: np.ndarray, unit: float, harsh: float) -> np.ndarray:
    """Defocus, motion or the softness of a small sensor, milder where cards are small."""
    roll, limit = rng.random(), 0.35 + unit / 60
    if roll < 0.45:
        return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 0.3 + (min(2.2, limit) - 0.3) * harsh)))
    if roll < 0.45 + 0.12 * harsh:
        n = max(2, int(rng.uniform(2, 2 + (min(10, 2 + unit / 14) - 2) * harsh)))
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, int(rng.integers(n))), (n - 1, int(rng.integers(n))), 1)
        kernel = kernel if rng.random() < 0.5 else kernel.T.copy()
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    if roll < 0.45 + 0.22 * harsh:
        h, w = image.shape[:2]
        k = float(rng.uniform(0.5, 0.85)) if unit > 40 else 0.85
        return cv2.resize(
            cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (w, h), interpolation=cv2.INTER_LINEAR
        )
    if roll < 0.45 + 0.3 * harsh:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        return np.clip(image + (image - soft) * float(rng.uniform(0.5, 1.8)), 0, 255)
    return image


def photograph(rng: Rng, painted: np.ndarray, unit: float, harsh: float = 1.0) -> np.ndarray:
    """The painted scene (RGB uint8) as a camera would store it; `unit` is a card's width in px."""
    image = _toned(rng, _lit(rng, painted.astype(np.float32), harsh), harsh)
    image = _blurred(rng, image.astype(np.float32), unit, harsh)
    if rng.random() < 0.7:
        sigma = float(rng.uniform(0.5, 0.5 + 9.5 * harsh))
        h, w = image.shape[:2]
        image = image + (rng.normal(0, sigma, (h, w, 3)) if rng.random() < 0.5 else rng.normal(0, sigma, (h, w, 1)))
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        quality = int(rng.uniform(95 - 70 * harsh, 95))
        _, data = cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
    return np.ascontiguousarray(out)
