"""From one picture to the physical cards in it: detect, read the indices, assemble, classify, report.

The stages are separate values, so that each can be replaced: detections, observations of the indices, card hypotheses,
instances with a classification each. Cards are told apart by place and direction. A name alone never makes two
instances one card; it can only forbid that (two faces are two cards) or make the reader abstain (an equal card that
lies where another corner of the first card would).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion import resources
from companion.vision import parameters as common
from companion.vision.assembly import edges
from companion.vision.assembly.assemble import assemble, plausible_sizes
from companion.vision.assembly.candidates import Candidate, candidates
from companion.vision.assembly.duplicates import merge_opposite_corners, split_by_face, suppress_duplicates
from companion.vision.assembly.hypotheses import CardHypothesis, IndexConflicts
from companion.vision.assembly.inks import fitted_to_inks
from companion.vision.assembly.instances import (
    CardInstance,
    IndexObservation,
    classified,
    merged_observations,
    with_observations,
)
from companion.vision.assembly.judge import judged
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import Array, area, as_quad, corner_windows, index_window, overlap
from companion.vision.images import Pixels, as_bgr, fit, stretched
from companion.vision.pipeline import parameters
from companion.vision.pipeline.backs import with_alike
from companion.vision.pipeline.index_filter import face_certain, plausible_refinement, required_weight, without_repeats
from companion.vision.pipeline.report import as_polygon, as_sights, card_read
from companion.vision.reading import parameters as reading_parameters
from companion.vision.reading.changes import Answers
from companion.vision.reading.classifier import FaceClassifier
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE, rectify_all
from companion.vision.reading.detections import Detection, DetectionClass
from companion.vision.reading.detector import Detector
from companion.vision.reading.evidence import Tuning, average
from companion.vision.reading.faces import FACES, JOKERS
from companion.vision.reading.letters import dutch_share, letters_seen
from companion.vision.reading.runtime import thread_count
from companion.vision.reading.watched import Watched
from companion.vision.reading.workers import Workers
from companion.vision.types import Part, Quad, ReadResult, Region, Side, in_reading_order

_NEEDED = (
    "detector/detector.onnx",
    *(f"reader/{name}" for name in ("reader.onnx", "aim.onnx", "tuning.json", "judge.json")),
)


class Reader:
    """Reads pictures. Holds the networks; one instance serves one thread at a time."""

    def __init__(
        self,
        models_dir: Path | None = None,
        *,
        threads: int = 2,
        tuning: Tuning | None = None,
    ) -> None:
        """Load the weights below `models_dir` (default: those shipped). Raises PartError where something of it is
        missing or damaged."""
        folder = models_dir or resources.models()
        for name in _NEEDED:
            if not (folder / name).is_file():
                raise resources.PartError(f"the weights {folder / name} are missing: {resources.AGAIN}")
        numbers = folder / "reader" / "tuning.json", folder / "reader" / "judge.json"
        self.tuning = tuning or resources.undamaged(Tuning.load, numbers[0])
        self._judge = resources.undamaged(Trees.load, numbers[1])
        self._workers = Workers(thread_count(threads))
        self._detector = Detector(folder / "detector" / "detector.onnx", threads=threads, workers=self._workers)
        self._classifier = resources.undamaged(
            lambda place: FaceClassifier(place, self.tuning, threads=threads), folder / "reader"
        )
        self._letters = frozenset[str]()
        self._watched = Watched(self._detector)
        self._answers = Answers[Any]()
        self._outlines: list[Array] = []
        self._cards: list[Detection] = []

    def read(
        self,
        image: NDArray[np.generic],
        deck: Collection[str] | None = None,
        letters: Collection[str] = (),
        where: Sequence[Region] | None = None,
        parts: Sequence[Part] = (),
        *,
        beside: Sequence[Quad] = (),
    ) -> ReadResult:
        """Read every card in a picture, whatever matters. Of a camera that watches (`where` is not None) closer views
        that show the same as before are not looked at anew, but where something matters; where nothing does (`where` is
        empty) nothing is that shows the same: an enrolled deck says which card it is.

        `image`: (height, width[, 3 or 4]) BGR, 8 or 16 bits. `deck`: face codes that may occur, others get no name; as
        a mapping, how often each. `letters`: those read on this table before, and its inks (see `ReadResult`).
        `beside`: of a picture that is a part of one, outlines (px) of cards that surely lie beside it (see `Part`).
        Returns the cards in reading order, polygons in px of `image`.
        """
        began = time.perf_counter()
        original = as_bgr(image)
        picture, scale = fit(original, parameters.LONGEST_PICTURE)
        picture = stretched(picture)
        instances = judged(
            self.candidates(
                picture,
                deck,
                letters,
                where=where and [_scaled(region, 1 / scale) for region in where],
                beside=[as_quad(outline) / scale for outline in beside],
            ),
            (picture.shape[0], picture.shape[1]),
            self._judge,
            self.tuning,
            deck if isinstance(deck, Mapping) else None,
        )
        instances, inks = fitted_to_inks(instances, self.tuning, letters)
        (height, width), copies = original.shape[:2], _copies(deck)
        outlined = [(one.keypoints * scale, one.score) for one in self._cards]
        down = [
            one.keypoints * scale
            for one in self._cards
            if one.label is DetectionClass.DOWN and one.score >= common.SURE_BACK
        ]
        read = [card_read(one, scale, self.tuning, deck) for one in instances]
        cards = in_reading_order(with_alike(read, original, outlined, copies, down), height)
        seen = as_sights(self._detector.sights, scale) if copies is None else ()
        spent = (time.perf_counter() - began) * 1000
        outlines = tuple(as_polygon(outline * scale) for outline in self._outlines)
        return ReadResult(width, height, round(spent, 1), cards, self._letters, inks, outlines, seen)

    def candidates(
        self, picture: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (), *,
        where: Sequence[Region] | None = None, beside: Sequence[Array] = (),
    ) -> list[Candidate]:  # fmt: skip
        """All that may be a card in a picture, the surest first: see `companion.vision.assembly.judge`. `where`,
        `beside`: as of `read`, in px of this picture."""
        every, spare = self.detect_instances(picture, deck, letters, where=where, beside=beside)
        found = suppress_duplicates(split_by_face(every, self.tuning, deck), self.tuning, deck)
        return candidates(merge_opposite_corners(found, self.tuning, deck), every, spare, self.tuning)

    def detect_instances(
        self, picture: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (), *,
        where: Sequence[Region] | None = None, beside: Sequence[Array] = (),
    ) -> tuple[list[CardInstance], list[IndexObservation]]:  # fmt: skip
        """Find and read all that may be a card; some of it may be one card twice. And what else may be an index."""
        bright = self._workers.begin(lambda: edges.min_channel(picture))
        detections, self._answers = self._watched.look(picture, where, beside=beside)
        cards = self._cards = [f for f in detections if f.label is not DetectionClass.INDEX]
        on_edges = self._workers.begin(
            lambda: edges.refine_outlines(bright.result(), [card.keypoints for card in cards])
        )
        self._classifier.dutch, self._classifier.polish = 0.0, False
        observations, spare = self._observe_detected(
            picture, cards, [f for f in detections if f.label is DetectionClass.INDEX]
        )
        self._letters = letters_seen((observation.evidence, observation.pose.tall) for observation in observations)
        self._classifier.dutch = dutch_share(self._letters, letters)
        self._classifier.polish = "W" in self._letters.union(letters)
        observations = [replace(one, evidence=self._classifier.in_language(one.evidence)) for one in observations]
        quads = [observation.quad for observation in observations if observation.quad is not None]

        conflicts = IndexConflicts.of(
            [observation.face_id for observation in observations], [observation.certain for observation in observations]
        )
        self._outlines = [*on_edges.result(), *(card.keypoints for card in cards)]
        hypotheses = assemble(cards, quads, bright.result(), conflicts, on_edges.result(), beside)
        instances = self._classify(
            picture,
            [(hypothesis, [observations[number] for number in hypothesis.indices]) for hypothesis in hypotheses],
            deck,
        )
        if where is not None and deck is not None and {*FACES, *JOKERS}.isdisjoint(deck):
            return instances, spare  # a watched table: no look at an index would give any of them a name
        return self._reobserve(picture, instances, deck), spare

    def _observe_detected(
        self, picture: Pixels, cards: Sequence[Detection], indices: Sequence[Detection]
    ) -> tuple[list[IndexObservation], list[IndexObservation]]:
        """One observation of each detected index. Those faintly seen, or too large for their card, count if read
        clearly.

        And those of what seems an index all the same: not read clearly, or so close to another.
        """
        read = self._answers.ask(
            "index",
            [index.keypoints for index in indices],
            lambda new: self._workers.in_parts(
                lambda some: self._read_indices(picture, some), [indices[n] for n in new], 1
            ),
        )
        indices = [replace(one, keypoints=aimed.keypoints) for one, (aimed, _) in zip(indices, read, strict=True)]
        observations = [observation for _, observation in read]
        quads = [index.keypoints for index in indices]
        kept = without_repeats(
            observation
            for observation, index, fits in zip(observations, indices, plausible_sizes(cards, quads), strict=True)
            if observation.evidence.weight >= required_weight(observation, index, fits)
        )
        held = {id(observation) for observation in kept}
        spare = [
            observation
            for observation, index in zip(observations, indices, strict=True)
            if id(observation) not in held
            and index.score >= reading_parameters.FAINT_INDEX_SCORE
            and observation.readable
        ]
        return kept, spare

    def _read_indices(self, picture: Pixels, indices: Sequence[Detection]) -> list[tuple[Detection, IndexObservation]]:
        """Each index where it lies exactly, and what is read there."""
        refined = self._refined_indices(picture, indices)
        return list(zip(refined, self._observe_indices(picture, [f.keypoints for f in refined]), strict=True))

    def _refined_indices(self, picture: Pixels, indices: Sequence[Detection]) -> list[Detection]:
        """The same indices where they lie exactly: the detector sees them a little aside, turned, large or small."""
        if not indices:
            return []
        rough = np.array([index.keypoints for index in indices])
        windows = index_window(rough, reading_parameters.AIM_MARGIN)
        keypoints = self._classifier.index_keypoints(rectify_all(picture, windows, INDEX_SIZE))
        sides = windows[:, [1, 3]] - windows[:, :1]
        exact = windows[:, :1] + keypoints @ sides  # windows are parallelograms
        quads = np.where(plausible_refinement(exact, rough)[:, None, None], exact, rough)
        return [replace(index, keypoints=quad) for index, quad in zip(indices, quads, strict=True)]

    def _observe_indices(self, picture: Pixels, quads: Sequence[Array], margin: float = 1.4) -> list[IndexObservation]:
        """One observation of each detected index."""
        if not quads:
            return []
        windows = index_window(np.stack(quads), margin)
        crops = rectify_all(picture, windows, INDEX_SIZE)
        return [
            IndexObservation(*observation)
            for observation in zip(windows, crops, self._classifier.classify_indices(crops), quads, strict=True)
        ]

    def _observe_corners(self, picture: Pixels, outlines: Sequence[Array]) -> list[list[IndexObservation]]:
        """An observation of each corner of each outline that lies in the picture."""
        height, width = picture.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        windows = [
            [window for window in of_one if overlap(window, frame) > parameters.CORNER_IN_PICTURE * abs(area(window))]
            for of_one in corner_windows(np.reshape(outlines, (-1, 4, 2)))
        ]

        def observed(some: Sequence[Array]) -> list[IndexObservation]:
            crops = rectify_all(picture, some, INDEX_SIZE)
            said = self._classifier.classify_indices(crops)
            return [IndexObservation(*one) for one in zip(some, crops, said, strict=True)]

        every = [window for of_one in windows for window in of_one]
        observations = iter(
            self._answers.ask(
                ("corner", self._classifier.dutch),
                every,
                lambda new: self._workers.in_parts(observed, [every[n] for n in new], 1),
            )
        )
        return [[next(observations) for _ in of_one] for of_one in windows]

    def _classify(
        self,
        picture: Pixels,
        todo: Sequence[tuple[CardHypothesis, Sequence[IndexObservation]]],
        deck: Collection[str] | None,
    ) -> list[CardInstance]:
        """Combine all evidence on each hypothesis. A whole face is cropped where it shows and is not known already."""
        asked = [
            number
            for number, (hypothesis, observations) in enumerate(todo)
            if hypothesis.body_visible and not face_certain(observations)
        ]
        outlines = [todo[number][0].outline for number in asked]
        said = self._answers.ask(
            ("face", self._classifier.dutch),
            outlines,
            lambda new: self._workers.in_parts(
                lambda some: self._classifier.classify_faces(rectify_all(picture, some, FACE_SIZE)),
                [outlines[n] for n in new],
                1,
            ),
        )
        faces = dict(zip(asked, said, strict=True))
        return [
            CardInstance(
                hypothesis,
                tuple(observations),
                face,
                classified(observations, face, self.tuning, deck),
            )
            for (hypothesis, observations), face in zip(todo, map(faces.get, range(len(todo))), strict=True)
        ]

    def _reobserve(
        self, picture: Pixels, instances: Sequence[CardInstance], deck: Collection[str] | None
    ) -> list[CardInstance]:
        """Observe again what lies face up and was not read; keep what reads better.

        First once more at their detected indices, closer; then at the corners of their outlines, as they are, as the
        detector gave them, and turned where a steep view confuses long and short side. There much looks like a joker's
        index that is none: what makes no joker at a detected one stays in doubt.
        """
        best = list(instances)
        unsure = self._unsure(best)
        quads = [
            observation.quad
            for number in unsure
            for observation in best[number].observations
            if observation.quad is not None
        ]
        closer = iter(
            self._answers.ask(
                ("closer", self._classifier.dutch),
                quads,
                lambda new: self._workers.in_parts(
                    lambda some: self._observe_indices(picture, some, parameters.CLOSER_MARGIN),
                    [quads[n] for n in new],
                    1,
                ),
            )
        )
        for number in unsure:
            observations = [
                observation
                if observation.quad is None
                else replace(observation, evidence=average([observation.evidence, next(closer).evidence]))
                for observation in best[number].observations
            ]
            best[number] = with_observations(
                best[number], tuple(observations), self.tuning, deck, best[number].face_evidence
            )
        unsure = [number for number in self._unsure(best) if best[number].hypothesis.body_visible]
        trials = [
            (n, hypothesis) for n in unsure for hypothesis in (best[n].hypothesis, *best[n].hypothesis.alternatives())
        ]
        corners = self._observe_corners(picture, [hypothesis.outline for _, hypothesis in trials])
        todo = [
            (hypothesis, merged_observations([*best[number].observations, *observations]))
            for (number, hypothesis), observations in zip(trials, corners, strict=True)
        ]
        known = [one.likeliest_face for one in best]
        for (number, _), trial in zip(trials, self._classify(picture, todo, deck), strict=True):
            joker = trial.likeliest_face == FACES[-1] != known[number] and self.tuning.accepts(trial.classification)
            if trial.classification.confidence > best[number].classification.confidence:
                best[number] = (
                    replace(trial, classification=trial.classification.abstained(self.tuning)) if joker else trial
                )
        return best

    def _unsure(self, instances: Sequence[CardInstance]) -> list[int]:
        return [
            n
            for n, one in enumerate(instances)
            if one.hypothesis.side is Side.UP and not self.tuning.accepts(one.classification)
        ]


def _scaled(region: Region, scale: float) -> Region:
    a, b, c, d = (round(edge * scale) for edge in region)
    return a, b, c, d


def _copies(deck: Collection[str] | None) -> int | None:
    """How many cards of one look a deck holds at most, its jokers taken for alike; None where it may hold faces that
    the reader cannot name."""
    if deck is None or not set(deck) <= {*FACES, *JOKERS}:
        return None
    if not isinstance(deck, Mapping):
        return 2
    return int(max([*deck.values(), sum(deck[face] for face in deck if face in JOKERS)]))
