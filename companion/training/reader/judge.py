"""Fits the score that tells a further card from a second sight, a gap or a thing: `python -m companion.training judge`.

Scenes of invented prints that trained nothing else and that no figure is reported on; the truth of each candidate is
exact: an index lies on the card whose index is printed there, an outline on the card that it shares most with. The
first candidate of a card is that card; every other one is none. What comes before is taken as the truth has it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from companion import resources
from companion.training.networks.boosting import fit
from companion.training.scenes import backgrounds, prints
from companion.training.scenes import compose as scenes
from companion.vision.assembly.candidates import Candidate
from companion.vision.assembly.judge import FEATURES, Lie
from companion.vision.geometry import contains, iou
from companion.vision.pipeline import Reader

FIRST_SEED = 301_000_000
SIZE = (1280, 720)
REPORTED, DRAWN = 16, 48
"""Of the invented prints held out, the first are reported on; the others are for this score."""
UNDECIDED = {"names": FEATURES, "start": 0.0, "feature": [[0]], "threshold": [[0.0]], "value": [[0.0, 0.0]]}
"""What stands in before anything is learned."""
SHARED, SEEN = 0.45, 0.03
"""An outline lies on a card of which more than SEEN is visible where it shares more (IoU)."""


def composer() -> scenes.Composer:
    """Makes scenes of the prints that are for this score."""
    every = [one for one in prints.load_prints("heldout", DRAWN) if one.source == "invented"]
    made = scenes.Composer(every[REPORTED:], backgrounds.load_bank(prints.photos_dir()), SIZE)
    made.widths = (40, 260)
    return made


def card_of(candidate: Candidate, cards: Sequence[scenes.CardLabel]) -> int | None:
    """The number of the card that a candidate is a sight of; None where it is of none."""
    votes = [
        number
        for quad in candidate.card.readable_indices
        if (number := _printed_at(quad.mean(axis=0), cards)) is not None
    ]
    if votes:
        return max(sorted(set(votes)), key=votes.count)
    shares = [iou(card.quad, candidate.card.hypothesis.outline) if card.visible > SEEN else 0.0 for card in cards]
    best = int(np.argmax(shares)) if shares else 0
    return best if shares and shares[best] > SHARED else None


def _printed_at(place: np.ndarray, cards: Sequence[scenes.CardLabel]) -> int | None:
    """The number of the card whose index is printed nearest to a place (2,) px within or just beside it."""
    near = [
        (float(np.hypot(*(index.quad.mean(axis=0) - place))), number)
        for number, card in enumerate(cards)
        for index in card.indices
        if index.visible > 0.3 and contains(index.quad + 0.25 * (index.quad - index.quad.mean(axis=0)), place)
    ]
    return min(near)[1] if near else None


def examples(
    given: Sequence[Candidate], size: tuple[int, int], reader: Reader, cards: Sequence[scenes.CardLabel]
) -> Iterator[tuple[np.ndarray, bool]]:
    """Features of each candidate of a scene, and whether it is a further card."""
    if not given:
        return
    lie, accepted, taken = Lie(given, size, reader.tuning), [], set[int]()
    for number, candidate in enumerate(given):
        which = card_of(candidate, cards)
        new = which is not None and which not in taken
        yield lie.features(number, accepted), new
        if new and which is not None:
            accepted.append(number)
            taken.add(which)


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training judge", description=__doc__)
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--out", type=Path, default=resources.models() / "reader" / "judge.json")
    given = parser.parse_args(argv)
    known = (given.models or resources.models()) / "reader" / "judge.json"
    if not known.exists():
        known.write_text(json.dumps(UNDECIDED), "utf-8")
    reader, made = Reader(given.models), composer()
    rows: list[np.ndarray] = []
    truth: list[bool] = []
    for seed in range(FIRST_SEED, FIRST_SEED + given.scenes):
        made.harsh = 1.0 if seed % 4 == 0 else 0.35
        scene = made.compose(seed)
        picture = np.ascontiguousarray(scene.image[..., ::-1])
        for row, new in examples(reader.candidates(picture), picture.shape[:2], reader, scene.cards):
            rows.append(row)
            truth.append(new)
    kept = fit(FEATURES, np.array(rows), np.array(truth), 100, 4, 0.1)
    given.out.write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")
    print(f"{len(rows)} candidates, {sum(truth)} of them cards → {given.out}")
    return 0
