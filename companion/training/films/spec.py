"""What may be chosen about a film, in which ranges, and which seeds are for whom."""

from __future__ import annotations

import zlib
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

Rng = np.random.Generator
Range = tuple[float, float]

DEVELOPMENT, REPORTED = range(10_000), range(10_000, 20_000)
"""Seeds to look at and mend by, and seeds whose figures are reported and that nobody looks into. Frozen."""

GAMES = (
    "trading-poker",
    "three-card-trick-poker",
    "pokard-trick",
    "aces-king",
    "hexa-card",
    "joker-quest",
    "sixty-five-card-poker",
    "three-card-showdown",
)


class FilmError(ValueError):
    """A film that cannot be made; one sentence says why."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """From which values a film's choices are drawn; lengths in mm and px, times in s, angles in degrees."""

    tilt: Range = (4.0, 38.0)
    yaw: Range = (-4.0, 4.0)
    margin: Range = (0.01, 0.05)
    """Free border round the table, share of the picture."""
    roomy: Range = (1.0, 1.35)
    """The table's width, as share of the least that holds the game."""
    askew: Range = (1.0, 5.0)
    """Standard deviation of a card's turn."""
    scatter: Range = (0.8, 2.5)
    """Standard deviation of a card's place."""
    think: Range = (0.5, 2.4)
    """Between letting go and the next hand."""
    reach: Range = (0.35, 0.75)
    """A hand's way in; the way out takes about as long."""
    stay: Range = (0.1, 0.4)
    noise: Range = (0.8, 3.5)
    """Standard deviation of the sensor's noise, grey levels."""
    quality: tuple[int, int] = (60, 95)
    """Of the JPEG that a webcam sends."""
    lamp: Range = (0.55, 0.95)
    """Light in the darkest corner, share of the brightest."""
    exposure: Range = (0.8, 1.08)
    breathing: Range = (0.0, 0.05)
    """How much the camera's own exposure follows what comes into view."""


@dataclass(frozen=True, slots=True)
class Accidents:
    """How often, per film, something happens that no rule knows: 0 never, 1 about once in twenty actions."""

    nudges: tuple[float, ...] = ()
    """The camera is pushed so many px, once each, at even spaces over the film."""
    bumps: int = 0
    """So often the table is bumped: every card slips a little."""
    lights: int = 0
    """So often the light changes: a lamp goes on or off, a cloud passes."""
    twins: float = 0.0
    """Share of laid cards that come to lie exactly on another of their zone."""
    excursions: float = 0.0
    """Share of pauses in which a card is picked up, looked at, and put back."""


@dataclass(frozen=True, slots=True)
class Film:
    """Everything that makes a film. The same values, prints and fonts give the same frames."""

    game: str
    seed: int
    players: int | None = None
    deck: str = ""
    """The deck that is played with, one of one's own, too, once it is kept; empty: the one the game recommends."""
    bot: str = "simple"
    actions: int | None = None
    """At most so many actions of the game; None: the whole game, or 60 of one without an end."""
    dealt: tuple[str, ...] = ()
    """These cards lie uppermost when cards are shuffled for the first time: in 65-card poker the first seat's hand."""
    first: int = 0
    """The film begins after so many actions of the game; they are part of its truth."""
    size: tuple[int, int] = (1280, 720)
    fps: float = 12.0
    ranges: Ranges = field(default_factory=Ranges)
    accidents: Accidents = field(default_factory=Accidents)
    held_out: bool | None = None
    """Cards of a design that nothing trained on; None: of every other seed."""
    artwork: bool | None = None
    """Cards that the project draws itself; None: of every eighth seed, and where no print has the faces."""
    holders: bool | None = None
    """People hold their cards above the table's edge, backs to the camera; None: in two films of three."""
    resting_hand: bool | None = None
    """A hand with the deck rests in view all the time; None: in one film of six."""
    dealer: bool = False
    """A dealer's two hands with the deck are in view all the time, and never still."""
    clutter: bool | None = None
    """Glasses stand about; None: in one film of three."""
    one_by_one: float = 0.35
    """How often several cards are laid one after the other, not together."""
    haste: float = 0.25
    """How often the next hand comes while the last one is still leaving."""

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise FilmError(f"there is no film of {self.game!r}: the games are {', '.join(GAMES)}.")
        if self.fps <= 0 or min(self.size) < 120:
            raise FilmError("a film has at least 120 px each way and some frames a second.")

    @property
    def name(self) -> str:
        """Of its files."""
        deck = self.deck.partition("~")[0]
        return f"{self.game}-{deck}-{self.seed}" if deck else f"{self.game}-{self.seed}"

    @property
    def split(self) -> str:
        """``development`` or ``reported``. Raises FilmError for a seed that is neither."""
        for name, seeds in (("development", DEVELOPMENT), ("reported", REPORTED)):
            if self.seed in seeds:
                return name
        raise FilmError(f"seed {self.seed} is for no film: 0 to {REPORTED[-1]}.")

    def rng(self, part: str) -> Rng:
        """The random generator of one part of the film, so that parts do not disturb each other."""
        return np.random.default_rng([self.seed, zlib.crc32(self.game.encode()), zlib.crc32(part.encode())])

    def chance(self, part: str, share: float, given: bool | None) -> bool:
        """What was `given`, or else true in `share` of all seeds."""
        return bool(self.rng(part).random() < share) if given is None else given

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)
