"""The game that `companion new-game` writes keeps the whole contract, and its own tests pass as an author runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.commands.new_game import write


def test_the_tests_of_a_new_game_pass(tmp_path: Path) -> None:
    folder = write("tower-duel", tmp_path)[0].parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(folder)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "18 passed" in done.stdout


def test_they_fail_when_the_game_is_broken(tmp_path: Path) -> None:
    folder = write("tower-duel", tmp_path)[0].parent
    world = (folder / "world.py").read_text(encoding="utf-8")
    (folder / "world.py").write_text(world.replace("cards[:HAND], cards[HAND:]", "cards[:HAND], cards[HAND + 1 :]"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "claims_about_the_table_are_true_and_no_card_is_lost" in done.stdout
