"""Three Card Trick Poker: bouts of three rounds, open and closed, until the cards run out.

`options`: the house rules. `state`: hands, stocks, the bout. `prompts`: what is open. `checks`: why an action is a
foul, in the words of the sheet. `moves`: what the actions do. `flow`: what follows by itself, bouts and the end.
`rules`: the referee. `view`: how it looks. `world`: true cards for bots. Decks and ranking it shares with Three Card
Showdown (`companion.games.three_card`). Beside them the words of the game and its rule page."""

from companion.games.three_card_trick_poker.rules import ThreeCardTrickPoker

__all__ = ["ThreeCardTrickPoker"]
