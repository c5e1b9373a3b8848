"""The drill: whole games of every kind, and at every step something goes wrong. Afterwards the journal holds what was
acknowledged, in order, once; or it says that it is damaged.

    python -m tests.drill --faults 1200 --state drill.json        # make drill

Goes on from `--state` after the last whole game where it was stopped.

Every fault is real: a process is killed, the system refuses to write, bytes are changed, a connection is cut, a lens is
covered. Games are told by taps at the journal (`taps`), by taps over a bad network to a real server (`network`), and by
films (`films`), in turn.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from companion.training.films.spec import Film
from tests.drill import films, network, taps

WAYS = {"taps": taps, "network": network, "films": films}


def known_as(game: Any) -> str:
    """Which of the games: of a film, or of recorded events."""
    return str(game.game if isinstance(game, Film) else game[0].game)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drill", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--faults", type=int, default=1200, help="at least so many, in whole games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, help="only so many of each game")
    parser.add_argument("--only", choices=sorted(WAYS), action="append", help="only games told so")
    parser.add_argument("--state", type=Path, help="where to remember which games are played")
    chosen = parser.parse_args()
    counted, played, began, turn = Counter[str](), Counter[str](), time.monotonic(), 0
    ways = chosen.only or list(WAYS)
    same = {"seed": chosen.seed, "ways": ways, "events": chosen.events}
    if chosen.state and chosen.state.exists():
        told = json.loads(chosen.state.read_text())
        if told["same"] == same:
            counted, played, turn = Counter(told["counted"]), Counter(told["played"]), told["turn"]
            began -= told["seconds"]
    while counted.total() < chosen.faults:
        way = ways[turn % len(ways)]
        known = WAYS[way].games(turn // len(ways), chosen.events)
        name, game = known[(turn // len(ways)) % len(known)]
        chance, place = random.Random(f"{chosen.seed} {turn}"), Path(tempfile.mkdtemp(prefix="drill-"))
        before = counted.total()
        try:
            WAYS[way].play(game, chance, place, lambda fault, way=way: counted.update([f"{way}: {fault}"]))
        except Exception as error:
            text = f"{way}, {name}, seed {chosen.seed}, turn {turn}: {type(error).__name__}: {error}"
            sys.exit(f"{text}\nThe folder is kept: {place}")
        shutil.rmtree(place)
        played[f"{way}: {known_as(game)}"] += 1
        turn += 1
        spent = time.monotonic() - began
        if chosen.state:
            state = {"same": same, "counted": counted, "played": played, "turn": turn, "seconds": spent}
            chosen.state.write_text(json.dumps(state))
        print(f"{way:8} {name}: {counted.total() - before} faults; in all {counted.total()}, {spent:.0f} s", flush=True)
    for fault, count in sorted(counted.items()):
        print(f"{count:6}  {fault.replace('_', ' ')}")
    for one, count in sorted(played.items()):
        print(f"{count:6}  games by {one}")
    if chosen.state:
        chosen.state.unlink(missing_ok=True)
    print(f"{counted.total():6}  faults in {played.total()} games, {time.monotonic() - began:.0f} s:")
    print("        nothing lost, nothing doubled, and no damage that was not told")


if __name__ == "__main__":
    main()
