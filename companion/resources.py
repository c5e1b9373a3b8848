"""Finds the data files that are not code, in a checkout and in an installed wheel alike, and reads catalogues.

A wheel carries them inside the package (``companion/_data/web`` …), a checkout has them at its top level.
"""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LANGUAGES = ("en", "ja")
"""Every sentence for people exists in these."""

AGAIN = "install Table Companion again"
"""What helps where a part of it is missing or damaged."""


class PartError(ValueError):
    """A part of the program, as a network, is missing or damaged; the message is one sentence for people."""


_HERE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for base in (_HERE / "_data", _HERE.parent):
        if (base / name).is_dir():
            return base / name
    raise PartError(f"the folder {name!r} is missing from this installation: {AGAIN}")


def web() -> Path:
    """Templates, scripts, styles and message catalogues."""
    return _folder("web")


def models() -> Path:
    """Weights (ONNX) with their model cards."""
    return _folder("models")


def calibration() -> Path:
    """Table layouts, printable boards, the demo recording."""
    return _folder("calibration")


def package(name: str) -> Path:
    """The folder of an installed package, for the data files that lie beside its code."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise FileNotFoundError(f"the package {name!r} is not installed")
    return Path(found.origin).parent


def undamaged(load: Callable[[Path], T], path: Path) -> T:
    """What a file of numbers holds. Raises PartError for a missing or damaged one."""
    try:
        return load(path)
    except PartError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PartError(f"{path} is damaged: {AGAIN}") from error


def read_words(file: Path) -> dict[str, str]:
    """A catalogue: a flat JSON object of texts by key. Raises ValueError with one sentence when the file is none."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{file.name} is no JSON: line {error.lineno}: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is not a text file in UTF-8") from error
    if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
        raise ValueError(f"{file.name} in {file.parent.name} is not a flat object of texts")
    return data


def how_to_install(package: str) -> str:
    """The command that adds an optional package to this very installation, to be typed as it stands."""
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject table-companion {shlex.quote(package)}"
    if Path(sys.prefix).parts[-3:-1] == ("uv", "tools"):
        return f"uv pip install --python {shlex.quote(sys.executable)} {shlex.quote(package)}"
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.quote(package)}"
