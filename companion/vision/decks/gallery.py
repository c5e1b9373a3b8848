"""All cards of an enrolled deck, ready to be recognised; and what is said of one card that lies on the table.

The picture is named by the maps, the mark pixel by pixel where marks have a place of their own, and each may be in
doubt by itself. On a deck whose pictures and marks mingle, or that has none, the maps name the whole face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.decks import marks, parameters
from companion.vision.decks.crops import Crops, half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck
from companion.vision.decks.matching import Floats, Templates, compare, interiors
from companion.vision.decks.network import Network
from companion.vision.decks.templates import Anatomy, build
from companion.vision.types import Candidate


@dataclass(frozen=True, slots=True)
class Likeness:
    """What one card's crop shows: log evidence (faces,) of each face, and `other`, that of another card of such a deck;
    how marks agree (windows, marks) where they have a place of their own; which way up the card lies."""

    faces: Floats
    other: float
    marks: Floats | None
    turned: bool


@dataclass(frozen=True, slots=True)
class Recognised:
    """Which card it may be: candidates, likeliest first, whose probabilities add up to 1 with that of any other card;
    and, each by itself, how sure its picture and its mark are."""

    candidates: tuple[Candidate, ...]
    picture: float
    mark: float

    @property
    def face(self) -> str | None:
        """The likeliest face where it is sure, else None."""
        return self.candidates[0].face if self.candidates and self.candidates[0].p >= parameters.ACCEPT else None


class Gallery:
    """The faces of an enrolled deck. Safe to share between threads as far as its network is."""

    def __init__(self, deck: EnrolledDeck, network: Network) -> None:
        """Learn the deck from its samples: a few seconds."""
        self.deck, self.network = deck, network
        self.faces = deck.faces
        self.parts = deck.parts()
        self.pictures = sorted({picture for picture, _ in self.parts})
        self.marks = sorted({mark for _, mark in self.parts})
        self.picture_of = np.array([self.pictures.index(picture) for picture, _ in self.parts])
        self.mark_of = np.array([self.marks.index(mark) for _, mark in self.parts])
        self.code_of = {
            (int(picture), int(mark)): face
            for face, picture, mark in zip(self.faces, self.picture_of, self.mark_of, strict=True)
        }
        crops = reduced([sample.pixels for sample in deck.samples])
        owner = [self.faces.index(sample.face) for sample in deck.samples]
        ways = [self._learned(each, owner) for each in (crops, half_turned(crops))]
        self.templates = Templates(
            np.concatenate([way[0].means for way in ways]), np.concatenate([way[0].spread for way in ways])
        )
        self.anatomy = ways[0][1]
        self.windows: marks.Marks | None = None
        if float(self.anatomy.own.mean()) < parameters.MINGLED and len(self.marks) > 1:
            self.windows = marks.learned(levelled(crops), [int(self.mark_of[o]) for o in owner], self.anatomy)

    def _learned(self, crops: Crops, owner: Sequence[int]) -> tuple[Templates, Anatomy]:
        samples = interiors(self.network.sample_maps(crops))
        return build(samples, owner, self.parts, self.network.numbers)

    def likeness(self, crops: Crops) -> list[Likeness]:
        """What is known of each crop (n, height, width, 3), as `crops.rectified` cuts them."""
        each = zip(levelled(crops), self.network.maps(crops), strict=True)
        return [self._likeness(crop, card) for crop, card in each]

    def _likeness(self, crop: Crops, card: Floats) -> Likeness:
        both = compare(card, self.templates, self.network.numbers)
        upright, turned = np.split(both, 2)
        way = bool(turned[:-1].max() > upright[:-1].max())
        either = np.maximum(upright, turned)
        faces, other = either[:-1], float(either[-1])
        agree = None
        if self.windows is not None:
            agree = self.windows.agreement(half_turned(crop[None])[0] if way else crop)
            if abs(float(turned[:-1].max() - upright[:-1].max())) < parameters.EITHER_WAY:
                other_way = self.windows.agreement(crop if way else half_turned(crop[None])[0])
                if mark_evidence(other_way).max() > mark_evidence(agree).max():
                    agree, way = other_way, not way
        return Likeness(faces, other, agree, way)

    def recognised(self, crops: Crops) -> list[Recognised]:
        """Which card each crop shows, or may show."""
        return [self._recognised(each) for each in self.likeness(crops)]

    def _recognised(self, seen: Likeness) -> Recognised:
        if self.windows is None or seen.marks is None:
            sure = sure_of_picture(seen.faces, seen.other)
            order = np.argsort(-seen.faces)[:SHOWN]
            shares = _shares(seen.faces[order] / parameters.EVIDENCE_SCALE, sure)
            found = [Candidate(self.faces[k], p) for k, p in zip(order.tolist(), shares, strict=True)]
            return Recognised(tuple(found), sure, sure)
        pictures = self.by_picture(seen.faces)
        marks = mark_evidence(seen.marks)
        sure, sure_mark = sure_of_picture(pictures, seen.other), sure_of_mark(marks, seen.marks)
        first, second = np.argsort(-pictures)[:SHOWN], np.argsort(-marks)[:SHOWN]
        of_pictures = _shares(pictures[first] / parameters.EVIDENCE_SCALE, sure)
        of_marks = _shares(marks[second] * parameters.MARK_SCALE, sure_mark)
        each = {
            self.code_of[picture, mark]: p * q
            for picture, p in zip(first.tolist(), of_pictures, strict=True)
            for mark, q in zip(second.tolist(), of_marks, strict=True)
            if (picture, mark) in self.code_of
        }
        ranked = sorted(each.items(), key=lambda pair: -pair[1])[:5]
        return Recognised(tuple(Candidate(face, p) for face, p in ranked if p > 1e-3), sure, sure_mark)

    def look_alikes(self) -> list[tuple[str, str]]:
        """Pairs that a camera may take for each other, as (picture, picture) or (mark, mark), each by its code."""
        found: dict[tuple[str, str], None] = {}
        crops = reduced([sample.pixels for sample in self.deck.samples])
        for sample, seen in zip(self.deck.samples, self.likeness(crops), strict=True):
            own = self.faces.index(sample.face)
            rivals = seen.faces if self.windows is None else self.by_picture(seen.faces)
            names = list(self.faces) if self.windows is None else self.pictures
            mine = own if self.windows is None else int(self.picture_of[own])
            others = np.delete(np.arange(len(rivals)), mine)
            near = int(others[rivals[others].argmax()]) if len(others) else mine
            if near != mine and rivals[mine] - rivals[near] < parameters.LOOK_ALIKE_LEAD:
                found[tuple(sorted((names[mine], names[near])))] = None  # type: ignore[index]
        for first in range(len(self.marks) if self.windows else 0):
            assert self.windows is not None
            for second in range(first):
                alike = [
                    float(cv2.matchTemplate(one.looks[0, first], one.looks[0, second], cv2.TM_CCORR_NORMED).max())
                    for one in self.windows.windows
                ]
                if min(alike) > parameters.MARKS_ALIKE:
                    found[self.marks[second], self.marks[first]] = None
        return list(found)

    def by_picture(self, faces: Floats) -> Floats:
        """Log evidence (pictures,): that of each picture's likeliest face."""
        pictures = np.full(len(self.pictures), -np.inf, np.float32)
        np.maximum.at(pictures, self.picture_of, faces)
        return pictures


SHOWN = 4


def mark_evidence(agreement: Floats) -> Floats:
    """(marks,) from how marks agree in each window: little counts much where agreement is nearly full."""
    return np.asarray(-np.log(np.maximum(1 - agreement, 0.02)).sum(axis=0), np.float32)


def sure_of_picture(evidence: Floats, other: float) -> float:
    """Probability that the likeliest is right: by how far it is ahead of the next, and of another card of the deck."""
    best = np.sort(evidence)[::-1]
    ahead = best[0] - best[1] if len(best) > 1 else best[0]
    constant, lead, beyond = parameters.PICTURE_SURE
    return _chance(constant + lead * np.log1p(max(ahead, 0.0)) + beyond * np.clip(best[0] - other, -50, 150) / 50)


def sure_of_mark(evidence: Floats, agreement: Floats) -> float:
    """The same for marks, by the lead in evidence and how well the best agrees in its best window."""
    order = np.argsort(-evidence)
    ahead = evidence[order[0]] - evidence[order[1]] if len(order) > 1 else 3.0
    constant, lead, full = parameters.MARK_SURE
    return _chance(constant + lead * np.log(max(ahead, 0.003)) + full * float(agreement[:, order[0]].max()))


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _shares(scores: Floats, sure: float) -> list[float]:
    """Probabilities of ordered scores, of which the first is `sure`: the rest is shared, some of it by none."""
    rest = np.exp(scores[1:] - scores[1]) if len(scores) > 1 else np.zeros(0)
    weights = (1 - sure) * rest / (rest.sum() + 1) if len(rest) else rest
    return [sure, *np.minimum(weights, sure).tolist()]
