"""The page that says what the camera can follow is what the games say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_what_games_of_bots_show() -> None:
    spec = importlib.util.spec_from_file_location("following", ROOT / "docs" / "following.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "following.md").read_text("utf-8")
    assert written == module.page(), "python docs/following.py writes it anew"
