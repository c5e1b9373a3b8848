"""Joker Quest: on the road, past four guardians, against the joker; alone it may be read as a fortune.

`options`: the house rules. `state`: the road, the joker and his guardians, hands and penalties. `prompts`: what is
open. `checks`: what is wrong with cards that belong together. `rules`: the referee, and what the table itself does.
`turns`: what a turn does. `ending`: penalties and score. `fortune`: the reading of a solo game. `view`: how it looks.
`world`: true cards for bots. Beside them the words of the game and its rule page."""

from companion.games.joker_quest.rules import JokerQuest

__all__ = ["JokerQuest"]
