"""Was what concurrent clients saw possible? A checker of histories against one journal of one table.

Every request has a beginning and an end, and must look as if it had happened at one moment between them, in an order
that is the same for all (linearizable: Herlihy and Wing 1990). The search is that of Wing and Gong (1993) with Lowe's
memory of what has been tried (2017). A request that was never answered may have happened at any later moment, or never;
as a journal only grows, the journal at the end says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

OK, CONFLICT, UNKNOWN, READ = "ok", "conflict", "unknown", "read"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request. `key`: of the event to be written, None for a look; `after`: the number of the entry the client had
    seen last; `answer`: what was said, `number`: the entry it was said of; a look says how many there are."""

    client: int
    begin: float
    end: float
    key: str | None
    after: int
    answer: str
    number: int = 0


Log = tuple[str, ...]
"""The keys of the entries, in order."""


def _step(log: Log, seen: Seen) -> Log | None:
    """The journal after a request that was answered so; None where that answer is impossible now."""
    if seen.key is None:
        return log if seen.number == len(log) else None
    if seen.key in log:  # sent again: the number from then
        return log if seen.answer == OK and log.index(seen.key) + 1 == seen.number else None
    if seen.after != len(log):
        return log if seen.answer == CONFLICT and seen.number == len(log) else None
    return (*log, seen.key) if seen.answer == OK and seen.number == len(log) + 1 else None


def explained(history: Sequence[Seen], start: Log, end: Log) -> bool:
    """Is there an order of these requests that leads from `start` to `end`, each between its beginning and its end,
    in which everybody is answered as he was?"""
    if end[: len(start)] != start or len(set(end)) != len(end):
        return False
    done = []
    for seen in history:
        if seen.answer != UNKNOWN:
            done.append(seen)
        elif seen.key in end:
            done.append(replace(seen, end=inf, answer=OK, number=end.index(seen.key) + 1))
    done.sort(key=lambda seen: seen.begin)
    return _search(done, start, end)


def _search(seen: Sequence[Seen], start: Log, end: Log) -> bool:
    whole = (1 << len(seen)) - 1
    tried = {(0, len(start))}  # a journal that is not a beginning of the last one leads nowhere: its length says all
    stack = [(0, start)]
    while stack:
        placed, log = stack.pop()
        if placed == whole:
            if log == end:
                return True
            continue
        latest = inf
        for number in _open(placed, len(seen)):
            one = seen[number]
            if one.begin > latest:
                break  # something has ended before this one began
            latest = min(latest, one.end)
            after = _step(log, one)
            if after is None or after != end[: len(after)]:
                continue
            state = (placed | 1 << number, len(after))
            if state not in tried:
                tried.add(state)
                stack.append((state[0], after))
    return False


def _open(placed: int, count: int) -> list[int]:
    """The numbers of requests that have no place yet."""
    return [number for number in range(count) if not placed >> number & 1]
