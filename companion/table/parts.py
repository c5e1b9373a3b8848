"""What hands had to do for an action: what the expected tables before and after it, and its cards, tell of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games import Slot, Zone
from companion.table.compare import claim
from companion.table.sight import Sight
from companion.vision.types import Point, SeenCard, Side

TIPS = 0.5
"""Standard deviation of where the tip of a hand is from the middle of the card that it lays, share of the card's
length: on films the tip is 38 mm from it in the median and 66 for one in ten."""
NEARER = 2.5
"""At most so much does it cost that the tip was nearer to another card: what makes an action certain."""
REACHED = 0.75
"""A tip that was farther than this share of a card's length from the other card, too, was lost and says nothing: on
films nine of ten are nearer to the card that they lay."""
AT_ONCE = 1.0
"""Cards that came within so long (s) came at about the same time."""


@dataclass(frozen=True, slots=True)
class Part:
    """What hands had to do for an action: whose they are (`actor`, None: anybody's), all zones where cards come or go
    (`touched`), those of them where no card tells it (`stacks`), what it costs that nobody was seen to do it (`alone`),
    when the first of its cards was there (`first`) and when the last (`since`, s); since when a stack that it begins is
    seen (`began`, s). `most`: so many cards come or go in stacks of cards face down; `over`: since when all its cards
    lie open (s), None where it may go on; `given`: the stack that its cards come
    from, or another one before they lie; `drawn`: stacks from which cards are drawn for them afterwards; `lies`: its
    card, where it is one that lies in the zone (`place`) to which `others` came at about the same time."""

    actor: int | None
    touched: frozenset[str]
    stacks: frozenset[str]
    alone: float
    since: float | None = None
    first: float | None = None
    began: float | None = None
    most: Mapping[str, int] = field(default_factory=dict)
    over: float | None = None
    given: str | None = None
    drawn: frozenset[str] = frozenset()
    lies: SeenCard | None = None
    others: tuple[SeenCard, ...] = ()
    place: str = ""

    def nearer_to_others(self, tips: Sequence[Point]) -> float:
        """The cost of the tip of a hand having been nearer to one of the other cards that came then than to the card
        that it laid."""
        if self.lies is None or not tips or not self.others:
            return 0.0
        a, b, c, _ = self.lies.polygon
        long = max(math.dist(a, b), math.dist(b, c))
        own, other = (
            min(math.dist(tip, card.centre) for tip in tips for card in cards)
            for cards in ((self.lies,), self.others)
        )  # fmt: skip
        if other > REACHED * long:
            return 0.0
        return min(NEARER, max(0.0, own * own - other * other) / (2.0 * (TIPS * long) ** 2))


def part_of(
    actor: int | None, before: Mapping[str, Zone], after: Mapping[str, Zone], stacks: frozenset[str], alone: float
) -> Part:
    """Of an action that leads from one expected table to another. `stacks`: zones where no card tells what comes or
    goes; nor does one where cards under the top of a pile do."""
    touched = frozenset(name for name in {*before, *after} if before.get(name) != after.get(name))
    pairs = {name: (before.get(name, Zone(name)), after.get(name, Zone(name))) for name in touched}
    most = {
        name: abs(then.down - now.down)
        for name, (then, now) in pairs.items()
        if (then.pile or now.pile) and not then.cards and not now.cards
    }
    under = {
        name for name, (then, now) in pairs.items() if then.pile and now.pile and then.cards[-1:] == now.cards[-1:]
    }
    hidden = {name for name in under if pairs[name][0].cards}
    return Part(actor, touched, (touched & stacks) | hidden, alone if touched else 0.0, most=most)


def with_cards(part: Part, cards: Sequence[SeenCard], slot: Slot | None = None, draws: str | None = None) -> Part:
    """The part of an action whose cards are these, put where `slot` says; `draws`: "before" they lie, or "after"."""
    came = [card.since for card in cards if card.since > -math.inf]
    last = max(came, default=None)
    given = slot.source if slot and slot.source in part.stacks else None
    if draws == "before" and len(part.stacks) == 1:
        (given,) = part.stacks
    lie_open = bool(came) and all(card.side is Side.UP for card in cards)
    drawn = part.stacks if draws == "after" else frozenset[str]()
    part = replace(part, since=last, first=min(came, default=None), given=given, drawn=drawn)
    return replace(part, over=last if lie_open else None)


def among(part: Part, cards: Sequence[SeenCard], place: str, sight: Sight) -> Part:
    """The part of an action that laid one card, with the others that came to its `place` at about the same time; cards
    that lie under others say nothing."""
    lying = sight[place].cards if place in sight else ()
    there = {card.track: card for card in lying if card.side is Side.UP and not card.covered}
    if len(cards) != 1 or cards[0].track not in there:
        return part
    came = (one for one in there.values() if one.track != cards[0].track)
    others = tuple(one for one in came if abs(one.since - cards[0].since) <= AT_ONCE)
    return replace(part, lies=cards[0], others=others, place=place) if others else part


def begun(before: Mapping[str, Zone], after: Mapping[str, Zone], sight: Sight) -> float | None:
    """Since when a stack is seen, or its place not seen empty any more, that was not there before, s."""
    new = [
        name
        for name, zone in after.items()
        if zone.pile and name in sight and claim(before.get(name)) == claim(None) != claim(zone)
    ]
    came = [card.since for name in new for card in sight[name].cards if not card.covered]
    return max((*came, *(sight[name].bare for name in new)), default=None)
