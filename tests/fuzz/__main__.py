"""Fuzzing: millions of spoilt inputs for everything that reads what people bring. No traceback, no answer of 500, and
no input that costs much time or memory.

    python -m tests.fuzz --inputs 10000000 --state fuzz.json      # make fuzz

Goes on from `--state` where it was stopped. An input that fails is shown with its target and number; `--only TARGET
--number N` makes its bag again.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
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
"""Of processor time for one input, at most; looked at twice in that time."""

MIB = 400
"""That the inputs of one bag may add to the most memory this process has had."""

BAG = 50
"""So many inputs are drawn from one source of chance: to begin one takes longer than to draw an input."""

BATCH = 50
TOLD = 100
"""Of so many refusals the sentence of one is looked at: finding the nearest names takes longest."""


class TooLongError(BaseException):
    """An input took too much processor time."""


class Clock:
    """Ends an input that is still the same one when the clock strikes the second time."""

    def __init__(self) -> None:
        self.now: Any = None
        self.before: Any = None
        signal.signal(signal.SIGVTALRM, self.strike)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS / 2, SECONDS / 2)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def strike(self, *_: object) -> None:
        if self.now is not None and self.now is self.before:
            self.now = None
            raise TooLongError
        self.before = self.now


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def bag(target: Target, seed: int, first: int, clock: Clock) -> int:
    """Give the target the inputs of a bag, from the number `first` on; returns how many were taken. Ends the program
    when one fails."""
    chance, taken, before = random.Random(f"{seed} {target.name} {first}"), 0, _peak()
    make, take, refusals = target.make, target.take, target.refusals
    for number in range(first, first + BAG):
        found: Any = None
        try:
            found = make(chance)
            clock.now = (found,)
            try:
                taken += take(found)
            except refusals as error:
                if number % TOLD == 0 and not 0 < len(str(error).strip()) < 2000:
                    raise AssertionError(f"a refusal in {len(str(error))} characters") from error
        except (Exception, TooLongError) as error:
            clock.now = None
            shown = found if isinstance(found, str | bytes | tuple) else getattr(found, "text", found)
            text = f"{target.name} {number} (seed {seed}): {type(error).__name__}: {error}"
            print(f"{text}\n{shown!r:.3000}", flush=True)
            raise
    clock.now = None
    if first > 200 and _peak() - before > MIB:
        sys.exit(f"{target.name} {first} to {number} (seed {seed}): {_peak() - before} MiB more, last\n{found!r:.3000}")
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--inputs", type=int, default=10_000_000, help="of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the target whose name begins so")
    parser.add_argument("--number", type=int, help="the bag in which this input lies")
    parser.add_argument("--state", type=Path, help="where to remember how far it is")
    chosen = parser.parse_args()
    logging.disable()
    warnings.simplefilter("error")
    clock = Clock()
    targets = [t for t in (*TARGETS, HTTP) if chosen.only is None or t.name.startswith(chosen.only)]
    if chosen.number is not None:
        print(bag(targets[0], chosen.seed, chosen.number // BAG * BAG, clock))
        return
    done, taken = Counter[str](), Counter[str]()
    if chosen.state and chosen.state.exists():
        told = json.loads(chosen.state.read_text())
        if told["seed"] == chosen.seed:
            done, taken = Counter(told["done"]), Counter(told["taken"])
    whole = sum(target.share for target in targets)
    most = {target.name: math.ceil(chosen.inputs * target.share / whole / BAG) * BAG for target in targets}
    began = said = time.monotonic()
    while any(done[target.name] < most[target.name] for target in targets):
        for target in targets:
            name = target.name
            # All get on together, so that a run that is stopped has tried everything.
            bags = max(1, round(BATCH * target.share / whole * len(targets)))
            for first in range(done[name], min(done[name] + bags * BAG, most[name]), BAG):
                taken[name] += bag(target, chosen.seed, first, clock)
                done[name] += BAG
        if time.monotonic() - said > 30:
            said = time.monotonic()
            print(f"{done.total():,} inputs, {said - began:.0f} s, {_peak()} MiB", flush=True)
            if chosen.state:
                state = {"seed": chosen.seed, "done": done, "taken": taken}
                chosen.state.write_text(json.dumps(state))
    clock.stop()
    if chosen.state:
        chosen.state.unlink(missing_ok=True)
    for target in targets:
        print(f"{done[target.name]:12,}  {target.name} ({taken[target.name]:,} were good)")
    print(f"{done.total():12,}  inputs in {time.monotonic() - began:.0f} s; at most {_peak()} MiB of memory in all,")
    print("              no traceback, no answer of 500, nothing that took long")


if __name__ == "__main__":
    main()
