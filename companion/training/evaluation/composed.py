"""Measures the reader on composed scenes of held-out prints, where the truth is exact, true duplicates included.

A card must be read when one of its indices is seen (85 % of it, 12 px high at least); a card with less to see may be
read. What is read beyond both is wrong. A *duplicated face* lies there twice or more; its count is right when at least
as many were named as must be read, and no more than lie there. A scene is *settled* when no card seen face up was left
without a name: a settled scene that is miscounted is the harmful case, as nobody is asked. *False backs* are more cards
read as face down than lie so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from companion.training.scenes import compose as scenes
from companion.training.scenes import dataset
from companion.vision.pipeline import TwoPassReader
from companion.vision.types import PictureReader, ReadResult, Side

FIRST_SEED = 77_000_000
MIN_INDEX_PX = 12.0
LIGHTS = {"ordinary light": 0.35, "harsh light": 1.0}
"""How bad light, lens and slant are (`scenes.Composer.harsh`)."""


def plain(face: str) -> str:
    """The name under which a face is counted: jokers are `JOKER`, whatever their colour."""
    return "JOKER" if face.startswith("JK") else face


def truth(scene: scenes.Scene) -> tuple[Counter[str], Counter[str]]:
    """The faces that must be read, and all faces that lie there (jokers as `JOKER`, foreign cards left out)."""
    must: Counter[str] = Counter()
    lying: Counter[str] = Counter()
    for card in scene.cards:
        if card.face is None or card.face == "custom":
            continue
        lying[plain(card.face)] += 1
        must[plain(card.face)] += readable(card)
    return +must, lying


def readable(card: scenes.CardLabel) -> bool:
    """True for a card that must be read: one of its indices is seen and not tiny."""
    heights = [float(np.hypot(*((i.quad[3] - i.quad[0] + i.quad[2] - i.quad[1]) / 2))) for i in card.indices]
    return any(i.visible >= 0.85 and tall >= MIN_INDEX_PX for i, tall in zip(card.indices, heights, strict=True))


@dataclass(slots=True)
class Sums:
    """Counts over scenes, and what follows from them."""

    scenes: int = 0
    must: int = 0
    met: int = 0
    read: int = 0
    wrong: int = 0
    foreign: int = 0
    exact: int = 0
    phantom: int = 0
    lost: int = 0

    def add(self, scene: scenes.Scene, names: Counter[str]) -> None:
        """Count one scene in which `names` were read (jokers as `JOKER`)."""
        must, lying = truth(scene)
        self.scenes += 1
        self.must += must.total()
        self.met += (must & names).total()
        self.read += names.total()
        self.wrong += (names - lying).total()
        self.foreign += sum(card.face == "custom" for card in scene.cards)
        self.exact += not (must - names) and not (names - lying)
        self.phantom += any(names[face] > lying[face] >= 1 for face in names)
        self.lost += any(must[face] >= 2 and names[face] < must[face] for face in must)

    def figures(self) -> dict[str, float | int]:
        """The figures to report."""
        return {
            "scenes": self.scenes,
            "cards that must be read": self.must,
            "foreign cards": self.foreign,
            "precision": round(1 - self.wrong / max(1, self.read), 4),
            "recall": round(self.met / max(1, self.must), 4),
            "wrong_confident": round(self.wrong / max(1, self.must), 4),
            "exact": round(self.exact / max(1, self.scenes), 4),
            "scenes with a phantom duplicate": round(self.phantom / max(1, self.scenes), 4),
            "scenes with a lost duplicate": round(self.lost / max(1, self.scenes), 4),
        }


def names_of(result: ReadResult) -> Counter[str]:
    """The faces that were named, jokers as `JOKER`."""
    return Counter(plain(card.face) for card in result.cards if card.face)


@dataclass(slots=True)
class Count:
    """The sums of the protocol, and how the copies of duplicated faces were counted."""

    sums: Sums = field(default_factory=Sums)
    miscounted: int = 0
    settled: int = 0
    settled_miscounted: int = 0
    false_backs: int = 0

    def add(self, scene: scenes.Scene, result: ReadResult) -> None:
        """Count one scene."""
        self.sums.add(scene, names_of(result))
        wrong, settled = bool(miscounted(scene, result)), is_settled(result)
        self.miscounted += wrong
        self.settled += settled
        self.settled_miscounted += wrong and settled
        down = sum(card.side is Side.DOWN for card in result.cards)
        self.false_backs += max(0, down - sum(not card.up for card in scene.cards))

    def figures(self) -> dict[str, float | int]:
        """The figures to report: shares as in `Sums`, and numbers of names, scenes and cards."""
        return self.sums.figures() | {
            "wrong names": self.sums.wrong,
            "miscounted": self.miscounted,
            "settled": self.settled,
            "settled and miscounted": self.settled_miscounted,
            "false backs": self.false_backs,
        }


def miscounted(scene: scenes.Scene, result: ReadResult) -> dict[str, int]:
    """The duplicated faces whose count is not right: how many too many (above 0) or too few (below)."""
    (must, lying), names = truth(scene), names_of(result)
    wrong = {f: max(names[f] - lying[f], 0) - max(must[f] - names[f], 0) for f in lying if lying[f] >= 2}
    return {face: by for face, by in wrong.items() if by}


def is_settled(result: ReadResult) -> bool:
    """True when no face-up card was left without a name."""
    return all(card.face is not None for card in result.cards if card.side is Side.UP)


def measure_composed(reader: PictureReader, count: int, size: tuple[int, int] = (1280, 720)) -> dict[str, dict]:
    """Figures over `count` scenes of held-out prints at `size` px, in ordinary light and in `light`'s worst.

    `reader` reads once; each light is measured with it, and read twice (`companion.vision.pipeline.two_pass`).
    """
    out = {}
    for name, harsh in LIGHTS.items():
        composer = dataset.composer("heldout", size, drawn=16)
        composer.widths, composer.harsh = (40, 260), harsh
        ways = {name: (reader, Count()), f"{name}, read twice": (TwoPassReader(reader), Count())}
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            scene = composer.compose(seed)
            picture = np.ascontiguousarray(scene.image[..., ::-1])
            for way, sums in ways.values():
                sums.add(scene, way.read(picture))
        out |= {key: sums.figures() for key, (_, sums) in ways.items()}
    return out
