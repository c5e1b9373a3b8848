"""`companion hand`, `odds` and `referee` as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.language import chosen

RECORDS = Path(__file__).parents[1] / "records"


def run(*arguments: object, env: dict[str, str] | None = None, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env=env, input=data)


@pytest.mark.parametrize("typed", [["5S", "5S", "9H"], ["5S,5S,9H"], ["5S 5S 9H"], ["5S, 5S", "9H"], ["5S、5S、9H"]])
def test_a_hand_however_it_is_typed(typed: list[str]) -> None:
    said = run("hand", "--ranking", "52D2", "--lang", "en", *typed)
    assert said.exit_code == 0
    assert said.output.startswith("5S 5S 9H: ")


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "ja_JP", "LANG": "en_US"}, "ja"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(said: dict[str, str], spoken: str) -> None:
    assert chosen(None, said) == spoken
    assert chosen("ja", said) == "ja"


def test_odds_name_their_categories_in_both_languages() -> None:
    english = run("odds", "65", "--lang", "en").output
    japanese = run("odds", "65", env={"LC_ALL": "ja_JP.UTF-8"}).output
    assert "Full house" in english and "65: 8,259,888 hands" in english
    assert "フルハウス" in japanese and "8,259,888通り" in japanese
    assert "category." not in english + japanese
    assert len(english.splitlines()) == len(japanese.splitlines())


def test_a_record_comes_by_standard_input() -> None:
    file = RECORDS / "aces-king-free-lead.txt"
    told = run("referee", "--lang", "en", "-", data=file.read_bytes())
    assert told.exit_code == 0
    assert told.output == run("referee", "--lang", "en", file).output


def test_what_differs_is_no_misuse(tmp_path: Path) -> None:
    """1 for a record that says something else than the referee, 2 for one that cannot be read."""
    text = (RECORDS / "aces-king-free-lead.txt").read_text("utf-8")
    assert "score Ben 1" in text
    (tmp_path / "wrong.txt").write_text(text.replace("score Ben 1", "score Ben 2"), "utf-8")
    told = run("referee", tmp_path / "wrong.txt")
    assert told.exit_code == 1 and "Differs: " in told.stderr
    assert run("referee", tmp_path / "none.txt").exit_code == 2
    assert run("referee", "-", data=b"\xff\xfe").exit_code == 2
