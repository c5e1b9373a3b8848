"""What cameras have learned of the decks on the shelf: looked up for the deck that is played with, put together once.

A table whose deck has no samples costs a look for one file a picture, and no network is loaded for it.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from companion.cards import NAMES, Deck, DeckFileError
from companion.cards import deck as find_deck
from companion.referee import Acted, Corrected, Match
from companion.shelf import PACKED, shelf
from companion.vision.decks import parameters as decks
from companion.vision.decks.crops import MARGIN, SAMPLE, rectified
from companion.vision.decks.enrolled import LIST, EnrolledDeck, EnrolledDeckError, Origin, Sample, is_enrolled
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.guided import alike
from companion.vision.decks.network import Network
from companion.vision.decks.photographs import burnt_out, cut_off
from companion.vision.geometry import Array, as_quad, side_lengths
from companion.vision.images import Pixels
from companion.vision.pipeline.enrolled import EnrolledReader
from companion.vision.types import CardRead, Part, PictureReader, Quad, ReadResult, Region

LEAST_CARD = 60.0
"""A card that a person has named is kept as a sample from this width (px) on."""
MOST_CORRECTIONS = 5
"""So many of one card; the oldest goes."""
_log = logging.getLogger(__name__)
_State = tuple[Path, int, int]
"""Where samples are kept, when that was last written, and its bytes."""


@dataclass(frozen=True, slots=True)
class _Known:
    state: _State
    gallery: Gallery | None
    error: str = ""


def place_of(deck: Deck, data: Path) -> Path | None:
    """Where on the shelf the samples of a deck are kept: its folder or packed deck; None where it has none. One of the
    program's own decks has them under its own name, or under that of one with the same faces in other numbers; a deck
    of one's own whose file was changed since keeps them."""
    names = [deck.name.partition("~")[0].lower(), *(() if deck.design is not None else _same_faces(deck))]
    for name in names:
        place = shelf(data) / name
        if (place / LIST).is_file():
            return place
        pack = place.with_name(place.name + PACKED)
        if pack.is_file() and is_enrolled(pack):
            return pack
    return None


@cache
def _same_faces(deck: Deck) -> tuple[str, ...]:
    """The program's other decks of the same faces, as folders on the shelf are called."""
    codes = set(deck.codes)
    return tuple(name.lower() for name in NAMES if name != deck.name and set(find_deck(name).codes) == codes)


class Learned:
    """The galleries of the decks on the shelf of a data folder. Safe to share between threads."""

    def __init__(self, data: Path, network: Callable[[], Network] = Network) -> None:
        self._data, self._network = data, network
        self._lock = threading.Lock()
        self._building: dict[str, threading.Lock] = {}
        self._known: dict[str, _Known] = {}
        self.matching = threading.Lock()
        """Held while cards are compared: the networks serve one thread at a time."""
        self.writing = threading.Lock()
        """Held while samples are changed."""

    def gallery(self, deck: Deck) -> Gallery | None:
        """The cards of a deck as its samples show them; None where it has none, or they cannot be read. The first time
        it takes a second or two; after a change, a correction say, the old one serves until the new one is there."""
        state = self._state(deck)
        if state is None:
            return None
        with self._lock:
            known = self._known.get(deck.name)
            building = self._building.setdefault(deck.name, threading.Lock())
        if known is None:
            with building:
                return self._built(deck, state).gallery
        if known.state != state and building.acquire(blocking=False):
            threading.Thread(target=self._build_anew, args=(deck, state, building), name="learn", daemon=True).start()
        return known.gallery

    def error(self, deck: Deck) -> str:
        """Why the samples of a deck cannot be used, in one sentence; empty where they can."""
        self.gallery(deck)
        with self._lock:
            known = self._known.get(deck.name)
        return known.error if known is not None else ""

    def keep(self, deck: Deck, picture: Pixels, outline: Quad, face: str) -> bool:
        """A person has said which card lies there: keep it as a sample of an enrolled deck. False where the deck was
        not enrolled, or the card is seen too badly to learn from. `outline`: px of `picture`."""
        place = place_of(deck, self._data)
        sample = _seen_well(picture, as_quad(outline)) if place is not None else None
        if place is None or sample is None:
            return False
        try:
            with self.writing:
                held = EnrolledDeck.load(place)
                if face not in held.deck.codes:
                    return False
                held = held.with_samples([Sample(face, _same_way_up(sample, held, face), Origin.CORRECTION)])
                corrected = [s for s in held.samples if s.face == face and s.origin is Origin.CORRECTION]
                old = {id(one) for one in corrected[:-MOST_CORRECTIONS]}
                held = replace(held, samples=tuple(one for one in held.samples if id(one) not in old))
                held.save(place)
        except (EnrolledDeckError, DeckFileError, OSError) as error:
            _log.warning("a correction of %s is not kept: %s", face, error)
            return False
        return True

    def _state(self, deck: Deck) -> _State | None:
        place = place_of(deck, self._data)
        if place is None:
            return None
        try:
            found = (place if place.suffix == PACKED else place / LIST).stat()
        except OSError:
            return None
        return place, found.st_mtime_ns, found.st_size

    def _build_anew(self, deck: Deck, state: _State, building: threading.Lock) -> None:
        try:
            self._built(deck, state)
        finally:
            building.release()

    def _built(self, deck: Deck, state: _State) -> _Known:
        with self._lock:
            known = self._known.get(deck.name)
        if known is not None and known.state == state:
            return known
        known = self._make(deck, state)
        with self._lock:
            self._known[deck.name] = known
        return known

    def _make(self, deck: Deck, state: _State) -> _Known:
        try:
            held = EnrolledDeck.load(state[0])
            if not held.samples:
                return _Known(state, None)
            if not set(held.faces) <= set(deck.codes):
                return _Known(state, None, f"the samples in {state[0].name} are of another deck than {deck.name}.")
            return _Known(state, Gallery(held, self._network()))
        except (EnrolledDeckError, DeckFileError, FileNotFoundError, ValueError) as error:
            _log.warning("the deck %s is read without what was enrolled: %s", deck.name, error)
            return _Known(state, None, str(error))


def misread(before: Match, after: Match) -> tuple[str, str] | None:
    """What the last event says of one card, where a person has put right what the camera wrote: what it was taken for,
    and what it is; None where it says nothing of the kind."""
    last = after.events[-1]
    if not isinstance(last, Corrected) or last.source == "camera" or not 0 < last.seq <= len(before.entries):
        return None
    said = before.entries[last.seq - 1].event
    if not isinstance(said, Acted) or said.source != "camera":
        return None
    was, true = Counter(said.action.cards), Counter(last.action.cards)
    gone, come = was - true, true - was
    if gone.total() != 1 or come.total() != 1:
        return None
    return next(iter(gone)), next(iter(come))


def _seen_well(picture: Pixels, outline: Array) -> Pixels | None:
    """A card on the table, straightened as a sample; None where it shows too little."""
    if cut_off(picture, outline) or float(side_lengths(outline[None])[0].min()) < LEAST_CARD:
        return None
    long_first = side_lengths(outline[None])[0].argmin() == 1
    quad = np.roll(outline, -1, axis=0) if long_first else outline
    sample = np.asarray(rectified(picture, quad[None], SAMPLE)[0], np.uint8)
    edge = 2 * SAMPLE * MARGIN
    return None if burnt_out(sample[edge:-edge, edge:-edge]) > decks.GLARE else sample


def _same_way_up(sample: Pixels, held: EnrolledDeck, face: str) -> Pixels:
    """The sample, turned round where it looks more like the others of its face so, or like the others of the deck."""
    others = [one.pixels for one in held.samples if one.face == face] or [one.pixels for one in held.samples]
    if not others:
        return sample
    turned = np.ascontiguousarray(sample[::-1, ::-1])
    upright, round_ = (float(alike(way, others).max()) for way in (sample, turned))
    return turned if round_ > upright else sample


class TableReader:
    """Reads pictures of a table that plays with one deck: what was enrolled of it helps."""

    def __init__(self, reader: PictureReader, learned: Learned, deck: Deck) -> None:
        self._learned, self._deck = learned, deck
        self._reader = EnrolledReader(reader, self, learned.matching)

    def of(self, deck: Collection[str] | None) -> list[Gallery]:
        """What was enrolled of the table's deck."""
        gallery = self._learned.gallery(self._deck)
        return [] if gallery is None else [gallery]

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: Sequence[Part] = ()) -> ReadResult:  # fmt: skip
        """All cards in a picture: arguments and answer as of `companion.vision.pipeline.Reader.read`."""
        result = self._reader.read(image, deck, letters, where, parts)
        if not result.cards or not self.of(deck):
            return result
        return replace(result, cards=tuple(map(self._of_the_deck, result.cards)))

    def _of_the_deck(self, card: CardRead) -> CardRead:
        """What the reader takes the pictures of such a deck for, a joker say, adds up to nothing over many looks."""
        return replace(card, candidates=tuple(one for one in card.candidates if one.face in self._deck))
