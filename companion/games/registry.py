"""Which games there are, in the order in which they are offered; each is imported when it is first asked for."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from companion.games.contract import Game, Setup
from companion.games.places import Place

_GAMES: dict[str, str] = {
    "three-card-showdown": "three_card_showdown:ThreeCardShowdown",
    "three-card-trick-poker": "three_card_trick_poker:ThreeCardTrickPoker",
    "trading-poker": "trading_poker:TradingPoker",
    "pokard-trick": "pokard_trick:PokardTrick",
    "aces-king": "aces_king:AcesKing",
    "hexa-card": "hexa_card:HexaCard",
    "joker-quest": "joker_quest:JokerQuest",
    "sixty-five-card-poker": "sixty_five_card_poker:SixtyFiveCardPoker",
}


class UnknownGameError(ValueError):
    """No game has this name; the message names the nearest one."""


def ids() -> tuple[str, ...]:
    """The names of all games, in the order in which they are offered."""
    return tuple(_GAMES)


@cache
def game(name: str) -> Game[Any]:
    """The game called `name`. Raises UnknownGameError."""
    if name not in _GAMES:
        near = get_close_matches(name, _GAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_GAMES)}."
        raise UnknownGameError(f"no game is called {name!r}; {hint}")
    module, _, cls = _GAMES[name].partition(":")
    found: Game[Any] = getattr(import_module(f"companion.games.{module}"), cls)()
    return found


def package(name: str) -> str:
    """The package of a game: its rules, its words and its rule pages. Raises UnknownGameError."""
    return type(game(name)).__module__.rpartition(".")[0]


def places(name: str, setup: Setup) -> tuple[Place, ...]:
    """The zones that the game called `name` uses on the table with this set-up, as its ``zones`` declare them. Raises
    UnknownGameError."""
    chosen = setup if setup.deck else replace(setup, deck=game(name).recommended_deck(len(setup.players)))
    found: tuple[Place, ...] = import_module(f"{package(name)}.zones").places(chosen)
    return found
