"""Schemathesis reads the API's document, makes up requests that fit it and requests that do not, sends them to a
running server, and measures every answer with all its checks."""

import os
import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest
import schemathesis
from cheroot import wsgi
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from companion.referee import Finished, TookBack
from companion.server import Config, create_app
from companion.server.access import public_name
from companion.server.config import Opening
from companion.server.live.stream import Listener

DEVICE = "0123456789abcdef"
SECONDS, LEAST = int(os.environ.get("FUZZ_SECONDS", "30")), 200
"""A run ends after so long, but not before so many answers have been measured. `make fuzz` takes longer."""

ANSWERS = ["2xx", "401", "403", "404", "409", "422"]
CHECKS = {
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
    "missing_required_header",
    "unsupported_method",
    "allow_header_conformance",
    "use_after_free",
    "ensure_resource_availability",
    "ignored_auth",
}


@schemathesis.serializer("application/vnd.sqlite3", "application/toml", "application/zip", "image/jpeg", "image/png")
def plain_bytes(_context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@contextmanager
def serving(app, key, go_on):
    """The application on a port, as another machine sees it. The key that stands for the host's stays good when a
    request revokes it: what comes after shall not be refused for that alone. So a game that a request has ended
    goes on (`go_on`)."""

    def other_machine(environ, start):
        go_on()
        environ["REMOTE_ADDR"] = "192.0.2.7"
        if environ.get("HTTP_AUTHORIZATION") == "Bearer the-host":
            environ["HTTP_AUTHORIZATION"] = f"Bearer {key()}"
        return app(environ, start)

    server = wsgi.Server(("127.0.0.1", 0), other_machine, numthreads=8)
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.bind_addr[1]}"
    finally:
        app.extensions["companion"].bus.close()
        server.stop()
        thread.join()


@pytest.mark.parametrize("known", [True, False], ids=["a table that is there", "any address"])
def test_the_api_does_what_its_document_says(tmp_path, known):
    app = create_app(Config(tmp_path / "data", demo=False, heartbeat=0.02, camera="none", opening=Opening.HOUSE))
    desk = app.extensions["companion"]
    start = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "deck": "52D1"}
    table = app.test_client().post("/api/tables", json=start).get_json()["id"]
    config = {
        "seed": 20,
        "headers": {"Authorization": "Bearer the-host"},
        "max-stream-events": 3,
        "generation": {"deterministic": True, "max-examples": 8 * max(1, SECONDS // 30), "database": "none"},
        # What the game or the table does not allow is answered with 422: no schema can say which entry may be taken
        # back now, or whether a text of the table's own is a good one.
        "checks": {"positive_data_acceptance": {"expected-statuses": ANSWERS}},
        "operations": [
            {  # corners, mat and tags each fit the schema and exclude each other; the handler names the one too many
                "include-path-regex": "/camera/(area|proof)$",
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ANSWERS, "400"]}},
            },
            {  # so many tables a minute
                "include-path-regex": "^/api/(practice|tables(/[^/]+/again)?)$",
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ANSWERS, "429"]}},
            },
        ],
        "continue-on-failure": True,
    }
    if known:
        config["parameters"] = {"path.table_id": table, "path.device": public_name(DEVICE)}
    else:
        config["phases"] = {"fuzzing": {"enabled": False}, "stateful": {"enabled": False}}
    failures, made, errors = {}, Counter(), []

    def go_on():
        if (match := desk.match(table)).finished:
            ends = [entry.seq for entry in match.entries if isinstance(entry.event, Finished) and entry.standing]
            desk.journal.append(table, TookBack(ends[-1]))

    with (
        serving(app, lambda: desk.join_key(table, "host"), go_on) as address,
        desk.bus.listening(table, Listener(DEVICE, "seat-1", named=True)),
    ):
        schema = schemathesis.openapi.from_url(
            f"{address}/api/openapi.json", config=SchemathesisConfig.from_dict(config)
        ).exclude(path_regex="/remove$")  # it would take away the table that the other requests are about
        stream, end = from_schema(schema).execute(), time.monotonic() + SECONDS
        for event in stream:
            if time.monotonic() > end and made["not_a_server_error"] > LEAST:
                stream.stop()  # a machine with other work does fewer requests, not the same in more time
            if isinstance(event, events.ScenarioFinished):
                for checks in event.recorder.checks.values():
                    for check in checks:
                        made[check.name] += 1
                        if check.failure_info is not None:
                            failure = check.failure_info.failure
                            failures.setdefault(
                                (event.label, check.name, failure.title),
                                f"{failure.message}\n{check.failure_info.code_sample}",
                            )
            elif isinstance(event, events.NonFatalError | events.FatalError):
                errors.append(f"{getattr(event, 'label', '')}: {getattr(event, 'info', None) or event.exception}")
    assert not failures, "\n\n".join(f"{key}\n{text}" for key, text in failures.items())
    assert not errors, "\n".join(errors)
    entries = len(desk.match(table).entries)
    print(f"{made['not_a_server_error']} answers measured, {made.total()} checks, {entries} entries")
    assert set(made) >= CHECKS
    assert made["not_a_server_error"] > LEAST
    if known and time.monotonic() < end:
        assert len(desk.match(table).entries) > 4  # the requests did get through to the referee
