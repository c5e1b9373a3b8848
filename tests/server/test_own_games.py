"""Games from outside on the page: their tables, what a broken or missing one costs, and that nothing of it is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from companion import resources
from companion.cli import main
from companion.commands.new_game import write
from companion.extensions import install_all
from companion.games import GameError, ids, package
from companion.games.registry import install
from companion.journal import Journal
from companion.journal.rotation import proven, rotate
from companion.referee.record import parse, report
from companion.server import Config, create_app
from companion.server.config import Opening
from companion.server.show.rulebook import RulesError, rules_of
from companion.server.show.texts import Texts

LISTS = ("/", "/history", "/rules", "/decks", "/api/games", "/api/tables")
SHOWN = {"en": "not installed here", "ja": "インストールされていません"}


@pytest.fixture(autouse=True)
def only_the_built_in_games() -> Iterator[None]:
    yield
    install(())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write("good-one", tmp_path / "data" / "games")
    return tmp_path / "data"


@contextmanager
def served(data: Path) -> Iterator[FlaskClient]:
    """The owner's browser, on a server that has just been started."""
    app = create_app(Config(data, demo=False, opening=Opening.HOUSE))
    app.testing = False
    try:
        owner = app.test_client()
        assert owner.get(f"/owner/{app.extensions['companion'].keys.owner}").status_code == 302
        yield owner
    finally:
        app.extensions["companion"].close()


def page(client: FlaskClient, path: str, lang: str = "en", status: int = 200) -> str:
    answer = client.get(path, headers={"Accept-Language": lang}, follow_redirects=True)
    assert answer.status_code == status, (path, answer.status_code, answer.text[:300])
    assert "Traceback" not in answer.text
    return answer.text


def lay(client: FlaskClient, table: str, seat: int, card: str, status: int = 200) -> dict[str, Any]:
    action = {"kind": "lay", "seat": seat, "cards": [card], "args": {}}
    answer = client.post(f"/api/tables/{table}/intents", json={"intent": "act", "action": action})
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def opened(client: FlaskClient, **more: Any) -> str:
    answer = client.post("/api/tables", json={"game": "good-one", "players": ["Anna", "Ben"], **more})
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def left(data: Path) -> tuple[Path, str]:
    """A data folder with a table whose game, well begun, is no longer there."""
    with served(data) as client:
        table = opened(client)
        lay(client, table, 0, "10S")
        assert lay(client, table, 1, "10S")["table"]["entries"][-1]["verdict"] == "foul"
    shutil.move(data / "games" / "good_one", data.parent / "good_one")
    return data, table


def test_a_game_from_outside_is_played_like_any_other(data: Path) -> None:
    with served(data) as client:
        assert "Good One" in page(client, "/rules")
        assert "最も高い札を出した人が1点を得ます" in page(client, "/rules/good-one", "ja")
        assert 'id="c-4"' in page(client, "/rules/good-one?tie=nobody")
        [row] = [row for row in client.get("/api/games").get_json()["games"] if row["id"] == "good-one"]
        assert row["name"] == "Good One" and [option["name"] for option in row["options"]] == ["starter", "tie"]
        assert "NewTableGoodOne" in page(client, "/api/openapi.json")
        table = opened(client, options={"tie": "nobody"})
        lay(client, table, 0, "10S")
        assert lay(client, table, 1, "QH")["table"]["results"] == ["Ben takes the round."]
        assert "Round 1" in page(client, f"/tables/{table}")
        record = page(client, f"/history/{table}/record.txt")
    assert record.startswith("# ") and report(parse(record))["differences"] == []


# --- a table whose game is not installed -----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_table_without_its_game_says_so_and_stays_listed(left: tuple[Path, str], lang: str) -> None:
    data, table = left
    with served(data) as client:
        for path in LISTS:
            page(client, path, lang)
        for path in ("/", "/history"):
            assert "good-one" in page(client, path, lang) and "Anna" in page(client, path, lang)
        [row] = client.get("/api/tables").get_json()["tables"]
        assert row["id"] == table and not row["playable"] and row["players"] == ["Anna", "Ben"] and row["events"] == 3
        for path in (f"/tables/{table}", f"/tables/{table}/board", f"/history/{table}"):
            shown = page(client, path, lang, 404)
            assert SHOWN[lang] in shown and "good-one" in shown and f"/history/{table}/record.txt" in shown
        for path in (f"/api/tables/{table}", f"/history/{table}/scores.csv", f"/tables/{table}/join"):
            answer = client.get(path, headers={"Accept-Language": lang})
            assert answer.status_code == 404 and SHOWN[lang] in answer.text


def test_what_was_written_down_can_be_taken_away_whole(left: tuple[Path, str]) -> None:
    data, table = left
    with served(data) as client:
        events = client.get(f"/history/{table}/events.json").get_json()["events"]
        assert [event["event"]["event"] for event in events] == ["started", "acted", "acted"]
        record = page(client, f"/history/{table}/record.txt")
        stranger = client.application.test_client()
        assert stranger.get(f"/history/{table}/record.txt").status_code == 403
        assert "record.txt" not in stranger.get(f"/history/{table}").text
    assert "Ben: lay 10S  ! good-one-seen-before" in record
    shutil.move(data.parent / "good_one", data / "games" / "good_one")
    with served(data) as client:
        assert report(parse(record))["differences"] == []
        assert page(client, f"/history/{table}/record.txt").startswith(record.split("score")[0].rstrip())
        assert lay(client, table, 1, "QH")["seq"] == 4


def test_a_backup_keeps_a_table_whose_game_is_not_installed(left: tuple[Path, str], tmp_path: Path) -> None:
    data, table = left
    kept, other = tmp_path / "all.backup", tmp_path / "other"
    assert CliRunner().invoke(main, ["backup", "--data", str(data), str(kept)]).exit_code == 0
    restored = CliRunner().invoke(main, ["restore", "--data", str(other), str(kept)])
    assert restored.exit_code == 0, restored.output
    with served(other) as client:
        assert [row["id"] for row in client.get("/api/tables").get_json()["tables"]] == [table]
        assert SHOWN["en"] in page(client, f"/history/{table}", status=404)
    shutil.move(data.parent / "good_one", other / "games" / "good_one")
    with served(other) as client:
        assert client.get("/api/tables").get_json()["tables"][0]["playable"]
        assert "Round 1" in page(client, f"/tables/{table}")


def test_backups_make_themselves_whatever_game_is_missing_or_fails(left: tuple[Path, str], tmp_path: Path) -> None:
    data, _ = left
    install_all(data)
    first = rotate(data / "journal.sqlite3", tmp_path / "kept", datetime(2026, 11, 23, 12, 0))
    assert first is not None and proven(first) == 0  # whole, though nobody here can tell it again
    shutil.move(data.parent / "good_one", data / "games" / "good_one")
    change(
        data / "games" / "good_one",
        "rules.py",
        "        return replace(state, lines=",
        "        return nothing(state, lines=",
    )
    install_all(data)
    with pytest.raises(GameError):
        Journal(f"sqlite:///{data / 'journal.sqlite3'}").match(left[1])
    assert proven(first) == 0


# --- a game that fails -----------------------------------------------------------------------------------------------

FAILING = [
    ("        if state.over:\n            return ()", "        return state.nothing"),
    ("        return state.lines", "        return state.nothing"),
    ("        return view(state, self.prompts(state))", "        return view(state)"),
    ("        return self.expected_table(state) + closed", "        return closed"),
]


@pytest.mark.parametrize(("old", "new"), FAILING, ids=["prompts", "scores", "view", "whereabouts"])
def test_a_game_that_fails_costs_its_own_table_alone(data: Path, old: str, new: str) -> None:
    with served(data) as client:
        table = opened(client)
        other = opened(client, game="aces-king")
        lay(client, table, 0, "10S")
    change(data / "games" / "good_one", "rules.py", old, new)
    if "closed" in new:
        new = new.replace("return closed", "return nothing + closed")
        change(data / "games" / "good_one", "rules.py", "        return closed", new)
    with served(data) as client:
        for path in LISTS:
            page(client, path)
        assert {row["id"] for row in client.get("/api/tables").get_json()["tables"]} == {table, other}
        assert page(client, f"/tables/{other}")
        found = client.get(f"/history/{table}", headers={"Accept-Language": "ja"})
        assert found.status_code in (200, 500)
        if found.status_code == 500:
            assert "good-one" in found.text and "rules.py, line" in found.text and "でエラーが起き" in found.text
        taken = client.get(f"/history/{table}/events.json")
        assert len(taken.get_json()["events"]) == 2
        assert "Anna: lay 10S" in page(client, f"/history/{table}/record.txt")


def test_a_version_that_cannot_tell_an_old_table_says_so(data: Path) -> None:
    with served(data) as client:
        table = opened(client, options={"tie": "nobody"})
    change(
        data / "games" / "good_one",
        "options.py",
        'Option("tie", ("first", "nobody"), "5")',
        'Option("tie", ("first",), "5")',
    )
    with served(data) as client:
        for path in LISTS:
            page(client, path)
        assert "option tie of good-one is first" in page(client, f"/tables/{table}", status=500)
        assert "option tie=nobody" in page(client, f"/history/{table}/record.txt")


# --- words and rule pages --------------------------------------------------------------------------------------------

RULES = [
    (None, "no rule page in English yet: there is no rules.en.toml", "rules.ja.tomlがありません"),
    ("lead = 3", "rules.en.toml is no rule file: it lacks sections", "ルールのページを表示できません"),
    ('lead = "x', "rules.en.toml is no rule file: ", "ルールのページを表示できません"),
    ('lead = 3\nsource = ""\nsections = []', "a text is expected, not 3", "ルールのページを表示できません"),
    ('lead = ""\nsource = ""\nsections = [{title = "a", rules = [["1"]]}]', "is no rule file", "表示できません"),
]


@pytest.mark.parametrize(("text", "english", "japanese"), RULES)
def test_a_rule_page_that_cannot_be_shown_costs_a_sentence(
    data: Path, text: str | None, english: str, japanese: str
) -> None:
    for lang in resources.LANGUAGES:
        file = data / "games" / "good_one" / f"rules.{lang}.toml"
        file.unlink()
        if text is not None:
            file.write_text(text, encoding="utf-8")
    with served(data) as client:
        for lang, words in (("en", english), ("ja", japanese)):
            for path in LISTS:
                page(client, path, lang)
            for path in ("/rules", "/rules/good-one", "/api/games"):
                assert words in page(client, path, lang).replace("&#39;", "'"), (path, lang)
        assert "Equal highest cards" in page(client, "/rules/good-one")  # the house rules stand there all the same
        assert opened(client)
    with pytest.raises(RulesError):
        rules_of("good-one", "en")


@pytest.fixture
def folder_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """The data files of a built-in game in a folder that a test may spoil."""

    def copied(name: str) -> Path:
        found, home = resources.package, package(name)
        copy = tmp_path / "copy"
        shutil.copytree(found(home), copy, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.setattr(resources, "package", lambda wanted: copy if wanted == home else found(wanted))
        return copy

    return copied


@pytest.mark.parametrize("spoilt", [None, "{", '{"k": 3}'])
def test_a_built_in_game_without_its_words_and_rules_costs_only_itself(
    folder_of: Callable[[str], Path], tmp_path: Path, spoilt: str | None
) -> None:
    folder = folder_of("hexa-card")
    for file in (*folder.glob("words.*.json"), *folder.glob("rules.*.toml")):
        file.unlink()
        if spoilt is not None:
            file.write_text(spoilt, encoding="utf-8")
    with served(tmp_path / "data") as client:
        for path in LISTS:
            page(client, path)
        assert "(no text: game.hexa-card.name)" in page(client, "/rules/hexa-card")
        assert "(文言がありません:game.hexa-card.name)" in page(client, "/rules/hexa-card", "ja")
        table = opened(client, game="hexa-card")
        assert "(no text: " in page(client, f"/tables/{table}")
        assert "Ace" in page(client, "/rules/aces-king")
    assert ids()[0] == "three-card-showdown"


def test_a_text_that_one_language_lacks_is_said_in_the_other() -> None:
    texts = Texts({"en": {"a": "one", "ui.no-text": "({key})"}, "ja": {"b": "二", "ui.no-text": "【{key}】"}})
    assert (texts.text("a", "ja"), texts.text("b", "en")) == ("one", "二")
    assert (texts.text("c", "en"), texts.text("c", "ja")) == ("(c)", "【c】")
