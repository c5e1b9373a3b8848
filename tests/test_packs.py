"""A packed deck that somebody sent: what belongs to a deck comes in, the rest stays out, and nothing that was there is
lost."""

from __future__ import annotations

import io
import json
import random
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion import packs
from companion.cards import DeckFileError, deck
from companion.packs import aside, land, opened_up, unpack
from companion.shelf import install_decks, own_pictures, packed, place_on_shelf, put, read_deck
from companion.vision.decks import enrolled

TOML = '[deck]\nseparator = "."\n[[suits]]\ncode = "n"\n[[pictures]]\ncode = "tide"\n[[pictures]]\ncode = "crane"\n'
OTHER = TOML + '[[extras]]\ncode = "x"\n'
DRAWN, MINE = b"\x89PNG: a drawing", b"\x89PNG: mine"


def listed(*samples: tuple[str, str], version: int = 1) -> str:
    entries = [{"file": file, "face": face, "origin": "photo", "source": ""} for file, face in samples]
    return json.dumps({"version": version, "samples": entries})


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, body in files:
            archive.writestr(name, body)
    return out.getvalue()


def taken(data: Path, body: bytes, name: str = "mine") -> Path:
    with aside(data) as working:
        (working / "pack").write_bytes(body)
        unpack(working / "pack", working / "deck", lambda drawn: drawn.startswith(b"\x89PNG"))
        return land(data, working / "deck", name, lambda _: True).place


def lying(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_what_a_camera_has_learned_is_called_as_it_is_written() -> None:
    assert (packs.LEARNED, packs.SAMPLES, packs.LEARNED_FORMAT) == (enrolled.LIST, enrolled.FOLDER, enrolled.FORMAT)


def test_a_packed_deck_becomes_a_folder_with_what_belongs_to_it(tmp_path: Path) -> None:
    place = taken(
        tmp_path,
        zipped(
            ("deck.toml", TOML), ("pictures/tide.png", DRAWN), ("pictures/notes.txt", "x"), ("pictures/.x.png", "x"),
            ("samples/a.jpg", DRAWN), ("samples.json", listed(("samples/a.jpg", "tide.n"))), ("run.sh", "x"),
            ("deep/pictures/x.png", "x"), ("empty/", ""),
        ),
    )  # fmt: skip
    assert place == tmp_path / "decks" / "mine"
    assert lying(place) == {"deck.toml", "pictures/tide.png", "samples/a.jpg", "samples.json"}
    found = install_decks(tmp_path)
    assert [one.place for one in found] == [place] and found[0].deck is not None
    assert deck(found[0].deck.name).size == 2
    assert set(own_pictures(place, found[0].deck)) == {"tide.n"}
    assert [file.name for file in (tmp_path / "decks").iterdir()] == ["mine"]


def test_a_folder_that_was_packed_as_it_is_is_the_same_deck_by_the_same_name(tmp_path: Path) -> None:
    place = put(tmp_path / "here", TOML, "mine").place
    taken(tmp_path / "there", packed(place))
    taken(tmp_path / "third", zipped(("Our cards/deck.toml", TOML), ("__MACOSX/._deck.toml", b"\0")))
    assert {read_deck(tmp_path / data / "decks" / "mine").name for data in ("here", "there", "third")} == {
        read_deck(place).name
    }


def link(name: str) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.create_system, found.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return found


def locked(body: bytes) -> bytes:
    """The same with every entry's flag of encryption set, in the local headers and in the list at the end."""
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        parts = body.split(mark)
        body = mark.join([parts[0], *(part[: at - 4] + b"\x01\x00" + part[at - 2 :] for part in parts[1:])])
    return body


def lies(body: bytes, size: int) -> bytes:
    """The same, of which every entry claims to be so large."""
    at = body.rindex(b"PK\x01\x02") + 24
    return body[:at] + size.to_bytes(4, "little") + body[at + 4 :]


GOOD = ("deck.toml", TOML)
BAD: dict[str, tuple[str, bytes]] = {
    "no ZIP": ("packed", b"x" * 100),
    "empty": ("packed", b""),
    "torn": ("packed", zipped(GOOD)[:-30]),
    "another way of packing": ("packed", zipped(GOOD, method=zipfile.ZIP_LZMA)),
    "no deck": ("nothing", zipped(("pictures/x.png", DRAWN))),
    "a bad deck file": ("key", zipped(("deck.toml", "[deck]\ncopy = 2\n"))),
    "no text": ("text", zipped(("deck.toml", b"\xff\xfe"))),
    "two decks": ("twice", zipped(("a/deck.toml", TOML), ("b/deck.toml", TOML))),
    "above": ("path", zipped(GOOD, ("../x.png", DRAWN))),
    "above and back": ("path", zipped(GOOD, ("pictures/../../x.png", DRAWN))),
    "absolute": ("path", zipped(GOOD, ("/etc/x.png", DRAWN))),
    "a drive": ("path", zipped(GOOD, ("C:/x.png", DRAWN))),
    "backslashes": ("path", zipped(GOOD, ("pictures\\..\\..\\x.png", DRAWN))),
    "a line end": ("path", zipped(GOOD, ("pictures/x\n.png", DRAWN))),
    "a name without end": ("path", zipped(GOOD, (f"pictures/{'x' * 300}.png", DRAWN))),
    "learned of a file elsewhere": ("path", zipped(GOOD, ("samples.json", listed(("../../secret.jpg", "tide.n"))))),
    "absolutely elsewhere": ("path", zipped(GOOD, ("samples.json", listed(("/home/secret.jpg", "tide.n"))))),
    "elsewhere by no text": ("path", zipped(GOOD, ("samples.json", '{"samples": [{"file": ["x"]}]}'))),
    "a card without a code": ("packed", zipped(GOOD, ("samples.json", '{"samples": [{"face": 5}]}'))),
    "without end": ("packed", zipped(GOOD, ("samples.json", "[" * 200_000))),
    "a link": ("link", zipped(GOOD, (link("pictures/x.png"), "/etc/passwd"))),
    "locked": ("locked", locked(zipped(GOOD))),
    "too many": ("files", zipped(GOOD, *((f"{n}", "") for n in range(packs.MOST_FILES)))),
    "far too many": ("files", zipped(GOOD, *((f"{n:0190}", "") for n in range(packs.MOST_FILES)))),
    "capital letters": ("twice", zipped(GOOD, ("pictures/tide.png", DRAWN), ("pictures/Tide.png", DRAWN))),
    "no picture": ("picture", zipped(GOOD, ("pictures/tide.png", "text"))),
    "a large file": ("heavy", zipped(("deck.toml", b" " * 300_000))),
    "it claims to be large": ("bulky", lies(zipped(GOOD, ("pictures/x.png", DRAWN)), packs.MOST_UNPACKED)),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_no_packed_deck_is_said_and_changes_nothing(tmp_path: Path, bad: str) -> None:
    code, body = BAD[bad]
    there = put(tmp_path / "data", TOML, "mine").place
    (tmp_path / "secret.jpg").write_bytes(DRAWN)
    with pytest.raises(DeckFileError) as refused:
        taken(tmp_path / "data", body)
    assert refused.value.code == code
    assert lying(tmp_path) == {"secret.jpg", "data/decks/mine/deck.toml"}
    assert there.is_dir()


def test_a_file_that_unpacks_to_more_than_a_deck_is_stopped_where_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "MOST_UNPACKED", 2_000_000)
    pictures = [(f"pictures/{n}.png", DRAWN + bytes(900_000)) for n in range(4)]
    body = zipped(GOOD, *pictures)
    assert len(body) < 10_000
    with pytest.raises(DeckFileError, match="more than 2,000,000"):
        taken(tmp_path, body)
    monkeypatch.setattr(packs, "LARGEST_PICTURE", 500_000)
    with pytest.raises(DeckFileError, match=r"0\.png has more than 500,000"):
        taken(tmp_path, zipped(GOOD, pictures[0]))


def test_what_was_there_stays_beside_what_came_and_what_was_replaced_is_kept(tmp_path: Path) -> None:
    place = put(tmp_path, TOML, "mine").place
    for name, body in {"pictures/tide.png": b"old", "pictures/crane.jpg": MINE, "notes.txt": b"1"}.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(body)
    taken(tmp_path, zipped(("deck.toml", OTHER), ("pictures/tide.png", DRAWN)))
    assert (place / "pictures" / "tide.png").read_bytes() == DRAWN
    assert (place / "pictures" / "crane.jpg").read_bytes() == MINE
    assert (place / "notes.txt").is_file() and read_deck(place).size == 3
    (until,) = (tmp_path / "decks").glob(".mine-until-*")
    assert (until / "pictures" / "tide.png").read_bytes() == b"old" and read_deck(until).size == 2
    assert [one.place for one in install_decks(tmp_path)] == [place], "what is hidden is no deck"
    taken(tmp_path, packed(place))
    assert len(list((tmp_path / "decks").iterdir())) == 2, "the same once more replaces nothing"
    taken(tmp_path, zipped(("deck.toml", OTHER), ("pictures/CRANE.png", DRAWN)))
    assert lying(place / "pictures") == {"tide.png", "CRANE.png"}, "one drawing of a card"
    assert len(list((tmp_path / "decks").glob(".mine-until-*"))) == 2


def test_what_cameras_learned_here_and_there_is_put_together(tmp_path: Path) -> None:
    first = zipped(
        ("deck.toml", OTHER), ("samples/a.jpg", DRAWN), ("samples/b.jpg", DRAWN),
        ("samples.json", listed(("samples/a.jpg", "tide.n"), ("samples/b.jpg", "x"))),
    )  # fmt: skip
    place = taken(tmp_path, first)
    more = listed(("samples/c.jpg", "crane.n"), ("samples/a.jpg", "tide.n"))
    taken(tmp_path, zipped(("deck.toml", OTHER), ("samples/c.jpg", DRAWN), ("samples.json", more)))

    def known() -> list[str]:
        return [one["file"][8:-4] for one in json.loads((place / "samples.json").read_text("utf-8"))["samples"]]

    assert known() == ["b", "c", "a"] and lying(place / "samples") == {"a.jpg", "b.jpg", "c.jpg"}
    assert len(list((tmp_path / "decks").iterdir())) == 1, "nothing was lost"
    taken(tmp_path, zipped(("deck.toml", TOML)))
    assert known() == ["c", "a"], "cards that the deck has no more are not known"
    (until,) = (tmp_path / "decks").glob(".mine-until-*")
    assert "samples/b.jpg" in (until / "samples.json").read_text("utf-8")
    newer = listed(("samples/z.jpg", "tide.n"), version=2)
    taken(tmp_path, zipped(("deck.toml", TOML), ("samples.json", newer)))
    assert json.loads((place / "samples.json").read_text("utf-8")) == json.loads(newer), "its reader says what it is"
    assert len(list((tmp_path / "decks").glob(".mine-until-*"))) == 2


@pytest.mark.parametrize("suffix", [".toml", ".deck"])
def test_a_deck_that_lies_there_as_one_file_becomes_the_folder(tmp_path: Path, suffix: str) -> None:
    lone = tmp_path / "decks" / f"mine{suffix}"
    lone.parent.mkdir()
    lone.write_bytes(TOML.encode() if suffix == ".toml" else zipped(GOOD, ("pictures/crane.png", DRAWN)))
    place = taken(tmp_path, zipped(GOOD, ("pictures/tide.png", DRAWN)))
    drawn = {"pictures/tide.png"} | ({"pictures/crane.png"} if suffix == ".deck" else set())
    assert lying(tmp_path / "decks") == {f"mine/{name}" for name in {"deck.toml"} | drawn}
    assert read_deck(place).size == 2


def test_a_packed_deck_on_the_shelf_is_opened_up_and_keeps_what_has_no_place_there(tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "mine.deck").write_bytes(zipped(GOOD, ("pictures/tide.png", DRAWN)))
    (decks / "yours.deck").write_bytes(zipped(GOOD, ("pictures/tide.psd", b"layers")))
    before = read_deck(decks / "mine.deck").name
    assert opened_up(decks / "mine.deck", lambda _: True) == decks / "mine"
    assert opened_up(decks / "yours.deck", lambda _: True) == decks / "yours"
    assert lying(decks / "mine") == {"deck.toml", "pictures/tide.png"} and not (decks / "mine.deck").exists()
    assert place_on_shelf(tmp_path, before) == decks / "mine", "it is the same deck"
    assert [file.suffix for file in decks.glob(".yours-until-*")] == [".deck"]
    (decks / "mine.deck").write_bytes(zipped(GOOD))
    with pytest.raises(FileExistsError):
        opened_up(decks / "mine.deck", lambda _: True)
    assert (decks / "mine.deck").is_file()


def spoilt(body: bytes, chances: random.Random) -> Iterable[bytes]:
    for _ in range(400):
        found = bytearray(body)
        for _ in range(chances.choice((1, 2, 8))):
            found[chances.randrange(len(found))] = chances.randrange(256)
        yield bytes(found[: chances.choice((len(found), chances.randrange(len(found))))])


def test_a_spoilt_file_is_a_deck_or_a_sentence(tmp_path: Path) -> None:
    good = zipped(GOOD, ("pictures/tide.png", DRAWN), ("samples.json", listed(("samples/a.jpg", "tide.n"))))
    for number, body in enumerate(spoilt(good, random.Random(5))):
        try:
            taken(tmp_path / str(number % 7), body)
        except DeckFileError as error:
            assert error.code
