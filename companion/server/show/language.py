"""Which language a request wants: its switch (cookie), else what the browser asks for, else English."""

from __future__ import annotations

from flask import request

from companion.server.show.texts import LANGUAGES

COOKIE = "lang"


def language() -> str:
    """``"en"`` or ``"ja"`` for the current request; ``?lang=`` wins, for links and programs."""
    for wanted in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    return request.accept_languages.best_match(LANGUAGES) or "en"
