"""No dead ends: every link of every page leads somewhere, and every page leads on."""

import re

BROWSED = re.compile(r'<a [^>]*?href="(/[^"#]*)')
FILES = re.compile(r"\.(pdf|svg|csv|json|txt|zip|toml|png|jpg|webmanifest)\b|/backup|/decks/pack")
"""Not read as pages, only asked for."""

ELSEWHERE = re.compile(r"^/(language|join|owner)/")
"""Would change who looks, or how."""


def test_every_link_leads_somewhere_and_every_page_leads_on(client, tap):
    tables = [tap.open(client), tap.open(client, game="hexa-card", players=["Anna", "Ben"])]
    for seat, cards in enumerate(("AS AH AD", "2S 3H 5D")):
        assert tap.lay(client, tables[0], seat, cards).status_code == 200
    assert tap.intend(client, tables[0], intent="finish").status_code == 200
    practice = client.post("/api/practice", json={"game": "hexa-card"}).get_json()["url"]
    start = [
        "/",
        "/demo",
        practice,
        *(f"/tables/{table}{part}" for table in tables for part in ("", "/board", "/join")),
    ]
    waiting, seen, wrong = list(start), set(start), []
    while waiting:
        path = waiting.pop()
        answer = client.get(path, follow_redirects=True)
        if answer.status_code >= 400:
            wrong.append((answer.status_code, path))
        if answer.mimetype != "text/html" or FILES.search(path):
            continue
        links = {link.replace("&amp;", "&") for link in BROWSED.findall(answer.text)}
        if not links and not path.endswith("/board"):
            wrong.append(("leads nowhere", path))
        new = {link for link in links if not ELSEWHERE.match(link)} - seen
        seen |= new
        waiting += sorted(new)
    assert wrong == []
    assert len(seen) > 60
