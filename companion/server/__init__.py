"""The page and its server: shows every table, takes taps, runs the camera, tells everybody at once.

What lives here: the application factory (`app`), the HTML pages (`pages`), the JSON API (`api`), the live stream
(`live`), who may do what (`access`), pictures of cards and evidence (`pictures`), the words (`texts`), the picture of
a match as JSON (`present`), the camera of a table (`camera`) and the process that serves it all (`run`).
What may come in: every room but training. What never does: a rule of a game, a sentence in code, a name of a game
other than as a value. The page draws the declarative `View` and nothing else, so a new game needs no line here.

A tap and a camera take the same way: an intent becomes an event, the journal gives it a number, and whoever
listens to the table gets the new picture of it.
"""

from __future__ import annotations

from companion.server.app import create_app
from companion.server.config import Config
from companion.server.run import ServeError, serve

__all__ = ["Config", "ServeError", "create_app", "serve"]
