"""Tables, cloths and clutter: what lies under, beside and on the cards.

Everything is RGB, uint8, and drawn from the random generator handed in. `Bank` adds real textures when the machine
has some: Debian's desktop wallpapers, and the parts outside the labelled cards of photographs that may train.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

Rng = np.random.Generator
WALLPAPERS = (Path("/usr/share/backgrounds"), Path("/usr/share/wallpapers"))


@dataclass(slots=True)
class Bank:
    """Real textures: `pictures` are wallpapers, `patches` card-free parts of photographs (both may be empty)."""

    pictures: list[np.ndarray] = field(default_factory=list)
    patches: list[np.ndarray] = field(default_factory=list)


def load_bank(photos: Path | None, limit: int = 120) -> Bank:
    """Read at most `limit` wallpapers (longer side 900 px) and the permitted patches of the photographs."""
    bank = Bank()
    found = sorted(p for root in WALLPAPERS for p in root.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    unique = {p.stat().st_size: p for p in found if p.is_file() and p.stat().st_size > 60_000}
    for path in sorted(unique.values())[:limit]:
        image = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
        if image is None or min(image.shape[:2]) < 300:
            continue
        scale = 900 / max(image.shape[:2])
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        bank.pictures.append(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    if photos is not None:
        bank.patches = _patches(photos / "edje-tf-cards")
    return bank


def _patches(base: Path) -> list[np.ndarray]:
    """The largest card-free side strips of every "may train" photograph of the folder."""
    out: list[np.ndarray] = []
    if not (base / "manifest.jsonl").exists():
        return out
    for line in (base / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        boxes = [c.get("bbox") for c in row["cards"]]
        if row.get("use") != "may train" or not boxes or None in boxes:
            continue
        image = cv2.imread(str(base / row["file"]))
        if image is None:
            continue
        strip = card_free(image, boxes)
        if strip is not None:
            out.append(cv2.cvtColor(strip, cv2.COLOR_BGR2RGB))
    return out


def card_free(image: np.ndarray, boxes: list, least: int = 90) -> np.ndarray | None:
    """The largest strip beside all card boxes (x, y, width, height px), if `least` px wide."""
    h, w = image.shape[:2]
    pad = 12
    x0, y0 = min(b[0] for b in boxes) - pad, min(b[1] for b in boxes) - pad
    x1, y1 = max(b[0] + b[2] for b in boxes) + pad, max(b[1] + b[3] for b in boxes) + pad
    strips = [image[:, : max(0, x0)], image[:, min(w, x1) :], image[: max(0, y0)], image[min(h, y1) :]]
    strips = [s for s in strips if min(s.shape[:2]) >= least]
    return max(strips, key=lambda s: s.shape[0] * s.shape[1], default=None)


def clouds(rng: Rng, h: int, w: int, cell: float) -> np.ndarray:
    """Smooth noise 0..1, float32, blobs about `cell` px large."""
    gh, gw = max(2, int(h / cell) + 2), max(2, int(w / cell) + 2)
    grid = rng.random((gh, gw)).astype(np.float32)
    return np.clip(cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC), 0, 1)


def _colour(rng: Rng, low: int = 10, high: int = 245) -> np.ndarray:
    return rng.integers(low, high, 3).astype(np.float32)


def _mix(field_: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a + (b - a) * field_[..., None]


def _wood(rng: Rng, h: int, w: int) -> np.ndarray:
    stretch = float(rng.uniform(8, 30))
    grain = cv2.resize(clouds(rng, h, max(8, int(w / stretch)), rng.uniform(3, 14)), (w, h))
    rings = 0.5 + 0.5 * np.sin(grain * rng.uniform(6, 40) + np.linspace(0, rng.uniform(2, 30), h)[:, None])
    tones = np.array(
        [[120, 75, 40], [190, 140, 90], [80, 48, 30], [222, 190, 150], [150, 90, 50], [60, 40, 30]], np.float32
    )
    a = tones[rng.integers(len(tones))] + rng.normal(0, 10, 3)
    out = _mix(np.clip(0.7 * rings + 0.3 * grain, 0, 1).astype(np.float32), a, a * rng.uniform(0.6, 0.92))
    if rng.random() < 0.4:
        step = int(rng.uniform(40, 140))
        for y in range(int(rng.integers(step)), h, step):
            out[y : y + 2] *= 0.6
    return np.rot90(out).copy() if rng.random() < 0.5 and h == w else out


def _felt(rng: Rng, h: int, w: int) -> np.ndarray:
    bases = np.array(
        [[25, 95, 55], [20, 70, 120], [130, 20, 35], [60, 60, 65], [30, 30, 30], [90, 50, 110], [40, 120, 90]],
        np.float32,
    )
    base = bases[rng.integers(len(bases))] * rng.uniform(0.6, 1.4)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), rng.uniform(0.5, 1.6))
    return base + fine[..., None] * rng.uniform(3, 22) + (clouds(rng, h, w, 90)[..., None] - 0.5) * rng.uniform(0, 30)


def _weave(rng: Rng, h: int, w: int) -> np.ndarray:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    p, q = rng.uniform(2.5, 14, 2)
    field_ = 0.5 + 0.25 * np.sin(x * 6.28 / p) + 0.25 * np.sin(y * 6.28 / q)
    return _mix(field_.astype(np.float32), _colour(rng), _colour(rng))


def _checks(rng: Rng, h: int, w: int) -> np.ndarray:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    a = rng.uniform(0, 1.57)
    u, v = x * np.cos(a) + y * np.sin(a), y * np.cos(a) - x * np.sin(a)
    p = rng.uniform(12, 110)
    kind = rng.integers(4)
    if kind == 0:
        m = ((u // p).astype(int) + (v // p).astype(int)) % 2
    elif kind == 1:
        m = (u // p).astype(int) % 2
    elif kind == 2:
        m = ((u % p < p * 0.12) | (v % p < p * 0.12)).astype(int)
    else:
        m = ((u // p).astype(int) % 2 + (v // p).astype(int) % 2) / 2
    return _mix(m.astype(np.float32), _colour(rng), _colour(rng))


def _marble(rng: Rng, h: int, w: int) -> np.ndarray:
    f = np.abs(clouds(rng, h, w, 60) + 0.5 * clouds(rng, h, w, 25) + 0.25 * clouds(rng, h, w, 9) - 0.9)
    return _mix(np.clip(f * rng.uniform(1, 4), 0, 1), _colour(rng, 20, 250), _colour(rng, 20, 250))


def _print_cloth(rng: Rng, h: int, w: int) -> np.ndarray:
    """A patterned cloth: one small motif repeated in rows."""
    out = np.empty((h, w, 3), np.float32)
    out[:] = _colour(rng)
    p = int(rng.uniform(18, 80))
    ink = tuple(float(v) for v in _colour(rng))
    shape = rng.integers(3)
    for j, y in enumerate(range(0, h + p, p)):
        for x in range((j % 2) * p // 2, w + p, p):
            if shape == 0:
                cv2.circle(out, (x, y), max(2, p // 4), ink, -1, cv2.LINE_AA)
            elif shape == 1:
                cv2.ellipse(out, (x, y), (p // 3, p // 7), float(45 * (j % 4)), 0, 360, ink, -1, cv2.LINE_AA)
            else:
                cv2.drawMarker(out, (x, y), ink, cv2.MARKER_STAR, p // 2, 2)
    return out


def _plain(rng: Rng, h: int, w: int) -> np.ndarray:
    value = rng.uniform(5, 250) if rng.random() < 0.5 else None
    a = _colour(rng) if value is None else np.full(3, value, np.float32) + rng.normal(0, 6, 3).astype(np.float32)
    return np.ones((h, w, 1), np.float32) * a


def _texture(rng: Rng, pictures: list[np.ndarray], h: int, w: int) -> np.ndarray:
    """A random crop of a real picture, turned, scaled to fill."""
    picture = pictures[int(rng.integers(len(pictures)))]
    ph, pw = picture.shape[:2]
    side = int(min(ph, pw) * rng.uniform(0.45, 1))
    y, x = int(rng.integers(ph - side + 1)), int(rng.integers(pw - side + 1))
    part = np.rot90(picture[y : y + side, x : x + side], int(rng.integers(4)))
    return cv2.resize(
        np.ascontiguousarray(part), (w, h), interpolation=cv2.INTER_AREA if side > w else cv2.INTER_LINEAR
    ).astype(np.float32)


def surface(rng: Rng, h: int, w: int, bank: Bank) -> np.ndarray:
    """One table surface, h×w×3 RGB uint8: drawn, or a crop of the bank's textures."""
    roll = rng.random()
    if bank.patches and roll < 0.22:
        out = _texture(rng, bank.patches, h, w)
    elif bank.pictures and roll < 0.4:
        out = _texture(rng, bank.pictures, h, w)
    else:
        makers = (_wood, _wood, _felt, _felt, _weave, _checks, _marble, _print_cloth, _plain, _plain)
        out = makers[int(rng.integers(len(makers)))](rng, h, w)
    if rng.random() < 0.5:
        out = out + rng.normal(0, rng.uniform(1, 9), (h, w, 1))
    return np.clip(out, 0, 255).astype(np.uint8)


def cloth(rng: Rng, h: int, w: int, kind: str) -> np.ndarray:
    """A patterned table cloth, h×w×3 RGB uint8: `checks` or `prints`."""
    out = {"checks": _checks, "prints": _print_cloth}[kind](rng, h, w)
    return np.clip(out, 0, 255).astype(np.uint8)


def _quad(rng: Rng, cx: float, cy: float, w: float, h: float) -> np.ndarray:
    a = rng.uniform(0, 6.28)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return (corners * (1 + rng.normal(0, 0.04, (4, 1)))) @ turn + [cx, cy]


def _sheet(rng: Rng, image: np.ndarray, at: tuple[float, float], unit: float) -> None:
    """Paper, a book, a phone, a notebook: a rectangle with print-like content, clearly not a card in proportion."""
    w = unit * rng.uniform(0.5, 3.5)
    h = w * rng.choice([0.25, 0.45, 1.0, 1.15, 1.95, 2.4])
    quad = _quad(rng, at[0], at[1], w, h)
    white = rng.random() < 0.6
    paper = tuple(int(v) for v in (rng.integers(205, 256, 3) if white else rng.integers(5, 220, 3)))
    cv2.fillConvexPoly(image, np.int32(quad), paper, cv2.LINE_AA)
    if rng.random() < 0.65:
        ink = tuple(int(v) for v in rng.integers(0, 140, 3))
        along, down = (quad[1] - quad[0]), (quad[3] - quad[0])
        for k in range(int(rng.integers(3, 14))):
            t = (k + 1) / 15
            a = quad[0] + down * t + along * 0.1
            b = a + along * rng.uniform(0.3, 0.8)
            cv2.line(
                image,
                np.int32(a).tolist(),
                np.int32(b).tolist(),
                ink,
                max(1, int(unit * rng.uniform(0.01, 0.06))),
                cv2.LINE_AA,
            )
    if rng.random() < 0.3:
        p = quad.mean(0) + rng.normal(0, w * 0.1, 2)
        text = str(rng.choice(["7", "A", "K", "10", "SALE", "No. 5", "Q3", "JOURNAL", "8:30"]))
        cv2.putText(
            image,
            text,
            np.int32(p).tolist(),
            int(rng.integers(0, 8)),
            unit / 60 * rng.uniform(0.4, 2),
            tuple(int(v) for v in rng.integers(0, 160, 3)),
            max(1, int(unit / 40)),
            cv2.LINE_AA,
        )


def _disc(rng: Rng, image: np.ndarray, at: tuple[float, float], unit: float) -> None:
    """A coin, a chip, a cup's rim."""
    r = max(2, int(unit * rng.uniform(0.12, 0.6)))
    colour = tuple(
        int(v)
        for v in (
            np.array([[185, 160, 90], [190, 190, 195], [160, 100, 60], [200, 30, 30], [240, 240, 235]])[rng.integers(5)]
            * rng.uniform(0.7, 1)
        )
    )
    centre = (int(at[0]), int(at[1]))
    cv2.circle(image, centre, r, colour, -1, cv2.LINE_AA)
    cv2.circle(image, centre, max(1, int(r * 0.8)), tuple(int(v * 0.75) for v in colour), max(1, r // 9), cv2.LINE_AA)


def _cable(rng: Rng, image: np.ndarray, at: tuple[float, float], unit: float) -> None:
    """A cable, a pen, a string: a smooth thick line."""
    t = np.linspace(0, 1, 40)[:, None]
    p = [np.array(at) + rng.normal(0, unit * 2.5, 2) for _ in range(4)]
    curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    cv2.polylines(
        image,
        [np.int32(curve)],
        False,
        tuple(int(v) for v in rng.integers(0, 255, 3)),
        max(1, int(unit * rng.uniform(0.02, 0.14))),
        cv2.LINE_AA,
    )


def _fingers(rng: Rng, image: np.ndarray, at: tuple[float, float], unit: float) -> None:
    """A hand-like blob reaching in from outside: a palm and some fingers, softly shaded."""
    skin = np.array([[236, 188, 160], [198, 140, 105], [141, 90, 60], [90, 58, 40], [245, 208, 190]])[
        rng.integers(5)
    ] * rng.uniform(0.75, 1.05)
    angle = rng.uniform(0, 6.28)
    away = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-away[1], away[0]])
    palm = np.array(at) + away * unit * rng.uniform(0.9, 1.6)
    thick = max(2, int(unit * rng.uniform(0.2, 0.32)))
    count = int(rng.integers(1, 5))
    for k in range(count):
        tip = np.array(at) + side * (k - count / 2) * thick * 1.05 + away * rng.normal(0, unit * 0.15)
        shade = tuple(int(v) for v in np.clip(skin * rng.uniform(0.88, 1.05), 0, 255))
        root = palm + side * (k - count / 2) * thick * 0.9
        cv2.line(
            image,
            np.int32(root).tolist(),
            np.int32(tip).tolist(),
            tuple(int(v * 0.8) for v in shade),
            thick,
            cv2.LINE_AA,
        )
        cv2.line(image, np.int32(root).tolist(), np.int32(tip).tolist(), shade, max(1, int(thick * 0.8)), cv2.LINE_AA)
        nail = np.int32(tip - away * thick * 0.1).tolist()
        cv2.ellipse(
            image,
            nail,
            (max(1, thick // 4), max(1, thick // 5)),
            float(np.degrees(angle)),
            0,
            360,
            tuple(int(min(255, v * 1.12)) for v in shade),
            -1,
            cv2.LINE_AA,
        )
    cv2.line(
        image,
        np.int32(palm).tolist(),
        np.int32(palm + away * unit * 4).tolist(),
        tuple(int(v) for v in np.clip(skin * 0.95, 0, 255)),
        max(3, int(thick * 3.2)),
        cv2.LINE_AA,
    )


def clutter(rng: Rng, image: np.ndarray, unit: float, on_cards: bool) -> np.ndarray:
    """Draw one thing about `unit` px large into `image` (in place) and return the mask of pixels it changed.

    `on_cards` chooses things that lie on cards (coins, fingers, cables) rather than beside them.
    """
    h, w = image.shape[:2]
    before = image.copy()
    at = (float(rng.uniform(0, w)), float(rng.uniform(0, h)))
    makers = (_disc, _fingers, _fingers, _cable) if on_cards else (_sheet, _sheet, _disc, _cable, _fingers)
    makers[int(rng.integers(len(makers)))](rng, image, at, unit)
    return (before != image).any(2)


def table_top(rng: Rng, h: int, w: int) -> np.ndarray:
    """What people play on, h×w×3 RGB uint8, calm enough to play on: felt, wood, cloth, stone or plain."""
    makers = (_felt, _felt, _felt, _wood, _wood, _weave, _plain)
    out = makers[int(rng.integers(len(makers)))](rng, h, w)
    level = float(out.mean())
    out = level + (out - level) * min(1.0, 22 / max(float(out.std()), 1.0))  # patterns of a table, not of a test chart
    return np.clip(out + rng.normal(0, 2.0, (h, w, 1)), 0, 255).astype(np.uint8)
