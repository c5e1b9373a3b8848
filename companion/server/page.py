"""Templates filled: what every HTML page has, beside what is its own."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from flask import current_app, render_template, request
from markupsafe import Markup

from companion import resources
from companion.resources import LANGUAGES
from companion.server.context import desk, language


@cache
def icons() -> dict[str, str]:
    """The one family of icons: name → path in a box of 24 × 24, drawn as a line."""
    found: dict[str, str] = json.loads((resources.web() / "icons.json").read_text(encoding="utf-8"))
    return found


def icon(name: str) -> Markup:
    """An icon for a template, in the colour of the text around it."""
    start = '<svg class="icon-picture" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
    return Markup(f'{start}<path d="{icons()[name]}"/></svg>')


def render(template: str, **values: Any) -> str:
    """A page with what every page has: language, words, version of the static files."""
    lang = language()
    texts = desk().texts
    words = {key[3:]: value for key, value in texts.catalogues[lang].items() if key.startswith("ui.")}
    return render_template(
        template,
        lang=lang,
        other_lang=next(other for other in LANGUAGES if other != lang),
        t=lambda key, **params: texts.text(key, lang, **params),
        words=words,
        icon=icon,
        icons=icons(),
        version=current_app.extensions["companion-version"],
        here=request.full_path.rstrip("?"),
        **values,
    )
