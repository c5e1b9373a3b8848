"""Spoils inputs: what was right is cut, doubled, mixed with another, and sprinkled with what readers stumble over."""

from __future__ import annotations

import random
from collections.abc import Sequence

NUMBERS = ("0", "-1", "1e309", "nan", "99999999999999999999", "3.0", "-0", "07", "٣", "２", "1_000", "0x10", "1" * 400)
ODD = (
    "", " ", "\t", "\n", "\r\n", "\0", "\u2028", "\ufeff", "\u202e", "é", "e\u0301", "Ａ", "♠", "♥", "🂡", "\ud800", "ß",
    "ı", "'", '"', "\\", "/", "//", "..", "{", "}", "[", "]", "(", ")", "<", ">", "&", "%00", "%", "=", ":", ";", ",",
    "#", "|", "~", "$", "*", "true", "null", "None", "[[", "]]", "''" * 2, '"""', "x" * 300, "[" * 200, "a.b.c=1\n",
)  # fmt: skip


def text(chance: random.Random, seeds: Sequence[str], words: Sequence[str] = ()) -> str:
    """One of `seeds` with some harm done; now and then one as it is, or nothing but noise. `words`: of the language."""
    kind = chance.random()
    if kind < 0.03:
        return chance.choice(seeds)
    if kind < 0.06:
        return "".join(chr(chance.randrange(0x3000)) for _ in range(chance.randrange(40)))
    found = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 6))):
        found = _harmed(chance, found, seeds, words)
    return found


def _harmed(chance: random.Random, found: str, seeds: Sequence[str], words: Sequence[str]) -> str:
    at = chance.randrange(len(found) + 1)
    to = min(len(found), at + chance.choice((0, 1, 1, 2, 4, 16, 64)))
    what = chance.randrange(8)
    if what == 0:
        return found[:at] + found[to:]
    if what == 1:
        return found[:to] + found[at:to] * chance.choice((1, 2, 30)) + found[to:]
    if what == 2:
        return found[:at]
    if what == 3:
        other = chance.choice(seeds)
        return found[:at] + other[chance.randrange(len(other) + 1) :][:200] + found[to:]
    if what == 4 and words:
        return found[:at] + chance.choice(words) + found[to:]
    if what == 5:
        return found[:at] + chance.choice(NUMBERS) + found[to:]
    if what == 6:
        return found[:at] + chr(chance.choice((chance.randrange(128), chance.randrange(0x110000)))) + found[to:]
    return found[:at] + chance.choice(ODD) + found[to:]


def data(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """The same for bytes."""
    found = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((0, 1, 1, 2, 4, 20))):
        if not found:
            return bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
        # What a format says of itself stands in its first bytes.
        at = chance.randrange(min(len(found), chance.choice((32, 600, 10**9))))
        what = chance.randrange(6)
        if what == 0:
            found[at] = chance.randrange(256)
        elif what == 1:
            found[at] ^= 1 << chance.randrange(8)
        elif what == 2:
            del found[at:]
        elif what == 3:
            found[at : at + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\1"))
        elif what == 4:
            del found[at : at + chance.choice((1, 2, 100))]
        else:
            other = chance.choice(seeds)
            start = chance.randrange(len(other) + 1)
            found[at:at] = other[start : start + chance.choice((1, 8, 300))]
    return bytes(found)
