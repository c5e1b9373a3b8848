"""Which parts of a picture have to be read, where the rest of it lies as it did."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.vision.boxes import apart, grown, lies_in
from companion.vision.following import parameters
from companion.vision.following.matching import is_disturbed
from companion.vision.following.tracker import Tracker
from companion.vision.geometry import bounds
from companion.vision.images import Pixels
from companion.vision.types import CardRead, Part, Quad, Region, Side

_LONG = 1.2
"""A card is so long, in roots of its area."""


@dataclass(frozen=True, slots=True)
class Parts:
    """`boxes`: the parts of a picture to be read, px, none of which overlaps another; none: all of it. `elsewhere`: the
    faces of the cards that lie beside them, and how often each; `spare`: so much farther than they have to they reach,
    px; `beside`: the outlines of the cards that surely lie beside them, px."""

    boxes: tuple[Region, ...] = ()
    elsewhere: Counter[str] = field(default_factory=Counter)
    spare: float = 0.0
    beside: tuple[Quad, ...] = ()

    def __iter__(self) -> Iterator[Part]:
        """Each part, as a reader takes it."""
        return (Part(box, self.beside) for box in self.boxes)

    def suffice(self, cards: Sequence[CardRead], copies: Counter[str] | None) -> bool:
        """Whether each name that was read there can be that of a further card: one that is known to lie elsewhere may
        have been misread, and who sees all of the picture can tell."""
        here = Counter(card.face for card in cards if card.face is not None)
        known = Counter(dict.fromkeys(here, 2)) if copies is None else copies
        return all(self.elsewhere[face] + times <= max(1, known[face]) for face, times in here.items()
                   if self.elsewhere[face])  # fmt: skip

    def hold(self, others: Parts) -> bool:
        """Whether all cards that others show whole are shown whole by these as well."""
        if not self.boxes or not others.boxes:
            return not self.boxes
        return all(any(_within(box, one, self.spare) for one in self.boxes) for box in others.boxes)


def parts_of(tracker: Tracker, where: Sequence[Region], pixels: Pixels) -> Parts:
    """Where something matters, with all that a card there can reach and what lies beside it. All of the picture where
    that is much of it, and where no card surely lies elsewhere: it tells that the camera was not pushed."""
    height, width = pixels.shape[:2]
    # A card may lie beside the picture since the camera was pushed.
    where = [box for box in where if box[0] < width and box[1] < height and min(box[2:]) > 0]
    if not where or not math.isfinite(tracker.usual):
        return Parts()
    size = math.sqrt(tracker.usual)
    reach = parameters.PART_REACH * size
    seen = [t for t in tracker.tracks if not (t.covered or t.dismissed or is_disturbed(t.outline, where))]
    # A name that is not sure may get surer by every look, where that asks for no larger one.
    more = [bounds(t.outline) for t in seen if t.leans]
    for regions in ((*where, *more), where):
        boxes = tuple(apart(grown(region, reach, (width, height)) for region in regions))
        held = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes)
        if held <= parameters.MOST_IN_PARTS * width * height:
            break
    away = [track for track in seen if not lies_in(track.outline, boxes, (width, height))]
    faces = Counter(face for track in away if (face := track.face(tracker.accept)) is not None)
    sure = [
        track
        for track in away
        if track.face(tracker.accept) is not None or (track.side is Side.DOWN and not track.doubtful(tracker.accept))
    ]
    if not sure or held > parameters.MOST_IN_PARTS * width * height:
        return Parts()
    return Parts(boxes, faces, (parameters.PART_REACH - _LONG) * size, tuple(track.outline for track in sure))


def _within(box: Region, other: Region, spare: float) -> bool:
    left, top, right, bottom = (inner - outer for inner, outer in zip(box, other, strict=True))
    return min(left, top) >= -spare and max(right, bottom) <= spare
