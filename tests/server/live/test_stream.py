"""The live stream: whoever listens gets the newest picture, at once and once, also over a restart of the server."""

import json
import threading
import time

import pytest

from companion.server import Config, create_app
from companion.server.config import Opening
from companion.server.live.stream import Bus, Feed, Listener, Snapshot, SnapshotCache, sse


def stream(bus, *more):
    feed = Feed(bus, *more)
    while not bus.closed:
        if news := feed.news():
            yield news
        feed.wait()


def parse(text):
    fields = dict(line.split(": ", 1) for line in text.splitlines())
    return fields["event"], json.loads(fields["data"]), fields.get("id")


def events(answer):
    """The events of a stream as they come: (name, data, id)."""
    for chunk in answer.iter_encoded():
        for text in chunk.decode().split("\n\n"):
            if "event: " in text:
                yield parse(text)


def read(answer, count):
    """The first events after the greeting."""
    found = events(answer)
    assert next(found)[0] == "hello"
    return [next(found) for _ in range(count)]


def listen(client, table, seen=None, **query):
    headers = {} if seen is None else {"Last-Event-ID": str(seen)}
    return client.get(f"/api/tables/{table}/events", headers=headers, query_string=query, buffered=False)


def test_a_newcomer_gets_the_picture_and_a_known_one_does_not(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS")
    answer = listen(client, table)
    assert answer.mimetype == "text/event-stream"
    found = read(answer, 2)
    answer.close()
    assert [(e, i) for e, _, i in found] == [("table", "2"), ("around", None)]
    assert found[0][1]["zones"][0]["cards"][0]["face"] == "AS"
    again = listen(client, table, 2)
    assert [e for e, _, _ in read(again, 2)] == ["around", "beat"]
    again.close()


@pytest.mark.parametrize("known", ["-1", "x", "9" * 40, "", "1.0"])
def test_an_odd_last_event_id_counts_as_none(client, table, known):
    answer = listen(client, table, known)
    assert read(answer, 1)[0][0] == "table"
    answer.close()


def test_a_listener_hears_of_a_change_made_elsewhere(client, stranger, table, tap):
    answer = listen(stranger, table, seen=1)
    found = events(answer)
    assert [next(found)[0] for _ in range(2)] == ["hello", "around"]
    writer = threading.Thread(target=tap.lay, args=(client, table, 0, "AS KS QS"))
    writer.start()
    newest = next(event for event in found if event[0] == "table")
    writer.join()
    answer.close()
    assert newest[2] == "2"
    assert newest[1]["prompts"] == []  # a stranger only looks on


def test_whoever_missed_several_changes_gets_one_picture_with_all_of_them(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS")
    tap.lay(client, table, 1, "2H 2D 9C")
    answer = listen(client, table, 1)
    (name, picture, number), (after, _, _) = read(answer, 2)
    answer.close()
    assert (name, number, after) == ("table", "3", "around")
    assert [entry["seq"] for entry in picture["entries"]] == [1, 2, 3]


def test_people_are_counted_while_they_listen(app, client, table):
    bus = app.extensions["companion"].bus
    answer = listen(client, table)
    read(answer, 1)
    assert bus.listeners() == 1
    answer.close()
    assert bus.listeners() == 0


def test_streams_end_when_the_server_goes_down():
    bus = Bus()
    looks = SnapshotCache(bus)

    def look():
        return looks.look("t", "en", "host", lambda: (1, {"seq": 1}, {}))

    found = stream(bus, "t", 0, "host", 30.0, look)
    assert next(found) == sse("table", {"seq": 1}, 1) + sse("around", {})
    rest = []
    waiting = threading.Thread(target=lambda: rest.extend(found))
    waiting.start()
    bus.close()
    waiting.join(timeout=60)
    assert not waiting.is_alive()


def test_a_hundred_listeners_cost_one_drawing():
    bus = Bus()
    looks = SnapshotCache(bus)
    drawn, told = [], []
    barrier = threading.Barrier(100)

    def draw():
        drawn.append(None)
        time.sleep(0.05)  # long enough for all others to have asked
        return len(drawn), {"seq": len(drawn)}, {}

    def ask():
        barrier.wait()
        told.append(looks.look("t", "en", "host", draw))

    threads = [threading.Thread(target=ask) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(drawn), len(set(map(id, told)))) == (1, 1)
    bus.publish("t")
    assert looks.look("t", "en", "host", draw).seq == 2
    assert looks.look("t", "ja", "host", draw).seq == 3


def test_a_change_at_one_table_wakes_nobody_at_another():
    bus = Bus()
    woken = threading.Event()

    def wait():
        bus.wait("quiet", bus.version("quiet"), 60.0)
        woken.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    for _ in range(50):
        bus.publish("loud")
    assert not woken.wait(0.2)
    bus.publish("quiet")
    assert woken.wait(60)
    waiting.join()


def test_too_many_pages_are_told_to_wait(app, client, table):
    desk = app.extensions["companion"]
    with desk.bus.listening(table, Listener("x", "spectator")):
        object.__setattr__(desk.config, "streams", 1)
        answer = listen(client, table)
        assert answer.status_code == 503
        assert answer.get_json()["error"]["code"] == "too-many"


def test_after_a_restart_everybody_goes_on_where_he_was(client, tap, app, tmp_path):
    """The same journal under a new process: roles, numbers and keys of writes hold, and a page hears only what it does
    not know."""
    table = tap.open(client)
    first = tap.lay(client, table, 0, "AS KS QS", key="k1", seq=1)
    app.extensions["companion"].close()
    other = create_app(Config(tmp_path / "data", demo=False, heartbeat=0.05, opening=Opening.HOUSE))
    again = other.test_client()
    again.environ_base.update(client.environ_base)
    again._cookies = client._cookies  # the same browser
    known, new = listen(again, table, 2), listen(again, table, 1)
    assert [e for e, _, _ in read(known, 2)] == ["around", "beat"]
    assert [i for _, _, i in read(new, 1)] == ["2"]
    known.close()
    new.close()
    repeated = tap.lay(again, table, 0, "AS KS QS", key="k1", seq=1)
    assert repeated.get_json()["seq"] == first.get_json()["seq"] == 2
    late = tap.lay(again, table, 1, "2H 2D 9C", seq=1)
    assert (late.status_code, late.get_json()["seq"]) == (409, 2)
    assert tap.lay(again, table, 1, "2H 2D 9C", key="k2", seq=2).get_json()["seq"] == 3
    assert len(again.get(f"/api/tables/{table}/entries").get_json()["entries"]) == 3
    other.extensions["companion"].close()


def test_the_same_tap_from_many_threads_is_written_once(app, client, table, tap):
    answers = []
    barrier = threading.Barrier(8)

    def send():
        own = app.test_client()
        own.environ_base.update(client.environ_base)
        own._cookies = client._cookies
        barrier.wait()
        answers.append(tap.lay(own, table, 0, "AS KS QS", key="one-tap", seq=1))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(a.status_code, a.get_json()["seq"]) for a in answers] == [(200, 2)] * 8
    assert len(client.get(f"/api/tables/{table}/entries").get_json()["entries"]) == 2


def test_starting_a_game_twice_with_one_key_opens_one_table(client, stranger, tap):
    key = "0123456789abcdef"
    assert tap.open(client, key=key) == tap.open(client, key=key)
    assert len(client.get("/api/tables").get_json()["tables"]) == 1
    assert tap.open(client, key=key[::-1]) != tap.open(client)
    short = client.post("/api/tables", json={"game": "three-card-showdown", "players": ["a", "b"], "key": "1"})
    assert short.get_json()["error"]["code"] == "bad-field"  # a key that others could guess would hand them the table


def test_a_page_that_listens_anew_takes_its_own_place(app, client, table):
    """A hundred pages whose Wi-Fi has gone and come: they are not there twice."""
    bus = app.extensions["companion"].bus
    streams = []
    for _ in range(5):
        streams.append(events(listen(client, table, page="one")))
        assert next(streams[-1])[0] == "hello"
        assert len(bus.people(table)) == bus.listeners() == 1
    other = events(listen(client, table, page="two"))
    assert next(other)[0] == "hello"
    assert bus.listeners() == 2
    for old in streams[:-1]:
        list(old)  # they end
    assert next(streams[-1])[0] == "table"
    streams[-1].close()
    other.close()


def test_a_beat_comes_also_while_much_happens_that_the_listener_does_not_see():
    bus = Bus()
    snapshot = Snapshot(0, 1, "spectator", b"table", b"around")
    stop = threading.Event()

    def bustle():
        while not stop.wait(0.005):
            bus.publish("t")

    busy = threading.Thread(target=bustle)
    busy.start()
    try:
        found = stream(bus, "t", 0, "spectator", 0.05, lambda: snapshot)
        assert [next(found) for _ in range(3)] == [b"tablearound", sse("beat", {"seq": 1}), sse("beat", {"seq": 1})]
        found.close()
    finally:
        stop.set()
        busy.join()


def test_waiting_fouls_and_entries_have_an_end(client, table, tap, monkeypatch):
    """Every picture would carry them all."""
    from companion.server import desk
    from companion.server.show import present

    for number in range(desk.MOST_WAITING):
        assert tap.lay(client, table, 0, "AS AS AS", key=f"foul-{number}").status_code == 200
    assert tap.lay(client, table, 0, "AS AS AS").get_json()["error"]["code"] == "many-fouls"
    assert tap.lay(client, table, 0, "AS AS AS", key="foul-29").get_json()["seq"] == 31  # sent again: it is there
    picture = client.get(f"/api/tables/{table}").get_json()["table"]
    assert len(picture["pending"]) == present.SHOWN_PENDING
    assert tap.intend(client, table, intent="take-back", of=2).status_code == 200
    assert tap.lay(client, table, 0, "AS AS AS").status_code == 200
    monkeypatch.setattr(desk, "MOST_ENTRIES", len(picture["entries"]))
    assert tap.intend(client, table, intent="take-back", of=3).get_json()["error"]["code"] == "long-game"
