"""Training pictures of small cards over each other, as the detector itself looks at them.

A scene for training is as large as the network's window, and its cards are as sharp as a camera takes them at that
size. The detector, though, looks at a 1280 × 720 picture shrunk to half, and where cards lie over each other at parts
of it grown again, which are softer. Here such pictures are composed, looked at as `detector.finer_tiles` says, and what
the network would see is cut into squares: the same sharpness, noise and compression, narrow fans and columns most.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset, layouts
from companion.vision.geometry import area, overlap
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.tiles import Tile, finer_tiles

SIZE = (1280, 720)
WIDTHS = (36.0, 130.0)
ARRANGEMENTS = {layouts.CROWD: 0.7, "columns": 0.08, "hands": 0.08, "scatter": 0.07, "grid": 0.07}
"""What is laid, and how often."""
PIECES = 4
"""So many squares are cut from one scene at most, where nothing else is said."""

Rng = np.random.Generator


def looks(scene: scenes.Scene) -> list[Tile]:
    """The detector's looks at a scene that it sees rightly, but the coarsest."""
    height, width = scene.image.shape[:2]
    found = [
        Detection(DetectionClass.UP if card.up else DetectionClass.DOWN, 1.0, card.quad)
        for card in scene.cards
        if card.visible > 0.3
    ]
    return [Tile(0, 0, width, height, 640), *finer_tiles(found, width, height)]


def arrange(composer: scenes.Composer, rng: Rng) -> None:
    """Let the composer lay its next table in one of `ARRANGEMENTS`, in ordinary or in harsh light."""
    composer.arrangement = str(rng.choice(list(ARRANGEMENTS), p=list(ARRANGEMENTS.values())))
    composer.harsh = float(rng.choice([0.35, 1.0]))


def pieces(scene: scenes.Scene, rng: Rng, side: int = 320, most: int = PIECES) -> Iterator[scenes.Scene]:
    """Squares of `side` network px, each around an index, from looks in turn, `most` at most; none if none is seen."""
    views = [view for view in looks(scene) if view.scale > 0.3]
    for number in range(most):
        view = views[0] if number == 0 else views[int(rng.integers(len(views)))]
        window = scene.image[view.top : view.top + view.height, view.left : view.left + view.width]
        size = (round(view.width * view.scale), round(view.height * view.scale))
        grown = cv2.resize(window, size, interpolation=cv2.INTER_AREA if view.scale < 1 else cv2.INTER_LINEAR)
        at = np.array([(i.quad.mean(axis=0) - [view.left, view.top]) * view.scale
                       for card in scene.cards for i in card.indices if i.visible > 0.5]).reshape(-1, 2)  # fmt: skip
        at = at[((at > 0) & (at < size)).all(axis=1)]
        if not at.size:
            continue
        middle = at[int(rng.integers(len(at)))] + rng.uniform(-0.3, 0.3, 2) * side
        left, top = (int(v) for v in np.clip(middle - side / 2, 0, np.maximum(np.array(size) - side, 0)))
        cut = grown[top : top + side, left : left + side]
        image = np.full((side, side, 3), 114, np.uint8)
        image[: cut.shape[0], : cut.shape[1]] = cut
        yield seen_in(scene, image, cut.shape[:2], np.array([view.left, view.top]), view.scale, np.array([left, top]))


def seen_in(
    scene: scenes.Scene, image: np.ndarray, shown: tuple[int, int], shift: np.ndarray, scale: float, cut: np.ndarray
) -> scenes.Scene:
    """The labels of a scene in `image`, of which the first `shown` (rows, columns) show it: moved, grown, cut."""
    frame = np.array([[0, 0], [shown[1], 0], [shown[1], shown[0]], [0, shown[0]]], np.float64)

    def there(quad: np.ndarray) -> np.ndarray:
        return (quad - shift) * scale - cut

    def share(quad: np.ndarray) -> float:
        return min(1.0, overlap(there(quad), frame) / max(abs(area(there(quad))), 1e-6))

    cards = []
    for card in scene.cards:
        indices = tuple(
            scenes.IndexLabel(there(index.quad), index.visible * share(index.quad)) for index in card.indices
        )
        visible = card.visible * share(card.quad)
        if visible > 0:
            cards.append(
                scenes.CardLabel(card.face, card.design, there(card.quad), there(card.printed), visible, indices)
            )
    return scenes.Scene(image, tuple(cards))


_composer: scenes.Composer | None = None


def _begin(split: str, picture_share: float) -> None:
    global _composer
    cv2.setNumThreads(1)
    _composer = dataset.composer(split, SIZE, picture_share=picture_share)
    _composer.widths = WIDTHS


def _write(job: tuple[str, int]) -> int:
    folder, seed = job
    assert _composer is not None
    rng = np.random.default_rng([seed, 31])
    arrange(_composer, rng)
    written = 0
    for number, piece in enumerate(pieces(_composer.compose(seed), rng)):
        name = f"{seed:07d}-{number}"
        cv2.imwrite(f"{folder}/images/{name}.jpg", piece.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
        lines = dataset.label_lines(piece)
        Path(f"{folder}/labels/{name}.txt").write_text("\n".join(lines) + ("\n" if lines else ""), "ascii")
        written += 1
    return written


def write_looks(
    root: Path, part: str, split: str, count: int, *, first: int = 0, workers: int = 2, picture_share: float = 0.0
) -> int:
    """Cut scenes `first` … `first + count - 1` of a print split into `root/part`; returns the number of pictures."""
    folder = root / part
    for sub in ("images", "labels"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    jobs = [(str(folder), seed) for seed in range(first, first + count)]
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(split, picture_share)) as pool:
        return sum(pool.map(_write, jobs, chunksize=16))
