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
from companion.vision.decks.alignment import NOT_MOVED, Looks, grey, moved_alike, moved_onto, turned_alike, warped
from companion.vision.decks.crops import Crops, as_on_a_table, half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck
from companion.vision.decks.marks import mark_evidence
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
    looks: Floats


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
        both = [interiors(network.sample_maps(each)) for each in (crops, half_turned(crops))]
        turned = turned_alike(both[0], both[1], [self.parts[face][0] for face in owner])
        crops[turned] = half_turned(crops[turned])
        crops = moved_alike(crops, owner, self.parts)
        plain = grey(levelled(crops))
        shown = np.array([int(self.picture_of[face]) for face in owner])
        self.looks = Looks(np.stack([np.median(plain[shown == k], axis=0) for k in range(len(self.pictures))]))
        ways = [self._learned(each, owner) for each in (crops, half_turned(crops))]
        self.templates = Templates(
            np.concatenate([way[0].means for way in ways]), np.concatenate([way[0].spread for way in ways])
        )
        self.anatomy = ways[0][1]
        self.windows: marks.Marks | None = None
        self.trust = np.ones(len(self.pictures), np.float32), np.ones(len(self.marks), np.float32)
        self.offset = 0.0, 0.0
        if float(self.anatomy.own.mean()) < parameters.MINGLED and len(self.marks) > 1 and len(self.pictures) > 1:
            self.windows = marks.learned(levelled(crops), [int(self.mark_of[o]) for o in owner], self.anatomy)
        if self.windows is not None:
            self._try(crops, owner)

    def _learned(self, crops: Crops, owner: Sequence[int]) -> tuple[Templates, Anatomy]:
        samples = interiors(self.network.sample_maps(crops))
        return build(samples, owner, self.parts, self.network.numbers)

    def _try(self, crops: Crops, owner: Sequence[int]) -> None:
        """How sure this deck's pictures and marks are (`offset`), and how far each one's name is to be trusted
        (`trust`): samples are shown as a webcam shows small cards. Where one is surely taken for another, the name of
        either is worth less; where all are known, less is needed."""
        right = np.zeros(len(self.pictures)), np.zeros(len(self.marks))
        wrong = np.zeros(len(self.pictures)), np.zeros(len(self.marks))
        logits: tuple[list[float], list[float]] = ([], [])
        hits: tuple[list[bool], list[bool]] = ([], [])
        for views in as_on_a_table(crops):
            for face, seen in zip(owner, self.likeness(views), strict=True):
                assert seen.marks is not None
                said = int(seen.looks.argmax()), int(mark_evidence(seen.marks).argmax())
                true = int(self.picture_of[face]), int(self.mark_of[face])
                for part, logit in enumerate(self.logits(seen)):
                    logits[part].append(logit)
                    hits[part].append(said[part] == true[part])
                    if _chance(logit) > parameters.ACCEPT:
                        if hits[part][-1]:
                            right[part][said[part]] += 1
                        else:  # neither of the two is known from the other
                            wrong[part][[said[part], true[part]]] += 1
        first, second = (
            ((good + 1) / (good + 1 + parameters.DISTRUST * bad)).astype(np.float32)
            for good, bad in zip(right, wrong, strict=True)
        )
        self.trust = first, second
        self.offset = _offset(logits[0], hits[0]), _offset(logits[1], hits[1])

    def likeness(self, crops: Crops) -> list[Likeness]:
        """What is known of each crop (n, height, width, 3), as `crops.rectified` cuts them."""
        each = zip(levelled(crops), self.network.maps(crops), strict=True)
        return [self._likeness(crop, card) for crop, card in each]

    def _likeness(self, crop: Crops, card: Floats) -> Likeness:
        numbers, count = self.network.numbers, len(self.faces)
        both = compare(card, self.templates, numbers)
        upright, turned = np.split(both, 2)
        rival = self.by_picture(np.maximum(upright, turned)[:-1])
        likely = np.argsort(-rival)[:RIVALS]
        plain = grey(crop[None])[0]
        alike = np.full(len(self.pictures), -1, np.float32)
        best, onto = -1.0, (NOT_MOVED, 0, False)
        for picture in likely.tolist():
            these = np.flatnonzero(self.picture_of == picture)
            way = bool(turned[these].max() > upright[these].max())
            move, _ = moved_onto(self.looks.turned(picture, way), plain)
            said = self.looks.alike(warped(plain, move), way)
            np.maximum(alike, said, out=alike)
            if said[picture] > best:
                best, onto = float(said[picture]), (move, picture, way)
        if best > parameters.MOVED_CARD:
            crop = warped(crop, onto[0]).astype(np.uint8)
            exact = self.network.maps(crop[None])[0]
            which = np.flatnonzero(np.isin(self.picture_of, likely))
            which = np.concatenate([which, [count], count + 1 + which, [2 * count + 1]])
            finer = compare(exact, self.templates, numbers, which)
            both[which] = np.maximum(both[which], finer)
            upright, turned = np.split(both, 2)
        way = bool(turned[:-1].max() > upright[:-1].max())
        either = np.maximum(upright, turned)
        faces, other = either[:-1], float(either[-1])
        agree: Floats | None = None
        if self.windows is not None:
            agree = self.windows.agreement(half_turned(crop[None])[0] if way else crop)
            if abs(float(turned[:-1].max() - upright[:-1].max())) < parameters.EITHER_WAY:
                other_way = self.windows.agreement(crop if way else half_turned(crop[None])[0])
                if mark_evidence(other_way).max() > mark_evidence(agree).max():
                    agree, way = other_way, not way
        return Likeness(faces, other, agree, way, alike)

    def recognised(self, crops: Crops) -> list[Recognised]:
        """Which card each crop shows, or may show."""
        return [self._recognised(each) for each in self.likeness(crops)]

    def _recognised(self, seen: Likeness) -> Recognised:
        if self.windows is None or seen.marks is None:
            sure = sure_of_face(seen.faces, seen.other)
            order = np.argsort(-seen.faces)[:SHOWN]
            shares = _shares(seen.faces[order] / parameters.EVIDENCE_SCALE, sure)
            found = [Candidate(self.faces[k], p) for k, p in zip(order.tolist(), shares, strict=True)]
            return Recognised(tuple(found), sure, sure)
        marks = mark_evidence(seen.marks)
        sure, sure_mark = (_chance(logit + more) for logit, more in zip(self.logits(seen), self.offset, strict=True))
        first, second = np.argsort(-seen.looks)[:SHOWN], np.argsort(-marks)[:SHOWN]
        sure, sure_mark = sure * float(self.trust[0][first[0]]), sure_mark * float(self.trust[1][second[0]])
        of_pictures = _shares(seen.looks[first] * parameters.LOOK_SCALE, sure)
        of_marks = _shares(marks[second] * parameters.MARK_SCALE, sure_mark)
        each = {
            self.code_of[picture, mark]: p * q
            for picture, p in zip(first.tolist(), of_pictures, strict=True)
            for mark, q in zip(second.tolist(), of_marks, strict=True)
            if (picture, mark) in self.code_of
        }
        ranked = sorted(each.items(), key=lambda pair: -pair[1])[:5]
        return Recognised(tuple(Candidate(face, p) for face, p in ranked if p > 1e-3), sure, sure_mark)

    def logits(self, seen: Likeness) -> tuple[float, float]:
        """How sure the likeliest picture and the likeliest mark are, as decks go."""
        assert self.windows is not None and seen.marks is not None
        pictures, best = self.by_picture(seen.faces), int(seen.looks.argmax())
        rest = np.delete(pictures, best)
        ahead = float(pictures[best] - rest.max()) if len(rest) else 100.0
        constant, lead, look, maps = parameters.PICTURE_SURE
        before = self.looks.lead(seen.looks)
        picture = constant + lead * np.log(max(before, 0.02)) + _too_close(before)
        picture += look * float(seen.looks[best]) + maps * np.clip(ahead / 50, -2, 2)
        mark = int(mark_evidence(seen.marks).argmax())
        constant, lead, full = parameters.MARK_SURE
        before = self.windows.lead(seen.marks)
        return float(picture), constant + lead * before + _too_close(before) + full * float(seen.marks[:, mark].max())

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
RIVALS = 3


def sure_of_face(evidence: Floats, other: float) -> float:
    """Probability that the likeliest is right where pictures and marks mingle: by how far it is ahead of the next, and
    of another card of the deck."""
    best = np.sort(evidence)[::-1]
    ahead = best[0] - best[1] if len(best) > 1 else best[0]
    constant, lead, beyond = parameters.FACE_SURE
    return _chance(constant + lead * np.log1p(max(ahead, 0.0)) + beyond * np.clip(best[0] - other, -50, 150) / 50)


def _too_close(lead: float) -> float:
    """What a lead that is hardly one takes from a logit: of two that are the same neither is sure."""
    return float(parameters.CLOSE_COST * np.log(np.clip(lead / parameters.TOO_CLOSE, 0.01, 1)))


def _offset(logits: Sequence[float], right: Sequence[bool]) -> float:
    """What to add to logits so that they say how often names were right; little without need (a Gaussian prior), and
    never more than `parameters.MOST_OFFSET`, as samples are seen better than cards on a table."""
    at, values, hits = 0.0, np.array(logits), np.array(right, float)
    for _ in range(20):
        chance = 1 / (1 + np.exp(-values - at))
        at += (float((hits - chance).sum()) - at) / (float((chance * (1 - chance)).sum()) + 1)
    return min(at, parameters.MOST_OFFSET)


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _shares(scores: Floats, sure: float) -> list[float]:
    """Probabilities of ordered scores, of which the first is `sure`: the rest is shared, some of it by none."""
    rest = np.exp(scores[1:] - scores[1]) if len(scores) > 1 else np.zeros(0)
    weights = (1 - sure) * rest / (rest.sum() + 1) if len(rest) else rest
    return [sure, *np.minimum(weights, sure).tolist()]
