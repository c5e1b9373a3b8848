"""What a camera shows of one face: a crop as `companion.vision.decks` cuts it from a picture, with all that goes wrong.

The card lies on some table, a little aslant, under some light, small or large, at times partly under another card; its
outline is a few per cent off.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.decks.crops import rectified, visible

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Conditions:
    """How bad a view may be: `widths` of the card px, `harsh` of the light (see `scenes.light`), `off` of the outline's
    corners (share of the card's width), `covered`: how often another card lies on it, `inner`: how often sides of the
    outline lie on a line that is printed inside. `far`: how near to its middle the other card lies (0..1); `known`: how
    often it is known where, `below`: how often it lies below."""

    widths: tuple[float, float]
    harsh: float
    off: float
    covered: float
    inner: float = 0.0
    far: tuple[float, float] = (0.25, 0.75)
    known: float = 0.0
    below: float = 0.0


PLAIN = Conditions((76, 150), 0.4, 0.012, 0.0)
SAMPLE = Conditions((100, 220), 0.35, 0.008, 0.0)


def view(rng: Rng, face: np.ndarray, how: Conditions, cover: np.ndarray | None = None, times: int = 1) -> np.ndarray:
    """A crop (height, width, 3) BGR of `face` (RGBA), `times` as large; `cover` is what may lie on it."""
    return view_and_seen(rng, face, how, cover, times)[0]


def view_and_seen(
    rng: Rng, face: np.ndarray, how: Conditions, cover: np.ndarray | None = None, times: int = 1
) -> tuple[np.ndarray, np.ndarray | None]:
    """The same, and where the crop shows the card (`crops.visible`), as far as it is known: None where nothing seems to
    lie on it. At times that is wrong: what seems to lie on it lies below."""
    width = float(np.exp(rng.uniform(*np.log(how.widths))))
    tall = width * face.shape[0] / face.shape[1]
    pad = 0.22 * width
    size = (int(width + 2 * pad), int(tall + 2 * pad))
    corners = np.array([[0, 0], [width, 0], [width, tall], [0, tall]]) + pad
    slant = rng.normal(0, 0.03, (4, 2)) * width
    quad = corners + slant
    canvas = np.empty((size[1], size[0], 3), np.float32)
    canvas[:] = rng.integers(10, 235, 3)
    canvas += cv2.resize(rng.normal(0, 18, (7, 6)).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)[..., None]
    _paste(canvas, face, quad)
    over = None
    if cover is not None and rng.random() < how.covered:
        far = rng.uniform(*how.far)
        way = rng.uniform(0, 2 * np.pi)
        shift = np.array([np.cos(way) * width, np.sin(way) * tall]) * (1 - far * 0.8)
        turn = rng.normal(0, 0.5) if rng.random() < 0.6 else rng.uniform(0, 6.28)
        c, s = np.cos(turn), np.sin(turn)
        middle = corners.mean(axis=0)
        over = (corners - middle) @ np.array([[c, s], [-s, c]]) + middle + shift
        if rng.random() > how.below:
            _paste(canvas, cover, over)
        over = over + rng.normal(0, how.off, (4, 2)) * width if rng.random() < how.known else None
    shown = _photographed(rng, canvas, width, how.harsh)
    outline = quad + rng.normal(0, how.off, (4, 2)) * width
    if rng.random() < 0.3:
        middle = outline.mean(axis=0)
        outline = middle + (outline - middle) * rng.normal(1, how.off * 2)
    if how.inner and rng.random() < how.inner:
        outline = _inside(rng, outline)
    seen = None if over is None else visible(outline, [over])
    return rectified(shown, outline[None], times)[0], seen


def _inside(rng: Rng, outline: np.ndarray) -> np.ndarray:
    """An outline some of whose sides are found too far in; at times a corner is not found at all."""
    along = np.roll(outline, -1, axis=0) - outline
    wide = float(np.hypot(*along[0]))
    inwards = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(along[:, 0], along[:, 1])[:, None]
    sides = (rng.random(4) < 0.6) * rng.uniform(0.02, 0.1) * wide
    moved = outline + inwards * sides[:, None] + np.roll(inwards * sides[:, None], 1, axis=0)
    if rng.random() < 0.15:
        moved[int(rng.integers(4))] += rng.normal(0, 0.12, 2) * wide
    return moved


_NOISE = np.random.default_rng(1).normal(0, 1, (640, 640, 3)).astype(np.float32)


def _photographed(rng: Rng, canvas: np.ndarray, width: float, harsh: float) -> np.ndarray:
    """The canvas (RGB, float) as a camera stores it, BGR: what `scenes.light` does, cheaper as the picture is small."""
    h, w = canvas.shape[:2]
    slope = rng.normal(0, 0.25 * harsh, 2)
    ramp = np.linspace(-slope[0], slope[0], h)[:, None] + np.linspace(-slope[1], slope[1], w)[None]
    gain = np.exp(rng.normal(0, 0.3 * harsh)) * (1 + rng.normal(0, 0.09 * harsh, 3))
    canvas = canvas * (1 + ramp)[..., None].astype(np.float32) * gain.astype(np.float32)
    if rng.random() < 0.3 * harsh:  # glare or a soft shadow
        at, wide = rng.uniform(0, [h, w]), rng.uniform(0.1, 0.6, 2) * width
        fall = np.exp(-(((np.arange(h) - at[0]) / wide[0]) ** 2))[:, None] * np.exp(
            -(((np.arange(w) - at[1]) / wide[1]) ** 2)
        )
        canvas += fall[..., None].astype(np.float32) * rng.uniform(-110, 200) * harsh
    if rng.random() < 0.3:
        canvas += (rng.uniform(0, 45) * harsh - canvas * 0.1).astype(np.float32)
    canvas = 255 * np.clip(canvas / 255, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.25 * harsh)))
    roll = rng.random()
    if roll < 0.5:
        canvas = cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.3, 0.5 + 2.2 * harsh * width / 160))
    elif roll < 0.6:
        n = int(rng.integers(2, 3 + round(5 * harsh)))
        canvas = cv2.blur(canvas, (n, 1) if rng.random() < 0.5 else (1, n))
    elif roll < 0.8:
        k = float(rng.uniform(0.55, 0.9))
        canvas = cv2.resize(cv2.resize(canvas, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (w, h))
    elif roll < 0.9:
        canvas += (canvas - cv2.GaussianBlur(canvas, (0, 0), 1.2)) * float(rng.uniform(0.4, 1.5))
    y, x = int(rng.integers(640 - min(h, 600))), int(rng.integers(640 - min(w, 600)))
    noise = _NOISE[y : y + h, x : x + w]
    if noise.shape[:2] == (h, w):
        canvas = canvas + (noise if rng.random() < 0.5 else noise[..., :1]) * np.float32(
            rng.uniform(0.3, 1 + 8 * harsh)
        )
    out = np.clip(canvas, 0, 255).astype(np.uint8)[..., ::-1]
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(95 - 65 * harsh, 95))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(out)


def _paste(canvas: np.ndarray, face: np.ndarray, quad: np.ndarray) -> None:
    h, w = face.shape[:2]
    long = float(np.hypot(*(quad[1] - quad[0])))
    if w > 1.5 * long:
        w, h = int(long * 1.2), int(h * long * 1.2 / w)
        face = cv2.resize(face, (w, h), interpolation=cv2.INTER_AREA)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    layer = cv2.warpPerspective(face, warp, canvas.shape[1::-1], flags=cv2.INTER_LINEAR)
    alpha = layer[..., 3:].astype(np.float32) / 255
    canvas += (layer[..., :3] - canvas) * alpha
