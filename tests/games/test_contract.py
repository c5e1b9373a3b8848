"""What holds for every game (`companion.testing`), and that their words fit together."""

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.games import ids
from companion.resources import LANGUAGES, read_words
from companion.testing import CHECKS, codes_in

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ids())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game(check, name):
    check(name)


def catalogue_files(lang):
    """The words that all games share, and each game's own."""
    shared = (ROOT / "web" / "messages" / lang).glob("*.json")
    return [*sorted(shared), *sorted((ROOT / "companion" / "games").glob(f"*/words.{lang}.json"))]


def sentences(lang):
    keys = [key for path in catalogue_files(lang) for key in read_words(path)]
    return [key.removeprefix("violation.") for key in keys if key.startswith("violation.")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_sentence_and_every_sentence_a_code(lang):
    codes = codes_in(ROOT / "companion" / "games") | codes_in(ROOT / "companion" / "referee")
    assert [code for code in codes if not any(re.fullmatch(code, sentence) for sentence in sentences(lang))] == []
    assert [sentence for sentence in sentences(lang) if not any(re.fullmatch(code, sentence) for code in codes)] == []


def test_every_code_is_provoked_by_a_test_or_a_record():
    texts = [
        path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.*") if path.suffix in (".py", ".txt", ".json")
    ]
    assert [code for code in sentences("en") if not any(re.search(rf"\b{code}\b", text) for text in texts)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_catalogue_files_say_the_same_key(lang):
    """One rule, one sentence: two games with one code would quietly take each other's words."""
    seen = Counter(key for path in catalogue_files(lang) for key in read_words(path))
    assert [key for key, times in seen.items() if times > 1] == []
