"""Rule pages: every clause that can be cited has its anchor in both languages; house rules show what is in force."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import games as games_package
from companion import resources
from companion.cards import deck
from companion.games import Setup, game, ids, package
from companion.referee.record import parse, replay
from companion.server.show.rulebook import read_rules, rule_link, rules_of

ROOMS = Path(games_package.__file__).parent.parent
RECORDS = sorted((Path(__file__).parent.parent / "records").glob("*.txt"))
CITING = {"foul": 1, "unproven": 1, "Violation": 1, "Option": 2, "starter_option": 0, "_extras": 3, "misfit": 5}
"""Functions that take a clause, and the place of that argument."""
NAMES = {"clause", "cite", "why", "CLAUSES"}
CLAUSE = re.compile(r"\d{2,3}|7\.\d+[a-z]?")


def _strings(node: ast.AST) -> set[str]:
    found = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return {text for text in found if CLAUSE.fullmatch(text)}


def _cited_in(source: str) -> set[str]:
    """The clauses that stand in a module where a clause belongs: arguments, defaults, tables and results."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CITING and len(node.args) > CITING[name]:
                found |= _strings(node.args[CITING[name]])
            if name == "get" and getattr(getattr(node.func, "value", None), "id", "") == "CLAUSES":
                found |= _strings(node.args[1])
            for keyword in node.keywords:
                found |= _strings(keyword.value) if keyword.arg in NAMES else set()
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(getattr(t, "id", "") in NAMES for t in targets):
                values = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
                for value in values:
                    found |= _strings(value)
    return found


@cache
def _modules(name: str) -> tuple[Path, ...]:
    """The modules of the game's folder, and those that some games share and this one takes clauses from."""
    found = sorted(resources.package(package(name)).glob("*.py"))
    taken = "".join(file.read_text(encoding="utf-8") for file in found)
    shared = [ROOMS / "games" / f"{name}.py" for name in ("turns", "three_card")]
    return (*found, *(file for file in shared if f"companion.games.{file.stem} import" in taken))


def _citable(name: str) -> set[str]:
    written = {option.clause for option in game(name).options}
    for module in _modules(name):
        written |= _cited_in(module.read_text(encoding="utf-8"))
    return written


def _page(client: FlaskClient, path: str, lang: str) -> str:
    answer = client.get(path, headers={"Accept-Language": lang})
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def _anchors(page: str) -> list[str]:
    return re.findall(r'id="c-([^"]+)"', page)


def test_the_collector_sees_what_games_cite() -> None:
    source = 'CLAUSES = {A: "39"}\nx = foul("a", "54" if b else "55")\nclause = "71" if r else "76"\nfoul(f, other)\n'
    assert _cited_in(source) == {"39", "54", "55", "71", "76"}


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ids())
def test_every_clause_that_can_be_cited_has_one_anchor(client: FlaskClient, name: str, lang: str) -> None:
    counted = Counter(_anchors(_page(client, f"/rules/{name}", lang)))
    assert _citable(name) <= counted.keys()
    assert set(counted.values()) == {1}


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_every_clause_cited_in_a_recorded_game_has_an_anchor(file: Path) -> None:
    match = list(replay(parse(file.read_text(encoding="utf-8"))))[-1].match
    known = {*rules_of(match.game.id, "en").clauses, *(option.clause for option in match.game.options)}
    rulings = [entry.ruling for entry in match.entries if entry.ruling]
    cited = {v.clause for ruling in rulings for v in (*ruling.violations, *ruling.proven) if v.clause}
    assert cited <= known


@pytest.mark.parametrize("name", ids())
def test_both_languages_tell_the_same_clauses(client: FlaskClient, name: str) -> None:
    english, japanese = rules_of(name, "en"), rules_of(name, "ja")
    shape = [[rule.clauses for rule in section.rules] for section in english.sections]
    assert shape == [[rule.clauses for rule in section.rules] for section in japanese.sections]
    assert english.notes.keys() == japanese.notes.keys()
    assert _anchors(_page(client, f"/rules/{name}", "en")) == _anchors(_page(client, f"/rules/{name}", "ja"))
    assert not re.search("[ぁ-んァ-ヶ一-龠]", english.lead + "".join(r.text for s in english.sections for r in s.rules))


@pytest.mark.parametrize("name", ids())
def test_every_house_rule_and_its_values_are_shown(client: FlaskClient, name: str) -> None:
    page = _page(client, f"/rules/{name}", "en")
    rules = game(name)
    assert page.count("<dt>") == len(rules.options)
    assert page.count('class="chosen"') == len(rules.options)
    clauses = {option.clause for option in rules.options}
    assert rules_of(name, "en").notes.keys() <= clauses


def test_the_values_of_a_query_are_in_force(client: FlaskClient) -> None:
    assert '✓ </span><span class="sr">In force: </span>14' in _page(client, "/rules/aces-king?ace=14", "en")
    assert '✓ </span><span class="sr">In force: </span>1<' in _page(client, "/rules/aces-king", "en")
    assert client.get("/rules/aces-king?ace=15").status_code == 404


def test_the_values_of_a_table_are_in_force(client: FlaskClient, tap: Any) -> None:
    table = tap.open(client, game="aces-king", deck="", options={"ace": "14"})
    page = _page(client, f"/rules/aces-king?table={table}", "en")
    assert "In force: </span>14" in page
    assert f'href="/tables/{table}"' in page
    other = client.get(f"/rules/hexa-card?table={table}")
    assert other.headers["Location"] == f"/rules/aces-king?table={table}"
    assert client.get("/rules/aces-king?table=nowhere").status_code == 404


def test_a_text_of_the_tables_own_is_in_force_but_not_in_the_address(client: FlaskClient) -> None:
    trading = game("trading-poker")
    link = rule_link(trading, Setup(("A", "B", "C"), options=(("catalogue", "end_kinds = 3"), ("start", "2"))), "72")
    assert link == "/rules/trading-poker?catalogue=own&start=2#c-72"
    assert "In force: </span>a text of the table" in _page(client, link, "en")
    assert "In force: </span>a text of the table" not in _page(client, "/rules/trading-poker", "en")
    assert client.get("/rules/aces-king?ace=own").status_code == 404


def test_an_unknown_game_is_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/rules/chess", headers={"Accept-Language": "en"})
    assert answer.status_code == 404
    assert "There are no rules for a game called chess." in answer.get_data(as_text=True)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_index_and_the_home_page_lead_to_the_rules(client: FlaskClient, lang: str) -> None:
    assert 'href="/rules"' in _page(client, "/", lang)
    index = _page(client, "/rules", lang)
    assert all(f'href="/rules/{name}"' in index for name in ids())


def test_a_ruling_links_to_its_clause(client: FlaskClient, tap: Any) -> None:
    table = tap.open(client, game="aces-king", deck="", options={"ace": "14"})
    action = {"kind": "pass", "seat": 0, "cards": [], "args": {}}
    assert tap.intend(client, table, intent="act", action=action).status_code < 300
    foul = client.get(f"/api/tables/{table}").get_json()["table"]["pending"][0]["violations"][0]
    assert foul["rule"] == "/rules/aces-king?ace=14#c-52"


def test_a_ruling_without_a_clause_links_nowhere() -> None:
    assert rule_link(game("aces-king"), Setup(("Anna", "Ben")), "") == ""
    assert (
        rule_link(game("aces-king"), Setup(("Anna", "Ben"), options=(("ace", "1"),)), "39") == "/rules/aces-king#c-39"
    )


@pytest.mark.parametrize("text", ["lead = 1", "no toml at all", 'lead = ""\nsource = ""\nsections = [{title = "x"}]'])
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"game\.toml"):
        read_rules(file)


def test_the_table_page_leads_to_its_rules(client: FlaskClient, tap: Any) -> None:
    table = tap.open(client)
    assert f'href="/rules/three-card-showdown?table={table}"' in _page(client, f"/tables/{table}", "en")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_sheets_photograph_is_drawn_as_the_sheet_describes_it(client, lang):
    """Pokard Trick, lines 134 to 152."""
    scene = next(section.picture for section in rules_of("pokard-trick", lang).sections if section.picture)
    cards = deck("54")
    known = [(code, x, y) for code, x, y, _ in scene.cards if code != "?"]
    assert len({code for code, _, _ in known}) == len(known) and all(code in cards for code, _, _ in known)
    right = [cards.face(code) for code, x, y in known if x > 300]
    left = [cards.face(code) for code, x, y in known if x < 130]
    ranks = [face.rank for face in right]
    assert ranks.count("4") == 2 and len(set(ranks)) == len(ranks) - 1
    assert {"3", "4", "6", "7"} <= set(ranks) and "5" not in ranks
    assert [face.suit for face in left] == ["S"] * 4
    assert "JK1" in [code for code, x, y in known if 130 < x < 300] and len(scene.chips) == 3
    assert sum(code == "?" for code, *_ in scene.cards) == 2 * 4
    page = client.get(f"/rules/pokard-trick?lang={lang}").text
    assert '<figure class="scene"><svg' in page
