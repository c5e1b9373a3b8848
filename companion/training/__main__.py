"""The entrances to training: `python -m companion.training NAME`; see `--help`."""

from __future__ import annotations

import importlib
import sys

ROOMS = ("environment", "detector", "reader", "evaluate", "errors", "doubles", "blend", "quantize", "peer")


def main(argv: list[str]) -> int:
    """Hand the remaining arguments to the named module's `main`; exit code 2 for an unknown name."""
    if not argv or argv[0] not in ROOMS:
        print("usage: python -m companion.training {" + ",".join(ROOMS) + "} ...", file=sys.stderr)
        return 2
    module = {"errors": "evaluate_errors", "doubles": "evaluate_doubles"}.get(argv[0], argv[0])
    return importlib.import_module(f"companion.training.{module}").main(argv[1:]) or 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
