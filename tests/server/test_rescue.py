"""A server on a damaged journal says so, offers the last backup, and goes on as if nothing had been; one folder has one
server."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing
from datetime import datetime

import pytest

from companion.games import Action, Setup
from companion.journal import DamagedError, InUseError, Journal, is_damaged, rotate, used
from companion.referee import Acted, Started
from companion.server import Config, create_app, serve
from companion.server.config import backup_folder, journal_file
from companion.server.rescue import rescue_app

SERVE = "import sys; from pathlib import Path; from companion.server import serve; serve('127.0.0.1', 0, data=Path(sys.argv[1]), camera='none', database=sys.argv[2])"  # noqa: E501


@pytest.fixture
def data(tmp_path):
    """A data folder with one game, a backup of it, and one action more."""
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(Journal(f"sqlite:///{journal_file(folder)}")) as journal:
        journal.create("t", Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2")))
        rotate(journal_file(folder), backup_folder(folder), datetime(2026, 1, 2, 3, 4, 5))
        journal.append("t", Acted(Action("lay", 0, ("5S", "6H", "7C"))))
    return folder


def damage(data):
    file = journal_file(data)
    file.write_bytes(file.read_bytes()[:4096] + b"\xff" * 9000)


@pytest.fixture
def start():
    """Starts servers of their own; each is (process, address)."""
    running = []

    def begin(data, database=""):
        command = [sys.executable, "-u", "-c", SERVE, str(data), database]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.stdout.close()
        process.wait()


def said(process, pattern):
    """What the process says until `pattern` comes; the match."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if found := re.search(pattern, line):
            return found
    pytest.fail("".join(lines))


def ask(address, body=None, browser=urllib.request):
    data = urllib.parse.urlencode(body).encode() if body is not None else None
    try:
        opened = browser.urlopen if browser is urllib.request else browser.open
        with opened(address, data, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_the_page_restores_the_last_backup_and_the_server_goes_on(data, start):
    damage(data)
    process = start(data)
    said(process, "is damaged: ")
    address, link = said(process, r"(http://127\.0\.0\.1:\d+)(/owner/\S+)").groups()
    status, page = ask(f"{address}/tables/t")
    assert status == 503 and "<button" not in page  # not for everybody who comes by
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))
    status, page = ask(address + link, browser=browser)
    assert status == 503 and "2026-01-02 03:04" in page
    status, text = ask(f"{address}/api/tables")
    assert status == 503 and json.loads(text)["error"]["code"] == "damaged"
    token = re.search(r'name="token" value="([^"]+)"', page)[1]
    status, page = ask(f"{address}/rescue", {"token": token, "do": "restore"}, browser)
    assert status == 200 and "journal-damaged-" in page
    said(process, "Table Companion: http")
    status, text = ask(f"{address}/api/tables/t")
    assert status == 200 and len(json.loads(text)["table"]["entries"]) == 1
    assert len(list(data.glob("journal-damaged-*"))) >= 1


@pytest.fixture
def rescue(data):
    damage(data)
    with pytest.raises(DamagedError) as caught:
        create_app(Config(data, demo=False))
    decided = []
    client = rescue_app(Config(data), caught.value, lambda: decided.append(True)).test_client()
    client.get(f"/owner/{(data / 'owner.key').read_text()}")
    return client, decided


def token_of(page):
    return re.search(r'name="token" value="([^"]+)"', page.text)[1]


def test_only_the_owner_decides(rescue, data):
    client, decided = rescue
    page = client.get("/")
    assert "Restore this backup" in page.text
    stranger = client.application.test_client()  # from this machine, which proves nothing
    stranger.get("/owner/nonsense")
    refused = stranger.get("/").text
    assert "<button" not in refused and str(data) not in refused
    assert str(data) in page.text
    assert stranger.post("/rescue", data={"token": token_of(page), "do": "restore"}).status_code == 403
    forged = client.post("/rescue", data={"token": "x", "do": "anew"})
    assert forged.status_code == 403
    assert decided == [] and is_damaged(journal_file(data))


def test_beginning_anew_keeps_the_damaged_file(rescue, data):
    client, decided = rescue
    page = client.get("/?lang=ja")
    assert "対局なしで始める" in page.text
    before = journal_file(data).read_bytes()
    answer = client.post("/rescue", data={"token": token_of(page), "do": "anew"})
    assert answer.status_code == 200
    answer.close()
    assert decided == [True]
    assert is_damaged(journal_file(data)) is None
    assert before in [file.read_bytes() for file in data.glob("journal-damaged-*")]


@pytest.mark.parametrize("do", ["restore", "anew"])
def test_games_that_are_gone_are_missed_until_the_owner_has_decided(data, do):
    """An empty journal in their place would look as if nothing had ever been played."""
    for file in data.glob("journal.sqlite3*"):
        file.unlink()
    for _ in range(2):
        with pytest.raises(DamagedError, match=r"journal\.sqlite3 is gone") as caught:
            create_app(Config(data, demo=False))
    client = rescue_app(Config(data), caught.value, lambda: None).test_client()
    client.get(f"/owner/{(data / 'owner.key').read_text()}")
    client.post("/rescue", data={"token": token_of(client.get("/")), "do": do}).close()
    app = create_app(Config(data, demo=False))
    assert len(app.extensions["companion"].journal.tables()) == (1 if do == "restore" else 0)
    app.extensions["companion"].close()


def test_games_that_go_while_a_server_runs_are_told_and_nothing_is_taken(data, tmp_path):
    app = create_app(Config(data, demo=False))
    app.testing = False
    client, away = app.test_client(), tmp_path / "away"
    client.set_cookie("key-t", app.extensions["companion"].join_key("t", "host"))
    lay = {"intent": "act", "action": {"kind": "lay", "seat": 1, "cards": ["5S", "6H", "8C"]}, "seq": 2, "key": "k"}
    assert client.get("/api/health").get_json()["status"] == "ok"
    journal_file(data).rename(away)
    unwell = client.get("/api/health")
    assert unwell.status_code == 503 and "removed or replaced" in unwell.get_json()["error"]["message"]
    for lang, words in (("en", "removed or replaced"), ("ja", "対局記録を書き込めません")):
        refused = client.post(f"/api/tables/t/intents?lang={lang}", json=lay)
        assert refused.status_code == 500
        assert refused.get_json()["error"]["code"] == "journal-failed"
        assert words in refused.get_json()["error"]["message"]
    assert not journal_file(data).exists()  # no empty one is made by the way
    away.rename(journal_file(data))
    assert client.get("/api/health").status_code == 200
    assert client.post("/api/tables/t/intents", json=lay).get_json()["seq"] == 3
    app.extensions["companion"].close()


def test_without_a_whole_backup_the_page_says_where_to_look(data):
    for file in backup_folder(data).iterdir():
        file.write_bytes(b"")
    client = rescue_app(Config(data), DamagedError("the journal is damaged."), lambda: None).test_client()
    client.get(f"/owner/{(data / 'owner.key').read_text()}")
    page = client.get("/")
    assert "companion restore FILE" in page.text and 'value="restore"' not in page.text
    answer = client.post("/rescue", data={"token": token_of(page), "do": "restore"})
    assert answer.status_code == 500 and "nothing to restore" in answer.text


def test_damage_under_a_running_server_is_said_as_such(data):
    app = create_app(Config(data, demo=False))
    app.testing = False
    app.extensions["companion"].journal.close()
    damage(data)
    for side in ("-wal", "-shm"):
        journal_file(data).with_name(journal_file(data).name + side).unlink(missing_ok=True)
    answer = app.test_client().get("/api/tables/t/events?seen=0", headers={"Accept-Language": "en"})
    assert answer.status_code == 500
    assert "damaged" in answer.get_json()["error"]["message"]
    app.extensions["companion"].close()


def test_two_servers_do_not_use_one_folder(data):
    with used(data), pytest.raises(InUseError, match="another program uses"):
        serve("127.0.0.1", 0, data=data)
    assert (data / "secret").exists() is False


def test_a_running_server_holds_its_folder_and_a_killed_one_does_not(data, start):
    first = start(data)
    said(first, "Table Companion: http")
    assert said(start(data), "another program uses .*")[0].endswith(f"(process {first.pid}); stop it first.")
    first.kill()
    first.wait()
    said(start(data), "Table Companion: http")


def test_servers_that_start_together_on_an_empty_database_all_start(postgresql, tmp_path, start):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE together")
    servers = [start(tmp_path / str(n), f"{postgresql}/together") for n in range(3)]
    for server in servers:
        said(server, "Table Companion: http")
