"""Ace's King: get rid of eight cards, and pay for every lower one that you lay.

`options`: the house rules. `state`: pile, stock, and how many cards everybody holds. `prompts`: a turn, and the draw
that is owed. `rules`: the referee, and what laying, passing and drawing do. `view`: how it looks. `world`: true cards
for bots. Beside them the words of the game (``words.<language>.json``) and its rule page
(``rules.<language>.toml``)."""

from companion.games.aces_king.rules import AcesKing

__all__ = ["AcesKing"]
