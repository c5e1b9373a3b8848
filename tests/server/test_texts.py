"""The catalogues: both languages say everything, with the same parameters; and how parameters are shown."""

import json
import re
import tomllib

import pytest

from companion import resources
from companion.cards import deck
from companion.games import Action, Msg, Ruling, Verdict, Violation
from companion.server.page import sign
from companion.server.show.texts import Context, Texts
from companion.table.ask import about_steps
from companion.table.fill import Filled
from companion.table.hypotheses import Step

TEXTS = Texts.load()
SHARED = resources.web() / "messages"
GAMES = resources.package("companion.games")
FILES = sorted(SHARED.glob("en/*.json")) + sorted(GAMES.glob("*/words.en.json"))
CONTEXT = Context(("Anna", "健太"), deck("52D2"), "three-card-showdown")


def placeholders(text):
    return set(re.findall(r"\{(\w+)[,}]", text))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_both_languages_have_the_same_keys_and_parameters(file):
    other = SHARED / "ja" / file.name if file.parent.name == "en" else file.with_name("words.ja.json")
    english, japanese = (json.loads(path.read_text(encoding="utf-8")) for path in (file, other))
    assert english.keys() == japanese.keys()
    different = [key for key, text in english.items() if placeholders(text) != placeholders(japanese[key])]
    assert different == []
    assert [key for key, text in {**english, **japanese}.items() if not text.strip()] == []


@pytest.mark.parametrize(
    "file", sorted(GAMES.glob("*/words.*.json")), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_a_place_has_one_name_whether_cards_lie_there_or_not(file):
    words = json.loads(file.read_text(encoding="utf-8"))
    empty = {key.removeprefix("place."): text for key, text in words.items() if re.fullmatch(r"place\..*\.own", key)}
    assert {key: text for key, text in empty.items() if words.get(f"zone.{key}", text) != text} == {}


PLURAL = re.compile(r"\{\w+, plural, (?:\w+ \{[^{}]*\} ?)+\}")


def english():
    return [(key, text) for file in FILES for key, text in json.loads(file.read_text(encoding="utf-8")).items()]


def test_every_counted_noun_has_both_its_forms():
    """What is counted anywhere, a card or a point, has one form for one of it wherever a count stands before it."""
    forms = [found for _, text in english() for found in PLURAL.findall(text)]
    nouns = {other for form in forms for other in re.findall(r"other \{# (\w+)\}", form)}
    counted = re.compile(r"(?<!–)\{(\w+)\} (?:\w+ )?(" + "|".join(sorted(nouns)) + r")\b")
    assert {"cards", "points", "chips"} <= nouns
    assert [(key, text) for key, text in english() if counted.search(text)] == []
    assert [text for _, text in english() if "plural" in PLURAL.sub("", text)] == []


def test_a_counted_noun_takes_the_form_of_its_count():
    texts = Texts({"en": {"a": "{player}: {n, plural, one {# card is} other {# cards are}} here, {m} there"},
                   "ja": {"a": "{player}:{n}枚、{m}"}})  # fmt: skip
    for n, said in ((0, "0 cards are"), (1, "1 card is"), (-1, "-1 card is"), (2, "2 cards are"), ("1", "1 card is")):
        assert texts.text(Msg.of("a", player=0, n=n, m=1), "en", CONTEXT) == f"Anna: {said} here, 1 there"
    assert texts.text(Msg.of("a", player=0, n=1, m=2), "ja", CONTEXT) == "Anna:1枚、2"
    assert "plural" in texts.text("a", "en"), "without its count the text is shown as it is written"


@pytest.mark.parametrize(
    ("n", "lang", "told"),
    [
        (1, "en", "Did this happen?"),
        (2, "en", "Which of these 2 happened?"),
        (1, "ja", "これが起きましたか?"),
    ],
)
def test_what_no_card_tells_is_asked_without_a_place(n, lang, told):
    steps = [Step(Filled(Action("next")), (), None, False, False, None, 0.0)] * n
    assert TEXTS.text(about_steps("several", steps, {}).text, lang, CONTEXT) == told


@pytest.mark.parametrize(
    ("name", "said"), [("Player 12", "12"), ("プレイヤー3", "3"), ("千代", "千"), ("7", "7"), (" ", "?")]
)
def test_who_has_only_a_number_is_known_by_it(name, said):
    assert sign(name) == said


RULES = sorted(GAMES.glob("*/rules.ja.toml"))
FOR_AUTHORS = re.compile(r"deckfile\.|ui\.error\.|api\.|rescue\.|install\.|enrol\.page\.insecure|ui\.phone\.")
"""Sentences about files, programs and commands, whose own words are English."""

NAMES = {
    *("QR", "PDF", "CSV", "JSON", "TOML", "BG", "Stats", "JavaScript", "UTF", "Wi", "Fi", "English", "Shift"),
    *("TESCA", "ZAT", "BoW", "CLF", "CFL", "HF", "MW", "RN", "FL", "ST", "RaP", "SF", "UD", "CD", "px", "cm", "mm"),
    *("TOSAKA", "GAMES", "Rev"),
}
"""Latin letters of Japanese sentences: names, units, and what the rule sheets call hands."""


def latin(text):
    return set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}", "", text))) - NAMES


def test_no_japanese_sentence_holds_an_english_word():
    found = {}
    for file in FILES:
        other = SHARED / "ja" / file.name if file.parent.name == "en" else file.with_name("words.ja.json")
        for key, text in json.loads(other.read_text(encoding="utf-8")).items():
            if latin(text) and not FOR_AUTHORS.match(key):
                found[key] = latin(text)
    assert found == {}


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.parent.name)
def test_no_japanese_rule_holds_an_english_word(file):
    rules = tomllib.loads(file.read_text(encoding="utf-8"))
    told = [rules["lead"], rules["source"], *rules.get("notes", {}).values()]
    for section in rules["sections"]:
        told += [section["title"], *(text for _, text in section["rules"])]
    assert {text for text in told if latin(text)} == set()


def test_a_code_beside_the_name_of_a_deck_is_one_of_the_rule_sheets():
    assert TEXTS.deck("52D2", "ja").endswith(" · 52D2")
    assert TEXTS.deck("M9D4C3", "en").endswith(" · M9D4C3")
    for name in ("trading", "hanafuda", "65", "54"):
        assert TEXTS.deck(name, "ja") == TEXTS.deck_kind(name, "ja")
        assert name not in TEXTS.deck(name, "en").split(" · ")


def test_the_scripts_use_only_words_that_exist():
    used = set()
    for file in (resources.web() / "static" / "js").glob("*.js"):
        used |= set(re.findall(r"\bt\(\"([a-z0-9.-]+)\"", file.read_text(encoding="utf-8")))
    for file in (resources.web() / "templates").glob("*.html"):
        used |= {
            key.removeprefix("ui.")
            for key in re.findall(r"\bt\([\"'](ui\.[a-z0-9.-]+[a-z0-9])[\"'][),]", file.read_text())
        }
    assert used
    assert sorted(key for key in used if not TEXTS.has(f"ui.{key}", "en")) == []


def test_every_error_of_the_api_has_its_sentence():
    folder = resources.web().parent / "companion" / "server"
    code = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
    codes = set(re.findall(r"ApiError\(\"([a-z0-9-]+)\"", code))
    assert len(codes) > 10
    assert sorted(c for c in codes if not TEXTS.has(f"ui.error.{c}", "en")) == []


def test_parameters_are_shown_by_value_and_name():
    texts = Texts({"en": {"a": "{player} beats {seat} with {cards}: {face}, {n}", "ui.list-comma": ", ",
                          "ui.the-table": "The table", "ui.seat-number": "Seat {n}"}, "ja": {}})  # fmt: skip
    shown = texts.text(Msg.of("a", player="Zoë", seat=1, cards=("AS", "10H"), face="KD", n=1), "en", CONTEXT)
    assert shown == "Zoë beats 健太 with A♠ 10♥: K♦, 1"
    assert texts.text(Msg.of("a", player=-1, seat=7, cards=(), face="?", n=True), "en", CONTEXT).startswith("The table")


def test_messages_nest_and_a_missing_key_is_shown_not_raised():
    texts = Texts({"en": {"outer": "[{inner}]", "inner": "{n} cards"}, "ja": {"outer": "【{inner}】"}})
    assert texts.text(Msg.of("outer", inner=Msg.of("inner", n=3)), "ja") == "【3 cards】"
    assert texts.text("nowhere", "ja") == "nowhere"
    assert texts.text("inner", "en") == "{n} cards"


def test_right_to_left_names_cannot_turn_a_sentence():
    assert TEXTS.player(0, "en", Context(("أنا",))) == "\u2068أنا\u2069"
    assert TEXTS.player(0, "en", Context(("Anna",))) == "Anna"


def test_a_ruling_cites_its_clauses():
    ruling = Ruling(Verdict.FOUL, (Violation("identical-cards", "152", ("AS",), (("copies", 2), ("holds", 1))),))
    english, japanese = (TEXTS.ruling(ruling, lang, CONTEXT) for lang in ("en", "ja"))
    assert "A♠" in english
    assert "152" in english
    assert "152" in japanese
    assert "反則" in japanese


def test_a_ruling_may_bring_a_foul_to_light():
    revoke = Violation("false-out", "113", ("AS",), (("seat", 0),))
    for verdict, violations in ((Verdict.LEGAL, ()), (Verdict.FOUL, (Violation("identical-cards", "152", ("AS",)),))):
        alone, proving = Ruling(verdict, violations), Ruling(verdict, violations, (revoke,))
        for lang, words in (("en", ". This brings a foul to light: "), ("ja", "。これで反則が判明しました:")):
            start, end = TEXTS.ruling(proving, lang, CONTEXT).split(words)
            assert start.rstrip("。") == TEXTS.ruling(alone, lang, CONTEXT).rstrip("。")
            assert TEXTS.violation(revoke, lang, CONTEXT) in end and "113" in end


def test_an_action_is_told_in_one_line():
    line = TEXTS.action(Action.of("lay", 0, ("AS", "KS", "QS")), "three-card-showdown", "en", CONTEXT)
    assert line == "Lay three cards: A♠ K♠ Q♠"


def test_a_catalogue_that_is_no_catalogue_is_refused(tmp_path):
    for lang in ("en", "ja"):
        (tmp_path / lang).mkdir()
    (tmp_path / "en" / "a.json").write_text('{"k": "x"}')
    (tmp_path / "en" / "b.json").write_text('{"k": "y"}')
    with pytest.raises(ValueError, match="repeats the keys k"):
        Texts.load(tmp_path)
    (tmp_path / "en" / "b.json").write_text('{"l": 3}')
    with pytest.raises(ValueError, match="not a flat object"):
        Texts.load(tmp_path)
