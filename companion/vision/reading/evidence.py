"""What one crop says of a card's face, and the sum of what all crops of a card say.

An index crop says rank, suit, or "no index here" (reject); a whole-card crop says one of the faces or reject. Neither
knows the other cards on the table. A further kind of evidence, such as a gallery of enrolled decks, is one more
`Evidence` value handed to `combine`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Array
from companion.vision.reading import parameters
from companion.vision.reading.faces import FACES, JOKER, LETTERS, RANKS
from companion.vision.types import Candidate

_JACK, _QUEEN = RANKS.index("J"), RANKS.index("Q")


_KINDS = np.array([min(RANKS.index(name[:-1]), 10) for name in FACES[:52]])
"""What the body of each of the 52 faces shows: 0 to 9 an ace to a ten, 10 a court."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one crop of a card says: `faces` sums to 1 over `FACES`; `weight` 0..1 is how much there was to see."""

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
    """Weight of every index after the clearest one: all crops of one card share its light and blur."""
    unlisted: float = 0.05
    joker: float = 0.1
    """Jokers are rare and much that is no rank looks like one: their chance before anything is seen, against others."""
    joker_seen: float = 0.999
    """An index that is a joker's more surely than this is one: nothing that only looked like one was that sure."""

    def accepts(self, classification: Classification) -> bool:
        """True at or above the operating point: the card gets a name. Jokers, which text resembles, need more."""
        joker = bool(classification.candidates) and classification.candidates[0].face == "JK1"
        return classification.confidence >= (self.accept_joker if joker else self.accept)

    @classmethod
    def load(cls, path: Path) -> Tuning:
        """The numbers kept beside the weights as JSON. Raises FileNotFoundError, and TypeError for unknown names."""
        return cls(**json.loads(path.read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class Classification:
    """The summed evidence on one card: ordered candidates (calibrated) and how much there was to see at all (0..1)."""

    candidates: tuple[Candidate, ...]
    support: float

    @property
    def confidence(self) -> float:
        """Probability of the best candidate, lowered by how little was seen."""
        return self.candidates[0].p if self.candidates else 0.0

    def abstained(self, tuning: Tuning) -> Classification:
        """The same candidates, all halved: none is sure any more."""
        share = 0.5 * min(tuning.accept, tuning.accept_joker)
        return Classification(tuple(Candidate(c.face, c.p * share) for c in self.candidates), self.support)


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


def in_dutch(evidence: Evidence, share: float) -> Evidence:
    """The same evidence where a V is a queen with the chance `share`; the networks take each for a jack.

    Whether the whole face shows a jack or a queen is open then.
    """
    return _or_queens(evidence, share, "V", open_face=True) if share else evidence


def in_polish(evidence: Evidence) -> Evidence:
    """The same evidence where a W is a jack: a B is none then, but perhaps a D that looks like one, a queen's."""
    return _or_queens(evidence, 0.5, "B", open_face=False)


def _or_queens(evidence: Evidence, share: float, letter: str, *, open_face: bool) -> Evidence:
    """The same where jacks of a letter are queens with a chance. `open_face`: what a whole face shows may be either."""
    if evidence.letters is None and not open_face:
        return evidence
    faces = evidence.faces.copy()
    suits = faces[:52].reshape(4, 13)
    jacks, queens = suits[:, _JACK].copy(), suits[:, _QUEEN].copy()
    moved = (
        (jacks - queens) / 2 if evidence.letters is None else share * evidence.letters[LETTERS.index(letter)] * jacks
    )
    suits[:, _JACK], suits[:, _QUEEN] = jacks - moved, queens + moved
    return replace(evidence, faces=faces)


def average(weighted: Sequence[Evidence]) -> Evidence:
    """The evidence of several crops of one and the same printed index as one: they share its blur and glare, so they do
    not add up."""
    weights = np.array([evidence.weight for evidence in weighted]) + 1e-9
    logs = np.log(np.stack([evidence.faces for evidence in weighted]) + parameters.EVIDENCE_FLOOR)
    mean = np.exp((logs * weights[:, None]).sum(axis=0) / weights.sum())
    return Evidence(mean / mean.sum(), max(evidence.weight for evidence in weighted), weighted[0].letters)


def combine(indices: Sequence[Evidence], face: Evidence | None, tuning: Tuning,
            deck: Collection[str] | None = None, tall: float = np.inf) -> Classification:  # fmt: skip
    """Add up what the index corners and the whole face say about one card.

    Evidence multiplies, each crop weighted by how much it shows; a floor keeps one wild crop from ruling out the
    truth. `deck` lists the faces that may occur: others need far stronger evidence, and are in doubt then. `tall`: how
    high the indices' windows are, px; a whole face so small that they are tiny says less.
    """
    clearest = sorted(indices, key=lambda evidence: -evidence.weight * float(evidence.faces.max()))
    weighted = [(evidence, 1.0 if number == 0 else tuning.further) for number, evidence in enumerate(clearest)]
    if face is not None:
        weighted.append((face, tuning.face_weight * min(1.0, tall / parameters.TINY_INDEX_PX) ** 2))
    blind = prod(1.0 - evidence.weight for evidence in indices)
    support = 1.0 - blind * (1.0 - (tuning.face_alone * face.weight if face is not None else 0.0))
    score = np.zeros(len(FACES))
    for evidence, weight in weighted:
        score += weight * evidence.weight * np.log(evidence.faces + parameters.EVIDENCE_FLOOR)
    if not any(evidence.weight * evidence.faces[-1] > tuning.joker_seen for evidence in indices):
        score[-1] += np.log(tuning.joker)
    listed = set(FACES)
    if deck is not None:
        listed = set(deck) | ({"JK1"} if "JK2" in deck else set())
        score += np.array([0.0 if name in listed else np.log(tuning.unlisted) for name in FACES])
    chances = softmax(score, tuning.temperature) * support
    order = np.argsort(-chances)[:5]
    classification = Classification(
        tuple(Candidate(FACES[i], float(chances[i])) for i in order if chances[i] > 1e-4), support
    )
    doubtful = FACES[order[0]] not in listed or (face is not None and _contradicts(face, int(order[0])))
    return classification.abstained(tuning) if doubtful else classification


def _contradicts(face: Evidence, name: int) -> bool:
    """True where the whole face surely shows what no face of that number's kind does; of jokers it says nothing."""
    if name >= len(_KINDS):
        return False
    shown = np.bincount(_KINDS, face.faces[:52]) * face.weight
    shown[_KINDS[name]] = 0
    return float(shown.max()) > parameters.CONTRADICTION
