"""The page and its server: shows every table, takes taps, runs the camera, tells everybody at once.

The storeys, from the street to the cellar: the process that serves it all (`run`), the HTTP server and its log
(`serving`, `log`), the application factory (`app`), what can be asked (`routes`), templates and join links (`page`,
`links`), the request at hand (`context`), the one object behind all routes (`desk`), the cameras of the tables
(`camera`), the shapes that go in and out (`schema`), what people see (`show`), who listens (`live`), and who may do
what (`access`). Each imports only what lies below it.
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
