"""The short form of fuzzing (`make fuzz`), and that it finds what is there to be found."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import __main__ as fuzz
from tests.fuzz.targets import Target

ROOT = Path(__file__).parents[2]


def test_spoilt_inputs_are_refused_in_a_sentence(tmp_path):
    command = [sys.executable, "-m", "tests.fuzz", "--inputs", "60000", "--state", str(tmp_path / "state")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "no traceback" in done.stdout


def broken(found):
    if found == "crash":
        raise KeyError("x")
    if found == "slow":
        while True:
            pass
    if found == "silent":
        raise ValueError
    if found == "large":
        bytearray(900 * 2**20)
    return True


@pytest.mark.parametrize("fault", ["crash", "slow", "silent", "large"])
def test_a_reader_that_fails_is_found(fault, monkeypatch, capsys):
    monkeypatch.setattr(fuzz, "SECONDS", 0.2)
    monkeypatch.setattr(fuzz, "BAG", 1)
    heed = fuzz.signal.getsignal(fuzz.signal.SIGVTALRM)
    clock = fuzz.Clock()
    target = Target("broken", 1.0, lambda _: fault, broken, (ValueError,))
    try:
        with pytest.raises((KeyError, AssertionError, fuzz.TooLongError, SystemExit)) as found:
            fuzz.bag(target, 1, 300, clock)
    finally:
        clock.stop()
        fuzz.signal.signal(fuzz.signal.SIGVTALRM, heed)
    assert fault in capsys.readouterr().out + str(found.value)


def test_the_same_number_is_the_same_input():
    for target in (*fuzz.TARGETS, fuzz.HTTP):
        one, again, other = (target.make(random.Random(f"{target.name} {seed}")) for seed in (1, 1, 2))
        assert repr(one) == repr(again) != repr(other)
