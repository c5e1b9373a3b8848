"""Trading Poker: cards pass through open keep areas into hands, and hands buy score cards.

`catalogue`: the score cards. `options`: the house rules. `knowledge`: where every card may be. `state`: the table.
`claims`: buying a score card. `prompts`: what may begin a turn. `faults`: what can be said about a card that is
elsewhere. `rules`: the referee. `actions`: the main actions. `phases`: the rest of a turn and the end. `view`: how it
looks. `world`: true cards for bots. Beside them the words of the game and its rule page."""

from companion.games.trading_poker.rules import TradingPoker

__all__ = ["TradingPoker"]
