"""What of the likeliest hypothesis is certain, what is still to be waited for, and what only people can decide."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import UNKNOWN, Action, Game, Prompt, Zone
from companion.games.implied import open_prompts
from companion.table.against import (
    also_another,
    backs_came,
    gone_before,
    laid_by_another,
    may_have_lain,
    risen_alone,
    under_others,
    unreached,
    untouched,
)
from companion.table.beam import Beam
from companion.table.hypotheses import LIFTED, Hypothesis, Step, content, ranked
from companion.table.lain import READ_AGAIN, drawn_open
from companion.table.misfit import MISSING, OUTLINE
from companion.table.patience import ASK_COUNT, ODD, arrived, before, exact, lying_since, not_put_away, overtaken, waits
from companion.table.sight import Marks, Sight, marks
from companion.table.surmised import is_guess
from companion.table.untold import untold
from companion.vision.types import SeenCard, Side

MARGIN = 2.5
"""So much better than every rival has an action to be, to be certain."""
CARRIED = 1.0
"""So long after a hand has left another place a card that it laid there is surely seen, s."""
HELD = 4.0
"""A back to which nobody was seen to reach may be in the hand that is over the table, for so long, s."""
ASK = 2.0
"""A doubt is asked about when the cards have lain so for so long, s."""
ASK_HIDDEN = 0.2
"""The same for a card that others lie on: no later look will show it."""
ASK_CARD = 3.2
"""The same for a card that could not be read: the next look may read it."""

CROWDED = OUTLINE + 1.0
"""A card without a name that is half a face lies in a row beside those that an action took there: it may be one of
them, and one of them none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`taken`: certain steps, in order. `doubt`: "several", "foul", "card", "hidden" or "did", or empty; `rivals`: the
    steps that it is about, likeliest first. `due`: when to look again although nothing moves, s. `best`: the likeliest
    hypothesis. `first`: a nameless card, and its zone, of which it has to be said first what it is."""

    best: Hypothesis
    taken: tuple[Step, ...] = ()
    doubt: str = ""
    rivals: tuple[Step, ...] = ()
    due: float | None = None
    open_since: float = -math.inf
    first: tuple[SeenCard, str] | None = None


def decide(beam: Beam, sight: Sight, now: float, base: Mapping[str, Marks]) -> Verdict:
    """Judge the beam by the clock: `now`, s. `base`: zones whose oddities people know, as they lie."""
    order = ranked(beam.hypotheses)
    best = order[0]
    foul = any(step.foul for step in best.steps)  # what is in order goes before what is not
    rivals = [h for h in order[1:] if foul or not any(step.foul for step in h.steps)]
    odd = unexplained(beam, best, sight, base)
    taken: list[Step] = []
    held: list[Step] = []
    for at, step in enumerate(best.steps):
        missed = step.seen and gone_before(beam, best, at, sight)  # then what leaves them there is as likely
        reach = best.total + MARGIN + (MISSING if missed else 0.0)
        others = [h for h in rivals if h.total < reach and not _has(beam, h, best, at)]
        named = {card.track for card in step.cards if beam.named.get(card.track) is not None}
        if named:  # a card that people named was there, though it is seen no more
            others = [h for h in others if any(card.track in named for s in h.steps for card in s.cards)]
        over = waits(beam, best, at, sight, now, odd)
        if over is None or over > now:
            return Verdict(best, tuple(taken), due=over, open_since=lying_since(step, sight))
        read = [card for other in best.steps for card in other.cards]
        lay_odd = odd.keys() | beam.misfits(best, moving=True).keys() - base.keys()  # before a hand came, too
        all_told = _all_told(beam, best, at)
        if first := beam.lain.comes_first(step, read, sight, lay_odd, beam.game, before(beam, best, at)):
            if not all_told:
                return Verdict(best, tuple(taken), due=now + ASK_CARD, first=first)
            if now < (until := lying_since(step, sight) + ASK_CARD):  # it may be about to go
                return Verdict(best, tuple(taken), due=until, open_since=lying_since(step, sight))
        if not step.seen and (first := drawn_open(best.did[at], step.action.seat, sight, lay_odd)):
            return Verdict(best, tuple(taken), due=now + ASK_CARD, first=first)
        if not _at_rest([best], sight):
            others = [h for h in others if _as_it_lay(beam, h) - _as_it_lay(beam, best) < MARGIN]
        guessed = is_guess(beam, best, at, sight)
        hidden = step.filled.hidden
        lifted = step.seen and not step.cards and not any(_told_by_name(other) for other in best.steps[at + 1 :])
        lifted = lifted and not arrived(beam, best, at, sight)
        if lifted:
            began, rested = lying_since(step, sight), _covered(beam, step, best)
            due = began + (step.patience if rested > began else 2 * LIFTED)
            if rested < math.inf and now < due:
                return Verdict(best, tuple(taken), due=due, open_since=began)
            laid = _elsewhere(beam, best, at)
            if now < laid:
                return Verdict(best, tuple(taken), due=laid, open_since=began)
            unfinished = any(cost >= ODD and name in step.zones for name, cost in beam.misfits(best).items())
            unfinished = unfinished or not_put_away(beam, best, at, sight)
            done = max((sight[name].stirred for name in step.zones if name in sight), default=-math.inf) + LIFTED
            if unfinished and now < done:
                return Verdict(best, tuple(taken), due=done, open_since=began)  # more is still to go
            lifted = rested < began or unfinished
        moved_on = step.filled.elsewhere and (
            len(step.cards) > 1 or may_have_lain(beam, best, at, sight) or also_another(best, at)
        )
        people = beam.hands.people(step.zones, -math.inf if step.since is None else step.since)
        lay = beam.lain.unaccounted((other.action for other in best.steps), sight, step, people)
        lay = lay or (not all_told and beam.lain.passed_over(read, sight, beam.named))
        still = missed or (step.seen and under_others(beam, best, at, sight))
        still = still or (
            step.seen and not step.cards and any(says(beam, best, at, sight) for says in (untouched, unreached))
        )
        unwatched = any(card.track in beam.lain.unwatched for card in step.cards)  # nobody knows what came before it
        unwatched = unwatched or (not best.did[at] and beam.hands.told_already(step.since))
        unwatched = unwatched or (beam.hands.told and risen_alone(beam, best, at, sight))
        unwatched = unwatched or laid_by_another(beam, best, at)
        crowded = _crowded(step, best, sight, odd)
        against = step.seen and (sum(odd.values()) >= ODD or crowded or moved_on or lay or still or unwatched)
        if step.foul or others or guessed or against or hidden or lifted or step.alike:
            if others and not _at_rest([best, *others], sight):
                return Verdict(best, tuple(taken))  # what a hand covers may decide it
            earliest = held[0] if held else step
            doubt = "foul" if step.foul else "card" if guessed or _about_a_card(step, others, beam.named) else "several"
            choices = _choices(best, others, len(taken), earliest)
            doubt = "hidden" if any(step.filled.hidden for step in choices) else doubt
            doubt = "did" if doubt == "several" and not step.seen and _one_player(choices) else doubt
            if doubt == "card" and step.filled.unread:
                since = max(unread_since(card, sight) for card in step.filled.unread)
                return _asked(Verdict(best, tuple(taken), doubt, choices, open_since=since), now)
            near = {zone for part in step.parts for zone in part.touched}
            count = doubt == "several" and len(choices) > 1 and _one_player(choices)
            next_came = min((hand.began for did in best.did[at + 1 :] for hand in did), default=math.inf)
            until = next_came if count else math.inf  # then he has taken what he took
            more = (hand for hand in beam.hands.open if hand.zone in near and hand.began < until)  # it may go on
            since = lying_since(step, sight, (*best.did[at], *more))
            if (came := overtaken(best, at)) is not None:
                since = came
            elif count and until == math.inf:  # he whose hand nobody sees is still at it
                since = max([since, *(sight[zone].stirred for zone in {*near, *step.zones} if zone in sight)])
            delay = ASK_COUNT if count and until == math.inf else None
            return _asked(Verdict(best, tuple(taken), doubt, choices, open_since=since), now, delay)
        until = lying_since(step, sight) + HELD
        if now < until and beam.hands.here and not best.did[at] and backs_came(beam, step, sight):
            return Verdict(best, tuple(taken), due=until, open_since=lying_since(step, sight))
        unseen = untold(beam, best, at, sight) if step.seen else ()
        if unseen:
            return _asked(Verdict(best, tuple(taken), "did", unseen, open_since=lying_since(step, sight)), now)
        if step.seen and _contradicted(beam, best, base):
            return Verdict(best, tuple(taken))  # a hand is there now
        held.append(step)
        if step.seen or best.did[at]:
            taken += held
            held = []
    return Verdict(best, tuple(taken))


def _crowded(step: Step, best: Hypothesis, sight: Sight, odd: Mapping[str, float]) -> bool:
    """More may be a card of a step than it has taken, in a row where some of its own lie."""
    own = {card.track for card in step.cards}
    rows = (name for name in step.zones if odd.get(name, 0.0) >= CROWDED and not best.zones[name].pile)
    return any(card.track in own for name in rows for card in sight[name].cards)


def _has(beam: Beam, other: Hypothesis, best: Hypothesis, at: int) -> bool:
    """Another hypothesis has the same step, and nothing before it that the likeliest one has not; or only puts what one
    player did in another order, which leads to the same table."""
    known = [content(step.action) for step in best.steps]
    steps = [content(step.action) for step in other.steps]
    if known[at] not in steps:
        return False
    before = steps[: steps.index(known[at])]
    if all(one in known[: at + 1] for one in before):
        return True
    most = min(len(known), len(steps))
    ends = (n for n in range(at + 2, most + 1) if Counter(known[:n]) == Counter(steps[:n]))
    end = next(ends, 0)
    moved = {
        (s.action.kind, s.action.seat)
        for s, one in zip(best.steps[:end], steps, strict=False)
        if content(s.action) != one
    }
    return len(moved) == 1 and _leads(beam, best.steps[end - 1]) == _leads(beam, other.steps[end - 1])


def _leads(beam: Beam, step: Step) -> tuple[object, ...]:
    """What lies where after a step, on a pile in its order; the points; and what may be done then."""
    lies = {
        zone.id: (zone.cards if zone.pile else tuple(sorted(zone.cards)), zone.down)
        for zone in beam.game.expected_table(step.after)
    }
    prompts = {(prompt.kind, prompt.seat) for prompt in beam.game.prompts(step.after)}
    return lies, dict(beam.game.totals(step.after)), prompts


def in_doubt(beam: Beam, choices: Sequence[Action]) -> bool:
    """More than one of these is likely by now, or the only one still is."""
    best = min(h.total for h in beam.hypotheses)
    likely = {content(step.action) for h in beam.hypotheses if h.total - best < MARGIN for step in h.steps}
    return len(likely.intersection(map(content, choices))) >= min(2, len(choices)) > 0


def _one_player(steps: Sequence[Step]) -> bool:
    """They are all something of one kind that one player did."""
    return len({(step.action.kind, step.action.seat) for step in steps}) == 1 and steps[0].action.seat is not None


def _told_by_name(step: Step) -> bool:
    """A card with a name tells it: what is missing may be under a hand, and a card without one may be another."""
    return step.seen and any(card.face is not None for card in step.cards)


def _covered(beam: Beam, step: Step, best: Hypothesis) -> float:
    """When a place where cards that left may lie by now last rested; infinite when nothing moves in any, or where the
    whole table is cleared."""
    places = {name: zone for name, zone in best.zones.items() if not zone.pile}
    if not any(zone.cards or zone.down for zone in places.values()):
        return math.inf
    shown = places.keys() - {*step.zones}
    return min((z.rested for name, z in beam.places.items() if name in shown and not z.resting), default=math.inf)


def _elsewhere(beam: Beam, best: Hypothesis, at: int) -> float:
    """Until when the hand that took the cards of a step may just have laid them elsewhere: what it leaves has to be
    read first."""
    zones, chain, until = best.steps[at].zones, list(best.did[at]), -math.inf
    for hand in beam.hands.open:
        if hand not in chain and hand.zone not in zones and any(hand.follows(before) for before in chain):
            chain.append(hand)
            until = max(until, beam.hands.left(hand))
    return until + CARRIED


def _at_rest(hypotheses: Sequence[Hypothesis], sight: Sight) -> bool:
    zones = {zone for h in hypotheses for step in h.steps for zone in step.zones}
    return all(sight[zone].resting for zone in zones if zone in sight)


def _all_told(beam: Beam, best: Hypothesis, at: int) -> bool:
    """Nothing but this step could be done, and it takes as many cards as it may: no other card belongs to it."""
    return exact(beam, best, at) and len(open_prompts(beam.game, before(beam, best, at))) == 1


def unread_since(card: SeenCard, sight: Sight) -> float:
    """Since when a card without a name could have been read; whatever happens beside it."""
    zone = next((zone for zone in sight.values() if any(one.track == card.track for one in zone.cards)), None)
    return card.since if zone is None else max(card.since, zone.stirred + READ_AGAIN - ASK_CARD)


def _asked(found: Verdict, now: float, delay: float | None = None) -> Verdict:
    """The verdict once its doubt is to be asked about: after so long (s) that nothing has changed, as a rule by what it
    is about."""
    delay = {"card": ASK_CARD, "hidden": ASK_HIDDEN}.get(found.doubt, ASK) if delay is None else delay
    due = found.open_since + delay
    return found if now >= due else Verdict(found.best, found.taken, due=due, open_since=found.open_since)


def unexplained(beam: Beam, best: Hypothesis, sight: Sight, base: Mapping[str, Marks]) -> dict[str, float]:
    """Zones that even the likeliest hypothesis does not explain, those left out that people know to be so."""
    found = {}
    for name, cost in beam.misfits(best).items():
        zone = best.zones.get(name)
        if cost <= OUTLINE:
            continue
        if _leaves(beam, best, name, sight):
            continue  # the table is just being cleared
        if zone is not None and zone.open and cost <= 2 * ODD and len(sight[name].cards) >= len(zone.cards):
            continue  # cards are just being laid there
        if base.get(name) != marks(sight[name].cards):
            found[name] = cost
    return found


def _contradicted(beam: Beam, best: Hypothesis, base: Mapping[str, Marks]) -> bool:
    """What lay, before a hand came, where it is now, speaks against the likeliest hypothesis."""
    covered = beam.misfits(best, moving=True)
    return sum(cost for name, cost in covered.items() if name not in base) >= ODD


def _leaves(beam: Beam, hypothesis: Hypothesis, name: str, sight: Sight) -> bool:
    """Cards are missing from a zone, and nothing else, and after one step at most the game waits for nothing but that
    it is cleared."""
    zone, seen = hypothesis.zones.get(name), sight.get(name)
    if zone is None or seen is None or len(hypothesis.steps) > 1:
        return False
    if seen.bare > beam.lain.began and any(card.since > seen.bare for card in seen.cards):
        return False  # it was cleared before these came
    lying = Counter(card.face or UNKNOWN for card in seen.cards if card.side is Side.UP)
    backs = sum(card.side is Side.DOWN for card in seen.cards)
    if lying - Counter(zone.cards) or backs > zone.down:
        return False
    prompts = beam.game.prompts(hypothesis.state)
    for prompt in prompts if all(prompt.slot is None for prompt in prompts) else ():
        if not prompt.choices:
            after = beam.game.expected_table(beam.game.apply(hypothesis.state, Action(prompt.kind, prompt.seat)))
            then = next((one for one in after if one.id == name), Zone(name))
            if len(then.cards) < len(zone.cards) and not Counter(then.cards) - lying:
                return True
    return False


def _as_it_lay(beam: Beam, hypothesis: Hypothesis) -> float:
    """What a hypothesis costs with what lay, before a hand came, where it is now."""
    return hypothesis.total + sum(beam.misfits(hypothesis, moving=True).values())


def _about_a_card(step: Step, others: Sequence[Hypothesis], named: Collection[int]) -> bool:
    """The rivals only read one card otherwise that people have not `named`."""
    mine = {card.track: face for card, face in step.guesses if card.track not in named}
    theirs = ([(card.track, face) for s in h.steps for card, face in s.guesses] for h in others if h.steps)
    return bool(mine) and all(any(mine.get(track, face) != face for track, face in guesses) for guesses in theirs)


def _choices(best: Hypothesis, others: Sequence[Hypothesis], at: int, first: Step) -> tuple[Step, ...]:
    """The first steps in which the hypotheses part."""
    found: dict[object, Step] = {
        content(action): replace(first, filled=replace(first.filled, action=action)) for action in first.alike
    } or {content(first.action): first}
    agreed = [content(step.action) for step in best.steps[:at]]
    for rival in others:
        step = next((s for s in rival.steps if content(s.action) not in agreed), None)
        if step is not None:
            found.setdefault(content(step.action), step)
    return tuple(found.values())


def tentative(verdict: Verdict) -> tuple[Action, ...]:
    """What probably happens just now."""
    probable = verdict.best.steps[len(verdict.taken) :]
    return tuple(step.action for step in probable if not step.foul and not step.filled.hidden)


def piles(beam: Beam | None) -> set[str]:
    """The places where cards lie on each other as the likeliest hypothesis has it."""
    best = ranked(beam.hypotheses)[0] if beam is not None and beam.hypotheses else None
    return {name for name, zone in best.zones.items() if zone.pile} if best is not None else set()


def only_taps(game: Game[Any], found: Verdict, odd: Mapping[str, float]) -> tuple[Prompt, ...]:
    """What is open, when no card can tell any of it."""
    prompts = open_prompts(game, found.best.state)
    blind = all(p.slot is None and p.skipped is None for p in prompts)
    return prompts if prompts and blind and sum(odd.values()) < ODD else ()
