"""The camera of a table: runs the watcher and keeps what the page should know about it.

(First part: the state that the page shows; the watcher itself joins when it is started for a table.)
"""

from __future__ import annotations

from typing import Any

from companion.journal import Journal
from companion.referee import Acted, Match
from companion.server.config import Config
from companion.server.errors import ApiError
from companion.server.live import Bus
from companion.server.texts import Texts


class Cameras:
    """The cameras of all tables."""

    def __init__(self, journal: Journal, bus: Bus) -> None:
        self._journal = journal
        self._bus = bus

    def state(self, table_id: str, texts: Texts, lang: str, match: Match) -> dict[str, Any]:
        """What the page shows of a table's camera."""
        return {"state": "off", "text": texts.text("ui.camera.off", lang), "questions": []}

    def start(self, config: Config) -> None:
        """Open the demo table and the camera that `config` names."""

    def choose(self, table_id: str, source: str | None) -> None:
        """Watch the table with another source; None: taps only."""

    def answer(self, table_id: str, question: str, option: int | None) -> Acted | None:
        """The event that an answer stands for; None when the question is put aside."""
        raise ApiError("no-question", 404)

    def close(self) -> None:
        """Stop every camera."""
