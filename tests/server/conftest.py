"""An application with a journal of its own, and a client that is the host of a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.server import Config, create_app
from companion.server.config import Opening

STRANGER = {"REMOTE_ADDR": "192.0.2.77"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = create_app(Config(tmp_path / "data", demo=False, heartbeat=0.05, opening=Opening.HOUSE))
    application.testing = False
    yield application
    application.extensions["companion"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A device in the network: not the server's own machine, so what it may do comes from its keys alone."""
    found = app.test_client()
    found.environ_base.update(STRANGER)
    return found


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """Another device, without any key."""
    found = app.test_client()
    found.environ_base.update(STRANGER)
    return found


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    """The browser in which the link was opened that the server printed at its start."""
    found = app.test_client()
    found.environ_base.update(STRANGER)
    assert found.get(f"/owner/{app.extensions['companion'].keys.owner}").status_code == 302
    return found


class Tapper:
    """What a page does, through the API."""

    def open(self, client: FlaskClient, **changes: Any) -> str:
        """Start a showdown of Anna and Ben with one 52-card deck (or what `changes` says); returns the table's id."""
        body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1", **changes}
        answer = client.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.get_json()["id"])

    def intend(self, client: FlaskClient, table: str, **body: Any) -> TestResponse:
        return client.post(f"/api/tables/{table}/intents", json=body)

    def lay(self, client: FlaskClient, table: str, seat: int, cards: str, **more: Any) -> TestResponse:
        action = {"kind": "lay", "seat": seat, "cards": cards.split(), "args": {}}
        return self.intend(client, table, intent="act", action=action, **more)


@pytest.fixture
def tap() -> Tapper:
    return Tapper()


@pytest.fixture
def table(client: FlaskClient, tap: Tapper) -> str:
    """A showdown of which `client` is the host."""
    return tap.open(client)
