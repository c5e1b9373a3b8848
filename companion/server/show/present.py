"""A match as the page gets it: the game's declarative `View` with every text already in the reader's language.

The page knows no game. Everything it draws (players, zones, prompts with slots, rulings, scores, the line of events)
comes from here as plain JSON, and nothing here looks at which game it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.games import (
    Action,
    Choice,
    Msg,
    Prompt,
    ScoreLine,
    Slot,
    Verdict,
    View,
    Violation,
    ZoneView,
)
from companion.games.implied import open_prompts
from companion.referee import Acted, Change, Corrected, Entry, Finished, Match, Overruled, Started, TookBack
from companion.server.access import Access
from companion.server.show.mask import Mask, may_revise
from companion.server.show.rulebook import OF_THE_DECK, deck_link, rule_link
from companion.server.show.texts import Context, Texts
from companion.server.show.zones import rooms, zone_names

FEW = 6
"""So many values of a choice can stand on a button."""

SHOWN_PENDING = 20
"""So many waiting fouls travel with a picture, the oldest first: they are decided one by one."""

NOTHING = frozenset({"none", "no_pair", "no-hand", "stack-empty"})
"""Notes that say that a hand is worth nothing: no badge of gold."""

RECENT = 24
"""Entries of the line of events that travel with every picture; the page asks for older ones."""


@dataclass(frozen=True)
class Presenter:
    """Draws one match for one reader. What every sentence needs is worked out once."""

    texts: Texts
    match: Match
    lang: str
    access: Access

    @cached_property
    def context(self) -> Context:
        """Names, deck, game and places for the sentences."""
        zones = zone_names(self.match) | {zone.id: zone.label for zone in self.view.zones}
        return Context(self.match.setup.players, self.match.deck, self.game, zones)

    @cached_property
    def view(self) -> View:
        """What this reader may see."""
        return self.match.view(self.access.role)

    @cached_property
    def mask(self) -> Mask:
        """What this reader may not know: no text and no picture of his tells it."""
        return Mask.of(self.match, self.view)

    @property
    def game(self) -> str:
        """The game's id."""
        return self.match.game.id

    def table(self, table_id: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The whole picture of a table. `rows`: the newest entries, as `entry` draws them."""
        view = self.view
        text = self.text
        return {
            "id": table_id,
            "seq": len(self.match.entries),
            "lang": self.lang,
            "role": {"name": self.access.role.name, "seat": self.access.role.seat, "acts": self.access.acts},
            "game": {"id": self.game, "name": text(f"game.{self.game}.name")},
            "deck": self.match.deck.name,
            "phase": text("ui.over") if self.match.finished else text(view.phase),
            "over": view.over,
            "awaits": self._awaits(view.prompts),
            "players": [self._player(p) for p in view.players],
            "zones": [self._zone(zone, room) for zone, room in rooms(self.match, view)],
            "prompts": self.prompts(self.open_to_reader(view.prompts)),
            "targets": sorted({p.slot.target for p in view.prompts if p.slot and p.slot.target}),
            "results": [text(r) for r in view.results],
            "winners": list(self.match.winners()) if view.over else [],
            "scores": self._scores(),
            "pending": [self._pending(e) for e in self.match.pending[:SHOWN_PENDING]],
            "entries": list(rows),
            "changes": [{"seq": c.seq, "text": self._change(c)} for c in self.match.changes],
        }

    def text(self, msg: Any, **params: Any) -> str:
        return self.texts.text(msg, self.lang, self.context, **params)

    def _who(self, seat: int | None) -> str:
        return self.texts.player(seat, self.lang, self.context)

    # --- players, zones --------------------------------------------------------------------------------------------

    def _player(self, player: Any) -> dict[str, Any]:
        hand = player.hand
        return {
            "seat": player.seat,
            "name": player.name,
            "score": player.score,
            "counters": [{"label": self.text(label), "value": value} for label, value in player.counters],
            "hand": {"known": list(hand.known), "unknown": hand.unknown} if hand else None,
            "status": self.text(player.status) if player.status else "",
            "active": player.active and not self.view.over,
        }

    def _zone(self, zone: ZoneView, room: int) -> dict[str, Any]:
        return {
            "id": zone.id,
            "label": self.text(zone.label),
            "own": self._part(zone.label, "own") or self.text(zone.label),
            "heading": self._part(zone.label, "heading"),
            "seat": zone.seat,
            "kind": zone.kind,
            "room": room,
            "note": self.text(zone.note) if zone.note else "",
            "plain": zone.note is not None and zone.note.key.rpartition(".")[2] in NOTHING,
            "cards": [{"face": c.face, "side": c.side, "marks": list(c.marks)} for c in zone.cards],
        }

    def _part(self, label: Msg, part: str) -> str:
        """A part of a label that its game words on its own: the place's name without its owner, or its group's."""
        key = f"{label.key}.{part}"
        return self.text(replace(label, key=key)) if self.texts.has(key, self.lang) else ""

    # --- prompts ---------------------------------------------------------------------------------------------------

    def label(self, prompt: Prompt) -> str:
        return self.texts.prompt(prompt, self.lang, self.context)

    def _awaits(self, prompts: Sequence[Prompt]) -> list[dict[str, Any]]:
        """What the table waits for: one line an action, with everybody who may do it."""
        waiting: dict[str, list[int | None]] = {}
        for prompt in prompts:
            seats = waiting.setdefault(self.label(prompt), [])
            if prompt.seat not in seats:
                seats.append(prompt.seat)
        return [
            {
                "text": label,
                "who": [self._who(s) for s in seats if s is not None],
                "seats": [s for s in seats if s is not None],
            }
            for label, seats in waiting.items()
        ]

    def open_to_reader(self, prompts: Sequence[Prompt]) -> Sequence[Prompt]:
        """The actions that this reader may do: a seat acts for itself and for the table."""
        seat, name = self.access.role.seat, self.access.role.name
        if name == "seat":
            return [prompt for prompt in prompts if prompt.seat in (None, seat)]
        return prompts if self.access.keeps else []

    def prompts(self, prompts: Sequence[Prompt]) -> list[dict[str, Any]]:
        """All open actions; those of one player with the same label get a `detail` that tells them apart."""
        shown = [self.prompt(prompt, i) for i, prompt in enumerate(prompts)]
        labels = Counter((p["seat"], p["label"]) for p in shown)
        for prompt, item in zip(prompts, shown, strict=True):
            if labels[item["seat"], item["label"]] > 1:
                item["detail"] = self._detail(prompt)
        return shown

    def _detail(self, prompt: Prompt) -> str:
        """What sets a prompt apart from its namesakes: its only choice, where its cards come from, how many."""
        fixed = [c for c in prompt.choices if len(c.values) == 1]
        parts = [self.texts.choice(self.game, c.name, c.values[0], self.lang, self.context) for c in fixed]
        for choice in prompt.choices if not parts else ():
            if len(choice.values) <= FEW:
                shown = [self.texts.choice(self.game, choice.name, v, self.lang, self.context) for v in choice.values]
                parts.append(" / ".join(shown))
        slot = prompt.slot
        own = slot is not None and slot.source == f"hand:{prompt.seat}"
        if slot is not None and slot.source and not own and not parts:
            parts.append(self.texts.zone(slot.source, self.lang, self.context))
        if slot is not None and slot.faces is not None and len(slot.faces) == slot.least and not parts:
            parts.append(self.texts.cards(slot.faces, self.lang, self.context))
        return self.text("ui.list-comma").join(parts)

    def prompt(self, prompt: Prompt, number: int) -> dict[str, Any]:
        """An open action, with what the picker needs to offer cards and choices."""
        return {
            "id": f"{prompt.kind}:{prompt.seat}:{number}",
            "kind": prompt.kind,
            "seat": prompt.seat,
            "who": self._who(prompt.seat) if prompt.seat is not None else "",
            "label": self.label(prompt),
            "detail": "",
            "slot": self._slot(prompt.slot) if prompt.slot else None,
            "choices": [self._choice(c) for c in prompt.choices],
        }

    def _slot(self, slot: Slot) -> dict[str, Any]:
        return {
            "least": slot.least,
            "most": slot.most,
            "side": slot.side,
            "ordered": slot.ordered,
            "source": slot.source,
            "target": slot.target,
            "faces": dict(Counter(slot.faces)) if slot.faces is not None else None,
            "used": self._used(slot) if slot.faces is None else {},
        }

    def _used(self, slot: Slot) -> dict[str, int]:
        """Copies of each face that lie elsewhere, as far as this reader may know, and so cannot be put forward."""
        places = self.match.game.whereabouts(self.match.state)
        lying = (face for zone in places if zone.id != slot.source for face in zone.cards)
        return dict(Counter(face for face in lying if face not in self.mask.hidden))

    def _choice(self, choice: Choice) -> dict[str, Any]:
        keys = (f"choice.{self.game}.{choice.name}", f"choice.{choice.name}")
        label = next((self.texts.text(k, self.lang) for k in keys if self.texts.has(k, self.lang)), "")
        values = [
            {
                "value": list(value) if isinstance(value, tuple) else value,
                "text": self.texts.choice(self.game, choice.name, value, self.lang, self.context),
                "cards": self._cards_of(value),
            }
            for value in choice.values
        ]
        return {"name": choice.name, "label": label, "values": values}

    def _cards_of(self, value: Any) -> list[str]:
        faces = list(value) if isinstance(value, tuple) else [value] if isinstance(value, str) else []
        return faces if faces and all(face in self.match.deck for face in faces) else []

    # --- rulings, events, scores -----------------------------------------------------------------------------------

    def _ruling_text(self, ruling: Any) -> str:
        return self.texts.ruling(self.mask.ruling(ruling), self.lang, self.context)

    def violation(self, told: Violation) -> dict[str, Any]:
        violation = self.mask.violation(told)
        clause = self.texts.clause(violation.clause, self.lang) if violation.clause else ""
        rule = rule_link(self.match.game, self.match.setup, violation.clause)
        if not clause and violation.code in OF_THE_DECK:
            clause, rule = self.texts.deck_kind(self.match.deck.name, self.lang), deck_link(self.match.deck.name)
        return {
            "code": violation.code,
            "text": self.texts.violation(violation, self.lang, self.context),
            "clause": clause,
            "rule": rule,
            "cards": list(violation.cards),
            "verdict": str(violation.verdict),
        }

    def _pending(self, entry: Entry) -> dict[str, Any]:
        return self.entry(entry, "")

    def entry(self, entry: Entry, at: str) -> dict[str, Any]:
        """One line of the story: what happened, what the referee said, whether it stands."""
        event, ruling = entry.event, entry.ruling
        action = self.mask.action(entry.action) if entry.action else None
        hidden = entry.action != action
        return {
            "seq": entry.seq,
            "at": at,
            "kind": type(event).__name__.lower(),
            "of": getattr(event, "seq", None),
            "text": self._event_text(entry),
            "seat": action.seat if action else None,
            "cards": list(action.cards) if action else [],
            "source": event.source if isinstance(event, Acted) else "",
            "evidence": event.evidence if isinstance(event, Acted) and not hidden else None,
            "verdict": str(entry.verdict) if entry.verdict else "",
            "violations": self._reasons(entry),
            "proven": [self.violation(v) for v in ruling.proven] if ruling else [],
            "standing": entry.standing,
            "pending": entry.pending,
            "correctable": (entry.standing or entry.pending) and self.may_correct(entry),
            "revocable": may_revise(entry, self.access),
        }

    def _event_text(self, entry: Entry) -> str:
        match entry.event:
            case Started(game=game):
                return self.text(
                    "ui.entry.started",
                    game=self.text(f"game.{game}.name"),
                    deck=self.texts.deck(self.match.deck.name, self.lang),
                )
            case Acted(action=action):
                return self._told(entry, self.action_text(entry.action or action))
            case TookBack(seq=seq):
                return self.text("ui.entry.took-back", n=seq)
            case Overruled(seq=seq):
                return self.text("ui.entry.overruled", n=seq)
            case Finished():
                return self.text("evening.finished")
            case Corrected(seq=seq, action=action, source=source):
                key = "camera.corrected" if source == "camera" else "ui.entry.corrected"
                return self.text(key, n=seq, what=self.action_text(action))

    def _reasons(self, entry: Entry) -> list[dict[str, Any]]:
        """What is wrong with an action; a doubt that has been settled is a foul now, or is no reason any more."""
        violations = entry.ruling.violations if entry.ruling else ()
        if entry.settled is None:
            return [self.violation(v) for v in violations]
        foul = entry.settled.verdict is Verdict.FOUL
        return [self.violation(replace(v, verdict=Verdict.FOUL)) for v in violations] if foul else []

    def _told(self, entry: Entry, text: str) -> str:
        """An action with what it left out, and what its doubt has become."""
        if entry.implied:
            text = self._implied(text, entry.implied)
        if entry.settled is not None:
            text = self.text(f"verdict.settled-{entry.settled.verdict}", what=text, n=entry.settled.seq)
        return text

    def _change(self, change: Change) -> str:
        """How an entry is judged now, and what its action takes as done now."""
        text = self._ruling_text(change.after)
        return text if change.implied is None else self._implied(text, change.implied)

    def _implied(self, text: str, implied: Sequence[Action]) -> str:
        steps = [self._left_out(action) for action in implied]
        said = self.text("ui.list-comma").join(steps) or self.text("verdict.nothing-implied")
        return self.text("verdict.implied", what=text, steps=said)

    def _left_out(self, action: Action) -> str:
        seat = -1 if action.seat is None else action.seat
        return self.text(f"implied.{self.game}.{action.kind}", player=seat, n=len(action.cards))

    def action_text(self, told: Action) -> str:
        """Who did what: ``Anna: Lay three cards: A♠ K♠ Q♠``."""
        action = self.mask.action(told)
        line = self.texts.action(action, self.game, self.lang, self.context)
        return line if action.seat is None else self._who(action.seat) + self.text("ui.colon") + line

    def may_correct(self, entry: Entry) -> bool:
        """May this reader see the action of an entry as it was written, to correct it?"""
        action = entry.action
        return action is not None and self.mask.action(action) == action and may_revise(entry, self.access)

    def past_prompts(self, entry: Entry) -> list[dict[str, Any]]:
        """The prompts an entry answered, for its correction: those that were open just before it."""
        action = entry.action
        before = self.match.entries[entry.seq - 2].state
        prompts = open_prompts(self.match.game, before)
        same = [p for p in prompts if action and p.kind == action.kind and p.seat == action.seat]
        loose = Prompt(action.kind, action.seat, Slot(0, max(1, len(action.cards)))) if action else None
        return [self.prompt(p, i) for i, p in enumerate(same or ([loose] if loose and action and action.cards else []))]

    def _scores(self) -> list[dict[str, Any]]:
        return [
            {"seat": line.seat, "points": line.points, "text": self.text(line.reason), "cards": list(line.cards)}
            for line in self.score_lines()
        ]

    def score_lines(self) -> list[ScoreLine]:
        """The score sheet, as far as this reader may know its cards."""
        return [self.mask.score(line) for line in self.match.scores()]
