"""Catalogues and what fills them: every sentence a person reads is looked up here, in Japanese or English.

A catalogue is flat JSON files (key → text with ``{placeholders}``): those of the folder ``web/messages/<language>/``,
which all games share, and ``words.<language>.json`` of every game. All files together are one name space. Code
elsewhere carries keys and `Msg` values only.

How a parameter is shown follows from its value and its name, never from the game: a `Msg` is itself looked up, a
tuple is a row of cards, `seat`-like numbers are players' names, `face`-like texts are cards, `category`, `action`,
`zone` and `suit` are the words for those; a `deed` is an action inside a sentence. Everything else is shown as it is.

A count before a noun is written as ICU messages write it, ``{n, plural, one {# card} other {# cards}}``: `#` is the
count, the forms are the plural categories of the language (CLDR). Japanese has one form and needs none of this.
`web/static/js/words.js` reads the same.
"""

from __future__ import annotations

import logging
import re
import string
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion import resources
from companion.cards import NAMES, Deck, DeckError, Kind, Recommendation, deck
from companion.games import UNKNOWN, Action, Msg, Prompt, Ruling, Violation, ids, package
from companion.resources import LANGUAGES

_log = logging.getLogger(__name__)
_ACTORS = ("seat", "player", "turn", "winner", "loser", "target", "victim", "leader", "owner", "dealer", "starter")
PLAYER_PARAMS = frozenset((*_ACTORS, "from", "to", "payer", "payee", "by"))
CARD_PARAMS = frozenset(("face", "card", "top", "road", "king"))
ZONE_PARAMS = frozenset(("where", "zone", "source", "place"))
_FAMILY_PARAMS = {
    "category": "category",
    "hand": "category",
    "action": "action",
    "step": "action",
    "suit": "suit",
    "rank": "rank",
}
_PLURAL = re.compile(r"\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}")
_FORM = re.compile(r"(\w+) \{([^{}]*)\}")
_DECK_NAME = re.compile(r"([MT]?)(\d+)D(\d)(?:C\d)?")


def deck_code(name: str) -> str:
    """How the rule sheets write a deck, ``M9D4C3``; empty for one that only this program calls so, ``trading``."""
    return name if _DECK_NAME.fullmatch(name) else ""


@dataclass(frozen=True, slots=True)
class Context:
    """What names inside a sentence refer to: the players by seat, the deck the cards belong to, the game whose actions
    are meant, and the labels of its zones by id."""

    players: tuple[str, ...] = ()
    deck: Deck | None = None
    game: str = ""
    zones: Mapping[str, Msg] = field(default_factory=dict, hash=False)


NOWHERE = Context()


@dataclass(frozen=True, slots=True)
class Texts:
    """All catalogues. `catalogues`: language → key → text."""

    catalogues: Mapping[str, Mapping[str, str]]
    _formatter: string.Formatter = field(default_factory=string.Formatter)

    @classmethod
    def load(cls, folder: Path | None = None) -> Texts:
        """Read every catalogue under `folder` (default: the shipped ones, and those of the games). Raises ValueError
        when a shared file is not a flat JSON object of texts, or when two of them share a key. Words of a game that
        cannot be read cost that game: they are left out, and the log says so."""
        shared = {lang: _merged(((folder or resources.web() / "messages") / lang).glob("*.json")) for lang in LANGUAGES}
        return cls(shared if folder else {lang: _with_games(words, lang) for lang, words in shared.items()})

    def has(self, key: str, lang: str) -> bool:
        """Is there a text for `key`?"""
        return key in self.catalogues[lang]

    def text(self, msg: Msg | str, lang: str, context: Context = NOWHERE, **params: Any) -> str:
        """The sentence for `msg` in `lang`, or in another language that has it. Where none has, it says that a text is
        missing, and which: a page never fails for that, the tests do."""
        if isinstance(msg, str):
            key, values = msg, params
        else:
            key, values = msg.key, {**dict(msg.params), **params}
        template = self._template(key, lang)
        if template is None:
            missing = self._template("ui.no-text", lang)
            return missing.format(key=key) if missing else key
        shown = {name: self._value(name, value, lang, context) for name, value in values.items()}
        if "deed" in values:
            shown["deed"] = self._deed(values["deed"], lang, context, values.get("n", ""))
        try:
            return self._formatter.vformat(counted(template, lang, shown), (), shown)
        except (KeyError, IndexError, ValueError):
            return template

    def _template(self, key: str, lang: str) -> str | None:
        others = (words for other, words in self.catalogues.items() if other != lang)
        return next((words[key] for words in (self.catalogues[lang], *others) if words.get(key)), None)

    def _value(self, name: str, value: Any, lang: str, context: Context) -> Any:
        if isinstance(value, Msg):
            return self.text(value, lang, context)
        if isinstance(value, tuple | list):
            return self.cards([str(v) for v in value], lang, context)
        if isinstance(value, bool):
            return self.text(f"ui.{'yes' if value else 'no'}", lang)
        if isinstance(value, int):
            return self.player(value, lang, context) if name.rstrip("0123456789_") in PLAYER_PARAMS else value
        if name in CARD_PARAMS and context.deck is not None and value in context.deck:
            return self.card(value, lang, context)
        if name in ZONE_PARAMS:
            return self.text("ui.list-comma", lang).join(self.zone(z, lang, context) for z in str(value).split(", "))
        if name == "like" and value in NAMES:
            return self.deck(value, lang)
        if name == "offered":
            return self._offered(str(value), lang, context)
        family = _FAMILY_PARAMS.get(name)
        for key in (f"{family}.{context.game}.{value}", f"{family}.{value}") if family else ():
            if self.has(key, lang):
                return self.text(key, lang, context, n="")
        return value

    def _offered(self, offered: str, lang: str, context: Context) -> str:
        """The values that a choice has, in words: ``source:common|stock``."""
        name, _, values = offered.partition(":")
        if not values:
            return self.text("verdict.nothing-implied", lang)
        shown = [int(v) if v.isdecimal() else v for v in values.split("|")]
        return self.text("ui.list-comma", lang).join(self.choice(context.game, name, v, lang, context) for v in shown)

    def zone(self, zone_id: str, lang: str, context: Context) -> str:
        """A place on the table: the label its game gives it, or whose place it is."""
        if zone_id in context.zones:
            return self.text(context.zones[zone_id], lang, context)
        kind, _, seat = zone_id.partition(":")
        if seat.isdecimal():
            return self.player(int(seat), lang, context)
        return self.text(f"zone.{kind}", lang) if self.has(f"zone.{kind}", lang) else zone_id

    def player(self, seat: int | None, lang: str, context: Context) -> str:
        """The name of whoever sits at `seat`; the table itself for None and -1. Names keep their own direction."""
        if seat is None or seat < 0:
            return self.text("ui.the-table", lang)
        if seat >= len(context.players):
            return self.text("ui.seat-number", lang, n=seat + 1)
        return isolated(context.players[seat])

    def suit(self, suit: str, lang: str) -> str:
        """The name of a suit; its code where a deck of somebody's own has one that no catalogue knows."""
        key = f"suit.{suit or 'none'}"
        return self.text(key, lang) if self.has(key, lang) else suit

    def card(self, code: str, lang: str, context: Context) -> str:
        """A card's short name: rank and sign for playing cards, else the name of the face."""
        if code == UNKNOWN:
            return self.text("ui.unknown-card", lang)
        for cards in (context.deck, _plain()):
            if cards is not None and code in cards:
                face = cards.face(code)
                return face.glyph if face.kind is Kind.TRUMP else face.name(lang)
        return code

    def cards(self, codes: Sequence[str], lang: str, context: Context) -> str:
        """A row of cards in words."""
        down = sum(code == UNKNOWN for code in codes)
        if down > 1:
            known = [code for code in codes if code != UNKNOWN]
            rest = self.text("ui.cards-down", lang, n=down)
            return self.text("ui.list-comma", lang).join(filter(None, (self.cards(known, lang, context), rest)))
        short = all(len(code) <= 3 and code in _plain() for code in codes)
        return (" " if short else self.text("ui.list-comma", lang)).join(self.card(c, lang, context) for c in codes)

    def deck(self, name: str, lang: str) -> str:
        """A deck in words, the code of the rule sheets beside them: ``52 playing cards × 2 sets · 52D2``."""
        return " · ".join(filter(None, (self.deck_kind(name, lang), deck_code(name))))

    def deck_kind(self, name: str, lang: str) -> str:
        """A deck in words: ``52 playing cards × 2 sets``."""
        found = _DECK_NAME.fullmatch(name)
        if found is None and "~" in name:
            return self._own_deck(name, lang)
        if found is None:
            kind = {"trading": "trading", "65": "65", "hanafuda": "hanafuda"}.get(name, "joker")
            return self.text(f"deck.kind.{kind}", lang, cards=deck(name).size)
        family, number, sets = found[1], found[2], int(found[3])
        if family == "M":
            low, high = (1, 9) if number == "9" else (2, 8)
            return self.text("deck.kind.tiles", lang, low=low, high=high, cards=deck(name).size)
        words = self.text("deck.kind.tesca" if family else "deck.kind.trump", lang, cards=number)
        return self.text("deck.times", lang, kind=words, sets=sets) if sets > 1 else words

    def _own_deck(self, name: str, lang: str) -> str:
        """A deck of one's own in words: what its file calls it, and how many cards it has."""
        try:
            found = deck(name)
        except DeckError:
            return name.partition("~")[0]
        return self.text("deck.kind.own", lang, name=found.names[lang], cards=found.size)

    def recommended(self, row: Recommendation, lang: str) -> str:
        """A recommended deck in words: for what length of game, the deck, how it is dealt."""
        length = self.text(f"deck.game.{row.length}", lang)
        return self.text(
            "deck.advised", lang, length=length, deck=self.deck(row.deck, lang), each=row.hand, left=row.rest
        )

    # --- rulings and actions ---------------------------------------------------------------------------------------

    def violation(self, violation: Violation, lang: str, context: Context = NOWHERE) -> str:
        """The sentence for one broken rule."""
        params: dict[str, Any] = {"cards": violation.cards, "seat": -1, "clause": violation.clause}
        return self.text(f"violation.{violation.code}", lang, context, **{**params, **dict(violation.params)})

    def ruling(self, ruling: Ruling, lang: str, context: Context = NOWHERE) -> str:
        """A whole ruling in one line: verdict and reasons, each with its clause, then the fouls it brings to light."""
        said = self.text(f"verdict.{ruling.verdict}", lang)
        if ruling.violations:
            said += ": " + self._cited(ruling.violations, lang, context)
        if ruling.proven:
            said = self.text("verdict.proves", lang, ruling=said, fouls=self._cited(ruling.proven, lang, context))
        return said

    def _cited(self, violations: Sequence[Violation], lang: str, context: Context) -> str:
        sentences = [(self.violation(violation, lang, context), violation.clause) for violation in violations]
        return " ".join(f"{text} ({self.clause(clause, lang)})" if clause else text for text, clause in sentences)

    def clause(self, clause: str, lang: str) -> str:
        """A clause as it is cited: the number of a line of the rule sheet, or a section."""
        return self.text("ui.clause", lang, clause=clause)

    def label(self, family: str, game: str, name: str, lang: str, context: Context = NOWHERE, **params: Any) -> str:
        """A word that a game may say in its own way: ``<family>.<game>.<name>``, else ``<family>.<name>``."""
        own = f"{family}.{game}.{name}"
        return self.text(own if self.has(own, lang) else f"{family}.{name}", lang, context, **params)

    def option(self, game: str, name: str, lang: str, value: str | None = None) -> str:
        """A house rule, or one of its values: the game's own words, else those of the rankings, else the bare name."""
        end = name if value is None else f"{name}.{value}"
        keys = (f"option.{game}.{end}", f"option.ranking.{end}", f"ui.{value}")
        found = next((key for key in keys if self.has(key, lang)), None)
        return self.text(found, lang) if found else (name if value is None else value).replace("_", " ")

    def action(self, action: Action, game: str, lang: str, context: Context = NOWHERE) -> str:
        """What somebody did, in one line: who, what, which cards, which choices."""
        params: dict[str, Any] = {"cards": action.cards, "n": len(action.cards), **dict(action.args)}
        line = self.label(
            "action", game, action.kind, lang, context, seat=-1 if action.seat is None else action.seat, **params
        )
        if action.cards:
            line += self.text("ui.colon", lang) + self.cards(action.cards, lang, context)
        shown = [self.choice(game, name, value, lang, context) for name, value in action.args]
        return line + (f" ({self.text('ui.list-comma', lang).join(shown)})" if shown else "")

    def _deed(self, kind: str, lang: str, context: Context, n: Any) -> str:
        """An action inside a sentence: ``draw from the stock``."""
        words = self.label("action", context.game, kind, lang, context, seat=-1, n=n).strip()
        return words[:1].lower() + words[1:]

    def prompt(self, prompt: Prompt, lang: str, context: Context) -> str:
        """What the button of an open action says."""
        seat, n = -1 if prompt.seat is None else prompt.seat, prompt.slot.most if prompt.slot else 0
        if prompt.label is None:
            return self.label("action", context.game, prompt.kind, lang, context, seat=seat, n=n)
        own = dict(prompt.label.params)
        return self.text(prompt.label, lang, context, **{k: v for k, v in (("seat", seat), ("n", n)) if k not in own})

    def awaited(self, prompts: Sequence[Prompt], lang: str, context: Context) -> str:
        """Who may do what, in the words of the buttons: ``Ben, Chie: Draw 2 / Pass``."""
        told: dict[int | None, dict[str, None]] = {}
        for one in prompts:
            told.setdefault(one.seat, {})[self.prompt(one, lang, context)] = None
        who: dict[str, list[str]] = {}
        for seat, words in told.items():
            names = who.setdefault(" / ".join(words), [])
            names += [] if seat is None else [self.player(seat, lang, context)]
        comma, colon = self.text("ui.list-comma", lang), self.text("ui.colon", lang)
        return " · ".join(comma.join(names) + colon + what if names else what for what, names in who.items())

    def choice(self, game: str, name: str, value: Any, lang: str, context: Context = NOWHERE) -> str:
        """The value of a named argument in words: its own text, a card, a row of cards, a player, or the value."""
        if isinstance(value, tuple | list):
            return self.cards([str(v) for v in value], lang, context)
        spoken = str(value).lower() if isinstance(value, bool) else str(value)
        for key in (f"choice.{game}.{name}.{spoken}", f"choice.{name}.{spoken}"):
            if self.has(key, lang):
                return self.text(key, lang, context)
        if isinstance(value, str) and context.deck is not None and value in context.deck:
            return self.card(value, lang, context)
        if isinstance(value, str):
            found = next((f for f in ("category", "zone", "suit") if self.has(f"{f}.{value}", lang)), None)
            return self.text(f"{found}.{value}", lang) if found else value
        return str(self._value(name, value, lang, context))


@cache
def _plain() -> Deck:
    """The deck that cards are named after when nobody says which deck is meant."""
    return deck("54")


def counted(template: str, lang: str, shown: Mapping[str, Any]) -> str:
    """`template` with the form of each counted noun that its count takes. Raises KeyError without a count or a form."""

    def form(found: re.Match[str]) -> str:
        name, forms = found[1], dict(_FORM.findall(found[2]))
        category = "one" if lang == "en" and str(shown[name]) in {"1", "-1"} else "other"
        chosen: str = forms[category] if category in forms else forms["other"]
        return chosen.replace("#", f"{{{name}}}")

    return _PLURAL.sub(form, template)


def isolated(name: str) -> str:
    """A player's name that cannot turn the text around it: right-to-left names are wrapped in isolates."""
    if any(unicodedata.bidirectional(c) in {"R", "AL", "RLE", "RLO"} for c in name):
        return f"\u2068{name}\u2069"
    return name


def _merged(files: Iterable[Path]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for file in sorted(files):
        _add(merged, file)
    return merged


def _with_games(shared: dict[str, str], lang: str) -> dict[str, str]:
    """The shared words and those of every game that has some."""
    merged = dict(shared)
    for name in ids():
        file = resources.package(package(name)) / f"words.{lang}.json"
        try:
            _add(merged, file)
        except (ValueError, OSError) as error:
            _log.warning("the words of %s are left out: %s", name, error)
    return merged


def _add(merged: dict[str, str], file: Path) -> None:
    data = resources.read_words(file)
    if double := sorted(merged.keys() & data.keys()):
        raise ValueError(f"{file.name} in {file.parent.name} repeats the keys {', '.join(double[:5])}")
    merged |= data
