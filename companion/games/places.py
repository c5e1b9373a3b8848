"""What a game puts on the table, and how much room it takes: the declaration from which layouts are solved.

Each game says in its ``zones.py`` which zones it uses, whose they are, in what form cards lie there and how many at
most. No millimetre stands there: sizes follow from the cards in use (`companion.table.forms`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.values import Msg


class Form(StrEnum):
    """How cards lie in a zone.

    `ROW`: side by side, all to be read; overlapping where room is short. `FAN`: overlapping from the start, every
    index in sight. `PILE`: face up on one another, loosely. `STACK`: squared up, face down.
    """

    ROW = "row"
    FAN = "fan"
    PILE = "pile"
    STACK = "stack"


class Shows(StrEnum):
    """What a look at a zone tells: every card, the top card, only that (and how many) cards lie there, or nothing at
    all: a place that is only kept free."""

    ALL = "all"
    TOP = "top"
    COUNT = "count"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Place:
    """A zone, or one for every seat.

    `kind`: the zone's id, for a seat's zone the part before the colon; `own`: every seat has one. `usual`: so many
    cards lie there comfortably; `most`: so many it has to hold at all, closest together. `spare`: 0 when the game
    cannot be followed without it, else its turn when zones have to go (1 goes first). `label`: what people call it,
    a catalogue key; of a seat's zone its sentence names the ``{player}``.
    """

    kind: str
    form: Form
    shows: Shows
    usual: int
    most: int
    label: str
    own: bool = False
    spare: int = 0

    def id(self, seat: int | None = None) -> str:
        """The zone's id; of a seat's zone with its seat."""
        return f"{self.kind}:{seat}" if self.own else self.kind

    def name(self, seat: int | None = None) -> Msg:
        """What people call the zone (of a seat)."""
        return Msg.of(self.label, player=seat) if self.own and seat is not None else Msg(self.label)


def stock(label: str = "place.stock", most: int = 53, spare: int = 2) -> Place:
    """The face-down stock."""
    return Place("stock", Form.STACK, Shows.COUNT, most, most, label, spare=spare)


BOX = Place("box", Form.STACK, Shows.NOTHING, 0, 0, "place.box", spare=1)
"""Where the box, chips or cards that are not in play lie: the camera looks away."""
