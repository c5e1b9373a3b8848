"""What is known of a Three Card Showdown: who has laid what, and the points so far."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.contract import Setup
from companion.games.three_card import Judge
from companion.games.values import ScoreLine

LAY, NEXT = "lay", "next"

CARDS = 3


@dataclass(frozen=True)
class State:
    """`laid`: each seat's cards, None while he has not laid. `lines`: points of the showdowns so far; those of the
    current one are added as soon as the last player has laid."""

    setup: Setup
    judge: Judge
    laid: tuple[tuple[str, ...] | None, ...]
    number: int = 1
    lines: tuple[ScoreLine, ...] = ()

    @property
    def complete(self) -> bool:
        """Everybody has laid."""
        return None not in self.laid

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats of a complete showdown."""
        if not self.complete:
            return ()
        return self.judge.best({seat: cards for seat, cards in enumerate(self.laid) if cards})
