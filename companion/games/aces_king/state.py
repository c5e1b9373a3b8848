"""What is known of a game of Ace's King: the state and what can be read off it. Numbers in brackets are lines of the
rule sheet."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.aces_king.options import Rules

DECK = "52D1"

HAND = 8
"""Cards drawn at the start (51)."""


@dataclass(frozen=True)
class State:
    """A game of Ace's King. `hands`: how many cards each seat holds; `discard`: the pile, top last; `turn`: who acts
    next; `debtor` owes `owed` drawn cards, as `why` (a line of the sheet) says; `out`: who went out, in order;
    `passes`: how many players passed in a row; `void`: the stock ran out and the game does not count."""

    rules: Rules
    players: tuple[str, ...]
    hands: tuple[int, ...]
    stock: int
    turn: int
    discard: tuple[str, ...] = ()
    debtor: int | None = None
    owed: int = 0
    why: str = ""
    out: tuple[int, ...] = ()
    passes: int = 0
    void: bool = False

    @property
    def top(self) -> str | None:
        """The card that counts; None before the first one lies."""
        return self.discard[-1] if self.discard else None

    @property
    def playing(self) -> tuple[int, ...]:
        """Seats that still hold cards."""
        return tuple([seat for seat in range(len(self.players)) if seat not in self.out])

    @property
    def over(self) -> bool:
        """Somebody has won (59); with places played out, only one is left."""
        return self.void or (bool(self.out) and (not self.rules.ranking or len(self.playing) < 2))

    @property
    def hidden(self) -> int:
        """Cards under the top card, which may become a new stock."""
        return max(0, len(self.discard) - 1) if self.rules.stock_empty == "reshuffle" else 0
