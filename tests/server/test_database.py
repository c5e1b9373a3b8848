"""The server on PostgreSQL: one table under two servers, live on both; what belongs to files is refused in words."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.server import Config, create_app

STRANGER = {"REMOTE_ADDR": "192.0.2.77"}


@pytest.fixture
def database(postgresql):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE games")
    yield f"{postgresql}/games"
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE games WITH (FORCE)")


def test_two_servers_share_their_tables_and_hear_each_other(database, tmp_path, tap):
    servers = [create_app(Config(tmp_path, demo=False, heartbeat=0.05, database=database)) for _ in range(2)]
    writer, reader = (server.test_client() for server in servers)
    table = tap.open(writer)
    reader.set_cookie(f"key-{table}", writer.get_cookie(f"key-{table}").value)
    stream = reader.get(f"/api/tables/{table}/events", headers={"Last-Event-ID": "1"}, buffered=False)
    pictures = (
        json.loads(text.split("data: ")[1])
        for chunk in stream.iter_encoded()
        for text in chunk.decode().split("\n\n")
        if "event: table" in text or "event: around" in text
    )
    assert "people" in next(pictures)
    assert tap.lay(writer, table, 0, "AS KS QS", seq=1, key="k").status_code == 200
    picture = next(found for found in pictures if "seq" in found)
    stream.close()
    assert picture["seq"] == 2
    assert (
        tap.lay(reader, table, 0, "AS KS QS", seq=1, key="k").get_json()["seq"] == 2
    )  # the same tap, sent again there
    assert tap.lay(reader, table, 1, "2H 2D 9C", seq=1).status_code == 409
    assert tap.lay(reader, table, 1, "2H 2D 9C", seq=2).status_code == 200
    assert len(writer.get(f"/api/tables/{table}").get_json()["table"]["entries"]) == 3
    assert not (tmp_path / "journal.sqlite3").exists()
    owner = {"Authorization": f"Bearer {(tmp_path / 'owner.key').read_text()}"}
    refused = writer.get("/backup", headers=owner)
    assert refused.status_code == 422
    assert "pg_dump" in refused.get_json()["error"]["message"]
    for server in servers:
        server.extensions["companion"].close()


def test_a_database_that_is_not_there_is_one_sentence(tmp_path):
    pytest.importorskip("psycopg")
    address = "postgresql://me:secret@127.0.0.1:1/games"
    result = CliRunner().invoke(main, ["serve", "--data", str(tmp_path), "--port", "0", "--database", address])
    assert result.exit_code == 2
    assert result.output.startswith("Error: the journal postgresql+psycopg://me:***@127.0.0.1:1/games cannot be opened")
    assert "secret" not in result.output
    assert result.output.count("\n") == 1
