"""The wheel is the whole product: installed away from the checkout it serves the page, reads and judges."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built and installed (without its dependencies) into an empty folder outside the checkout."""
    work = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(work), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, text=True)
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "site")
    return work / "site"


def environment(site: Path) -> dict[str, str]:
    # The wheel's folder comes first on the path, before any editable install of the checkout.
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}


def companion(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *arguments]
    return subprocess.run(command, env=environment(site), cwd=site, capture_output=True, text=True, timeout=120)


def test_the_wheel_carries_page_weights_and_layouts(installed: Path) -> None:
    data = installed / "companion" / "_data"
    assert list((data / "models").rglob("*.onnx"))
    assert list((data / "models").rglob("MODEL_CARD.md"))
    assert list((data / "web").rglob("*.html"))
    assert list((data / "web" / "messages" / "ja").glob("*.json"))
    assert list((data / "calibration").rglob("*.toml"))
    assert list((data / "calibration" / "demo").glob("*.mp4"))


def test_the_installed_code_is_the_wheels(installed: Path) -> None:
    code = "import companion, companion.resources as r; print(companion.__file__, r.models())"
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment(installed), cwd=installed, capture_output=True, text=True
    )
    assert found.stdout.count(str(installed)) == 2, found.stdout + found.stderr


def test_the_installed_command_judges_a_hand(installed: Path) -> None:
    done = companion(installed, "hand", "--ranking", "52D2", "--json", "5S", "5S", "9H")
    assert json.loads(done.stdout)["category"] == "D2", done.stderr


RECORD = ROOT / "tests" / "records"


WORKS = [
    (["--version"], "0.2.0"),
    (["games"], "joker-quest"),
    (["rankings"], "52D2"),
    (["odds", "52D1"], "SF"),
    (["completion", "zsh"], "_COMPANION_COMPLETE"),
    (["simulate", "aces-king", "--games", "2"], "aces-king"),
    (["mat", "joker-quest", "--out", "{work}/mat.pdf"], "bytes"),
    (["new-game", "my-game", "--into", "{work}/games"], "my_game"),
    (["read", "{root}/docs/page.png"], "page.png"),
    (["doctor", "--data", "{work}/data", "--port", "48766"], "networks"),
    (["referee", "{record}"], ""),
    (["decks"], "52D2"),
    (["deck", "show", "52D2"], "52D2"),
    (["watch", "--help"], "--token"),
    (["eval-films", "--help"], "--render"),
]
ELSEWHERE = {"hand", "serve", "backup", "restore"}
"""Commands that have a test of their own here."""


def test_every_command_is_tried() -> None:
    assert {command[0] for command, _ in WORKS if command[0] in main.commands} | ELSEWHERE == set(main.commands)


@pytest.mark.parametrize(("command", "said"), WORKS, ids=lambda value: value if isinstance(value, str) else value[0])
def test_every_command_works_on_the_installed_wheel(
    installed: Path, tmp_path: Path, command: list[str], said: str
) -> None:
    record = min(RECORD.rglob("*.txt"))
    command = [word.format(work=tmp_path, root=ROOT, record=record) for word in command]
    done = companion(installed, *command)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert "Traceback" not in done.stderr


def test_a_backup_of_the_installed_wheel_goes_out_and_back_in(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from companion.games import Setup; from companion.journal import Journal\n"
        "from companion.referee import Started\n"
        "journal = Journal('sqlite:///' + sys.argv[1] + '/journal.sqlite3')\n"
        "journal.create('one', Started('three-card-showdown', Setup(('Aki', 'Ben'), '52D2')))\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment(installed), cwd=installed, check=True)
    for command in (["backup"], ["backup", "--verify"], ["restore"]):
        done = companion(installed, *command, "--data", str(tmp_path), str(tmp_path / "games.backup"))
        assert done.returncode == 0, done.stderr


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    command = [
        sys.executable,
        "-m",
        "companion",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--data",
        str(tmp_path),
    ]
    log = tmp_path / "serve.log"
    with (
        log.open("w") as out,
        subprocess.Popen(command, env=environment(installed), cwd=installed, stdout=out, stderr=out) as process,
    ):
        try:
            for _ in range(300):
                text = log.read_text()
                address = next((w for w in text.split() if w.startswith("http://127.0.0.1:")), None)
                if address:
                    break
                assert process.poll() is None, text
                time.sleep(0.2)
            else:
                pytest.fail(f"no address printed: {log.read_text()}")
            yield address
        finally:
            process.terminate()


def test_the_installed_server_serves_the_page(served: str) -> None:
    with urllib.request.urlopen(served, timeout=60) as answer:
        page = answer.read().decode()
    assert answer.status == 200
    assert "<html" in page
