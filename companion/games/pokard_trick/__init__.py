"""Pokard Trick: five tricks whose cards make a poker hand, and chips to pay.

`options`: the house rules. `state`: declarations, tricks, chips. `prompts`: what is open, phase by phase. `rules`:
the referee. `deals`: how a deal begins, is settled and closed. `tricks`: cards laid aside, tricks, revokes. `points`:
what a deal is worth. `settlement`: who pays whom, as plain arithmetic. `view`: how it looks. `world`: true cards for
bots. Beside them the words of the game and its rule page."""

from companion.games.pokard_trick.rules import PokardTrick

__all__ = ["PokardTrick"]
