"""A game from outside, held at arm's length: whatever fails inside it comes out as one error with one sentence, so that
it costs its own tables and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any

from companion.games.contract import Game, SetupError
from companion.games.values import Action, View
from companion.games.world import World


class GameError(RuntimeError):
    """A game from outside has failed. `game`: its id; `reason`: what happened and where, for its author."""

    def __init__(self, game: str, reason: str) -> None:
        super().__init__(game, reason)  # what it is made of again in another process
        self.game = game
        self.reason = reason

    def __str__(self) -> str:
        return f"the game {self.game} has failed: {self.reason}."


_ANSWERS: dict[str, type] = {
    "recommended_deck": str,
    "recommended_decks": tuple,
    "unfit": object,
    "start": object,
    "prompts": tuple,
    "check": tuple,
    "proves": tuple,
    "implies": tuple,
    "full": bool,
    "decides": object,
    "apply": object,
    "expected_table": tuple,
    "whereabouts": tuple,
    "scores": tuple,
    "winners": tuple,
    "totals": dict,
    "view": View,
    "world": World,
}
"""What every method of a game answers with."""


def guarded(cls: type[Game[Any]], package: str) -> Game[Any]:
    """The game of class `cls`, whose errors come out as GameError. `package`: where its code is; the sentence names the
    file and the line there. A SetupError is an answer and no failure."""
    methods: dict[str, Any] = {
        name: held(cls.id, package, name, getattr(cls, name), kind) for name, kind in _ANSWERS.items()
    }
    made: Game[Any] = type(cls.__name__, (cls,), {**methods, "__module__": cls.__module__, "__doc__": cls.__doc__})()
    return made


def where(trace: TracebackType | None, package: str) -> str:
    """The last place in `package` on the way to an error: ``rules.py, line 12: ``; "" when there is none."""
    found = ""
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module == package or module.startswith(f"{package}."):
            file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
            found = f"{file}, line {trace.tb_lineno}: "
        trace = trace.tb_next
    return found


def held(game: str, package: str, name: str, method: Callable[..., Any], kind: type) -> Callable[..., Any]:
    """`method`, whose errors and answers of another kind come out as GameError."""

    @wraps(method)
    def call(*args: Any, **more: Any) -> Any:
        try:
            answer = method(*args, **more)
        except (GameError, SetupError):
            raise
        except Exception as error:
            raise GameError(game, f"{where(error.__traceback__, package)}{type(error).__name__}: {error}") from error
        if not isinstance(answer, kind):
            raise GameError(game, f"{name} answers with {type(answer).__name__}, not {kind.__name__}")
        return _Guarded(game, package, answer) if isinstance(answer, World) else answer

    return call


class _Guarded(World[Any]):
    """A world whose errors come out as GameError."""

    def __init__(self, game: str, package: str, world: World[Any]) -> None:
        def part(name: str, kind: type) -> Callable[..., Any]:
            return held(game, package, f"{type(world).__name__}.{name}", getattr(world, name), kind)

        self._actions, self._follow = part("actions", list), part("follow", object)
        self._zones, self._worth = part("zones", dict), part("worth", float | int)  # type: ignore[arg-type]

    def actions(self, state: Any) -> list[Action]:
        found: list[Action] = self._actions(state)
        return found

    def follow(self, before: Any, action: Action, after: Any) -> None:
        self._follow(before, action, after)

    def zones(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = self._zones()
        return found

    def worth(self, state: Any, action: Action) -> float:
        found: float = self._worth(state, action)
        return found
