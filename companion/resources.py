"""Finds the data folders that are not code, in a checkout and in an installed wheel alike.

A wheel carries them inside the package (``companion/_data/web`` …), a checkout has them at its top level.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for base in (_HERE / "_data", _HERE.parent):
        if (base / name).is_dir():
            return base / name
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of Table Companion")


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
