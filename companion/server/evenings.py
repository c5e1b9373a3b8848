"""Over many games: results, profiles, names for the next game, tables put away, taken out and brought back.

Everything is derived from the journal; what has been worked out of a table is remembered until its next event.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from companion.cards import DeckError
from companion.games import GameError
from companion.journal import Journal, TableInfo, bring_back, remove
from companion.referee import Started
from companion.referee.league import Profile, Result, key, of_season, profiles, ranking, rounds
from companion.resources import LANGUAGES
from companion.server.show.texts import Texts

MOST_NAMES = 200
"""So many names are offered, who played last first."""

ASIDE = ("demo", "practice")
"""What is noted about tables that are no evening of anybody."""

_REMOVED = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,20}")


class Evenings:
    """See the module. Safe to share between threads."""

    def __init__(self, journal: Journal, texts: Texts, data: Path) -> None:
        self._journal, self._texts, self._folder = journal, texts, data / "removed"
        self._lock = Lock()
        self._known: dict[str, tuple[int, Result | None]] = {}

    # --- what came of it -------------------------------------------------------------------------------------------

    def results(self) -> list[Result]:
        """The results of all games that are over, the newest first; the demonstration and practice aside."""
        infos = [info for info in self._journal.tables() if not any(info.meta.get(note) for note in ASIDE)]
        with self._lock:
            self._known = {info.id: self._result(info) for info in infos}
            return [found for _, found in self._known.values() if found is not None]

    def _result(self, info: TableInfo) -> tuple[int, Result | None]:
        known = self._known.get(info.id)
        if known is not None and known[0] == info.seq:
            return known
        found = None
        with suppress(ValueError, DeckError, GameError):  # a game that is not installed any more
            found = Result.of(self._journal.match(info.id), info.id, local(info.created))
        return info.seq, found

    def strangers(self) -> list[str]:
        """What people are called who gave no name, in every language."""
        names = (self._texts.text("ui.player-default", lang, n=n) for lang in LANGUAGES for n in range(1, 13))
        return list(names)

    def profiles(self, season: str = "", game: str = "") -> dict[str, Profile]:
        """Every player by the key of his name, in a season and a game; empty: all."""
        results = of_season(self.results(), season)
        return profiles((r for r in results if not game or r.game == game), self.strangers())

    def names(self) -> dict[str, Any]:
        """Names for a new game: everybody who has played, who did last first, and people who play together."""
        nobody = {key(name) for name in self.strangers()}
        tables = []
        starts = self._journal.starts()
        for info in self._journal.tables():
            first = None if any(info.meta.get(note) for note in ASIDE) else starts.get(info.id)
            if isinstance(first, Started) and not any(key(name) in nobody for name in first.setup.players):
                tables.append(first.setup.players)
        names: dict[str, str] = {}
        for players in tables:
            for name in players:
                names.setdefault(key(name), name)
        return {"names": list(names.values())[:MOST_NAMES], "rounds": [list(people) for people in rounds(tables)]}

    def season(self, season: str, game: str) -> list[Profile]:
        """The table of a season."""
        return ranking(self.profiles(season, game).values())

    # --- put away and taken out ------------------------------------------------------------------------------------

    def archive(self, table_id: str, archived: bool) -> None:
        """Put a table away from the lists, or back into them."""
        self._journal.note(table_id, lambda meta: {**meta, "archived": archived})

    def remove(self, table_id: str, now: datetime) -> str:
        """Take a table out of the journal; returns the name under which it is kept. Raises BackupError."""
        name = f"{now:%Y%m%d-%H%M%S}-{table_id}"
        info = self._journal.info(table_id)
        remove(self._journal, table_id, self._file(name))
        first = {"game": info.game, "created": info.created}
        self._file(name).with_suffix(".json").write_text(json.dumps(first), encoding="utf-8")
        return name

    def removed(self) -> list[dict[str, str]]:
        """What was taken out and can come back, the newest first: `name`, `game`, `created`."""
        found = []
        for file in sorted(self._folder.glob("*.json"), reverse=True) if self._folder.is_dir() else ():
            with suppress(OSError, ValueError):
                told = json.loads(file.read_text(encoding="utf-8"))
                if file.with_suffix(".sqlite3").exists():
                    found.append({"name": file.stem, "game": str(told["game"]), "created": str(told["created"])})
        return found

    def bring_back(self, name: str) -> str | None:
        """Put a table back; returns its id, None when nothing has this name. Raises BackupError, TakenError."""
        file = self._file(name)
        if not _REMOVED.fullmatch(name) or not file.exists():
            return None
        table_id = bring_back(self._journal, file)
        for kept in (file, file.with_suffix(".json")):
            kept.unlink(missing_ok=True)
        return table_id

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.sqlite3"


def local(at: str) -> datetime:
    """A time of the journal, at the clock of this machine."""
    return datetime.fromisoformat(at).astimezone().replace(tzinfo=None)
