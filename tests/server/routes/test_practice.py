"""Practice games through the API: whole games of every kind, hidden hands, undo, restarts, limits."""

import json
import random
import time

import pytest

from companion.games import UNKNOWN, ids
from companion.referee import event_from_json
from companion.server import Config, create_app
from companion.server.practice import MOST_OF_DEVICE, THINKING

MOST_STEPS = 36
"""So far a game is played here that goes on longer."""


def opened(client, game, **more):
    answer = client.post("/api/practice", json={"game": game, **more})
    assert answer.status_code == 201, answer.text
    return answer.get_json()["id"]


def state(client, table):
    answer = client.get(f"/api/practice/{table}?lang=en")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def tell(client, table, what, **body):
    return client.post(f"/api/practice/{table}/{what}?lang=en", json=body)


def tried(client, table, shown, move, chance):
    """Make a move with cards by chance; the answer."""
    body = {"move": move["id"], "seq": shown["table"]["seq"]}
    if move["options"]:
        body["option"] = chance.randrange(len(move["options"]))
    elif move["cards"] is not None:
        count = min(move["most"], max(move["least"], 1))
        body["cards"] = chance.sample(move["cards"], count)
    answer = tell(client, table, "move", **body)
    if answer.status_code == 422 and (ways := answer.get_json().get("ways")):
        answer = tell(client, table, "move", **body, args=ways[0]["args"])
    return answer


def go_on(client, table, shown, chance):
    """One step of the game: of a bot, or a move by chance; the state after it."""
    if shown["waits"] == "bots":
        answer = tell(client, table, "step", seq=shown["table"]["seq"])
        assert answer.status_code == 200
        assert answer.get_json()["table"]["seq"] > shown["table"]["seq"]
        return answer.get_json()
    moves = shown["moves"]
    for _ in range(60):
        answer = tried(client, table, shown, chance.choice(moves), chance)
        if answer.status_code == 200:
            return answer.get_json()
        assert answer.status_code == 422
        assert answer.get_json()["error"]["message"]
    answer = tell(client, table, "step", seq=shown["table"]["seq"], let=True)
    assert answer.status_code == 200
    assert answer.get_json()["waits"] != "you"
    return answer.get_json()


@pytest.mark.parametrize("game", ids())
def test_a_practice_game_is_played_by_a_script(app, client, game):
    """No move that was offered is a foul, nothing gets stuck, and the cards are where they were after a restart."""
    chance = random.Random(game)
    table = opened(client, game)
    shown = state(client, table)
    for _ in range(MOST_STEPS):
        if shown["waits"] == "over":
            break
        shown = go_on(client, table, shown, chance)
    desk = app.extensions["companion"]
    match = desk.journal.match(table)
    assert len(match.actions) > 3
    assert {entry.event.source for entry in match.entries[1:]} == {"tap", "bot"}
    assert [entry for entry in match.entries if entry.ruling and entry.ruling.verdict == "foul"] == []
    before = desk.practice.deal(table).world.zones()
    desk.practice.forget()
    assert desk.practice.deal(table).world.zones() == before
    if shown["waits"] == "over":
        assert shown["moves"] == []
        assert shown["table"]["over"]


def test_nobody_learns_a_hand_of_a_practice_game(app, client, stranger):
    """Pokard's pairs lie face down: neither the journal nor any other role has what the player holds or laid aside."""
    table = opened(client, "pokard-trick")
    shown = state(client, table)
    chance = random.Random(3)
    while not shown["aside"]:
        if shown["waits"] == "bots":
            shown = go_on(client, table, shown, chance)
            continue
        if shown["waits"] == "over":  # all others went down before anybody laid cards aside
            table = opened(client, "pokard-trick")
            shown = state(client, table)
            continue
        by_kind = {move["kind"]: move for move in shown["moves"]}
        wanted = by_kind.get("aside") or by_kind.get("in") or shown["moves"][0]
        if wanted["kind"] == "aside":
            laid = wanted["cards"][-2:]
            answer = tell(client, table, "move", move=wanted["id"], seq=shown["table"]["seq"], cards=laid)
        else:
            answer = tried(client, table, shown, wanted, chance)
        assert answer.status_code == 200, answer.text
        shown = answer.get_json()
    assert sorted(shown["aside"]) == sorted(laid)
    events = app.extensions["companion"].journal.events(table)
    aside = next(item.event for item in events if getattr(getattr(item.event, "action", None), "kind", "") == "aside")
    assert aside.action.cards == (UNKNOWN, UNKNOWN)
    hidden = set(shown["hand"]) | set(shown["aside"])
    open_cards = {c["face"] for zone in shown["table"]["zones"] for c in zone["cards"]}
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/entries", f"/tables/{table}"):
        told = stranger.get(path).text
        assert not [face for face in hidden - open_cards if f'"{face}"' in told], path
    assert stranger.get(f"/api/practice/{table}").status_code in (401, 403)
    assert stranger.get(f"/practice/{table}").status_code in (401, 403)
    other = app.test_client()
    other.get(f"/join/{app.extensions['companion'].join_key(table, 'seat-1')}")
    assert other.get(f"/api/practice/{table}").status_code == 403
    seed = app.extensions["companion"].practice.note(table)["seed"]
    assert seed not in client.get(f"/practice/{table}").text + json.dumps(shown)


def test_a_card_one_does_not_hold_and_a_broken_rule_are_refused_with_a_reason(client):
    table = opened(client, "three-card-showdown")
    shown = state(client, table)
    assert len(shown["hand"]) == 3
    move = shown["moves"][0]
    seq = shown["table"]["seq"]
    if move["cards"] is not None:
        foreign = next(c for c in ("AS", "KH", "2D", "3C") if c not in shown["hand"])
        answer = tell(client, table, "move", move=move["id"], seq=seq, cards=[foreign, *shown["hand"][1:]])
        assert answer.get_json()["error"]["code"] == "practice-cards"
    answer = tell(client, table, "move", move="nothing-0", seq=seq)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, "practice-cards")
    assert state(client, table)["table"]["seq"] == seq
    assert tell(client, table, "move", move=move["id"], seq=seq + 5).status_code == 409
    lay = {"kind": "lay", "seat": 0, "cards": ["AS", "AH", "AD"]}
    answer = client.post(f"/api/tables/{table}/intents", json={"intent": "act", "action": lay})
    assert answer.get_json()["error"]["code"] == "practice-only"


def test_a_move_is_taken_back_and_the_cards_lie_as_before(client):
    table = opened(client, "aces-king")
    shown = state(client, table)
    chance = random.Random(1)
    while shown["waits"] == "bots":
        shown = go_on(client, table, shown, chance)
    hand = shown["hand"]
    played = next(move for move in shown["moves"] if move["kind"] == "play")
    after = tell(client, table, "move", move=played["id"], seq=shown["table"]["seq"], cards=[hand[0]]).get_json()
    for _ in range(2):
        if after["waits"] == "bots":
            after = go_on(client, table, after, chance)
    assert hand[0] not in after["hand"]
    back = tell(client, table, "back").get_json()
    assert back["hand"] == hand
    assert back["waits"] == "you"


def test_a_game_goes_on_after_a_restart(tmp_path):
    config = Config(tmp_path / "data", demo=False)
    app = create_app(config)
    device = app.test_client()
    table = opened(device, "hexa-card")
    chance, shown = random.Random(2), state(device, table)
    for _ in range(4):
        shown = go_on(device, table, shown, chance)
    cookie = device.get_cookie(f"key-{table}").value
    app.extensions["companion"].close()
    again = create_app(config)
    other = again.test_client()
    other.set_cookie(f"key-{table}", cookie)
    assert state(other, table)["hand"] == shown["hand"]
    again.extensions["companion"].close()


def test_practice_counts_for_no_profile_and_stands_in_no_list(client, finished_practice):
    assert finished_practice not in client.get("/").text
    assert finished_practice not in client.get("/history").text
    assert finished_practice not in client.get("/api/tables").text
    assert "Bot" not in client.get("/players?lang=en").text


@pytest.fixture
def finished_practice(client):
    table = opened(client, "sixty-five-card-poker")
    shown, chance = state(client, table), random.Random(4)
    while shown["waits"] != "over":
        shown = go_on(client, table, shown, chance)
    return table


def test_a_device_has_only_so_many_practice_games(client):
    tables = [opened(client, "three-card-showdown") for _ in range(MOST_OF_DEVICE + 2)]
    there = [client.get(f"/api/tables/{table}").status_code for table in tables]
    assert there == [404, 404, *[200] * MOST_OF_DEVICE]


@pytest.mark.parametrize("game", ["three-card-trick-poker", "joker-quest"])
def test_a_bot_thinks_for_a_moment_only(app, client, game):
    """The bound is on the processor: a machine with other work takes longer, a bot does not think longer."""
    table = opened(client, game, bots="strong")
    shown, chance = state(client, table), random.Random(5)
    longest = 0.0
    for _ in range(12):
        if shown["waits"] == "bots":
            start = time.process_time()
            answer = tell(client, table, "step", seq=shown["table"]["seq"])
            longest = max(longest, time.process_time() - start)
            shown = answer.get_json()
        elif shown["waits"] == "you":
            shown = go_on(client, table, shown, chance)
    assert longest < THINKING + 2.0


def test_what_a_journal_of_practice_holds_is_plain_events(app, client):
    table = opened(client, "trading-poker", players=4, bots="simple")
    chance, shown = random.Random(6), state(client, table)
    for _ in range(12):
        shown = go_on(client, table, shown, chance)
    for item in app.extensions["companion"].journal.events(table):
        assert event_from_json(item.event.to_json()) == item.event


def test_every_bot_has_a_name_in_each_language(client):
    for lang, least in (("en", "Bot Aki"), ("ja", "ボットアキ")):
        client.get(f"/language/{lang}?next=/")
        made = client.post("/api/practice", json={"game": "three-card-showdown", "players": 8}).get_json()
        names = [player["name"] for player in client.get(f"/api{made['url']}").get_json()["table"]["players"]]
        assert names[1] == least
        assert len(set(names)) == 8
