"""The live stream: whoever listens gets the newest picture, at once and once."""

import json
import threading
from itertools import islice

import pytest

from companion.server.live import Bus, sse, stream


def parse(chunk):
    fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
    return fields["event"], json.loads(fields["data"]), fields.get("id")


def read(answer, count):
    return [parse(chunk) for chunk in islice(answer.iter_encoded(), 1, count + 1)]


def test_a_newcomer_gets_the_picture_and_a_known_one_does_not(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS")
    answer = client.get(f"/tables/{table}/events", buffered=False)
    assert answer.mimetype == "text/event-stream"
    events = read(answer, 2)
    answer.close()
    assert [(e, i) for e, _, i in events] == [("table", "2"), ("around", None)]
    assert events[0][1]["zones"][0]["cards"][0]["face"] == "AS"
    again = client.get(f"/tables/{table}/events", headers={"Last-Event-ID": "2"})
    assert [e for e, _, _ in read(again, 2)] == ["around", "beat"]
    again.close()


@pytest.mark.parametrize("known", ["-1", "x", "9" * 40, "", "٣"])
def test_an_odd_last_event_id_counts_as_none(client, table, known):
    answer = client.get(f"/tables/{table}/events", headers={"Last-Event-ID": known})
    assert read(answer, 1)[0][0] == "table"
    answer.close()


def test_a_listener_hears_of_a_change_made_elsewhere(client, stranger, table, tap):
    answer = stranger.get(f"/tables/{table}/events?seen=1")
    events = (parse(chunk) for chunk in islice(answer.iter_encoded(), 1, None))
    assert next(events)[0] == "around"
    writer = threading.Thread(target=tap.lay, args=(client, table, 0, "AS KS QS"))
    writer.start()
    newest = next(event for event in events if event[0] == "table")
    writer.join()
    answer.close()
    assert newest[2] == "2"
    assert newest[1]["prompts"] == []  # a stranger only looks on


def test_people_are_counted_while_they_listen(app, client, table):
    bus = app.extensions["companion"].bus
    answer = client.get(f"/tables/{table}/events")
    read(answer, 1)
    assert bus.listeners() == 1
    answer.close()
    assert bus.listeners() == 0


def test_streams_end_when_the_server_goes_down():
    bus = Bus()
    events = stream(bus, "t", 0, 30.0, lambda: (1, {"seq": 1}, {}))
    assert [next(events) for _ in range(3)][1] == sse("table", {"seq": 1}, 1)
    rest = []
    waiting = threading.Thread(target=lambda: rest.extend(events))
    waiting.start()
    bus.close()
    waiting.join(timeout=20)
    assert not waiting.is_alive()


def test_too_many_pages_are_told_to_wait(app, client, table):
    desk = app.extensions["companion"]
    with desk.bus.listening(table, "spectator", "x"):
        object.__setattr__(desk.config, "streams", 1)
        assert client.get(f"/tables/{table}/events").status_code == 503
