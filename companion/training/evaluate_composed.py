"""Measures the reader on composed scenes of held-out prints, where the truth is exact, true duplicates included.

A card must be read when one of its indices is seen (85 % of it, 12 px high at least); a card with less to see may be
read. What is read beyond both is wrong.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from companion.training import dataset, scenes
from companion.vision.pipeline import Reader

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


def measure_composed(reader: Reader, count: int, size: tuple[int, int] = (1280, 720)) -> dict[str, float | int]:
    """Figures over `count` scenes of held-out prints at `size` px."""
    composer = dataset.composer("heldout", size, drawn=16)
    composer.widths = (40, 260)
    must_total = met = read_total = wrong = foreign = exact = phantom = lost = 0
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        scene = composer.compose(seed)
        must, lying = truth(scene)
        result = reader.read(np.ascontiguousarray(scene.image[..., ::-1]))
        names = Counter("JOKER" if c.face.startswith("JK") else c.face for c in result.cards if c.face is not None)
        must_total += must.total()
        met += (must & names).total()
        read_total += names.total()
        wrong += (names - lying).total()
        foreign += sum(card.face == "custom" for card in scene.cards)
        exact += not (must - names) and not (names - lying)
        phantom += any(names[face] > lying[face] >= 1 for face in names)
        lost += any(must[face] >= 2 and names[face] < must[face] for face in must)
    return {
        "scenes": count,
        "cards that must be read": must_total,
        "foreign cards": foreign,
        "precision": round(1 - wrong / max(1, read_total), 4),
        "recall": round(met / max(1, must_total), 4),
        "wrong_confident": round(wrong / max(1, must_total), 4),
        "exact": round(exact / count, 4),
        "scenes with a phantom duplicate": round(phantom / count, 4),
        "scenes with a lost duplicate": round(lost / count, 4),
    }
