"""What somebody meets who has just installed the program: help, lists, completion, damaged parts, where data lie."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion import __version__, resources
from companion.cli import main
from companion.games import Setup
from companion.hands import ranking_names
from companion.journal import Journal
from companion.referee import Started
from companion.server.config import default_data, journal_file


def run(*arguments, **environment):
    return CliRunner(env=environment).invoke(main, list(arguments))


def process(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        env={**os.environ, **environment}, capture_output=True, timeout=120,
    )  # fmt: skip


def test_the_module_is_the_command():
    assert process("--version").stdout.decode().strip() == f"companion, version {__version__}"
    assert b"Usage: companion " in process("hand", "--help").stdout


def test_an_empty_data_home_counts_as_unset(monkeypatch):
    if not sys.platform.startswith("linux"):
        pytest.skip("XDG_DATA_HOME is for Linux")
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("XDG_DATA_HOME", "")
    assert default_data() == Path("/home/somebody/.local/share/table-companion")
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert default_data() == Path("/elsewhere/table-companion")


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_option_says_what_it_is_and_its_values(command):
    shown = " ".join(run(command, "--help", COLUMNS="100").output.split())
    for option in main.commands[command].params:
        if isinstance(option, click.Option):
            assert option.help, option.name
            assert " ".join(option.help.split()) in shown
            if isinstance(option.type, click.Choice):
                assert all(str(value) in shown for value in option.type.choices)


def test_the_list_of_commands_is_not_cut_and_names_the_environment():
    shown = run("--help", COLUMNS="80").output
    for name in ("COMPANION_DATABASE", "COMPANION_RUNTIME", "COMPANION_THREADS", "XDG_DATA_HOME"):
        assert name in shown
    assert "..." not in shown.partition("Commands:")[2]


def test_rankings_lists_all_that_hand_and_odds_take():
    found = {one["name"]: one for one in json.loads(run("rankings", "--json").output)["rankings"]}
    assert tuple(found) == ranking_names()
    assert found["five-card"]["categories"][-1] == "no_pair"
    assert "-o straights=" in run("rankings").output


ASKING = {
    "bash": 'eval "$(companion completion bash)"; COMP_WORDS=(companion {words}); COMP_CWORD={count}; '
    '_companion_completion companion; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "compdef() {{ }}; _describe() {{ print -l ${{(P)${{@[-2]}}}} ${{(P)${{@[-1]}}}} }}; "
    "compadd() {{ print -l ${{(P)${{@[-1]}}}} }}; "
    'eval "$(companion completion zsh)"; words=(companion {words}); CURRENT=$(({count} + 1)); _companion_completion',
    "fish": 'companion completion fish | source; complete -C "companion {words}"',
}
"""How each shell is asked for what it would offer; zsh shows completions only to people, so its two ways of showing
are replaced by printing."""


@pytest.mark.parametrize("shell", ASKING)
@pytest.mark.parametrize(
    ("words", "offered"),
    [("sim", "simulate"), ("simulate hexa", "hexa-card"), ("read --deck 52D", "52D2"), ("mat --paper a", "a3")],
)
def test_the_shell_itself_completes_commands_and_values(shell, words, offered, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    command = tmp_path / "companion"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n')
    command.chmod(0o755)
    asked = ASKING[shell].format(words=words, count=len(words.split()))
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([shell, "-c", asked], env=environment, capture_output=True, text=True, timeout=120)
    assert offered in done.stdout, done


@pytest.mark.parametrize("shell", ASKING)
def test_completion_answers_every_shell(shell):
    """Also where the shell is not installed: what its script asks is answered."""
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("the version of bash is looked up")
    assert "_COMPANION_COMPLETE" in run("completion", shell).output
    words = {"COMP_WORDS": "companion simulate hexa", "COMP_CWORD": "2" if shell != "fish" else "hexa"}
    assert b"hexa-card" in process(_COMPANION_COMPLETE=f"{shell}_complete", **words).stdout


PARTS = ("detector/detector.onnx", "reader/reader.onnx", "reader/tuning.json", "reader/judge.json")


def damaged(part, damage, folder):
    """The shipped models in a folder, one part of them cut or gone."""
    models = folder / "models"
    shutil.copytree(resources.models(), models, ignore=shutil.ignore_patterns("*.pt", "*.npz"))
    file = models / part
    for one in (file, file.with_name(f"{file.stem}-8bit{file.suffix}")):
        if one.exists():
            one.unlink() if damage == "gone" else one.write_bytes(one.read_bytes()[: one.stat().st_size // 3])
    return models


def assert_one_sentence(said, part):
    assert said.exit_code == 2
    assert "Traceback" not in said.output
    assert said.stderr.startswith("Error: ")
    assert said.stderr.count("\n") == 1
    assert Path(part).stem in said.stderr
    assert "install" in said.stderr


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_damaged_or_missing_networks_are_one_sentence(part, damage, tmp_path, monkeypatch):
    models = damaged(part, damage, tmp_path)
    monkeypatch.setattr(resources, "models", lambda: models)
    assert_one_sentence(run("read", str(resources.web().parent / "docs" / "page.png")), part)
    assert "install Table Companion again" in run("doctor", "--data", str(tmp_path / "data"), "--port", "48765").output


def test_the_doctor_looks_at_every_network(tmp_path, monkeypatch):
    for part in ("decks/same_mark.onnx", "decks/decks.onnx", "decks/decks.json", "reader/face.json"):
        models = damaged(part, "cut", tmp_path / Path(part).name)
        monkeypatch.setattr(resources, "models", lambda models=models: models)
        said = run("doctor", "--data", str(tmp_path / "data"), "--port", "48765").output
        assert "install Table Companion again" in said, part


@pytest.mark.parametrize(("part", "damage"), [(PARTS[0], "cut"), (PARTS[1], "cut"), (PARTS[2], "cut"), ("", "gone")])
def test_damaged_networks_are_one_sentence_from_every_command_that_reads(part, damage, tmp_path, monkeypatch):
    models = damaged(part, damage, tmp_path) if part else tmp_path / "none"
    monkeypatch.setattr(resources, "models", lambda: models)
    (tmp_path / "photos").mkdir()
    shutil.copy(resources.web().parent / "tests" / "vision" / "pictures" / "AS-1.jpg", tmp_path / "photos" / "AS.jpg")
    enrol = ["deck", "enrol", "52D1", "--photos", str(tmp_path / "photos"), "--out", str(tmp_path / "own.deck")]
    for command in (enrol, ["eval-films", "--render", "three-card-showdown:1:1"]):
        assert_one_sentence(run(*command), part)
    assert not (tmp_path / "own.deck").exists()


def test_a_backup_is_verified_by_restoring_it_aside(tmp_path):
    journal = Journal(f"sqlite:///{journal_file(tmp_path)}")
    journal.create("one", Started("three-card-showdown", Setup(("Aki", "Ben"), "52D2")))
    journal.close()
    file = tmp_path / "away" / "games.backup"
    assert run("backup", "--data", str(tmp_path), str(file)).exit_code == 0
    before = file.read_bytes()
    assert run("backup", "--verify", str(file)).output.strip().endswith(": 1")
    assert list(file.parent.iterdir()) == [file]
    file.write_bytes(before[:5000])
    said = run("backup", "--verify", str(file))
    assert (said.exit_code, said.stderr.count("\n")) == (2, 1)
    assert "damaged" in said.stderr


def test_a_camera_that_is_no_file_is_told_at_once(tmp_path):
    said = run("serve", "--camera", str(tmp_path / "none.mp4"), "--port", "0", "--data", str(tmp_path / "data"))
    assert said.exit_code == 2
    assert "none.mp4" in said.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "environment", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"},
                    {"PYTHONUTF8": "0", "LC_ALL": "POSIX"}, {"NO_COLOR": "1"},
                    {"LC_ALL": "ja_JP.eucJP", "PYTHONIOENCODING": "euc_jp"}, {"PYTHONIOENCODING": "shift_jis"}],
)  # fmt: skip
@pytest.mark.parametrize("command", [["hand", "--ranking", "52D1", "--lang", "ja", "5♥", "6♥", "7♥"], ["--help"]])
def test_any_encoding_of_the_terminal_is_spoken(environment, command):
    found = process(*command, **environment)
    assert found.returncode == 0, found.stderr
    assert b"Traceback" not in found.stderr
    assert found.stdout
    assert b"\x1b[" not in found.stdout
    spoken = environment.get("PYTHONIOENCODING", "")
    if spoken.endswith("jis") or spoken == "euc_jp":
        assert command[0] != "hand" or "ストレートフラッシュ" in found.stdout.decode(spoken)


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m companion rankings | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/table-companion", "pipx inject table-companion 'psycopg[binary]'"),
        ("/home/me/.local/share/uv/tools/table-companion", "uv pip install --python"),
        ("/home/me/.venv", "-m pip install 'psycopg[binary]'"),
    ],
)
def test_an_optional_package_is_named_by_the_command_that_adds_it_here(prefix, command, monkeypatch):
    monkeypatch.setattr(sys, "prefix", prefix)
    assert command in resources.how_to_install("psycopg[binary]")
