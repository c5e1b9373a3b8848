"""Writes the tables of figures in the documents anew from what was measured: ``make tables``.

A table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``. Nobody writes figures there by hand; a test
compares the documents with what this script would write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.games import Setup, game, ids, places
from companion.server.show.texts import Texts
from companion.server.show.zones import centimetres
from companion.table.solve import TABLES as TABLE_SIZES
from companion.table.solve import NoRoomError, solve

ROOT = Path(__file__).resolve().parents[1]
_PLACE = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; the first column is text, the others are numbers."""
    ruled = "|---" + "|--:" * (len(head) - 1) + "|"
    return "\n".join(["| " + " | ".join(head) + " |", ruled, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def _json(path: str) -> Any:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def reading() -> str:
    """How well the reader reads, everything read twice: photographs by scene, drawn scenes by light."""
    found = _json("models/reader/metrics.json")
    photographs, drawn = found["figures, read twice"], found["composed scenes of held-out prints"]
    rows = [
        ("photographs: separate cards", photographs["separate cards (single, separate)"], "cards"),
        ("photographs: at a slant", photographs["scene: oblique"], "cards"),
        ("photographs: overlapping", photographs["scene: overlapping"], "cards"),
        (
            "drawn scenes of unseen prints, ordinary light",
            drawn["ordinary light, read twice"],
            "cards that must be read",
        ),
        ("the same in harsh light", drawn["harsh light, read twice"], "cards that must be read"),
    ]
    return _rows(
        ("what was shown", "cards", "precision", "recall"),
        ((name, f"{row[cards]:,}", f"{row['precision']:.3f}", f"{row['recall']:.3f}") for name, row, cards in rows),
    )


def custom_decks() -> str:
    """How well cards of invented custom decks are recognised, by photographs, method and outlines, all styles together;
    and by style what runs, on one photograph and the reader's outlines."""
    found = ROOT / "models" / "decks" / "metrics.json"
    rows = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else []
    kinds = dict.fromkeys(
        (row["photographs"], row["method"], row["outlines"]) for row in sorted(rows, key=_photographs)
    )
    groups = [("all", kind, [row for row in rows if _kind(row) == kind]) for kind in kinds]
    groups += [(row["style"], _kind(row), [row]) for row in rows if _kind(row) == (1, "marks", "found")]
    return _rows(
        ("deck", "photographs", "method", "outlines", "cards", "precision", "recall separate", "overlapped",
         "wrong and confident", "foreign refused", "jokers", "ms a card"),
        ((deck, str(kind[0]), *kind[1:], *_summed(these)) for deck, kind, these in groups),
    )  # fmt: skip


def _photographs(row: dict[str, Any]) -> int:
    return int(row["photographs"])


def _kind(row: dict[str, Any]) -> tuple[int, str, str]:
    return row["photographs"], row["method"], row["outlines"]


def _summed(rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The cells of rows of figures, each by how many cards it counts."""

    def share(name: str, of: str) -> str:
        return f"{sum(row[name] * row[of] for row in rows) / max(1, sum(row[of] for row in rows)):.3f}"

    jokers = [row["jokers"] for row in rows if "jokers" in row]
    return (
        f"{sum(row['cards'] for row in rows):,}",
        share("precision", "named"),
        share("recall, separate", "separate"),
        share("recall, overlapped", "overlapped"),
        share("wrong and confident", "cards"),
        share("foreign refused", "foreign"),
        str(sum(jokers)) if jokers else "",
        f"{float(share('ms a card', 'cards')):.0f}",
    )


def real_decks() -> str:
    """How well real decks are read that were enrolled from photographs (``companion.training real-decks``)."""
    columns = ("samples", "refused", "photographs", "cards", "right", "wrong")
    found = ROOT / "models" / "decks" / "real.json"
    rows = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else []
    return _rows(
        ("deck", "samples", "refused", "photographs read", "cards", "named rightly", "wrongly"),
        ((row["deck"], *(f"{row[column]:,}" for column in columns)) for row in rows),
    )


def arrangements() -> str:
    """How well it reads drawn scenes, by how the cards lie (``companion.training errors`` writes the report)."""
    columns = ("precision", "recall", "wrong_confident", "exact")
    shares = ("scenes with a phantom duplicate", "scenes with a lost duplicate")
    rows = []
    for name, row in _json("docs/reading/report.json")["arrangements"].items():
        counts = (str(row["scenes"]), str(row["cards that must be read"]))
        rows.append((LYING[name], *counts, *(f"{row[c]:.3f}" for c in columns), *(f"{row[c]:.2f}" for c in shares)))
    head = ("arrangement", "scenes", "must be read", "precision", "recall", "wrong and confident", "tables exact")
    return _rows((*head, "phantom in", "lost in"), rows)


def confusions() -> str:
    """All wrong names of these scenes."""
    found = _json("docs/reading/report.json")["taken for"]
    return _rows(("what lay there → what was named", "times"), ((names, str(n)) for names, n in found.items()))


def curves() -> str:
    """Recall against each fault (``companion.training curves`` writes the report)."""
    rows = []
    for fault, points in _json("docs/reading/curves.json").items():
        cells = (f"{p['strength']:g}: {p['recall']:.2f}" + f" ({p['wrong']:.2f})" * (p["wrong"] > 0) for p in points)
        rows.append((SWEEPS[fault], *cells))
    return _rows(("strength: cards read (wrong names)", "mildest", "", "", "", "", "worst"), rows)


def spots() -> str:
    """What became of the cards of hard tables (``companion.training spots`` writes the report)."""
    rows = []
    for kind, one in _json("docs/reading/spots.json").items():
        backs = f"{one['found']} of {one['backs']}" if one["backs"] else ""
        counts = (str(one[key]) for key in ("two_names", "wrong", "asked", "needless"))
        rows.append((kind, str(one["tables"]), f"{one['named']} of {one['cards']}", *counts, backs))
    head = ("kind of table", "tables", "named", "two names", "wrong names", "asked", "about nothing", "backs found")
    return _rows(head, rows)


def layouts() -> str:
    """Which numbers of players have room for all zones on a table; in brackets: without some that can be spared."""
    rows = []
    for name in ids():
        rules, cells = game(name), []
        for size in TABLE_SIZES:
            whole, part = [], []
            for seats in range(rules.least_players, min(8, rules.most_players) + 1):
                try:
                    plan = solve(places(name, Setup(tuple(f"P{n}" for n in range(seats)))), seats, size)
                except NoRoomError:
                    continue
                (part if plan.dropped else whole).append(seats)
            cells.append(_range(whole) + (f" ({_range(part)})" if part else ""))
        rows.append((Texts.load().text(f"game.{name}.name", "en"), *cells))
    return _rows(("players on a table of", *(centimetres(size) for size in TABLE_SIZES)), rows)


def _range(seats: Sequence[int]) -> str:
    if not seats:
        return "–"
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"


SWEEPS = {
    "height": "height of a card, px",
    "blur": "blur, px",
    "noise": "noise, grey levels",
    "exposure": "exposure",
    "slant": "slant, degrees",
    "glare": "glare on one index, grey levels",
    "motion": "motion, px",
    "cut": "cut off by the edge, share",
}
LYING = {
    "scatter": "scattered",
    "grid": "rows and columns side by side",
    "spread": "a row, each over the last",
    "columns": "solitaire columns",
    "fan": "fans",
    "pile": "piles",
    "trick": "tricks",
    "hands": "several hands",
}
TABLES: dict[str, Callable[[], str]] = {
    "reading": reading,
    "arrangements": arrangements,
    "custom-decks": custom_decks,
    "real-decks": real_decks,
    "confusions": confusions,
    "curves": curves,
    "spots": spots,
    "layouts": layouts,
}
PAGES = ("README.md", "docs/reading.md", "docs/blind-spots.md", "docs/layouts.md", "docs/custom-decks.md")


def written(text: str) -> str:
    """A document with its tables as they should be. KeyError: a table that nobody makes."""
    return _PLACE.sub(lambda place: place[1] + TABLES[place[2]]() + place[3], text)


def main() -> None:
    """Write every table anew."""
    for page in PAGES:
        file = ROOT / page
        file.write_text(written(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
