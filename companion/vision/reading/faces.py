"""What the networks tell apart: ranks, suits, faces, and the letters that decks print for courts."""

from __future__ import annotations

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

SUITS = ("S", "H", "D", "C")

JOKERS = ("JK1", "JK2")

FACES = (*(rank + suit for suit in SUITS for rank in RANKS), "JK1")
"""What the networks tell apart: 52 faces (suit by suit) and "a joker", written `JK1` until its colour is known."""

LETTERS = ("", "A", "1", "J", "V", "B", "W", "Q", "D", "K", "R", "H")
"""What decks print for ace, jack, queen and king, in English, French, German, Polish and Dutch; "": anything else."""

JOKER, REJECT = 13, 14
"""Rank classes beyond the thirteen ranks."""
