"""What the documents show works as they show it: decks, links, paths, tables of figures."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cards import deck, deck_from_toml
from companion.games import ids

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("[bc]*/README.md"))]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_the_deck_file_of_the_documents_is_a_deck() -> None:
    example = re.search(r"```toml\n(.*?)```", text_of(ROOT / "docs" / "decks.md"), re.S)
    assert example is not None
    own = deck_from_toml(example[1], "harbour")
    assert own.codes == ("tide.north", "JK1")
    assert own.face("tide.north").name("ja")


def test_every_deck_the_documents_name_exists() -> None:
    table = text_of(ROOT / "docs" / "decks.md").split("## ")[0]
    names = re.findall(r"`([0-9A-Za-z]+)`", table.split("Codes are")[0])
    assert len(names) >= 14
    assert all(deck(name).size for name in names if not name.startswith("C"))


@pytest.mark.parametrize("game", ids())
def test_every_game_has_golden_records(game: str) -> None:
    assert len(list((ROOT / "tests" / "records").glob(f"{game}-*.txt"))) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_and_path_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", text_of(page)):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
    top = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    for path in re.findall(rf"`((?:{top})/[\w./-]*)`", text_of(page)):
        example = re.search(r"my[_-]|\.pt$", path)  # a game to be written, weights to be trained
        assert example or (ROOT / path).exists(), f"{page.name} names {path}"


def test_the_house_is_drawn_as_it_stands() -> None:
    drawn = re.search(r"```\ncompanion/\n(.*?)```", text_of(ROOT / "docs" / "architecture.md"), re.S)
    assert drawn is not None
    named = set(re.findall(r"([\w.]+)/", drawn[1]))
    top = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    house = {path.parent.name for path in (ROOT / "companion").rglob("*/__init__.py")}
    every = {path.name for room in top for path in (room, *room.rglob("*")) if path.is_dir()}
    assert house - named == set()
    assert named - every == set()
    assert {path.name for path in top if any(path.rglob("*.py")) or path.name == "web"} <= named | {"companion"}


def test_papers_are_short() -> None:
    for page in PAGES:
        if page.name == "parameters.md":  # a row for each number
            continue
        most = 120 if page.name in ("README.md", "reading.md", "players.md", "hosts.md") else 160
        assert text_of(page).count("\n") <= most, page.name


def test_tables_of_figures_are_what_was_measured() -> None:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    for name in tables.PAGES:
        page = ROOT / name
        assert "<!-- table: " in text_of(page)
        assert text_of(page) == tables.written(text_of(page)), f"{name} is older than its figures: make tables"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_of_the_documents_is_one(tmp_path: Path) -> None:
    found = re.search(r"```ini\n(.*?)```", text_of(ROOT / "docs" / "install.md"), re.S)
    assert found is not None
    unit = tmp_path / "table-companion.service"
    unit.write_text(found[1].replace("%h/.local/bin/companion", sys.executable), encoding="utf-8")

    def said() -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
        command = ["systemd-analyze", "--user", "verify", str(unit)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        return "".join(line for line in (done.stdout + done.stderr).splitlines(True) if "table-companion" in line)

    assert said() == ""
    unit.write_text(found[1].replace("ExecStart", "ExecStarts"), encoding="utf-8")
    assert "ExecStarts" in said()
