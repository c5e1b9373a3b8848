"""Evenings: games ended by people, the next one, profiles and seasons, results to show around, tables put away."""

import json
import random
import re
from xml.etree import ElementTree

import pytest

from companion.games import game, ids
from companion.referee import Acted
from companion.referee.simulate import choose
from companion.server.evenings import Evenings

EN = {"Accept-Language": "en"}
HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture
def finished(client, tap):
    """A function that plays a showdown of three (Anna wins) and ends it; returns the table's id."""

    def play(by=client, winner=0, **changes):
        table = tap.open(by, **{"players": ["Anna", "Ben", "Chie"], **changes})
        hands = ["AS AH AD", "2S 3H 5D", "2D 3C 6H"]
        hands[0], hands[winner] = hands[winner], hands[0]
        for seat, cards in enumerate(hands):
            assert tap.lay(by, table, seat, cards).status_code == 200
        assert tap.intend(by, table, intent="finish").status_code == 200
        return table

    return play


def picture(client, table):
    return client.get(f"/api/tables/{table}?lang=en").get_json()["table"]


# --- the end ---------------------------------------------------------------------------------------------------------


def test_the_host_ends_an_endless_game_and_takes_it_back(client, tap, finished):
    table = finished()
    shown = picture(client, table)
    assert shown["over"] is True
    assert shown["winners"] == [0]
    assert shown["prompts"] == []
    last = shown["entries"][-1]
    assert (last["kind"], last["text"], last["revocable"]) == ("finished", "The game ends here", True)
    refused = tap.lay(client, table, 0, "4S 4H 4D")
    assert refused.status_code == 422
    assert tap.intend(client, table, intent="take-back", of=last["seq"]).status_code == 200
    assert picture(client, table)["over"] is False


@pytest.mark.parametrize("name", ids())
def test_every_game_can_be_ended_by_the_table(client, tap, name):
    players = ["Anna", "Ben", "Chie"][: max(2, game(name).least_players)]
    table = tap.open(client, game=name, players=players, deck="")
    assert picture(client, table)["over"] is False
    assert tap.intend(client, table, intent="finish").status_code == 200
    shown = picture(client, table)
    assert shown["over"] is True
    assert shown["prompts"] == []
    assert client.get(f"/history/{table}/result.svg?lang=en").status_code == 200
    assert client.get(f"/history/{table}/sheet", headers=EN).status_code == 200


def test_a_seat_does_not_end_the_game(app, client, stranger, tap, table):
    stranger.get(f"/join/{app.extensions['companion'].join_key(table, 'seat-0')}")
    assert tap.intend(stranger, table, intent="finish").status_code == 403


def test_the_next_game_has_the_same_people_one_seat_on(client, stranger, finished):
    table = finished(teams=["Red", "", "Red"])
    assert stranger.post(f"/api/tables/{table}/again", json={}).status_code == 401
    for turn, names in ((False, ["Anna", "Ben", "Chie"]), (True, ["Ben", "Chie", "Anna"])):
        opened = client.post(f"/api/tables/{table}/again", json={"turn": turn})
        assert opened.status_code == 201
        new = picture(client, opened.get_json()["id"])
        assert [p["name"] for p in new["players"]] == names
        assert new["deck"] == "52D1"
        assert new["role"]["name"] == "host"
    first = client.get(f"/history/{opened.get_json()['id']}/events.json").get_json()["events"][0]["event"]
    assert first["teams"] == ["", "Red", "Red"]


def test_teams_are_one_for_every_player(client):
    body = {"game": "three-card-showdown", "players": ["Anna", "Ben"], "teams": ["Red"]}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 422
    assert answer.get_json()["error"]["code"] == "bad-teams"


# --- players and seasons ---------------------------------------------------------------------------------------------


def test_profiles_and_the_table_of_a_season(client, finished):
    finished()
    finished(winner=1, players=["ben", "Anna", HOSTILE])
    finished(players=["", "Anna", "Chie"])
    page = client.get("/players", headers=EN).text
    assert "<script>alert" not in page
    assert "Player 1" not in page
    anna = client.get("/players/ANNA", headers=EN).text
    assert "<h1><bdi>Anna</bdi></h1>" in anna
    assert '<a href="/players/ben">' in anna
    assert client.get("/players/nobody", headers=EN).status_code == 404
    year = page.split('<option value="20')[1][:2]
    assert "<bdi>Anna</bdi>" in client.get(f"/players?season=20{year}&game=three-card-showdown", headers=EN).text
    assert "<bdi>Anna</bdi>" not in client.get("/players?season=1999", headers=EN).text
    assert "連勝" in client.get("/players", headers={"Accept-Language": "ja"}).text


def test_a_player_sees_how_often_he_was_ahead_of_everybody_he_met(client, finished):
    finished()
    finished()
    finished(winner=1, players=["anna", "BEN", "Dan"])
    finished(winner=1, players=["Ben", "Chie", "Dan"])  # without Anna
    page = client.get("/players/anna", headers=EN).text
    head, body = re.search(
        r"<h2 id=\"rivals-title\">.*?<thead>(.*?)</thead>.*?<tbody>(.*?)</tbody>", page, re.DOTALL
    ).groups()
    assert re.findall(r"<th scope=\"col\"[^>]*>([^<]*)</th>", head) == ["Player", "ahead", "behind", "level", "Games"]
    rows = {}
    for row in body.split("</tr>")[:-1]:
        rows[re.search(r"<bdi>(.*?)</bdi>", row)[1]] = list(map(int, re.findall(r"<td[^>]*>(\d+)</td>", row)))
    assert rows == {"BEN": [2, 1, 0, 3], "Chie": [2, 0, 0, 2], "Dan": [0, 0, 1, 1]}
    bar = re.search(r"<bdi>BEN</bdi>.*?</svg>", body, re.DOTALL)[0]
    shares = [float(width) for width in re.findall(r'<rect class="\w+"[^>]*? width="([\d.]+)"', bar)]
    assert shares == pytest.approx([200 / 3, 100 / 3])


def test_a_game_that_goes_on_counts_for_nobody(client, tap):
    tap.open(client)
    assert "No game has come to an end yet" in client.get("/players", headers=EN).text


def test_names_are_offered_to_those_who_open_tables(client, tap):
    for names in (["Anna", "Ben"], ["Dan", "Emi"], ["Ben", "Anna"], ["", "Finn"]):
        tap.open(client, players=names)
    found = client.get("/api/players").get_json()
    assert found["rounds"] == [["Ben", "Anna"], ["Dan", "Emi"]]
    assert set(found["names"]) == {"Anna", "Ben", "Dan", "Emi"}


# --- to show around --------------------------------------------------------------------------------------------------


def test_the_result_is_a_picture_without_anything_from_outside(client, finished):
    table = finished(players=["Anna", HOSTILE, "とても長い名前のプレイヤーです一二三四五六"], teams=["R", "B", "R"])
    for lang, name in (("en", "Three Card Showdown"), ("ja", "")):
        answer = client.get(f"/history/{table}/result.svg?lang={lang}")
        assert answer.mimetype == "image/svg+xml"
        drawing = ElementTree.fromstring(answer.text)
        told = "|".join(drawing.itertext())
        assert "Anna" in told
        assert HOSTILE[:12] in told
        assert "…" in told
        assert name in told
        assert "R 1" in told
        assert "script" not in {element.tag.rpartition("}")[2] for element in drawing.iter()}
        assert "href" not in answer.text


def test_the_score_sheet_has_every_round(client, tap, finished):
    table = finished()
    page = client.get(f"/history/{table}/sheet", headers=EN).text
    assert page.count("<tr>") == 3
    assert "+1" in page
    empty = tap.open(client)
    assert "No points yet" in client.get(f"/history/{empty}/sheet", headers=EN).text


# --- put away, taken out, brought back -------------------------------------------------------------------------------


def test_an_archived_table_leaves_the_home_page_and_still_counts(client, finished):
    table = finished()
    assert f'href="/tables/{table}"' in client.get("/", headers=EN).text
    assert client.post(f"/api/tables/{table}/archive", json={"archived": True}).status_code == 200
    assert f'href="/tables/{table}"' not in client.get("/", headers=EN).text
    assert "Archive (1)" in client.get("/history", headers=EN).text
    assert "<bdi>Anna</bdi>" in client.get("/players", headers=EN).text
    assert client.post(f"/api/tables/{table}/archive", json={"archived": False}).status_code == 200
    assert f'href="/tables/{table}"' in client.get("/", headers=EN).text


def test_a_table_is_removed_with_its_pictures_and_comes_back_as_it_was(app, client, stranger, owner, finished):
    table, other = finished(), finished()
    desk = app.extensions["companion"]
    key = desk.journal.put_evidence(b"a picture", "image/jpeg")
    desk.journal.note(table, lambda meta: {**meta, "photographs": {"4": key}})
    before = client.get(f"/history/{table}/events.json").get_json()
    path = f"/api/tables/{table}/remove"
    assert stranger.post(path, json={"sure": table}).status_code == 401
    assert client.post(path, json={"sure": other}).status_code == 422
    answer = client.post(path, json={"sure": table})
    assert answer.status_code == 200
    for gone in (f"/api/tables/{table}", f"/history/{table}", f"/evidence/{key}"):
        assert client.get(gone).status_code == 404
    assert client.get(f"/api/tables/{other}").status_code == 200
    kept = answer.get_json()["kept"]
    assert kept in owner.get("/history", headers=EN).text
    assert kept not in client.get("/history", headers=EN).text
    assert client.post(f"/api/removed/{kept}/restore", json={}).status_code == 403
    assert owner.post(f"/api/removed/{kept}/restore", json={}).get_json()["id"] == table
    assert client.get(f"/history/{table}/events.json").get_json() == before
    assert client.get(f"/evidence/{key}").data == b"a picture"
    assert owner.post(f"/api/removed/{kept}/restore", json={}).status_code == 404
    from companion.journal import examine

    desk.close()
    assert examine(f"sqlite:///{desk.config.data / 'journal.sqlite3'}") == 2


def test_a_picture_of_two_tables_stays_when_one_is_removed(app, client, finished):
    table, other = finished(), finished()
    journal = app.extensions["companion"].journal
    key = journal.put_evidence(b"the same", "image/jpeg")
    for one in (table, other):
        journal.note(one, lambda meta: {**meta, "photographs": {"4": key}})
    assert client.post(f"/api/tables/{table}/remove", json={"sure": table}).status_code == 200
    assert client.get(f"/evidence/{key}").status_code == 200


def test_what_cannot_be_kept_is_not_removed(app, client, finished, monkeypatch):
    table = finished()
    folder = app.extensions["companion"].config.data / "removed"
    folder.write_text("a file where the folder should be")
    answer = client.post(f"/api/tables/{table}/remove", json={"sure": table})
    assert answer.status_code == 500
    assert answer.get_json()["error"]["code"] == "backup-failed"
    assert client.get(f"/api/tables/{table}").status_code == 200


def test_a_damaged_note_about_a_removed_table_hides_nothing_else(tmp_path, app):
    desk = app.extensions["companion"]
    folder = desk.config.data / "removed"
    folder.mkdir()
    (folder / "20260101-000000-abc.json").write_text("no json")
    (folder / "20260102-000000-abc.json").write_text(json.dumps({"game": "x", "created": "2026"}))
    (folder / "20260102-000000-abc.sqlite3").write_bytes(b"x")
    assert [row["name"] for row in Evenings(desk.journal, desk.texts, desk.config.data).removed()] == [
        "20260102-000000-abc"
    ]


# --- the page that listens while its table goes ----------------------------------------------------------------------


def test_a_listener_of_a_removed_table_is_let_go(app, client, finished):
    table = finished()
    with client.get(f"/api/tables/{table}/events", buffered=False) as stream:
        pieces = iter(stream.response)
        next(pieces)
        assert client.post(f"/api/tables/{table}/remove", json={"sure": table}).status_code == 200
        assert b"event: gone" in b"".join(pieces)
    assert client.get(f"/api/tables/{table}/events").status_code == 404


def test_what_the_lines_of_a_round_begin_with_alike_stands_once_on_the_sheet(client, tap):
    table = tap.open(client, game="hexa-card", players=["Anna", "Ben"])
    match = client.application.extensions["companion"].match(table)
    chance = random.Random(2)
    state, world = match.state, match.game.world(match.setup, chance)
    for seq in range(1, 60):
        action = choose("simple", world, state, chance)
        if action is None or len(match.game.scores(state)) > 2:
            break
        after = match.game.apply(state, action)
        world.follow(state, action, after)
        state = after
        client.application.extensions["companion"].journal.append(table, Acted(action), expected_seq=seq)
    assert len(match.game.scores(state)) > 2
    for lang, head in (("en", "Game 1"), ("ja", "第1ゲーム")):
        page = client.get(f"/history/{table}/sheet?lang={lang}", headers={"Accept-Language": lang}).text
        assert page.count(head) == 1
        assert f"<td>{head}</td>" in page


def test_who_is_level_shares_a_place_in_the_season(client, tap):
    table = tap.open(client, players=["Anna", "Ben", "Chie"])
    assert tap.intend(client, table, intent="finish").status_code == 200
    page = client.get("/players", headers=EN).text
    places = re.findall(r'<span class="rank" aria-hidden="true">(\d+)</span>', page)
    assert places == ["1", "1", "1"]
