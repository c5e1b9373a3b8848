"""Templates filled: what every HTML page has, beside what is its own."""

from __future__ import annotations

from typing import Any

from flask import current_app, render_template, request

from companion.resources import LANGUAGES
from companion.server.context import desk, language


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
        version=current_app.extensions["companion-version"],
        here=request.full_path.rstrip("?"),
        **values,
    )
