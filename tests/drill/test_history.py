"""What concurrent clients of two servers saw was possible; and a history that was not is told apart."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.drill.history import CONFLICT, OK, READ, UNKNOWN, Seen, explained

SECONDS = float(os.environ.get("DRILL_SECONDS", "4"))
"""`make drill` takes longer."""


def said(client, begin, end, key, after, answer, number=0):
    return Seen(client, begin, end, key, after, answer, number)


def test_what_was_possible_is_explained():
    history = [
        said(1, 0, 5, "a", 1, OK, 2),
        said(2, 1, 6, "b", 1, CONFLICT, 2),
        said(3, 2, 3, None, 0, READ, 2),
        said(2, 7, 9, "c", 2, UNKNOWN),
        said(3, 8, 20, None, 0, READ, 3),
        said(2, 21, 22, "c", 2, OK, 3),
        said(1, 21, 30, "d", 2, UNKNOWN),
    ]
    assert explained(history, ("0",), ("0", "a", "c"))


BROKEN = {
    "an acknowledged entry is lost": ([said(1, 0, 1, "a", 1, OK, 2)], ("0",)),
    "an entry is there twice": ([said(1, 0, 1, "a", 1, OK, 2), said(1, 2, 3, "a", 1, OK, 3)], ("0", "a", "a")),
    "two were given one number": ([said(1, 0, 5, "a", 1, OK, 2), said(2, 0, 5, "b", 1, OK, 2)], ("0", "a", "b")),
    "sent again it got another number": ([said(1, 0, 1, "a", 1, OK, 2), said(1, 2, 3, "a", 1, OK, 3)], ("0", "a")),
    "a stale writer was let in": ([said(1, 0, 1, "a", 1, OK, 2), said(2, 2, 3, "b", 1, OK, 3)], ("0", "a", "b")),
    "a fresh writer was refused": ([said(1, 0, 1, "a", 1, CONFLICT, 1)], ("0",)),
    "what was refused is there": ([said(1, 0, 1, "a", 9, CONFLICT, 1)], ("0", "a")),
    "a look went back": (
        [said(1, 0, 1, "a", 1, OK, 2), said(2, 2, 3, None, 0, READ, 2), said(2, 4, 5, None, 0, READ, 1)], ("0", "a"),
    ),
    "a look saw what came later": ([said(2, 0, 1, None, 0, READ, 2), said(1, 2, 3, "a", 1, OK, 2)], ("0", "a")),
    "an entry from nowhere": ([said(1, 0, 1, "a", 1, OK, 2)], ("0", "a", "x")),
    "the order is another one": ([said(1, 0, 1, "a", 1, OK, 2), said(1, 2, 3, "b", 2, OK, 3)], ("0", "b", "a")),
    "the beginning is another one": ([], ("1",)),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_was_impossible_is_told(name):
    history, end = BROKEN[name]
    assert not explained(history, ("0",), end)


def simulated(chance, steps=120, clients=5):
    """A history of clients at one true journal, with the moment at which each request happened hidden inside it."""
    log, free, history = ["0"], dict.fromkeys(range(clients), 0.0), []
    begun = []
    for number in range(steps):
        client = min(free, key=free.get)
        begin = free[client] + chance.random()
        moment = begin + chance.random()
        end = moment + chance.random()
        free[client] = end
        begun.append((moment, number, client, begin, end))
    for _, number, client, begin, end in sorted(begun):
        if chance.random() < 0.3:
            history.append(said(client, begin, end, None, 0, READ, len(log)))
            continue
        key, after = f"k{number}", len(log) - chance.choice((0, 0, 0, 1))
        if after == len(log):
            log.append(key)
        answer = (OK, len(log)) if log[-1] == key else (CONFLICT, len(log))
        lost = chance.random() < 0.1
        history.append(said(client, begin, end, key, after, *((UNKNOWN, 0) if lost else answer)))
    return history, tuple(log)


@pytest.mark.parametrize("seed", range(10))
def test_long_histories_are_explained_and_one_changed_answer_is_not(seed):
    chance = random.Random(seed)
    history, log = simulated(chance)
    assert explained(history, ("0",), log)
    for _ in range(5):
        at = chance.choice([n for n, one in enumerate(history) if one.answer == OK])
        spoilt = list(history)
        spoilt[at] = replace(spoilt[at], number=spoilt[at].number + chance.choice((-1, 1)))
        assert not explained(spoilt, ("0",), log)
    lost = chance.choice([one.key for one in history if one.answer == OK])
    assert not explained(history, ("0",), tuple(key for key in log if key != lost))
    # Two looks of one client in the wrong order, where something was written between them.
    looks = [(a, b) for a, b in pairwise([o for o in history if o.answer == READ]) if a.end < b.begin]
    for early, late in looks[:3]:
        if early.number < late.number - 1:
            swapped = [replace(o, number=late.number) if o is early else o for o in history]
            swapped = [replace(o, number=early.number) if o is late else o for o in swapped]
            assert not explained(swapped, ("0",), log)


def test_clients_of_two_servers_that_are_killed_see_one_journal(postgresql, tmp_path):
    import psycopg

    from tests.drill.clients import rush

    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE drill")
    history, start, end, kills = rush(tmp_path, f"{postgresql}/drill", 2, SECONDS, random.Random(1))
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE drill WITH (FORCE)")
    assert explained(history, start, end)
    assert kills >= 1
    counted = {kind: sum(one.answer == kind for one in history) for kind in (OK, CONFLICT, UNKNOWN, READ)}
    print(f"{len(history)} requests at two servers, {kills} kills, {len(end)} entries: {counted}")
    assert min(counted[OK], counted[READ]) > 5


def test_clients_of_a_server_that_is_killed_see_one_journal(tmp_path):
    from tests.drill.clients import rush

    history, start, end, kills = rush(tmp_path, "", 1, SECONDS, random.Random(2))
    assert explained(history, start, end)
    counted = {kind: sum(one.answer == kind for one in history) for kind in (OK, CONFLICT, UNKNOWN, READ)}
    print(f"{len(history)} requests at one server, {kills} kills, {len(end)} entries: {counted}")
    assert min(counted[OK], counted[READ]) > 5
