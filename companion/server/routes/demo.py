"""The demonstration with captions: a round that the real referee judges, step by step, with what a foul, a question and
a correction look like. Beside it the recorded game, which the camera really reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint

from companion.games import Action, Setup
from companion.referee import Acted, Corrected, Event, Match, Started, TookBack
from companion.server.access import role_access
from companion.server.context import desk, language
from companion.server.page import render
from companion.server.show.present import Presenter
from companion.server.show.texts import Texts

demo_pages = Blueprint("demo", __name__)

TABLE = "tour"
PLAYERS = {"en": ("Aki", "Ben", "Chie", "Dan"), "ja": ("アキ", "ベン", "チエ", "ダン")}
ASKED = ("7D", "AD")
"""The card that the camera asks about, and what else it could be."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its caption (``demo.step.<name>``), what happens, what the camera shows, whether it asks."""

    name: str
    event: Event | None = None
    still: str = ""
    asks: bool = False


def _lay(seat: int, cards: str, source: str = "camera") -> Acted:
    return Acted(Action.of("lay", seat, cards.split()), source)


STEPS = (
    Step("start", _lay(0, "3S 5S KS"), "two"),
    Step("twice", _lay(1, "8C 8C 5H"), "two"),
    Step("foul", _lay(2, "8C QC 4S", "tap"), "two"),
    Step("back", TookBack(4), "two"),
    Step("on", _lay(2, "QD QC 4S"), "four"),
    Step("question", None, "four", asks=True),
    Step("answer", _lay(3, "7H 7D 2C"), "four"),
    Step("correction", Corrected(6, Action.of("lay", 2, ("KD", "QC", "4S"))), "four"),
)


@demo_pages.get("/demo")
def demo_page() -> str:
    """What happens at a table, a foul, a question, a correction; then a table of one's own."""
    lang, memory = language(), desk().memory
    start = memory.get(("tour", lang))
    if start is None:
        start = {"steps": _steps(desk().texts, lang)}
        memory.put(("tour", lang), start)
    return render("demo.html", start=start, live=desk().cameras.demo)


def _steps(texts: Texts, lang: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    match = Match.of([Started("three-card-showdown", Setup(PLAYERS[lang], "52D2"))])
    for step in STEPS:
        if step.event is not None:
            match = match.then(step.event)
        presenter = Presenter(texts, match, lang, role_access("scorekeeper"))
        picture = presenter.table(TABLE, [presenter.entry(entry, "") for entry in match.entries])
        found.append(
            {
                "name": step.name,
                "caption": texts.text(f"demo.step.{step.name}", lang),
                "still": step.still,
                "questions": [_question(presenter)] if step.asks else [],
                "picture": {**picture, "prompts": [], "targets": []},
            }
        )
    return found


def _question(presenter: Presenter) -> dict[str, Any]:
    texts, lang, context = presenter.texts, presenter.lang, presenter.context
    zone = texts.zone("hand:3", lang, context)
    return {
        "id": "0" * 16,
        "kind": "card",
        "text": texts.text("question.card", lang, context, zone=zone),
        "crop": None,
        "part": False,
        "options": [{"id": face, "text": texts.card(face, lang, context), "cards": [face]} for face in ASKED],
        "any": False,
    }
