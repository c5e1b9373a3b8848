"""What a camera makes of whole games of bots at a disturbed table, trouble by trouble.

Plain tables, no pictures: the cards that lie there are known, so every action told is held against what was done. A
line a game: actions that cards alone can tell, those told without a question, those people had to tap, those told
wrongly, those the camera corrected itself, questions in a hundred actions, and the cost of one look (CPU time).

    python benchmarks/table.py [--games 12] [--each] [--json]      # --each: one trouble at a time
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.games import ids
from tests.table.bed import follow
from tests.table.bed_cards import STANDARD, Trouble


def main() -> None:
    """Play, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=12, help="games of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of the first seed")
    parser.add_argument("--each", action="store_true", help="one trouble at a time")
    parser.add_argument("--only", default="", help="names of games, with commas")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    troubles = {"none": Trouble(), "all": STANDARD}
    if chosen.each:
        names = [f.name for f in fields(Trouble) if isinstance(getattr(STANDARD, f.name), float) and f.name != "pause"]
        troubles = {name: replace(Trouble(), **{name: getattr(STANDARD, name)}) for name in names}
    rows: list[dict[str, Any]] = []
    for label, trouble in troubles.items():
        for name in chosen.only.split(",") if chosen.only else ids():
            tally = follow(name, [str(n) for n in range(chosen.first, chosen.first + chosen.games)], trouble)
            row = {
                "trouble": label, "game": name, "actions": tally.actions, "seen": tally.seen, "right": tally.right,
                "missed": tally.missed, "wrong": tally.wrong, "mended": tally.mended,
                "questions per 100": round(100 * tally.questions / max(1, tally.actions), 1),
                "spoken": tally.spoken, "taps": tally.taps,
                "ms a look": round(tally.total_ms / max(1, tally.looks), 2), "longest ms": round(tally.longest),
            }  # fmt: skip
            rows.append(row)
            if not chosen.json:
                if len(rows) == 1:
                    print("  ".join(row))
                print("  ".join(str(value) for value in row.values()), flush=True)
    if chosen.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
