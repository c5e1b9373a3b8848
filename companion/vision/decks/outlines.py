"""Outlines of cards that lie partly under others: what is seen of them, completed to whole cards.

All cards of a table have one size. Those that are known say how large a card is around there, and how it is slanted;
what is seen of another one then says where that one may lie: up to eight places, of which those are left whose seen
part fills what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.decks import parameters
from companion.vision.decks.crops import MARGIN, Seen, visible
from companion.vision.geometry import Array, area, box_quad, homography, overlap, overlapping_boxes, side_lengths

_DRAWN = 0.06
"""A pixel and a half all around a card, as a share of it: where it is drawn it may be so much more, or less."""


def covering(outline: Array, others: Sequence[Array]) -> list[Array]:
    """Those of the other outlines that a card with this one may lie under."""
    least = parameters.LEAST_COVERED * abs(area(outline))
    near = overlapping_boxes(outline, others)
    return [others[number] for number in near if overlap(outline, others[number]) > least]


def share_seen(seen: Seen) -> float:
    """How much of a card is seen, 0..1 (see `crops.visible`)."""
    return float(seen[MARGIN:-MARGIN, MARGIN:-MARGIN].mean())


def completed(parts: Sequence[Array], known: Sequence[Array]) -> list[Array]:
    """Outlines (4, 2) px, the short side first, of whole cards of which `parts`, outlines of what was found, may be
    what is seen, where cards with `known` outlines may lie on them."""
    if not known:
        return []
    sides = np.sort(side_lengths(np.stack(known)), axis=1)
    frame = (1.0, float(np.median(sides[:, 1] / np.maximum(sides[:, 0], 1e-6))))
    slants = [_slant(outline, frame) for outline in known]
    centres = np.stack(known).mean(axis=1)
    out = []
    for part in parts:
        near = 1 / (np.hypot(*(centres - part.mean(axis=0)).T) + parameters.SAME_SLANT_PX)
        onto = _root(np.average(slants, axis=0, weights=near))
        for whole in _places(part @ np.linalg.inv(onto).T, frame):
            outline = whole @ onto.T
            if _fills(outline, part, covering(outline, known)):
                out.append(outline)
    return out


def _slant(outline: Array, frame: tuple[float, float]) -> Array:
    """(2, 2): how the table is slanted at a card's middle, whichever way the card is turned there: J Jᵀ of the map from
    the card to the picture."""
    matrix = homography(outline[None], frame)[0]
    x, y, w = matrix @ np.array([frame[0] / 2, frame[1] / 2, 1.0])
    across = (matrix[:2, :2] * w - np.outer((x, y), matrix[2, :2])) / w**2
    return np.asarray(across @ across.T)


def _root(slant: Array) -> Array:
    values, ways = np.linalg.eigh(slant)
    return np.asarray((ways * np.sqrt(np.maximum(values, 1e-9))) @ ways.T)


def _places(part: Array, frame: tuple[float, float]) -> list[Array]:
    """Where a card of that size may lie of which a part is seen, on a table without slant: it shares two sides with it,
    or lies around its middle."""
    sides = np.roll(part, -1, axis=0) - part
    ways = sides[:, 0] + 1j * sides[:, 1]
    angle = float(np.angle((ways**4 / np.maximum(np.abs(ways), 1e-9) ** 3).sum())) / 4
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    reach = np.sort(part @ turn.T, axis=0)
    low, high = reach[:2].mean(axis=0), reach[2:].mean(axis=0)
    out = []
    for size in (np.array(frame), np.array(frame[::-1])):
        starts = [
            (low[k], high[k] - size[k])
            if abs(high[k] - low[k] - size[k]) > parameters.WHOLE_SIDE
            else ((low[k] + high[k] - size[k]) / 2,)
            for k in (0, 1)
        ]
        for left in starts[0]:
            for top in starts[1]:
                box = box_quad((left, top, left + size[0], top + size[1])) @ turn
                out.append(box if size[0] <= size[1] else np.roll(box, 1, axis=0))
    return out


def _fills(outline: Array, part: Array, covers: Sequence[Array]) -> bool:
    """True where enough of a card is seen, and most of that lies in the part that was found."""
    size = max(abs(area(outline)), 1e-6)
    shares = [overlap(outline, cover) / size for cover in covers]
    least = 1 - sum(shares) - _DRAWN * len(shares)
    if 1 - max(shares, default=0.0) < parameters.LEAST_SEEN - _DRAWN or (
        overlap(outline, part) / size < parameters.FILLS * least - _DRAWN
    ):
        return False  # as is told without drawing it
    seen = visible(outline, covers)
    found = seen & (1 - visible(outline, [part]))
    share = share_seen(seen)
    return share > parameters.LEAST_SEEN and share_seen(found) > parameters.FILLS * share
