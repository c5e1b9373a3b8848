"""`companion decks` and `companion deck`: which decks there are, what a deck file says, and which games take it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cards import NAMES, Deck, deck, keep
from companion.cards.ready import READY, as_toml
from companion.commands import CommandError, counted
from companion.games import ids
from companion.hands.three_card_own import family
from companion.server.config import default_data
from companion.server.show.decks import games_of
from companion.server.show.sheets import Sheets, deck_pdf
from companion.server.show.texts import Texts
from companion.shelf import PACKED, named, own_pictures, shelf, shelved

TESCA = "tesca"
"""The option of the three-card games that names a deck file (7.11): the TESCA that is played with."""


def known(name: str, data: Path | None = None) -> Deck:
    """The deck that somebody means, from now on known by its name. Raises DeckError, DeckFileError, OSError."""
    return keep_own(named(name, data or default_data()))


def keep_own(found: Deck) -> Deck:
    """`found`; one of one's own is kept."""
    return keep(found) if found.design is not None else found


def ranking_named(ranking: str, options: dict[str, str], data: Path | None = None) -> str:
    """The ranking that somebody means: one of the program's, or a deck file's own. `tesca=FILE` leaves the options and
    takes the place of a TESCA row. Raises as `known`."""
    own = options.pop(TESCA, "")
    if own:
        if not ranking.upper().startswith("T"):
            raise CommandError(f"tesca={own} is for the rows of TESCA, such as T52D1, not for {ranking}")
        found = known(own, data)
        if family(found) != TESCA:
            raise CommandError(f"{own} is no TESCA: its suits are {' '.join(found.suits)}, those of TESCA a b c y")
        return found.name
    return known(ranking, data).name if Path(ranking).suffix in (".toml", ".deck") else ranking


def deck_for(name: str | None, options: dict[str, str], data: Path | None) -> str:
    """The name of the deck that a game is to be played with, "" for the one it recommends: `name`, or `tesca=FILE`
    from the options, which then leaves them. Raises as `known`."""
    own = options.pop(TESCA, "") or name or ""
    return known(own, data).name if own else ""


def as_json(data: Path | None) -> str:
    """Every deck, those of one's own with the games that take them, as one JSON object."""
    texts = Texts.load()
    found = [{"name": name, "names": _names(texts, name), "cards": deck(name).size, "own": False} for name in NAMES]
    bad = []
    for one in shelved(data or default_data()):
        if one.deck is None:
            bad.append({"place": str(one.place), "reason": str(one.error)})
            continue
        found.append(_own(one.deck, str(one.place)))
    return json.dumps({"decks": found, "refused": bad}, ensure_ascii=False)


def _own(own: Deck, place: str) -> dict[str, Any]:
    keep(own)
    fits = games_of(own)
    return {
        "name": own.name,
        "names": dict(own.names),
        "cards": own.size,
        "own": True,
        "place": place,
        "games": [name for name, unfit in fits.items() if unfit is None],
    }


def _names(texts: Texts, name: str) -> dict[str, str]:
    return {lang: texts.deck_kind(name, lang) for lang in texts.catalogues}


def as_table(data: Path | None, lang: str) -> Iterator[str]:
    """A line a deck; then what lies on the shelf and is none, and where it lies."""
    texts, folder = Texts.load(), data or default_data()
    for name in NAMES:
        yield texts.deck(name, lang)
    for one in shelved(folder):
        if one.deck is None:
            yield f"{one.place.name}: {one.error}"
        else:
            yield texts.deck(keep(one.deck).name, lang)
    yield f"Decks of your own are looked for in {shelf(folder)}"
    yield f"Begin one with: companion deck show {next(iter(READY))}"


def checked(name: str, lang: str, data: Path | None) -> Iterator[str]:
    """What a deck is: its name, cards, suits, ranks, size, and for every game whether it can be played with it. Raises
    as `known`."""
    found, texts = known(name, data), Texts.load()

    def say(key: str, **params: Any) -> str:
        return texts.text(f"deck.check.{key}", lang, **params)

    called = found.names.get(lang) or texts.deck(found.name, lang)
    yield say("head", name=called, n=found.size, faces=len(found.faces), code=found.name)
    size = " × ".join(f"{side:g}" for side in found.card_size)
    yield "  " + say("tiles" if found.design and found.design.tile else "size", size=size)
    others = [face.code for face in found.faces if not face.suit]
    for key, codes in (("suits", found.suits), ("ranks", found.ranks), ("others", others)):
        if codes:
            yield "  " + say(key, codes=" ".join(codes))
    for one, unfit in games_of(found).items():
        said = say("fits") if unfit is None else texts.text(unfit.why, lang)
        yield "  " + say("game", game=texts.text(f"game.{one}.name", lang), said=said)


def checked_json(name: str, data: Path | None) -> str:
    """The same as one JSON object. Raises as `known`."""
    found = known(name, data)
    games = {one: None if unfit is None else unfit.sentence for one, unfit in games_of(found).items()}
    return json.dumps(
        {
            "name": found.name,
            "names": dict(found.names),
            "cards": found.size,
            "faces": len(found.faces),
            "suits": list(found.suits),
            "ranks": list(found.ranks),
            "size": list(found.card_size),
            "copies": dict(sorted(found.multiset.items())),
            "games": {one: games[one] for one in ids() if one in games},
        },
        ensure_ascii=False,
    )


def printed(name: str, data: Path | None, out: Path, paper: str, size: str, backs: bool, save_ink: bool) -> str:
    """Write a deck as PDF; returns what to say about it. Raises as `known`."""
    folder = data or default_data()
    found, path = known(name, folder), Path(name)
    places = [one.place for one in shelved(folder) if one.deck == found]
    itself = path.is_dir() or (path.suffix == PACKED and path.is_file())
    place = path if itself else path.parent if path.suffix == ".toml" else next(iter(places), path)
    sheets = Sheets(paper, size, backs, "saving" if save_ink else "full")
    pictures = own_pictures(place, found) if found.design is not None and place.exists() else {}
    out.write_bytes(deck_pdf(found, sheets, pictures))
    columns, rows = sheets.grid(found)
    own = f", {len(pictures)} with pictures of your own" if pictures else ""
    return f"{out}: {found.size} cards{own}, {columns * rows} a sheet, {counted(sheets.count(found), 'sheet')}"


def shown(name: str, data: Path | None) -> str:
    """The deck file of a ready-made deck, or of one's own. Raises CommandError naming what there is."""
    if name in READY:
        return as_toml(name)
    if name in NAMES:
        same = [ready for ready, base in READY.items() if base == name]
        return as_toml(same[0]) if same else f'[deck]\nversion = 1\nname = "{name}"\nlike = "{name}"\n'
    found = named(name, data or default_data())
    return found.design.text if found.design else ""
