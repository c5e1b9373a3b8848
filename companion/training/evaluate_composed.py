"""Measures the reader on composed scenes of held-out prints, where the truth is exact, true duplicates included.

A card must be read when one of its indices is seen (85 % of it, 12 px high at least); a card with less to see may be
read. What is read beyond both is wrong.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from companion.training import dataset, scenes
from companion.vision.pipeline import Reader
from companion.vision.types import ReadResult

FIRST_SEED = 77_000_000
MIN_INDEX_PX = 12.0


def truth(scene: scenes.Scene) -> tuple[Counter[str], Counter[str]]:
    """The faces that must be read, and all faces that lie there (jokers as `JOKER`, foreign cards left out)."""
    must: Counter[str] = Counter()
    lying: Counter[str] = Counter()
    for card in scene.cards:
        if card.face is None or card.face == "custom":
            continue
        name = "JOKER" if card.face.startswith("JK") else card.face
        lying[name] += 1
        heights = [float(np.hypot(*((i.quad[3] - i.quad[0] + i.quad[2] - i.quad[1]) / 2))) for i in card.indices]
        must[name] += any(
            i.visible >= 0.85 and tall >= MIN_INDEX_PX for i, tall in zip(card.indices, heights, strict=True)
        )
    return +must, lying


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
    return Counter("JOKER" if card.face.startswith("JK") else card.face for card in result.cards if card.face)


def measure_composed(reader: Reader, count: int, size: tuple[int, int] = (1280, 720)) -> dict[str, float | int]:
    """Figures over `count` scenes of held-out prints at `size` px."""
    composer = dataset.composer("heldout", size, drawn=16)
    composer.widths = (40, 260)
    sums = Sums()
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        scene = composer.compose(seed)
        sums.add(scene, names_of(reader.read(np.ascontiguousarray(scene.image[..., ::-1]))))
    return sums.figures()
