"""Hexa Card: a small mah-jong with playing cards, six in every hand.

`options`: the house rules. `state`: pile, stock, turns and robberies. `prompts`: who may declare, loop or dice.
`rules`: the referee, and what a turn does. `declarations`: what six cards shown come to, the end of a game and of the
match. `score`: the lines of the score sheet. `view`: how it looks. `world`: true cards for bots. What six cards are
worth is `companion.hands.hexa`. Beside them the words of the game and its rule page."""

from companion.games.hexa_card.rules import HexaCard

__all__ = ["HexaCard"]
