"""What flies to the players, or comes for their cards, while a deal goes on: no hand that plays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from companion.table.touches import Touch, alike

SLIDES = 0.26
"""A card that slides over a stack is there no longer (s); a hand that draws from it is."""
AROUND = 2.5
"""So soon (s) before or after it others slide to other players."""
DEALT = 1.0
"""Who is dealt to reaches for a stack so soon (s) before or after another one."""


def plays(touch: Touch, others: Iterable[Touch], stacks: Collection[str]) -> bool:
    """The same hand goes on to a place that is nobody's, where cards lie open: no card that is dealt does."""
    later = (other for other in others if other.visit == touch.visit and other.began > touch.ended)
    return any(":" not in other.zone and other.zone not in stacks for other in later)


def deals(touch: Touch, others: Iterable[Touch]) -> bool:
    """Hands from several sides at one stack at about the same time: cards are dealt."""
    others = (other for other in others if other.zone == touch.zone)
    return any(_near(touch, other, DEALT) and not alike(touch.direction, other.direction) for other in others)


def slides(touch: Touch, others: Sequence[Touch], stacks: Collection[str]) -> bool:
    """A card that is dealt comes by, as others do from two other sides: over a stack only for a moment, or several one
    after the other, as others do from three."""
    stack, long = touch.zone in stacks, touch.ended - touch.began > SLIDES
    around = (o for o in others if _near(touch, o, AROUND if stack and not long else DEALT))
    sides: list[float] = []
    for other in around:
        if not any(alike(other.direction, side) for side in (touch.direction, *sides)):
            sides.append(other.direction)
    return len(sides) >= (3 if stack and long else 2)


def again_there(touch: Touch, others: Iterable[Touch]) -> bool:
    """The same hand was there more than once: who deals puts the stock down, as who takes a card reaches for it."""
    return any(o.visit == touch.visit and o.zone == touch.zone and o.began != touch.began for o in others)


def _near(touch: Touch, other: Touch, time: float) -> bool:
    """They were there at most so long (s) one after the other."""
    return other.began <= touch.ended + time and touch.began <= other.ended + time
