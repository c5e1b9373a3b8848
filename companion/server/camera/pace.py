"""How soon the next picture is wanted of who sends pictures: the page of a phone, or `companion watch`."""

from __future__ import annotations

from dataclasses import dataclass

PROGRAM = "watch"
"""The key of `companion watch` begins so; that of a phone's page is a hexadecimal number."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Pauses (s) between two pictures while something moves on the table (`lively`) and while nothing does (`calm`).
    `way`: so long (s) may a picture that is wanted at once be under way, without its sender being called slow."""

    lively: float
    calm: float
    way: float


PHONE_PACE = Pace(lively=0.1, calm=0.4, way=0.2)
"""Photographed when it is asked for, over a radio; a battery is to last an evening."""

PROGRAM_PACE = Pace(lively=0.02, calm=0.1, way=0.06)
"""Twelve pictures a second and more while something moves; each costs the server about 0.013 s of a core."""


def pace_of(sender: str) -> Pace:
    """How fast the sender with this key is asked."""
    return PROGRAM_PACE if sender.startswith(PROGRAM) else PHONE_PACE
