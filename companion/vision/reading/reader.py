"""Reads what a card is: small networks over its index corners and over its whole face, and the sum of their evidence.

The index network sees one corner and says rank, suit, or "no index here" (reject): it works for any print whose
corners carry rank above suit. The face network sees the whole rectified card (pip counts, courts) and has a reject
class as well. Neither knows the other cards on the table. A further kind of evidence, such as a gallery of enrolled
decks, is one more `Evidence` value handed to `combine`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import NEXT, Array, homography, lengths
from companion.vision.images import Pixels
from companion.vision.reading.runtime import as_tensor, session
from companion.vision.types import Candidate

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
JOKERS = ("JK1", "JK2")
FACES = (*(rank + suit for suit in SUITS for rank in RANKS), "JK1")
"""What the networks tell apart: 52 faces (suit by suit) and "a joker", written `JK1` until its colour is known."""

LETTERS = ("", "A", "1", "J", "V", "B", "W", "Q", "D", "K", "R", "H")
"""What decks print for ace, jack, queen and king, in English, French, German, Polish and Dutch; "": anything else."""

_JACK, _QUEEN = RANKS.index("J"), RANKS.index("Q")

JOKER, REJECT = 13, 14
"""Rank classes beyond the thirteen ranks."""

INDEX_SIZE = (48, 64)
FACE_SIZE = (80, 112)
"""Width and height of the crops, px."""

AIM_MARGIN = 2.2
"""How much larger than a detected index the crop is in which it is looked for more exactly."""

_SHARPEST, _FINEST = 1.3, 5
"""A crop is taken with more pixels and averaged where one of its pixels shows more than the first of the picture's, but
with no more than the second times as many each way."""

_MOST_ROWS = 16_384
"""OpenCV takes so many at a time, and twice as many no more."""

_FLOOR = 1e-4

_CONTRADICTS = 0.9
"""Where the whole face shows another number of pips, or a court for a number, more surely than this, the index that was
read otherwise is no name."""

_KINDS = np.array([min(RANKS.index(name[:-1]), 10) for name in FACES[:52]])
"""What the body of each of the 52 faces shows: 0 to 9 an ace to a ten, 10 a court."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one look at a card says: `faces` sums to 1 over `FACES`; `weight` 0..1 is how much there was to see."""

    faces: NDArray[np.float64]
    weight: float
    letters: NDArray[np.float64] | None = None
    """Of an index: which of `LETTERS` is printed there; sums to 1."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Numbers fitted once on held-out prints: see the model card."""

    index_temperature: float = 1.0
    face_temperature: float = 1.0
    temperature: float = 1.0
    face_weight: float = 0.8
    face_alone: float = 0.75
    """What the whole face can be worth where no index is readable: below `accept`, it is a candidate, not a name."""
    accept: float = 0.9
    accept_joker: float = 0.98
    further: float = 1.0
    """Weight of every index after the clearest one: looks at one card share its light and blur."""
    unlisted: float = 0.05
    joker: float = 0.1
    """Jokers are rare and much that is no rank looks like one: their chance before anything is seen, against others."""
    joker_seen: float = 0.999
    """An index that is a joker's more surely than this is one: nothing that only looked like one was that sure."""

    def accepts(self, verdict: Verdict) -> bool:
        """True at or above the operating point: the card gets a name. Jokers, which text resembles, need more."""
        joker = bool(verdict.candidates) and verdict.candidates[0].face == "JK1"
        return verdict.confidence >= (self.accept_joker if joker else self.accept)

    @classmethod
    def load(cls, path: Path) -> Tuning:
        """The numbers kept beside the weights as JSON. Raises FileNotFoundError, and TypeError for unknown names."""
        return cls(**json.loads(path.read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The summed evidence on one card: ordered candidates (calibrated) and how much there was to see at all (0..1)."""

    candidates: tuple[Candidate, ...]
    support: float

    @property
    def confidence(self) -> float:
        """Probability of the best candidate, lowered by how little was seen."""
        return self.candidates[0].p if self.candidates else 0.0

    def doubted(self, tuning: Tuning) -> Verdict:
        """The same candidates, all halved: none is sure any more."""
        share = 0.5 * min(tuning.accept, tuning.accept_joker)
        return Verdict(tuple(Candidate(c.face, c.p * share) for c in self.candidates), self.support)


def cut(image: Pixels, window: Array, size: tuple[int, int]) -> Pixels:
    """Straighten the window (4, 2) px of the picture to `size` (width, height) px; no aliasing when it is larger."""
    return np.asarray(cut_all(image, window[None], size)[0], np.uint8)


def cut_all(image: Pixels, windows: Array | Sequence[Array], size: tuple[int, int]) -> Pixels:
    """The same for windows (n, 4, 2) px: (n, height, width, 3). As one picture, as each warp by itself costs more."""
    quads, (width, height) = np.reshape(windows, (-1, 4, 2)), size
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    spans = (lengths(quads[:, NEXT] - quads) / [width, height, width, height]).max(axis=1)
    factors = np.ceil(np.clip(spans / _SHARPEST, 1, _FINEST)).astype(int)
    for factor in np.unique(factors).tolist():
        which = np.flatnonzero(factors == factor)
        for some in np.array_split(which, -(-len(which) * height * factor // _MOST_ROWS)):
            columns, rows = _seen_at(quads[some], width * factor, height * factor)
            tall = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            if factor > 1:
                tall = cv2.resize(tall, (width, len(some) * height), interpolation=cv2.INTER_AREA)
            crops[some] = tall.reshape(-1, height, width, 3)
    return crops


def _seen_at(quads: Array, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where in the picture the pixels of quads (n, 4, 2) lie, straightened and one below the other: columns and rows.

    Each (n * height, width), counted from the middle of the first pixel.
    """
    matrix = homography(quads, (width, height)).astype(np.float32)[:, None, None]
    x = np.arange(0.5, width, dtype=np.float32)
    y = np.arange(0.5, height, dtype=np.float32)[:, None]
    column, row, depth = (matrix[..., k, 0] * x + (matrix[..., k, 1] * y + matrix[..., k, 2]) for k in range(3))
    for places in (column, row):
        places /= depth
        places -= 0.5
    return column.reshape(-1, width), row.reshape(-1, width)


class Network:
    """An ONNX network over a batch of equal crops."""

    def __init__(self, path: Path, threads: int = 2, *, coarse: bool = False) -> None:
        """`coarse`: see `runtime.session`."""
        self._session = session(path, threads, coarse=coarse)

    def __call__(self, crops: Pixels | Sequence[Pixels]) -> list[NDArray[np.float64]]:
        """Raw outputs for BGR crops of the network's size."""
        return [np.asarray(out, np.float64) for out in self._session(as_tensor(crops))]


def softmax(logits: NDArray[np.float64], temperature: float = 1.0) -> NDArray[np.float64]:
    """Row-wise probabilities; a temperature above 1 makes them humbler."""
    scaled = logits / temperature
    raised = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float64)


def index_evidence(rank_logits: Array, suit_logits: Array, letter_logits: Array, temperature: float) -> list[Evidence]:
    """Evidence of each index crop from the network's rank (n, 15), suit (n, 5) and letter (n, 12) outputs."""
    ranks, suits, letters = (softmax(logits, temperature) for logits in (rank_logits, suit_logits, letter_logits))
    of_suits = (suits[:, :4, None] * ranks[:, None, :13]).reshape(-1, 52)
    faces = np.concatenate([of_suits, ranks[:, JOKER : JOKER + 1]], axis=1)
    seen = faces.sum(axis=1)
    faces /= np.maximum(seen, 1e-9)[:, None]
    return [
        Evidence(each, min(1.0, weight), letter)
        for each, weight, letter in zip(faces, seen.tolist(), letters, strict=True)
    ]


def face_evidence(logits: Array, temperature: float) -> list[Evidence]:
    """Evidence of each whole-card crop from the network's output (n, 54): 52 faces, joker, reject."""
    evidence = []
    for row in softmax(logits, temperature):
        seen = float(row[:-1].sum())
        evidence.append(Evidence(row[:-1] / max(seen, 1e-9), seen))
    return evidence


def in_dutch(look: Evidence, share: float) -> Evidence:
    """The same look where a V is a queen with the chance `share`; the networks take each for a jack.

    Whether the whole face shows a jack or a queen is open then.
    """
    if not share:
        return look
    faces = look.faces.copy()
    suits = faces[:52].reshape(4, 13)
    jacks, queens = suits[:, _JACK].copy(), suits[:, _QUEEN].copy()
    moved = (jacks - queens) / 2 if look.letters is None else share * look.letters[LETTERS.index("V")] * jacks
    suits[:, _JACK], suits[:, _QUEEN] = jacks - moved, queens + moved
    return replace(look, faces=faces)


def average(looks: Sequence[Evidence]) -> Evidence:
    """Several looks at one and the same printed index as one: they share its blur and glare, so they do not add up."""
    weights = np.array([look.weight for look in looks]) + 1e-9
    logs = np.log(np.stack([look.faces for look in looks]) + _FLOOR)
    mean = np.exp((logs * weights[:, None]).sum(axis=0) / weights.sum())
    return Evidence(mean / mean.sum(), max(look.weight for look in looks), looks[0].letters)


def combine(indices: Sequence[Evidence], face: Evidence | None, tuning: Tuning,
            deck: Collection[str] | None = None) -> Verdict:  # fmt: skip
    """Add up what the index corners and the whole face say about one card.

    Evidence multiplies, each look weighted by how much it saw; a floor keeps one wild look from ruling out the
    truth. `deck` lists the faces that may occur: others need far stronger evidence, but nothing is made up.
    """
    clearest = sorted(indices, key=lambda look: -look.weight * float(look.faces.max()))
    looks = [(look, 1.0 if number == 0 else tuning.further) for number, look in enumerate(clearest)]
    if face is not None:
        looks.append((face, tuning.face_weight))
    blind = prod(1.0 - look.weight for look in indices)
    support = 1.0 - blind * (1.0 - (tuning.face_alone * face.weight if face is not None else 0.0))
    score = np.zeros(len(FACES))
    for look, weight in looks:
        score += weight * look.weight * np.log(look.faces + _FLOOR)
    if not any(look.weight * look.faces[-1] > tuning.joker_seen for look in indices):
        score[-1] += np.log(tuning.joker)
    if deck is not None:
        listed = set(deck) | ({"JK1"} if "JK2" in deck else set())
        score += np.array([0.0 if name in listed else np.log(tuning.unlisted) for name in FACES])
    chances = softmax(score, tuning.temperature) * support
    order = np.argsort(-chances)[:5]
    verdict = Verdict(tuple(Candidate(FACES[i], float(chances[i])) for i in order if chances[i] > 1e-4), support)
    return verdict.doubted(tuning) if face is not None and _contradicts(face, int(order[0])) else verdict


def _contradicts(face: Evidence, name: int) -> bool:
    """True where the whole face surely shows what no face of that number's kind does; of jokers it says nothing."""
    if name >= len(_KINDS):
        return False
    shown = np.bincount(_KINDS, face.faces[:52]) * face.weight
    shown[_KINDS[name]] = 0
    return float(shown.max()) > _CONTRADICTS


class FaceReader:
    """Both networks together: `models_dir` holds `reader.onnx` and, beside it when there is one, `face.onnx`."""

    def __init__(self, models_dir: Path, tuning: Tuning, *, threads: int = 2) -> None:
        self.tuning = tuning
        self.dutch = 0.0
        """The chance that a V in the picture that is read now is a queen: see `letters.dutch_share`."""
        self._index = Network(models_dir / "reader.onnx", threads)
        self._aim = Network(models_dir / "aim.onnx", threads, coarse=True)
        whole = models_dir / "face.onnx"
        self._face = Network(whole, threads) if whole.exists() else None

    def indices(self, crops: Pixels | Sequence[Pixels]) -> list[Evidence]:
        """Evidence of index crops (64, 48, 3)."""
        if not len(crops):
            return []
        rank, suit, letter = self._index(crops)
        looks = index_evidence(rank, suit, letter, self.tuning.index_temperature)
        return [in_dutch(look, self.dutch) for look in looks]

    def corners(self, crops: Pixels | Sequence[Pixels]) -> NDArray[np.float64]:
        """Where in crops (64, 48, 3) around roughly detected indices these lie exactly: (n, 4, 2), 0..1 of the crop."""
        return self._aim(crops)[0] if len(crops) else np.empty((0, 4, 2))

    def faces(self, crops: Pixels | Sequence[Pixels]) -> list[Evidence | None]:
        """Evidence of rectified cards (112, 80, 3); None for each without a face network."""
        if not len(crops) or self._face is None:
            return [None] * len(crops)
        looks = face_evidence(self._face(crops)[0], self.tuning.face_temperature)
        return [in_dutch(look, self.dutch) for look in looks]


def joker_code(crops: Sequence[Pixels]) -> str:
    """`JK1` for a coloured joker, `JK2` for a black one, by the reddest ink in its index corners."""
    redness = [float(np.percentile(crop[:, :, 2].astype(int) - crop[:, :, :2].max(axis=2), 95)) for crop in crops]
    return "JK1" if redness and max(redness) > 60 else "JK2"
