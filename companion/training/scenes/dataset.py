"""Writes composed scenes as a YOLO-pose data set: pictures, label files, `data.yaml`.

Classes: 0 card face up, 1 card face down, 2 index corner; four ordered keypoints each, `x y v` with v = 2 seen,
1 covered, 0 outside the picture (then not learned). Boxes bound the four corners, cut at the picture's edge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.training.scenes import backgrounds, picture_prints, prints
from companion.training.scenes import compose as scenes

NAMES = ("up", "down", "index")
MIN_CARD = 0.25  # a card is labelled from this visible share on
MIN_INDEX = 0.85  # an index corner from this
MIN_INDEX_PX = 9.0
MIN_CARD_PX = 14.0


@dataclass(frozen=True, slots=True)
class Target:
    """One labelled thing: class number, box x0 y0 x1 y1 px, quad 4×2 px, visibility of each corner (0, 1, 2).

    `face` is what its card shows: a face code, `custom`, or None for a back.
    """

    kind: int
    box: tuple[float, float, float, float]
    quad: np.ndarray
    seen: tuple[int, int, int, int]
    face: str | None = None

    def line(self, kind: int, size: tuple[int, int]) -> str:
        """The start of a label line: class `kind`, then the box as fractions of `size` (width, height), px."""
        (x0, y0, x1, y1), (w, h) = self.box, size
        numbers = [(x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h]
        return " ".join([str(kind), *(f"{n:.5f}" for n in numbers)])


def _target(kind: int, quad: np.ndarray, size: tuple[int, int], covered: bool, face: str | None) -> Target | None:
    w, h = size
    (x0, y0), (x1, y1) = np.clip(quad.min(0), 0, [w, h]), np.clip(quad.max(0), 0, [w, h])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return None
    inside = [(0 <= x <= w) and (0 <= y <= h) for x, y in quad]
    seen = tuple((1 if covered else 2) if ok else 0 for ok in inside)
    return Target(kind, (float(x0), float(y0), float(x1), float(y1)), quad, seen, face)


def targets(scene: scenes.Scene) -> list[Target]:
    """What the detector should find in a scene."""
    h, w = scene.image.shape[:2]
    found: list[Target | None] = []
    for card in scene.cards:
        short = min(np.hypot(*(card.quad[1] - card.quad[0])), np.hypot(*(card.quad[2] - card.quad[3])))
        if card.visible >= MIN_CARD and short >= MIN_CARD_PX:
            found.append(_target(0 if card.up else 1, card.quad, (w, h), card.visible < 0.9, card.face))
        for index in card.indices:
            tall = np.hypot(*((index.quad[2] + index.quad[3] - index.quad[0] - index.quad[1]) / 2))
            wide = np.hypot(*((index.quad[1] + index.quad[2] - index.quad[0] - index.quad[3]) / 2))
            if index.visible >= MIN_INDEX and max(tall, wide) >= MIN_INDEX_PX and min(tall, wide) >= 4:
                found.append(_target(2, index.quad, (w, h), False, card.face))
    return [t for t in found if t is not None]


def label_lines(scene: scenes.Scene) -> list[str]:
    """The scene's label file, line by line, all numbers as fractions of the picture."""
    h, w = scene.image.shape[:2]
    lines = []
    for t in targets(scene):
        points = [f"{x / w:.5f} {y / h:.5f} {v}" if v else "0 0 0" for (x, y), v in zip(t.quad, t.seen, strict=True)]
        lines.append(" ".join([t.line(t.kind, (w, h)), *points]))
    return lines


Labeller = Callable[[scenes.Scene], list[str]]
_composer: scenes.Composer | None = None
_labeller: Labeller = label_lines


PICTURE_DECKS = 20_000


def composer(
    split: str, size: tuple[int, int], drawn: int | None = None, picture_share: float = 0.0
) -> scenes.Composer:
    """A composer over all prints of the split and this machine's textures; a `picture_share` of decks without index."""
    bank = backgrounds.load_bank(prints.photos_dir())
    pictures = picture_prints.Decks(split, PICTURE_DECKS, bank) if picture_share else ()
    made = scenes.Composer(prints.load_prints(split, drawn), bank, size)
    made.pictures, made.picture_share = pictures, picture_share
    return made


def _begin(split: str, size: tuple[int, int], drawn: int | None, labeller: Labeller, picture_share: float) -> None:
    global _composer, _labeller
    cv2.setNumThreads(1)
    _labeller = labeller
    _composer = composer(split, size, drawn, picture_share)


def _write(job: tuple[str, str, int]) -> int:
    folder, name, seed = job
    assert _composer is not None
    scene = _composer.compose(seed)
    cv2.imwrite(f"{folder}/images/{name}.jpg", scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    lines = _labeller(scene)
    Path(f"{folder}/labels/{name}.txt").write_text("\n".join(lines) + ("\n" if lines else ""), "ascii")
    return len(lines)


def write_split(root: Path, part: str, split: str, count: int, *, first: int = 0, size: tuple[int, int] = (320, 320),
                drawn: int | None = None, workers: int = 2, labeller: Labeller = label_lines,
                picture_share: float = 0.0) -> int:  # fmt: skip
    """Compose scenes `first` … `first + count - 1` of a print split into `root/part`; returns the number of labels.

    `labeller`, a function of a module, gives the lines of a scene's label file.
    """
    folder = root / part
    for sub in ("images", "labels"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    prints.load_prints(split, drawn, workers)
    jobs = [(str(folder), f"{seed:07d}", seed) for seed in range(first, first + count)]
    with ProcessPoolExecutor(
        workers, initializer=_begin, initargs=(split, size, drawn, labeller, picture_share)
    ) as pool:
        return sum(pool.map(_write, jobs, chunksize=32))


def write_yaml(root: Path, train: list[str], val: str, names: Sequence[str] = NAMES, corners: bool = True) -> Path:
    """`data.yaml` for ultralytics: the class `names` in order, and whether labels have `corners` besides a box."""
    path = root / "data.yaml"
    classes = "".join(f"  {k}: {name}\n" for k, name in enumerate(names))
    parts = "".join(f"  - {p}/images\n" for p in train)
    head = f"path: {root.resolve()}\ntrain:\n{parts}val: {val}/images\n"
    points = "kpt_shape: [4, 3]\nflip_idx: [0, 1, 2, 3]\n" if corners else ""
    path.write_text(f"{head}{points}names:\n{classes}", "utf-8")
    return path
