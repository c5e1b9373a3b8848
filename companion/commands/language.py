"""In which language a command speaks: as `--lang` says, else as the terminal's locale does, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

LANGUAGES = ("en", "ja")


def chosen(lang: str | None, environment: Mapping[str, str] | None = None) -> str:
    """``"en"`` or ``"ja"``. The first of LC_ALL, LC_MESSAGES and LANG that is set counts (POSIX)."""
    if lang:
        return lang
    said = os.environ if environment is None else environment
    locale = next((said[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if said.get(name)), "")
    return "ja" if locale.lower().startswith("ja") else "en"
