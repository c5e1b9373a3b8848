"""`companion deck enrol`: photographs of a deck's cards in, a deck that the camera knows out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion import shelf
from companion.cards import Deck, NotationError
from companion.commands import CommandError
from companion.commands.decks import known, shown
from companion.commands.pictures import Picture, find, pictures
from companion.server.camera.shown import part_name
from companion.server.show.texts import Texts
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.photographs import BadPhotographError, apart, same_picture, sample_of, the_card
from companion.vision.geometry import as_quad, upright
from companion.vision.images import Pixels
from companion.vision.pipeline import Reader
from companion.vision.types import CardRead, PictureReader, in_reading_order

_COUNTED = re.compile(r"[-_ ]*\(?\d{1,3}\)?$")


@dataclass(slots=True)
class Enrolment:
    """What came of the photographs: `added` samples, `refused` photographs with the sentence why, `missing` cards that
    have no sample yet, and `alike`: pairs that a camera may take for each other."""

    deck: EnrolledDeck
    added: list[Sample] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    alike: list[tuple[str, str]] = field(default_factory=list)


class Enroller:
    """Enrols photographs into one deck; says things in one language."""

    def __init__(
        self, deck_name: str, place: Path, lang: str, data: Path | None = None, reader: PictureReader | None = None
    ) -> None:
        """`place`: the deck's folder or packed deck (``.deck``), begun or new. Raises CommandError, DeckError,
        DeckFileError, EnrolledDeckError."""
        if place.is_file() and place.suffix != shelf.PACKED:
            raise CommandError(
                f"{place} is a file; an enrolled deck is a folder, or a file that ends in {shelf.PACKED}."
            )
        wanted = known(deck_name, data)
        if (place.is_file() or (place / shelf.FILE).is_file()) and place.exists():
            self.deck = EnrolledDeck.load(place)
            if set(self.deck.deck.codes) != set(wanted.codes):
                raise CommandError(f"{place} holds another deck than {deck_name}: enrol into a new place.")
        else:
            self.deck = EnrolledDeck(wanted, shown(deck_name, data))
        self.place, self._texts, self._lang = place, Texts.load(), lang
        self._reader = reader or Reader()

    def say(self, key: str, **params: Any) -> str:
        """A sentence of the catalogue."""
        return self._texts.text(f"enrol.{key}", self._lang, **params)

    def name_of(self, code: str) -> str:
        """A card as people call it, and its code."""
        return f"{self.deck.deck.face(code).name(self._lang)} ({code})"

    def part_name(self, code: str) -> str:
        """A card, picture or mark as people call it."""
        return part_name(self.deck.deck, code, self._texts, self._lang)

    def enrol(self, photos: Path, order: Sequence[str] = ()) -> Enrolment:
        """Enrol a folder of photographs named after their cards, or one photograph of many cards in `order`. What was
        enrolled before is kept, also where something fails. Raises CommandError, OSError."""
        done = Enrolment(self.deck)
        if photos.is_dir() and not order:
            for picture in pictures(find([photos], recursive=True), 1.0):
                self._one(picture, done)
        else:
            self._many(next(iter(pictures([photos], 1.0))), order, done)
        if done.added:
            self.deck = self.deck.with_samples(done.added)
            self.deck.save(self.place)
        done.deck, done.missing = self.deck, self.deck.missing
        if len(self.deck.faces) > 1 and done.added:
            done.alike = Gallery(self.deck, Network()).look_alikes()
        return done

    def _one(self, picture: Picture, done: Enrolment) -> None:
        name = picture.file.name
        if picture.pixels is None:
            done.refused.append(picture.error)
            return
        try:
            code = code_of(picture.file, self.deck.deck)
        except NotationError as error:
            done.refused.append(self.say("no_code", file=name, deck=self.deck.deck.name, nearest=_nearest(error)))
            return
        try:
            pixels = the_card(picture.pixels, self._found(picture.pixels))
        except BadPhotographError as error:
            done.refused.append(self.say(error.fault, file=name, n=error.detail))
            return
        self._add(Sample(code, pixels, source=name), done)

    def _many(self, picture: Picture, order: Sequence[str], done: Enrolment) -> None:
        if picture.pixels is None:
            raise CommandError(picture.error)
        codes = [self.deck.deck.face(code).code for code in order] if order else list(self.deck.deck.codes)
        height = picture.pixels.shape[0]
        kept = {id(card): card for card in self._found(picture.pixels)}
        outlines = {id(card): upright(as_quad(card.polygon)) for card in kept.values()}
        places = apart(list(outlines.values()))
        whole = [kept[key] for key, outline in outlines.items() if any(outline is place for place in places)]
        if len(whole) != len(codes):
            raise CommandError(self.say("count", file=picture.file.name, found=len(whole), n=len(codes)))
        for code, card in zip(codes, in_reading_order(whole, height), strict=True):
            try:
                pixels = sample_of(picture.pixels, upright(as_quad(card.polygon)))
            except BadPhotographError as error:
                done.refused.append(self.say(error.fault, file=f"{picture.file.name}, {code}", n=error.detail))
                continue
            self._add(Sample(code, pixels, source=f"{picture.file.name} {code}"), done)

    def _found(self, pixels: Pixels) -> Sequence[CardRead]:
        return self._reader.read(pixels).cards

    def _add(self, sample: Sample, done: Enrolment) -> None:
        for other in (*self.deck.samples, *done.added):
            if not same_picture(sample.pixels, other.pixels):
                continue
            if other.face == sample.face:
                return  # the same photograph once more
            done.refused.append(self.say("two_codes", file=sample.source, other=other.source or other.face))
            return
        done.added.append(sample)

    def lines(self, done: Enrolment) -> Iterator[str]:
        """What is to be told, after the refused photographs."""
        total = len(self.deck.deck.codes)
        yield self.say("done", photos=len(done.added), n=total - len(done.missing), total=total, place=str(self.place))
        if done.missing:
            yield self.say("missing", n=len(done.missing), cards=", ".join(map(self.name_of, done.missing[:12])) + (
                " …" if len(done.missing) > 12 else ""))  # fmt: skip
        for first, second in done.alike:
            yield self.say("alike", a=self.part_name(first), b=self.part_name(second))
        if done.alike:
            yield self.say("advice")


def code_of(file: Path, deck: Deck) -> str:
    """The code after which a photograph is named: ``judge.fed.jpg``, ``judge.fed-2.jpg``, ``judge.fed (2).jpg``, or any
    name in a folder called so. Raises NotationError."""
    codes = {code.casefold(): code for code in deck.codes}
    stem = file.stem.casefold()
    for name in (stem, _COUNTED.sub("", stem), file.parent.name.casefold()):
        if name in codes:
            return codes[name]
    deck.index(_COUNTED.sub("", file.stem) or file.stem)
    raise AssertionError  # an index that exists was found above


def _nearest(error: NotationError) -> str:
    return " ".join(error.suggestions[:3])
