"""The page that says what the camera can follow is what the games say."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from companion.games import Action, game, ids
from companion.referee.simulate import table_setup
from companion.server.show.texts import Texts

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "following.md"


@cache
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("following", ROOT / "docs" / "following.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def listed(name: str) -> dict[str, str]:
    """Of one game the kinds on the page, each with how it is told."""
    title = Texts.load().text(f"game.{name}.name", "en")
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    return {kind.strip("`"): how for game, kind, how in (row for row in rows if len(row) == 3) if game == title}


def test_the_page_is_what_games_of_bots_show() -> None:
    assert PAGE.read_text("utf-8") == script().page(), "python docs/following.py writes it anew"


@pytest.mark.parametrize("name", ids())
def test_every_kind_that_a_game_knows_is_on_the_page(name: str) -> None:
    rules = game(name)
    state = rules.start(table_setup(rules))
    parts = [key.split(".") for key in Texts.load().catalogues["en"]]
    worded = [part[2] for part in parts if part[:2] == ["action", name] and len(part) == 3]

    def known(kind: str) -> bool:
        return all(one.code != "unknown-action" for one in rules.check(state, Action(kind, 0)))

    assert not known("no-such-kind")
    assert set(filter(known, worded)) == listed(name).keys()


def test_a_hand_tells_a_loop_from_a_dice_but_of_a_player_who_was_robbed() -> None:
    for kind in ("loop", "dice"):
        ways = {way.rstrip(" 0123456789") for way in listed("hexa-card")[kind].split(", ")}
        assert {"cards + hand", "cards + choice"} <= ways
