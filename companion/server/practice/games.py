"""All practice games: opened, told, thought about, limited."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from companion.journal import Conflict, Journal, TableInfo, remove
from companion.referee import Acted, Entry, Match, TookBack
from companion.server.practice.deal import Deal, NotSoError

WAITING = 12
"""So many requests may wait for their bot to be thought about; more are told to come again."""

MOST_OF_DEVICE, MOST = 4, 400
"""Practice games of one device, and of all: beyond that the oldest goes."""

DEALS = 32
"""So many deals are kept in memory; others are dealt again from their seed."""

NOTE = "practice"


class BusyError(Exception):
    """Too many bots are being thought about."""


class Practice:
    """All practice games. Safe to share between threads."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock, self._thinking, self._queue = Lock(), Lock(), 0
        self._deals: OrderedDict[str, Deal] = OrderedDict()

    def note(self, table_id: str) -> dict[str, Any] | None:
        """What is noted about a practice game; None: it is none."""
        found: dict[str, Any] | None = self._journal.info(table_id).meta.get(NOTE)
        return found

    def open(self, table_id: str, level: str, device: str) -> list[str]:
        """Make a table that has just been opened a practice game; returns the oldest ones, which have gone."""
        note = {"bots": level, "seed": f"{random.SystemRandom().getrandbits(64):x}", "device": device, "chosen": {}}
        self._journal.note(table_id, lambda meta: {**meta, NOTE: note})
        games = [info for info in self._journal.tables() if info.meta.get(NOTE)]
        own = [info.id for info in games if info.meta[NOTE].get("device") == device]
        old = {*own[MOST_OF_DEVICE:], *(info.id for info in games[MOST:])} - {table_id}
        for one in old:
            remove(self._journal, one, None)
            with self._lock:
                self._deals.pop(one, None)
        return sorted(old)

    def games(self, device: str) -> list[TableInfo]:
        """The practice games of a device, the newest first."""
        return [i for i in self._journal.tables() if (i.meta.get(NOTE) or {}).get("device") == device]

    def forget(self) -> None:
        """The journal is another one now."""
        with self._lock:
            self._deals.clear()

    def deal(self, table_id: str) -> Deal:
        """The true cards of a practice game now."""
        note = self.note(table_id)
        assert note is not None
        match = self._journal.match(table_id)
        with self._lock:
            found = self._deals.get(table_id)
        if found is None or not self._goes_on(found, match, note):
            found = Deal.of(match, note["seed"])
            self._goes_on(found, match, note)
        with self._lock:
            self._deals[table_id] = found
            self._deals.move_to_end(table_id)
            while len(self._deals) > DEALS:
                self._deals.popitem(last=False)
        return found

    @staticmethod
    def _goes_on(deal: Deal, match: Match, note: Mapping[str, Any]) -> bool:
        with deal.lock:
            return deal.catch_up(match, note.get("chosen", {}))

    def drawing(self, table_id: str, match: Match) -> str | None:
        """The kind of action for which the person has taken cards and still has to choose."""
        found = (self.note(table_id) or {}).get("drawing")
        return found[1] if found and found[0] == len(match.entries) else None

    def passed(self, table_id: str, match: Match) -> bool:
        """Does the person let the others go on?"""
        return bool((self.note(table_id) or {}).get("passed") == len(match.entries))

    def _keep(self, table_id: str, **more: Any) -> None:
        self._journal.note(table_id, lambda meta: {**meta, NOTE: {**meta[NOTE], **more}})

    # --- telling ---------------------------------------------------------------------------------------------------

    def play(
        self, table_id: str, name: str, cards: Sequence[str], option: int | None, args: Mapping[str, Any], seq: int
    ) -> None:
        """The person makes a move. Raises NotSoError, Conflict."""
        deal = self.deal(table_id)
        match = deal.match
        if len(match.entries) != seq:
            raise Conflict(len(match.entries))
        with deal.lock:
            moves = deal.moves(self.drawing(table_id, match))
            move = next((m for m in moves if m.id == name), None)
            if move is None:
                raise NotSoError
            if move.draws:
                self._keep(table_id, drawing=[seq, move.prompt.kind])
                return
            action = deal.meant(move, cards, option, args)
        if move.down:
            chosen = (self.note(table_id) or {}).get("chosen", {})
            self._keep(table_id, chosen={**chosen, str(seq + 1): list(cards)})
        self._journal.append(table_id, Acted(action), expected_seq=seq)

    def let(self, table_id: str, seq: int) -> None:
        """The person lets the others go on."""
        self._keep(table_id, passed=seq)

    def waits(self, table_id: str) -> str:
        """Who is to act: ``you``, ``bots``, or ``over``."""
        deal = self.deal(table_id)
        if deal.match.over:
            return "over"
        with deal.lock:
            found = deal.bots("simple", self.passed(table_id, deal.match))
        return "you" if found is None else "bots"

    def step(self, table_id: str, seq: int) -> bool:
        """One of the bots acts; False when none has to, or the table has moved on. Raises BusyError."""
        if self._queue >= WAITING:
            raise BusyError
        self._queue += 1
        try:
            with self._thinking:
                deal = self.deal(table_id)
                if len(deal.match.entries) != seq or deal.match.over:
                    return False
                note = self.note(table_id) or {}
                with deal.lock:
                    action = deal.bots(str(note.get("bots")), self.passed(table_id, deal.match))
        finally:
            self._queue -= 1
        if action is None:
            return False
        try:
            self._journal.append(table_id, Acted(action, "bot"), expected_seq=seq)
        except Conflict:
            return False
        return True

    def back(self, table_id: str) -> bool:
        """Everything back to before the person's last move; False when he has made none."""
        match = self._journal.match(table_id)
        standing = [entry for entry in match.entries if entry.action and entry.standing]
        mine = [entry for entry in standing if _is_mine(entry)]
        if not mine:
            return False
        for entry in reversed(standing):
            self._journal.append(table_id, TookBack(entry.seq))
            if entry is mine[-1]:
                return True
        return True


def _is_mine(entry: Entry) -> bool:
    return isinstance(entry.event, Acted) and entry.event.source != "bot"
