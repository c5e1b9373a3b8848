"""Blind spots: small composed tables, each hard in one way that real tables were, and what is read there.

`python -m companion.training spots --out FILE` reads tables of every kind and writes what became of their cards;
`--worst FOLDER` keeps the worst picture of each. Prints are invented ones that nothing trained on. What counts above
all: *two names*, one physical card that is named twice, and *wrong* ones.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np

from companion.training.evaluation import curves
from companion.training.evaluation.composed import names_of, plain, readable
from companion.training.evaluation.questions import About, about
from companion.training.scenes import backgrounds, drawn_prints, layouts, light, prints
from companion.training.scenes import compose as scenes
from companion.vision.annotate import annotate
from companion.vision.geometry import as_quad, iou
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import CardRead, PictureReader, ReadResult, Side

Rng = np.random.Generator
FIRST_SEED = 87_000_000
REPORTED = (*range(16), *range(48, 72))
"""Of the held-out invented prints those that figures are reported on; the others are for development."""
SIZE = curves.SIZE
FULL_SIZE = (1920, 1080)

_LIES_THERE = 0.2
"""What shares less with a card (IoU) is not about it."""


@cache
def _designs(numbers: Collection[int], fits: Callable[[drawn_prints.Design], bool]) -> tuple[prints.Print, ...]:
    """The held-out invented prints of these numbers whose design fits."""
    seeds = [drawn_prints.HELDOUT_SEEDS + number for number in numbers]
    return tuple(prints.invented(seed).load() for seed in seeds if fits(drawn_prints.invent(seed)))


def _any(_: drawn_prints.Design) -> bool:
    return True


def _french(design: drawn_prints.Design) -> bool:
    return design.letters[1] == "V"


def _four_cornered(design: drawn_prints.Design) -> bool:
    return design.corners == 4


def _large_index(design: drawn_prints.Design) -> bool:
    return design.rank_h > 0.2


def _view(rng: Rng, unit: float, size: tuple[int, int], slant: float) -> np.ndarray:
    """A camera over the middle of the table, `slant` degrees at most; `unit` px a card's width."""
    lean, spin = math.radians(rng.uniform(0, slant)), rng.normal(0, 0.1)
    c, s = math.cos(spin), math.sin(spin)
    tilt = np.array([[1, 0, 0], [0, math.cos(lean), 0], [0, -math.sin(lean) / (2.2 * size[0]), 1]])
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.array([[1, 0, size[0] / 2], [0, 1, size[1] / 2], [0, 0, 1]]) @ turn @ tilt @ np.diag([unit, unit, 1.0])


def _rows(rng: Rng, columns: int, rows: int) -> list[layouts.Place]:
    """Places side by side, each card a little turned, some upside down."""
    return [
        layouts.Place((k % columns - (columns - 1) / 2) * 1.6, (k // columns - (rows - 1) / 2) * 2.0,
                      float(rng.normal(0, 0.2) + math.pi * rng.integers(2)))
        for k in range(columns * rows)
    ]  # fmt: skip


def _pick(rng: Rng, designs: Collection[prints.Print]) -> prints.Print:
    return list(designs)[int(rng.integers(len(designs)))]


def _faces(rng: Rng, count: int) -> list[str | None]:
    return list(rng.choice([f"{rank}{suit}" for suit in "SHDC" for rank in drawn_prints.RANKS], count, replace=False))


def _taken(
    rng: Rng, design: prints.Print, faces: Collection[str | None], places: Collection[layouts.Place], unit: float,
    *, size: tuple[int, int] = SIZE, slant: float = 25.0, surface: np.ndarray | None = None,
) -> scenes.Scene:  # fmt: skip
    """A photograph of these cards in ordinary light."""
    if surface is None:
        surface = backgrounds.surface(rng, size[1], size[0], backgrounds.Bank())
    cards = ((face, design, place) for face, place in zip(faces, places, strict=True))
    image, labels = scenes.lay(rng, surface, _view(rng, unit, size, slant), cards)
    return scenes.Scene(light.photograph(rng, image, unit, 0.35), labels)


def _faulty(faults: dict[str, float], fits: Callable[[drawn_prints.Design], bool], rng: Rng,
            numbers: Collection[int]) -> scenes.Scene:  # fmt: skip
    """A table with one fault, as the curves have it."""
    return curves.table(int(rng.integers(1 << 30)), _designs(numbers, fits), curves.USUAL | faults)


def _cut(fits: Callable[[drawn_prints.Design], bool], faces: str, rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Cards of the suits `faces` that the picture's edges cut, each by another share, large and small."""
    unit = float(np.exp(rng.uniform(np.log(70), np.log(200))))
    wide, high = SIZE[0] / unit, SIZE[1] / unit
    places = []
    for side in range(4):
        inside, turn = float(rng.uniform(-0.1, 0.4)), float(rng.normal(0, 0.15) + math.pi / 2 * rng.integers(4))
        reach = inside * (1.4 if round(turn / (math.pi / 2)) % 2 == side % 2 else 1.0)
        along = float(rng.uniform(-0.25, 0.25))
        places.append(
            layouts.Place(along * wide, (high / 2 - reach) * (1 if side else -1), turn) if side % 2 == 0
            else layouts.Place((wide / 2 - reach) * (1 if side == 1 else -1), along * high, turn)
        )  # fmt: skip
    chosen = rng.choice([f"{rank}{suit}" for suit in faces for rank in drawn_prints.RANKS], 4, replace=False)
    return _taken(rng, _pick(rng, _designs(numbers, fits)), list(chosen), places, unit, slant=5.0)


def _courts(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Jacks with a V between queens, kings and numerals of their French deck."""
    faces = ["JS", "JH", "JD", "JC", *rng.choice(["QS", "QH", "KD", "KC", "QC"], 2, replace=False), "7H", "9S"]
    return _taken(rng, _pick(rng, _designs(numbers, _french)), faces, _rows(rng, 4, 2), 110.0)


def _jokers(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Two jokers among six cards."""
    faces = ["JK1", "JK2", *_faces(rng, 6)]
    return _taken(rng, _pick(rng, _designs(numbers, _any)), faces, _rows(rng, 4, 2), 110.0)


def _backs(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Six backs and two faces."""
    return _taken(rng, _pick(rng, _designs(numbers, _any)), [*[None] * 6, *_faces(rng, 2)], _rows(rng, 4, 2), 110.0)


def _fan(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """A fan of large cards, of all but the last of which one index is seen."""
    count, spread = int(rng.integers(5, 10)), float(rng.uniform(0.12, 0.22))
    angles = [spread * (k - (count - 1) / 2) for k in range(count)]
    places = [layouts.Place(1.9 * math.sin(a), 1.9 * (1 - math.cos(a)), a) for a in angles]
    return _taken(rng, _pick(rng, _designs(numbers, _any)), _faces(rng, count), places,
                  float(rng.uniform(180, 300)), size=FULL_SIZE)  # fmt: skip


def _on_cloth(kind: str, rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Cards on a checked or a printed cloth."""
    surface = backgrounds.cloth(rng, SIZE[1], SIZE[0], kind)
    return _taken(rng, _pick(rng, _designs(numbers, _any)), _faces(rng, 6), _rows(rng, 3, 2),
                  float(rng.uniform(70, 130)), surface=surface)  # fmt: skip


def _just_laid(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """A table at rest on which one card still moves."""
    scene = _taken(rng, _pick(rng, _designs(numbers, _any)), _faces(rng, 8), _rows(rng, 4, 2), 110.0)
    moving = scene.cards[int(rng.integers(len(scene.cards)))]
    length, angle = int(rng.integers(4, 22)), rng.uniform(0, math.pi)
    kernel, middle = np.zeros((length, length), np.float32), (length - 1) / 2
    step = np.array([math.cos(angle), math.sin(angle)]) * middle
    ends = [tuple(np.rint(middle + sign * step).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, *ends, 1)
    blurred = cv2.filter2D(scene.image, -1, kernel / kernel.sum())
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(moving.quad).astype(np.int32), 1)
    mask = cv2.dilate(mask, np.ones((length, length), np.uint8))
    return scenes.Scene(np.where(mask[..., None] > 0, blurred, scene.image), scene.cards)


def _framed(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Large cards with a large index and a printed frame, beside the indices or around them."""
    design = _pick(rng, _designs(numbers, _large_index))
    around, ink = rng.random() < 0.5, tuple(int(v) for v in rng.integers(0, 200, 3))
    faces = {}
    for face, picture in design.faces.items():
        card = np.array(picture)
        high, wide = card.shape[:2]
        left, top = (0.02, 0.02) if around else (design.index[2] + 0.01, 0.05)
        box = [(round(left * wide), round(top * high)), (round((1 - left) * wide), round((1 - top) * high))]
        cv2.rectangle(card, *box, (*ink, 255), int(rng.integers(2, 6)), cv2.LINE_AA)
        faces[face] = card
    framed = prints.Print(design.name, design.source, design.split, faces, design.backs, design.index, design.corners)
    unit = float(np.exp(rng.uniform(np.log(110), np.log(330))))
    columns = min(4, max(1, int(FULL_SIZE[0] / unit / 1.7)))
    rows = min(2, max(1, int(FULL_SIZE[1] / unit / 2.0)))
    return _taken(rng, framed, _faces(rng, columns * rows), _rows(rng, columns, rows), unit, size=FULL_SIZE)


def _large(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """One to three cards that fill the picture."""
    count = int(rng.integers(1, 4))
    places = [layouts.Place((k - (count - 1) / 2) * 1.25, float(rng.normal(0, 0.05)), float(rng.normal(0, 0.1)))
              for k in range(count)]  # fmt: skip
    unit = float(rng.uniform(0.45, 0.66)) * SIZE[1] / max(1.0, count / 2.2)
    return _taken(rng, _pick(rng, _designs(numbers, _any)), _faces(rng, count), places, unit, slant=40.0)


def _stacked(rng: Rng, numbers: Collection[int]) -> scenes.Scene:
    """Four pairs, of each of which one card lies on the other, up to ten px aside: two outlines, and one name."""
    unit, places = 110.0, []
    for place in _rows(rng, 4, 1):
        way = rng.uniform(0, 2 * math.pi)
        aside = float(rng.uniform(3, 10)) / unit
        upper = layouts.Place(place.x + aside * math.cos(way), place.y + aside * math.sin(way), place.angle)
        places += [place, upper]
    return _taken(rng, _pick(rng, _designs(numbers, _any)), _faces(rng, 8), places, unit)


SPOTS: dict[str, Callable[[Rng, Collection[int]], scenes.Scene]] = {
    "dark: a twentieth of the light": partial(_faulty, {"exposure": 0.05}, _any),
    "glare on one index": partial(_faulty, {"glare": 240.0}, _any),
    "cut by the edge": partial(_cut, _any, "SHDC"),
    "cut by the edge, four corners": partial(_cut, _four_cornered, "SHDC"),
    "cut by the edge, black suits": partial(_cut, _any, "SC"),
    "jacks with V": _courts,
    "jokers": _jokers,
    "backs": _backs,
    "fans of large cards": _fan,
    "checked cloth": partial(_on_cloth, "checks"),
    "printed cloth": partial(_on_cloth, "prints"),
    "a card just laid": _just_laid,
    "frame and large index": _framed,
    "cards that fill the picture": _large,
    "one card on another, a little aside": _stacked,
}
"""Each kind of table by its name."""


@dataclass(slots=True)
class Outcome:
    """What became of the cards of some tables: `cards` that must be read, how many got their name (`named`), wrong
    names, cards with two of them, cards asked about, questions about nothing or a twin; backs that lie there and that
    were found."""

    tables: int = 0
    cards: int = 0
    named: int = 0
    wrong: int = 0
    two_names: int = 0
    asked: int = 0
    needless: int = 0
    backs: int = 0
    found: int = 0

    def add(self, scene: scenes.Scene, result: ReadResult) -> int:
        """Count one table; returns how bad it was."""
        names, lying = names_of(result), [plain(card.face) for card in scene.cards if card.face]
        must = [plain(card.face) for card in scene.cards if card.face and readable(card)]
        met = sum(min(names[face], must.count(face)) for face in set(must))
        wrong = sum((names - type(names)(lying)).values())
        two = len(named_twice(scene, result))
        kinds = [kind for _, kind in about(scene, result)]
        needless = sum(kind is not About.CARD for kind in kinds)
        backs = [card for card in scene.cards if not card.up]
        found = sum(any(_meets(read, card) for read in result.cards if read.side is Side.DOWN) for card in backs)
        self.tables += 1
        self.cards += len(must)
        self.named += met
        self.wrong += wrong
        self.two_names += two
        self.asked += len(kinds) - needless
        self.needless += needless
        self.backs += len(backs)
        self.found += found
        return 5 * two + 3 * wrong + len(must) - met + needless + len(backs) - found


def _meets(read: CardRead, card: scenes.CardLabel) -> bool:
    return iou(card.quad, as_quad(read.polygon)) > _LIES_THERE


def named_twice(scene: scenes.Scene, result: ReadResult) -> list[tuple[scenes.CardLabel, CardRead]]:
    """Each physical card that has a second name, and where: the right names take their cards first."""
    free = [card for card in scene.cards if card.visible > 0]
    late = []
    for read in sorted((read for read in result.cards if read.face), key=lambda read: -read.confidence):
        equal = [card for card in free if card.face and plain(card.face) == plain(str(read.face))]
        best = max(equal, key=lambda card: iou(card.quad, as_quad(read.polygon)), default=None)
        if best is not None and iou(best.quad, as_quad(read.polygon)) > 0.02:
            free = [card for card in free if card is not best]
        else:
            late.append(read)
    out = []
    for read in late:
        best = max(scene.cards, key=lambda card: iou(card.quad, as_quad(read.polygon)), default=None)
        if best is None or not _meets(read, best):
            continue
        if any(card is best for card in free):
            free = [card for card in free if card is not best]  # its first name, though a wrong one
        else:
            out.append((best, read))
    return out


def look(reader: PictureReader, spot: str, count: int, numbers: Collection[int] = REPORTED,
         first: int = FIRST_SEED, worst: Path | None = None) -> Outcome:  # fmt: skip
    """What becomes of `count` tables of one kind; the worst picture goes to the folder `worst`."""
    out, most = Outcome(), 0
    for seed in range(first, first + count):
        scene = table(spot, seed, numbers)
        picture = np.ascontiguousarray(scene.image[..., ::-1])
        result = reader.read(picture)
        bad = out.add(scene, result)
        if worst is not None and bad > most:
            most = bad
            name = "".join(letter if letter.isalnum() else "-" for letter in spot)
            cv2.imwrite(str(worst / f"{name}.jpg"), annotate(picture, result), [cv2.IMWRITE_JPEG_QUALITY, 80])
    return out


def table(spot: str, seed: int, numbers: Collection[int] = REPORTED) -> scenes.Scene:
    """The table of this kind and seed, always the same."""
    return SPOTS[spot](np.random.default_rng([seed, crc32(spot.encode())]), tuple(numbers))


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training spots", description=__doc__)
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--scenes", type=int, default=12, help="tables of each kind")
    parser.add_argument("--only", nargs="*", choices=list(SPOTS), default=list(SPOTS), metavar="KIND")
    parser.add_argument("--worst", type=Path, help="folder for the worst picture of each kind")
    parser.add_argument("--out", type=Path, required=True, help="file for the figures (.json)")
    given = parser.parse_args(argv)
    reader = TwoPassReader(Reader(given.models))
    if given.worst is not None:
        given.worst.mkdir(parents=True, exist_ok=True)
    kept = json.loads(given.out.read_text("utf-8")) if given.out.exists() else {}
    for spot in given.only:
        kept[spot] = asdict(look(reader, spot, given.scenes, worst=given.worst))
        print(spot, json.dumps(kept[spot]), flush=True)
        given.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 0
