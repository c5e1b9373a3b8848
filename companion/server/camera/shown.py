"""Decks that are shown to a camera, as pages get them: what to do now, what is left, what was learned, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cards import Deck, DeckFileError
from companion.cards.ready import READY, as_toml, parts
from companion.server.camera.enrolling import Progress
from companion.server.camera.learned import place_of
from companion.server.show.decks import suit_name
from companion.server.show.texts import Texts
from companion.shelf import as_folder, place_on_shelf, put, shelf
from companion.vision.decks.enrolled import EnrolledDeck, EnrolledDeckError
from companion.vision.decks.guided import Step


def enrolment_json(shown: Progress, texts: Texts, lang: str) -> dict[str, Any]:
    """What the page shows."""

    def say(key: str, **params: Any) -> str:
        return texts.text(f"enrol.page.{key}", lang, **params)

    def card(code: str) -> dict[str, str]:
        return {"code": code, "name": shown.deck.face(code).name(lang)}

    missing = [card(code) for code, count in shown.counts.items() if count == 0]
    known = len(shown.counts) - len(missing)
    alike = None if shown.alike is None else [
        say("alike", a=part_name(shown.deck, a, texts, lang), b=part_name(shown.deck, b, texts, lang))
        for a, b in shown.alike
    ]  # fmt: skip
    return {
        "deck": shown.deck.name,
        "now": None if shown.now is None else card(shown.now),
        "step": str(shown.verdict.step),
        "said": _said(shown, texts, lang),
        "known": known,
        "total": len(shown.counts),
        "progress": say("progress", n=known, total=len(shown.counts)),
        "times": shown.times,
        "taken": shown.taken,
        "last": None if shown.last is None else card(shown.last),
        "missing": missing,
        "alike": alike,
        "advice": say("advice") if alike else "",
        "picture": shown.picture,
        "camera": shown.camera,
        "trouble": texts.text(shown.trouble, lang, name=shown.camera) if shown.trouble else "",
    }


def _said(shown: Progress, texts: Texts, lang: str) -> str:
    verdict = shown.verdict
    left = sum(count == 0 for count in shown.counts.values())
    if verdict.step is Step.DONE and left:
        return texts.text("enrol.page.done-left", lang, n=left)
    params: dict[str, Any] = {"n": verdict.detail}
    if verdict.face is not None:
        params["card"] = shown.deck.face(verdict.face).name(lang)
    key = str(verdict.fault) if verdict.step is Step.BAD and verdict.fault is not None else str(verdict.step)
    return texts.text(f"enrol.page.{key}", lang, **params)


def part_name(deck: Deck, code: str, texts: Texts, lang: str) -> str:
    """A card, a picture or a mark as people call it."""
    if code in deck:
        return deck.face(code).name(lang)
    ranks = (deck.design or parts(deck)).ranks
    return ranks[code].names[lang] if code in ranks else suit_name(deck, code, texts, lang)


def kept_at(deck: Deck, data: Path, *, make: bool = False) -> Path | None:
    """Where a deck is kept on the shelf; None where it is not. `make`: so that samples can be put beside its file, one
    of the program's own as a copy of its own there."""
    if deck.design is not None:
        found = place_on_shelf(data, deck.name)
        return as_folder(found) if make and found is not None else found
    found = place_of(deck, data)
    own = shelf(data) / deck.name.lower()
    if found is None and own.is_dir():
        found = own
    if found is None and make:
        ready = next((one for one, base in READY.items() if base == deck.name), None)
        text = as_toml(ready, brief=True) if ready else f'[deck]\nname = "{deck.name}"\nlike = "{deck.name}"\n'
        found = put(data, text, deck.name).place
    return found


def learned_json(deck: Deck, data: Path, lang: str) -> dict[str, Any]:
    """What a deck's page shows of what the camera knows: how many cards, the samples, and why not, where it cannot."""
    place = kept_at(deck, data)
    try:
        held = EnrolledDeck.load(place) if place is not None else None
    except (EnrolledDeckError, DeckFileError, OSError) as error:
        return {"known": 0, "samples": [], "error": str(error)}
    samples = [
        {"number": n, "face": one.face, "name": held.deck.face(one.face).name(lang), "origin": str(one.origin)}
        for n, one in enumerate(held.samples)
    ] if held is not None else []  # fmt: skip
    return {"known": len(held.faces) if held is not None else 0, "samples": samples, "error": ""}
