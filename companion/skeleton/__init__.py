"""Highest Card: everybody lays a card, the highest number takes a point; five rounds.

`options`: the house rules. `state`: what has been laid, and who has won what. `rules`: the referee. `zones`: what lies
on the table. `view`: how it looks. `world`: true cards for bots. Beside them the words of the game
(``words.<language>.json``), its rule pages (``rules.<language>.toml``), ``records`` of whole games, and ``tests``.
"""

from .rules import HighestCard

__all__ = ["HighestCard"]
