"""The short form of the drill (`make drill`): the beginning of some games, told in each of three ways, in which at
every step something goes wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and rights of files are set as Linux has them")
@pytest.mark.parametrize(("way", "faults", "events"), [("taps", 50, 26), ("network", 10, 11), ("films", 8, 5)])
def test_a_game_survives_a_fault_at_every_step(way, faults, events):
    if way == "films":
        pytest.importorskip("PIL", reason="prints are drawn with Pillow")
        pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")
    command = [sys.executable, "-m", "tests.drill", "--only", way, "--faults", str(faults), "--events", str(events)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing lost" in done.stdout
