"""Enrolling hands-free: pictures of a camera in, one card after the other taken from them.

A card is taken when it lies still, nothing is wrong with it as a photograph (`photographs`), and it is none that was
taken before. What the camera sees while somebody lays the next card is nothing; what is wrong is said at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.contrast import by_contrast
from companion.vision.decks import parameters
from companion.vision.decks.crops import half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.photographs import BadPhotographError, Fault, the_card
from companion.vision.images import Pixels, as_bgr, fit
from companion.vision.types import PictureReader

_EDGE = 14
_ROUNDS = 40
_NEAREST = 3


class Step(StrEnum):
    """What is to be told: lay the card; something moves; it will not do; the card taken last still lies there; it is
    another card that was taken before; it was taken; nothing is left."""

    LAY = "lay"
    MOVING = "moving"
    BAD = "bad"
    SAME = "same"
    KNOWN = "known"
    TAKEN = "taken"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the newest picture. `fault` and `detail`: what is wrong; `face`: the card taken, or known."""

    step: Step
    fault: Fault | None = None
    detail: int = 0
    face: str | None = None


class Guided:
    """Goes through a deck card by card. Not thread-safe: one owner shows it pictures and asks it."""

    def __init__(self, deck: EnrolledDeck, reader: PictureReader) -> None:
        self.deck, self._reader = deck, reader
        self.times = 1
        """So many samples of every card are wanted; `more` asks for one more."""
        self.taken: list[Sample] = []
        """What was taken, in order."""
        self._passed: list[str] = []
        self._skipped: set[str] = set()
        self._small: NDArray[np.int16] | None = None
        self._still_since = self._judged_at = 0.0
        self._moved = True
        self.now = self._following(None)
        """The card that is to be laid; None: nothing is left."""
        self.verdict = Verdict(Step.LAY if self.now else Step.DONE)

    # --- which card ------------------------------------------------------------------------------------------------

    def count(self, face: str) -> int:
        """How many samples a card has."""
        return sum(sample.face == face for sample in self.deck.samples)

    def skip(self) -> None:
        """Leave this card out and go on with the next."""
        if self.now is not None:
            self._skipped.add(self.now)
            self._pass_on()

    def back(self) -> None:
        """Go back to the card before; what was taken of it stays."""
        if self._passed:
            self.go(self._passed.pop())

    def again(self) -> None:
        """Throw away what was taken last, and ask for that card again."""
        if self.taken:
            last = self.taken.pop()
            self.deck = replace(self.deck, samples=tuple(one for one in self.deck.samples if one is not last))
            if self._passed and self._passed[-1] == last.face:
                self._passed.pop()
            self.go(last.face)

    def go(self, face: str) -> None:
        """Go on with this card of the deck. Raises NotationError for another one."""
        self.now = self.deck.deck.face(face).code
        self._skipped.discard(self.now)
        self._start_anew()

    def more(self) -> None:
        """Ask for one sample more of every card."""
        self.times = min(self.count(code) for code in self.deck.deck.codes) + 1
        self._skipped.clear()
        self.now = self._following(None)
        self._start_anew()

    def _pass_on(self) -> None:
        if self.now is not None:
            self._passed.append(self.now)
        self.now = self._following(self.now)
        self._start_anew()

    def _start_anew(self) -> None:
        self.verdict = Verdict(Step.LAY if self.now else Step.DONE)
        self._moved = True

    def _following(self, face: str | None) -> str | None:
        """The next card in the deck's order that has too few samples, round the end."""
        codes = self.deck.deck.codes
        after = 0 if face is None else codes.index(face) + 1
        held: dict[str, int] = {}
        for sample in self.deck.samples:
            held[sample.face] = held.get(sample.face, 0) + 1
        left = (c for c in (*codes[after:], *codes[:after]) if held.get(c, 0) < self.times and c not in self._skipped)
        return next(left, None)

    # --- pictures --------------------------------------------------------------------------------------------------

    def look(self, pixels: Pixels, time: float, *, take: bool = False) -> Sample | None:
        """Look at a picture (height, width, 3) of `time` s; returns the sample that was taken of it. `take`: somebody
        wants this picture, at once and even if the card looks like one that was taken before."""
        if self.now is None:
            return None
        picture = fit(as_bgr(pixels), parameters.GUIDED_SIDE)[0]
        if self._moves(picture) and not take:
            self._still_since, self._moved = time, True
            self.verdict = Verdict(Step.MOVING)
            return None
        outlines = by_contrast(picture)
        rest = parameters.STILL_S if len(outlines) == 1 else parameters.STILL_UNCLEAR_S
        again = self._moved or time - self._judged_at >= parameters.JUDGE_AGAIN_S
        if not take and (time - self._still_since < rest or not again):
            return None
        self._judged_at, self._moved = time, False
        try:
            sample = the_card(picture, self._reader.read(picture).cards)
        except BadPhotographError as error:
            nothing = error.fault is Fault.NO_CARD
            self.verdict = Verdict(Step.LAY if nothing else Step.BAD, error.fault, error.detail)
            return None
        if not take and (known := self._known(sample)) is not None:
            self.verdict = known
            return None
        return self._take(sample)

    def _take(self, pixels: Pixels) -> Sample:
        assert self.now is not None
        sample = Sample(self.now, pixels, source="camera")
        self.taken.append(sample)
        self.deck = self.deck.with_samples([sample])
        self._pass_on()
        self._moved = False  # it lies there still: nothing to judge before something moves
        self.verdict = Verdict(Step.TAKEN if self.now else Step.DONE, face=sample.face)
        return sample

    def _moves(self, picture: Pixels) -> bool:
        """Does the picture differ from the one before? Its brightness as a whole does not count."""
        grey = cv2.cvtColor(cv2.resize(picture, (80, 60), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        small = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.int16)
        before, self._small = self._small, small
        if before is None:
            return True
        change = small - before
        return bool((np.abs(change - np.median(change)) > parameters.MOVES).mean() > parameters.MOVES_SHARE)

    def _known(self, sample: Pixels) -> Verdict | None:
        """What a sample shows that is not the card asked for: the card taken last, or another one that has a sample
        which it is more like than any of the card asked for."""
        last = self.taken[-1] if self.taken else None
        if last is not None and last.face != self.now and unlike(sample, last.pixels) < parameters.SAME_LYING:
            return Verdict(Step.SAME, face=last.face)
        held = list(self.deck.samples)
        near = _nearest(sample, [one.pixels for one in held])
        found = [(unlike(sample, held[at].pixels), held[at].face) for at in near]
        best = min(found, default=None)
        if best is None or best[0] >= parameters.SAME_LYING or best[1] == self.now:
            return None
        return Verdict(Step.KNOWN, face=best[1])


def unlike(first: Pixels, second: Pixels) -> float:
    """How much two samples differ in the part in which they differ most, laid on each other as well as they go, either
    way up: brightness, 0 to 255. Of one card in one light less than `SAME_LYING`."""
    one, other = levelled(reduced([first, second]))
    best = 255.0
    for way in (other, half_turned(other[None])[0]):
        moved = _aligned(one, way)
        if moved is None:
            continue
        a, b = (
            cv2.GaussianBlur(each, (0, 0), 0.8).astype(np.float32)[_EDGE:-_EDGE, _EDGE:-_EDGE] for each in (one, moved)
        )
        b *= (a * b).sum((0, 1)) / np.maximum((b * b).sum((0, 1)), 1e-6)
        parts = cv2.blur(np.abs(a - b).max(axis=2), (5, 5))[4:-4, 4:-4]
        best = min(best, float(parts.max()))
    return best


def _aligned(one: Pixels, other: Pixels) -> Pixels | None:
    """The second crop laid on the first (Evangelidis and Psarakis' enhanced correlation coefficient); None where they
    have nothing in common."""
    grey = [cv2.GaussianBlur(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY), (0, 0), 1.2) for each in (one, other)]
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ROUNDS, 1e-4)
    start = np.eye(3, dtype=np.float32)
    nothing = np.full(grey[0].shape, 255, np.uint8)
    try:
        _, found = cv2.findTransformECC(grey[0], grey[1], start, cv2.MOTION_HOMOGRAPHY, stop, nothing, 3)
    except cv2.error:
        return None
    size = (one.shape[1], one.shape[0])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(other, found, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _nearest(sample: Pixels, others: Sequence[Pixels]) -> list[int]:
    """Which of the others are most like a sample at a first look, either way up."""
    if not others:
        return []
    either = np.maximum(alike(sample, others), alike(np.ascontiguousarray(sample[::-1, ::-1]), others))
    return [int(at) for at in np.argsort(-either)[:_NEAREST]]


def alike(sample: Pixels, others: Sequence[Pixels]) -> NDArray[np.float32]:
    """How well a sample agrees with others (n,) at a first look, this way up: -1 to 1."""
    return np.stack([_flat(each) for each in others]) @ _flat(sample)


def _flat(pixels: Pixels) -> NDArray[np.float32]:
    """A sample, soft and small, as a vector of length 1 around its mean."""
    small = cv2.resize(pixels, (28, 36), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
    small -= small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)
