"""`companion hand` and `companion odds`: a hand in words, and how many hands make each category."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from companion.hands import explain_hand, hand_report
from companion.hands import odds as exact_odds
from companion.hands import ranking as find_ranking
from companion.hands import ranking_names as printed
from companion.server.show.texts import Context, Texts

_BAR = 40
"""The longest bar of the odds, characters."""


def split(cards: Sequence[str]) -> tuple[str, ...]:
    """The cards of a hand however they were typed: apart, with commas between them, or as one quoted text. A terminal
    without UTF-8 hands over signs as bytes."""
    cards = [os.fsencode(card).decode("utf-8", "replace") for card in cards]
    return tuple(part for card in cards for part in re.split(r"[\s,、]+", card) if part)


def hand_lines(ranking: str, options: dict[str, str], cards: Sequence[str], lang: str) -> Iterator[str]:
    """What the hand is worth, what else it could count as, why no stronger category holds, what decides a tie; or what
    is wrong with it. Raises the errors of `companion.hands`."""
    report: dict[str, Any] = hand_report(ranking, options, cards)
    texts, context = Texts.load(), Context(deck=find_ranking(ranking, **options).deck)

    def say(key: str, **params: Any) -> str:
        return texts.text(key, lang, context, **params)

    code = report["category"]
    yield f"{' '.join(report['cards'])}: {say(f'category.{code}')} ({code})"
    for found in report["violations"]:
        yield "  " + say(f"hand.violation.{found['code']}", **found["params"])
    if report["violations"]:
        return
    why = explain_hand(ranking, options, cards)
    for weaker in why.also:
        yield f"  + {say(f'category.{weaker}')} ({weaker})"
    for refused in why.refused:
        reason = say(refused.why.key, **dict(refused.why.params))
        yield f"  - {say(f'category.{refused.category}')} ({refused.category}): {reason}"
    for note in why.tie:
        yield "  = " + say(note.key, **dict(note.params))


def hand_json(ranking: str, options: dict[str, str], cards: Sequence[str]) -> str:
    """The report of a hand as one JSON object."""
    return json.dumps(hand_report(ranking, options, cards), ensure_ascii=False)


def odds_json(ranking: str, options: dict[str, str]) -> str:
    """The odds as one JSON object."""
    return json.dumps(exact_odds(ranking, options).to_json(), ensure_ascii=False)


def odds_lines(ranking: str, options: dict[str, str], lang: str) -> Iterator[str]:
    """A line a category, strongest first, with its name and a bar; then where the printed order is not rarity's."""
    result: dict[str, Any] = exact_odds(ranking, options).to_json()
    texts = Texts.load()
    total, most = result["hands"], max(result["counts"].values())

    def name(code: str) -> str:
        return texts.text(f"category.{code}", lang)

    yield texts.text("odds.command.head", lang, ranking=ranking, hands=f"{total:,}")
    for code, count in result["counts"].items():
        bar = "█" * round(_BAR * count / most)
        yield f"  {code:>16} {count:>12,} {100 * count / total:8.4f} %  {name(code)}  {bar}".rstrip()
    for weaker, stronger in result["disagreements"] if ranking.upper() in printed() else ():
        yield "  " + texts.text("odds.command.rarer", lang, stronger=name(stronger), weaker=name(weaker))
