"""The one idea: the action whose expected table is the seen one is what happened; all else is a question.

`observe` looks once, without memory. An `Observer` remembers what it proposed, so that an action that was taken back,
corrected or dismissed is not proposed again while the same cards lie there: people win over the camera.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games import Action, Game, Msg, Zone
from companion.games.implied import judged, open_prompts
from companion.referee import Acted, Match
from companion.table.compare import Difference, difference, newcomers, up
from companion.table.explain import Placed, Proposal, arrivals, explain
from companion.table.layout import Layout
from companion.vision.types import Candidate, SeenCard, SeenTable, Side

MOST_ACTIONS = 24
"""So many actions are taken from one look at most: a full round of laying, with room to spare."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only people can decide.

    `kind`: "card" (a card that could not be read: name it), "several" (which of `choices` was it?), "foul" (did
    `choices[0]` really happen?), "unexplained" (these cards fit no action). `key` stays the same while the same
    cards lie there. `track`, `candidates` and `crop` belong to the card asked about.
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


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look at the table means: actions that surely happened (in order), questions, and where table and
    game still differ when those actions are done."""

    proposals: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()
    differences: tuple[Difference, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions alone."""
        return tuple(p.action for p in self.proposals)

    @property
    def evidence(self) -> tuple[tuple[str, ...], ...]:
        """For each action the keys of the pictures it was read from."""
        return tuple(p.evidence for p in self.proposals)


def observe(
    game: Game[Any],
    state: Any,
    seen: SeenTable,
    layout: Layout,
    *,
    admit: Callable[[Proposal], bool] = lambda _: True,
    sight: Collection[str] | None = None,
) -> Observation:
    """Compare the seen table with what `game` expects in `state`.

    Actions are taken one after the other, each on the state the one before leaves, as long as exactly one legal
    action explains what is seen in its zones. `admit` may refuse a proposal. `sight`: zones of the layout that the
    players use on this table; others count when cards lie there (default: all). A table that is not settled means
    nothing yet.
    """
    if not seen.settled:
        return Observation()
    placed = _in_sight(game, state, layout.for_table(seen.unit, seen.size).place(seen.cards), sight)
    taken: list[Proposal] = []
    asked: list[Question] = []
    while len(taken) < MOST_ACTIONS:
        asked = []
        found = [p for p in explain(game, state, placed) if admit(p)]
        step = _decide(found, placed, asked)
        if step is None:
            break
        taken.append(step)
        _, there, _ = judged(game, state, step.action)
        state = game.apply(there, step.action)
    expected = {zone.id: zone for zone in game.expected_table(state)}
    asked += _unread(game, state, expected, placed, {q.zone for q in asked})
    asked += _unexplained(game, state, expected, placed, {q.zone for q in asked})
    return Observation(tuple(taken), tuple(asked), _differences(expected, placed))


def _in_sight(game: Game[Any], state: Any, placed: Placed, sight: Collection[str] | None) -> Placed:
    """The zones to compare. Where face-down cards should lie and nothing does, people hold them in their hands."""
    held = {zone.id for zone in game.expected_table(state) if zone.down}
    return {
        zone: cards
        for zone, cards in placed.items()
        if cards or (zone not in held and (sight is None or zone in sight))
    }


def _decide(found: Sequence[Proposal], placed: Placed, asked: list[Question]) -> Proposal | None:
    """The first proposal that nothing else rivals; rivals and fouls become questions in `asked`."""
    done: set[str] = set()
    for proposal in found:
        if done & set(proposal.zones):
            continue
        rivals = [p for p in found if p.foul == proposal.foul and set(p.zones) & set(proposal.zones)]
        # What accounts for more of the table is the better explanation.
        rivals = [p for p in rivals if p.left == min(rival.left for rival in rivals)]
        if len(rivals) == 1 and not proposal.foul:
            return rivals[0]
        done |= {zone for p in rivals for zone in p.zones}
        asked.append(_choose("foul" if proposal.foul else "several", rivals, placed))
    return None


def _choose(kind: str, rivals: Sequence[Proposal], placed: Placed) -> Question:
    first = rivals[0]
    zone = next((z for z in first.zones if set(first.cards) & set(placed[z])), first.zones[0])
    faces = tuple(card.face for card in first.cards)
    key = _key(kind, zone, first.cards or placed[zone])
    text = Msg.of(f"question.{kind}", zone=zone, cards=_named(faces), n=len(rivals))
    return Question(key, kind, zone, faces, text, tuple(p.action for p in rivals), evidence=first.evidence)


def _unread(
    game: Game[Any], state: Any, expected: dict[str, Zone], placed: Placed, settled: set[str]
) -> list[Question]:
    """Cards that could not be named, where naming them would complete what a prompt waits for."""
    questions: dict[int, Question] = {}
    for prompt in open_prompts(game, state):
        slot = prompt.slot
        new = arrivals(prompt, expected, placed)
        if slot is None or slot.target is None or slot.target in settled or slot.side == "down":
            continue
        if not slot.least <= len(new) <= slot.most:
            continue
        for card in new:
            if card.face is None and card.side is Side.UP:
                text = Msg.of("question.card", zone=slot.target)
                key = _key("card", slot.target, [card])
                questions[card.track] = Question(
                    key, "card", slot.target, (None,), text, track=card.track, candidates=card.candidates,
                    crop=card.crop, evidence=(card.crop,) if card.crop else (),
                )  # fmt: skip
    return list(questions.values())


def _unexplained(
    game: Game[Any], state: Any, expected: dict[str, Zone], placed: Placed, settled: set[str]
) -> list[Question]:
    """Cards that lie where nobody has anything to do with them, or more than anybody may lay.

    A zone that holds as many cards as it should is left alone: a misread that people have put right.
    """
    room = _room(game, state)
    questions = []
    for zone_id, seen in placed.items():
        zone = expected.get(zone_id)
        if zone is None or zone_id in settled:
            continue
        new = newcomers(zone, seen, Side.UP)
        spare = len(up(seen)) - len(zone.cards)
        if not new or (not zone.pile and spare <= 0) or len(new) <= room.get(zone_id, 0):
            continue
        faces = tuple(card.face for card in new)
        text = Msg.of("question.unexplained", zone=zone_id, cards=_named(faces), n=len(new))
        evidence = tuple(card.crop for card in new if card.crop)
        questions.append(
            Question(_key("unexplained", zone_id, new), "unexplained", zone_id, faces, text, evidence=evidence)
        )
    return questions


def _room(game: Game[Any], state: Any) -> dict[str, int]:
    """How many cards each zone may yet receive in one action."""
    room: dict[str, int] = {}
    for prompt in open_prompts(game, state):
        if prompt.slot is not None and prompt.slot.target is not None and prompt.slot.side != "down":
            room[prompt.slot.target] = max(room.get(prompt.slot.target, 0), prompt.slot.most)
    return room


def _differences(expected: dict[str, Zone], placed: Placed) -> tuple[Difference, ...]:
    """Zones that do not look as expected; in an open one only missing cards count."""
    found = []
    for zone_id, zone in expected.items():
        if zone_id in placed:
            wrong = difference(zone, placed[zone_id])
            if zone.open:
                wrong = Difference(zone_id, wrong.missing, down=min(0, wrong.down))
            if wrong:
                found.append(wrong)
    return tuple(found)


def _key(kind: str, zone: str, cards: Sequence[SeenCard]) -> str:
    return "/".join([kind, zone, *sorted(f"{card.track}={card.face or '?'}" for card in cards)])


def _named(faces: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(face or "?" for face in faces)


Content = tuple[str, int | None, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Spent:
    """A proposal that was made, with the cards that lay in its zones then. `since`: entries of the match before."""

    content: Content
    zones: tuple[str, ...]
    tracks: frozenset[int]
    faces: tuple[str, ...]
    since: int

    @classmethod
    def of(cls, proposal: Proposal, placed: Placed, since: int) -> _Spent:
        return cls(_content(proposal.action), proposal.zones, *_lying(proposal.zones, placed), since)

    def holds(self, match: Match, placed: Placed) -> bool:
        """It was written down, whatever became of it then, and the same cards still lie there."""
        written = any(
            isinstance(entry.event, Acted) and _content(entry.event.action) == self.content
            for entry in match.entries[self.since :]
        )
        tracks, faces = _lying(self.zones, placed)
        return written and (tracks == self.tracks or (bool(faces) and faces == self.faces))

    def covers(self, proposal: Proposal) -> bool:
        """`proposal` is the same thing over again."""
        kind, seat, _ = self.content
        return (kind, seat, self.zones) == (proposal.action.kind, proposal.action.seat, proposal.zones)


@dataclass(slots=True)
class Observer:
    """Looks at one match through one layout, and remembers. See the module."""

    layout: Layout
    _spent: list[_Spent] = field(default_factory=list)
    _occupied: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _before: Placed = field(default_factory=dict)
    _dismissed: set[str] = field(default_factory=set)
    _last: Observation = field(default_factory=Observation)
    _started: bool = False

    def look(self, match: Match, seen: SeenTable) -> Observation:
        """What the seen table means for `match` now. While the table moves, the questions of the last look stay."""
        if not seen.settled:
            return Observation((), self._last.questions, self._last.differences)
        placed = self.layout.for_table(seen.unit, seen.size).place(seen.cards)
        self._used |= {zone for zone, cards in placed.items() if cards}
        self._spent = [spent for spent in self._spent if spent.holds(match, placed)]
        # The table as last seen counts too: it may have been laid and cleared between two looks.
        self._note_occupied(match, self._before, placed)
        self._before = placed
        refused = _refused(match, undone=not self._started)
        self._started = True

        def admit(proposal: Proposal) -> bool:
            if _content(proposal.action) in refused:
                self._spent.append(_Spent.of(proposal, placed, 0))
            if any(spent.covers(proposal) for spent in self._spent):
                return False
            return not proposal.leaving or any(zone in self._occupied for zone in proposal.zones)

        found = observe(match.game, match.state, seen, self.layout, admit=admit, sight=self._used)
        self._spent += [_Spent.of(proposal, placed, len(match.entries)) for proposal in found.proposals]
        questions = tuple(q for q in found.questions if q.key not in self._dismissed)
        self._last = Observation(found.proposals, questions, found.differences)
        return self._last

    def dismiss(self, key: str) -> None:
        """A person waves a question away: it is not asked again while the same cards lie there."""
        self._dismissed.add(key)

    def _note_occupied(self, match: Match, *tables: Placed) -> None:
        """Remember which zones were seen with cards while the game expected cards there: only such can be seen to
        be cleared. A table that people tap, with the camera looking elsewhere, is not "cleared" all the time."""
        expected = {zone.id: zone.cards for zone in match.expected_table()}
        self._occupied = {zone: cards for zone, cards in self._occupied.items() if expected.get(zone) == cards}
        for placed in tables:
            self._occupied |= {zone: expected[zone] for zone, seen in placed.items() if seen and expected.get(zone)}


def _content(action: Action) -> Content:
    return action.kind, action.seat, tuple(sorted(action.cards))


def _refused(match: Match, *, undone: bool) -> set[Content]:
    """Actions not to be proposed now: fouls that wait for a decision and, for an observer that was not there when it
    happened, what people took back since the seat's last standing action."""
    refused = {_content(entry.action) for entry in match.pending if entry.action is not None}
    if undone:
        for entry in match.entries:
            if entry.action is None or not isinstance(entry.event, Acted):
                continue
            content = _content(entry.action)
            if entry.standing:
                refused = {r for r in refused if r[:2] != content[:2]}
            elif not entry.pending and entry.event.source == "camera" and entry.action.cards:
                refused.add(content)
    return refused


def _lying(zones: Sequence[str], placed: Placed) -> tuple[frozenset[int], tuple[str, ...]]:
    cards = [card for zone in zones for card in placed[zone]]
    faces = Counter(card.face or "?" for card in cards)
    return frozenset(card.track for card in cards), tuple(sorted(faces.elements()))
