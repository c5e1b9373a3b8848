"""Which games there are: those of the program, in the order in which they are offered, and those that somebody has put
beside them (`companion.extensions` finds and installs them). Each of the program's is imported when it is first asked
for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from companion.games.contract import Game, Setup
from companion.games.guard import held
from companion.games.places import Place

_BUILT_IN: dict[str, str] = {
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
    """No game has this name; the message names the nearest one. `game`: the name."""

    def __init__(self, game: str) -> None:
        near = get_close_matches(game, ids(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(ids())}."
        super().__init__(game)  # what it is made of again in another process
        self.game = game
        self._sentence = f"no game is called {game!r}; {hint}"

    def __str__(self) -> str:
        return self._sentence


@dataclass(frozen=True, slots=True)
class Listing:
    """A game that can be asked for. `load` makes it, once; `origin`: where it comes from, "" for the program itself."""

    id: str
    load: Callable[[], Game[Any]]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A game from outside that cannot be played: how it is called, where it lies, and the sentence why not."""

    name: str
    origin: str
    reason: str


def _built_in(place: str) -> Callable[[], Game[Any]]:
    module, _, cls = place.partition(":")

    def load() -> Game[Any]:
        found: Game[Any] = getattr(import_module(f"companion.games.{module}"), cls)()
        return found

    return load


_listings = {name: Listing(name, _built_in(place)) for name, place in _BUILT_IN.items()}
_refused: tuple[Refused, ...] = ()
_loaded: dict[str, Game[Any]] = {}


def install(outside: Iterable[Listing], refused: Iterable[Refused] = ()) -> None:
    """These are the games from outside, in place of those before; the program's own stay. Raises ValueError when an id
    is taken; nothing is changed then."""
    global _listings, _refused
    found = {name: listing for name, listing in _listings.items() if not listing.origin}
    for listing in outside:
        if listing.id in found:
            raise ValueError(f"two games are called {listing.id!r}")
        found[listing.id] = listing
    for name in [name for name, listing in _listings.items() if listing.origin]:
        _loaded.pop(name, None)
    _listings, _refused = found, tuple(refused)


def ids() -> tuple[str, ...]:
    """The names of all games, in the order in which they are offered."""
    return tuple(_listings)


def origin(name: str) -> str:
    """Where a game comes from; "" for the program itself. Raises UnknownGameError."""
    if name not in _listings:
        raise UnknownGameError(name)
    return _listings[name].origin


def refused() -> tuple[Refused, ...]:
    """The games from outside that cannot be played."""
    return _refused


def game(name: str) -> Game[Any]:
    """The game called `name`. Raises UnknownGameError."""
    if name not in _listings:
        raise UnknownGameError(name)
    if name not in _loaded:
        _loaded[name] = _listings[name].load()
    return _loaded[name]


def package(name: str) -> str:
    """The package of a game: its rules, its words and its rule pages. Raises UnknownGameError."""
    return import_module(type(game(name)).__module__).__package__ or ""


def places(name: str, setup: Setup) -> tuple[Place, ...]:
    """The zones that the game called `name` uses on the table with this set-up, as its ``zones`` declare them. Raises
    UnknownGameError, and GameError when a game from outside fails to say."""
    rules, home = game(name), package(name)

    def declared() -> tuple[Place, ...]:
        chosen = setup if setup.deck else replace(setup, deck=rules.recommended_deck(len(setup.players)))
        found: tuple[Place, ...] = import_module(f"{home}.zones").places(chosen)
        return found

    answer: tuple[Place, ...] = held(name, home, "places", declared, tuple)() if origin(name) else declared()
    return answer
