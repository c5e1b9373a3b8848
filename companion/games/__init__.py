"""The games. One module a game, each reading like its rule sheet from top to bottom.

What lives here: set-up, phases, actions, expected table, scoring: as pure functions of what was shown at the
table. What may come in: faces and hand rankings. What never does: a clock, an unseeded random number, a file, a
web request, a picture, and text for people (only catalogue keys).
"""

from __future__ import annotations
