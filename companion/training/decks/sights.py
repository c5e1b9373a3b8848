"""Fits the score that chooses outlines of cards of pictures (`vision.assembly.sights`): `python -m companion.training
sights`.

Tables of invented decks that train, cards over each other on half of them, and some of standard cards; the truth is
exact. As at a table, cards are chosen one after the other: an outline is right where it meets a card that was not
chosen before. What was chosen before is as the truth has it, at several times of each table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from companion import resources
from companion.training.decks import scenes
from companion.training.decks.invented import STYLES, Invented
from companion.training.networks.boosting import fit
from companion.training.scenes import backgrounds, compose, prints
from companion.vision.assembly import edges
from companion.vision.assembly.sights import FEATURES, Sights
from companion.vision.geometry import Array, as_quad, iou
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.reading.faces import FACES
from companion.vision.types import ReadResult

FIRST = 700_000
FIRST_STANDARD = 302_000_000
TABLES = 5
"""So many tables of each invented deck."""
REPORTED, DRAWN = 16, 48
"""Of the invented prints held out, the first are reported on."""
SEEN = 0.1
"""A card of which less is seen need not be found."""
RIGHT, CHOSEN = 0.73, 0.7
"""An outline meets a card where it shares so much with it (IoU); and so much where it is one that was chosen before."""
STOPS = 3
"""At so many times of a table it is looked at besides its beginning and its end."""


def tables(decks: int, standard: int) -> Iterator[tuple[np.ndarray, Sequence[str], Sequence[compose.CardLabel]]]:
    """Pictures (BGR), the faces that may lie there, and the cards."""
    for number in range(decks):
        seed = FIRST + 7 * number
        deck, foreign = Invented(seed, STYLES[number % len(STYLES)]), [Invented(seed + 100 + k) for k in range(5)]
        for table in range(TABLES):
            scene = scenes.table(deck, foreign, 100 + table)
            yield np.ascontiguousarray(scene.image[..., ::-1]), deck.codes, scene.cards
    every = [one for one in prints.load_prints("heldout", DRAWN) if one.source == "invented"]
    made = compose.Composer(every[REPORTED:], backgrounds.load_bank(prints.photos_dir()), scenes.SIZE)
    made.widths, made.harsh = scenes.WIDTHS, scenes.HARSH
    for seed in range(FIRST_STANDARD, FIRST_STANDARD + standard):
        scene = made.compose(seed)
        yield np.ascontiguousarray(scene.image[..., ::-1]), (*FACES, "p0.m0"), scene.cards


def lessons(
    result: ReadResult, picture: np.ndarray, cards: Sequence[tuple[Array, float]], rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Features of all outlines of a picture (BGR), at several times, and whether each is right then. `cards`: outlines
    (4, 2) px, and the share of each that is seen."""
    truth = [quad for quad, visible in cards if visible > SEEN]
    sights = Sights(result.sights, [card for card in result.cards if card.face is None], edges.min_channel(picture))
    meets = np.array([[iou(outline, quad) for quad in truth] for outline in sights.outlines])
    meets = meets.reshape(len(sights.outlines), len(truth))
    if not meets.size:
        if len(meets):
            yield sights.features(), np.zeros(len(meets), np.bool_)
        return
    left = set(range(len(truth)))
    for card in result.cards:
        if card.face is not None:
            place = as_quad(card.polygon)
            sights.accept(place)
            left -= {max(range(len(truth)), key=lambda n: iou(place, truth[n]))}
    clear = np.array([sights.features()[meets[:, n].argmax(), 0] for n in range(len(truth))])
    order = [n for n in np.argsort(rng.normal(0, 0.15, len(truth)) - clear).tolist() if n in left]
    stops = {0, len(order), *rng.integers(0, len(order) + 1, STOPS).tolist()}
    for step in range(len(order) + 1):
        if step in stops:
            yield sights.features().copy(), meets[:, sorted(left)].max(axis=1, initial=0.0) >= RIGHT
        if step < len(order):
            good = np.flatnonzero(meets[:, order[step]] >= CHOSEN)
            left -= {order[step]}
            if len(good):
                best = good[np.argmax(meets[good, order[step]] + rng.normal(0, 0.05, len(good)))]
                sights.accept(sights.outlines[best], int(best))


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training sights", description=__doc__)
    parser.add_argument("--decks", type=int, default=44, help="invented decks, five tables each")
    parser.add_argument("--standard", type=int, default=60, help="tables of standard cards")
    parser.add_argument("--out", type=Path, default=resources.models() / "decks" / "sights.json")
    given = parser.parse_args(argv)
    reader, rng = Reader(), np.random.default_rng(1)
    twice = TwoPassReader(reader)
    rows: list[np.ndarray] = []
    truth: list[np.ndarray] = []
    for picture, deck, cards in tables(given.decks, given.standard):
        places = [(card.quad, card.visible) for card in cards]
        for result in (reader.read(picture, deck), twice.read(picture, deck)):
            for features, right in lessons(result, picture, places, rng):
                rows.append(features)
                truth.append(right)
    kept = fit(FEATURES, np.concatenate(rows), np.concatenate(truth), 100, 4, 0.15)
    given.out.write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")
    print(f"{sum(map(len, rows))} outlines, {sum(int(some.sum()) for some in truth)} of them right → {given.out}")
    return 0
