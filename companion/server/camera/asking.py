"""Questions of the camera as people get them: which answers are offered, in which words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from companion.cards import Deck
from companion.games import Action
from companion.server.show.texts import Context, Texts
from companion.table import Question

MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person made of a question: one of its options, a face of his own choice, or nothing of it."""

    option: int | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer offered to a question: that happened; or card `track` is `face`; or it is no card (not `there`); or
    the cards asked about belong to `zone`."""

    action: Action | None = None
    face: str | None = None
    track: int | None = None
    there: bool = True
    zone: str | None = None


def replies(question: Question, deck: Deck) -> list[Reply]:
    """The answers that people are offered."""
    if question.kind == "card":
        faces = [c.face for c in question.candidates[:MOST_CANDIDATES] if c.face in deck]
        return [Reply(face=face, track=question.track) for face in faces]
    acts = [Reply(action=action) for action in question.choices]
    places = [Reply(zone=zone) for zone in question.places]
    odd = question.odd if question.kind == "unexplained" else ()
    return acts + places + [Reply(face=card.face, track=card.track, there=False) for card in odd[:MOST_CANDIDATES]]


def shown(reply: Reply, texts: Texts, lang: str, context: Context) -> dict[str, Any]:
    """An answer as the page shows it."""
    if reply.action is not None:
        return {"text": told(texts, reply.action, lang, context), "cards": list(reply.action.cards)}
    if reply.zone is not None:
        return {"text": texts.text("camera.belongs", lang, context, zone=reply.zone), "cards": []}
    name = texts.card(reply.face, lang, context) if reply.face else ""
    if reply.there:
        return {"text": name, "cards": [reply.face]}
    key = "camera.no-card.named" if name else "camera.no-card"
    return {"text": texts.text(key, lang, context, card=name), "cards": [reply.face] if reply.face else []}


def told(texts: Texts, action: Action, lang: str, context: Context) -> str:
    """An action as a sentence, with who did it."""
    line = texts.action(action, context.game, lang, context)
    who = "" if action.seat is None else texts.player(action.seat, lang, context) + texts.text("ui.colon", lang)
    return who + line


def question_id(question: Question) -> str:
    """The name of a question in addresses: the same while the same cards lie there."""
    return hashlib.sha256(question.key.encode()).hexdigest()[:16]
