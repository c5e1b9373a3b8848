"""The command line as a user meets it: JSON shapes, one-sentence errors, exit code 2, no traceback."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main

COMMANDS = ["serve", "backup", "restore", "read", "hand", "odds", "referee", "simulate", "eval-films"]
COMMANDS += ["games", "new-game", "watch"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def assert_one_sentence(result: Result, *words: str) -> None:
    assert result.exit_code == 2, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("Error: ")
    assert "Traceback" not in result.output
    for word in words:
        assert word in last


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    assert command in run("--help").output
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert len(shown.output.splitlines()) > 5


def test_hand_in_two_decks() -> None:
    legal = json.loads(run("hand", "--ranking", "52D2", "--json", "5S", "5S", "9H").output)
    assert (legal["category"], legal["violations"]) == ("D2", [])
    foul = json.loads(run("hand", "--ranking", "52D1", "--json", "5S", "5S", "9H").output)
    assert foul["violations"]
    assert "5S" in str(foul["violations"])


def test_hand_in_words() -> None:
    shown = run("hand", "--ranking", "52D1", "5h", "6♥", "7H")
    assert shown.exit_code == 0
    assert shown.output.startswith("5H 6H 7H: ")
    assert "SF" in shown.output


def test_an_unknown_card_suggests_the_nearest() -> None:
    assert_one_sentence(run("hand", "--ranking", "52D1", "11S", "6H", "7H"), "11S", "10S")


def test_an_unknown_ranking_or_deck_suggests_the_nearest(tmp_path: Path) -> None:
    assert_one_sentence(run("hand", "--ranking", "52D9", "5H", "6H", "7H"), "52D9")
    assert_one_sentence(run("read", "--deck", "52D22", str(tmp_path / "x.jpg")), "52D22", "52D2")
    assert_one_sentence(run("odds", "52X1"), "52X1")


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("suits = 3")
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((240, 320, 3), 90, np.uint8))
    assert_one_sentence(run("read", "--deck", str(own), str(tmp_path / "plain.png")), "own")
    assert_one_sentence(run("read", "--deck", str(tmp_path / "none.toml"), str(tmp_path / "plain.png")), "none.toml")


def test_odds_in_json() -> None:
    result = json.loads(run("odds", "52D1", "--json").output)
    assert result["hands"] == 22_100
    assert sum(result["counts"].values()) == 22_100
    assert set(result) == {"ranking", "options", "hands", "counts", "order_by_rarity", "disagreements"}


def test_bad_pictures_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a_empty.jpg").touch()
    (tmp_path / "b_text.jpg").write_text("this is no picture")
    cv2.imwrite(str(tmp_path / "c_dot.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "d_plain.png"), np.full((240, 320, 3), 90, np.uint8))
    names = sorted(str(p) for p in tmp_path.iterdir())
    result = run("read", "--json", *names)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in lines] == names
    assert [bool(line.get("error")) for line in lines] == [True, True, True, False]
    assert (lines[3]["width"], lines[3]["height"], lines[3]["cards"]) == (320, 240, [])
    assert_one_sentence(result, "3 of 4")
    assert "a_empty.jpg" in result.stderr
    assert "b_text.jpg" in result.stderr


def test_a_missing_picture_and_a_missing_folder(tmp_path: Path) -> None:
    assert run("read", str(tmp_path / "nothing.jpg")).exit_code == 2


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = str(taken.getsockname()[1])
        result = run("serve", "--camera", "none", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path))
    assert_one_sentence(result, port)


def test_an_unknown_game(tmp_path: Path) -> None:
    assert_one_sentence(run("simulate", "aces-kign", "--games", "1"), "aces-king")


def test_a_corrupt_record(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_bytes(b"\xff\xfe\x00nonsense")
    assert_one_sentence(run("referee", str(record)), "game.txt")
