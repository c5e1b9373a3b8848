"""The training environment's stand-in package is what pip and ultralytics look for."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from companion.training import environment


def test_stand_in_is_a_package_named_torchvision(tmp_path: Path) -> None:
    environment.write_stand_in(tmp_path)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    assert project == {"name": "torchvision", "version": environment.VERSION}
    for name in ("__init__.py", "ops.py"):
        compile((tmp_path / "torchvision" / name).read_text(), name, "exec")


def test_a_failing_pip_is_one_sentence(tmp_path: Path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    def fail(*_: object, **__: object) -> None:
        raise environment.subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(environment.venv, "create", lambda *_, **__: None)
    monkeypatch.setattr(environment.subprocess, "run", fail)
    assert environment.main([str(tmp_path)]) == 1
    assert "could not be made" in capsys.readouterr().err


def test_a_python_without_any_package_can_make_it() -> None:
    asked = subprocess.run(
        [sys.executable, "-S", "-m", "companion.training", "environment", "--help"], capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
