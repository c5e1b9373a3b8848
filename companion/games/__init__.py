"""The games: each a pure function of its events, a folder a game.

What lives here: the contract (`contract`), a folder per game with everything that is that game's alone (`rules` reads
like its rule sheet), what several games share (`common`), and the true cards that bots play with (`world`). What may
come in: faces as text codes, categories and rankings from `companion.hands`, decks from `companion.cards`. What never
does: a clock, randomness, a file, a camera, a page. Sentences for people stand beside the code of their game, in data
files that the page reads. A game knows what has been shown at the table; everything else is a count.

`game("hexa-card")` gives the game; modules are imported when they are first asked for.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from companion.games.contract import (
    UNKNOWN,
    Action,
    Arg,
    CardView,
    Choice,
    Game,
    Hand,
    Msg,
    Option,
    PlayerView,
    Prompt,
    Role,
    Ruling,
    ScoreLine,
    Setup,
    SetupError,
    Slot,
    Verdict,
    View,
    Violation,
    Zone,
    ZoneView,
)
from companion.games.world import Chance, World

_GAMES: dict[str, str] = {
    "three-card-showdown": "three_card_showdown.rules:ThreeCardShowdown",
    "three-card-trick-poker": "three_card_trick_poker.rules:ThreeCardTrickPoker",
    "trading-poker": "trading_poker.rules:TradingPoker",
    "pokard-trick": "pokard_trick.rules:PokardTrick",
    "aces-king": "aces_king.rules:AcesKing",
    "hexa-card": "hexa_card.rules:HexaCard",
    "joker-quest": "joker_quest.rules:JokerQuest",
    "sixty-five-card-poker": "sixty_five_card_poker.rules:SixtyFiveCardPoker",
}


class UnknownGameError(ValueError):
    """No game has this name; the message names the nearest one."""


def ids() -> tuple[str, ...]:
    """The names of all games, in the order in which they are offered."""
    return tuple(_GAMES)


def package(name: str) -> str:
    """The package of a game: its rules, its words and its rule pages. Raises UnknownGameError."""
    return type(game(name)).__module__.rpartition(".")[0]


@cache
def game(name: str) -> Game[Any]:
    """The game called `name`. Raises UnknownGameError."""
    if name not in _GAMES:
        near = get_close_matches(name, _GAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_GAMES)}."
        raise UnknownGameError(f"no game is called {name!r}; {hint}")
    module, _, cls = _GAMES[name].partition(":")
    found: Game[Any] = getattr(import_module(f"{__name__}.{module}"), cls)()
    return found


__all__ = [
    "UNKNOWN",
    "Action",
    "Arg",
    "CardView",
    "Chance",
    "Choice",
    "Game",
    "Hand",
    "Msg",
    "Option",
    "PlayerView",
    "Prompt",
    "Role",
    "Ruling",
    "ScoreLine",
    "Setup",
    "SetupError",
    "Slot",
    "UnknownGameError",
    "Verdict",
    "View",
    "Violation",
    "World",
    "Zone",
    "ZoneView",
    "game",
    "ids",
    "package",
]
