"""What the documents show works as they show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cards import deck, deck_from_toml
from companion.cli import main
from companion.games import ids

ROOT = Path(__file__).resolve().parents[1]


def test_the_deck_file_of_the_documents_is_a_deck() -> None:
    text = (ROOT / "docs" / "decks.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", text, re.S)
    assert example is not None
    own = deck_from_toml(example[1], "harbour")
    assert own.codes == ("tide.north", "JK1")
    assert own.face("tide.north").name("ja")


def test_every_deck_the_documents_name_exists() -> None:
    table = (ROOT / "docs" / "decks.md").read_text(encoding="utf-8").split("## ")[0]
    names = re.findall(r"`([0-9A-Za-z]+)`", table.split("Codes are")[0])
    assert len(names) >= 14
    assert all(deck(name).size for name in names if not name.startswith("C"))


def commands() -> list[list[str]]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [line.split("#")[0].split() for line in re.findall(r"^companion .*$", text, re.M)]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_of_the_readme_is_known(words: list[str]) -> None:
    shown = CliRunner().invoke(main, [words[1], "--help"])
    assert shown.exit_code == 0
    for option in (word for word in words if word.startswith("--")):
        assert option in shown.output


@pytest.mark.parametrize("game", ids())
def test_every_game_has_golden_records(game: str) -> None:
    assert len(list((ROOT / "tests" / "records").glob(f"{game}-*.txt"))) >= 3


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
