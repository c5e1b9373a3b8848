"""Measures true duplicates on photographs: cards cut out of photographs, pasted on photographed tables.

`python -m companion.training doubles [--models DIR] [--scenes N] [--json FILE] [--pictures DIR]`

Nobody has photographs of a double deck with labels, so they are pasted together from the permitted ones
(`photo_cards`): in every scene some cards lie there twice or three times, one and the same card of a deck, where there
are several from different photographs. The pasting gives exact labels, also of what covers what. All cards take the
light of the photograph that the table is from; the picture is softened, gets noise and is stored as JPEG.

These photographs trained the reader (the tables and the indices on these very cut-outs), so its names are better here
than on a deck it does not know. What this measures is counting: two equal cards are two, a card with two visible
corners is one. The protocol is that of composed scenes (`composed`); none of
these cards lies face down.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.training.evaluation.composed import Count, is_settled, miscounted, names_of, truth
from companion.training.scenes import compose as scenes
from companion.training.scenes import layouts, photo_cards, prints
from companion.vision.annotate import annotate
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import PictureReader

Rng = np.random.Generator
FIRST_SEED = 88_000_000
SIZE = (1280, 720)
WIDTHS = (50.0, 150.0)  # of a card, px: what the photographs are sharp enough for
MOST_CARDS = 30
APART, OVERLAPPING = ("grid", "scatter"), ("hands", "trick", "spread", "columns", "fan", "pile")


@dataclass(frozen=True, slots=True)
class Collage:
    """Pastes scenes; one seed and arrangement, one scene. `size` is (width, height) in px."""

    sources: list[photo_cards.Source]
    tables: list[photo_cards.Table]
    size: tuple[int, int] = SIZE

    def paste(self, seed: int, arrangement: str) -> tuple[scenes.Scene, str]:
        """The scene, and the name of the deck in it."""
        rng = np.random.default_rng([seed, 77])
        source = self.sources[int(rng.integers(len(self.sources)))]
        table = self.tables[int(rng.integers(len(self.tables)))]
        unit = float(np.exp(rng.uniform(*np.log(WIDTHS))))
        homography = scenes.camera(rng, self.size, unit)
        width, height = self.size
        places = layouts.invent(rng, width / unit, height / unit, arrangement)[:MOST_CARDS]
        canvas = scenes.Canvas(laid(rng, table, unit, self.size), np.full((height, width), -1, np.int16))
        placed: list[tuple] = []
        for place, one in zip(places, deal(rng, source, len(places), unit), strict=True):
            aspect = one.picture.shape[0] / one.picture.shape[1]
            quad = scenes.placed_quad(homography, place, aspect)
            if (quad.max(0) < 2).any() or (quad.min(0) > [width - 2, height - 2]).any():
                continue
            lamp = np.random.default_rng([seed, 78])  # one light for all: every card throws the same shadow
            canvas.paste(in_light(rng, one, table.paper), quad, len(placed), lamp)
            placed.append((one.face, source.design, quad, place, aspect))
        labels = tuple(scenes.Composer.label(homography, canvas.owner, k, p) for k, p in enumerate(placed))
        return scenes.Scene(taken(rng, canvas.image), labels), source.name


def deal(rng: Rng, source: photo_cards.Source, count: int, unit: float) -> list[photo_cards.Cut]:
    """`count` cards, some faces of them twice or three times; copies from different photographs where there are any.

    In half of the scenes equal cards follow each other.
    """
    faces = [sorted(source.cuts)[k] for k in rng.permutation(len(source.cuts))]
    doubled = int(rng.integers(1, max(2, count // 3 + 1)))
    copies = [int(rng.choice([2, 2, 2, 3])) if k < doubled else 1 for k in range(len(faces))]
    laps = range(1 + count // sum(copies))
    row = [(k, copy + lap * n) for lap in laps for k, n in enumerate(copies) for copy in range(n)][:count]
    if rng.random() < 0.5:
        row = [row[k] for k in rng.permutation(count)]
    else:
        blocks = {k: [card for card in row if card[0] == k] for k, _ in row}
        row = [card for k in rng.permutation(sorted(blocks)) for card in blocks[int(k)]]
    photographs = {}
    for face in faces:
        sharp = [one for one in source.cuts[face] if one.picture.shape[1] >= 0.75 * unit]
        found = sharp if len(sharp) >= 3 else source.cuts[face]
        photographs[face] = [found[k] for k in rng.permutation(len(found))]
    return [photographs[faces[k]][copy % len(photographs[faces[k]])] for k, copy in row]


def in_light(rng: Rng, one: photo_cards.Cut, paper: np.ndarray) -> np.ndarray:
    """The card's picture (RGBA) as white as the paper on that table is, a little more or less."""
    gain = np.clip(paper / np.maximum(one.paper, 1), 0.4, 2.5) * rng.normal(1, 0.04)
    lit = np.clip(one.picture[..., :3] * gain, 0, 255).astype(np.uint8)
    return np.dstack([lit, one.picture[..., 3]])


def laid(rng: Rng, table: photo_cards.Table, unit: float, size: tuple[int, int]) -> np.ndarray:
    """The table (RGB), as large as `size`: its texture at the cards' scale, quilted.

    Quilting (Efros and Freeman 2001): overlapping pieces of the texture, each chosen among some for how well it goes
    on from those laid before, and cut along the path where the two differ least.
    """
    scale = float(np.clip(unit / table.card_px, 0.7, 2.5))
    texture = cv2.resize(table.texture, None, fx=scale, fy=scale,
                         interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)  # fmt: skip
    side = min(160, *texture.shape[:2])
    soft = cv2.GaussianBlur(texture, (0, 0), side / 3)  # without the lamp's shading, which would repeat
    texture = np.clip(texture - soft.astype(np.float32) + soft.mean(axis=(0, 1)), 0, 255).astype(np.uint8)
    lap, step = side // 4, side - side // 4
    width, height = size
    out = np.zeros((height + 2 * side, width + 2 * side, 3), np.uint8)
    for top in range(0, height, step):
        for left in range(0, width, step):
            there = out[top : top + side, left : left + side]
            pieces = [texture[y : y + side, x : x + side] for y, x in
                      zip(rng.integers(0, texture.shape[0] - side + 1, 48),
                          rng.integers(0, texture.shape[1] - side + 1, 48), strict=True)]  # fmt: skip
            upper, before = (lap if top else 0), (lap if left else 0)
            laps = [(slice(upper), slice(None)), (slice(None), slice(before))]
            misfits = [sum(cv2.norm(there[part], piece[part], cv2.NORM_L2SQR) for part in laps if there[part].size)
                       for piece in pieces]  # fmt: skip
            piece = pieces[int(np.argmin(misfits))]
            new = np.ones((side, side), bool)
            if left:
                new[:, :lap] &= _seam(_difference(there[:, :lap], piece[:, :lap]))
            if top:
                new[:lap] &= _seam(_difference(there[:lap], piece[:lap]).T).T
            there[new] = piece[new]
    return np.ascontiguousarray(out[:height, :width])


def _difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return ((a.astype(np.float32) - b) ** 2).sum(axis=2)


def _seam(cost: np.ndarray) -> np.ndarray:
    """True right of the cheapest path from the first row of `cost` (rows, columns) to the last."""
    total = np.array(cost, np.float32, order="C")
    for y in range(1, len(cost)):
        total[y] += cv2.erode(total[y - 1 : y], np.ones((1, 3), np.uint8))[0]  # the least of three neighbours
    path = np.empty(len(cost), int)
    path[-1] = int(total[-1].argmin())
    for y in range(len(cost) - 2, -1, -1):
        low = max(0, path[y + 1] - 1)
        path[y] = low + int(total[y, low : path[y + 1] + 2].argmin())
    return np.arange(cost.shape[1]) >= path[:, None]


def taken(rng: Rng, painted: np.ndarray) -> np.ndarray:
    """The collage as one camera takes it: light that falls off, one softness, one noise, JPEG."""
    height, width = painted.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    turn, fall = rng.uniform(0, 6.28), rng.uniform(0, 0.45)
    ramp = ((x - width / 2) * np.cos(turn) + (y - height / 2) * np.sin(turn)) / width
    image = painted.astype(np.float32) * (1 + fall * ramp)[..., None]
    image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 0.9)))
    image = image + rng.normal(0, rng.uniform(1, 4), image.shape)
    stored = np.clip(image, 0, 255).astype(np.uint8)[..., ::-1]
    _, data = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 96))])
    return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])


def measure(reader: PictureReader, collage: Collage, count: int, pictures: Path | None = None) -> dict:
    """Figures over about `count` scenes, by arrangement, deck and in all; `wrong` names each scene that went wrong.

    `reader` reads once; here everything is read twice, and `once` has the figures in all of the first reading.
    `pictures`: a folder for the pictures of scenes that went wrong, with what was read drawn in.
    """
    groups: dict[str, Count] = {}
    once, twice = Count(), TwoPassReader(reader)
    wrong = []
    arrangements = (*APART, *OVERLAPPING)
    for number in range(count):
        arrangement, seed = arrangements[number % len(arrangements)], FIRST_SEED + number
        scene, deck = collage.paste(seed, arrangement)
        picture = np.ascontiguousarray(scene.image[..., ::-1])
        once.add(scene, reader.read(picture))
        result = twice.read(picture)
        overlap = "apart" if arrangement in APART else "overlapping"
        for key in (f"arrangement: {arrangement}", f"deck: {deck}", overlap, "all"):
            groups.setdefault(key, Count()).add(scene, result)
        (_, lying), bad = truth(scene), miscounted(scene, result)
        extra = names_of(result) - lying
        if bad or extra:
            wrong.append({"seed": seed, "arrangement": arrangement, "miscounted": bad, "wrong names": dict(extra),
                          "settled": is_settled(result)})  # fmt: skip
            if pictures is not None:
                pictures.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(pictures / f"{arrangement}-{seed}.png"), annotate(picture, result))
    figures = {key: groups[key].figures() for key in sorted(groups)}
    return {"figures": figures, "once": once.figures(), "wrong": wrong}


def table(figures: dict[str, dict]) -> str:
    """The figures as a Markdown table: shares of the cards or scenes, then numbers of scenes."""
    columns = {
        "scenes": "scenes",
        "cards that must be read": "cards",
        "precision": "precision",
        "recall": "recall",
        "wrong names": "wrong names",
        "scenes with a phantom duplicate": "phantom duplicate in",
        "scenes with a lost duplicate": "lost duplicate in",
        "miscounted": "miscounted scenes",
        "settled": "settled scenes",
        "settled and miscounted": "of these miscounted",
        "false backs": "false backs",
    }
    lines = [f"| group | {' | '.join(columns.values())} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {key} | {' | '.join(str(f[name]) for name in columns)} |" for key, f in figures.items()]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="companion.training doubles", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--scenes", type=int, default=160, help="scenes in all, an equal part of each arrangement")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the scenes that went wrong")
    given = parser.parse_args(argv)
    photos = prints.photos_dir()
    if photos is None:
        parser.error("COMPANION_PHOTOS must name the folder of the photographs")
    try:
        collage = Collage(*photo_cards.load_sources(photos))
    except FileNotFoundError as problem:
        parser.error(str(problem))
    report = measure(Reader(given.models), collage, given.scenes, given.pictures)
    print(table(report["figures"] | {"all, read once": report["once"]}))
    if given.json:
        given.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return 0
