"""The poker of the 65 cards: thirteen pictures, five suits, one exchange, one showdown.

`options`: the house rules. `state`: who has exchanged and opened what, and who may win. `rules`: the referee, and
what an exchange and a showdown do. `view`: how it looks. `world`: true cards for bots. Which hand beats which is
`companion.hands.sixty_five`. Beside them the words of the game and its rule page."""

from companion.games.sixty_five_card_poker.rules import SixtyFiveCardPoker

__all__ = ["SixtyFiveCardPoker"]
