"""What each number that decides does to the answer when it is moved by a fifth, on frozen scenes and one recording.

Numbers of reading, assembly and pipeline are moved while composed scenes of held-out prints are read (each arrangement
in two lights), those of following while the demo recording is watched and judged. Counted are cards named rightly,
wrong names and cards without a name (on the recording: actions as played, others, and questions). What the networks
answered once they need not answer again: answers are remembered by what they were asked.

Every measurement is kept in a file, so that a run that was stopped goes on; `--write` makes docs/parameters.md of it.
A number that changes nothing by a fifth is also made next to nothing and next to endless, which switches its rule off.
What no scene and no recording shows is shown by a test: `--tests` runs those of its storey with the rule switched off.
Its parts are in `benchmarks/fifth`.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import cv2
from fifth.bench import Bench
from fifth.numbers import CHANGES, EXTREMES, ROOT, parameters, shown, way_of
from fifth.page import PAGE, effect, page, silent
from fifth.ways import remembered

from companion.vision.reading import classifier, detector


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these numbers")
    parser.add_argument("--scenes", type=int, default=18, help="so many composed scenes")
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "benchmarks" / "parameters.jsonl", help="where measurements are kept"
    )
    parser.add_argument(
        "--write", action="store_true", help="write docs/parameters.md of what is kept, and measure nothing"
    )
    parser.add_argument("--tests", action="store_true", help="find the tests that show what no scene shows")
    given = parser.parse_args()
    bench = Bench(given.kept, given.scenes)
    if given.write:
        PAGE.write_text(page(bench), encoding="utf-8")
        return
    if given.tests:
        for parameter in parameters():
            if silent(bench, parameter) and (not given.only or parameter.name in given.only):
                bench.tested(parameter)
        return
    detector.session = classifier.session = remembered  # type: ignore[assignment]
    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(15)
    for parameter in parameters():
        if (given.only and parameter.name not in given.only) or not way_of(parameter):
            continue
        rows = [bench.measure(parameter, change, by) for change, by in CHANGES.items()]
        measured = not (parameter.guard or parameter.found.startswith("by its cost") or parameter.storey == "following")
        if measured and not any(row.get("differ") or "fails" in row for row in rows):
            rows += [bench.measure(parameter, change, by) for change, by in EXTREMES.items()]
        print(f"{parameter.key:36} {shown(parameter.value):18} {' | '.join(effect(row) for row in rows)}", flush=True)


if __name__ == "__main__":
    main()
