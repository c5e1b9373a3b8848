"""The plain data that goes into a game and comes out of it; the contract itself is `companion.games.contract`.

Faces are text codes (``"10H"``, ``"JK1"``, ``"3m"``, ``"judge.fed"``): readable in journals, records and tests.
Equal faces of a multi-deck are equal to the rules. Evaluators turn codes into small integers at their hot edges.

Nothing here is text for people: a `Msg` is a catalogue key with parameters, so that every sentence exists in
every language and the rules stay free of prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

UNKNOWN = "?"
"""Stands in `Action.cards` for a card laid face down: that it lies there is known, its face is not."""

Arg = str | int | bool | tuple[str, ...]
"""A named argument of an action: what a choice on the page, a record line or a JSON body can carry."""


@dataclass(frozen=True, slots=True)
class Msg:
    """A sentence by catalogue key. Parameters are values, card codes or further messages; a number called `player`
    or `turn` is a seat (here and in `Violation`), and whoever writes the sentence puts the name there."""

    key: str
    params: tuple[tuple[str, str | int | tuple[str, ...] | Msg], ...] = ()

    @classmethod
    def of(cls, key: str, **params: str | int | tuple[str, ...] | Msg) -> Msg:
        """``Msg.of("pot.cards", n=3)``."""
        return cls(key, tuple(params.items()))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types: key and params, messages inside messages alike."""
        params = {k: v.to_json() if isinstance(v, Msg) else v for k, v in self.params}
        return {"key": self.key, "params": {k: list(v) if isinstance(v, tuple) else v for k, v in params.items()}}


class Verdict(StrEnum):
    """What the referee says about an action. `UNPROVEN`: cannot be known yet, later cards may decide."""

    LEGAL = "legal"
    UNPROVEN = "unproven"
    FOUL = "foul"


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why an action is not (yet) in order.

    `code` names the rule broken (kebab-case, its sentence stands in the catalogues as ``violation.<code>``);
    `clause` is the clause of the rule sheet (``"88"``, or a section such as ``"7.5"``); `cards` are the faces
    concerned; `params` fill the sentence. `verdict` is FOUL or UNPROVEN.
    """

    code: str
    clause: str
    cards: tuple[str, ...] = ()
    params: tuple[tuple[str, str | int], ...] = ()
    verdict: Verdict = Verdict.FOUL

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types: code, clause, cards, params, verdict."""
        return {
            "code": self.code,
            "clause": self.clause,
            "cards": list(self.cards),
            "params": dict(self.params),
            "verdict": self.verdict.value,
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """The referee's judgement of one action, as journalled and shown. `proven`: what the action brought to light
    about earlier ones (a revoke); the action itself is no worse for it."""

    verdict: Verdict
    violations: tuple[Violation, ...] = ()
    proven: tuple[Violation, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types: verdict, violations, proven."""
        return {
            "verdict": self.verdict.value,
            "violations": [v.to_json() for v in self.violations],
            "proven": [v.to_json() for v in self.proven],
        }


@dataclass(frozen=True, slots=True)
class Action:
    """One thing somebody did, as plain data: camera, tap, record file and bot all produce exactly this.

    `seat` is the acting player (0-based, clockwise), None for the table itself (a deal turned up, the host).
    `cards` are the faces put forward, in order; `args` further named arguments, sorted by name.
    """

    kind: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    args: tuple[tuple[str, Arg], ...] = ()

    @classmethod
    def of(cls, kind: str, seat: int | None = None, cards: Sequence[str] = (), **args: Arg) -> Action:
        """Build an action; keyword arguments become sorted `args`."""
        return cls(kind, seat, tuple(cards), tuple(sorted(args.items())))

    def arg(self, name: str, default: Any = None) -> Any:
        """The named argument, or `default`."""
        return dict(self.args).get(name, default)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; `from_json` reverses it."""
        args = {k: list(v) if isinstance(v, tuple) else v for k, v in self.args}
        return {"kind": self.kind, "seat": self.seat, "cards": list(self.cards), "args": args}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Action:
        """Reverse of `to_json`. Raises ValueError with one sentence when the data has another shape."""
        kind, seat = data.get("kind"), data.get("seat")
        cards, args = data.get("cards", []), data.get("args", {})
        if not isinstance(kind, str) or not kind:
            raise ValueError(f"an action needs a kind (text), not {kind!r}")
        if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool)):
            raise ValueError(f"an action's seat is a number or null, not {seat!r}")
        if not isinstance(cards, list) or not all(isinstance(c, str) for c in cards):
            raise ValueError("an action's cards are a list of face codes")
        if not isinstance(args, dict):
            raise ValueError("an action's args are an object")
        clean: dict[str, Arg] = {}
        for name, value in args.items():
            if isinstance(value, list) and all(isinstance(v, str) for v in value):
                clean[str(name)] = tuple(value)
            elif isinstance(value, str | int | bool):
                clean[str(name)] = value
            else:
                raise ValueError(f"argument {name!r} is text, a number, true/false or a list of texts, not {value!r}")
        return cls(kind, seat, tuple(cards), tuple(sorted(clean.items())))


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for cards in a prompt: how many, which, from where to where.

    `faces`: the faces allowed, each as often as it may be put forward; None: any face of the deck that is not yet
    used up. `source`/`target` are zone ids; the camera
    recognises the action by new cards in `target`. `side` is how the card must lie there: "up", "down" (the
    action's cards are then that many `UNKNOWN`), or "any" (each card a face or `UNKNOWN`, as it really lies).
    `ordered`: it matters which card is the first and which the last; people see them numbered as they choose.
    """

    least: int
    most: int
    faces: tuple[str, ...] | None = None
    source: str | None = None
    target: str | None = None
    side: str = "up"
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A named argument to choose, with its possible values in display order."""

    name: str
    values: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """An action that is open now. An `Action` fits when its cards fill `slot` and its args are exactly one value
    for every choice. What fits no prompt is a foul; what fits one may still break a rule that ties its cards
    together (a group that is no group), and `check` names that rule.

    `skipped`: what it comes to when it is left out (no card drawn, the next deal begins). Such a step is optional or
    trivial, so the next action may come without it (`companion.games.implied`)."""

    kind: str
    seat: int | None
    slot: Slot | None = None
    choices: tuple[Choice, ...] = ()
    label: Msg | None = None
    skipped: Action | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """What is known of a hand: faces shown, and how many more cards it holds."""

    known: tuple[str, ...] = ()
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown


@dataclass(frozen=True, slots=True)
class Zone:
    """What should lie in one place of the table.

    `cards`: faces up, `down`: cards face down. `pile`: only the top card (last of `cards`) can be seen.
    `open`: nothing is claimed about this zone beyond `cards` (a place where cards are just being laid). `heap`: cards
    lie on each other as they came, so that some may be hidden. `fan`: each covers most of the one before it, and they
    stay.
    """

    id: str
    cards: tuple[str, ...] = ()
    down: int = 0
    pile: bool = False
    open: bool = False
    heap: bool = False
    fan: bool = False


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the score sheet: who got how many points (or cards, chips) for what."""

    seat: int
    points: int
    reason: Msg
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardView:
    """A drawn card: `face` None is a card nobody here may know. `marks`: "win", "foul", "new", "forming"."""

    face: str | None
    side: str = "up"
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone as the page draws it. `kind`: "row", "fan", "pile", "stack". `note`: e.g. the hand's category."""

    id: str
    label: Msg
    cards: tuple[CardView, ...] = ()
    seat: int | None = None
    kind: str = "row"
    note: Msg | None = None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's panel: score, named counters (chips, cards in hand …), what is known of the hand."""

    seat: int
    name: str
    score: int | None = None
    counters: tuple[tuple[Msg, int], ...] = ()
    hand: Hand | None = None
    status: Msg | None = None
    active: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Everything the page shows of a game; the page knows no game, only this."""

    game: str
    deck: str
    phase: Msg
    players: tuple[PlayerView, ...]
    zones: tuple[ZoneView, ...]
    prompts: tuple[Prompt, ...] = ()
    results: tuple[Msg, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Role:
    """Who looks: "host", "seat" (with its number), "scorekeeper", "spectator", "board"."""

    name: str = "spectator"
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A house-rule option: its values (the first is the default) and the clause it settles. `free`: the game also
    takes a text of the table's own, of so many characters at most; 0: only the values."""

    name: str
    values: tuple[str, ...]
    clause: str
    free: int = 0

    @property
    def default(self) -> str:
        return self.values[0]
