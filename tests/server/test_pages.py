"""The HTML pages: they stand, escape what people typed, and speak two languages."""

import gzip
import json
import random
import re

import pytest

from companion import resources
from companion.cards import NAMES, deck
from companion.games import game, ids
from companion.referee import Acted
from companion.referee.simulate import choose
from companion.server.lean import lean

HOSTILE = '"><script>alert(1)</script>'


def test_every_page_stands_in_both_languages(client, table):
    own = (f"/tables/{table}{part}" for part in ("", "/board", "/join", "/calibrate", "/camera"))
    for path in ("/", "/decks", "/decks?deck=M9D4C3", *own):
        for lang in ("en", "ja"):
            answer = client.get(path, headers={"Accept-Language": lang})
            assert answer.status_code == 200
            assert f'<html lang="{lang}">' in answer.text
            assert "ui." not in re.sub(r"<script type=\"application/json\".*?</script>", "", answer.text, flags=re.S)


def test_hostile_names_stay_text(client, tap):
    table = tap.open(client, players=[HOSTILE, "</script><img src=x>"])
    for path in ("/", f"/tables/{table}", f"/tables/{table}/join"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x>" not in text


def test_pages_carry_a_strict_policy_and_only_their_own_files(client, table):
    answer = client.get(f"/tables/{table}")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"(src|href)=\"https?://(?!localhost)", answer.text)


def test_static_files_name_their_content(client):
    path = re.search(r'href="(/static/[^"]+/css/page\+home\.css)"', client.get("/").text)[1]
    for where, kept in ((path, "immutable"), (re.sub(r"/static/[^/]+/", "/static/older/", path), "no-cache")):
        with client.get(where) as answer:
            assert kept in answer.headers["Cache-Control"]
    assert client.get(path.replace("css/page+home.css", "../templates/base.html")).status_code == 404


def test_the_language_switch_stays_on_this_server(client):
    answer = client.get("/language/ja?next=/tables/x?a=b")
    assert answer.headers["Location"] == "/tables/x?a=b"
    assert '<html lang="ja">' in client.get("/", headers={"Accept-Language": "en"}).text
    for evil in ("https://evil.example/x", "//evil.example/x", "\\\\evil.example", "javascript:alert(1)"):
        where = client.get("/language/en", query_string={"next": evil}).headers["Location"]
        assert where.startswith("/")
        assert not where.startswith("//")


def test_missing_pages_say_so(client):
    for path in ("/nothing", "/tables/none", "/tables/none/board", "/tables/none/join", "/tables/none/events"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "alert" in answer.text


def test_only_who_acts_can_hand_out_keys(client, stranger, table):
    key = re.compile(r"/join/\w+:")
    assert key.search(client.get(f"/tables/{table}/join").text)
    assert not key.search(stranger.get(f"/tables/{table}/join").text)


def test_a_scorekeeper_cannot_make_hosts(app, stranger, table):
    stranger.get(f"/join/{app.extensions['companion'].join_key(table, 'scorekeeper')}")
    text = stranger.get(f"/tables/{table}/join").text
    assert ":seat-0." in text
    assert ":host." not in text


def test_cards_are_drawn_and_kept_by_browsers_until_they_are_drawn_anew(client):
    for path in ("/cards/52D1/10H.svg", "/cards/52D1/10H.svg?look=large", "/cards/65/judge.fed.svg", "/cards/back.svg"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.mimetype == "image/svg+xml"
        assert (
            answer.headers["Cache-Control"] == "no-cache"
        )  # no version is named: asked for again when there is a new one
        assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    version = client.application.extensions["companion-version"]
    assert "immutable" in client.get(f"/cards/52D1/10H.svg?v={version}").headers["Cache-Control"]
    assert f"/10H.svg?v={version}" in client.get("/decks?deck=52D1").text
    for path in ("/cards/52D1/JK1.svg", "/cards/99D9/AS.svg", "/cards/52D1/%3Cscript%3E.svg", "/suits/X.svg"):
        assert client.get(path).status_code == 404


def test_evidence_is_served_as_the_picture_it_is(app, client):
    key = app.extensions["companion"].journal.put_evidence(b"\xff\xd8picture", "image/jpeg")
    assert client.get(f"/evidence/{key}").data == b"\xff\xd8picture"
    assert client.get(f"/evidence/{key}").mimetype == "image/jpeg"
    assert client.get("/evidence/none").status_code == 404


def test_scripts_and_styles_run_in_browsers_of_2020():
    """Nothing newer than ES2020, no flexbox gaps, nothing loaded from elsewhere."""
    newer = {
        r"\?\?=|\|\|=|&&=": "logical assignment",
        r"\.at\(-?\d": "Array.at",
        r"\.replaceAll\(|\.replaceChildren\(|structuredClone\(|randomUUID\(": "newer functions",
        r"this\.#|static \{": "private members, static blocks",
        r"https?://(?!www\.w3\.org)": "other servers",
    }
    folder = resources.web() / "static"
    for file in [*folder.rglob("*.js"), *folder.rglob("*.css")]:
        text = file.read_text(encoding="utf-8")
        for pattern, what in newer.items():
            assert not re.search(pattern, text), f"{file.name}: {what}"
        for rule in re.findall(r"\{[^{}]*\}", text) if file.suffix == ".css" else ():
            assert not ("display: flex" in rule and re.search(r"[^-]gap:", rule)), f"{file.name}: {rule}"


def sent_with(client, text):
    """The one style and the one script of a page, as they leave."""
    paths = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', text)
    assert [path.rpartition(".")[2] for path in paths] == ["css", "js"]
    return [client.get(path) for path in paths]


def files_of(text, later=False):
    """Every script and style that a page loads, those that they import too; `later`: also those that a tap brings."""
    folder = resources.web() / "static"
    style, script = re.findall(r'(?:src|href)="/static/[^/]+/([^"]+)\.(?:js|css)"', text)
    waiting = [folder / "js" / f"{name}.js" for name in (script.rpartition("/")[2], "worker")]
    found = {folder / "css" / f"{name}.css" for name in style.rpartition("/")[2].split("+")}
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            imports = re.findall(r'(?:from|import) "(\./[^"]+)"', file.read_text(encoding="utf-8"))
            imports += re.findall(r"import\([\"`](\./[\w-]+\.js)", file.read_text(encoding="utf-8")) if later else []
            waiting += [(file.parent / one).resolve() for one in imports]
    return found


def test_the_table_page_is_light(client, table):
    """The table page without its cards: at most 42.5 KB, packed as it leaves, in three answers."""
    text = client.get(f"/tables/{table}").text
    assert {"table.js", "live.js", "cards.css", "worker.js"} <= {file.name for file in files_of(text)}
    answers = [text.encode(), *(answer.data for answer in sent_with(client, text))]
    assert sum(len(gzip.compress(part, 9)) for part in answers) < 42_500


def test_a_page_carries_the_words_and_icons_of_its_own_scripts(client, table):
    """Those that a tap brings too; what only other pages say stays with them."""
    for path, others in ((f"/tables/{table}", "home.start"), ("/", "calibrate.drag"), ("/history", "home.start")):
        text = client.get(path).text
        words, icons = (
            json.loads(re.search(f'<script type="application/json" id="{name}">(.*?)</script>', text)[1])
            for name in ("words", "icons")
        )
        scripts = [file.read_text("utf-8") for file in files_of(text, later=True) if file.suffix == ".js"]
        asked = {found for code in scripts for found in re.findall(r"\bt\(\"([\w.-]+)\"", code)}
        drawn = {found for code in scripts for found in re.findall(r"\bicon\(\"([\w.-]+)\"", code)}
        assert asked
        assert asked <= words.keys()
        assert drawn <= icons.keys()
        assert others not in words


TABLES = [(name, n) for name in ids() for n in range(game(name).least_players, game(name).most_players + 1)]
HEADERS = 2_500
"""Those of six answers."""


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_first_visit_to_any_table_is_light(app, client, tap, name, players):
    """Every game with every number of players, with most cards open: at most 70 KB over the wire."""
    deck = "hanafuda" if name == "three-card-showdown" else ""  # the one that takes most to draw
    table = tap.open(client, game=name, players=[f"Benjamin Alexander {n}" for n in range(players)], deck=deck)
    desk, chance = app.extensions["companion"], random.Random(5)
    match = desk.match(table)
    state, world = match.state, match.game.world(match.setup, chance)
    for seq in range(1, 41):
        action = choose("simple", world, state, chance)
        if action is None:
            break
        after = match.game.apply(state, action)
        world.follow(state, action, after)
        state = after
        desk.journal.append(table, Acted(action), expected_seq=seq)
    text, name = client.get(f"/tables/{table}").text, match.deck.name
    answers = [client.get(path).data for path in (f"/api/decks/{name}", f"/cards/{name}.json", "/cards/back.svg")]
    answers += [text.encode(), *(answer.data for answer in sent_with(client, text))]
    assert 40_000 < sum(len(gzip.compress(part, 9)) for part in answers) + HEADERS < 70_000


def test_the_small_cards_of_a_deck_come_at_once_and_light(client):
    for name, most in (("65", 5_000), ("54", 3_000), ("M9D4C3", 2_000)):
        answer = client.get(f"/cards/{name}.json", headers={"Accept-Encoding": "gzip"})
        assert len(answer.data) < most
        small = client.get(f"/cards/{name}.json").get_json()
        assert small.keys() == set(deck(name).codes)
        code = deck(name).codes[-1]
        assert small[code] == client.get(f"/cards/{name}/{code}.svg?look=large").text
    two, four = (client.get(f"/cards/52D1.json{which}").get_json() for which in ("", "?four=1"))
    assert {code[-1] for code in two if two[code] != four[code]} == {"C", "D"}


def test_scripts_and_styles_leave_without_what_only_authors_read(client):
    """What is left out are comments, indents and empty lines: no script may have a text over several lines."""
    for file in sorted((resources.web() / "static").glob("*/*.*s")):
        written = file.read_text(encoding="utf-8")
        sent = lean(file, file.stat().st_mtime_ns)
        assert len(sent) < len(written)
        code = [s for line in written.splitlines() if (s := line.strip()) and not s.startswith(("//", "/*", "*"))]
        if file.suffix == ".css":
            left = re.sub(r"/\*.*?\*/|\s", "", written, flags=re.S)
            assert "/*" not in sent, file.name
            assert re.sub(r"\s", "", sent) == left, file.name
        else:
            assert all(line.count("`") % 2 == 0 for line in code), file.name
            kept = set(sent.splitlines())
            assert not [line for line in code if line not in kept and not line.endswith("*/")], file.name


def test_every_script_and_style_is_loaded_by_some_page(client, table):
    paths = [
        "/",
        "/decks",
        "/decks?deck=65",
        "/rules",
        "/rules/hexa-card",
        "/odds",
        "/history",
        "/api",
        "/decks/enrol",
        "/players",
        "/practice",
        "/install",
        "/demo",
        "/offline",
    ]
    paths += [f"/tables/{table}{part}" for part in ("", "/board", "/join", "/calibrate", "/camera", "/zones")]
    paths += [f"/history/{table}", client.post("/api/practice", json={"game": "hexa-card"}).get_json()["url"]]
    loaded = {file for path in paths for file in files_of(client.get(path).text, later=True)}
    shipped = {file for file in (resources.web() / "static").rglob("*") if file.suffix in (".js", ".css")}
    assert shipped - loaded == set()


def test_a_first_visit_is_asked_its_language_once(client):
    assert 'href="/language/ja?next=/"' in client.get("/").text
    client.get("/language/ja?next=/")
    assert 'href="/language/ja?next=/"' not in client.get("/").text


def test_the_decks_page_shows_every_deck_and_every_card(client):
    shown = re.findall(r'href="/decks\?deck=([^"]+)"', client.get("/decks").text)
    assert sorted(shown) == sorted(NAMES)
    for name in ("52D2", "36D3", "trading", "M9D4C3", "T44D1", "65"):
        text = client.get(f"/decks?deck={name}").text
        assert {f"/cards/{name}/{code}.svg" for code in deck(name).codes} == set(
            re.findall(r"/cards/[^\"]+\.svg", text)
        )
    assert client.get("/decks?deck=99D9").status_code == 404


EXAMPLE = """
[deck]
name = { en = "Harbour cards", ja = "港の札" }
separator = "."
[[suits]]
code = "north"
name = { en = "North", ja = "北" }
colour = "blue"
[[suits]]
code = "south"
colour = "red"
[[pictures]]
code = "tide"
name = { en = "Tide", ja = "潮" }
[[pictures]]
code = "crane"
[[extras]]
code = "JK1"
"""

MISTAKES = {
    "line": "# " + "x" * 400,
    "toml": "[deck",
    "section": '[[extra]]\ncode = "x"',
    "key": '[[extras]]\ncode = "x"\ncolor = "red"',
    "name": '[deck]\nname = 3\n[[extras]]\ncode = "x"',
    "lang": '[deck]\nname = { fr = "x" }\n[[extras]]\ncode = "x"',
    "copies": '[[extras]]\ncode = "x"\ncopies = 99',
    "colour": '[[extras]]\ncode = "x"\ncolour = "bleu"',
    "code": '[[extras]]\ncode = "x y"',
    "tables": "suits = 3",
    "taken": '[[extras]]\ncode = "x"\n[[extras]]\ncode = "x"',
    "empty": "",
    "many": "".join(f'[[extras]]\ncode = "x{i}"\n' for i in range(251)),
    "double": '[[suits]]\ncode = "a"\n[[ranks]]\ncode = "b"\n[[extras]]\ncode = "ba"',
    "head": "deck = 3",
    "order": '[deck]\norder = "up"\n[[extras]]\ncode = "x"',
    "separator": '[deck]\nseparator = "----"\n[[extras]]\ncode = "x"',
    "both": '[[ranks]]\ncode = "a"\n[[pictures]]\ncode = "b"',
    "missing": '[[suits]]\ncode = "a"',
    "newer": "[deck]\nversion = 2",
    "version": "[deck]\nversion = 0",
    "large": "[deck]\ncopies = 16\n" + "".join(f'[[extras]]\ncode = "x{i}"\n' for i in range(25)),
    "like": '[deck]\nlike = "66"',
    "unlike": '[deck]\nlike = "65"\n[[suits]]\ncode = "navy"',
    "shape": '[deck]\nshape = "disc"',
    "size": "[deck]\nsize = [1, 2]",
    "length": '[[suits]]\ncode = "aaaaaaaaaaaaa"\n[[ranks]]\ncode = "bbbbbbbbbbbb"',
    "mark": '[[suits]]\ncode = "a"\nmark = "strar"',
    "index": '[[ranks]]\ncode = "a"\nindex = "long"',
}
ON_DISK = {
    *("long", "packed", "nothing", "picture", "path", "link", "locked", "files", "bulky", "heavy", "twice", "unnamed"),
}
"""Mistakes that only files and folders make."""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_deck_file_is_checked_and_every_mistake_is_said_in_the_readers_language(client, lang):
    def check(text):
        data = text if isinstance(text, bytes) else text.encode()
        return client.post(f"/api/deck-files/check?lang={lang}", data=data, content_type="application/toml")

    good = check(EXAMPLE).get_json()
    assert (good["title"], good["size"]) == ({"en": "Harbour cards", "ja": "港の札"}[lang], 5)
    texts = client.application.extensions["companion"].texts.catalogues[lang]
    assert {f"deckfile.{code}" for code in (*MISTAKES, *ON_DISK, "text")} == {
        key for key in texts if key.startswith("deckfile.")
    }
    for code, text in (*MISTAKES.items(), ("text", b"\xff\xfe")):
        answer = check(text)
        message = answer.get_json()["error"]["message"]
        assert answer.status_code == 422, code
        assert message.startswith(re.split(r"[{]", texts[f"deckfile.{code}"])[0]), code
        assert not re.search(r"\{\w+\}", message), code
    assert client.post("/api/deck-files/check", data=EXAMPLE.encode(), content_type="text/plain").status_code == 415


def test_a_deck_kept_on_the_page_is_listed_printed_packed_and_played(client):
    sent = {"data": EXAMPLE.encode(), "content_type": "application/toml"}
    kept = client.post("/api/deck-files?name=Harbour&lang=en", **sent)
    name = kept.get_json()["name"]
    assert kept.status_code == 201 and name.startswith("harbour~")
    page = client.get("/decks").text
    assert "Harbour cards" in page or "港の札" in page
    assert client.get(f"/cards/{name}/tide.north.svg").mimetype == "image/svg+xml"
    assert client.get(f"/decks/print.pdf?deck={name}&paper=letter&ink=saving").data.startswith(b"%PDF")
    assert client.get(f"/decks/pack?deck={name}").data.startswith(b"PK")
    assert client.get("/decks/pack?deck=65").status_code == client.get("/decks/print.pdf?deck=66").status_code == 404
    refused = {game["name"]: game["why"] for game in kept.get_json()["games"] if not game["fits"]}
    assert len(refused) == 8 and all(refused.values())
    like = {"data": client.get("/api/deck-files/start?like=65").get_json()["file"].encode(), **TOML}
    name = client.post("/api/deck-files?name=my65", **like).get_json()["name"]
    offered = {
        game["id"]: [deck["name"] for deck in game["decks"]] for game in client.get("/api/games").get_json()["games"]
    }
    assert {game for game, decks in offered.items() if name in decks} == {
        *("three-card-showdown", "three-card-trick-poker", "aces-king", "sixty-five-card-poker")
    }
    players = ["A", "B"]
    opened = client.post("/api/tables", json={"game": "sixty-five-card-poker", "players": players, "deck": name})
    assert client.get(f"/api/tables/{opened.get_json()['id']}").get_json()["table"]["deck"] == name
    unfit = client.post("/api/tables", json={"game": "pokard-trick", "players": [*players, "C"], "deck": name})
    assert unfit.status_code == 422 and "needs exactly the cards" in unfit.get_json()["error"]["message"]


TOML = {"content_type": "application/toml"}


@pytest.mark.parametrize("target", ["http://[", "//[", "http://[::1"])
def test_an_impossible_way_back_from_the_language_switch_leads_home(client, target):
    answer = client.get("/language/ja", query_string={"next": target})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
