"""The entrances to training: `python -m companion.training NAME`; see `--help`."""

from __future__ import annotations

import importlib
import sys

ENTRANCES = {
    "environment": "environment",
    "detector": "detector.train",
    "reader": "reader.train",
    "evaluate": "evaluation.photographs",
    "errors": "evaluation.errors",
    "doubles": "evaluation.doubles",
    "blend": "reader.blend",
    "quantize": "reader.quantize",
    "peer": "evaluation.peer",
}
"""Name on the command line → module."""


def main(argv: list[str]) -> int:
    """Hand the remaining arguments to the named module's `main`; exit code 2 for an unknown name."""
    if not argv or argv[0] not in ENTRANCES:
        print("usage: python -m companion.training {" + ",".join(ENTRANCES) + "} ...", file=sys.stderr)
        return 2
    return importlib.import_module(f"companion.training.{ENTRANCES[argv[0]]}").main(argv[1:]) or 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
