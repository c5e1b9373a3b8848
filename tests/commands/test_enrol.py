"""`companion deck enrol`: photographs in, a deck that the camera knows out; bad ones are refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cli import main
from companion.training.decks import scenes
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.photographs import BadPhotographError, Fault, apart, burnt_out, same_picture, sample_of

PICTURES, MARKS = 3, 2
TOML = '[deck]\nname = "Invented"\nseparator = "."\n' + "".join(
    [f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(MARKS)]
    + [f'[[pictures]]\ncode = "p{k}"\nname = "Picture {k}"\n' for k in range(PICTURES)]
)
DRAWN = Invented(HELDOUT + 9, "clear", PICTURES, MARKS)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for code in DRAWN.codes:
        cv2.imwrite(str(folder / f"{code}.jpg"), scenes.photograph(DRAWN, code, 8)[0])
    return folder


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("deck") / "invented.toml"
    file.write_text(TOML, "utf-8")
    return file


def run(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def enrolled(photos: Path, deck_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "own.deck"
    (out.parent / "bare.toml").write_text(TOML, "utf-8")
    code, said, wrong = run("deck", "enrol", deck_file, "--photos", photos, "--out", out, "--lang", "en")
    assert (code, wrong) == (0, "")
    assert "6 of 6 cards are known" in said
    return out


def test_a_table_is_read_with_the_enrolled_deck(enrolled: Path, tmp_path: Path) -> None:
    scene = scenes.table(DRAWN, [Invented(HELDOUT + 20)], 3)
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), scene.image[..., ::-1])
    code, said, _ = run("read", "--deck", enrolled, "--json", picture)
    assert code == 0
    named = [card["face"] for card in json.loads(said)["cards"] if card["face"]]
    lying = [card.face for card in scene.cards]
    assert named
    assert all(named.count(face) <= lying.count(face) for face in named)
    # Without what was enrolled the camera knows none of them.
    code, said, _ = run("read", "--deck", enrolled.with_name("bare.toml"), "--json", picture)
    assert [card["face"] for card in json.loads(said)["cards"] if card["face"]] == []


def test_what_was_enrolled_before_is_kept_and_the_same_photograph_counts_once(
    enrolled: Path, deck_file: Path, photos: Path
) -> None:
    before = enrolled.read_bytes()
    code, said, _ = run("deck", "enrol", deck_file, "--photos", photos, "--out", enrolled)
    assert code == 0
    assert "0 photographs added; 6 of 6" in said
    assert enrolled.read_bytes() == before


def test_bad_photographs_are_refused_with_the_reason_and_good_ones_kept(
    deck_file: Path, photos: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    good = cv2.imread(str(photos / "p0.m0.jpg"))
    other = cv2.imread(str(photos / "p1.m0.jpg"))
    cv2.imwrite(str(folder / "p0.m0.jpg"), good)
    cv2.imwrite(str(folder / "p0.m1.jpg"), good)  # a second name for one picture
    cv2.imwrite(str(folder / "p1.m0.jpg"), cv2.GaussianBlur(other, (0, 0), 14))
    cv2.imwrite(str(folder / "p2.m0.jpg"), np.full_like(good, 90))
    cv2.imwrite(str(folder / "p2.m1.jpg"), np.hstack([good, other]))
    cv2.imwrite(str(folder / "queen.jpg"), other)
    code, said, refused = run("deck", "enrol", deck_file, "--photos", folder, "--out", tmp_path / "own", "--lang", "en")
    assert code == 1
    reasons = dict(line.split(":", 1) if ": " in line else (line.split()[0], line) for line in refused.splitlines())
    assert "same card as p0.m0.jpg" in refused
    assert "no card is to be seen" in reasons["p2.m0.jpg"]
    assert "2 cards" in reasons["p2.m1.jpg"]
    assert "named after no card" in refused
    assert "p1.m0.jpg" in refused
    assert "1 of 6 cards are known" in said
    assert "5 cards have no photograph yet" in said


def test_an_empty_folder_and_a_wrong_place_are_one_sentence(deck_file: Path, tmp_path: Path, enrolled: Path) -> None:
    (tmp_path / "empty").mkdir()
    for words, told in (
        ((deck_file, "--photos", tmp_path / "empty", "--out", tmp_path / "own"), "holds no pictures"),
        (("65", "--photos", tmp_path / "empty", "--out", enrolled), "holds another deck"),
        ((deck_file, "--photos", tmp_path / "empty", "--out", deck_file), "is a folder, or a file that ends in"),
    ):
        code, said, wrong = run("deck", "enrol", *words)
        assert (code, said) == (2, "")
        assert told in wrong
        assert wrong.count("\n") == 1


def test_one_photograph_of_many_cards_in_order(deck_file: Path, tmp_path: Path) -> None:
    rows = [np.hstack([scenes.photograph(DRAWN, f"p{p}.m{m}", 8)[0] for p in range(PICTURES)]) for m in range(MARKS)]
    sheet = tmp_path / "sheet.jpg"
    cv2.imwrite(str(sheet), cv2.resize(np.vstack(rows), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA))
    code, said, wrong = run("deck", "enrol", deck_file, "--photos", sheet, "--out", tmp_path / "own", "--lang", "en")
    assert "6 of 6 cards are known" in said, wrong
    assert code == 0
    code, _, wrong = run(
        "deck", "enrol", deck_file, "--photos", sheet, "--order", "p0.m0,p1.m0", "--out", tmp_path / "b"
    )
    assert code == 2
    assert "6 cards are to be seen where 2 should lie" in wrong


def test_too_many_cards_are_refused_by_the_deck_file(tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    ranks = "".join(f'[[ranks]]\ncode = "r{k}"\nname = "R{k}"\n' for k in range(100))
    suits = "".join(f'[[suits]]\ncode = "s{k}"\nname = "S{k}"\ncolour = "red"\n' for k in range(4))
    file.write_text(f'[deck]\nname = "Many"\nseparator = "."\n{suits}{ranks}', "utf-8")
    (tmp_path / "photos").mkdir()
    code, _, wrong = run("deck", "enrol", file, "--photos", tmp_path / "photos", "--out", tmp_path / "own")
    assert code == 2
    assert "400" in wrong
    assert wrong.count("\n") == 1


def test_reasons_of_one_card() -> None:
    photo, quad = scenes.photograph(DRAWN, "p0.m0", 8)
    assert same_picture(sample_of(photo, quad), sample_of(photo, quad))

    def fault(picture: np.ndarray, outline: np.ndarray) -> Fault:
        with pytest.raises(BadPhotographError) as told:
            sample_of(picture, outline)
        return told.value.fault

    assert fault(cv2.GaussianBlur(photo, (0, 0), 12), quad) is Fault.BLURRED
    assert fault(cv2.resize(photo, None, fx=0.2, fy=0.2), quad * 0.2) is Fault.SMALL
    left = int(quad[:, 0].min()) + 60
    assert fault(np.ascontiguousarray(photo[:, left:]), quad - [left, 0]) is Fault.CUT
    dim = (photo * 0.6).astype(np.uint8)
    centre = tuple(int(v) for v in quad.mean(axis=0))
    assert fault(cv2.circle(dim.copy(), centre, 70, (255, 255, 255), -1), quad) is Fault.GLARE
    assert len(apart([quad, quad + 3, quad * 0.3])) == 1


def test_white_paper_around_a_picture_is_no_glare() -> None:
    """A margin burnt out to white ends where the picture begins; glare fades."""
    card = np.full((288, 224, 3), 255, np.uint8)
    card[20:-20, 20:-20] = (120, 90, 140)
    assert burnt_out(card) == 0
    y, x = np.mgrid[0:288, 0:224]
    spot = 260 * np.exp(-(((x - 112) / 40) ** 2 + ((y - 144) / 40) ** 2))
    assert burnt_out(np.clip(card + spot[..., None], 0, 255).astype(np.uint8)) > 0.02
