"""History: games again at any event, exports that are whole and harmless, backup and restore from the page."""

import csv
import io
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.referee import event_from_json
from companion.referee.record import parse, replay

BACKUP = "application/vnd.sqlite3"


@pytest.fixture
def played(client, tap, table):
    """One showdown played: entry 3 is a foul that was taken back, Anna wins with three aces of her own."""
    tap.lay(client, table, 0, "AS AH AD")
    tap.lay(client, table, 1, "AS 3H 4D")
    tap.intend(client, table, intent="take-back", of=3)
    tap.lay(client, table, 1, "2S 3H 5D")
    return table


def at(client, table, seq):
    return client.get(f"/api/tables/{table}/at/{seq}?lang=en")


def known(picture):
    return {zone["id"]: [card["face"] for card in zone["cards"]] for zone in picture["zones"]}


# --- the list and the replay -----------------------------------------------------------------------------------------


def test_the_list_names_players_result_and_state(client, played):
    page = client.get("/history", headers={"Accept-Language": "en"}).text
    assert f'href="/history/{played}"' in page
    assert "<bdi>Anna</bdi> <b>1</b>" in page
    assert "<bdi>Ben</bdi> <b>0</b>" in page
    assert "goes on" in page
    assert "進行中" in client.get("/history", headers={"Accept-Language": "ja"}).text


def test_any_event_shows_the_table_as_it_was(client, played):
    shown = [at(client, played, seq).get_json()["table"] for seq in (1, 2, 3, 4, 5)]
    assert [picture["seq"] for picture in shown] == [1, 2, 3, 4, 5]
    assert known(shown[0])["hand:0"] == []
    assert known(shown[1])["hand:0"] == ["AS", "AH", "AD"]
    assert [entry["seq"] for entry in shown[2]["pending"]] == [3]
    assert shown[3]["pending"] == []
    assert known(shown[4])["hand:1"] == ["2S", "3H", "5D"]
    assert shown[4]["scores"]


def test_a_past_table_cannot_be_acted_on(client, played):
    assert client.get(f"/api/tables/{played}").get_json()["table"]["role"]["acts"] is True
    for seq in (2, 5):
        picture = at(client, played, seq).get_json()["table"]
        assert picture["role"]["acts"] is False
        assert picture["prompts"] == []


def test_the_past_goes_on_with_the_game(client, tap, played):
    assert at(client, played, 6).status_code == 404
    tap.intend(client, played, intent="take-back", of=5)
    assert known(at(client, played, 6).get_json()["table"])["hand:1"] == []
    assert known(at(client, played, 5).get_json()["table"])["hand:1"] == ["2S", "3H", "5D"]
    for seq in ("0", "7", "999999999"):
        answer = at(client, played, seq)
        assert answer.status_code == 404
        assert answer.get_json()["error"]["code"] == "no-entry"


def test_the_replay_page_stands_in_both_languages(client, tap):
    table = tap.open(client, players=['"><script>alert(1)</script>', "</script><img src=x>"])
    for lang in ("en", "ja"):
        page = client.get(f"/history/{table}?lang={lang}")
        assert page.status_code == 200
        assert (
            "history."
            not in page.text.replace("/js/history.js", "")
            .replace("/css/history.css", "")
            .split('<script type="application/json"')[0]
        )
        assert "<script>alert" not in page.text
        assert "<img src=x>" not in page.text
    assert client.get("/history/none").status_code == 404


RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*.txt"))


@pytest.mark.parametrize("name", ["aces-king", "hexa", "joker", "pokard", "sixty", "three-card-trick", "trading"])
def test_every_game_can_be_looked_at_again(app, client, name):
    file = next(path for path in RECORDS if path.name.startswith(name))
    record = parse(file.read_text(encoding="utf-8"))
    desk = app.extensions["companion"]
    table = desk.open_table(record.started)
    for event in record.events[1:]:
        desk.journal.append(table, event)
    match = desk.match(table)
    count = len(match.entries)
    for seq in {1, 2, count // 2, count - 1, count}:
        picture = at(client, table, seq).get_json()["table"]
        assert picture["seq"] == seq
    page = client.get(f"/history/{table}?lang=ja")
    assert page.status_code == 200
    assert ("bgstatsapp" in page.text) == (match.over or match.game.endless)
    listed = client.get("/history", headers={"Accept-Language": "en"}).text
    assert listed.count(">won<") == len(match.game.winners(match.state))
    again = parse(client.get(f"/history/{table}/record.txt").text) if match.over else record
    assert [type(event) for event in again.events] == [type(event) for event in record.events]


# --- to take away ----------------------------------------------------------------------------------------------------


def test_scores_open_in_a_spreadsheet(client, tap):
    names = ['=HYPERLINK("http://x")', "+1", "-2", "@SUM(A1)", "  =3", "健太, Ken"]
    table = tap.open(client, players=names, deck="52D2")
    hands = ("AS AH AD", "2S 3H 5D", "2H 3D 5C", "2D 3C 5S", "2C 3S 5H", "4S 6H 8D")
    for seat, cards in enumerate(hands):
        assert tap.lay(client, table, seat, cards).status_code == 200
    answer = client.get(f"/history/{table}/scores.csv?lang=ja")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows[0][:2] == ["席", "プレイヤー"]
    assert [row[:4] for row in rows[1:]] == [["1", '\'=HYPERLINK("http://x")', "1", "1"]]
    from companion.server.routes.history import harmless

    assert [harmless(name) for name in names] == [*("'" + name for name in names[:5]), "健太, Ken"]


def test_all_events_come_back_from_json(client, played):
    found = json.loads(client.get(f"/history/{played}/events.json").data)
    assert [event["seq"] for event in found["events"]] == [1, 2, 3, 4, 5]
    kinds = [type(event_from_json(event["event"])).__name__ for event in found["events"]]
    assert kinds == ["Started", "Acted", "Acted", "TookBack", "Acted"]
    assert found["events"][2]["ruling"]["verdict"] == "foul"


def test_the_record_is_refereed_to_the_same_end(client, played):
    record = parse(client.get(f"/history/{played}/record.txt").text)
    steps = list(replay(record))
    assert [step.differences for step in steps if step.differences] == []
    assert steps[-1].match.game.totals(steps[-1].match.state) == {0: 1, 1: 0}


def test_a_running_game_gives_its_events_to_who_keeps_score_only(client, stranger, played):
    for name in ("events.json", "record.txt"):
        assert client.get(f"/history/{played}/{name}").status_code == 200
        assert stranger.get(f"/history/{played}/{name}").status_code == 403
    assert "events.json" not in stranger.get(f"/history/{played}").text
    assert stranger.get(f"/history/{played}/scores.csv").status_code == 200


def test_the_link_for_bg_stats_says_who_won(client, played):
    import html
    import re

    page = client.get(f"/history/{played}?lang=en").text
    link = urlsplit(html.unescape(re.search(r'href="(https://app.bgstatsapp.com/[^"]+)"', page)[1]))
    play = json.loads(parse_qs(link.query)["data"][0])
    assert play["sourcePlayId"] == played
    assert play["game"]["sourceGameId"] == "three-card-showdown"
    assert [(p["name"], p["score"], p["winner"]) for p in play["players"]] == [("Anna", "1", True), ("Ben", "0", False)]


def test_a_game_without_scores_has_no_play_to_hand_over(client, table):
    assert "bgstatsapp" not in client.get(f"/history/{table}").text


# --- everything in one file ------------------------------------------------------------------------------------------


def test_there_and_back(app, owner, client, tap, played):
    saved = owner.get("/backup")
    assert saved.status_code == 200
    assert saved.headers["Content-Disposition"].startswith("attachment; filename=table-companion-")
    file = saved.get_data()
    saved.close()
    assert at(client, played, 5).status_code == 200
    tap.intend(client, played, intent="take-back", of=2)
    later = tap.open(client)
    answer = owner.post("/api/restore", data=file, content_type=BACKUP)
    assert answer.status_code == 200, answer.text
    data = app.extensions["companion"].config.data
    assert (data / answer.get_json()["kept"]).is_file()
    assert client.get(f"/api/tables/{later}").status_code == 404
    assert client.get(f"/api/tables/{played}").get_json()["table"]["seq"] == 5
    assert tap.intend(client, played, intent="take-back", of=5, seq=5).status_code == 200
    assert known(at(client, played, 6).get_json()["table"])["hand:0"] == ["AS", "AH", "AD"]
    assert sorted(path.name for path in data.iterdir() if path.is_dir()) == []


@pytest.mark.parametrize(("lang", "words"), [("en", "not a backup"), ("ja", "バックアップではありません")])
def test_a_foreign_file_is_one_sentence(owner, client, played, lang, words):
    answer = owner.post(f"/api/restore?lang={lang}", data=b"Dear diary" * 20_000, content_type=BACKUP)
    assert answer.status_code == 422
    assert words in answer.get_json()["error"]["message"]
    assert client.get(f"/api/tables/{played}").get_json()["table"]["seq"] == 5


def test_only_the_owner_backs_up_and_restores(client, owner, played):
    assert client.get("/backup").status_code == 403
    assert client.post("/api/restore", data=b"x", content_type=BACKUP).status_code == 403
    assert 'href="/backup"' in owner.get("/history").text
    assert 'href="/backup"' not in client.get("/history").text
    near = client.application.test_client()  # straight from this machine: that proves nothing
    assert near.get("/backup").status_code == 403
    assert near.post("/api/restore", data=b"x", content_type=BACKUP).status_code == 403


def test_a_form_of_another_site_cannot_restore(owner, table):
    for kind in ("multipart/form-data", "text/plain", "application/x-www-form-urlencoded"):
        assert owner.post("/api/restore", data=b"x", content_type=kind).status_code == 415


# --- a catalogue of the table's own ----------------------------------------------------------------------------------

CATALOGUE = "".join(f'[[kind]]\nhand = "{hand}"\npoints = [3, 2, 1]\n\n' for hand in ("one_pair", "flush", "straight"))


def trading(client, **options):
    body = {"game": "trading-poker", "players": ["A", "B", "C"], "options": options}
    return client.post("/api/tables", json=body)


def test_a_game_starts_with_a_catalogue_of_its_own_and_keeps_it(client):
    assert len(CATALOGUE) > 80
    opened = trading(client, catalogue=CATALOGUE)
    assert opened.status_code == 201, opened.text
    table = opened.get_json()["id"]
    record = parse(client.get(f"/history/{table}/record.txt").text)
    assert dict(record.started.setup.options)["catalogue"] == CATALOGUE


def test_long_texts_are_only_for_options_that_take_them(client):
    assert trading(client, catalogue=CATALOGUE + "#" * 4000).status_code == 400
    assert trading(client, discard="x" * 81).status_code == 400
    broken = trading(client, catalogue="[[kind]]\nhand = " + "x" * 200)
    assert broken.status_code == 422
    games = client.get("/api/games").get_json()["games"]
    free = [(g["id"], o["name"], o["free"]) for g in games for o in g["options"] if o["free"]]
    assert free == [("three-card-trick-poker", "games", 2), ("trading-poker", "catalogue", 4000)]
    names = [(g["id"], o["name"]) for g in games for o in g["options"]]
    assert len(names) == len(set(names))


def test_a_catalogue_without_end_is_refused_in_a_sentence(client):
    for text in ("a = " + "[\n" * 1900, "a." * 1900 + "b = 1", "end_kinds = " + "9" * 3900):
        answer = trading(client, catalogue=text)
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, "bad-setup")
