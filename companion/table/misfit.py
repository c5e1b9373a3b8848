"""How badly a zone as seen fits a zone as expected, as a cost: about minus the logarithm of how likely that look is.

A card that was read says much, an outline without a name says little: it may be a shadow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from companion.games import Zone
from companion.table.compare import down, up
from companion.vision.types import SeenCard, Side

MISSING = 3.0
"""A card that should lie there open and does not."""
EXTRA = 3.0
"""A card read by name that has nothing to do there."""
LOOSE = 1.5
"""The same in an open zone, where cards are just being laid."""
OUTLINE = 0.5
"""An outline without a name that has nothing to do there."""
BACK = 3.0
"""A face-down card too many or too few."""
OVERLAPPED = 1.2
"""… the first one too few in a row in which others are seen: two that overlap look like one, and an open card may lie
on it. So is the first open card that is missing from a fan in which two are seen."""
UNDER_BACK = 0.5
"""The first open card that is missing where a back should lie, and lies: it may lie exactly on it, and stay there.
Chosen by hand."""
STRANGE = 0.1
"""An outline of which every name is less likely looks like no face: a back that the reader does not know."""
UNKNOWN_BACK = 0.2
"""Such an outline where a back should lie."""
STALE = 0.3
"""A card that has nothing to do there, and was not found when the table was last read: it may well be gone."""
BURIED = 0.1
"""Cards are remembered under the top of a pile that should lie there no more, or are not seen in a heap that should
hold them: nobody sees whether they do."""
AGAIN = 0.25
"""A card that is found anew lies so near to where it lay, as a share of its length."""
ONE_PLACE = 0.1
"""Nearer than this, as a share of its length, a card shows nothing of one that lies under it."""
_LIKE_A_CARD = 2.0
_MISREAD = 2.6
_DOUBTFUL = 0.2
_UNNAMED_MOST = 1.5


def misfit(expected: Zone, seen: Sequence[SeenCard], old: Collection[int] = ()) -> float:
    """The cost of seeing `seen` where the game expects `expected`; 0 when it looks exactly so. `old`: numbers of the
    cards that were known to lie there before."""
    if expected.pile:
        return _pile(expected, seen, old)
    loose = LOOSE if expected.open else EXTRA
    backs = len(down(seen)) - expected.down
    stale = min(max(0, backs), sum(card.covered for card in down(seen)))
    backs -= stale
    strange = _strange(seen)[: max(0, -backs)]
    backs += len(strange)
    faces = [card for card in up(seen) if card not in strange]
    lack, spare = max(0, -backs), 0 if expected.open else max(0, backs)
    cost = STALE * stale + UNKNOWN_BACK * len(strange) + BACK * (lack + spare)
    cost -= BACK - OVERLAPPED if lack and seen else 0.0
    under = expected.down > 0 and len(down(seen)) >= expected.down and not expected.heap
    return cost + _faces(expected, faces, loose, under=under)


def _strange(seen: Sequence[SeenCard]) -> list[SeenCard]:
    """Outlines that look like no face."""
    nameless = (card for card in up(seen) if card.face is None and card.candidates)
    return [card for card in nameless if max(c.p for c in card.candidates) < STRANGE]


def _faces(expected: Zone, seen: Sequence[SeenCard], extra: float, *, under: bool) -> float:
    """`under`: one of these may lie under a back."""
    left = Counter(expected.cards)
    odd: list[SeenCard] = []
    for card in sorted(seen, key=lambda card: card.covered and found_again(card, seen)):
        if card.face is not None and left[card.face] > 0:
            left[card.face] -= 1
        else:
            odd.append(card)
    missing = list(left.elements())
    cost, taken = 0.0, set[int]()
    pairs = ((read_as(card, face), face, n) for n, card in enumerate(odd) for face in set(missing))
    for price, face, n in sorted(pair for pair in pairs if pair[0] < MISSING):
        if face in missing and n not in taken:
            missing.remove(face)
            taken.add(n)
            cost += price
    rest = [card for n, card in enumerate(odd) if n not in taken]
    lacks = BURIED * bool(missing) if expected.heap and seen else MISSING * len(missing)
    lacks -= MISSING - OVERLAPPED if missing and expected.fan and len(expected.cards) - len(missing) > 1 else 0.0
    lacks -= MISSING - UNDER_BACK if under and missing else 0.0
    return cost + lacks + sum(_spare(card, extra) for card in rest)


def found_again(card: SeenCard, seen: Sequence[SeenCard]) -> bool:
    """One of the same face is seen in its place, or less than a quarter of a card's length aside: where it is partly
    covered it may have been found anew a little off."""
    return any(one.face == card.face and not one.covered and _aside(card, one) < AGAIN for one in seen)


def seen_twice(card: SeenCard, seen: Sequence[SeenCard]) -> bool:
    """It is a second sight of another card, as far as anybody can tell: one under another of its face, or one without
    a name just where a card with a name is seen, as of two that lie so only the upper one would be."""
    if card.covered or card.side is Side.DOWN or card.face is not None:
        return card.covered and found_again(card, seen)
    named = (one for one in seen if one.face is not None and not one.covered)
    return any(_aside(card, one) < ONE_PLACE for one in named)


def _aside(card: SeenCard, other: SeenCard) -> float:
    """How far two cards lie apart, as a share of a card's length."""
    return math.dist(card.centre, other.centre) / max(math.dist(a, b) for a, b in pairwise(card.polygon))


def _spare(card: SeenCard, extra: float) -> float:
    """The cost of a card more than there should be."""
    if card.covered:
        return STALE
    return shadow(card) if card.face is None else extra


def shadow(card: SeenCard) -> float:
    """The cost of an outline without a name being no card; the more it looks like one, the dearer."""
    return OUTLINE + _LIKE_A_CARD * max((c.p for c in card.candidates), default=0.0)


def read_as(card: SeenCard, face: str) -> float:
    """The cost of `card` being `face` although it was not read so."""
    chance = next((c.p for c in card.candidates if c.face == face), 0.0)
    if card.face is not None:
        return max(_MISREAD, -math.log(chance)) if chance > 0.0 else math.inf
    if not card.candidates:
        return _DOUBTFUL
    return _DOUBTFUL + min(_UNNAMED_MOST, -0.5 * math.log(max(chance, 1e-9)))


def _pile(expected: Zone, seen: Sequence[SeenCard], old: Collection[int]) -> float:
    """Of a pile the top has to be among what is seen, and under nothing that is older; nothing may be foreign, nor may
    have been."""
    faces = up(seen)
    foreign = Counter(card.face for card in faces if card.face is not None) - Counter(expected.cards)
    # What came after the card below the top, and is covered by now, was laid in between; so was what is new.
    below = max((card.since for card in faces if card.face in expected.cards[:-1]), default=math.inf)
    gone = (card for card in faces if card.covered and card.since <= below and card.track in old)
    stale = foreign & Counter(card.face for card in gone if card.face)
    cost = (LOOSE if expected.open else EXTRA) * (foreign - stale).total() + BURIED * bool(stale)
    if expected.cards:
        if expected.down and down(seen):
            return cost  # they may lie on its top
        return cost + _top(expected.cards, faces) + (BACK if down(seen) else 0.0)
    strange = _strange(seen)[:1] if expected.down and not down(seen) else []
    backs = len(down(seen)) + len(strange)
    if not expected.down and backs and all(card.covered for card in down(seen)):
        cost, backs = cost + STALE, 0  # gathered just now, rather than laid there
    wrong = bool(backs) != (expected.down > 0) and (backs > 0 or not expected.open)
    nameless = (card for card in faces if card.face is None and card not in strange)
    return cost + (BACK if wrong else 0.0) + UNKNOWN_BACK * len(strange) + sum(map(shadow, nameless))


def _top(cards: Sequence[str], seen: Sequence[SeenCard]) -> float:
    """The cost of the last of `cards` being the uppermost card of a pile: one laid exactly on its like has that one's
    number, and lies over what came since and is covered."""
    top = cards[-1]
    placed = max((card.since for card in seen if card.face == top), default=None)
    if placed is None:
        return min([MISSING, *(read_as(card, top) for card in seen if card.face is None)])
    clear = any(card.face == top and not card.covered for card in seen)
    later = [card for card in seen if card.since > placed and not (clear and card.covered)]
    return MISSING if any(card.face in cards for card in later) else sum(shadow(c) for c in later if c.face is None)
