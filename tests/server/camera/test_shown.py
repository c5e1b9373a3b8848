"""Decks that are shown to a camera, in words."""

from __future__ import annotations

import pytest

from companion.cards import deck
from companion.server.camera.shown import part_name
from companion.server.show.texts import Texts


@pytest.mark.parametrize(
    ("name", "code", "english", "japanese"),
    [
        ("65", "end", "The End", "終焉"),
        ("65", "fed", "Federal Army", "連邦軍"),
        ("65", "judge.fed", "Judge of the Federal Army", "連邦軍の裁判官"),
        ("T52D1", "a", "Fire", "火"),
        ("hanafuda", "pine", "Pine", "松"),
    ],
)
def test_pictures_and_marks_are_called_by_their_names(name: str, code: str, english: str, japanese: str) -> None:
    texts = Texts.load()
    assert [part_name(deck(name), code, texts, lang) for lang in ("en", "ja")] == [english, japanese]
