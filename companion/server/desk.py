"""The desk: the one object behind all routes. It opens tables, writes events, and knows what each reader should see."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from flask import Request

from companion.cards import DeckError
from companion.cards import deck as find_deck
from companion.extensions import install_all
from companion.games import GameError, Role, Setup, SetupError, UnknownGameError, game
from companion.journal import (
    Conflict,
    DamagedError,
    Journal,
    TableInfo,
    TakenError,
    UnknownTableError,
    backups,
    check,
    make_private,
    restore,
)
from companion.referee import Acted, Entry, Event, EventError, Match, Started
from companion.server.access import Access, Credentials, Keys
from companion.server.camera.cameras import Cameras
from companion.server.config import Config, backup_folder, journal_file
from companion.server.door import MOST_TABLES, Door
from companion.server.errors import ApiError
from companion.server.evenings import Evenings
from companion.server.live.devices import device_rows, doubled_seats, taken_seats
from companion.server.live.stream import Bus, Snapshot, SnapshotCache
from companion.server.past import MatchHistory
from companion.server.practice import Practice
from companion.server.show.present import RECENT, Presenter
from companion.server.show.texts import Texts
from companion.shelf import install_decks

MOST_WAITING = 30
"""Fouls that may wait for a decision at once."""

MOST_ENTRIES = 4_000
"""Entries of a table: more than a long night has. Every picture is worked out from all of them."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(slots=True)
class Desk:
    """What the routes work with. `config` and the parts are set once; the memory of drawn pictures is its own."""

    config: Config
    journal: Journal
    keys: Keys
    door: Door
    texts: Texts
    bus: Bus
    cameras: Cameras
    memory: DrawnCache
    looks: SnapshotCache
    past: MatchHistory
    evenings: Evenings
    practice: Practice
    listed: DrawnCache
    """What lists say of tables."""

    @classmethod
    def open(cls, config: Config) -> Desk:
        """Open journal, keys, games and catalogues in the data folder of `config`, making the folder when it is
        missing."""
        make_private(config.data)
        install_all(config.data)
        install_decks(config.data)
        keys, bus = Keys.stored(config.data), Bus()
        _check_there(config)
        journal = Journal(config.database or f"sqlite:///{journal_file(config.data)}")
        journal.hear(bus.publish)
        cameras = Cameras(config, journal, bus)
        drawn, snapshots, texts = DrawnCache(), SnapshotCache(bus), Texts.load()
        evenings, past, listed = Evenings(journal, texts, config.data), MatchHistory(), DrawnCache(2 * MOST_TABLES)
        return cls(
            config,
            journal,
            keys,
            Door(config),
            texts,
            bus,
            cameras,
            drawn,
            snapshots,
            past,
            evenings,
            Practice(journal),
            listed,
        )

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
            self.forget()
            self.cameras = Cameras(self.config, self.journal, self.bus)
            self.cameras.start()
            for table_id in before | {info.id for info in self.journal.tables()}:
                self.bus.publish(table_id)

    # --- writing ---------------------------------------------------------------------------------------------------

    def open_table(self, started: Started, key: str | None = None) -> str:
        """Start a match; returns the table's id. With a `key` that has opened a table already, the id of that one.
        Raises ApiError with the sentence of the game or deck."""
        started = _with_deck(started)
        for name in _names(key):
            try:
                self.journal.create(name, started, key=key)
            except TakenError:
                continue
            except (SetupError, UnknownGameError, DeckError, EventError) as error:
                raise ApiError("bad-setup", 422, reason=str(error)) from error
            break
        self.bus.publish(name)
        return name

    def append(
        self, table_id: str, event: Event, seq: int | None, key: str | None, lang: str, access: Access
    ) -> tuple[int, dict[str, Any]]:
        """Write an event; returns its number and the table as it is then. Raises ApiError: 404 no such table, 409
        somebody was faster, 422 when the event refers to what is not there, or the table can hold no more."""
        match = self.match(table_id)
        self._check_room(table_id, match, event, key)
        try:
            number = self.journal.append(table_id, event, expected_seq=seq, key=key)
        except UnknownTableError as error:
            raise ApiError("no-table", 404) from error
        except Conflict as error:
            raise ApiError("conflict", 409, {"seq": error.current_seq}) from error
        except EventError as error:
            raise ApiError("bad-event", 422, reason=str(error)) from error
        try:
            return number, self.table(table_id, lang, access)  # before a hundred pages want theirs
        finally:
            self.cameras.written(table_id, match)
            self.bus.publish(table_id)
            self.cameras.changed(table_id)

    def remove(self, table_id: str, now: datetime) -> str:
        """Take a table out of the journal; the name under which it is kept. Raises BackupError."""
        name = self.evenings.remove(table_id, now)
        self.cameras.forget(table_id)
        self.forget()
        self.bus.publish(table_id)
        return name

    def forget(self) -> None:
        """Draw everything anew: the journal holds other tables than before."""
        self.memory.clear()
        self.listed.clear()
        self.looks.clear()
        self.past.clear()
        self.practice.forget()

    def _check_room(self, table_id: str, match: Match, event: Event, key: str | None) -> None:
        """May the table hold one more? What it holds already, and is only sent again, it may."""
        many = isinstance(event, Acted) and len(match.pending) >= MOST_WAITING
        if not (many or len(match.entries) >= MOST_ENTRIES):
            return
        if key is None or self.journal.written(table_id, key) is None:
            raise ApiError("many-fouls" if many else "long-game", 422)

    # --- reading ---------------------------------------------------------------------------------------------------

    def match(self, table_id: str) -> Match:
        """The match on a table. Raises ApiError: 404 when there is none or its game is not installed, 500 when it
        cannot be told again."""
        try:
            return self.journal.match(table_id)
        except UnknownTableError as error:
            raise ApiError("no-table", 404) from error
        except UnknownGameError as error:
            raise ApiError("no-game", 404, game=error.game) from error
        except GameError as error:
            raise ApiError("game-failed", 500, game=error.game, reason=error.reason) from error
        except (SetupError, DeckError, EventError) as error:
            raise ApiError("other-version", 500, reason=str(error)) from error

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
            presenter = Presenter(self.texts, match, lang, access)
            found = presenter.table(table_id, self._recent(table_id, presenter))
            self.memory.put(key, found)
        return found

    def _recent(self, table_id: str, presenter: Presenter) -> list[dict[str, Any]]:
        """The newest entries. An entry that a later one did not change is not drawn again."""
        entries = presenter.match.entries[-RECENT:]
        key = (table_id, "entries", presenter.lang, presenter.access.code, presenter.mask)
        drawn: dict[int, tuple[Entry, dict[str, Any]]] = self.memory.get(key) or {}
        missing = [e.seq for e in entries if e.seq not in drawn]
        times = {i.seq: i.at for i in self.journal.events(table_id, after=missing[0] - 1)} if missing else {}
        rows: dict[int, tuple[Entry, dict[str, Any]]] = {}
        for entry in entries:
            before = drawn.get(entry.seq)
            if before is None or before[0] is not entry:
                at = before[1]["at"] if before else times[entry.seq]
                rows[entry.seq] = (entry, presenter.entry(entry, at))
            else:
                rows[entry.seq] = before
        self.memory.put(key, rows)
        return [row for _, row in rows.values()]

    def around(self, table_id: str, lang: str, access: Access) -> dict[str, Any]:
        """What surrounds the match without being part of it: the camera, its questions, who is here; for the host
        also every device."""
        people = self.bus.people(table_id)
        found = {
            "camera": self.cameras.state(table_id, self.texts, lang, self.match(table_id)),
            "people": len({who.device for who in people}),
            "seats": taken_seats(people),
            "doubled": doubled_seats(people),
        }
        return {**found, "devices": device_rows(people)} if access.hosts else found

    def look(self, table_id: str, lang: str, access: Access) -> Snapshot:
        """What the live stream tells somebody, written out once for everybody of his role and language."""

        def draw() -> tuple[int, Any, Any]:
            picture = self.table(table_id, lang, access)
            return picture["seq"], picture, self.around(table_id, lang, access)

        return self.looks.look(table_id, lang, access.code, draw)

    def access(self, request: Request, table_id: str) -> Access:
        """What the device behind `request` may do at a table."""
        return self.access_of(self.keys.credentials(request, table_id), table_id)

    def access_of(self, shown: Credentials, table_id: str) -> Access:
        """What somebody with these credentials may do. The demonstration is everybody's to play with."""
        found = self.keys.access(shown, table_id)
        playground = table_id == self.cameras.demo and not found.acts
        return Access(Role("scorekeeper")) if playground else found

    def tables(self, lang: str) -> list[dict[str, Any]]:
        """Every table for the list on the home page, the newest first."""
        rows = []
        for info in self.journal.tables():
            if info.meta.get("demo") and info.id != self.cameras.demo:
                continue  # demonstrations of earlier runs
            if info.meta.get("practice"):
                continue  # nobody's evening
            rows.append(self._table_row(info, lang))
        return rows

    def _table_row(self, info: TableInfo, lang: str) -> dict[str, Any]:
        """A table in the list. One whose game is not installed, or fails, is there as it was written down. A list of
        thousands folds no match twice."""
        key = (info.id, info.created, info.seq)
        told = self.listed.get(key)
        if told is None:
            told = self._told_of(info)
            self.listed.put(key, told)
        name = f"game.{info.game}.name"
        return {
            "id": info.id,
            "game": self.texts.text(name, lang) if self.texts.has(name, lang) else info.game,
            "created": info.created,
            "events": info.seq,
            "demo": info.id == self.cameras.demo,
            "archived": bool(info.meta.get("archived")),
            **told,
        }

    def _told_of(self, info: TableInfo) -> dict[str, Any]:
        try:
            match = self.journal.match(info.id)
        except (ValueError, DeckError, GameError):
            first = self.journal.events(info.id, most=1)[0].event
            setup = first.setup if isinstance(first, Started) else Setup(())
            return {"deck": setup.deck, "players": list(setup.players), "over": False, "playable": False}
        players = list(match.setup.players)
        return {"deck": match.deck.name, "players": players, "over": match.over, "playable": True}

    def join_key(self, table_id: str, role: str) -> str:
        """The signed key for a role at a table."""
        return self.keys.key(table_id, role)


def _check_there(config: Config) -> None:
    """A journal of which there are backups was there. Raises DamagedError where it is gone: an empty one in its place
    would look as if nothing had ever been played."""
    file = journal_file(config.data)
    if not config.database and not file.exists() and backups(backup_folder(config.data)):
        raise DamagedError(f"the journal {file} is gone.")


def _names(key: str | None) -> Iterator[str]:
    """Ids for a new table: the same key asks for the same one first."""
    if key is not None:
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])
        yield "".join(_LETTERS[number // len(_LETTERS) ** i % len(_LETTERS)] for i in range(6))
    while True:
        yield "".join(secrets.choice(_LETTERS) for _ in range(6))


def _with_deck(started: Started) -> Started:
    """A start without a deck gets the one its game takes for so many players, so that everybody reads the same."""
    setup = started.setup
    if "~" in setup.deck:
        return _with_file(started)
    if setup.deck:
        return started
    try:
        rules = game(started.game)
        deck = rules.view(rules.start(setup), Role("host")).deck
    except (SetupError, UnknownGameError) as error:
        raise ApiError("bad-setup", 422, reason=str(error)) from error
    return replace(started, setup=Setup(setup.players, deck, setup.options))


def _with_file(started: Started) -> Started:
    """A start with a deck of one's own brings its file along."""
    try:
        design = find_deck(started.setup.deck).design
    except DeckError as error:
        raise ApiError("bad-setup", 422, reason=str(error)) from error
    return replace(started, deck_file=design.text if design else "")


class DrawnCache:
    """What was drawn last: pictures, and the entries in them, so that a hundred pages cost one drawing."""

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._lock = Lock()
        self._kept: OrderedDict[tuple[Any, ...], dict[Any, Any]] = OrderedDict()

    def get(self, key: tuple[Any, ...]) -> dict[Any, Any] | None:
        """What was put there, if it is still here."""
        with self._lock:
            return self._kept.get(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def put(self, key: tuple[Any, ...], drawn: dict[Any, Any]) -> None:
        """Keep something; the oldest goes when there is too much."""
        with self._lock:
            self._kept[key] = drawn
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
