"""What may have happened: steps, and hypotheses made of them, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import UNKNOWN, Action, Game, Prompt, Zone
from companion.table.compare import claim
from companion.table.fill import Filled
from companion.table.misfit import EXTRA
from companion.table.parts import Part
from companion.table.sight import Sight, ZoneSeen
from companion.table.tidy import Lag
from companion.table.touches import Touch
from companion.vision.types import SeenCard, Side

Content = tuple[str, int | None, tuple[str, ...], tuple[tuple[str, Any], ...]]


Leaves = tuple[tuple[Mapping[str, Zone], Mapping[str, Zone]], ...]
"""What should lie before and after cards were only taken away, each time."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a hypothesis. `zones`: those in sight that it changes; `seen`: it changes any; `since`: when its
    cards came; `patience`: so long its zones have to rest before it is over, s; `room`: so many cards could have
    been laid at once. `parts`: what hands had to do for it, and for what it implies; `alike`: all actions that
    would look just like it, itself among them, when there are others; `leaves`: where it, or what it implies, only
    takes cards away; `laid`: when its cards were first seen where it laid them, though they lie elsewhere by now."""

    filled: Filled
    zones: tuple[str, ...]
    after: Any
    foul: bool
    seen: bool
    since: float | None
    patience: float
    room: int = 0
    parts: tuple[Part, ...] = ()
    alike: tuple[Action, ...] = ()
    leaves: Leaves = ()
    laid: float | None = None

    @property
    def action(self) -> Action:
        return self.filled.action

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        return self.filled.cards

    @property
    def guesses(self) -> tuple[tuple[SeenCard, str], ...]:
        """The cards without a name, and what they are taken for."""
        return tuple((card, face) for card, face in self.filled.named if card in self.filled.unread)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state that may be the true one, how it came to be, what that costs, and how badly the table fits it now."""

    state: Any
    zones: Mapping[str, Zone]
    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    lag: Lag = frozenset()
    present: float = 0.0
    hands: float = 0.0
    """How badly it explains the hands that were seen."""
    did: tuple[tuple[Touch, ...], ...] = ()
    """The hands of each step."""
    whole: bool = True
    """False: only another action makes sense of the last one."""

    @property
    def total(self) -> float:
        return self.cost + self.present + self.hands


LIFTED = 4.0
"""Seconds before a card that was picked up is taken for one that has gone to where nobody sees it."""
CLEARED, UNFINISHED = 1.0, 2.5
"""Seconds of rest before cards that left are gone, and before cards that could be more are all."""
GATHERED = 0.4
"""The same where nothing lies on the table any more but stacks."""


def patience_for(
    game: Game[Any], prompt: Prompt, filled: Filled, room: int, *, arrived: bool, places: Container[str]
) -> float:
    """How long (s) the zones of an action have to rest before it counts as over; `arrived`: nothing has left them;
    `places`: all zones of the layout."""
    if (declared := game.patience.get(prompt.kind)) is not None:
        return declared
    if prompt.slot is not None and len(filled.action.cards) < room:
        # Whoever deals for all pauses, and nobody waits for his turn meanwhile.
        return UNFINISHED * (2 if prompt.seat is None and room - len(filled.action.cards) > 1 else 1)
    if filled.cards or arrived:  # of several laid on a pile one is seen
        return UNFINISHED if 0 < len(filled.cards) < len(filled.action.cards) else 0.0
    # It was picked up, and does not lie yet where it belongs: perhaps somebody only looks at it.
    return LIFTED if prompt.slot is not None and prompt.slot.target in places else CLEARED


def content(action: Action) -> Content:
    """What an action says, the order of its cards left out."""
    return action.kind, action.seat, tuple(sorted(action.cards)), action.args


Said = tuple[str, int | None, tuple[str, ...]]


def said(action: Action) -> Said:
    """What people would call the same: its kind, who did it, its cards."""
    return action.kind, action.seat, tuple(sorted(action.cards))


def one_of(children: Sequence[Hypothesis]) -> Hypothesis:
    """The first of some hypotheses that nothing on the table tells apart; its last step knows of the others."""
    first = children[0]
    actions = {content(child.steps[-1].action): child.steps[-1].action for child in children}
    if len(actions) == 1:
        return first
    step = replace(first.steps[-1], alike=tuple(actions.values()))
    return replace(first, steps=(*first.steps[:-1], step))


LIES = 0.1
"""Of two ways to the same state one may be so much dearer for each card that lies where it has put it: the other was
thought of before the card lay there."""


EVEN = 0.25
"""Of two ways to the same state that say otherwise who laid what, one that is dearer by less is thought of as well.
Chosen by hand: at 1.0 more was asked on films of development, and nothing more found."""


class Ways:
    """The best way to every state, and those that are about as good and say something else."""

    def __init__(self) -> None:
        self._known: dict[Any, dict[Any, Hypothesis]] = {}

    def keep(self, new: Hypothesis) -> bool:
        """Add a way, unless there is a better one to its state."""
        ways = self._known.setdefault(new.state, {})
        laid = ((step.action.kind, step.action.seat, face) for step in new.steps for face in step.action.cards)
        says, price = frozenset(Counter(one for one in laid if one[-1] != UNKNOWN).items()), _price(new)
        old = ways.get(says)
        if (old is not None and _price(old) <= price) or any(_price(one) + EVEN <= price for one in ways.values()):
            return False
        ways[says] = new
        return True

    def all(self) -> list[Hypothesis]:
        """Every way that was kept."""
        return [
            one
            for ways in self._known.values()
            for one in ways.values()
            if _price(one) < min(map(_price, ways.values())) + EVEN
        ]


def _price(way: Hypothesis) -> float:
    return way.total - LIES * sum(len(step.cards) for step in way.steps)


def gone(after: Hypothesis, lay: Counter[str], shown: Iterable[str]) -> Counter[str]:
    """Faces that `lay` open in the zones `shown` before the steps of a hypothesis, and do not after them."""
    if not after.steps:
        return Counter()
    return lay - Counter(face for name in shown for face in after.zones.get(name, Zone(name)).cards)


def came_for(parent: Hypothesis, taken: Iterable[str], sight: Sight) -> int:
    """How many of the faces that are `taken` away lie elsewhere, where an earlier step has put them."""
    there = {card.track: card.face for seen in sight.values() for card in seen.cards}
    came = Counter(there.get(card.track) for step in parent.steps for card in step.cards)
    return (came & Counter(taken)).total()


def done_with(steps: Iterable[Step], kind: str, cards: Iterable[SeenCard]) -> bool:
    """The same was done already with one of these cards."""
    own = {card.track for card in cards}
    return any(step.action.kind == kind and any(card.track in own for card in step.cards) for step in steps)


SPLIT = 3.0
"""Cost of the same again by the same player, where he could have laid it all at once."""


def split(steps: Sequence[Step], action: Action, seat: int | None) -> float:
    """What it costs to take as two actions what one could have been."""
    last = steps[-1] if steps else None
    if last is None or (last.action.kind, last.action.seat) != (action.kind, seat):
        return 0.0
    return SPLIT if last.room >= len(last.action.cards) + len(action.cards) > 1 else 0.0


def to_be_seen(step: Step, sight: Sight) -> bool:
    """Hands alone tell of a step as yet, though more will: what it leaves does not lie at rest."""
    zones = (sight[zone] for zone in step.zones if zone in sight)
    return step.seen and not step.cards and not all(zone.resting for zone in zones)


def still_there(
    laid: Collection[int], parent: Mapping[str, Zone], after: Mapping[str, Zone], sight: Sight,
    known: Mapping[str, Collection[int]],
) -> bool:  # fmt: skip
    """Some card, known to lie there before or `laid` since, lies where an action only takes cards away."""
    for name, seen in sight.items():
        if not seen.resting:
            continue
        before, then = parent.get(name, Zone(name)), after.get(name, Zone(name))
        if claim(before) == claim(then):
            continue
        old = {*laid, *known.get(name, ())}
        cards = [card for card in seen.cards if not card.covered and (not old or card.track in old)]
        spare = Counter(card.face for card in cards if card.face is not None) - Counter(then.cards)
        if spare & (Counter(before.cards) - Counter(then.cards)):
            return True
        if before.down > then.down and sum(card.side is Side.DOWN for card in cards) > then.down:
            return True
    return False


def thought_on(frontier: Sequence[Hypothesis], best: Hypothesis, count: int, slack: float) -> list[Hypothesis]:
    """Which of these, the likeliest first, are worth another step: `count` and more of those that cost at most `slack`
    more than the `best` one; half as many in order that fouls would else crowd out; half as many with the cards of its
    first steps, told of others; and, where it leaves a card unexplained, half as many with a step of cards that it has
    left out, however little they explain as yet."""
    near = [h for h in frontier if h.steps and h.total <= best.total + slack]
    likely = varied(near, count)
    likely += varied((h for h in near if h not in likely and not any(step.foul for step in h.steps)), count // 2)
    told = {_laid(best.steps[:n]) for n in range(2, len(best.steps))}
    likely += varied((h for h in frontier if _laid(h.steps) in told and h not in likely), count // 2)
    if best.present < EXTRA:
        return likely
    used = {card.track for step in best.steps for card in step.cards}

    def left_out(step: Step) -> bool:
        return bool(step.cards) and used.isdisjoint(card.track for card in step.cards)

    more = (h for h in frontier if any(map(left_out, h.steps)) and h not in likely)
    return likely + varied(more, count // 2)


def _laid(steps: Iterable[Step]) -> frozenset[tuple[str, int]]:
    """The faces that steps tell of, and how often."""
    return frozenset(Counter(face for step in steps for face in step.action.cards).items())


def varied(likeliest: Iterable[Hypothesis], count: int) -> list[Hypothesis]:
    """The first `count`, and as many more of those that say of a step what none before them says: where each of several
    steps may have been one of two things, neither is forgotten."""
    found: list[Hypothesis] = []
    heard: set[tuple[int, Content]] = set()
    for hypothesis in likeliest:
        says = {(at, content(step.action)) for at, step in enumerate(hypothesis.steps)}
        if len(found) < count or (len(found) < 2 * count and not says <= heard):
            found.append(hypothesis)
            heard |= says
    return found


def leaves_unmoved(before: Mapping[str, Zone], after: Mapping[str, Zone], changed: Iterable[str], sight: Sight) -> bool:
    """Cards would leave one of the `changed` rows although nothing moved there when they went out of sight."""
    for name in (name for name in changed if sight[name].unmoved):
        then, now = before.get(name, Zone(name)), after.get(name, Zone(name))
        fewer = len(then.cards) + then.down > len(now.cards) + now.down  # else one was turned over
        if not then.pile and (Counter(then.cards) - Counter(now.cards) or (fewer and then.down > now.down)):
            return True
    return False


def overlooked(name: str, zone: Zone, seen: ZoneSeen, hands: bool) -> bool:
    """Cards that are not found are still there where nothing moved, and so is the stock: it has many. `hands`: the
    camera tells of hands."""
    if zone.pile:
        stack = zone.down > 0 and not zone.cards and not seen.cards and hands
        return stack and (name == "stock" or seen.stirred < seen.filled)
    backs = sum(card.side is Side.DOWN for card in seen.cards)
    faces = Counter(card.face for card in seen.cards if card.face is not None)
    fewer = len(seen.cards) < len(zone.cards) + zone.down and backs <= zone.down and not faces - Counter(zone.cards)
    return fewer and seen.unmoved


VANISHED = 1.6
"""A stack that should lie there was seen to vanish: it may only not be found, or somebody has taken its last
cards. Chosen by hand: less than what makes an action certain."""


def vanished(zones: Mapping[str, Zone], sight: Sight, began: float) -> float:
    """The cost of stacks that should lie where they were seen since the certain state `began` (s), and are not found
    any more."""
    stacks = (sight[name] for name, zone in zones.items() if zone.pile and zone.down and name in sight)
    return VANISHED * sum(zone.resting and not zone.cards and zone.emptied >= began for zone in stacks)


def ranked(hypotheses: Iterable[Hypothesis]) -> Sequence[Hypothesis]:
    """The cheapest first."""
    return sorted(hypotheses, key=lambda h: (h.total, len(h.steps)))
