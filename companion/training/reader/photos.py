"""Crops for the reader from real photographs that may train: `python -m companion.training reader photos`.

The labels know the rank and a box of each card, not the suit. The detector finds index corners and outlines; an
index corner clearly seen inside exactly one labelled box enters under that box's rank, never under a guessed one, and
not where the reader trained so far is sure that it is none such (an empty corner, another card's). The suit is
what the reader trained so far says of all indices of the card together, or left out of the loss (-1) in doubt.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from companion.training.scenes import prints
from companion.vision.assembly import edges
from companion.vision.assembly.assemble import assemble
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.geometry import Array, index_window
from companion.vision.images import Pixels, load
from companion.vision.pipeline import Reader
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE, rectify
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import suppress
from companion.vision.reading.evidence import softmax
from companion.vision.reading.faces import FACES, RANKS, REJECT, SUITS
from companion.vision.reading.tiles import Tile

SOURCE = "edje-tf-cards"
COPIES = 8
SURE = 0.6

_CLEAR = 0.4
"""What the detector scores lower is left out."""

_POSSIBLE = 0.1
"""Where the reader gives the labelled rank less than this is no index, or another card's: it would teach nonsense."""


class _Pool:
    """Crops and labels as they come in."""

    def __init__(self, reader: Reader, seed: int) -> None:
        self.reader, self.rng = reader, np.random.default_rng(seed)
        self.index: list[tuple[Pixels, int, int]] = []
        self.whole: list[tuple[Pixels, int]] = []
        self.cards = self.suits = 0

    def add_photo(self, image: Pixels, cards: list[dict]) -> None:
        """Match what is found to the labelled boxes and cut."""
        height, width = image.shape[:2]
        looks = self.reader._detector.detect_tile(image, Tile(0, 0, width, height, 640))
        found = [f for f in suppress(looks) if f.score > _CLEAR]
        clear = [f for f in found if f.label is not DetectionClass.INDEX]
        indices = [f for f in found if f.label is DetectionClass.INDEX]
        hypotheses = [
            t for t in assemble(clear, [f.keypoints for f in indices], edges.min_channel(image)) if t.body_visible
        ]
        owners = [[card for card in cards if _inside(card["bbox"], f)] for f in indices]
        for card in cards:
            own = [f.keypoints for f, at in zip(indices, owners, strict=True) if len(at) == 1 and at[0] is card]
            if own:
                self._add_card(image, RANKS.index(card["name"][:-1]), own, _match(hypotheses, card["bbox"]))

    def _add_card(self, image: Pixels, rank: int, quads: list[Array], hypothesis: CardHypothesis | None) -> None:
        ranks, suits, _ = (
            softmax(out) for out in self.reader._classifier._index([self._crop(image, q, 0) for q in quads])
        )
        seen = [k for k in range(len(quads)) if ranks[k, REJECT] < 0.5 and ranks[k, rank] > _POSSIBLE]
        if not seen:
            return
        vote = suits[seen, :4].sum(axis=0)
        if hypothesis is not None and self.reader._classifier._face is not None:
            whole = softmax(self.reader._classifier._face([rectify(image, hypothesis.outline, FACE_SIZE)])[0])[0]
            vote += 0.6 * whole[[k * len(RANKS) + rank for k in range(4)]]
        suit = int(vote.argmax()) if vote.max() > SURE * vote.sum() else -1
        self.cards += 1
        self.suits += suit >= 0
        for _ in range(COPIES):
            self.index.extend((self._crop(image, quads[k], 0.06), rank, suit) for k in seen)
            self.index.append((self._crop(image, quads[seen[0]], 0.06, turn=int(self.rng.integers(1, 4))), REJECT, 4))
            if hypothesis is not None and suit >= 0:
                width = float(np.linalg.norm(hypothesis.outline[1] - hypothesis.outline[0]))
                outline = hypothesis.outline + self.rng.normal(0, 0.02 * width, (4, 2))
                outline = np.roll(outline, 2 * int(self.rng.integers(2)), axis=0)
                self.whole.append((rectify(image, outline, FACE_SIZE), FACES.index(RANKS[rank] + SUITS[suit])))

    def _crop(self, image: Pixels, quad: Array, jitter: float, turn: int = 0) -> Pixels:
        size = float(np.linalg.norm(quad[2] - quad[0]))
        quad = quad + self.rng.normal(0, 1, (4, 2)) * jitter * size
        margin = 1.55 * (self.rng.uniform(0.85, 1.3) if jitter else 1.0)
        return rectify(image, np.roll(index_window(quad, margin), turn, axis=0), INDEX_SIZE)


def _inside(box: list[float], found: Detection) -> bool:
    x, y = found.keypoints.mean(axis=0)
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


def _match(hypotheses: list[CardHypothesis], box: list[float]) -> CardHypothesis | None:
    """The outline whose bounding box is the label's, nearly."""
    best, most = None, 0.75
    x, y, w, h = box
    for hypothesis in hypotheses:
        (left, top), (right, bottom) = hypothesis.outline.min(axis=0), hypothesis.outline.max(axis=0)
        shared = max(0, min(right, x + w) - max(left, x)) * max(0, min(bottom, y + h) - max(top, y))
        share = shared / ((right - left) * (bottom - top) + w * h - shared)
        if share > most:
            best, most = hypothesis, share
    return best


def photo_pool(models: Path, out: Path, seed: int = 0) -> dict[str, int]:
    """Write a pool part (.npz) with crops of the labelled cards that are found; returns counts.

    Where none is found (the detector knows nothing yet) there is no part, nor an older one any more.
    """
    folder = prints.photos_dir()
    if folder is None:
        raise FileNotFoundError("set COMPANION_PHOTOS to the folder of photographs")
    pool = _Pool(Reader(models, threads=1), seed)
    for line in (folder / SOURCE / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("use") == "may train":
            pool.add_photo(load(folder / SOURCE / row["file"]), row["cards"])
    out.unlink(missing_ok=True)
    if pool.index and pool.whole:
        crops, ranks, suits = zip(*pool.index, strict=True)
        whole, labels = zip(*pool.whole, strict=True)
        np.savez(out, index=np.stack(crops), rank=np.int8(ranks), suit=np.int8(suits), whole=np.stack(whole),
                 label=np.int8(labels))  # fmt: skip
    return {"cards": pool.cards, "with suit": pool.suits, "index crops": len(pool.index), "whole": len(pool.whole)}
