"""What enrolled decks say of the cards in outlines of a picture; what they said of the same outline before, where the
picture has not changed, is not asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.vision.decks.answers import NOTHING, Cut, Glimpse, Recognised
from companion.vision.decks.crops import SAMPLE, placed, rectified, visible
from companion.vision.decks.gallery import Gallery
from companion.vision.geometry import Array, iou, overlapping_boxes, quarter_turn_if_ambiguous, side_lengths
from companion.vision.images import Pixels
from companion.vision.pipeline import parameters
from companion.vision.reading.changes import Answers

_LEAST_PART = 4
"""Fewer looks are not worth another thread."""


class Comparison:
    """One picture, and what was said of it by now; see the module."""

    def __init__(self, picture: Pixels, answers: Answers[Recognised] | None = None) -> None:
        """`answers`: what was said of the same picture before."""
        self.picture = picture
        self.answers = answers or Answers[Recognised]()
        self._cuts: dict[tuple[Gallery, bytes], Cut] = {}

    def known(
        self,
        gallery: Gallery,
        outlines: Sequence[Array],
        covers: Sequence[Sequence[Array]] | None = None,
        least: float = 0.0,
        most: int = 0,
    ) -> list[Recognised]:
        """What a gallery says of the card in each outline; where a steep view confuses its short and long sides, the
        surer way counts. `covers`: the outlines of cards that lie on each; `least`: how sure it must be to count;
        `most`: of outlines in one place only so many are looked at closely, 0: all."""
        asked = [np.array([outline, *(covers[n] if covers else ())]) for n, outline in enumerate(outlines)]
        return self.answers.ask(
            (gallery, least, most),
            asked,
            lambda new: self._compared(gallery, [asked[n] for n in new], least, most),
        )

    def _cut(self, gallery: Gallery, quads: Sequence[Array]) -> list[Cut]:
        """What is looked at of the card in each outline: cut once, however often it is asked about."""
        keys = [(gallery, quad.tobytes()) for quad in quads]
        new = {key: quad for key, quad in zip(keys, quads, strict=True) if key not in self._cuts}

        def cut(some: Sequence[Array]) -> list[Cut]:
            return gallery.cut(rectified(self.picture, np.array(some), SAMPLE))

        if new:
            self._cuts |= zip(new, gallery.workers.in_parts(cut, list(new.values()), _LEAST_PART), strict=True)
        return [self._cuts[key] for key in keys]

    def _compared(self, gallery: Gallery, asked: Sequence[Array], least: float, most: int) -> list[Recognised]:
        """What a gallery says of outlines (1 + n, 4, 2), n others lying on each."""
        ways: list[tuple[int, Array]] = []
        for number, quads in enumerate(asked):
            outline = short_side_first(quads[0])
            ways += [(number, quad) for quad in (outline, *quarter_turn_if_ambiguous(outline))]

        def glimpsed(some: Sequence[tuple[Cut, int, Array]]) -> list[Glimpse]:
            seen = (visible(quad, list(asked[n][1:])) if len(asked[n]) > 1 else None for _, n, quad in some)
            return [gallery.glimpse(card, part) for (card, _, _), part in zip(some, seen, strict=True)]

        def named(some: Sequence[Glimpse]) -> list[Recognised]:
            return [gallery.named(one, least) for one in some]

        if not ways:
            return []
        cuts = self._cut(gallery, [quad for _, quad in ways])
        looks = [(card, *way) for card, way in zip(cuts, ways, strict=True)]
        seen = gallery.workers.in_parts(glimpsed, looks, _LEAST_PART)
        close = _clearest([quad for _, quad in ways], [one.ahead for one in seen], most) if most else range(len(ways))
        said = gallery.workers.in_parts(named, [seen[number] for number in close], _LEAST_PART)
        best = [NOTHING] * len(asked)
        for at, one in zip(close, said, strict=True):
            number, quad = ways[at]
            if best[number] is NOTHING or certainty(one) > certainty(best[number]):
                best[number] = one if one.outline is None else replace(one, outline=placed(quad, one.outline))
        return best


def _clearest(quads: Sequence[Array], ahead: Sequence[float], most: int) -> list[int]:
    """The numbers of those that are furthest `ahead`, of quads in one place no more than so many."""
    kept: list[int] = []
    for number in np.argsort(ahead)[::-1].tolist():
        near = [kept[at] for at in overlapping_boxes(quads[number], [quads[other] for other in kept])]
        if sum(iou(quads[number], quads[other]) > parameters.SAME_PLACE for other in near) < most:
            kept.append(number)
    return sorted(kept)


def short_side_first(outline: Array) -> Array:
    """The same outline (4, 2), beginning with a short side."""
    short, long = side_lengths(outline[None])[0].tolist()
    return outline if short <= long else np.roll(outline, 1, axis=0)


def certainty(one: Recognised) -> float:
    """How sure the likeliest face is."""
    return one.candidates[0].p if one.candidates else 0.0
