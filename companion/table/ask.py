"""Questions that only people can decide, each with answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import UNKNOWN, Action, Game, Msg, Zone
from companion.games.implied import open_prompts
from companion.table.decide import ASK_CARD, unread_since
from companion.table.fill import newcomers
from companion.table.hypotheses import Hypothesis, Step
from companion.table.lain import PATIENCE
from companion.table.sight import Sight
from companion.vision.types import Candidate, SeenCard, SeenTable, Side

UNSEEN, LAID = 4.0, 1.0
"""A hand that may have come and gone unseen, so long before a card was seen to lie, may have laid another under it;
not where one came so soon after it, s."""

FLEETING = 1.0
"""What has not been explained for a shorter time, s, the next looks may explain."""
LACKING, MOST_LACKING = 4.0, 2
"""A row of which so many cards at most are not seen has to lie so for so long, s: he who lays it may only be
thinking."""
NEXT_LACKING = 1_000_000
"""Between the numbers of two cards of a row that nobody sees; no card that is seen has one so high."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only people can decide.

    `kind`: "card" (a card that could not be read: name it), "several" (which of `choices` was it?), "foul" (did
    `choices[0]` really happen?), "hidden" (which card lies under the others?), "did" (did somebody do one of
    `choices`, all of one kind, which no card tells?), "unexplained" (what of these cards?).
    `key` stays the same while the same cards lie there. `track` (below 0: a card that nobody sees), `candidates` and
    `crop` belong to the card asked about; `evidence`: the pictures of all cards that it is about or, of such a card,
    that lie beside it. `odd` are cards of which a person may say that there is none, or that they belong to one of
    `places`.
    `hidden`: of a question "hidden", the action of which nobody saw the card.
    """

    key: str
    kind: str
    zone: str
    cards: tuple[str | None, ...]
    text: Msg
    choices: tuple[Action, ...] = ()
    track: int | None = None
    candidates: tuple[Candidate, ...] = ()
    crop: str | None = None
    evidence: tuple[str, ...] = ()
    odd: tuple[SeenCard, ...] = ()
    hidden: Action | None = None
    places: tuple[str, ...] = ()

    def with_face(self, face: str) -> Action | None:
        """The action asked about, if `face` is the card that nobody saw."""
        return None if self.hidden is None else replace(self.hidden, cards=(face,))


def about_steps(doubt: str, steps: Sequence[Step], sight: Sight) -> Question:
    """Which of these steps happened, or what an unread card of theirs is."""
    first = steps[0]
    card = min(first.filled.unread, key=lambda one: max(c.p for c in one.candidates), default=None)
    zone = next((z for z in first.zones if z in sight and set(first.cards) & set(sight[z].cards)), None)
    zone = zone or next(iter(first.zones), "")
    if doubt == "card" and card is not None:
        return about_card(card, zone)
    faces = tuple(c.face for c in first.cards)
    cards = first.cards or (sight[zone].cards if zone in sight else ())
    hidden = next((step.action for step in steps if step.filled.hidden), None)
    if hidden is not None:
        said = tuple(step.action for step in steps if not step.filled.hidden)
        who = {} if hidden.seat is None else {"player": hidden.seat}
        text = Msg.of("question.hidden", zone=zone, **who)
        evidence = tuple(card.crop for card in cards if card.crop)
        key = f"{_key(doubt, zone, cards)}/{hidden.kind}/{hidden.seat}"  # another one's card may lie there as well
        return Question(key, doubt, zone, (None,), text, said, evidence=evidence, hidden=hidden)
    if doubt == "did" and first.action.seat is not None:
        counts = {len(step.action.cards) for step in steps}
        n = {"n": counts.pop()} if len(counts) == 1 else {}
        text = Msg.of("question.did", player=first.action.seat, deed=first.action.kind, **n)
        # Without cards the state tells this time from the next.
        key = f"did/{first.action.kind}/{first.action.seat}/{hash(first.after)}"
        return Question(key, doubt, "", (), text, tuple(step.action for step in steps))
    nowhere = not zone and doubt in ("several", "foul")  # no card tells it
    asks = "one" if doubt == "several" and len(steps) == 1 else doubt
    text = Msg.of(f"question.{asks}" + ".nowhere" * nowhere, zone=zone, cards=_named(faces), n=len(steps))
    evidence = tuple(dict.fromkeys(c.crop for step in steps for c in step.cards if c.crop))
    choices = tuple(step.action for step in steps)
    return Question(_key(doubt, zone, cards), doubt, zone, faces, text, choices, evidence=evidence, odd=first.cards)


def about_pile(action: Action, cards: Sequence[SeenCard], changed: Sequence[str], zones: Mapping[str, Zone],
               seen: SeenTable, sight: Sight, hand: float) -> Question | None:  # fmt: skip
    """Did just that happen? Another card may lie under what came to a pile while a hand may have come and gone that
    nobody saw; None where none can, as the pile rested between that and these cards. `changed`: zones that the action
    changes. `hand`: when that of the action came, s; infinite: the only one that came is that which nobody saw."""
    zone = next((name for name in changed if name in zones and zones[name].pile), None)
    if zone is None:
        return None
    others = [card for card in sight[zone].cards if card not in cards] if zone in sight else []
    laid = any(seen.astray[0] <= card.since < seen.astray[1] + LAID for card in others)  # it was his who is astray
    astray = seen.astray[0] < hand < math.inf and not laid
    unseen = max(seen.unseen, seen.astray[1] if astray else -math.inf)
    if not any(card.since < unseen + UNSEEN for card in cards):
        return None
    if zone in sight and unseen < sight[zone].before < min(card.since for card in cards):
        return None
    faces = tuple(card.face for card in cards)
    text = Msg.of("question.one", zone=zone, cards=_named(faces))
    evidence = tuple(card.crop for card in cards if card.crop)
    return Question(_key("several", zone, cards), "several", zone, faces, text, (action,), evidence=evidence,
                    odd=tuple(cards))  # fmt: skip


def about_card(card: SeenCard, zone: str) -> Question:
    """Which card is this? Below 0 its number: not the one that lies over it, which people have named."""
    evidence = (card.crop,) if card.crop else ()
    text = Msg.of("question.card" if card.track >= 0 else "question.lacking", zone=zone)
    return Question(_key("card", zone, [card]), "card", zone, (None,), text, (), card.track, card.candidates, card.crop,
                    evidence)  # fmt: skip


def unread(
    game: Game[Any], state: Any, sight: Sight, first: tuple[SeenCard, str] | None, now: float, sure: Collection[int]
) -> Iterator[Question]:
    """Cards that could not be named for long (`now`, s), where naming them would complete what a prompt waits for, or
    what came after has to wait: that one is the `first`, with its zone. Not those of which it is `sure` enough, by
    their numbers, what they are."""
    found = (one for one in _unread(game, state, sight) if one[0].track not in sure)
    both = (*((first,) if first is not None else ()), *found)
    questions = {card.track: about_card(card, zone) for card, zone in both}
    return (question for question in questions.values() if _is_old(question, sight, now))


def _unread(game: Game[Any], state: Any, sight: Sight) -> Iterator[tuple[SeenCard, str]]:
    zones = {zone.id: zone for zone in game.expected_table(state)}
    for prompt in open_prompts(game, state):
        slot = prompt.slot
        if slot is None or slot.target is None or slot.side == "down":
            continue
        if slot.target not in sight or not sight[slot.target].resting:
            continue
        new, lacking = newcomers(zones.get(slot.target, Zone(slot.target)), sight[slot.target].cards)
        new = tuple(card for card in new if card.side is Side.UP and not _known(card, lacking))
        if not slot.least <= len(new) <= slot.most or (any(card.face for card in new) and len(new) > slot.most):
            continue
        for card in new:
            if card.face is None:
                yield card, slot.target


def steps_before(steps: Sequence[Step], asked: Iterable[Question], sight: Sight) -> tuple[Step, ...]:
    """The steps before the first one whose cards came well after a card that people are `asked` about, where that is
    its player's or nobody's: what it is has to be said first."""
    waiting = [
        (q.zone, card) for q in asked if q.zone in sight for card in sight[q.zone].cards if card.track == q.track
    ]
    for at, step in enumerate(steps):
        came = -math.inf if step.since is None else step.since - PATIENCE
        own = (card for zone, card in waiting if zone.partition(":")[2] in ("", str(step.action.seat)))
        if any(card.since < came and card not in step.cards for card in own):
            return tuple(steps[:at])
    return tuple(steps)


def lacking_for(row: Question) -> float:
    """How long (s) a row has to lie so: no longer where a card of it that nobody sees was named, and another one
    lacks."""
    return 0.0 if row.track is not None and row.track <= -NEXT_LACKING else LACKING


def lacking(game: Game[Any], state: Any, sight: Sight, odd: Collection[str]) -> Iterator[Question]:
    """A row of which all cards but one or two are seen, where a prompt waits for so many: something lies over the
    others, or they cannot be found; people are asked for one after the other. One of those seen may have no name. Only
    of places that are `odd`, where the cards were seen to come."""
    zones = {zone.id: zone for zone in game.expected_table(state)}
    for prompt in open_prompts(game, state):
        slot = prompt.slot
        if slot is None or slot.target is None or slot.target not in odd or slot.side == "down":
            continue
        if not sight[slot.target].resting or sight[slot.target].since == -math.inf:
            continue
        zone = zones.get(slot.target, Zone(slot.target))
        new = [card for card in newcomers(zone, sight[zone.id].cards)[0] if card.side is Side.UP]
        nameless = [card for card in new if card.face is None]
        dealt = Action(prompt.kind, None, tuple(card.face or UNKNOWN for card in new))
        whole = [
            prompt.seat is None and game.full(state, replace(dealt, cards=(*dealt.cards, *(UNKNOWN,) * more)))
            for more in range(MOST_LACKING + 1)
        ]
        short = slot.least - len(new) if slot.least > len(new) else whole.index(True) if True in whole else 0
        if zone.pile or not new or not 0 < short <= MOST_LACKING or len(nameless) > 1:
            continue
        if nameless:  # first that one
            yield about_card(nameless[0], zone.id)
            continue
        text = Msg.of("question.lacking", zone=zone.id)
        named = sum(card.track < 0 for card in new)
        number = -min(abs(card.track) for card in new) - named * NEXT_LACKING
        evidence = tuple(card.crop for card in new if card.crop)
        yield Question(_key("lacking", zone.id, new), "card", zone.id, (None,), text, track=number, evidence=evidence)


def lain(
    odd: Mapping[str, float], since: Mapping[str, float], sight: Sight, now: float
) -> tuple[dict[str, float], float | None]:
    """Of what is not explained that which has lain there so for long, and when the next will have, s. `since`: when
    each was first not explained, s."""
    dues = {name: max(sight[name].since + ASK_CARD, since[name] + FLEETING) for name in odd}
    late = {name: cost for name, cost in odd.items() if now >= dues[name]}
    return late, min((due for name, due in dues.items() if name not in late), default=None)


def _is_old(question: Question, sight: Sight, now: float) -> bool:
    """The card asked about could have been read for long."""
    asked_about = (card for card in sight[question.zone].cards if card.track == question.track)
    return all(now - unread_since(card, sight) >= ASK_CARD for card in asked_about)


def _known(card: SeenCard, lacking: Sequence[str]) -> bool:
    """It has no name because others were laid on it, or it on others: it looks like one of those that should lie there
    and are not seen."""
    return card.face is None and any(one.face in lacking for one in card.candidates[:1])


def unexplained(
    game: Game[Any], best: Hypothesis, sight: Sight, odd: Mapping[str, float], asked: set[str]
) -> Iterator[Question]:
    """Cards that lie where nobody has anything to do with them, or more than anybody may lay.

    A zone that holds as many cards as it should is left alone: a misread that people have put right.
    """
    room = _room(game, best.state)
    for name in odd:
        zone, seen = best.zones.get(name), sight[name]
        if zone is None or name in asked or not seen.resting:
            continue
        new = [card for card in newcomers(zone, seen.cards)[0] if card.side is Side.UP]
        named = [card for card in new if card.face is not None]
        spare = sum(card.side is Side.UP for card in seen.cards) - len(zone.cards)
        if not named or (not zone.pile and spare <= 0) or len(new) <= room.get(name, 0):
            continue
        faces = tuple(card.face for card in new)
        text = Msg.of("question.unexplained", zone=name, cards=_named(faces), n=len(new))
        evidence = tuple(card.crop for card in new if card.crop)
        yield Question(_key("unexplained", name, new), "unexplained", name, faces, text, evidence=evidence,
                       odd=tuple(new))  # fmt: skip


def _room(game: Game[Any], state: Any) -> dict[str, int]:
    """How many cards each zone may yet receive in one action."""
    room: dict[str, int] = {}
    for prompt in open_prompts(game, state):
        if prompt.slot is not None and prompt.slot.target is not None and prompt.slot.side != "down":
            room[prompt.slot.target] = max(room.get(prompt.slot.target, 0), prompt.slot.most)
    return room


def _key(kind: str, zone: str, cards: Sequence[SeenCard]) -> str:
    return "/".join([kind, zone, *sorted(f"{card.track}={card.face or '?'}" for card in cards)])


def _named(faces: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(face or "?" for face in faces)
