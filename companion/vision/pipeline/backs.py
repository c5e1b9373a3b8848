"""Backs of one deck look alike: what looks like a sure back of a picture is a back.

The detector finds a back's outline more often than it is sure that it is one: it may take it for a face, or score it so
low that it goes. How its own deck's backs look tells both, without knowing any deck beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision import parameters as common
from companion.vision.alike import apart, colours
from companion.vision.geometry import Array, area, as_quad, iou, overlap, side_lengths
from companion.vision.images import Pixels
from companion.vision.pipeline import parameters
from companion.vision.pipeline.report import as_polygon
from companion.vision.reading.crops import rectify_all
from companion.vision.types import CardRead, Side

_SIZE = 24, 32
"""Backs are compared in so many px (width, height)."""
_FINEST = 2.5
"""Of so many px of the picture one of these is made at most; of more, the picture is shrunk."""

_WORTH_A_LOOK = 1.5
"""What differs by so many times as much in a quarter of its px is no back."""


def with_alike(cards: Sequence[CardRead], picture: Pixels, seen: Sequence[tuple[Array, float]],
               copies: int | None = None, down: Sequence[Array] = ()) -> list[CardRead]:  # fmt: skip
    """The cards of a (height, width, 3) BGR picture, further backs among them: cards without a name that look like a
    sure back lie face down, and so does what the detector has `seen` besides: outlines (4, 2) px and scores; where it
    surely saw one lie face `down`, though it lies on the greater part of an open card, too. So do more that look alike
    and like no face than there are `copies` of a face; None: faces may occur that nobody can name."""
    cards = list(cards) if copies is None else _with_strange(cards, picture, copies)
    backs = sorted((card for card in cards if card.side is Side.DOWN), key=lambda card: -card.confidence)
    if not backs or backs[0].confidence < common.SURE_BACK:
        return list(cards)
    sure, template = backs[0], _upright(as_quad(backs[0].polygon))
    nameless = [c for c in cards if c.side is Side.UP and c.face is None]
    places = [as_quad(card.polygon) for card in cards]
    further = [
        outline
        for outline, score in seen
        if score >= parameters.LEAST_BACK
        and not any(overlap(outline, place) > common.PART_OF_BACK * abs(area(outline)) for place in places)
    ]
    known = [card for card in backs if card.confidence >= common.SURE_BACK]
    alike = _like_any(picture, nameless, known)
    turned = {
        id(card): replace(card, side=Side.DOWN, confidence=back.confidence, candidates=(), agreed=1.0)
        for card, back in zip(nameless, alike, strict=True)
        if back is not None
    }
    found = [turned.get(id(card), card) for card in cards]
    whole = [_upright(outline) for outline in further]
    there = [*zip(_unlike(picture, template, whole), whole, strict=True), *_aside(picture, template, further)]
    for far, place in sorted(there, key=lambda pair: pair[0]):
        if far > common.BACKS_ALIKE:
            break
        most = common.PART_OF_BACK * abs(area(place))
        if all(overlap(place, as_quad(card.polygon)) < most for card in found):
            found.append(CardRead(None, sure.confidence, Side.DOWN, as_polygon(place)))
    found = _with_upon(found, down, picture, known)
    return _without_checks(found, len(known), picture, template)


def _with_upon(
    cards: list[CardRead], down: Sequence[Array], picture: Pixels, known: Sequence[CardRead]
) -> list[CardRead]:
    """The cards, and those outlines that look like one of the `known` backs and lie on open cards, not in the place of
    one."""
    upon = [CardRead(None, common.SURE_BACK, Side.DOWN, as_polygon(outline)) for outline in down]
    free = [card for card in upon if _may_lie_on(card, cards)]
    found = list(cards)
    for card, back in zip(free, _like_any(picture, free, known), strict=True):
        if back is not None and _may_lie_on(card, found):
            found.append(card)
    return found


def _may_lie_on(back: CardRead, cards: Sequence[CardRead]) -> bool:
    """It lies on open cards alone, and in the place of none."""
    outline = as_quad(back.polygon)
    places = ((card.side, as_quad(card.polygon)) for card in cards)
    return all(
        iou(outline, place) < common.PLACE_OF_FACE
        if side is Side.UP
        else overlap(outline, place) <= common.PART_OF_BACK * abs(area(outline))
        for side, place in places
    )


def _without_checks(cards: list[CardRead], sure: int, picture: Pixels, template: Array) -> list[CardRead]:
    """The cards; very many backs that look alike, few of which were `sure`, are the checks of a cloth, and none."""
    backs = [card for card in cards if card.side is Side.DOWN]
    if len(backs) <= parameters.MANY_ALIKE or sure >= parameters.SURE_BACKS * len(backs):
        return cards
    far = _unlike(picture, template, [_upright(as_quad(card.polygon)) for card in backs])
    checks = {id(card) for card, away in zip(backs, far, strict=True) if away <= common.BACKS_ALIKE}
    return [card for card in cards if id(card) not in checks]


def _with_strange(cards: Sequence[CardRead], picture: Pixels, copies: int) -> list[CardRead]:
    """The cards, those face down that look alike and like no face."""
    strange = [
        card
        for card in cards
        if card.side is Side.UP and card.face is None and card.candidates and card.candidates[0].p < common.NO_FACE
    ]
    outlines = [_upright(as_quad(card.polygon)) for card in strange]
    groups = [[far <= common.BACKS_ALIKE for far in _unlike(picture, one, outlines)] for one in outlines]
    most = max(groups, key=sum, default=[])
    if sum(most) <= copies:
        return list(cards)
    backs = {id(card) for card, alike in zip(strange, most, strict=True) if alike}
    return [
        replace(card, side=Side.DOWN, confidence=common.SURE_BACK, candidates=(), agreed=1.0)
        if id(card) in backs
        else card
        for card in cards
    ]


def _like_any(picture: Pixels, cards: Sequence[CardRead], backs: Sequence[CardRead]) -> list[CardRead | None]:
    """For each of `cards` the surest of the `backs`, surest first, that it looks like. Of backs that look alike the
    surest stands for all: a table holds as many designs as decks."""
    found: list[CardRead | None] = [None] * len(cards)
    outlines = [_upright(as_quad(card.polygon)) for card in (*cards, *backs)] if cards else []
    left = list(backs) if cards else []
    while left:
        back = left[0]
        near = [far <= common.BACKS_ALIKE for far in _unlike(picture, _upright(as_quad(back.polygon)), outlines)]
        found = [one or (back if like else None) for one, like in zip(found, near, strict=False)]
        known = {id(card) for card, like in zip(backs, near[len(cards) :], strict=True) if like}
        left = [card for card in left[1:] if id(card) not in known]
    return found


def _aside(picture: Pixels, template: Array, outlines: Sequence[Array]) -> list[tuple[float, Array]]:
    """How far what lies about the middle of each outline, which may not be exact, looks from a back like the
    `template`, and where that would lie: `parameters.BACK_ASIDE` aside at most. One crop of each shows all places."""
    if not outlines:
        return []
    size = np.array(_SIZE)
    across, along = (
        (template[[1, 2]] - template[[0, 3]]).mean(axis=0),
        (template[[2, 3]] - template[[1, 0]]).mean(axis=0),
    )
    reach = np.round(parameters.BACK_ASIDE * size).astype(int)
    sides = np.array([across, along]) * (1 + 2 * reach / size)[:, None]
    window = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ sides
    middles = np.array([outline.mean(axis=0) for outline in (template, *outlines)])
    step = _step(template)
    wide, high = (size + 2 * reach).tolist()
    looks = colours(rectify_all(_shrunk(picture, step), (middles[:, None] + window) / step, (wide, high)))
    moves = [np.unique(np.linspace(0, 2 * far, 5).round().astype(int)).tolist() for far in reach]
    ways = [(x, y) for x in moves[0] for y in moves[1]]
    parts = np.stack([looks[:, y : y + size[1], x : x + size[0]] for x, y in ways], axis=1)
    look = looks[0, reach[1] : reach[1] + size[1], reach[0] : reach[0] + size[0]]
    aside = (np.array(ways) - reach) / size @ np.array([across, along])
    found = []
    for middle, there in zip(middles[1:], parts[1:], strict=True):
        like = np.flatnonzero(apart(look[::2, ::2], there[:, ::2, ::2]) <= _WORTH_A_LOOK * common.BACKS_ALIKE)
        if not like.size:
            continue
        for far, move in zip(apart(look, there[like]).tolist(), aside[like], strict=True):
            found.append((far, template - middles[0] + middle + move))
    return found


def _unlike(picture: Pixels, template: Array, outlines: Sequence[Array]) -> list[float]:
    """How far each outline, a short side first, looks from the `template`: mean distance of colours (Lab), either way
    up, the light apart; infinite where it is not as large."""
    if not outlines:
        return []
    quads = np.stack([template, *outlines])
    sizes = side_lengths(quads)
    fits = np.abs(np.log(sizes / sizes[0])).max(axis=1) <= np.log(common.BACK_SIZES)
    step = _step(template)
    looks = colours(rectify_all(_shrunk(picture, step), quads[fits] / step, _SIZE))
    far = np.full(len(quads), np.inf)
    far[fits] = apart(looks[0], looks)
    return [float(one) for one in far[1:]]


def _step(template: Array) -> int:
    """So many px of the picture are made one before it is compared: shrunk once, as each crop would be by itself."""
    return int(np.ceil(side_lengths(template[None])[0].min() / _SIZE[0] / _FINEST))


def _shrunk(picture: Pixels, step: int) -> Pixels:
    """The picture with one pixel for so many each way."""
    if step < 2:
        return picture
    height, width = picture.shape[0] // step, picture.shape[1] // step
    whole = picture[: height * step, : width * step]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _upright(quad: Array) -> Array:
    """The same outline, a short side first."""
    first, second = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return quad if first <= second else np.roll(quad, 1, axis=0)
