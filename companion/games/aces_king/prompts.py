"""What is open in a game of Ace's King: a turn, and the draw that is owed. Numbers in brackets are lines of the rule
sheet."""

from __future__ import annotations

from functools import cache

from companion.games.values import Msg, Prompt, Slot

PLAY, PASS, DRAW, RESHUFFLE = "play", "pass", "draw", "reshuffle"

OPENING_DRAW, PASS_DRAW = 1, 2
"""What the first player draws (52), and who passes (57)."""


# --- what is open ----------------------------------------------------------------------------------------------------


@cache
def turn_prompts(seat: int, may_pass: bool) -> tuple[Prompt, ...]:
    """Laying a card, and passing where that is allowed (39, 57)."""
    slot = Slot(1, 1, None, f"hand:{seat}", "discard")
    play = Prompt(PLAY, seat, slot, label=Msg("action.aces-king.play"))
    if not may_pass:
        return (play,)
    return play, Prompt(PASS, seat, label=Msg.of("action.aces-king.pass-draws", n=PASS_DRAW))


@cache
def draw_prompt(seat: int, count: int) -> Prompt:
    """The cards that `seat` owes (54-57), from the stock into his hand."""
    slot = Slot(count, count, None, "stock", f"hand:{seat}", "down")
    return Prompt(DRAW, seat, slot, label=Msg.of("action.aces-king.draw", n=count))
