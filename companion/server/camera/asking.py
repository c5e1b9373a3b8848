"""Questions of the camera as people get them: which answers are offered, in which words."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import Deck
from companion.games import Action, Zone
from companion.server.show.texts import Context, Texts
from companion.table import Layout, Question
from companion.vision.types import SeenTable

MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person made of a question: one of its options, by its number or by its `choice`, a face of his own
    choice, or nothing of it."""

    option: int | None = None
    face: str | None = None
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer offered to a question: that happened; or card `track` is `face`; or it is no card (not `there`); or
    the cards asked about belong to `zone`. `number`: of the card in the picture, where that shows several."""

    action: Action | None = None
    face: str | None = None
    track: int | None = None
    there: bool = True
    zone: str | None = None
    number: int | None = None

    @property
    def id(self) -> str:
        """The name of this answer: the same whatever else is offered, so that no tap means another one."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def replies(question: Question, deck: Deck) -> list[Reply]:
    """The answers that people are offered."""
    if question.kind == "card":
        faces = [c.face for c in question.candidates if c.face in deck][:MOST_CANDIDATES]
        return [Reply(face=face, track=question.track) for face in faces]
    acts = [Reply(action=action) for action in question.choices]
    places = [Reply(zone=zone) for zone in question.places]
    odd = question.odd if question.kind == "unexplained" else ()
    pictured = [card.crop for card in odd if card.crop in question.evidence]
    return acts + places + [
        Reply(face=card.face, track=card.track, there=False,
              number=pictured.index(card.crop) + 1 if len(pictured) > 1 and card.crop in pictured else None)
        for card in odd[:MOST_CANDIDATES]
    ]  # fmt: skip


def likely(question: Question, deck: Deck, zones: Sequence[Zone], seen: SeenTable, layout: Layout) -> Question:
    """The question with what the card may be in the order in which it is offered: what the deck does not have is left
    out, and that of which every copy lies elsewhere comes last. `zones`: what the game expects to lie on the table."""
    others = replace(seen, cards=tuple(card for card in seen.cards if card.track != question.track))
    placed = layout.for_table(seen.unit, seen.size).place(others.cards)
    lying = Counter(card.face for card in others.cards if card.face)
    for zone in zones:  # below a pile's top, or where the camera does not look
        lying += Counter(zone.cards) - Counter(card.face for card in placed.get(zone.id, ()) if card.face)
    inside = [candidate for candidate in question.candidates if candidate.face in deck]
    inside.sort(key=lambda candidate: lying[candidate.face] >= deck.copies(candidate.face))
    return replace(question, candidates=tuple(inside))


def shown(reply: Reply, texts: Texts, lang: str, context: Context) -> dict[str, Any]:
    """An answer as the page shows it."""
    if reply.action is not None:
        return {"text": told(texts, reply.action, lang, context), "cards": list(reply.action.cards)}
    if reply.zone is not None:
        return {"text": texts.text("camera.belongs", lang, context, zone=reply.zone), "cards": []}
    name = texts.card(reply.face, lang, context) if reply.face else ""
    if reply.there:
        return {"text": name, "cards": [reply.face]}
    text = texts.text("camera.no-card.named" if name else "camera.no-card", lang, context, card=name)
    if reply.number is not None:
        text = texts.text("camera.numbered", lang, n=reply.number, what=text)
    return {"text": text, "cards": [reply.face] if reply.face else []}


def told(texts: Texts, action: Action, lang: str, context: Context) -> str:
    """An action as a sentence, with who did it."""
    line = texts.action(action, context.game, lang, context)
    who = "" if action.seat is None else texts.player(action.seat, lang, context) + texts.text("ui.colon", lang)
    return who + line


def question_id(question: Question) -> str:
    """The name of a question in addresses: the same while the same cards lie there."""
    return hashlib.sha256(question.key.encode()).hexdigest()[:16]
