"""What can go wrong with a name: of a card, of a deck, in a deck file. Each error carries what was meant, if known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The `count` names most like `word`, best first; never empty while anything is known."""
    names = list(dict.fromkeys(known))
    folded = {name.casefold(): name for name in reversed(names)}
    close = get_close_matches(word.casefold(), folded, n=count, cutoff=0.5)
    return tuple(folded[c] for c in close or get_close_matches(word.casefold(), folded, n=1, cutoff=0.0))


class NotationError(ValueError):
    """A text that names no face. `token` is the text, `suggestions` the nearest face codes, best first."""

    def __init__(self, token: str, suggestions: tuple[str, ...] = (), place: str = "") -> None:
        self.token = token
        self.suggestions = suggestions
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
        super().__init__(f"{token!r} is no card{f' of the deck {place}' if place else ''}{hint}")


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
