"""Measures real decks that were enrolled: `python -m companion.training real-decks --photos DIR [--json OUT]`.

The frozen protocol. What is read never trained or tuned anything here; the bought deck's single cards, by which it is
enrolled, did train. A deck drawn by hand without indices is
enrolled from the first two games of its source and read on the other two: four cards lie on a photograph, each before
its player, and the label says whose it is. A deck of the shops is enrolled from 52 photographs of one card and read on
photographs of five. What would be refused when a person enrols is refused here. A picture's names are a multiset, as in
`photographs`: *right* are those that its labels have, *wrong* the others; a card without a name is asked about.

Of the hand-drawn deck the labels of 6 and 9 are uncertain: it is counted with and without them. Each of its games deals
the whole deck, so where a game's labels have a six twice and the nine of that suit never, or the other way round, one
of the two is the other card and the labels do not say which. It is counted a third time so that of such two either may
be the one, and then the other is not.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.cards import deck
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.photographs import BadPhotographError, apart, sample_of, the_card
from companion.vision.geometry import Array, as_quad, side_lengths
from companion.vision.images import load
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader
from companion.vision.types import CardRead

DRAWN, BOUGHT = "epfl-iapr-custom-deck", "predrag-piatnik"
SIDES = {"top edge": (0.5, 0.0), "right edge": (1.0, 0.5), "bottom edge": (0.5, 1.0), "left edge": (0.0, 0.5)}
"""Where a player sits, as shares of the picture."""
UNCERTAIN = {"6": "9", "9": "6"}
"""Ranks that half a turn makes each other."""


@dataclass(slots=True)
class Counts:
    """What came of one deck."""

    deck: str
    samples: int = 0
    refused: int = 0
    photographs: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0

    def add(self, labels: Sequence[str], named: Sequence[str], without: Sequence[str] = ()) -> None:
        """Count one photograph; `without`: ranks of which neither labels nor names count."""
        there, said = (Counter(n for n in names if n[:-1] not in without) for names in (labels, named))
        self.photographs += 1
        self.cards += there.total()
        self.right += (there & said).total()
        self.wrong += (said - there).total()


class Deal:
    """Which cards the labels of one game leave open, a game that deals each card once."""

    def __init__(self, labels: Iterable[str]) -> None:
        dealt = Counter(labels)
        pairs = [(name, f"{UNCERTAIN[name[:-1]]}{name[-1]}") for name in dealt if name[:-1] in UNCERTAIN]
        self._open = {name: [name, other] for name, other in pairs if dealt[name] == 2 and not dealt[other]}

    def settled(self, labels: Sequence[str], named: Sequence[str]) -> list[str]:
        """The labels of one photograph. What is open is the card that was named there, each of the two once a game."""
        out, said = [], set(named)
        for name in labels:
            left = self._open.get(name, [])
            here = next((card for card in left if card in said), name)
            if here in left:
                left.remove(here)
            out.append(here)
        return out


def before_players(outlines: Sequence[Array], size: tuple[int, int]) -> dict[str, Array]:
    """Of outlines (4, 2) px in a picture of (width, height) that which lies nearest to each of `SIDES`, each once, from
    the short side on that its player sees as the upper one."""
    middle, left = np.array(size) / 2, list(outlines)
    found: dict[str, Array] = {}
    for _, side, number in sorted(
        (float(np.hypot(*(outline.mean(axis=0) - np.array(at) * size))), side, number)
        for side, at in SIDES.items()
        for number, outline in enumerate(left)
    ):
        if side in found or any(left[number] is taken for taken in found.values()):
            continue
        found[side] = left[number]
    return {side: _from_within(outline, middle) for side, outline in found.items()}


def _from_within(outline: Array, middle: Array) -> Array:
    short_first = outline if side_lengths(outline[None])[0].argmin() == 0 else np.roll(outline, -1, axis=0)
    inner, outer = (float(np.hypot(*(short_first[k : k + 2].mean(axis=0) - middle))) for k in (0, 2))
    return short_first if inner <= outer else np.roll(short_first, -2, axis=0)


def _rows(photos: Path, source: str) -> list[tuple[Path, dict[str, Any]]]:
    lines = (photos / source / "manifest.jsonl").read_text("utf-8").splitlines()
    return [(photos / source / row["file"], row) for row in map(json.loads, lines)]


def _enrolled(name: str, shots: Iterable[tuple[Path, dict[str, Any]]], reader: Reader, counts: Counts) -> EnrolledDeck:
    samples = []
    for path, row in shots:
        picture = load(path)
        cards = reader.read(picture).cards
        names = [card["name"] for card in row["cards"]]
        try:
            if len(names) == 1:
                samples.append(Sample(names[0], the_card(picture, cards)))
                continue
        except BadPhotographError:
            counts.refused += 1
            continue
        places = before_players(apart([as_quad(card.polygon) for card in cards]), picture.shape[1::-1])
        for card in row["cards"]:
            try:
                samples.append(Sample(card["name"], sample_of(picture, places[card["place"]])))
            except (BadPhotographError, KeyError):
                counts.refused += 1
    counts.samples = len(samples)
    return EnrolledDeck(deck(name), "", tuple(samples))


def _game(path: Path) -> str:
    return path.name.partition("_")[0]


def _named(cards: Iterable[CardRead]) -> list[str]:
    return [card.face for card in cards if card.face is not None]


def measure(photos: Path) -> list[dict[str, Any]]:
    """The figures of both decks. Raises OSError where the photographs are not there."""
    reader, network = Reader(threads=1), Network(threads=1)
    drawn, bought = _rows(photos, DRAWN), _rows(photos, BOUGHT)
    first = [(path, row) for path, row in drawn if path.name.startswith(("game1_", "game2_"))]
    singles = [(path, row) for path, row in bought if path.name.startswith("single_")]
    hands = [(path, row) for path, row in bought if len(row["cards"]) > 1 and not row.get("unlabelled")]
    found = []
    for name, shots, tables in (
        ("drawn by hand", first, [pair for pair in drawn if pair not in first]),
        ("bought", singles, hands),
    ):
        counts = Counts(name)
        certain, once = (Counts(f"{name}, {how}") for how in ("6 and 9 left out", "each card once a game"))
        gallery = Gallery(_enrolled("52D1", shots, reader, counts), network)
        for more in (certain, once):
            more.samples, more.refused = counts.samples, counts.refused
        deals = {game: Deal(card["name"] for path, row in tables if _game(path) == game for card in row["cards"])
                 for game in {_game(path) for path, _ in tables}}  # fmt: skip
        custom = EnrolledReader(TwoPassReader(reader), Chosen([gallery]))
        for path, row in tables:
            labels = [card["name"] for card in row["cards"]]
            named = _named(custom.read(load(path), gallery.deck.deck.codes).cards)
            counts.add(labels, named)
            certain.add(labels, named, tuple(UNCERTAIN))
            once.add(deals[_game(path)].settled(labels, named), named)
        found += [asdict(each) for each in ((counts, certain, once) if name == "drawn by hand" else (counts,))]
    return found


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training real-decks", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="the folder of the photographs")
    parser.add_argument("--json", type=Path, help="write the figures here")
    given = parser.parse_args(argv)
    rows = measure(given.photos)
    print(*map(json.dumps, rows), sep="\n")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    return 0
