"""The odds page: how many hands make each category, exactly, and where the printed order is not that of rarity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from flask import Blueprint, request

from companion.hands import Odds, OptionError, RankingError, house_rules, ranking_names
from companion.hands import odds as exact_odds
from companion.server.context import desk, language
from companion.server.errors import ApiError
from companion.server.page import render

odds_pages = Blueprint("odds", __name__)

FIRST = "52D1"
BAR = 60.0
"""Full width of a bar, in units of the chart's view box."""


@dataclass(frozen=True, slots=True)
class Line:
    """One category: its bar is its share of all hands or, if asked, the logarithm of its count, showing the rarest."""

    code: str
    name: str
    count: int
    share: str
    bar: float


@lru_cache(maxsize=64)
def _counted(name: str, options: tuple[tuple[str, str], ...]) -> Odds:
    return exact_odds(name, dict(options))


def _named(ranking: str, lang: str) -> str:
    """A ranking in words: that of a deck is called as the deck is."""
    texts = desk().texts
    key = f"odds.ranking.{ranking}"
    return texts.text(key, lang) if texts.has(key, lang) else texts.deck(ranking, lang)


def _bar(count: int, hands: int, *, log: bool) -> float:
    return round(BAR * (math.log(count + 1) / math.log(hands + 1) if log else count / hands), 2)


def _lines(odds: Odds, lang: str, *, log: bool) -> list[Line]:
    texts = desk().texts
    return [
        Line(
            code,
            texts.text(f"category.{code}", lang),
            count,
            f"{100 * count / odds.hands:.4f} %",
            _bar(count, odds.hands, log=log),
        )
        for code, count in reversed(list(odds.counts.items()))
    ]


def _findings(odds: Odds, lang: str) -> list[str]:
    texts = desk().texts
    found = [
        texts.text(
            "odds.disagreement",
            lang,
            stronger=texts.text(f"category.{stronger}", lang),
            weaker=texts.text(f"category.{weaker}", lang),
            more=f"{odds.counts[stronger]:,}",
            less=f"{odds.counts[weaker]:,}",
        )
        for weaker, stronger in odds.disagreements
    ]
    found = found or [texts.text("odds.agreement", lang)]
    misprint = f"odds.misprint.{odds.ranking}"
    return [*found, texts.text(misprint, lang)] if texts.has(misprint, lang) else found


@odds_pages.get("/odds")
def odds_page() -> str:
    """``/odds?ranking=65&straights=2``: any ranking under any of its house rules. ``scale=log``: logarithmic bars."""
    lang = language()
    name = request.args.get("ranking", FIRST)
    log = request.args.get("scale") == "log"
    try:
        rules = house_rules(name)
        known = {rule.name for rule in rules}
        chosen = tuple(sorted((k, v) for k, v in request.args.items() if k in known))
        odds = _counted(name, chosen)
    except (RankingError, OptionError) as error:
        raise ApiError("bad-ranking", 404, ranking=name) from error
    return render(
        "odds.html",
        odds=odds,
        names=[(one, _named(one, lang)) for one in ranking_names()],
        said=_named(odds.ranking, lang),
        rules=rules,
        chosen={rule.name: dict(chosen).get(rule.name, rule.values[0]) for rule in rules},
        lines=_lines(odds, lang, log=log),
        log=log,
        findings=_findings(odds, lang),
    )
