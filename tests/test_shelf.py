"""Decks of one's own on disk: folder, file and packed deck are one thing, and bad ones cost only themselves."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from companion.cards import DeckError, DeckFileError, deck
from companion.cards.ready import as_toml
from companion.shelf import install_decks, named, own_pictures, packed, put, read_deck

SMALL = '[[extras]]\ncode = "x"\n'


def test_a_deck_on_the_shelf_is_known_and_found_by_its_short_name(tmp_path: Path) -> None:
    kept = put(tmp_path, as_toml("65-original"), "Shepherds")
    assert kept.place == tmp_path / "decks" / "shepherds" and kept.deck is not None
    assert deck(kept.deck.name) is kept.deck
    assert named("shepherds", tmp_path).name == named(kept.deck.name, tmp_path).name == kept.deck.name
    assert [one.deck and one.deck.name for one in install_decks(tmp_path)] == [kept.deck.name]
    assert named("52D2", tmp_path).name == "52D2"
    with pytest.raises(DeckError, match="no deck 'shepherd'"):
        named("shepherd", tmp_path)


def test_folder_file_and_packed_deck_are_one_deck(tmp_path: Path) -> None:
    place = put(tmp_path, SMALL, "mine").place
    (place / "pictures").mkdir()
    (place / "pictures" / "x.png").write_bytes(b"picture")
    (tmp_path / "mine.deck").write_bytes(packed(place))
    (tmp_path / "mine.toml").write_text(SMALL)
    assert {read_deck(tmp_path / name).name for name in ("mine.deck", "mine.toml", "decks/mine")} == {
        named("mine", tmp_path).name
    }
    assert set(zipfile.ZipFile(tmp_path / "mine.deck").namelist()) == {"deck.toml", "pictures/x.png"}


def test_a_changed_file_is_another_deck_and_what_lies_beside_it_stays(tmp_path: Path) -> None:
    first = put(tmp_path, SMALL, "mine")
    (first.place / "learned.bin").write_bytes(b"1")
    second = put(tmp_path, SMALL + "copies = 2\n", "mine")
    assert first.deck is not None and second.deck is not None and first.deck.name != second.deck.name
    assert deck(first.deck.name).size == 1 and deck(second.deck.name).size == 2
    assert (second.place / "learned.bin").read_bytes() == b"1"
    with pytest.raises(DeckFileError, match="unknown key"):
        put(tmp_path, SMALL + "copy = 2\n", "mine")
    assert read_deck(second.place).size == 2


def test_a_bad_deck_costs_only_itself_and_says_why(tmp_path: Path) -> None:
    put(tmp_path, SMALL, "good")
    (tmp_path / "decks" / "empty").mkdir()
    (tmp_path / "decks" / "bad.toml").write_bytes(b"\xff")
    (tmp_path / "decks" / "torn.deck").write_bytes(b"PK")
    said = {one.place.name: str(one.error) for one in install_decks(tmp_path) if one.error}
    assert set(said) == {"empty", "bad.toml", "torn.deck"}
    assert "no deck.toml" in said["empty"] and "UTF-8" in said["bad.toml"] and "no packed deck" in said["torn.deck"]


def test_drawings_of_ones_own_belong_to_a_card_or_to_a_picture_in_every_suit(tmp_path: Path) -> None:
    kept = put(tmp_path, as_toml("65"), "own")
    folder = kept.place / "pictures"
    folder.mkdir()
    for name in ("judge.png", "sword.fed.jpg", "notes.txt"):
        (folder / name).write_bytes(b"")
    assert kept.deck is not None
    found = own_pictures(kept.place, kept.deck)
    assert sorted(found) == [*sorted(f"judge.{suit}" for suit in kept.deck.suits), "sword.fed"]
