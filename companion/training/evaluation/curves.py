"""How much a picture may be spoiled: recall and wrong names against size, blur, noise, darkness, slant, glare and more.

`python -m companion.training curves --out docs/reading` composes tables of eight separate cards of prints that nothing
trained on, 1280 × 720 px, each with one fault in growing strength and everything else as an ordinary lamp and webcam
have it. It writes `curves.json` and draws `curves.svg`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.training.evaluation.composed import names_of, plain
from companion.training.evaluation.questions import About, about
from companion.training.scenes import backgrounds, layouts, prints
from companion.training.scenes import compose as scenes
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import PictureReader

SIZE = (1280, 720)
FIRST_SEED = 86_000_000
COLUMNS, ROWS = 4, 2
USUAL = {"height": 110.0, "blur": 0.6, "noise": 3.0, "exposure": 1.0, "slant": 10.0, "glare": 0.0, "motion": 0.0,
         "cut": 0.0}  # fmt: skip
SWEEPS: dict[str, tuple[str, tuple[float, ...]]] = {
    "height": ("height of a card, px", (70, 50, 40, 35, 30, 25)),
    "blur": ("blur: standard deviation, px", (0.6, 1.2, 1.8, 2.4, 3, 4)),
    "noise": ("noise: standard deviation, grey levels", (3, 8, 16, 24, 32, 48)),
    "exposure": ("exposure: share of the usual", (1, 0.3, 0.1, 0.05, 0.03, 0.02)),
    "slant": ("slant of the camera, degrees", (0, 20, 35, 50, 60, 68)),
    "glare": ("glare on one index: grey levels added", (0, 60, 120, 180, 240, 320)),
    "motion": ("motion: length, px", (0, 3, 6, 9, 12, 16)),
    "cut": ("cut off by the picture's edge, share of a card", (0, 0.1, 0.2, 0.3, 0.4, 0.5)),
}
"""What is swept: a name for people, and the strengths, the mildest first."""


@dataclass(frozen=True, slots=True)
class Point:
    """One strength of one fault: the shares of cards read and of wrong names, and questions about nothing a scene."""

    strength: float
    cards: int
    recall: float
    wrong: float
    needless: float


def table(seed: int, designs: Sequence[prints.Print], faults: dict[str, float]) -> scenes.Scene:
    """A table of eight separate cards of one print, with these faults."""
    rng = np.random.default_rng([seed, 5])
    width, height = SIZE
    unit = faults["height"] / layouts.TALL
    lean = math.radians(faults["slant"])
    tilt = np.array([[1, 0, 0], [0, math.cos(lean), 0], [0, -math.sin(lean) / (2.2 * width), 1]])
    homography = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]]) @ tilt @ np.diag([unit, unit, 1.0])
    design = designs[int(rng.integers(len(designs)))]
    faces = [face for face in sorted(design.faces) if face in design.indexed]
    surface = backgrounds.surface(rng, height, width, backgrounds.Bank())
    chosen = rng.choice(faces, COLUMNS * ROWS, replace=False).tolist()

    def laid() -> Iterator[tuple[str, prints.Print, layouts.Place]]:
        for number, face in enumerate(chosen):
            column, row = number % COLUMNS, number // COLUMNS
            angle = float(rng.normal(0, 0.25) + math.pi * rng.integers(2))
            place = layouts.Place((column - 1.5) * 1.75, (row - 0.5) * 2.1, angle)
            if faults["cut"]:
                picture = design.faces[face]
                away = height / 2 / unit - (0.5 - faults["cut"]) * picture.shape[0] / picture.shape[1]
                place = layouts.Place(place.x, away if row else -away, float(math.pi * rng.integers(2)))
            yield face, design, place

    image, labels = scenes.lay(rng, surface, homography, laid())
    return scenes.Scene(spoiled(rng, image.astype(np.float32), labels, faults), labels)


def spoiled(
    rng: np.random.Generator, image: np.ndarray, cards: Sequence[scenes.CardLabel], faults: dict[str, float]
) -> np.ndarray:
    """The painted table as the camera stores it: glare, motion, blur, exposure, noise, JPEG."""
    height, width = image.shape[:2]
    if faults["glare"]:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        for card in cards:
            middle = card.indices[0].quad.mean(axis=0)
            reach = 0.3 * faults["height"] / layouts.TALL
            image = (
                image + faults["glare"] * np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / reach**2)[..., None]
            )
    length = round(faults["motion"])
    if length > 1:
        image = cv2.filter2D(image, -1, np.eye(length, dtype=np.float32) / length)
    image = cv2.GaussianBlur(image, (0, 0), faults["blur"]) * faults["exposure"]
    stored = np.clip(image + rng.normal(0, faults["noise"] * min(1.0, faults["exposure"] + 0.2), image.shape), 0, 255)
    _, data = cv2.imencode(".jpg", stored.astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])


def sweep(
    reader: PictureReader, designs: Sequence[prints.Print], fault: str, count: int, said: Callable[[str], None] = print
) -> list[Point]:
    """The points of one fault, over `count` tables each."""
    out = []
    for strength in SWEEPS[fault][1]:
        cards = met = wrong = needless = 0
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            scene = table(seed, designs, USUAL | {fault: strength})
            result = reader.read(np.ascontiguousarray(scene.image[..., ::-1]))
            names = names_of(result)
            lying = [plain(card.face) for card in scene.cards if card.face]
            cards += len(lying)
            met += sum(names[face] > 0 for face in lying)
            wrong += sum((names - type(names)(lying)).values())
            needless += sum(kind is not About.CARD for _, kind in about(scene, result))
        out.append(Point(strength, cards, round(met / cards, 4), round(wrong / cards, 4), round(needless / count, 3)))
        said(f"{fault} {strength:g}: {out[-1]}")
    return out


def svg(curves: dict[str, list[Point]]) -> str:
    """The curves as a picture: recall in green, wrong names in red."""
    wide, high, pad = 250, 150, 34
    parts = []
    for number, (fault, points) in enumerate(curves.items()):
        left, top = 20 + number % 4 * (wide + 20), 20 + number // 4 * (high + pad + 20)
        step = wide / max(1, len(points) - 1)
        for name, colour in (("recall", "#0b7a3b"), ("wrong", "#c8102e")):
            line = " ".join(
                f"{left + k * step:.0f},{top + high * (1 - getattr(point, name)):.0f}" for k, point in enumerate(points)
            )
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<path d="M{left} {top}v{high}h{wide}" fill="none" stroke="#888"/>')
        parts.append(f'<text x="{left}" y="{top - 5}">{SWEEPS[fault][0]}</text>')
        parts += [
            f'<text x="{left + k * step:.0f}" y="{top + high + 14}" text-anchor="middle">{point.strength:g}</text>'
            for k, point in enumerate(points)
        ]
    size = 20 + 4 * (wide + 20), 20 + -(-len(curves) // 4) * (high + pad + 20)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif"'
    return f'{head} font-size="11"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training curves", description=__doc__)
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--scenes", type=int, default=5, help="tables for each point")
    parser.add_argument("--only", nargs="*", choices=list(SWEEPS), default=list(SWEEPS), metavar="FAULT")
    parser.add_argument("--out", type=Path, required=True, help="folder for curves.json and curves.svg")
    given = parser.parse_args(argv)
    reader = TwoPassReader(Reader(given.models))
    designs = [one for one in prints.load_prints("heldout", 16) if one.source == "invented"]
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / "curves.json"
    kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for fault in given.only:
        kept[fault] = [
            {name: getattr(point, name) for name in Point.__slots__}
            for point in sweep(reader, designs, fault, given.scenes)
        ]
        file.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    curves = {fault: [Point(**row) for row in kept[fault]] for fault in SWEEPS if fault in kept}
    (given.out / "curves.svg").write_text(svg(curves), "utf-8")
    return 0
