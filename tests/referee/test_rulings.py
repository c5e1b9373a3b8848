"""What the referee says, as people read it: whole sentences in both languages, with names and without codes."""

import importlib.util
import re
from pathlib import Path

import pytest

from companion.server.show.texts import PLAYER_PARAMS, Texts

ROOT = Path(__file__).resolve().parents[2]
TEXTS = Texts.load()
NOBODYS = {"too-many-copies", "game-over", "not-in-deck", "unknown-action", "card-elsewhere", "joker-is-no-king"}
NOBODYS |= {"too-many-common"}
"""Rulings about cards or the table: no player has to be named."""
both = pytest.mark.parametrize("lang", ["en", "ja"])


def rulings(lang):
    return {k.removeprefix("violation."): v for k, v in TEXTS.catalogues[lang].items() if k.startswith("violation.")}


def test_the_page_of_rulings_is_what_the_catalogues_say():
    spec = importlib.util.spec_from_file_location("rulings", ROOT / "docs" / "rulings.py")
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    written = page.written()
    assert (ROOT / "docs" / "rulings.md").read_text("utf-8") == written, "python docs/rulings.py writes it anew"
    rows = written.splitlines()[7:]
    assert len(rows) == len(rulings("en"))
    for row in rows:
        assert not re.search(r"[{}]", row), row


@both
def test_every_ruling_names_the_player_concerned(lang):
    for code, sentence in rulings(lang).items():
        named = PLAYER_PARAMS & set(re.findall(r"\{(\w+)\}", sentence))
        assert named or code in NOBODYS, (code, sentence)


@both
def test_every_ruling_is_whole_sentences(lang):
    stop = "." if lang == "en" else "。"
    for code, sentence in rulings(lang).items():
        assert sentence.endswith(stop), (code, sentence)
        assert not re.search(r"\b[a-z]+-[a-z]+-?[a-z]*\b", re.sub(r"face-down|re-read", "", sentence)), (code, sentence)


def test_the_words_of_japanese_players_are_used():
    spoken = " ".join(TEXTS.catalogues["ja"].values())
    for odd in ("変わりのカード", "小数切上", "証明できない"):
        assert odd not in spoken
