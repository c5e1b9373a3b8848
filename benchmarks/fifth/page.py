"""docs/parameters.md, of what was measured."""

from __future__ import annotations

from typing import Any

from fifth.bench import Bench
from fifth.numbers import CHANGES, EXTREMES, ROOT, STOREYS, UNMEASURED, Parameter, enrolled, parameters, shown, way_of
from fifth.ways import FILMS, READING_S

PAGE = ROOT / "docs" / "parameters.md"


def silent(bench: Bench, parameter: Parameter) -> bool:
    """Whether neither a fifth nor its extremes change anything, and nothing else says why it stays."""
    rows = [bench.rows.get((parameter.key, change)) for change in (*CHANGES, *EXTREMES)]
    if parameter.name.startswith("BUMP_"):
        return "hand" in parameter.found
    told = parameter.guard or "cost" in parameter.found or not way_of(parameter)
    return not told and not any(row is not None and (row.get("differ") or "fails" in row) for row in rows)


def effect(row: dict[str, Any] | None) -> str:
    """A row in words: what it adds, on how many scenes (settled tables) the answer differs."""
    if row is None:
        return "not yet"
    if "fails" in row:
        return str(row["fails"])
    if not row["differ"]:
        return "–"
    parts = [f"{row[name]:+d} {name}" for name in ("right", "wrong", "questions") if row[name]]
    return f"{', '.join(parts) or 'counts alike'} ({row['differ']})"


def page(bench: Bench) -> str:
    """docs/parameters.md."""
    plain = {way: bench.rows.get((way, "none")) for way in ("one pass", "two passes", "recording", "films")}
    said = {
        way: f"{row['right']} right, {row['wrong']} wrong, {row['questions']} questions"
        for way, row in plain.items()
        if row
    }
    newer = sorted({row["plain"] for row in bench.rows.values() if "plain" in row})
    lines = [
        "# Parameters of vision",
        "",
        "The numbers that decide what a picture means, and what each does when it is moved by a fifth. Their meanings,",
        "and how they were found, stand beside them in `companion/vision/**/parameters.py`. Written by",
        "`benchmarks/parameters.py --write`.",
        "",
        f"* **Reading, assembly, pipeline**: {bench.count} composed scenes of held-out prints, every arrangement",
        f"  in ordinary and in harsh light, read once: {said.get('one pass', '')}. Rules of the second pass:",
        f"  the same scenes read twice: {said.get('two passes', '')}.",
        f"* **Following**: the demo recording, watched and judged: {said.get('recording', 'not measured yet')}.",
        f"  Numbers that hands show: {len(FILMS)} filmed games of bots at 480 × 270 px, followed with perfect eyes",
        f"  that take {READING_S} s to read: {said.get('films', 'not measured yet')}.",
        "* **Effect**: the change in cards (hands laid) right, wrong names and questions, and in brackets on how many",
        "  scenes (settled tables) the answer differs. “–”: on none.",
        "* **Extreme**: the same with the number next to nothing / next to endless, where a fifth changes nothing.",
        "* Whole numbers move by one at least. A share or a cosine near 1 cannot be reached any more a fifth higher.",
        "* **Why it stays**: where neither shows what a number is for, the test that fails without its rule, or what",
        "  more scenes show.",
        "* “not yet”: to be measured still; the script goes on where it was stopped.",
        "* “enrolled”: a rule for enrolled decks alone, which these scenes do not show; what those are measured on is",
        "  another set of scenes (`docs/custom-decks.md`).",
        "* Most rows of reading, assembly, pipeline were measured before a learned score said what a further card is;",
        "  what that score says now is no number here (`docs/reading.md`).",
        f"* ¹: measured later. Without a change {'; '.join(newer)}.",
        "* So few scenes tell what a number can do, not its best value: none was chosen by this table.",
        "",
    ]
    for storey in STOREYS:
        own = [p for p in parameters() if p.storey == storey]
        lines += [f"## {storey or 'shared'}", ""]
        if storey in UNMEASURED:
            lines += [UNMEASURED[storey], ""]
            lines += ["| name | value | unit | why it stays |", "|---|---|---|---|"]
            for p in own:
                test = (bench.rows.get((p.key, "tests")) or {}).get("test")
                why = p.guard or (f"`{test}`" if test else p.found)
                lines.append(f"| {p.name} | {shown(p.value)} | {p.unit} | {why} |")
            lines.append("")
            continue
        lines += [
            "| name | value | unit | effect −20 % | effect +20 % | extreme | why it stays |",
            "|---|---|---|---|---|---|---|",
        ]
        for p in own:
            rows = {change: bench.rows.get((p.key, change)) for change in (*CHANGES, *EXTREMES)}
            low, high = ("enrolled" if enrolled(p) else effect(rows[change]) for change in CHANGES)
            ends = " / ".join(effect(rows[change]) for change in EXTREMES) if all(rows[c] for c in EXTREMES) else ""
            ended = any(
                row is not None and (row.get("differ") or "fails" in row) for row in (rows[c] for c in EXTREMES)
            )
            test = (bench.rows.get((p.key, "tests")) or {}).get("test")
            wide = [row for row in bench.wide.get(p.key, ()) if row["value"] == repr(p.value)]
            more = "; ".join(f"{row['change']} on {row['scenes']} scenes: {effect(row)}" for row in wide)
            told = more or (f"`{test}`" if test else "nothing shows it yet")
            rare = "a rule that its extremes show" if ended else told
            still = p.found if "cost" in p.found else rare
            shows = still if low == high == "–" else f"`{test}`" if test and low == high == "not yet" else ""
            why = p.guard or shows
            later = "¹" * any(row is not None and "plain" in row for row in rows.values())
            lines.append(f"| {p.name}{later} | {shown(p.value)} | {p.unit} | {low} | {high} | {ends} | {why} |")
        lines.append("")
    return "\n".join(lines)
