"""Fuzzing: millions of spoilt inputs for everything that reads what people bring. No traceback, no answer of 500, and
no input that costs much time or memory.

    python -m tests.fuzz --inputs 10000000 --state fuzz.json      # make fuzz

Goes on from `--state` where it was stopped. An input that fails is shown with its target and number; `--only TARGET
--number N` makes it again.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import resource
import signal
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from tests.fuzz.http import HTTP
from tests.fuzz.targets import TARGETS, Target

SECONDS = 2.0
"""Of processor time for one input."""

MIB = 400
"""That one input may add to the most memory this process has had."""

BATCH = 500
TOLD = 100
"""Of so many refusals the sentence of one is looked at: finding the nearest names takes longest."""


class TooLongError(BaseException):
    """An input took too much processor time."""


def _late(*_: object) -> None:
    raise TooLongError


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def one(target: Target, seed: int, number: int) -> bool:
    """Give the target its input of this number; True when it was taken. Ends the program when it fails."""
    found: Any = None
    before = _peak()
    try:
        found = target.make(random.Random(f"{seed} {target.name} {number}"))
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            taken = target.take(found)
        except target.refusals as error:
            taken = False
            if number % TOLD == 0 and not 0 < len(str(error).strip()) < 2000:
                raise AssertionError(f"a refusal in {len(str(error))} characters") from error
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except (Exception, TooLongError) as error:
        shown = found if isinstance(found, str | bytes | tuple) else getattr(found, "text", found)
        print(f"{target.name} {number} (seed {seed}): {type(error).__name__}: {error}\n{shown!r:.3000}", flush=True)
        raise
    if number > 200 and _peak() - before > MIB:
        sys.exit(f"{target.name} {number} (seed {seed}): {_peak() - before} MiB more\n{found!r:.3000}")
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--inputs", type=int, default=10_000_000, help="of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the target whose name begins so")
    parser.add_argument("--number", type=int, help="one input of it")
    parser.add_argument("--state", type=Path, help="where to remember how far it is")
    chosen = parser.parse_args()
    logging.disable()
    warnings.simplefilter("error")
    signal.signal(signal.SIGVTALRM, _late)
    targets = [t for t in (*TARGETS, HTTP) if chosen.only is None or t.name.startswith(chosen.only)]
    if chosen.number is not None:
        print(one(targets[0], chosen.seed, chosen.number))
        return
    done, taken = Counter[str](), Counter[str]()
    if chosen.state and chosen.state.exists():
        told = json.loads(chosen.state.read_text())
        if told["seed"] == chosen.seed:
            done, taken = Counter(told["done"]), Counter(told["taken"])
    whole = sum(target.share for target in targets)
    most = {target.name: round(chosen.inputs * target.share / whole) for target in targets}
    began = said = time.monotonic()
    while any(done[target.name] < most[target.name] for target in targets):
        for target in targets:
            name = target.name
            # All get on together, so that a run that is stopped has tried everything.
            batch = max(1, round(BATCH * target.share / whole * len(targets)))
            for number in range(done[name], min(done[name] + batch, most[name])):
                taken[name] += one(target, chosen.seed, number)
                done[name] += 1
        if time.monotonic() - said > 30:
            said = time.monotonic()
            print(f"{done.total():,} inputs, {said - began:.0f} s, {_peak()} MiB", flush=True)
            if chosen.state:
                state = {"seed": chosen.seed, "done": done, "taken": taken}
                chosen.state.write_text(json.dumps(state))
    for target in targets:
        print(f"{done[target.name]:12,}  {target.name} ({taken[target.name]:,} were good)")
    print(f"{done.total():12,}  inputs in {time.monotonic() - began:.0f} s; at most {_peak()} MiB of memory in all,")
    print("              no traceback, no answer of 500, nothing that took long")


if __name__ == "__main__":
    main()
