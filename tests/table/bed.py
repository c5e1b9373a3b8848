"""A test bed: whole games of bots, shown to the observer look by look as a tracker would see them, with troubles.

The cards that really lie there are known all the time, so every action that is written can be held against what was
done. People at this table tap what leaves no trace, answer what they are asked, and put right what is wrong.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any

from companion.games import UNKNOWN, Action, Game, Setup, Verdict, Zone, game
from companion.referee import Acted, Match, Started
from companion.referee.simulate import Step, play, table_setup
from companion.table import Observation, Observer, Question
from tests.table.bed_cards import Table, Trouble, claim

LATE = 15.0
CAMERA_LATE = 8.0
"""After so many seconds people tap themselves what the camera has not told."""


@dataclass
class Tally:
    """What became of the actions of some games. `seen`: actions that cards alone can tell; `right`: those told by the
    camera without a question; `missed`: tapped by people because the camera did not tell them; `wrong`: told, but not
    done, until people took them back; `mended`: wrong, and corrected by the camera itself; `questions`: asked where
    no spoken choice had to be told; `spoken`: asked because only people can know; `taps`: actions without a trace."""

    actions: int = 0
    seen: int = 0
    right: int = 0
    missed: int = 0
    wrong: int = 0
    mended: int = 0
    questions: int = 0
    spoken: int = 0
    taps: int = 0
    looks: int = 0
    longest: float = 0.0
    total_ms: float = 0.0
    notes: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for entry in fields(self):
            mine, more = getattr(self, entry.name), getattr(other, entry.name)
            setattr(self, entry.name, max(mine, more) if entry.name == "longest" else mine + more)


def content(action: Action) -> tuple[Any, ...]:
    return action.kind, action.seat, tuple(sorted(action.cards)), action.args


def told_by_backs(action: Action, after: Mapping[str, Zone]) -> bool:
    """The cards laid face down lie where each can be seen."""
    return any(zone.down and not zone.pile for zone in after.values()) and action.kind != "draw"


class Follower:
    """One game played at one table under one camera, with people who tap what only they know."""

    def __init__(self, name: str, seed: str, trouble: Trouble, *, players: int | None = None, limit: int = 90,
                 bot: str = "simple") -> None:  # fmt: skip
        self.rules: Game[Any] = game(name)
        self.setup: Setup = table_setup(self.rules, players)
        self.chance = random.Random(f"{name}/{seed}")
        self.match = Match.of([Started(name, self.setup)])
        start = self.rules.expected_table(self.match.state)
        zones = [zone.id for zone in start if zone.id.partition(":")[0] not in trouble.blind]
        self.sight = zones
        self.table = Table(zones, self.chance, trouble, self.match.deck.codes)
        self.trouble, self.tally = trouble, Tally()
        self.observer = Observer(self.table.layout)
        self.now, self.limit, self.bot = 0.0, limit, bot
        self.done: list[Action] = []
        self.telling: set[int] = set()
        self.plain: set[int] = set()
        self.asked: set[str] = set()
        self.rushed = False
        self.since: dict[int, float] = {}
        self.hands: list[tuple[str, float]] = []
        self.last = Observation()
        self.touched: Counter[Any] = Counter()

    # --- playing ---------------------------------------------------------------------------------------------------

    def run(self) -> Tally:
        self.table.become(self._zones(self.match.state), self.now)
        self.watch(2.0)
        for step in play(self.rules, self.setup, random.Random(str(self.chance.random())), self.bot, self.limit):
            self.take(step)
        self.watch(12.0)
        self.settle()
        return self.tally

    def take(self, step: Step) -> None:
        """Somebody acts."""
        self.tally.actions += 1
        if self.rushed and not step.action.cards:
            self.watch(2.0)  # nobody clears the table before he has looked
        self.rushed = False
        before, after = self._zones(step.before), self._zones(step.after)
        told = claim(list(before.values()), self.sight) != claim(list(after.values()), self.sight)
        self.since[len(self.done)] = self.now
        self.done.append(step.action)
        if not told:
            self.tally.taps += 1
            self.tap(step.action)
            return
        spoken = self.ambiguous(step)
        self.tally.seen += not spoken
        (self.telling if spoken else self.plain).add(len(self.done) - 1)
        if spoken and UNKNOWN in step.action.cards and not told_by_backs(step.action, after):
            self.table.become(after, self.now)
            self.tap(step.action)
            return
        for zones in self.stages(before, step.action, after):
            changed = self.table.become(zones, self.now)
            if zones is not after:
                self.watch(self.trouble.pause)
            elif self.chance.random() < self.trouble.hand:
                # For a moment where somebody acted, or for long where nobody did.
                quiet = [zone for zone in self.sight if zone not in changed]
                if self.chance.random() < 0.5 or not quiet:
                    self.hands += [(zone, self.now + self.chance.uniform(0.5, 2.5)) for zone in changed[:1]]
                else:
                    self.hands.append((self.chance.choice(quiet), self.now + self.chance.uniform(2.0, 8.0)))
        if self.chance.random() >= self.trouble.rush:
            self.watch(self.chance.uniform(2.0, 6.0))
        else:
            self.rushed = True
            self.now += 0.4

    def stages(self, before: dict[str, Zone], action: Action, after: dict[str, Zone]) -> list[dict[str, Zone]]:
        """The table while an action is done: cards that the game moves on lie first where they were played; several
        cards come one by one."""
        found: list[dict[str, Zone]] = []
        own = Counter(action.cards)
        emptied = [z for z in before if before[z].cards and not after.get(z, Zone(z)).cards]
        if action.cards and len(emptied) > 1 and action.kind == "reveal":
            zone = before[f"play:{action.seat}"]
            found.append(before | {zone.id: replace(zone, cards=zone.cards + action.cards, down=max(0, zone.down - 1))})
        if len(action.cards) > 1 and self.chance.random() < self.trouble.piecemeal:
            for name in after:
                new = Counter(after[name].cards) - Counter(before.get(name, Zone(name)).cards)
                if sum((new & own).values()) > 1:
                    fresh = [c for c in after[name].cards if new[c] > 0 and not new.subtract([c])]
                    for n in range(1, len(fresh)):
                        base = before.get(name, Zone(name))
                        found.append(before | {name: replace(base, cards=base.cards + tuple(fresh[:n]))})
        return [*found, after]

    def ambiguous(self, step: Step) -> bool:
        """Another legal action would look just the same: only people can say which it was."""
        rules, shown = self.rules, claim(self.rules.expected_table(step.after), self.sight)
        for prompt in rules.prompts(step.before):
            slot = prompt.slot
            if slot is not None and (prompt.kind, prompt.seat) == (step.action.kind, step.action.seat):
                hidden = slot.target not in self.sight and slot.least < slot.most
                if hidden and UNKNOWN in step.action.cards:
                    return True  # so many as nobody sees
            ways: list[tuple[str, ...]] = [()] if slot is None else [step.action.cards]
            if slot is not None and slot.side != "up" and (slot.target not in self.sight or slot.target == "discard"):
                ways = [(UNKNOWN,) * n for n in range(slot.least, min(slot.most, 12) + 1)]
            for cards in ways:
                if slot is not None and not slot.least <= len(cards) <= slot.most:
                    continue
                for values in product(*(c.values for c in prompt.choices)):
                    other = Action.of(prompt.kind, prompt.seat, cards, **{
                        c.name: v for c, v in zip(prompt.choices, values, strict=True)})  # fmt: skip
                    if content(other) == content(step.action):
                        continue
                    if any(v.verdict is Verdict.FOUL for v in rules.check(step.before, other)):
                        continue
                    state = rules.apply(step.before, other)
                    if (
                        state not in (step.after, step.before)
                        and claim(rules.expected_table(state), self.sight) == shown
                    ):
                        return True
        return False

    def _zones(self, state: Any) -> dict[str, Zone]:
        return {zone.id: zone for zone in self.rules.expected_table(state)}

    # --- watching --------------------------------------------------------------------------------------------------

    def watch(self, seconds: float) -> None:
        """Let time pass: look at once when it moves, when it rests, and when the observer wants to."""
        end = self.now + seconds
        self.look(moving=True)
        self.now += 0.5
        while self.now <= end:
            self.table.disturb(self.now)
            self.look()
            self.answer()
            self.notice()
            due = self.last.due
            self.now = max(self.now + 0.1, min(due if due is not None else end + 1, self.now + 1.5))
        self.now = max(self.now, end)

    def notice(self) -> None:
        """People see that the page does not go on, and put it right."""
        if any(self.now - self.since[n] > LATE for n in self.absent()):
            self.settle()

    def look(self, *, moving: bool = False) -> None:
        self.hands = [(zone, until) for zone, until in self.hands if until > self.now]
        seen = self.table.seen(self.now, [zone for zone, _ in self.hands])
        began = time.process_time()
        self.last = found = self.observer.look(self.match, seen)
        spent = 1000 * (time.process_time() - began)
        self.tally.looks += 1
        self.tally.total_ms += spent
        self.tally.longest = max(self.tally.longest, spent)
        for proposal in found.proposals:
            self.write(Acted(proposal.action, "camera"))
        for correction in getattr(found, "corrections", ()):
            wrong = self.match.entries[correction.seq - 1].action
            self.tally.mended += 1
            self.note("mended", wrong, correction.action)
            self.match = self.match.then(correction.event)
        if found.proposals or getattr(found, "corrections", ()):
            self.look()

    def write(self, event: Acted) -> None:
        self.match = self.match.then(event)

    def note(self, *what: Any) -> None:
        self.tally.notes.append(f"t={self.now:.1f} #{len(self.done)} " + " ".join(map(str, what)))

    # --- people ----------------------------------------------------------------------------------------------------

    def absent(self) -> list[int]:
        """Which of the actions done the match does not know."""
        known = Counter(content(a) for a in self.match.actions)
        known.update(content(a) for entry in self.match.entries if entry.standing for a in entry.implied)
        left = []
        for n, action in enumerate(self.done):
            if known[content(action)] > 0:
                known[content(action)] -= 1
            else:
                left.append(n)
        return left

    def missing(self) -> list[Action]:
        """The same, as actions."""
        return [self.done[n] for n in self.absent()]

    def tap(self, action: Action) -> None:
        """Tap what leaves no trace, as soon as the page offers it."""
        end = self.now + CAMERA_LATE
        while self.missing() and self.now < end:
            if content(self.missing()[0]) == content(action):
                self.write(Acted(action, "tap"))
                self.watch(1.0)
                return
            self.watch(1.0)
        self.settle()

    def settle(self) -> None:
        """People put the record right: what was not done goes, what the camera has not told is tapped."""
        done = Counter(content(a) for a in self.done)
        wrong = []
        for entry in self.match.entries:
            if entry.action is None or not entry.standing:
                continue
            if done[content(entry.action)] > 0:
                done[content(entry.action)] -= 1
            else:
                wrong.append(entry.action)
        for action in wrong:
            self.tally.wrong += 1
            self.note("WRONG", action)
        absent = self.absent()
        for n in absent:
            if n in self.plain:
                self.tally.missed += 1
                self.note("missed", self.done[n])
                self.explain()
        if wrong or absent:
            start = Started(self.rules.id, self.setup)
            self.match = Match.of([start, *(Acted(action, "tap") for action in self.done)])
        self.look()

    def explain(self) -> None:
        """Note what the observer thinks; overridden where somebody wants to read it."""

    def answer(self) -> None:
        """Answer what has been open for a look."""
        for question in self.last.questions:
            if question.key not in self.asked:
                self.asked.add(question.key)
                self._count(question)
                continue
            if self._reply(question):
                self.observer.answered(question.key, len(self.match.entries))
            else:
                self.observer.dismiss(question.key)

    def _count(self, question: Question) -> None:
        waiting = [content(a) for n, a in enumerate(self.done) if n in self.telling]
        if question.kind == "several" and any(content(c) in waiting for c in question.choices):
            self.tally.spoken += 1
        else:
            self.tally.questions += 1
            self.note("asked", question.kind, question.zone, question.cards, [content(c) for c in question.choices])

    def _reply(self, question: Question) -> bool:
        """Tell the truth; True where it is one of the answers that the question offers."""
        if question.kind == "card":
            self._name(question.track)
        elif question.kind == "unexplained":
            for card in question.odd:
                self._name(card.track)
        else:
            left: dict[Any, Any] = {}
            for action in self.missing():
                left.setdefault((action.kind, action.seat), content(action))
            for choice in question.choices:
                if content(choice) in left.values():
                    self.write(Acted(choice, "tap"))
                    return True
        return False

    def _name(self, track: int | None) -> None:
        card = self.table.find(track) or self.table.gone.get(track or -1)
        if card is None or track is None:
            return
        if hasattr(self.observer, "name"):
            self.observer.name(track, card.face)
        if card.phantom:
            self.table.drop(card)
        card.shown = None


def follow(name: str, seeds: Sequence[str], trouble: Trouble, **more: Any) -> Tally:
    """Several games, added up."""
    total = Tally()
    for seed in seeds:
        follower = Follower(name, seed, trouble, **more)
        tally = follower.run()
        tally.right = tally.seen - tally.missed
        tally.notes = [f"{name}/{seed} {note}" for note in tally.notes]
        total.add(tally)
    return total
