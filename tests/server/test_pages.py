"""The HTML pages: they stand, escape what people typed, and speak two languages."""

import re

from companion import resources

HOSTILE = '"><script>alert(1)</script>'


def test_every_page_stands_in_both_languages(client, table):
    for path in ("/", f"/tables/{table}", f"/tables/{table}/board", f"/tables/{table}/join"):
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
    path = re.search(r'href="(/static/[^"]+/css/page.css)"', client.get("/").text)[1]
    for where, kept in ((path, "immutable"), (re.sub(r"/static/[^/]+/", "/static/older/", path), "no-cache")):
        with client.get(where) as answer:
            assert kept in answer.headers["Cache-Control"]
    assert client.get(path.replace("css/page.css", "../templates/base.html")).status_code == 404


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
    assert "/join/" in client.get(f"/tables/{table}/join").text
    assert "/join/" not in stranger.get(f"/tables/{table}/join").text


def test_a_scorekeeper_cannot_make_hosts(app, stranger, table):
    stranger.get(f"/join/{app.extensions['companion'].join_key(table, 'scorekeeper')}")
    text = stranger.get(f"/tables/{table}/join").text
    assert ":seat-0." in text
    assert ":host." not in text


def test_cards_are_drawn_and_kept_by_browsers(client):
    for path in ("/cards/52D1/10H.svg", "/cards/52D1/10H.svg?look=large", "/cards/65/judge.fed.svg", "/cards/back.svg"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.mimetype == "image/svg+xml"
        assert "immutable" in answer.headers["Cache-Control"]
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


def test_the_table_page_is_light(client, table):
    """First paint of the table page: at most 150 KB over the wire, cards aside."""
    text = client.get(f"/tables/{table}").text
    folder = resources.web() / "static"
    files = [file for file in folder.rglob("*") if file.suffix in (".js", ".css")]
    assert len(text.encode()) + sum(file.stat().st_size for file in files) < 150_000
