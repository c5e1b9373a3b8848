"""`companion simulate` as people run it: Ctrl-C in the terminal, which reaches every process of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# Where tests run in the background, Ctrl-C is switched off for all they start: here it is on.
RUN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from companion.cli import main; main()"


def children(pid):
    """The processes that this one has started; where the system does not tell, it is waited for long enough."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        time.sleep(6)
        return ["self"]


def worked(pid):
    """The processor time (s) that a process has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 1.0 if pid == "self" else 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for a group of processes")
@pytest.mark.parametrize("bots", ["simple", "strong"])
def test_ctrl_c_ends_it_at_once_and_shows_what_was_played(bots, tmp_path):
    arguments = ["simulate", "hexa-card", "--games", "1000000", "--bots", bots, "--data", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(worked(child) > 0.5 for child in children(process.pid)):
            time.sleep(0.1)
        assert process.poll() is None
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
        took = time.monotonic() - began
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert "of 1000000, stopped" in out
    assert took < 5  # a second on a machine that does nothing else
