"""`companion read` as people use it: phones' pictures, videos, pipes, folders with rubbish in them, full disks."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands import pictures
from companion.commands.pictures import find, is_cut, seconds

PICTURES = Path(__file__).parents[1] / "vision" / "pictures"
TEN, TWO = PICTURES / "10H-10.jpg", PICTURES / "2H-2.jpg"


def run(*arguments: object, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["read", *map(str, arguments)], input=data)


def faces(result: Result) -> list[list[str | None]]:
    return [[card["face"] for card in json.loads(line)["cards"]] for line in result.stdout.splitlines()]


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("Error: ") and "Traceback" not in result.output
    assert [word for word in words if word not in last] == []


def test_standard_input_is_a_picture() -> None:
    result = run("--json", "-", data=TEN.read_bytes())
    assert faces(result) == [["10H"]]
    assert json.loads(result.stdout)["file"] == "-"


def test_a_heic_picture_of_a_phone(tmp_path: Path) -> None:
    heif = pytest.importorskip("pillow_heif", reason="the package pillow-heif is not installed")
    from PIL import Image

    heif.from_pillow(Image.open(TEN).convert("RGB")).save(tmp_path / "IMG_1.HEIC", quality=90)
    assert faces(run("--json", tmp_path)) == [["10H"]]


def test_a_heic_picture_without_its_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 64)
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    result = run(tmp_path / "a.heic")
    assert result.exit_code == 2
    assert "-m pip install pillow-heif" in result.stderr


def test_a_damaged_heic_picture_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("pillow_heif", reason="the package pillow-heif is not installed")
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 64)
    result = run(tmp_path / "a.heic")
    assert "damaged" in result.stderr and "Traceback" not in result.output


@pytest.mark.parametrize("suffix", [".gif", ".avif"])
def test_other_picture_formats_in_a_folder(tmp_path: Path, suffix: str) -> None:
    good, data = cv2.imencode(suffix, cv2.imread(str(TEN)))
    if not good:
        pytest.skip(f"this OpenCV does not write {suffix}")
    (tmp_path / f"card{suffix}").write_bytes(data.tobytes())
    assert faces(run("--json", tmp_path)) == [["10H"]]


def test_a_folder_is_read_in_counting_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("img10.jpg", "img2.jpg", "IMG1.jpg", "._img3.jpg", ".hidden.jpg", "notes.txt"):
        (tmp_path / name).touch()
    below = tmp_path / "more"
    below.mkdir()
    (below / "img5.jpg").touch()
    assert [file.name for file in find([tmp_path], recursive=False)] == ["IMG1.jpg", "img2.jpg", "img10.jpg"]
    assert [file.name for file in find([tmp_path], recursive=True)] == ["IMG1.jpg", "img2.jpg", "img10.jpg", "img5.jpg"]


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    below = tmp_path / "more"
    below.mkdir()
    shutil.copy(TEN, below)
    refused(run(tmp_path), "holds no pictures", "-r")
    assert faces(run("--json", "-r", tmp_path)) == [["10H"]]


def test_a_video_is_read_every_so_often(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    frame = cv2.imread(str(TEN))
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, frame.shape[1::-1])
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no video")
    for _ in range(25):
        writer.write(frame)
    writer.release()
    lines = [json.loads(line) for line in run("--json", "--every", "1s", film).stdout.splitlines()]
    assert [line["time"] for line in lines] == [0.0, 1.0, 2.0]
    assert [card["face"] for line in lines for card in line["cards"]] == ["10H"] * 3
    written = run("--json", "--every", "1s", "--annotate", tmp_path / "out", film)
    assert written.exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_a_video_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"nothing" * 100)
    result = run(tmp_path / "a.mp4", tmp_path / "b.mp4")
    refused(result, "2 of 2")
    assert "a.mp4 is not a video" in result.stderr and "b.mp4 cannot be opened" in result.stderr


@pytest.mark.parametrize(("text", "value"), [("1s", 1), ("500ms", 0.5), ("2", 2), ("0.25 s", 0.25), ("1m", 60)])
def test_times(text: str, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "0", "-1s", "soon", "1h", "1e9", "nan"])
def test_times_that_are_none_are_refused(text: str) -> None:
    refused(run("--every", text, TEN), "--every")


def test_csv_has_a_line_a_card() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--csv", TEN, PICTURES / "table.jpg").stdout)))
    assert [row["face"] for row in rows if row["file"] == str(TEN)] == ["10H"]
    assert sorted(row["face"] for row in rows[1:]) == sorted(["AS", "7H", "QS", "KD", "7H", "10C", ""])
    assert {row["side"] for row in rows} == {"up", "down"}
    assert all(float(row["x1"]) >= 0 for row in rows)


def test_the_summary_says_which_cards_of_the_deck_are_missing_or_too_many() -> None:
    said = run("--deck", "52D1", TEN, TEN, TWO).stdout
    assert "3 pictures: 3 cards named" in said
    assert "more often than the deck has it: 10H (2)" in said
    missing = said.partition("not seen: ")[2].splitlines()[0].split()
    assert len(missing) == 50 and not {"10H", "2H"} & set(missing)


def test_what_lies_too_often_on_one_table_is_said() -> None:
    assert "7H lies here 2 times; the deck holds 1" in run("--deck", "52D1", PICTURES / "table.jpg").stdout
    assert "lies here" not in run("--deck", "52D2", PICTURES / "table.jpg").stdout
    (surplus,) = json.loads(run("--json", "--deck", "52D1", PICTURES / "table.jpg").stdout)["surplus"]
    assert surplus == {"face": "7H", "copies": 2, "holds": 1}


def test_what_the_deck_does_not_have_gets_no_name_and_is_said() -> None:
    """A deck of 36 has no nines."""
    nine = PICTURES / "9S-9.jpg"
    assert json.loads(run("--json", "--deck", "52D1", nine).stdout)["outside"] == []
    said = json.loads(run("--json", "--deck", "36D1", nine).stdout)
    assert [card["face"] for card in said["cards"]] == [None]
    assert (said["outside"], said["surplus"]) == ([0], [])
    assert "(perhaps 9S, which the deck 36D1 does not have)" in run("--deck", "36D1", nine).stdout


def test_why_a_card_has_no_name_is_said() -> None:
    assert "(JH or QH)" in run(PICTURES / "valet.jpg").stdout


def test_a_cut_picture_says_that_it_is_cut(tmp_path: Path) -> None:
    whole = TEN.read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) * 2 // 3])
    assert "cut short" in run(tmp_path / "cut.jpg").stdout
    assert json.loads(run("--json", tmp_path / "cut.jpg").stdout)["cut"] is True
    assert "cut" not in json.loads(run("--json", TEN).stdout)
    cv2.imwrite(str(tmp_path / "whole.png"), cv2.imread(str(TEN)))
    (tmp_path / "cut.png").write_bytes((tmp_path / "whole.png").read_bytes()[:-5000])
    assert "cut.png is cut short" in run(tmp_path / "cut.png").stderr
    assert not is_cut(whole) and not is_cut(whole + b"\0" * 100)


def test_image_libraries_do_not_talk_between_our_lines(tmp_path: Path) -> None:
    """They write to the descriptor, past Python: seen from outside only."""
    whole = TEN.read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    command = [sys.executable, "-m", "companion.cli", "read", "--json", str(tmp_path / "cut.jpg")]
    found = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert found.returncode == 0, found.stderr
    assert found.stderr == ""


def test_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run(tmp_path / "pipe", "/dev/zero")
    refused(result, "2 of 2")
    assert result.stderr.count("is no ordinary file") == 2


def test_endless_standard_input_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_BYTES", 1 << 20)
    result = run("-", data=b"\0" * (1 << 20) + b"\0")
    assert "larger than 1 MiB" in result.stderr


def test_an_empty_deck_is_refused() -> None:
    refused(run("--deck", "", TEN), "--deck")


def test_drawing_never_writes_over_a_picture_that_was_read(tmp_path: Path) -> None:
    shutil.copy(TEN, tmp_path / "a.jpg")
    before = (tmp_path / "a.jpg").read_bytes()
    assert run("--annotate", tmp_path, tmp_path).exit_code == 0
    assert (tmp_path / "a.jpg").read_bytes() == before
    assert cv2.imread(str(tmp_path / "a-2.jpg")) is not None


def test_two_pictures_of_one_name_are_drawn_into_two_files(tmp_path: Path) -> None:
    for folder, picture in (("x", TEN), ("y", TWO)):
        (tmp_path / folder).mkdir()
        shutil.copy(picture, tmp_path / folder / "card.jpg")
    assert run("--annotate", tmp_path / "out", tmp_path / "x", tmp_path / "y").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["card-2.jpg", "card.jpg"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / f"{TEN.stem}.jpg").symlink_to("/dev/full")
    refused(run("--annotate", tmp_path / "out", TEN), "cannot be written")


def test_a_picture_of_another_size_and_kind_still_reads(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320), 90, np.uint8))
    assert faces(run("--json", tmp_path / "grey.png")) == [[]]
