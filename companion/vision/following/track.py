"""One remembered card, and what all reads of it say of its face."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.vision import parameters as common
from companion.vision.following import parameters
from companion.vision.following.background import Appearance
from companion.vision.following.looks import Look
from companion.vision.types import Candidate, CardRead, Point, Quad, SeenCard, Side


def either(one: str, other: str) -> bool:
    """True for the jack and the queen of a suit: a V is the one in French, the other in Dutch."""
    return {one[:-1], other[:-1]} == {"J", "Q"} and one[-1] == other[-1]


@dataclass(slots=True)
class TrackEvidence:
    """What all reads of one card say of its face: sums of log-likelihoods, `floor` for faces no read thought of.

    Reads add up, but a print that is misread in every picture alike they misread together: no face is likelier than
    the one of its reads that agreed best with itself (`agreed`).
    """

    scores: dict[str, float] = field(default_factory=dict)
    floor: float = 0.0
    chances: dict[str, float] = field(default_factory=dict)
    agreed: dict[str, float] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    reads: int = 0
    repeats: int = 0

    def add(self, read: CardRead, *, repeated: bool) -> None:
        """Count one read. `repeated`: nothing moved since the last one, so it is hardly new. What a V was read as
        before its language was known says nothing once it is named."""
        if self.open and any(read.face == candidate.face for candidate in self.candidates(2)):
            self.scores, self.floor, self.repeats, repeated = {}, 0.0, 0, False
        self.reads += 1
        self.repeats = self.repeats + 1 if repeated else 0
        for candidate in read.candidates:
            self.chances[candidate.face] = self.chances.get(candidate.face, 0.0) + candidate.p
        if not read.candidates or self.repeats > parameters.MOST_REPEATS:
            return
        weight = parameters.REPEATED_READ if repeated else 1.0
        least = max(parameters.LEAST_OTHER, 1.0 - sum(c.p for c in read.candidates)) / parameters.OTHER_FACES
        chance = {c.face: max(c.p, least) for c in read.candidates}
        likeliest = read.candidates[0].face
        self.agreed[likeliest] = max(read.agreed, self.agreed.get(likeliest, 0.0))
        for face in set(self.scores) | set(chance):
            self.scores[face] = self.scores.get(face, self.floor) + weight * math.log(chance.get(face, least))
        self.floor += weight * math.log(least)
        if read.face is not None:
            self.named.add(read.face)

    def candidates(self, most: int = 5) -> tuple[Candidate, ...]:
        """Faces with their probabilities, most likely first."""
        if not self.scores:
            return ()
        other = self.floor + math.log(parameters.OTHER_FACES)
        top = max(*self.scores.values(), other)
        total = sum(math.exp(s - top) for s in self.scores.values()) + math.exp(other - top)
        chances = {f: math.exp(score - top) / total * self.agreed.get(f, 1.0) for f, score in self.scores.items()}
        ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))[:most]
        return tuple(Candidate(face, round(chance, 4)) for face, chance in ranked)

    @property
    def open(self) -> bool:
        """True where it shows a V, and nothing has told which language that is."""
        likely = self.candidates(2)
        return not self.named and len(likely) == 2 and either(likely[0].face, likely[1].face)

    def clear(self, accept: float) -> bool:
        """It is one of the faces that its reads thought of, though which is not known."""
        return self.reads > 0 and sum(self.chances.values()) >= accept * self.reads

    def face(self, accept: float) -> str | None:
        """The face, if it is likely enough and some read was sure of it, or many leant to it."""
        best = self.candidates(1)
        if not best or best[0].p < accept:
            return None
        name = best[0].face
        leaning = (
            self.reads >= parameters.LEANING_READS
            and best[0].p >= parameters.LEANING_SURE
            and self.chances[name] >= parameters.LEANING_MEAN * self.reads
        )
        return name if name in self.named or leaning else None


@dataclass(slots=True)
class Track:
    """One card on the table. `place`: table units; `outline`: px; `since`: when it was first seen there, s; `pinned`:
    a person named it; `dismissed`: a person said it is no card; `vacated`: its place was seen empty while hands
    moved; `indices`: where those it was last read by lay, px; `missed`: looks in a row that did not find it; `absent`:
    those in which what it lay on showed in its place; `hidden`: what rests there may hide it; `crop`: key of its
    picture, `crop_of`: what that shows."""

    number: int
    side: Side
    place: Quad
    outline: Quad
    appearance: Appearance
    since: float = 0.0
    evidence: TrackEvidence = field(default_factory=TrackEvidence)
    confidence: float = 0.0
    pinned: str | None = None
    dismissed: bool = False
    covered: bool = False
    hidden: bool = False
    vacated: int = 0
    absent: int = 0
    missed: int = 0
    look: Look | None = None
    indices: tuple[Point, ...] = ()
    turned: int = 0
    crop: str | None = None
    crop_of: object = None

    def face(self, accept: float) -> str | None:
        """The face as believed now; None for a back and where the reads do not suffice."""
        if self.pinned is not None:
            return self.pinned
        return self.evidence.face(accept) if self.side is Side.UP else None

    @property
    def likeliest(self) -> str | None:
        """The face that it has, or may have before all others."""
        best = self.evidence.candidates(1)
        return self.pinned or (best[0].face if best else None)

    def doubtful(self, accept: float) -> bool:
        """Another read may make it clearer, or show that it is gone."""
        if self.covered or self.dismissed or self.pinned is not None:
            return self.absent > 0 or self.tentative
        unnamed = bool(self.evidence.scores) and self.face(accept) is None
        return self.tentative or ((unnamed or self.leans) and self.evidence.repeats < parameters.MAX_READS)

    def passing(self, accept: float) -> bool:
        """Nothing but a passing outline so far: no name, or a back that one read saw."""
        if self.pinned is not None or self.dismissed:
            return False
        if self.side is Side.DOWN:
            return self.evidence.reads < 2
        return self.evidence.face(accept) is None

    def is_none_of(self, cards: Sequence[CardRead], accept: float) -> bool:
        """It has no name, but is surely a card, and none of those that are read: one may lie on it."""
        known = self.evidence.reads >= parameters.LEANING_READS and self.evidence.clear(accept)
        return known and all(card.face != self.likeliest for card in cards)

    @property
    def is_sure_back(self) -> bool:
        """Its last read was sure that it lies face down."""
        return self.side is Side.DOWN and self.confidence >= common.SURE_BACK

    def seen(self, accept: float) -> SeenCard:
        """As it is told."""
        candidates = self.evidence.candidates() if self.side is Side.UP else ()
        confidence = candidates[0].p if candidates else self.confidence
        if self.pinned is not None:
            confidence = 1.0
        return SeenCard(
            self.number, self.face(accept), confidence, self.side, self.place, candidates, self.crop,
            self.since, self.covered, self.hidden,
        )  # fmt: skip

    @property
    def leans(self) -> bool:
        """It looks like one face more than like all others, not surely, and further reads count."""
        if self.side is Side.DOWN or self.pinned is not None or self.evidence.repeats > parameters.MOST_REPEATS:
            return False
        best = self.evidence.candidates(1)
        return bool(best) and parameters.LEANING_MEAN <= best[0].p < parameters.CLEAR_AT_ONCE

    @property
    def tentative(self) -> bool:
        """Looked at only once, and not clearly; what further looks do not find is not looked for again and again."""
        return (
            self.evidence.reads < 2
            and self.missed < parameters.MAX_READS
            and self.confidence < parameters.CLEAR_AT_ONCE
            and self.pinned is None
            and not self.dismissed
        )
