"""Every command that the documents show is run as they show it, in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.training.__main__ import main as training

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("[bc]*/README.md"))]
NEEDS = {
    "companion watch --server http://192.168.0.5:8765 --token KEY --camera 0": "that server, and a webcam",
    "companion serve --camera 0": "a webcam",
    "companion serve --database postgresql://me@host/games": "that database",
}
LONG = ("eval-films", "watch")
"""Commands that are not run for what they need, or how long they take; their options are checked. The same holds for
`make` (a dry run), installations (the names are checked), benchmarks and training, which take long."""


COMPANION = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from companion.cli import main; main()"
)
"""The program as a terminal starts it: what runs in the background is told to ignore Ctrl+C."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


PROGRAMS = r"(?:\S*/)?(?:companion|make|python3?|pip)\b"


def commands(page: Path) -> list[str]:
    """The commands of a page in their order, without remarks. In a block marked ``sh`` every line is a command; in
    others, and in running text, what begins like one of ours."""
    found = []
    for kind, block in re.findall(r"```(\w*)\n(.*?)```", text_of(page), re.S):
        if kind in ("", "sh", "bash"):
            lines = re.sub(r"\s*#.*", "", block).replace("\\\n", " ").splitlines()
            found += [line.strip() for line in lines if line.strip() and (kind == "sh" or ours(line))]
    inline = [line for line in re.findall(r"`([^`\n]+)`", text_of(page)) if ours(line)]
    return found + [line for line in inline if len(line.split()) > 1 and line not in found]


def ours(line: str) -> bool:
    if re.match(r"companion [a-z]|make [a-z]|(?:\S*/)?pip install ", line):
        return True
    return bool(re.match(r"(?:\S*/)?python3? (?:-m companion|benchmarks/|docs/|tests/)", line))


def assert_options(words: list[str], shown: str) -> None:
    for option in (word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)):
        assert re.search(rf"(?<![\w-]){option}\b", shown), f"{' '.join(words)}: there is no {option}"


def check_training(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Training takes hours: the entrance and its options are there."""
    names = list(words[: next((i for i, word in enumerate(words) if word.startswith("-")), len(words))])
    for known in range(len(names), -1, -1):  # behind the names of entrances stand files
        with contextlib.suppress(SystemExit):
            training([*names[:known], "--help"])
        shown = capsys.readouterr()
        if "error" not in shown.err:
            break
    assert known or not names, words
    assert_options(words, shown.out + " --help")


def check_long(words: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    """Commands that take long or change this machine, checked without running them. False: none of those."""
    program = Path(words[0]).name
    if program == "make":
        dry = subprocess.run(["make", "-n", *words[1:], "PHOTOS=x"], cwd=ROOT, capture_output=True, text=True)
        assert dry.returncode == 0, dry.stderr
    elif program == "pip":
        assert words[1] == "install"
        assert all(re.fullmatch(r"-e|\.?[\w.-]*(\[[\w,]+\])?", word) for word in words[2:]), words
    elif words[1:3] == ["-m", "companion.training"]:
        check_training(words[3:], capsys)
    elif words[1].startswith(("benchmarks/", "docs/", "tests/")):
        script = [sys.executable, words[1], "--help"]
        if words[1].startswith("benchmarks/"):
            shown = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True).stdout
            assert_options(words[2:], shown)
        assert (ROOT / words[1]).is_file()
    elif words[1] in LONG or " ".join(words) in NEEDS or any(word.isupper() and len(word) > 3 for word in words[2:]):
        assert_options(words[2:], CliRunner().invoke(main, [words[1], "--help"]).output)
    else:
        return False
    return True


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A folder with everything that the documents' commands take."""
    pictures = ROOT / "tests" / "vision" / "pictures"
    (tmp_path / "photos").mkdir()
    for name, source in (("photo.jpg", "AS-1.jpg"), ("photos/one.jpg", "2H-2.jpg"), ("photos/two.jpg", "3C-3.jpg")):
        shutil.copy(pictures / source, tmp_path / name)
    shutil.copy(ROOT / "tests" / "records" / "three-card-showdown-two-sets.txt", tmp_path / "game.txt")
    shutil.copy(ROOT / "calibration" / "demo" / "showdown.mp4", tmp_path / "table.mp4")
    example = re.search(r"```toml\n(.*?)```", text_of(ROOT / "docs" / "decks.md"), re.S)
    assert example is not None
    (tmp_path / "my.toml").write_text(example[1], encoding="utf-8")
    return tmp_path


def run(words: list[str], folder: Path) -> None:
    """Run a command of ours for real. A server is asked for its page and stopped."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "home")}
    command = [sys.executable, "-c", COMPANION, *words[1:]]
    if Path(words[0]).name.startswith("python"):
        command = [sys.executable, *words[1:]]
    if words[1] != "serve":
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        assert done.stdout
        return
    command += ["--host", "127.0.0.1", "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, env=environment, **pipes) as server:
        said = []
        for line in server.stdout:
            said.append(line)
            if line.startswith("Table Companion: "):
                with urllib.request.urlopen(line.split()[-1]) as page:
                    assert b"<html" in page.read()
            if "Ctrl+C" in line:
                break
        server.send_signal(signal.SIGINT)
        rest, _ = server.communicate()
    assert server.returncode == 0 and "Stopped." in rest, "".join(said) + rest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_works(page: Path, kitchen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in commands(page):
        words = shlex.split(line)
        assert re.match(PROGRAMS, words[0]), f"{page.name}: what is {line!r}?"
        if not check_long(words, capsys):
            run(words, kitchen)


def test_commands_are_found() -> None:
    found = commands(ROOT / "README.md")
    assert {"make run", "make test", "companion backup games.backup", "companion odds 52D2"} <= set(found)
    assert set(NEEDS) <= {line for page in PAGES for line in commands(page)}
