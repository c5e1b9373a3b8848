"""Faces and decks: what is printed on a card, and how many cards are printed so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.cards.design import SIZES, Design
from companion.cards.errors import NotationError, nearest


class Kind(StrEnum):
    """How a face is drawn."""

    TRUMP = "trump"
    JOKER = "joker"
    TILE = "tile"
    TESCA = "tesca"
    PICTURE = "picture"
    FLOWER = "flower"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class Face:
    """The printed identity of a card; cards with equal faces are copies.

    `code` is what journals and commands write (``10H``, ``3m``, ``judge.fed``); `rank` and `suit` are its parts
    (``""`` where there is none: a joker has neither). `colour` is a colour word the rules may use (``red``), `ink` a
    colour to draw with (``#rrggbb``), `glyph` the shortest readable text (``10♥``, ``東``), `names` the spoken name
    by language (``en``, ``ja``).
    """

    code: str
    rank: str
    suit: str
    colour: str
    names: Mapping[str, str] = field(hash=False)
    kind: Kind = Kind.CUSTOM
    glyph: str = ""
    ink: str = "#14161a"

    def name(self, language: str = "en") -> str:
        """The spoken name; English when the language is unknown."""
        return self.names.get(language) or self.names["en"]


@dataclass(frozen=True, slots=True)
class Deck:
    """A multiset of faces.

    `faces` are the different faces in a fixed order (suit by suit, ranks ascending), `counts` how many copies of each
    there are. `ranks` and `suits` list the codes present, weak to strong where the deck has an order. `design`: what a
    deck of one's own looks like; None for those of the program.
    """

    name: str
    faces: tuple[Face, ...]
    counts: tuple[int, ...]
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    design: Design | None = field(default=None, compare=False, hash=False)
    _index: Mapping[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if len(self.faces) != len(self.counts):
            raise ValueError(f"deck {self.name}: {len(self.faces)} faces but {len(self.counts)} counts")
        index = {face.code: i for i, face in enumerate(self.faces)}
        if len(index) != len(self.faces):
            raise ValueError(f"deck {self.name}: two faces have one code")
        object.__setattr__(self, "_index", index)

    def __hash__(self) -> int:
        return hash((self.name, self.counts))

    def __contains__(self, code: object) -> bool:
        return code in self._index

    def __iter__(self) -> Iterator[str]:
        """Every card's code, copies included: as many as the deck has cards."""
        for face, count in zip(self.faces, self.counts, strict=True):
            for _ in range(count):
                yield face.code

    def __len__(self) -> int:
        return sum(self.counts)

    @property
    def size(self) -> int:
        """How many cards the deck has, copies included."""
        return sum(self.counts)

    @property
    def card_size(self) -> tuple[float, float]:
        """Width and height of a card, mm."""
        if self.design is not None:
            return self.design.size
        return SIZES["tile" if self.faces[0].kind is Kind.TILE else "poker"]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the different faces, in the order of `faces`."""
        return tuple(self._index)

    @property
    def multiset(self) -> Counter[str]:
        """Code -> copies."""
        return Counter(dict(zip(self._index, self.counts, strict=True)))

    def copies(self, code: str) -> int:
        """How many cards of this face there are; 0 for a face of another deck."""
        i = self._index.get(code)
        return 0 if i is None else self.counts[i]

    def face(self, code: str) -> Face:
        """The face of that code. Raises NotationError with the nearest codes."""
        return self.faces[self.index(code)]

    def index(self, code: str) -> int:
        """The place of the code in `faces`. Raises NotationError with the nearest codes."""
        i = self._index.get(code)
        if i is None:
            raise NotationError(code, lambda: nearest(code, self._index), self.name)
        return i

    def surplus(self, cards: Iterable[str]) -> tuple[Surplus, ...]:
        """The faces of which `cards` has more copies than the deck (foreign faces: the deck holds 0)."""
        counted = Counter(cards)
        return tuple(Surplus(code, n, self.copies(code)) for code, n in counted.items() if n > self.copies(code))


@dataclass(frozen=True, slots=True)
class Surplus:
    """More copies than there can be: a misread, a foreign card, or somebody cheats."""

    face: str
    copies: int
    holds: int
