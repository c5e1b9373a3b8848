"""The desk: the one object behind all routes. It opens tables, writes events, and knows what each reader should see."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from flask import Request

from companion.cards import DeckError
from companion.games import Role, Setup, SetupError, UnknownGameError, game
from companion.journal import Conflict, Journal, JournalError, UnknownTableError, check, restore
from companion.referee import Event, EventError, Match, Started
from companion.server.access import Access, Keys
from companion.server.camera import Cameras
from companion.server.config import Config, journal_file
from companion.server.errors import ApiError
from companion.server.live import Bus
from companion.server.present import RECENT, Presenter
from companion.server.texts import Texts

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(slots=True)
class Desk:
    """What the routes work with. `config` and the parts are set once; the memory of drawn pictures is its own."""

    config: Config
    journal: Journal
    keys: Keys
    texts: Texts
    bus: Bus
    cameras: Cameras
    memory: Memory

    @classmethod
    def open(cls, config: Config) -> Desk:
        """Open journal, keys and catalogues in the data folder of `config`, making the folder when it is missing."""
        config.data.mkdir(parents=True, exist_ok=True)
        bus = Bus()
        journal = Journal(f"sqlite:///{journal_file(config.data)}")
        keys = Keys.stored(config.data / "secret")
        return cls(config, journal, keys, Texts.load(), bus, Cameras(config, journal, bus), Memory())

    def close(self) -> None:
        """Stop cameras, end streams, close the journal."""
        self.cameras.close()
        self.bus.close()
        self.journal.close()

    def restore(self, source: Path, now: datetime) -> Path | None:
        """Put the backup `source` in the place of the journal, under every page that is open. Returns where the old
        one is kept. Raises BackupError when it is no whole backup; nothing has changed then."""
        check(source)
        before = {info.id for info in self.journal.tables()}
        self.cameras.close()
        try:
            with self.journal.standing_still():
                return restore(journal_file(self.config.data), source, now)
        finally:
            self.memory.clear()
            self.cameras = Cameras(self.config, self.journal, self.bus)
            self.cameras.start()
            for table_id in before | {info.id for info in self.journal.tables()}:
                self.bus.publish(table_id)

    # --- writing ---------------------------------------------------------------------------------------------------

    def open_table(self, started: Started, table_id: str | None = None, **meta: Any) -> str:
        """Start a match; returns the table's id. Raises ApiError with the sentence of the game or deck."""
        started = _with_deck(started)
        name = table_id or "".join(secrets.choice(_LETTERS) for _ in range(6))
        try:
            self.journal.create(name, started, **meta)
        except (SetupError, UnknownGameError, DeckError, EventError) as error:
            raise ApiError("bad-setup", 422, reason=str(error)) from error
        self.bus.publish(name)
        return name

    def append(self, table_id: str, event: Event, seq: int | None, key: str | None) -> int:
        """Write an event; returns its number. Raises ApiError: 404 no such table, 409 somebody was faster, 422 when
        the event refers to what is not there."""
        try:
            number = self.journal.append(table_id, event, expected_seq=seq, key=key)
        except UnknownTableError as error:
            raise ApiError("no-table", 404) from error
        except Conflict as error:
            raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
        except EventError as error:
            raise ApiError("bad-event", 422, reason=str(error)) from error
        self.bus.publish(table_id)
        self.cameras.changed(table_id)
        return number

    # --- reading ---------------------------------------------------------------------------------------------------

    def match(self, table_id: str) -> Match:
        """The match on a table. Raises ApiError 404."""
        try:
            return self.journal.match(table_id)
        except UnknownTableError as error:
            raise ApiError("no-table", 404) from error

    def presenter(self, table_id: str, lang: str, access: Access) -> Presenter:
        """Draws the table as it is now."""
        return Presenter(self.texts, self.match(table_id), lang, access)

    def table(self, table_id: str, lang: str, access: Access) -> dict[str, Any]:
        """The picture of a table for a reader; drawn once per number, language and role."""
        match = self.match(table_id)
        seq = len(match.entries)
        key = (table_id, seq, lang, access.code)
        found = self.memory.get(key)
        if found is None:
            logged = self.journal.events(table_id, after=max(0, seq - RECENT))
            current = tuple(item for item in logged if item.seq <= seq)
            found = Presenter(self.texts, match, lang, access).table(table_id, current)
            self.memory.put(key, found)
        return found

    def around(self, table_id: str, lang: str, access: Access) -> dict[str, Any]:
        """What surrounds the match without being part of it: the camera, its questions, who is here."""
        people = self.bus.people(table_id)
        seats = [role for role, _ in people if role.startswith("seat-")]
        doubled = sorted({int(role[5:]) for role in seats if seats.count(role) > 1})
        return {
            "camera": self.cameras.state(table_id, self.texts, lang, self.match(table_id)),
            "people": len({device for _, device in people}),
            "seats": sorted({int(role[5:]) for role in seats}),
            "doubled": doubled,
        }

    def access(self, request: Request, table_id: str) -> Access:
        """What the device behind `request` may do at a table. The demonstration is everybody's to play with."""
        found = self.keys.access(request, table_id)
        playground = table_id == self.cameras.demo and not found.acts
        return Access(Role("scorekeeper")) if playground else found

    def tables(self, lang: str) -> list[dict[str, Any]]:
        """Every table for the list on the home page, the newest first."""
        rows = []
        for info in self.journal.tables():
            if info.meta.get("demo") and info.id != self.cameras.demo:
                continue  # demonstrations of earlier runs
            try:
                match = self.journal.match(info.id)
            except (JournalError, ValueError):
                continue  # a game of another version: the list goes on without it
            rows.append(
                {
                    "id": info.id,
                    "game": self.texts.text(f"game.{info.game}.name", lang),
                    "deck": match.deck.name,
                    "players": list(match.setup.players),
                    "created": info.created,
                    "events": info.seq,
                    "over": match.over,
                    "demo": info.id == self.cameras.demo,
                }
            )
        return rows

    def join_key(self, table_id: str, role: str) -> str:
        """The signed key for a role at a table."""
        return self.keys.key(table_id, role)


def _with_deck(started: Started) -> Started:
    """A start without a deck gets the one its game takes for so many players, so that everybody reads the same."""
    setup = started.setup
    if setup.deck:
        return started
    try:
        rules = game(started.game)
        deck = rules.view(rules.start(setup), Role("host")).deck
    except (SetupError, UnknownGameError) as error:
        raise ApiError("bad-setup", 422, reason=str(error)) from error
    return Started(started.game, Setup(setup.players, deck, setup.options))


class Memory:
    """The pictures drawn last, so that a hundred pages cost one drawing."""

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._lock = Lock()
        self._kept: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()

    def get(self, key: tuple[Any, ...]) -> dict[str, Any] | None:
        """The picture, if it is still here."""
        with self._lock:
            return self._kept.get(key)

    def clear(self) -> None:
        """Forget every picture."""
        with self._lock:
            self._kept.clear()

    def put(self, key: tuple[Any, ...], picture: dict[str, Any]) -> None:
        """Keep a picture; the oldest one goes when there are too many."""
        with self._lock:
            self._kept[key] = picture
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
