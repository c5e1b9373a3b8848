"""Games from outside: found, looked over, and put on the list beside the program's own.

There are two places for them. A folder ``games/<my_game>/`` in the data folder, of the same shape as a built-in game's
folder; and installed packages whose entry points of the group ``companion.games`` name a class. What is wrong with one
costs only that one: it goes on the list of refused games with a sentence, and everything else works. Code found there
is run; the folder belongs to whoever runs the program.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from companion import resources
from companion.cards import DeckError, deck
from companion.games import Game, Option, game, origin
from companion.games.guard import guarded, where
from companion.games.registry import Listing, Refused, ids, install, package

GROUP = "companion.games"
"""The entry point group: name of the game → ``package:Class``."""
FOLDER = "games"
"""The folder in the data folder."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""How games are called; their folders have ``_`` for ``-``."""
MOST_PLAYERS = 13


class ExtensionError(ValueError):
    """A game from outside that cannot be played; the message is one sentence."""


def install_all(data: Path) -> None:
    """Put every game from outside on the list, those that cannot be played on the list of the refused. Games of an
    earlier call are forgotten. `data`: the data folder; it need not exist."""
    install(())
    listings: list[Listing] = []
    refused: list[Refused] = []
    for name, place, load in (*_installed(), *_folders(data / FOLDER)):
        try:
            found = load()
            if found.id in ids():
                taken = origin(found.id) or "the program itself"
                raise ExtensionError(f"the name {found.id} is taken by {taken}")
            install([*listings, found])
            _check_words(found.id)
        except ExtensionError as error:
            refused.append(Refused(name, place, f"{error}."))
        else:
            listings.append(found)
        install(listings, refused)


def load_folder(folder: Path) -> Game[Any]:
    """The game in `folder`, put on the list in place of one of the same name: for the tests of its author. Raises
    ExtensionError."""
    found = from_folder(folder)
    if found.id in ids() and not origin(found.id):
        raise ExtensionError(f"the name {found.id} is taken by the program itself")
    install([found])
    _check_words(found.id)
    return game(found.id)


def from_folder(folder: Path) -> Listing:
    """The game in a folder. Raises ExtensionError."""
    name = folder.name.replace("_", "-")
    if not NAME.fullmatch(name):
        raise ExtensionError(f"a game's folder is called like my_game, not {folder.name!r}")
    module = _import(folder, f"companion_game_{name.replace('-', '_')}")
    cls = _class_of(module)
    _check_class(cls, name)
    _check_zones(module.__name__)
    made = guarded(cls, module.__name__)
    return Listing(name, lambda: made, str(folder))


def _folders(place: Path) -> Iterator[tuple[str, str, Callable[[], Listing]]]:
    if not place.is_dir():
        return
    for folder in sorted(place.iterdir()):
        if folder.is_dir() and not folder.name.startswith((".", "__")):
            yield folder.name.replace("_", "-"), str(folder), lambda folder=folder: from_folder(folder)  # type: ignore[misc]


def _installed() -> Iterator[tuple[str, str, Callable[[], Listing]]]:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        whose = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        yield point.name, whose, lambda point=point, whose=whose: _from_entry_point(point, whose)  # type: ignore[misc]


def _from_entry_point(point: EntryPoint, whose: str) -> Listing:
    try:
        cls = point.load()
    except Exception as error:
        raise ExtensionError(_sentence(error, point.module)) from error
    if not (isinstance(cls, type) and issubclass(cls, Game)):
        raise ExtensionError(f"{point.value} is no class of a game")
    _check_class(cls, point.name)
    home = sys.modules[cls.__module__].__package__
    if not home:
        raise ExtensionError(f"{cls.__module__} is no package; words and rule pages lie in the folder of one")
    _check_zones(home)
    made = guarded(cls, home)
    return Listing(point.name, lambda: made, whose)


def _import(folder: Path, name: str) -> ModuleType:
    """Import a folder as a package of its own, afresh."""
    for known in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
        del sys.modules[known]
    start = folder / "__init__.py"
    if not start.is_file():
        raise ExtensionError(f"there is no {start.name} in {folder}")
    spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[str(folder)])
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ExtensionError(_sentence(error, name)) from error
    return module


def _sentence(error: Exception, package: str) -> str:
    """What went wrong while code was loaded, and where."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '').name}, line {error.lineno}: {error.msg}"
    return f"{where(error.__traceback__, package)}{type(error).__name__}: {error}".rstrip(".")


def _class_of(module: ModuleType) -> type[Game[Any]]:
    """The one class of a game that a package exports."""
    found = {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__.startswith(module.__name__)
    }
    if not found:
        raise ExtensionError("its __init__.py exports no class of a game (a subclass of companion.games.Game)")
    if len(found) > 1:
        raise ExtensionError(f"its __init__.py exports several games: {', '.join(sorted(c.__name__ for c in found))}")
    return found.pop()


def _check_class(cls: type[Game[Any]], name: str) -> None:
    """What the list says of a game must be there and possible."""
    if inspect.isabstract(cls):
        raise ExtensionError(f"{cls.__name__} lacks {', '.join(sorted(cls.__abstractmethods__))}")
    missing = [what for what in ("id", "least_players", "most_players", "decks") if not hasattr(cls, what)]
    if missing:
        raise ExtensionError(f"{cls.__name__} lacks {', '.join(missing)}")
    if cls.id != name:
        raise ExtensionError(f"{cls.__name__}.id is {cls.id!r}; here it has to be {name!r}")
    least, most = cls.least_players, cls.most_players
    if not (isinstance(least, int) and isinstance(most, int) and 1 <= least <= most <= MOST_PLAYERS):
        raise ExtensionError(f"{cls.__name__} is for {least} to {most} players; a table has 1 to {MOST_PLAYERS}")
    if not isinstance(cls.decks, tuple) or not cls.decks:
        raise ExtensionError(f"{cls.__name__}.decks is a tuple with the name of at least one deck")
    if not isinstance(cls.options, tuple) or not all(isinstance(option, Option) for option in cls.options):
        raise ExtensionError(f"{cls.__name__}.options is a tuple of Option")
    for one in cls.decks:
        try:
            deck(one)
        except DeckError as error:
            raise ExtensionError(str(error).rstrip(".")) from error


def _check_zones(home: str) -> None:
    """A game says what lies on the table."""
    try:
        zones = importlib.import_module(f"{home}.zones")
    except Exception as error:
        raise ExtensionError(_sentence(error, home)) from error
    if not callable(getattr(zones, "places", None)):
        raise ExtensionError("its zones.py has no function places(setup) that says what lies on the table")


def _check_words(name: str) -> None:
    """The words of a game on the list: readable, none of them said already, and the game has a name."""
    own, said = _words(name), set(_shared_words())
    for other in ids():
        with suppress(ExtensionError):
            said |= set(_words(other)) if other != name else set()
    if double := sorted(own.keys() & said):
        raise ExtensionError(f"its words say again what is said already: {', '.join(double[:5])}")
    if f"game.{name}.name" not in own:
        files = " and ".join(f"words.{lang}.json" for lang in resources.LANGUAGES)
        raise ExtensionError(f"the game has no name: there is no game.{name}.name in {files}")


def _words(name: str) -> dict[str, str]:
    try:
        folder = resources.package(package(name))
        files = [folder / f"words.{lang}.json" for lang in resources.LANGUAGES]
        return {key: text for file in files if file.is_file() for key, text in resources.read_words(file).items()}
    except (ValueError, OSError) as error:
        raise ExtensionError(str(error).rstrip(".")) from error


def _shared_words() -> dict[str, str]:
    files = sorted((resources.web() / "messages" / resources.LANGUAGES[0]).glob("*.json"))
    return {key: text for file in files for key, text in resources.read_words(file).items()}
