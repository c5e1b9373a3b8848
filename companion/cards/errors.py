"""What can go wrong with a name: of a card, of a deck, in a deck file. Each error carries what was meant, if known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cached_property

LONGEST = 60
"""So many characters of what somebody wrote are looked at and shown: no name is as long."""


def nearest(word: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The `count` names most like `word`, best first; never empty while anything is known."""
    word, names = word[:LONGEST], list(dict.fromkeys(known))
    folded = {name.casefold(): name for name in reversed(names)}
    close = get_close_matches(word.casefold(), folded, n=count, cutoff=0.5)
    return tuple(folded[c] for c in close or get_close_matches(word.casefold(), folded, n=1, cutoff=0.0))


class NotationError(ValueError):
    """A text that names no face. `token` is the text, `suggestions` the nearest face codes, best first, worked out when
    somebody asks: many texts are only tried."""

    def __init__(self, token: str, nearest: Callable[[], tuple[str, ...]], place: str = "") -> None:
        super().__init__(token)
        self.token, self._nearest, self._place = token, nearest, place

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        return self._nearest()

    def __str__(self) -> str:
        shown = self.token if len(self.token) <= LONGEST else self.token[:LONGEST] + "…"
        place = f" of the deck {self._place}" if self._place else ""
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"{shown!r} is no card{place}{hint}"


class DeckError(KeyError):
    """A name that no deck has. `name` is the name, `suggestions` the nearest deck names."""

    def __init__(self, name: str, suggestions: tuple[str, ...] = ()) -> None:
        self.name = name
        self.suggestions = suggestions
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
        super().__init__(f"there is no deck {name!r}{hint}")

    def __str__(self) -> str:
        return str(self.args[0])


class DeckFileError(ValueError):
    """A deck file that cannot be understood; the message names the table and key and what belongs there. `code` and
    `params` say the same for catalogues (``deckfile.<code>``)."""

    def __init__(self, message: str, code: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.params = {name: str(value).replace(" number ", " #") for name, value in params.items()}
