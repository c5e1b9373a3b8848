"""Fits the reader's few numbers (temperatures, weight of the whole face) on held-out prints, and the reliability table.

`python -m companion.training reader calibrate`. The cards are imagined photographs of designs that no network
trained on, foreign decks among them. The operating point is not chosen here: it is set by hand on the declared
validation source.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import pairwise, product
from pathlib import Path

import cv2
import numpy as np

from companion.training.reader.items import REJECT_FACE, foreign_items, items_of
from companion.training.reader.views import Crops, Views
from companion.training.scenes import prints
from companion.vision.reading.classifier import FaceClassifier, Network
from companion.vision.reading.evidence import Tuning, combine, face_evidence, index_evidence
from companion.vision.reading.faces import REJECT

TEMPERATURES = (0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 2.6, 3.4)
BINS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


def held_out(cards: int, seed: int = 4242) -> list[Crops]:
    """Imagined photographs of held-out designs; every tenth or so is no playing card."""
    cv2.setNumThreads(1)
    items = [item for design in prints.load_prints("heldout", drawn=16, workers=1) for item in items_of(design)]
    foreign = [item for number in range(40) for item in foreign_items(5000 + number)]
    views = Views(items, foreign, seed)
    return [views.sample() for _ in range(cards)]


class _Cards:
    """Raw network outputs of all cards, kept so that numbers can be tried without running a network again.

    Every other card is known by one look at one index alone, as a card under others is; the rest by all corners and
    the whole face.
    """

    def __init__(self, cards: list[Crops], folder: Path) -> None:
        whole = [card for card in cards[::2] if card.whole is not None and card.index]
        single = [(card.index[-1], card) for card in cards[1::2] if card.index]
        self.labels = [card.label for card in whole]
        self.labels += [REJECT_FACE if rank == REJECT else card.item for (_, rank, _), card in single]
        crops = [[crop for crop, _, _ in card.index[:4]] for card in whole] + [[look[0]] for look, _ in single]
        self.counts = [len(of_one) for of_one in crops]
        reader = FaceClassifier(folder, Tuning(), threads=1)
        self.rank, self.suit, self.letter = _run(reader._index, [crop for of_one in crops for crop in of_one])
        self.face = _run(reader._face, [card.whole for card in whole])[0] if reader._face else None

    def verdicts(self, tuning: Tuning):
        """The verdict on each card under these numbers."""
        looks = index_evidence(self.rank, self.suit, self.letter, tuning.index_temperature)
        seen = face_evidence(self.face, tuning.face_temperature) if self.face is not None else []
        faces = [*seen, *[None] * (len(self.labels) - len(seen))]
        start = 0
        for count, face in zip(self.counts, faces, strict=True):
            yield combine(looks[start : start + count], face, tuning)
            start += count

    def loss(self, tuning: Tuning) -> float:
        """Mean negative log likelihood of the truth; for what is no card, of "nothing here"."""
        total = 0.0
        for label, verdict in zip(self.labels, self.verdicts(tuning), strict=True):
            if label == REJECT_FACE:
                chance = 1 - verdict.confidence
            else:
                chance = next((c.p for c in verdict.candidates if c.face == _name(label)), 0.0)
            total -= np.log(max(chance, 1e-3))
        return total / len(self.labels)


def _name(label: int) -> str:
    from companion.vision.reading.faces import FACES

    return FACES[label]


def _run(network: Network, crops: list[np.ndarray]) -> list[np.ndarray]:
    parts = [network(crops[i : i + 256]) for i in range(0, len(crops), 256)]
    return [np.concatenate([part[k] for part in parts]) for k in range(len(parts[0]))]


def calibrate(folder: Path, cards: int = 2500) -> dict:
    """Fit on one half of the held-out cards, report on the other; writes `tuning.json` and returns the report."""
    drawn = held_out(cards)
    fitting, reporting = _Cards(drawn[::2], folder), _Cards(drawn[1::2], folder)
    known = folder / "tuning.json"
    best = Tuning.load(known) if known.exists() else Tuning()
    for index, face in product(TEMPERATURES[1:6], repeat=2):
        trial = replace(best, index_temperature=index, face_temperature=face)
        if fitting.loss(trial) < fitting.loss(best):
            best = trial
    for weight, last, further in product((0.4, 0.7, 1.0, 1.4), TEMPERATURES[:6], (0.4, 0.7, 1.0)):
        trial = replace(best, face_weight=weight, temperature=last, further=further)
        if fitting.loss(trial) < fitting.loss(best):
            best = trial
    known.write_text(json.dumps(asdict(best), indent=2) + "\n", "utf-8")
    return {"tuning": asdict(best), "loss": round(reporting.loss(best), 4), **reliability(reporting, best)}


def reliability(cards: _Cards, tuning: Tuning) -> dict:
    """Share right by confidence, and the figures at the operating point."""
    sure = np.array([v.confidence for v in cards.verdicts(tuning)])
    right = np.array([
        label != REJECT_FACE and bool(v.candidates) and v.candidates[0].face == _name(label)
        for label, v in zip(cards.labels, cards.verdicts(tuning), strict=True)
    ])  # fmt: skip
    real = np.array(cards.labels) != REJECT_FACE
    rows = []
    for low, high in pairwise(BINS):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            about = {"mean": round(float(sure[inside].mean()), 3), "right": round(float(right[inside].mean()), 3)}
            rows.append({"confidence": f"{low:.2f}–{min(high, 1):.2f}", "cards": int(inside.sum()), **about})
    named = np.array([tuning.accepts(v) for v in cards.verdicts(tuning)])
    return {
        "reliability": rows,
        "cards": int(real.sum()),
        "foreign": int((~real).sum()),
        "top one right": round(float(right[real].mean()), 4),
        "named right": round(float((right & named)[real].mean()), 4),
        "named wrong": round(float((~right & named)[real].mean()), 4),
        "foreign named": round(float(named[~real].mean()), 4),
    }
