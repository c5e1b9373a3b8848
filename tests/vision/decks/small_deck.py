"""A deck of a few pictures and marks, and the light in which it is enrolled and lies on a table."""

from __future__ import annotations

from companion.training.decks import views

PICTURES, MARKS = 5, 4
TOML = '[deck]\nname = "Invented"\nseparator = "."\n' + "".join(
    [f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(MARKS)]
    + [f'[[pictures]]\ncode = "p{k}"\nname = "Picture {k}"\n' for k in range(PICTURES)]
)
SHARP = views.Conditions((150, 170), 0.1, 0.004, 0.0)
TABLE = views.Conditions((110, 130), 0.2, 0.01, 0.0)
