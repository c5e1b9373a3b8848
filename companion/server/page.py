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

_KEY = re.compile(r"\"([a-z][\w.-]*)\"|`([a-z][\w.-]*)`|'([a-z][\w.-]*)'")
_BEGINNING = re.compile(r"`([a-z][\w-]*\.[\w.-]*)\$\{")

PARTS = frozenset(("evening", "practice", "guide", "install", "demo"))
"""Words (``ui.<part>.…``) that only those pages carry which ask for them."""


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
def spoken_by_scripts() -> tuple[frozenset[str], tuple[str, ...]]:
    """Which words and icons scripts can ask for: every text in them that could be a key, and what keys that are put
    together there begin with. The others are the server's alone and need not travel."""
    code = "".join(file.read_text(encoding="utf-8") for file in (resources.web() / "static" / "js").glob("*.js"))
    keys = frozenset(key for found in _KEY.findall(code) for key in found if key)
    return keys, tuple(sorted(set(_BEGINNING.findall(code))))


def render(template: str, parts: tuple[str, ...] = (), **values: Any) -> str:
    """A page with what every page has: language, words, version of the static files. `parts`: words of which parts it
    carries beside those of all pages."""
    lang = language()
    texts = desk().texts
    left_out = PARTS.difference(parts)
    catalogue = texts.catalogues[lang].items()
    words = {k[3:]: v for k, v in catalogue if k.startswith("ui.") and k.split(".", 2)[1] not in left_out}
    keys, beginnings = spoken_by_scripts()
    words = {key: text for key, text in words.items() if key in keys or key.startswith(beginnings)}
    return render_template(
        template,
        lang=lang,
        other_lang=next(other for other in LANGUAGES if other != lang),
        t=lambda key, **params: texts.text(key, lang, **params),
        words=words,
        icon=icon,
        sign=sign,
        icons={name: path for name, path in icons().items() if name in keys},
        version=current_app.extensions["companion-version"],
        here=request.full_path.rstrip("?"),
        **values,
    )
