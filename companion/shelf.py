"""Decks of one's own on disk: a folder each, that can be copied, shared and backed up as one thing.

    decks/harbour/            in the data folder; a folder, a lone ``harbour.toml`` or the same folder packed as
        deck.toml             ``harbour.deck`` (a ZIP archive) are one deck to every command
        pictures/             one's own drawings to print, named after what they show: a card's code, or a picture's
            tide.north.png    (``tide.png``: that picture in every suit)

What else lies in the folder (what a camera has learned of the cards) belongs to whoever put it there; it travels with
the deck. A deck's full name is made of the folder's and a digest of the file, so that a changed file is another deck
and what was played with the old one stays what it was.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from companion.cards import Deck, DeckError, DeckFileError, deck, keep, own_deck

FOLDER = "decks"
"""The folder in the data folder."""
FILE = "deck.toml"
PICTURES = "pictures"
PACKED = ".deck"
PICTURE_TYPES = (".png", ".jpg", ".jpeg")
LARGEST_PICTURE = 50_000_000
LARGEST_FILE = 200_000
"""Bytes of a deck file; that of 250 cards with long names has a tenth."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """What lies on the shelf: `place` in the folder of decks, its `deck`, or None and the `error` why it is none."""

    place: Path
    deck: Deck | None
    error: DeckFileError | None = None


def shelf(data: Path) -> Path:
    """Where decks of one's own are kept in the data folder."""
    return data / FOLDER


def install_decks(data: Path) -> tuple[Shelved, ...]:
    """Every deck on the shelf of the data folder, from now on known by its name to `companion.cards.deck`."""
    found = tuple(shelved(data))
    for one in found:
        if one.deck is not None:
            keep(one.deck)
    return found


def shelved(data: Path) -> Iterator[Shelved]:
    """What lies on the shelf, by name."""
    folder = shelf(data)
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        if place.name.startswith(".") or not (place.is_dir() or place.suffix in (".toml", PACKED)):
            continue
        try:
            yield Shelved(place, read_deck(place))
        except DeckFileError as error:
            yield Shelved(place, None, error)


def named(name: str, data: Path | None = None) -> Deck:
    """The deck that somebody means: the name of one of the program's, of one on the shelf of the data folder (with or
    without its digest), or the path of a deck file, a deck's folder or a packed deck. Raises DeckError, DeckFileError,
    OSError."""
    path = Path(name)
    if path.suffix in (".toml", PACKED) or (path.is_dir() and (path / FILE).is_file()):
        return read_deck(path)
    own = [one.deck for one in shelved(data) if one.deck is not None] if data is not None else []
    for one in own:
        if name in (one.name, one.name.partition("~")[0]):
            return one
    try:
        return deck(name)
    except DeckError:
        if path.is_dir():
            raise _no_deck(path) from None
        raise


def read_deck(path: Path) -> Deck:
    """The deck in a deck file, a deck's folder or a packed deck. Raises DeckFileError, and OSError where there is
    nothing to read."""
    return own_deck(text_of(path), path.stem if path.is_file() else path.name)


def text_of(path: Path) -> str:
    """The text of the deck file that `path` is or holds. Raises as `read_deck`."""
    if path.is_dir():
        path = path / FILE
        if not path.is_file():
            raise _no_deck(path.parent)
    try:
        body = _unpacked(path) if path.suffix == PACKED else path.read_bytes()
        if len(body) > LARGEST_FILE:
            raise DeckFileError(f"{path.name} has more than {LARGEST_FILE:,} bytes: no deck file has", "long")
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeckFileError(f"{path.name} is not a text file in UTF-8", "text") from error


def _unpacked(path: Path) -> bytes:
    try:
        with zipfile.ZipFile(path) as pack:
            inside = next((info for info in pack.infolist() if Path(info.filename).name == FILE), None)
            if inside is None or inside.file_size > LARGEST_FILE:
                raise _no_deck(path)
            return pack.read(inside)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise DeckFileError(f"{path.name} is no packed deck: {error}", "packed") from error


def _no_deck(path: Path) -> DeckFileError:
    return DeckFileError(f"there is no {FILE} in {path.name}: a deck's folder has one", "nothing", file=FILE)


def put(data: Path, text: str, name: str) -> Shelved:
    """Write a deck file into its folder on the shelf (in place of the one before; pictures and whatever else is there
    stay) and make the deck known. Raises DeckFileError before anything is written."""
    own = own_deck(text, name)
    place = shelf(data) / own.name.partition("~")[0]
    place.mkdir(parents=True, exist_ok=True)
    fresh = place / f".{FILE}"
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(place / FILE)
    return Shelved(place, keep(own))


def place_on_shelf(data: Path, name: str) -> Path | None:
    """Where the deck of that full name lies on the shelf; None where it does not."""
    return next((one.place for one in shelved(data) if one.deck is not None and one.deck.name == name), None)


def as_folder(place: Path) -> Path:
    """The same deck where something can be put beside its file: a lone deck file goes into a folder of its name."""
    if place.is_dir() or place.suffix != ".toml":
        return place
    folder = place.with_suffix("")
    folder.mkdir(exist_ok=True)
    place.replace(folder / FILE)
    return folder


def take_away(place: Path) -> None:
    """Delete a deck from the shelf with all that belongs to it. Raises OSError."""
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()


def packed(place: Path) -> bytes:
    """A deck on the shelf as one file (``.deck``, a ZIP archive)."""
    if place.suffix == PACKED:
        return place.read_bytes()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        if place.is_file():
            pack.writestr(FILE, text_of(place))
        else:
            for file in sorted(place.rglob("*")):
                if file.is_file() and not file.name.startswith("."):
                    pack.write(file, file.relative_to(place).as_posix())
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Drawing:
    """One's own drawing of a card: the `name` of its file in the deck's folder or packed deck `place`."""

    place: Path
    name: str

    @property
    def changed(self) -> int:
        """When it was last changed (ns). Raises OSError."""
        return (self.place if self.place.suffix == PACKED else self.place / PICTURES / self.name).stat().st_mtime_ns

    @property
    def stem(self) -> str:
        """The name without its ending: the card or picture that it is of."""
        return Path(self.name).stem

    def read(self) -> bytes:
        """The file. Raises OSError."""
        if self.place.suffix != PACKED:
            return (self.place / PICTURES / self.name).read_bytes()
        try:
            with zipfile.ZipFile(self.place) as pack:
                inside = _pictures_in(pack)[self.name]
                if pack.getinfo(inside).file_size > LARGEST_PICTURE:
                    raise OSError(f"{self.name} is larger than {LARGEST_PICTURE:,} bytes")
                return pack.read(inside)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError) as error:
            raise OSError(f"{self.name} cannot be unpacked: {error}") from error


def own_pictures(place: Path, of: Deck) -> Mapping[str, Drawing]:
    """One's own drawings in a deck's folder or packed deck, by the code of the card that each is for."""
    files, found = _drawings(place), {}
    for face in of.faces:
        for name in (face.code, face.rank):
            if name and name in files:
                found[face.code] = files[name]
                break
    return found


def drawings(place: Path, of: Deck) -> Mapping[str, Drawing]:
    """The same by the code of the card or picture that each is named after, in the deck's order."""
    files = _drawings(place)
    return {name: files[name] for name in drawable(of) if name in files}


def drawable(of: Deck) -> tuple[str, ...]:
    """What a drawing may be named after: the deck's pictures, then its cards."""
    return tuple(dict.fromkeys((*(face.rank for face in of.faces if face.rank), *of.codes)))


def meant(name: str, of: Deck) -> str | None:
    """The card or picture that somebody means who writes `name`, by whatever keyboard; None where the deck has none."""
    return next((one for one in drawable(of) if normalize("NFC", one) == normalize("NFC", name)), None)


def draw(folder: Path, name: str, body: bytes, suffix: str) -> None:
    """Put a drawing of the card or picture `name` into the deck's folder, in the place of the one before. Raises
    DeckFileError where no file can be called so, and OSError."""
    (folder / PICTURES).mkdir(exist_ok=True)
    others = {Path(file.name).stem for file in (folder / PICTURES).glob("*") if file.suffix.lower() in PICTURE_TYPES}
    same = [one for one in others if one.casefold() == name.casefold() and one != name]
    if same:
        raise DeckFileError(f"{name} and {same[0]} differ in capital letters alone", "twice", value=name)
    if name.startswith(".") or ":" in name:
        raise DeckFileError(f"no file can be called {name} everywhere", "path", value=name)
    fresh = folder / PICTURES / f".{name}.part"
    fresh.write_bytes(body)
    fresh.replace(folder / PICTURES / f"{name}{suffix}")
    rub_out(folder, name, but=suffix)


def rub_out(folder: Path, name: str, but: str = "") -> None:
    """Take the drawings of the card or picture `name` out of the deck's folder, `but` one that ends so. Raises
    OSError."""
    for file in (folder / PICTURES).glob("*"):
        if file.stem == name and file.suffix.lower() in PICTURE_TYPES and file.suffix.lower() != but:
            file.unlink()


def _drawings(place: Path) -> dict[str, Drawing]:
    """All drawings in a deck's folder or packed deck, by what they are named after."""
    if place.suffix == PACKED and place.is_file():
        with zipfile.ZipFile(place) as pack:
            names = sorted(_pictures_in(pack))
    else:
        names = sorted(file.name for file in (place / PICTURES).glob("*"))
    return {Path(name).stem: Drawing(place, name) for name in names if Path(name).suffix.lower() in PICTURE_TYPES}


def _pictures_in(pack: zipfile.ZipFile) -> dict[str, str]:
    """The drawings in a packed deck: the full name of each by its own."""
    return {Path(name).name: name for name in pack.namelist() if Path(name).parent.name == PICTURES}
