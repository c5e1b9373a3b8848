"""The API: what goes through it, what it refuses, and in which words."""

import json

import pytest


def seen(client, table, **query):
    return client.get(f"/api/tables/{table}", query_string=query).get_json()["table"]


def test_a_whole_showdown(client, table, tap):
    assert [p["seat"] for p in seen(client, table)["prompts"]] == [0, 1]
    tap.lay(client, table, 0, "AS KS QS")
    answer = tap.lay(client, table, 1, "2H 2D 9C").get_json()["table"]
    assert answer["players"][0]["score"] == 1
    assert [c["marks"] for c in answer["zones"][0]["cards"]] == [["win"]] * 3
    assert answer["scores"][0]["cards"] == ["AS", "KS", "QS"]
    assert [e["verdict"] for e in answer["entries"]] == ["", "legal", "legal"]
    assert answer["results"]


def test_what_is_used_up_is_known_to_the_picker(client, table, tap):
    prompts = tap.lay(client, table, 0, "AS KS QS").get_json()["table"]["prompts"]
    slot = prompts[0]["slot"]
    assert (slot["least"], slot["most"], slot["side"], slot["target"]) == (3, 3, "up", "hand:1")
    assert slot["faces"] is None
    assert slot["used"] == {"AS": 1, "KS": 1, "QS": 1}


def test_a_foul_waits_until_it_is_taken_back_or_played_on(client, table, tap):
    picture = tap.lay(client, table, 0, "AS AS QS").get_json()["table"]
    (foul,) = picture["pending"]
    assert foul["verdict"] == "foul"
    assert foul["violations"][0]["cards"] == ["AS"]
    assert picture["zones"][0]["cards"] == []
    after = tap.intend(client, table, intent="play-on", of=foul["seq"]).get_json()["table"]
    assert [c["face"] for c in after["zones"][0]["cards"]] == ["AS", "AS", "QS"]
    back = tap.intend(client, table, intent="take-back", of=foul["seq"]).get_json()["table"]
    assert back["zones"][0]["cards"] == []


def test_identical_cards_are_in_order_with_two_decks(client, tap):
    table = tap.open(client, deck="52D2")
    assert tap.lay(client, table, 0, "AS AS QS").get_json()["table"]["pending"] == []


def test_an_earlier_entry_can_be_corrected(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS")
    tap.lay(client, table, 1, "2H 2D 9C")
    found = client.get(f"/api/tables/{table}/entries/2").get_json()
    assert found["action"]["cards"] == ["AS", "KS", "QS"]
    assert found["prompts"][0]["slot"]["least"] == 3
    action = {**found["action"], "cards": ["AS", "4D", "7C"]}
    after = tap.intend(client, table, intent="correct", of=2, action=action).get_json()["table"]
    assert after["players"][1]["score"] == 1
    assert after["entries"][1]["cards"] == ["AS", "4D", "7C"]


def test_the_same_key_twice_is_written_once(client, table, tap):
    first = tap.lay(client, table, 0, "AS KS QS", key="k1", seq=1)
    again = tap.lay(client, table, 0, "AS KS QS", key="k1", seq=1)
    assert first.get_json()["seq"] == again.get_json()["seq"] == 2
    assert len(seen(client, table)["entries"]) == 2


def test_a_late_tap_is_told_so_and_changes_nothing(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS", seq=1)
    late = tap.lay(client, table, 1, "2H 2D 9C", seq=1)
    assert late.status_code == 409
    assert late.get_json()["error"]["code"] == "conflict"
    assert late.get_json()["seq"] == 2
    assert len(seen(client, table)["entries"]) == 2


def test_only_devices_with_a_key_act(client, stranger, table, tap):
    refused = tap.lay(stranger, table, 0, "AS KS QS")
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert refused.get_json()["error"]["code"] == "read-only"
    assert seen(stranger, table)["prompts"] == []
    assert seen(client, table)["prompts"]


def test_a_key_of_one_table_opens_no_other(app, client, stranger, table, tap):
    desk = app.extensions["companion"]
    other = tap.open(client)
    assert stranger.get(f"/join/{desk.join_key(table, 'seat-1')}").status_code == 302
    assert tap.lay(stranger, table, 1, "AS KS QS").status_code == 200
    assert tap.lay(stranger, other, 1, "AS KS QS").status_code == 403
    assert seen(stranger, table)["role"] == {"name": "seat", "seat": 1, "acts": True}
    assert stranger.get("/join/nonsense").status_code == 403


def test_the_owners_key_is_host_everywhere_and_an_address_is_host_nowhere(app, owner, table):
    def role(**more):
        return app.test_client().get(f"/api/tables/{table}", **more).get_json()["table"]["role"]["name"]

    key = (app.extensions["companion"].config.data / "owner.key").read_text()
    assert role() == "spectator"  # straight from the own machine, under its own name: so comes everybody by a proxy
    assert role(headers={"Authorization": f"Bearer {key}"}) == "host"
    assert role(headers={"Authorization": f"Bearer {key[:-1]}"}) == "spectator"
    assert owner.get(f"/api/tables/{table}").get_json()["table"]["role"]["name"] == "host"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "no-such-game", "players": ["a", "b"]}, "bad-setup"),
        ({"game": "three-card-showdown", "players": ["a"]}, "bad-setup"),
        ({"game": "three-card-showdown", "players": ["a", "b"], "deck": "53D9"}, "bad-setup"),
        ({"game": "three-card-showdown", "players": ["a", "b"], "options": {"ace": "sometimes"}}, "bad-setup"),
        ({"game": "three-card-showdown", "players": ["a", "b"], "options": {"no": 1}}, "bad-field"),
        ({"game": "three-card-showdown", "players": "ab"}, "bad-field"),
        ({"game": 3, "players": ["a", "b"]}, "bad-field"),
        ({"game": "three-card-showdown", "players": ["x"] * 1000}, "bad-field"),
        ([], "bad-json"),
    ],
)
def test_a_game_that_cannot_start_says_why(client, body, code):
    answer = client.post("/api/tables", json=body)
    error = answer.get_json()["error"]
    assert answer.status_code in (400, 422)
    assert error["code"] == code
    assert error["message"]
    assert not error["message"].startswith("ui.")
    assert client.get("/api/tables").get_json()["tables"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"intent": "dance"},
        {"intent": "act"},
        {"intent": "act", "action": {"kind": 3}},
        {"intent": "act", "action": {"kind": "lay", "seat": True}},
        {"intent": "act", "action": {"kind": "lay", "cards": ["AS"] * 5000}},
        {"intent": "act", "action": {"kind": "lay", "cards": ["A" * 5000]}},
        {"intent": "act", "action": {"kind": "lay" * 400}},
        {"intent": "act", "action": {"kind": "lay", "args": {"x": 1.5}}},
        {"intent": "take-back", "of": "2"},
        {"intent": "take-back", "of": -1},
        {"intent": "play-on", "of": 99},
        {"intent": "take-back", "of": 1},
        {"intent": "act", "seq": "1", "action": {"kind": "lay"}},
        {"intent": "act", "key": "", "action": {"kind": "lay"}},
        {"intent": "act", "source": "oracle", "action": {"kind": "lay"}},
        "text",
        [1, 2],
    ],
)
def test_an_odd_intent_is_refused_in_one_sentence(client, table, body):
    answer = client.post(f"/api/tables/{table}/intents", json=body)
    assert answer.status_code in (400, 422)
    error = answer.get_json()["error"]
    assert set(error) == {"code", "message"}
    assert "{" not in error["message"]
    assert len(seen(client, table)["entries"]) == 1


def test_broken_bodies(client, table):
    path = f"/api/tables/{table}/intents"
    assert client.post(path, data="{", content_type="application/json").get_json()["error"]["code"] == "bad-json"
    assert client.post(path, data="intent=act").status_code == 415
    big = client.post(path, data=json.dumps({"x": "y" * 100_000}), content_type="application/json")
    assert big.status_code == 413
    assert big.get_json()["error"]["message"]


def test_odd_but_well_formed_actions_are_ruled_on_not_refused(client, table, tap):
    for action in (
        {"kind": "dance", "seat": 0},
        {"kind": "lay", "seat": 77, "cards": ["AS", "KS", "QS"]},
        {"kind": "lay", "seat": 0, "cards": ["ZZ", "KS", "QS"]},
        {"kind": "lay", "seat": 0, "cards": ["AS"]},
        {"kind": "lay", "seat": 0, "cards": ["AS", "KS", "?"]},
    ):
        answer = tap.intend(client, table, intent="act", action=action)
        assert answer.status_code == 200
        newest = answer.get_json()["table"]["entries"][-1]
        assert newest["verdict"] == "foul"
        for violation in newest["violations"]:
            assert violation["text"] != f"violation.{violation['code']}"


@pytest.mark.parametrize(
    "path", ["tables/none", "tables/none/entries", "decks/99D9", "nothing", "tables/none/entries/2"]
)
def test_what_is_not_there_has_one_error_shape(client, path):
    answer = client.get(f"/api/{path}")
    assert answer.status_code in (401, 404)
    assert set(answer.get_json()["error"]) == {"code", "message"}


def test_wrong_method_has_the_same_shape(client):
    assert set(client.delete("/api/tables").get_json()["error"]) == {"code", "message"}


def test_errors_speak_the_readers_language(client):
    japanese = client.get("/api/tables/none", headers={"Accept-Language": "ja"}).get_json()["error"]["message"]
    english = client.get("/api/tables/none", headers={"Accept-Language": "fr"}).get_json()["error"]["message"]
    assert english == "There is no such table."
    assert japanese == "そのテーブルはありません。"


def test_every_game_is_offered_with_its_decks(client):
    from companion.games import ids

    found = {g["id"]: g for g in client.get("/api/games").get_json()["games"]}
    assert set(found) == set(ids())
    for game in found.values():
        assert game["name"] != f"game.{game['id']}.name"
        for deck in game["decks"]:
            answer = client.get(f"/api/decks/{deck['name']}").get_json()
            assert sum(f["copies"] for s in answer["suits"] for f in s["faces"]) == answer["size"]
            assert not any(s["name"].startswith("suit.") for s in answer["suits"])


def test_names_are_cleaned_and_kept(client, tap):
    names = ["<script>alert(1)</script>", "  ", "a\u202eb\nc", "🃏" * 60]
    table = tap.open(client, players=names, deck="52D2")
    kept = [p["name"] for p in seen(client, table)["players"]]
    assert kept == ["<script>alert(1)</script>", "Player 2", "ab c", "🃏" * 40]


def test_the_whole_story_can_be_read_from_any_number(client, table, tap):
    tap.lay(client, table, 0, "AS KS QS")
    tap.lay(client, table, 1, "2H 2D 9C")
    entries = client.get(f"/api/tables/{table}/entries?after=1").get_json()["entries"]
    assert [e["seq"] for e in entries] == [2, 3]
    assert entries[0]["at"].startswith("20")
