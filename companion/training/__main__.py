"""The entrances to training: `python -m companion.training NAME`; `--help` lists them."""

from __future__ import annotations

import importlib
import sys

ENTRANCES = {
    "environment": ("environment", "make the environment that trains: torch, ultralytics, onnx"),
    "detector": (
        "detector.commands",
        "compose scenes, train, export, measure and revive the network that finds cards",
    ),
    "reader": ("reader.commands", "train, calibrate, revive and export the networks that read indices and faces"),
    "decks": ("decks.solve", "solve for the network that tells cards of custom decks apart"),
    "verify": ("decks.verify", "train the networks that say whether a card shows a picture, and a window a mark"),
    "sights": ("decks.sights", "fit the score that chooses outlines of cards of pictures"),
    "blend": ("networks.blend", "the mean of two trainings' weights"),
    "judge": ("reader.judge", "fit the score that tells a further card from a second sight of one"),
    "quantize": ("reader.quantize", "put the reader's networks into eight bits: what runs"),
    "evaluate": ("evaluation.photographs", "the frozen protocol: figures on photographs that never trained anything"),
    "custom": ("evaluation.custom", "custom decks: invented ones enrolled, and read on tables"),
    "real-decks": ("evaluation.real_decks", "real decks, enrolled from photographs and read on others"),
    "errors": ("evaluation.errors", "what is read wrongly on composed scenes, with pictures"),
    "curves": ("evaluation.curves", "how much a picture may be spoiled: recall and wrong names against each fault"),
    "spots": ("evaluation.spots", "blind spots: small tables, each hard in one way; is a card ever named twice?"),
    "doubles": ("evaluation.doubles", "true duplicates, pasted from photographs: are two counted as two?"),
    "outlines": ("evaluation.outlines", "how well outlines of cards without an index are found"),
    "peer": ("evaluation.peer", "train and measure the well-known kind of card model beside ours"),
    "photographs": ("evaluation.enrolment", "photographs of a drawn deck's cards, to enrol it by"),
    "films": ("films.commands", "film whole games of bots, with exact truth beside the pictures"),
    "demo": ("demo", "write the demo recording again"),
}
"""Name on the command line → its module below this package, and what it does."""


def overview() -> str:
    """What `--help` says: every entrance with a line."""
    wide = max(map(len, ENTRANCES))
    lines = [f"  {name:<{wide}}  {what}" for name, (_, what) in ENTRANCES.items()]
    return "\n".join(["usage: python -m companion.training NAME ...   (each has --help)", "", *lines])


def main(argv: list[str]) -> int:
    """Hand the remaining arguments to the named module's `main`; exit code 2 for an unknown name."""
    if argv and argv[0] in ("-h", "--help"):
        print(overview())
        return 0
    if not argv or argv[0] not in ENTRANCES:
        print(*([f"there is no {argv[0]!r} here"] if argv else []), overview(), sep="\n", file=sys.stderr)
        return 2
    return importlib.import_module(f"companion.training.{ENTRANCES[argv[0]][0]}").main(argv[1:]) or 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
