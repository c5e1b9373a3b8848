"""Templates filled: what every HTML page has, beside what is its own."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from flask import current_app, render_template, request
from markupsafe import Markup

from companion import resources
from companion.resources import LANGUAGES
from companion.server.context import desk, language
from companion.server.joined import EVERYWHERE

_KEY = re.compile(r"\"([a-z][\w.-]*)\"|`([a-z][\w.-]*)`|'([a-z][\w.-]*)'")
_BEGINNING = re.compile(r"`([a-z][\w-]*\.[\w.-]*)\$\{")

_SCRIPT = re.compile(r"[\"`]\./([\w-]+)\.js")
"""What a script imports, at once or later."""


@cache
def icons() -> dict[str, str]:
    """The one family of icons: name → path in a box of 24 × 24, drawn as a line."""
    found: dict[str, str] = json.loads((resources.web() / "icons.json").read_text(encoding="utf-8"))
    return found


def icon(name: str) -> Markup:
    """An icon for a template, in the colour of the text around it."""
    start = '<svg class="icon-picture" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
    return Markup(f'{start}<path d="{icons()[name]}"/></svg>')


def sign(name: str) -> str:
    """What stands for a person in a small circle: the number of one called `Player 2`, else the first letter."""
    number = re.search(r"\D(\d{1,2})$", name.strip())
    return number[1] if number else name.strip()[:1] or "?"


@cache
def asked_for(script: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Which words and icons a page's script, and every script that it may bring, can ask for: every text in them that
    could be a key, and what keys that are put together there begin with. The others need not travel with the page."""
    folder, texts, waiting = resources.web() / "static" / "js", dict[str, str](), [script, EVERYWHERE]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = (folder / f"{name}.js").read_text(encoding="utf-8")
            waiting += _SCRIPT.findall(texts[name])
    code = "".join(texts.values())
    keys = frozenset(key for found in _KEY.findall(code) for key in found if key)
    return keys, tuple(sorted(set(_BEGINNING.findall(code))))


def render(template: str, **values: Any) -> str:
    """A page with what every page has: language, words and icons of its script, version of the static files."""
    lang = language()
    texts = desk().texts

    def words(script: str) -> dict[str, str]:
        keys, beginnings = asked_for(script)
        catalogue = ((key[3:], text) for key, text in texts.catalogues[lang].items() if key.startswith("ui."))
        return {key: text for key, text in catalogue if key in keys or key.startswith(beginnings)}

    return render_template(
        template,
        lang=lang,
        other_lang=next(other for other in LANGUAGES if other != lang),
        t=lambda key, **params: texts.text(key, lang, **params),
        words=words,
        icon=icon,
        sign=sign,
        icons=lambda script: {name: path for name, path in icons().items() if name in asked_for(script)[0]},
        version=current_app.extensions["companion-version"],
        here=request.full_path.rstrip("?"),
        **values,
    )
