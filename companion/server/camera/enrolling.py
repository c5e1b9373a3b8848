"""Showing a deck to a camera, card by card: what is asked for, taken and kept, for every page that looks on.

A deck has one session at a time, whatever device shows the pictures: a phone sends them, or a camera of this machine is
looked through as long as somebody looks at the page. What was taken is on the disk before it is said.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.cards import Deck
from companion.server.camera.learned import Learned
from companion.server.camera.offers import opened, shown_source
from companion.vision.camera.source import Source, SourceState
from companion.vision.decks.enrolled import LIST, EnrolledDeck, Origin
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.guided import Guided, Verdict
from companion.vision.decks.network import Network
from companion.vision.following.crops import jpeg
from companion.vision.images import Pixels, decode, fit
from companion.vision.types import Part, PictureReader, ReadResult, Region

_log = logging.getLogger(__name__)
IDLE_S = 25.0
"""A camera of this machine is given back when nobody has looked at the page for so long (s)."""
FORGOTTEN_S = 3600.0
"""A session that nobody has looked at for so long (s) is ended; what was taken is kept."""
_VIEW = 640
"""Width (px) of the picture that pages see."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a page shows. `counts`: samples by card; `taken`: how many this session took, `last` of them; `alike`: pairs
    that look alike once all is done, None until they are known; `picture`: number of the newest picture, 0 for none;
    `camera`: the camera of this machine, as people see it; `trouble`: why it shows nothing."""

    deck: Deck
    now: str | None
    verdict: Verdict
    counts: dict[str, int]
    times: int
    taken: int
    last: str | None
    alike: tuple[tuple[str, str], ...] | None
    picture: int
    camera: str
    trouble: str


class Session:
    """One deck being shown. Safe to share between threads."""

    def __init__(self, place: Path, deck: EnrolledDeck, reader: PictureReader, learned: Learned,
                 clock: Callable[[], float] = time.monotonic) -> None:  # fmt: skip
        """`place`: the deck's folder or packed deck."""
        self.place, self.key = place, secrets.token_urlsafe(18)
        """`key`: whoever shows it may send pictures to this session and say what comes next."""
        self._guided, self._learned, self._clock = Guided(deck, reader), learned, clock
        self._lock, self._busy = threading.Lock(), threading.Lock()
        self._saved = _written(place)
        self._alike: tuple[tuple[str, str], ...] | None = None
        self._learning = self._take = False
        self._view: bytes | None = None
        self._number = 0
        self._source: Source | None = None
        self._camera = self._trouble = ""
        self.seen = clock()

    def progress(self) -> Progress:
        """How far it is. Whoever asks keeps the camera of this machine awake."""
        with self._lock:
            self.seen = self._clock()
            guided = self._guided
            if guided.now is None and guided.deck.samples and self._alike is None and not self._learning:
                self._learning = True
                threading.Thread(target=self._look_alikes, args=(guided.deck,), name="alike", daemon=True).start()
            counts = dict.fromkeys(guided.deck.deck.codes, 0)
            for sample in guided.deck.samples:
                counts[sample.face] = counts.get(sample.face, 0) + 1
            last = guided.taken[-1].face if guided.taken else None
            alike = self._alike if guided.now is None else None
            return Progress(guided.deck.deck, guided.now, guided.verdict, counts, guided.times, len(guided.taken), last,
                            alike, self._number, self._camera, self._trouble)  # fmt: skip

    @property
    def view(self) -> bytes | None:
        """The newest picture, small, as JPEG."""
        return self._view

    def show(self, data: bytes) -> None:
        """A picture from a phone: JPEG, PNG or WebP. One that comes while another is looked at is left out. Raises
        PictureError, OSError."""
        if self._busy.acquire(blocking=False):
            try:
                self._look(decode(data))
            finally:
                self._busy.release()

    def do(self, what: str, face: str | None = None) -> None:
        """``skip``, ``back``, ``again`` (throw the last one away), ``more`` (one picture more of each), ``go`` (to
        `face`), or ``take``: the next picture, whatever it is like. Raises NotationError, OSError."""
        with self._lock:
            match what:
                case "take":
                    self._take = True
                    return
                case "skip":
                    self._guided.skip()
                case "back":
                    self._guided.back()
                case "more":
                    self._guided.more()
                case "go":
                    self._guided.go(face or "")
                case "again" if self._guided.taken:
                    self._guided.again()
                    self._save()
            self._alike = None

    def watch(self, source: str | None) -> None:
        """Look through a camera of this machine; None: no more. Raises CameraError."""
        self.close()
        if source is None:
            return
        found = opened(source)
        with self._lock:
            self._source, self._camera, self._trouble, self.seen = found, shown_source(source), "", self._clock()
        threading.Thread(target=self._run, args=(found,), name="enrol", daemon=True).start()

    def close(self) -> None:
        """Give the camera of this machine back."""
        with self._lock:
            source, self._source, self._camera, self._trouble = self._source, None, "", ""
        if source is not None:
            source.close()

    def _run(self, source: Source) -> None:
        while self._source is source:
            if self._clock() - self.seen > IDLE_S:
                self.close()
                return
            frame = source.read(0.5)
            status = source.status
            if frame is None:
                with self._lock:
                    self._trouble = "" if status.state is SourceState.OK else status.key
                if status.state is SourceState.ENDED:
                    return
                continue
            try:
                with self._busy:
                    self._look(frame.pixels)
            except OSError as error:
                _log.warning("what was shown of %s cannot be kept: %s", self.place, error)
                with self._lock:
                    self._trouble = "enrol.disk"

    def _look(self, pixels: Pixels) -> None:
        small = jpeg(fit(pixels, _VIEW)[0])
        with self._lock:
            self._view, self._number, self._trouble = small, self._number + 1, ""
            take, self._take = self._take, False
            if self._guided.look(pixels, self._clock(), take=take) is not None:
                self._save()

    def _save(self) -> None:
        """Keep what was taken; what somebody else has written there meanwhile (a correction at a table) is kept too."""
        with self._learned.writing:
            deck = self._guided.deck
            if _written(self.place) != self._saved:
                there = EnrolledDeck.load(self.place)
                shown = [one for one in deck.samples if one.origin is not Origin.CORRECTION]
                corrected = [one for one in there.samples if one.origin is Origin.CORRECTION]
                deck = self._guided.deck = replace(deck, samples=(*shown, *corrected))
            deck.save(self.place)
            self._saved = _written(self.place)

    def _look_alikes(self, deck: EnrolledDeck) -> None:
        pairs: tuple[tuple[str, str], ...] = ()
        try:
            if len(deck.faces) > 1:
                pairs = tuple(Gallery(deck, Network()).look_alikes())
        except (FileNotFoundError, ValueError) as error:
            _log.warning("look-alikes of %s are not known: %s", self.place, error)
        with self._lock:
            self._learning = False
            if deck is self._guided.deck:
                self._alike = pairs


class Enrolling:
    """The sessions of all decks. Safe to share between threads."""

    def __init__(self, learned: Learned, make: Callable[[], PictureReader] | None = None) -> None:
        self._learned, self._make = learned, make or _plain_reader
        self._reader: PictureReader | None = None
        self._lock = threading.Lock()
        self._sessions: dict[Path, Session] = {}

    def find(self, place: Path) -> Session | None:
        """The session of the deck that is kept there, where there is one."""
        with self._lock:
            return self._sessions.get(place)

    def open(self, place: Path) -> Session:
        """The same; begun where there is none. Raises EnrolledDeckError, DeckFileError, FileNotFoundError and
        ValueError where the networks are missing."""
        with self._lock:
            self._end_forgotten()
            found = self._sessions.get(place)
            if found is None:
                self._reader = self._reader or _OneAtATime(self._make())
                found = self._sessions[place] = Session(place, EnrolledDeck.load(place), self._reader, self._learned)
            return found

    def end(self, place: Path) -> None:
        """End the session of a deck; what was taken is kept."""
        with self._lock:
            found = self._sessions.pop(place, None)
        if found is not None:
            found.close()

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            places = list(self._sessions)
        for place in places:
            self.end(place)

    def _end_forgotten(self) -> None:
        for place, session in list(self._sessions.items()):
            if time.monotonic() - session.seen > FORGOTTEN_S:
                del self._sessions[place]
                session.close()


class _OneAtATime:
    """A reader that several sessions share."""

    def __init__(self, reader: PictureReader) -> None:
        self._lock, self._reader = threading.Lock(), reader

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in a picture: as `companion.vision.pipeline.Reader.read`."""
        with self._lock:
            return self._reader.read(image, deck, letters, where, parts)


def _plain_reader() -> PictureReader:
    from companion.vision.pipeline import Reader

    return Reader()


def _written(place: Path) -> tuple[int, int]:
    file = place / LIST if place.is_dir() else place
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
