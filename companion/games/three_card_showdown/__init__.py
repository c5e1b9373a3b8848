"""Three Card Showdown: everybody lays three cards, the strongest hand wins. The smallest game, and the one to read
first.

`state`: who has laid what. `rules`: the referee. `view`: how it looks. `world`: true cards for bots. Decks, house
rules and the ranking it shares with Three Card Trick Poker (`companion.games.three_card`). Beside them the words of
the game and its rule page."""

from companion.games.three_card_showdown.rules import ThreeCardShowdown

__all__ = ["ThreeCardShowdown"]
