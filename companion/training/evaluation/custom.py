"""Measures custom decks: `python -m companion.training custom [--json OUT]`, which is `make measure-decks`.

The frozen protocol. Invented decks that never trained anything, 13 pictures × 5 marks, are enrolled from one or three
photographs a card; then tables of two mixed copies with foreign cards and backs are read (`companion.training.decks`).
A card that was read belongs to the card that lies where its outline lies (their overlap is largest, and at least 0.3).
*Separate* cards are seen whole; *overlapped* ones with at least a third of the card and one of their marks. Recall
counts these, precision every name given on the table, wrong and confident are wrong names by cards of the deck that
lie there, and refused the share of foreign cards and backs without a name. A photograph that is refused is taken again.

Methods stand in `methods`; `marks` is what runs. With *true* outlines the places are given, with *found* ones they are
the reader's. `jokers`, of what runs on found outlines: backs and cards of other decks that were called a joker where
the deck has two of them besides, which lie nowhere.

`--shown` says instead how long it takes to show a camera one deck, card by card and hands-free (`decks.guided`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from companion.cards import deck_from_toml
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, STYLES, Invented, toml_of
from companion.training.evaluation.methods import METHODS
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.guided import Guided
from companion.vision.decks.network import Network
from companion.vision.decks.photographs import BadPhotographError, the_card
from companion.vision.geometry import Array, as_quad, iou
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader
from companion.vision.reading.faces import JOKERS
from companion.vision.types import ReadResult


def enrolled(drawn: Invented, photographs: int, reader: Reader) -> tuple[EnrolledDeck, int]:
    """A deck enrolled from so many photographs a card, and how many had to be taken again."""
    samples, again = [], 0
    for code in drawn.codes:
        taken, seed = 0, 0
        while taken < photographs and seed < photographs + 6:
            picture, _ = scenes.photograph(drawn, code, 9000 + seed)
            seed += 1
            try:
                samples.append(Sample(code, the_card(picture, reader.read(picture).cards)))
                taken += 1
            except BadPhotographError:
                again += 1
    text = toml_of(drawn)
    return EnrolledDeck(deck_from_toml(text, "invented"), text, tuple(samples)), again


def _first(deck: EnrolledDeck, photographs: int) -> EnrolledDeck:
    """The same deck as so many photographs a card make it: of each the first."""
    taken: Counter[str] = Counter()
    samples = []
    for sample in deck.samples:
        taken[sample.face] += 1
        if taken[sample.face] <= photographs:
            samples.append(sample)
    return replace(deck, samples=tuple(samples))


@dataclass(slots=True)
class Sums:
    """Counts, and what follows from them."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, **more: int) -> None:
        """Count."""
        for key, value in more.items():
            self.counts[key] = self.counts.get(key, 0) + int(value)

    def figures(self) -> dict[str, float | int]:
        """The figures to report."""
        c = {key: self.counts.get(key, 0) for key in
             ("cards", "named", "right", "separate", "separate_right", "overlapped", "overlapped_right", "strange",
              "strange_named")}  # fmt: skip
        return {
            "cards": c["cards"],
            "named": c["named"],
            "right": c["right"],
            "precision": round(c["right"] / max(1, c["named"]), 4),
            "separate": c["separate"],
            "recall, separate": round(c["separate_right"] / max(1, c["separate"]), 4),
            "overlapped": c["overlapped"],
            "recall, overlapped": round(c["overlapped_right"] / max(1, c["overlapped"]), 4),
            "wrong and confident": round((c["named"] - c["right"]) / max(1, c["cards"]), 4),
            "foreign": c["strange"],
            "foreign refused": round(1 - c["strange_named"] / max(1, c["strange"]), 4),
            **({"jokers": self.counts["jokers"]} if "jokers" in self.counts else {}),
        }


def _said(scene: scenes.compose.Scene, outlines: Sequence[Array], names: Sequence[str | None]) -> dict[int, list[str]]:
    """The names that each card of a table got, by its number; those that lie on none under -1."""
    said: dict[int, list[str]] = {}
    for outline, name in zip(outlines, names, strict=True):
        if name is None:
            continue
        shares = [iou(outline, card.quad) for card in scene.cards]
        at = int(np.argmax(shares)) if shares else -1
        said.setdefault(at if at >= 0 and shares[at] >= 0.3 else -1, []).append(name)
    return said


def _strange(card: scenes.compose.CardLabel) -> bool:
    """True for a back and a card of another deck."""
    return card.face is None or card.face == scenes.FOREIGN


def count_jokers(
    sums: Sums, scene: scenes.compose.Scene, outlines: Sequence[Array], names: Sequence[str | None]
) -> None:
    """Count the backs and the cards of other decks on one table that were called a joker."""
    said = _said(scene, outlines, names)
    called = (set(said.get(at, ())) for at, card in enumerate(scene.cards) if _strange(card))
    sums.add(jokers=sum(not names.isdisjoint(JOKERS) for names in called))


def count(sums: Sums, scene: scenes.compose.Scene, outlines: Sequence[Array], names: Sequence[str | None]) -> None:
    """Count one table on which cards with these outlines got these names."""
    said = _said(scene, outlines, names)
    sums.add(named=sum(map(len, said.values())))
    for at, card in enumerate(scene.cards):
        got = said.get(at, [])
        if _strange(card):
            sums.add(strange=1, strange_named=bool(got))
            continue
        right = card.face in got
        sums.add(cards=1, right=right)
        if card.visible > 0.98:
            sums.add(separate=1, separate_right=right)
        elif card.visible > 1 / 3 and any(mark.visible > 0.9 for mark in card.indices):
            sums.add(overlapped=1, overlapped_right=right)


def measure(tables: int, seeds: Sequence[int], photographs: Sequence[int] = (1, 3),
            methods: Sequence[str] = tuple(METHODS), styles: Sequence[str] = STYLES,
            progress: Callable[[str], None] = print) -> list[dict]:  # fmt: skip
    """Rows of figures: style × photographs × method × outlines, over so many tables of one deck a style and seed; of
    more than one photograph a card the first seed's deck alone."""
    cv2.setNumThreads(1)
    reader, network = Reader(threads=1), Network(threads=1)
    rows = []
    for style in styles:
        found: dict[tuple[int, str, str], tuple[Sums, Counter[str]]] = {}
        for number, seed in enumerate(seeds):
            wanted = [times for times in photographs if times == 1 or number == 0]
            if wanted:
                _one_deck(style, seed, tables, wanted, methods, (reader, network), found)
        for (times, method, way), (sums, spent) in found.items():
            rows.append({"style": style, "photographs": times, "method": method, "outlines": way, **sums.figures(),
                         "ms a card": round(spent["ms"] / max(1, spent["cards"]), 1),
                         "taken again": spent["again"]})  # fmt: skip
            progress(json.dumps(rows[-1]))
    return rows


def _one_deck(style: str, seed: int, tables: int, photographs: Sequence[int], methods: Sequence[str],
              networks: tuple[Reader, Network], found: dict) -> None:  # fmt: skip
    """Add one deck's tables to `found`: (photographs, method, outlines) → what was counted, and the time it took."""
    reader, network = networks
    drawn, foreign = Invented(seed, style), [Invented(seed + 100 + k) for k in range(5)]
    laid = [scenes.table(drawn, foreign, 100 + number) for number in range(tables)]
    pictures = [np.ascontiguousarray(scene.image[..., ::-1]) for scene in laid]
    results = [TwoPassReader(reader).read(picture, drawn.codes) for picture in pictures]
    with_jokers = [*drawn.codes, *JOKERS]
    whole, again = enrolled(drawn, max(photographs), reader)
    for times in photographs:
        gallery = Gallery(_first(whole, times), network)
        for method in methods:
            namer = METHODS[method](gallery)
            for way in ("true", "found"):
                sums, spent = found.setdefault((times, method, way), (Sums(), Counter()))
                spent["again"] += again
                for scene, picture, result in zip(laid, pictures, results, strict=True):
                    outlines = [card.quad for card in scene.cards] if way == "true" else [
                        as_quad(card.polygon) for card in result.cards]  # fmt: skip
                    spent["cards"] += len(outlines)
                    began = time.process_time()
                    if method == "marks" and way == "found":
                        outlines, names = _named(gallery, result, picture, drawn.codes)
                    else:
                        names = namer(picture, outlines) if outlines else []
                    spent["ms"] += round(1000 * (time.process_time() - began))
                    count(sums, scene, outlines, names)
                    if method == "marks" and way == "found" and times == 1:
                        more = TwoPassReader(reader).read(picture, with_jokers)
                        count_jokers(sums, scene, *_named(gallery, more, picture, with_jokers))


def _named(
    gallery: Gallery, result: ReadResult, picture: np.ndarray, codes: Collection[str]
) -> tuple[list[Array], list[str | None]]:
    """Outlines and names of what runs, where a table of these cards was read so."""
    named = EnrolledReader(_Read(result), Chosen([gallery])).read(picture, codes).cards
    return [as_quad(card.polygon) for card in named], [card.face for card in named]


def shown(drawn: Invented, reader: Reader, rate: float = 6.0, between: float = 2 / 3) -> dict[str, float | int]:
    """How long it takes until each card of a deck was taken from a camera of `rate` pictures a second: somebody lays
    them one by one, `between` s of an empty table before each. Where looking at a picture takes longer than until the
    next one, it counts as it is."""
    text, rng = toml_of(drawn), np.random.default_rng(drawn.seed)
    guided = Guided(EnrolledDeck(deck_from_toml(text, "invented"), text), reader)
    clock, worked, pictures, laid = 0.0, 0.0, 0, 0

    def look(picture: np.ndarray) -> bool:
        nonlocal clock, worked, pictures
        noisy = np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        began = time.process_time()
        taken = guided.look(noisy, clock) is not None
        spent = time.process_time() - began
        clock, worked, pictures = clock + max(spent, 1 / rate), worked + spent, pictures + 1
        return taken

    while guided.now is not None and laid < 2 * len(drawn.codes):
        picture, _ = scenes.photograph(drawn, guided.now, 9000 + laid)
        laid += 1
        for _ in range(round(between * rate)):
            look(np.full_like(picture, 90))
        for _ in range(round(3 * rate)):
            if look(picture):
                break
    return {"cards": len(guided.taken), "laid": laid, "seconds": round(clock, 1),
            "ms a picture": round(1000 * worked / max(1, pictures), 1)}  # fmt: skip


class _Read:
    """A reader that has read already."""

    def __init__(self, result: ReadResult) -> None:
        self._result = result

    def read(self, image, deck=None, letters=(), where=None, parts=()):
        """What was read."""
        return self._result


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training custom", description=__doc__)
    parser.add_argument("--tables", type=int, default=9, help="tables a deck (default: 9)")
    parser.add_argument("--seeds", nargs="*", type=int, default=[HELDOUT + 2000, HELDOUT + 2050],
                        help="the decks; from a million on those held out")  # fmt: skip
    parser.add_argument("--methods", nargs="*", default=list(METHODS), help="only these")
    parser.add_argument("--photographs", nargs="*", type=int, default=[1, 3], help="photographs a card")
    parser.add_argument("--styles", nargs="*", default=list(STYLES), help="only these")
    parser.add_argument("--shown", action="store_true", help="how long it takes to show one deck to a camera")
    parser.add_argument("--json", type=Path, help="write the figures here")
    given = parser.parse_args(argv)
    if given.shown:
        cv2.setNumThreads(1)
        rows = [shown(Invented(given.seeds[0], given.styles[0]), Reader(threads=1))]
        print(json.dumps(rows[0]))
    else:
        rows = measure(given.tables, given.seeds, given.photographs, given.methods, given.styles)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    return 0
