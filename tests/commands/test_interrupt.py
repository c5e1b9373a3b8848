"""Ctrl-C in the terminal ends every command at once, with the status that shells know and without a traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

# Where tests run in the background, Ctrl-C is switched off for all they start: here it is on.
ON = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
LATER = ON + "from companion.__main__ import run; print('begins', flush=True); run()"
LOADING = (
    ON + "import sys, types\n"
    "class Slow:\n"
    "    def find_spec(self, name, *_):\n"
    "        if name == 'companion.cli': print('loading', flush=True); import time; time.sleep(60)\n"
    "sys.meta_path.insert(0, Slow())\n"
    "from companion.__main__ import run; run()"
)
COMPILED = (  # as a compiled library does that is interrupted while it loads
    ON + "import time\n"
    "from companion.cli import main\n"
    "def load(**_):\n"
    "    try: print('loading', flush=True); time.sleep(60)\n"
    "    except KeyboardInterrupt as error: raise ImportError('initialization failed') from error\n"
    "main.commands['games'].callback = load\n"
    "main(prog_name='companion')"
)
PATIENCE = 5.0
"""A second on a machine that does nothing else."""


def interrupted(code, arguments, ready):
    """Start it, interrupt it when it has said `ready`, or so many seconds after it began."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        if isinstance(ready, str):
            assert ready in process.stdout.readline()
        else:
            assert "begins" in process.stdout.readline()
            time.sleep(ready)
            assert process.poll() is None
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - began < PATIENCE
    assert "Traceback" not in out + err
    assert "Aborted" not in err
    return process.returncode


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for a group of processes")
@pytest.mark.parametrize(
    ("arguments", "after"), [(["odds", "M9D4C3"], 0.7), (["referee", "-"], 2.5), (["read", "-"], 2.5)]
)
def test_an_interrupted_command_ends_with_the_status_of_shells(arguments, after):
    status = interrupted(LATER, arguments, after)
    assert (status if status >= 0 else 128 - status) == 130


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for a group of processes")
def test_an_interrupt_while_it_is_still_loading_says_nothing():
    assert interrupted(LOADING, ["games"], "loading") == -signal.SIGINT


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for a group of processes")
def test_an_interrupt_that_a_loading_library_made_an_error_of_is_an_interrupt():
    assert interrupted(COMPILED, ["games"], "loading") == 130
