"""The cameras of all tables: which source watches which table, started, stopped, remembered over a restart.

The demonstration is a table like any other, watched by a recording that this project rendered itself; it plays while
somebody looks at it.
"""

from __future__ import annotations

import json
import logging
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import resources
from companion.games import Setup
from companion.journal import Journal, TakenError, write_durably
from companion.referee import Event, Match, Started
from companion.server.camera.asking import Answer
from companion.server.camera.calibrate import (
    PHONE,
    AreaRequest,
    Profiles,
    corners_of,
    flat_jpeg,
    is_whole_picture,
    proof_json,
    size_of,
)
from companion.server.camera.enrolling import Enrolling
from companion.server.camera.learned import Learned, TableReader, misread
from companion.server.camera.offers import CameraError, Offers, opened, shown_source
from companion.server.camera.pace import PHONE_PACE, pace_of
from companion.server.camera.playback import Playback
from companion.server.camera.reader import OneReader
from companion.server.camera.rounds import photograph
from companion.server.camera.table import Watch
from companion.server.camera.zones import Layouts
from companion.server.config import Config
from companion.server.live.stream import Bus
from companion.server.show.texts import Context, Texts
from companion.server.show.zones import zone_names
from companion.table import Layout
from companion.vision.camera.pushed import PushSource
from companion.vision.camera.source import Source
from companion.vision.camera.sources import open_source
from companion.vision.images import Pixels
from companion.vision.types import PictureReader

_log = logging.getLogger(__name__)
DEMO_GAME, DEMO_DECK = "three-card-showdown", "52D2"
_RECORDINGS = (".mp4", ".webm", ".avi", ".mkv", ".mov")
TAKEN_WITHIN = 5.0
"""So long (s) a phone waits for the watch to want its next picture."""

ANOTHER_PHONE = 4.0
"""After so much silence (s) of one phone another one may take its place unasked."""


class NotTheCameraError(CameraError):
    """This phone is not the camera of the table: the table has another one (`other`), or none that is a phone."""

    def __init__(self, other: bool) -> None:
        super().__init__("Another phone is the camera of this table." if other else "No phone is the camera here.")
        self.other = other


class Cameras:
    """See the module. Safe to share between threads."""

    def __init__(self, config: Config, journal: Journal, bus: Bus, reader: OneReader | None = None) -> None:
        self._config, self._journal, self._bus = config, journal, bus
        self._reader = reader or OneReader()
        self._lock, self._decoding = threading.RLock(), threading.Lock()
        self._watches: dict[str, Watch] = {}
        self._sources: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._opening: set[str] = set()
        self._closed = False
        self._file = config.data / "cameras.json"
        self._profiles, self.layouts = Profiles(config.data / "cameras"), Layouts(config.data / "layouts")
        self._senders: dict[str, str] = {}
        self.learned = Learned(config.data)
        self.enrolling = Enrolling(self.learned)
        self.offers = Offers(config.camera)
        self.demo: str | None = None
        """The table that shows the demonstration."""

    # --- which source watches which table --------------------------------------------------------------------------

    def tables_of(self, source: str) -> list[str]:
        """The tables that a source watches, the demonstration aside."""
        return [table for table, watching in list(self._sources.items()) if watching == source and table != self.demo]

    def choose(self, table_id: str, spec: str | None) -> None:
        """Watch the table with another source; None: taps only. Raises CameraError when it can never work."""
        with self._lock:
            self._end(table_id)
            if spec is not None:
                for other in self.tables_of(spec) if spec != PHONE else ():
                    self._end(other)  # a camera looks at one table at a time; every phone is another one
                try:
                    self._begin(table_id, spec, opened(spec))
                except CameraError as error:
                    self._failed[table_id] = str(error)
                    raise
            self._remember()
        self._bus.publish(table_id)

    def _begin(self, table_id: str, spec: str, source: Source, layout: Layout | None = None) -> None:
        try:
            self._reader.warm()
        except Exception as error:
            source.close()
            _log.warning("no camera can be used: %s", error)
            raise CameraError(f"The reader of cards cannot be started: {error}") from error

        def write(event: Event, seq: int) -> int:
            before = self._journal.match(table_id)
            number = self._journal.append(table_id, event, expected_seq=seq)
            self.written(table_id, before)
            self._bus.publish(table_id)
            return number

        found, match = self._profiles.find(table_id, spec), self._journal.match(table_id)
        layout = layout or self.layouts.find(table_id, match, found).layout
        watch = Watch(
            table_id, source, self._reader_for(match), layout, self._journal, write,
            lambda: self._bus.publish(table_id), found,
            lambda mended: self._profiles.keep(table_id, spec, mended),
            lambda picture, outline, face: self.learned.keep(match.deck, picture, outline, face),
        )  # fmt: skip
        self.hold(table_id, spec, watch)
        watch.start()

    def hold(self, table_id: str, spec: str, watch: Watch) -> None:
        """From now on this is the watch of the table, and `spec` its source: what pages see of its camera."""
        self._watches[table_id], self._sources[table_id] = watch, spec

    def _reader_for(self, match: Match) -> PictureReader:
        """What reads the pictures of a table: it knows the deck that is played with, where that was enrolled."""
        return TableReader(self._reader, self.learned, match.deck)

    def _end(self, table_id: str) -> None:
        watch = self._watches.pop(table_id, None)
        self._sources.pop(table_id, None)
        self._failed.pop(table_id, None)
        self._senders.pop(table_id, None)
        if watch is not None:
            watch.stop()
            self._bus.publish(table_id)

    def _remember(self) -> None:
        kept = {table: spec for table, spec in self._sources.items() if table != self.demo}
        write_durably(self._file, json.dumps(kept).encode())  # an address of a camera can hold its password

    # --- start and end ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take up the cameras of the last run, and open the demonstration; the page does not wait for it. Never
        raises: a camera that cannot be used shows on its table."""
        demo = self._prepare_demo() if self._config.demo else None
        wanted = self._remembered()
        self._opening |= {*wanted, *([self.demo] if self.demo else [])}
        threading.Thread(target=self._open_all, args=(wanted, demo), name="cameras", daemon=True).start()

    def _open_all(self, wanted: dict[str, str], demo: tuple[Path, Layout] | None) -> None:
        for table_id, spec in wanted.items():
            try:
                self.choose(table_id, spec)
            except Exception as error:  # a camera that never works, a table of an older version
                self._failed[table_id] = str(error)
            self._opened(table_id)
        if demo is not None and self.demo is not None:
            try:
                self._play_demo(self.demo, *demo)
            except Exception as error:  # no weights, a recording that does not play
                self._failed[self.demo] = str(error)
            self._opened(self.demo)

    def _opened(self, table_id: str) -> None:
        self._opening.discard(table_id)
        self._bus.publish(table_id)

    def _remembered(self) -> dict[str, str]:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(t): s for t, s in data.items() if isinstance(s, str)} if isinstance(data, dict) else {}

    def _prepare_demo(self) -> tuple[Path, Layout] | None:
        folder = resources.calibration() / "demo"
        recordings = sorted(p for p in folder.glob("*") if p.suffix in _RECORDINGS) if folder.is_dir() else []
        layout = _demo_layout(folder, recordings[0]) if recordings else None
        if layout is None:
            return None
        self.demo = self._demo_table(len([z for z in layout.ids if z.startswith("hand:")]) or 2)
        return recordings[0], layout

    def _play_demo(self, table_id: str, recording: Path, layout: Layout) -> None:
        source = open_source(str(recording), loop=True, realtime=False)
        shown = Playback(source, lambda: bool(self._bus.people(table_id)))
        with self._lock:
            if not self._closed:
                self._begin(table_id, "demo", shown, layout)

    def _demo_table(self, seats: int) -> str:
        """A fresh table for the recording: it starts with an empty table, so the match does too."""
        names = ("Aki", "Ben", "Chie", "Dan", "Emi", "Finn", "Gen", "Hana")[:seats]
        taken = {info.id for info in self._journal.tables()}
        for table_id in (t for n in range(1, 10**6) if (t := "demo" if n == 1 else f"demo-{n}") not in taken):
            with suppress(TakenError):  # another server on this database has just taken it
                self._journal.create(table_id, Started(DEMO_GAME, Setup(names, DEMO_DECK)), demo=True)
                return table_id
        raise AssertionError("a million demonstrations")

    def close(self) -> None:
        """Stop every camera."""
        self.enrolling.close()
        with self._lock:
            self._closed = True
            watches = list(self._watches.values())
            self._watches.clear()
        for watch in watches:
            watch.stop()

    # --- what pages see --------------------------------------------------------------------------------------------

    def written(self, table_id: str, before: Match) -> None:
        """An event has been written: where it ends a round, the table is photographed. `before`: the match before."""
        if watch := self._watches.get(table_id):
            photograph(self._journal, table_id, before, watch)
            if (one := misread(before, self._journal.match(table_id))) and watch.seen is not None:
                lying = [card.track for card in watch.seen.cards if card.face == one[0]]
                if len(lying) == 1:
                    watch.told(lying[0], one[1])

    def forget(self, table_id: str) -> None:
        """The table is removed: its camera is free."""
        with self._lock:
            self._end(table_id)
            self._remember()

    def changed(self, table_id: str) -> None:
        """The match of a table has changed by a tap."""
        if watch := self._watches.get(table_id):
            watch.look_again()

    def state(self, table_id: str, texts: Texts, lang: str, match: Match) -> dict[str, Any]:
        """What the page shows of a table's camera: ``off``, ``failed``, or the state of its source."""
        watch = self._watches.get(table_id)
        if watch is None:
            if table_id in self._opening:
                name = self._name(table_id, texts, lang)
                text = texts.text("ui.camera.waiting", lang, name=name)
                return {"state": "waiting", "text": text, "source": name, "questions": []}
            failed = self._failed.get(table_id)
            text = texts.text("ui.camera.failed", lang, reason=failed) if failed else texts.text("ui.camera.off", lang)
            return {"state": "failed" if failed else "off", "text": text, "source": "", "questions": []}
        status, name = watch.status, self._name(table_id, texts, lang)
        params: dict[str, Any] = {**dict(status.params), "name": name}
        context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
        return {
            "state": str(status.state),
            "text": texts.text(status.key, lang, **params),
            "source": name,
            "phone": self._sources.get(table_id) == PHONE,
            "marked": self.marked(table_id),
            "cut": watch.cut(texts, lang, context) if watch.sees else "",
            "differing": list(watch.differing) if watch.sees else [],
            "tentative": watch.tentative(texts, lang, context) if watch.sees else [],
            "waits": watch.waits(texts, lang, context) if watch.sees else None,
            "questions": watch.questions(texts, lang, context) if watch.sees else [],
        }

    def _name(self, table_id: str, texts: Texts, lang: str) -> str:
        source = self._sources.get(table_id, "")
        key = "ui.camera.demo" if table_id == self.demo else "ui.camera.phone" if source == PHONE else None
        return texts.text(key, lang) if key else shown_source(source)

    def picture(self, table_id: str, width: int = 960) -> bytes | None:
        """The newest picture of a table's camera, at most `width` px wide."""
        watch = self._watches.get(table_id)
        return watch.picture(width) if watch else None

    # --- a phone as the camera -------------------------------------------------------------------------------------

    def push(self, table_id: str, data: bytes, sender: str, *, single: bool = False, take: bool = False) -> float:
        """Take a picture from the phone or program `sender` (a key of its own); returns after how long (s) the next is
        wanted.

        `take`: this phone is the camera from now on, whatever was before. Returns when the watch wants another
        picture, so nobody sends what nobody reads. Raises NotTheCameraError, PictureError.
        """
        with self._lock:
            if take and self._sources.get(table_id) != PHONE:
                self.choose(table_id, PHONE)
            watch = self._watches.get(table_id)
            if watch is None or not isinstance(watch.source, PushSource):
                raise NotTheCameraError(other=False)
            known = self._senders.get(table_id, sender)
            if known != sender and not take and watch.source.silent < ANOTHER_PHONE:
                raise NotTheCameraError(other=True)
            self._senders[table_id] = sender
        pace = pace_of(sender)
        with self._decoding:  # unpacked pictures are large; one at a time bounds the memory, however many phones send
            pixels = watch.source.push(data, single=single, adapts=pace is PHONE_PACE)
        self.layouts.suit(watch, pixels, self._journal.match, single=single)
        if single:
            return 0.0
        watch.source.wait_taken(TAKEN_WITHIN)
        pause = pace.lively if watch.moving else pace.calm
        watch.source.ask(pause, pace.way)
        return pause

    def seen(self, table_id: str) -> int | None:
        """How many cards the camera of a table sees now; None before the first look."""
        watch = self._watches.get(table_id)
        return None if watch is None or watch.seen is None else len(watch.seen.cards)

    # --- which part of the picture is the table --------------------------------------------------------------------

    def calibration(self, table_id: str) -> dict[str, Any] | None:
        """The calibration in use: ``corners`` as fractions of the picture, None for the whole picture, ``size`` (mm)
        of a measured table and ``lens``; None without a picture."""
        watch = self._watches.get(table_id)
        if watch is None or watch.frame is None:
            return None
        found = watch.calibration
        if found is None or is_whole_picture(found):
            return {"corners": None, "size": None, "lens": 0.0}
        return {"corners": corners_of(found), "size": size_of(found), "lens": found.lens}

    def marked(self, table_id: str) -> bool:
        """Whether somebody, a mat or an earlier evening said where the table lies; true where no camera watches."""
        watch = None if table_id == self.demo else self._watches.get(table_id)
        return watch is None or watch.given is not None or self.layouts.moved(table_id)

    def calibrate(self, table_id: str, area: AreaRequest) -> None:
        """Use and keep what `area` means on the newest picture. Raises CalibrationError, CameraError without one."""
        with self._lock:
            watch, picture = self.watched(table_id)
            match = self._journal.match(table_id)
            found = area.on(picture, lambda: self._reader_for(match).read(picture, match.deck.multiset))
            if table_id != self.demo:
                self._profiles.keep(table_id, self._sources[table_id], found)
            own = None if table_id == self.demo else self.layouts.find(table_id, match, found).layout
            watch.calibrate(found, own)
        self._bus.publish(table_id)

    def prove(self, table_id: str, area: AreaRequest, texts: Texts, lang: str) -> tuple[dict[str, Any], bytes]:
        """What `area` would mean: the straightened table as JPEG, and the cards and zones on it. Raises
        CalibrationError, CameraError without a picture."""
        watch, picture = self.watched(table_id)
        match = self._journal.match(table_id)
        read = self._reader_for(match).read(picture, match.deck.multiset)
        found = area.on(picture, lambda: read)
        context = Context(match.setup.players, match.deck, match.game.id, zone_names(match))
        own = table_id == self.demo
        layout = watch.layout if own else self.layouts.find(table_id, match, found).layout
        return proof_json(found, read, layout, texts, lang, context), flat_jpeg(picture, found)

    def watched(self, table_id: str) -> tuple[Watch, Pixels]:
        """What watches a table, and its newest picture. Raises CameraError without one."""
        watch = self._watches.get(table_id)
        frame = watch.frame if watch else None
        if watch is None or frame is None:
            raise CameraError("The camera has shown no picture yet.")
        return watch, frame.pixels

    def answer(self, table_id: str, question: str, answer: Answer) -> bool:
        """Do what a person decided; False when the question is not open any more."""
        watch = self._watches.get(table_id)
        return watch is not None and watch.answer(question, answer)


def _demo_layout(folder: Path, recording: Path) -> Layout | None:
    own = [recording.with_suffix(".toml"), *sorted(folder.glob("*.toml"))]
    found = next((file for file in own if file.is_file()), None)
    return Layout.from_toml(found.read_text(encoding="utf-8")) if found else None
