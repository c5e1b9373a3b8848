"""Writes ``rulings.md``: every ruling in both languages, as a table would read it.

The examples are true rulings: of the golden records, and of games of bots in which single actions are spoiled. A test
compares the page with the catalogues and with what this script would write.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from companion.cards import deck
from companion.games import Action, Game, Role, Setup, Violation, game, ids
from companion.referee import Match, Started
from companion.referee.record import parse, replay
from companion.referee.simulate import play, table_setup
from companion.server.show.texts import Context, Texts

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rulings.md"
NAMES = ("Aki", "Ben", "Cho", "Dan", "Eri", "Fumi", "Gen", "Hana")
STEPS = 260
HEAD = """# Rulings

Every ruling with an example, as the page, the command line and the voice say it: what is wrong, why, and what to do
next. `python docs/rulings.py` writes this page from the catalogues and from games with fouls in them.

| game | clause | English | 日本語 |
|---|---|---|---|
"""

Example = tuple[str, Violation, Context]
"""The game, the ruling, and the table it was given at."""


def recorded() -> Iterator[Example]:
    """The rulings of the golden records."""
    for path in sorted((ROOT / "tests" / "records").glob("*.txt")):
        for step in replay(parse(path.read_text(encoding="utf-8"))):
            for entry in step.match.entries[-1:]:
                if entry.ruling is not None:
                    for violation in (*entry.ruling.violations, *entry.ruling.proven):
                        yield step.match.game.id, violation, _context(step.match)


def _context(match: Match) -> Context:
    zones = {zone.id: zone.label for zone in match.view(Role()).zones}
    return Context(match.setup.players, match.deck, match.game.id, zones)


def spoiled(name: str, options: dict[str, str], seed: int) -> Iterator[Example]:
    """Rulings on actions that are nearly right, in a game of bots."""
    rules = game(name)
    setup = table_setup(rules, **options)
    setup = Setup(NAMES[: len(setup.players)], setup.deck, setup.options)
    context = _context(Match.of([Started(name, setup)]))
    chance = Random(f"rulings:{seed}")
    earlier: list[Action] = []
    for step in islice(play(rules, setup, Random(f"{name}:{seed}"), "random"), STEPS):
        for action in _spoiled(rules, step.action, earlier, len(setup.players), chance):
            for violation in rules.check(step.before, action):
                yield name, violation, context
            for violation in rules.proves(step.before, action):
                yield name, violation, context
        earlier.append(step.action)


def _spoiled(rules: Game[Any], action: Action, earlier: list[Action], seats: int, chance: Random) -> Iterator[Action]:
    codes = deck(rules.recommended_deck(seats)).codes
    yield action
    yield replace(action, seat=((action.seat or 0) + 1) % seats)
    yield replace(action, cards=action.cards + tuple(chance.sample(codes, 2)))
    yield replace(action, cards=tuple(chance.choice(codes) for _ in action.cards))
    yield replace(action, cards=("?",) * len(action.cards))
    yield replace(action, cards=action.cards[:1] * len(action.cards))
    yield replace(action, cards=action.cards[1:])
    yield replace(action, cards=(*action.cards[:-1], "JK1"))
    yield replace(action, seat=seats + 1)
    if action.args:
        yield replace(action, args=())
    yield Action("dance", action.seat)
    if earlier:
        before = chance.choice(earlier)
        yield before
        yield replace(before, seat=action.seat)
        yield replace(before, seat=action.seat, cards=action.cards)
    for kind in ("pass", "draw", "fold", "done", "skip", "strike", "attack", "holy", "out", "once-more", "collect"):
        yield Action(kind, action.seat, tuple(chance.sample(codes, 6)) if kind in ("holy", "out") else action.cards)
    for count in (1, 2, 3, 4, 6):
        yield Action.of("draw", action.seat, (), count=count)
        yield Action("draw", action.seat, ("?",) * count)


VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    *((name, {}) for name in ids()),
    ("pokard-trick", {"all_fold": "dealer_plays"}),
    ("hexa-card", {"out": "auto", "robbed": "must_loop"}),
    ("joker-quest", {"king_order": "first", "after_joker": "kings_only"}),
    ("three-card-trick-poker", {"leader_fold": "forbidden"}),
)


def examples() -> dict[str, Example]:
    """One true example for each code; those of the games' own before those that all games share."""
    found: dict[str, Example] = {}
    for example in recorded():
        found.setdefault(example[1].code, example)
    for name, options in VARIANTS:
        known = {option.name for option in game(name).options}
        for seed in range(3):
            for example in spoiled(name, {k: v for k, v in options.items() if k in known}, seed):
                if dict(example[1].params).get("offered") != "":
                    found.setdefault(example[1].code, example)
    return found


def codes(texts: Texts) -> list[str]:
    """Every code that has a sentence, in the order of the catalogues."""
    return [key.removeprefix("violation.") for key in texts.catalogues["en"] if key.startswith("violation.")]


def bare(texts: Texts, code: str) -> Example:
    """For a ruling that bots do not come to: the sentence with what stands in it, in words."""
    fields = re.findall(r"\{(\w+)[,}]", texts.catalogues["en"][f"violation.{code}"])
    numbers = {"seat": 0, "player": 0, "by": 1, "owner": 1, "winner": 1, "victim": 1, "turn": 1}
    texts_of = {"category": "four", "hand": "one_pair", "where": "discard", "offered": "", "king": "5S", "road": "4S"}
    params: list[tuple[str, str | int]] = []
    for n, field in enumerate(dict.fromkeys(f for f in fields if f != "cards"), start=2):
        params.append((field, numbers[field] if field in numbers else texts_of.get(field, n)))
    name = next((g for g in ids() if f"violation.{code}" in _own(g)), ids()[0])
    rules = game(name)
    setup = table_setup(rules)
    match = Match.of([Started(name, Setup(NAMES[: len(setup.players)], setup.deck))])
    return name, Violation(code, "", match.deck.codes[:1], tuple(params)), _context(match)


def _own(name: str) -> str:
    return (ROOT / "companion" / "games" / name.replace("-", "_") / "words.en.json").read_text(encoding="utf-8")


def written() -> str:
    """The whole page."""
    texts, found = Texts.load(), examples()
    shared = (ROOT / "web" / "messages" / "en" / "referee.json").read_text(encoding="utf-8")
    rows = []
    for code in codes(texts):
        name, violation, context = found.get(code) or bare(texts, code)
        every = f'"violation.{code}"' in shared
        titles = [texts.text("rulings.every" if every else f"game.{name}.name", lang) for lang in ("en", "ja")]
        said = [texts.violation(violation, lang, context).replace("|", "\\|") for lang in ("en", "ja")]
        rows.append(f"| {titles[0]} | {'' if every else violation.clause} | {said[0]} | {said[1]} |")
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}\n")
