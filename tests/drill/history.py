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


def _step(length: int, where: dict[str, int], seen: Seen) -> int | None:
    """How many entries there are after a request that was answered so, where there are `length`; None where that
    answer is impossible now. `where` the journal has each key at the end."""
    if seen.key is None:
        return length if seen.number == length else None
    at = where.get(seen.key, len(where))
    if at < length:  # sent again: the number from then
        return length if seen.answer == OK and at + 1 == seen.number else None
    if seen.after != length:
        return length if seen.answer == CONFLICT and seen.number == length else None
    return length + 1 if seen.answer == OK and seen.number == length + 1 == at + 1 else None


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
    """`seen` by their beginnings. As a journal that is not a beginning of the last one leads nowhere, its length says
    all. What changes nothing is placed as soon as it can be: that hinders nobody, so only who writes is tried."""
    where = {key: at for at, key in enumerate(end)}
    stack = [(0, frozenset[int](), len(start))]
    tried = set(stack)
    while stack:
        first, ahead, length = stack.pop()  # all before `first` have a place, and those `ahead`
        while quiet := [n for n in _open(seen, first, ahead) if _step(length, where, seen[n]) == length]:
            first, ahead = _placed(first, ahead.union(quiet))
        if first == len(seen):
            if length == len(end):
                return True
            continue
        for number in _open(seen, first, ahead):
            if _step(length, where, seen[number]) == length + 1:
                state = (*_placed(first, ahead | {number}), length + 1)
                if state not in tried:
                    tried.add(state)
                    stack.append(state)
    return False


def _placed(first: int, ahead: frozenset[int]) -> tuple[int, frozenset[int]]:
    while first in ahead:
        ahead, first = ahead - {first}, first + 1
    return first, ahead


def _open(seen: Sequence[Seen], first: int, ahead: frozenset[int]) -> list[int]:
    """The numbers of requests that may be next: without a place, and begun before any other of them has ended."""
    found, latest = [], inf
    for number in range(first, len(seen)):
        if seen[number].begin > latest:
            break
        if number not in ahead:
            found.append(number)
            latest = min(latest, seen[number].end)
    return found
