"""How every game starts: the set-up checked against the game, and the seats that a set-up may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.games.contract import Game, Setup, SetupError
from companion.games.values import Option
from companion.hands.options import HouseRule


def checked_setup(game: Game[Any], setup: Setup) -> Setup:
    """`setup` with its deck filled in. Raises SetupError when players, deck or options are not this game's."""
    n = len(setup.players)
    if not game.least_players <= n <= game.most_players:
        raise SetupError(f"{game.id} is for {game.least_players} to {game.most_players} players, not {n}")
    deck = setup.deck or game.recommended_deck(n)
    if deck not in game.decks:
        _check_own(game, deck)
    known = {o.name: o for o in game.options}
    for name, value in setup.options:
        if name not in known:
            raise SetupError(f"{game.id} has no option {name!r}; it has {', '.join(known) or 'none'}")
        if value not in known[name].values:
            raise SetupError(f"option {name} of {game.id} is {', '.join(known[name].values)}, not {value!r}")
    return Setup(setup.players, deck, setup.options)


def _check_own(game: Game[Any], name: str) -> None:
    """Raises SetupError where the game is not played with a deck that is none of its own."""
    if "~" not in name:
        raise SetupError(f"{game.id} is played with {', '.join(game.decks)}, not {name!r}")
    try:
        own = find_deck(name)
    except DeckError as error:
        raise SetupError(str(error)) from error
    if (unfit := game.unfit(own)) is not None:
        raise SetupError(f"{game.id} cannot be played with {name}: {unfit.sentence}")


def ranking_options(rules: Iterable[HouseRule], **free: int) -> tuple[Option, ...]:
    """The house rules of a ranking of hands as options of a game. `free`: options that also take a text of the table's
    own, of so many characters at most."""
    return tuple(Option(rule.name, rule.values, rule.clause, free.get(rule.name, 0)) for rule in rules)


def seat_option(name: str, most: int, clause: str) -> Option:
    """Who begins or deals is chosen with the set-up: a player by his number, of `most` there can be."""
    return Option(name, tuple(str(n) for n in range(1, most + 1)), clause)


def chosen_seat(chosen: Mapping[str, str], name: str, seats: int) -> int:
    """The seat that the option `name` (`seat_option`) names. Raises SetupError when nobody sits there."""
    number = int(chosen[name])
    if number > seats:
        raise SetupError(f"the {name} is one of the {seats} players, not player {number}")
    return number - 1
