"""Practice: a game against bots with cards that the program deals.

A practice game is a table like any other: its journal holds what everybody at a real table would have seen, nothing
hidden. Where the hidden cards lie follows from a seed that is noted beside it, by the same fold: every step is dealt
from the seed and its number, so a restart or an undo finds every card where it was. What the player laid face down is
noted too (`chosen`).

Nobody waits for a bot: the page asks for each of their steps (`Practice.step`), one at a time is thought about in the
whole process, and never for longer than `THINKING`.
"""

from companion.server.practice.deal import LEVELS, ME, THINKING, Deal, Move, NotSoError
from companion.server.practice.games import MOST_OF_DEVICE, BusyError, Practice

__all__ = ["LEVELS", "ME", "MOST_OF_DEVICE", "THINKING", "BusyError", "Deal", "Move", "NotSoError", "Practice"]
