"""Measures the reader on real photographs: `python -m companion.training evaluate --photos DIR [--json OUT]`.

The frozen protocol. A picture's labels are a multiset of names without boxes; so is what was read (cards with a face,
abstentions left out). A label `K?` (suit unknown) is met by any king that met no exact label. Precision is met / read,
recall met / labelled, wrong-and-confident is (read − met) / labelled, a table is exact when the two multisets meet
fully. Pictures are measured read once (`pipeline.Reader`) and read twice (`pipeline.TwoPassReader`). On a hand-made
deck that nobody enrolled every name read is wrong. Nothing here chooses a threshold: one source, `daraccrafter-webcam`,
is the declared validation set for that, the other measure-only sources are reported once a model version.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.training.scenes.layouts import boxes_cross
from companion.vision.images import PictureError, load
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import PictureReader

VALIDATION = "daraccrafter-webcam"
SEPARATE = ("single", "separate")


@dataclass(frozen=True, slots=True)
class Photo:
    """One manifest line: where the picture is, what lies on it, how it may be used, and its scene class."""

    path: Path
    source: str
    scene: str
    use: str
    names: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """Counts over a group of pictures."""

    pictures: int = 0
    cards: int = 0
    read: int = 0
    met: int = 0
    exact: int = 0

    def add(self, labels: int, read: int, met: int) -> None:
        """Count one picture."""
        self.pictures += 1
        self.cards += labels
        self.read += read
        self.met += met
        self.exact += labels == met == read

    def figures(self) -> dict[str, float | int]:
        """The figures to report; precision of nothing read counts as 1."""
        cards = max(1, self.cards)
        return {
            "pictures": self.pictures,
            "cards": self.cards,
            "precision": round(self.met / self.read, 4) if self.read else 1.0,
            "recall": round(self.met / cards, 4),
            "wrong_confident": round((self.read - self.met) / cards, 4),
            "exact": round(self.exact / max(1, self.pictures), 4),
        }


def scene_class(source: str, row: dict) -> str:
    """single, separate, oblique, overlapping or custom: from the manifest's scene text, boxes and number of cards."""
    text = row.get("scene", "")
    boxes = [card["bbox"] for card in row["cards"] if "bbox" in card]
    if "CUSTOM" in row.get("deck", ""):
        return "custom"
    if "overlapping" in text or any(boxes_cross(a, b) for i, a in enumerate(boxes) for b in boxes[:i]):
        return "overlapping"
    if "oblique" in text:
        return "oblique"
    return "single" if len(row["cards"]) == 1 else "separate"


def photos(folder: Path, sources: Iterable[str] = (), use: str = "measure only") -> list[Photo]:
    """The labelled photographs below `folder`, of the named sources (default all) and the given use."""
    wanted = set(sources)
    out = []
    for manifest in sorted(folder.glob("*/manifest.jsonl")):
        source = manifest.parent.name
        if wanted and source not in wanted:
            continue
        for line in manifest.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row.get("use") == use and not row.get("unlabelled"):
                names = tuple(card["name"] for card in row["cards"])
                out.append(Photo(manifest.parent / row["file"], source, scene_class(source, row), use, names))
    return out


def met(labels: Iterable[str], read: Iterable[str]) -> int:
    """How many labels and readings pair up: exact names first, then labels that know only a rank."""
    exact = Counter("JOKER" if name.startswith("JK") else name for name in labels)
    found = Counter("JOKER" if name.startswith("JK") else name for name in read)
    both = exact & found
    ranks = Counter({name[:-1]: count for name, count in exact.items() if name.endswith("?")})
    left: Counter[str] = Counter()
    for name, count in (found - both).items():
        left[name[:-1]] += count
    return both.total() + (ranks & left).total()


def measure(reader: PictureReader, todo: list[Photo], *, progress: bool = True) -> tuple[dict, list[dict]]:
    """Read all photographs; return the figures by group and one record a picture."""
    groups: dict[str, Tally] = {}
    records, spent = [], []
    for number, photo in enumerate(todo):
        try:
            result = reader.read(load(photo.path))
        except PictureError as error:
            print(error, file=sys.stderr)
            continue
        read = [card.face for card in result.cards if card.face is not None]
        matched = 0 if photo.scene == "custom" else met(photo.names, read)
        keys = [f"source: {photo.source}", f"source × scene: {photo.source} / {photo.scene}"]
        if photo.scene != "custom":
            keys += [f"scene: {photo.scene}", "all indexed decks"]
        if photo.scene in SEPARATE:
            keys.append("separate cards (single, separate)")
        for key in keys:
            groups.setdefault(key, Tally()).add(len(photo.names), len(read), matched)
        spent.append(result.ms)
        records.append({"file": f"{photo.source}/{photo.path.name}", "scene": photo.scene, "labels": photo.names,
                        "met": matched, "cards": [asdict(card) for card in result.cards]})  # fmt: skip
        if progress and sys.stderr.isatty():
            print(f"\r{number + 1}/{len(todo)}", end="", file=sys.stderr)
    figures = {key: groups[key].figures() for key in sorted(groups)}
    return {"figures": figures, "ms_median": round(statistics.median(spent), 1) if spent else None}, records


def table(figures: dict[str, dict]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| group | pictures | cards | precision | recall | wrong and confident | exact tables |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, f in figures.items():
        lines.append(f"| {key} | {f['pictures']} | {f['cards']} | {f['precision']:.3f} | {f['recall']:.3f} | "
                     f"{f['wrong_confident']:.3f} | {f['exact']:.3f} |")  # fmt: skip
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training evaluate", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with one folder a source")
    parser.add_argument("--sources", nargs="*", default=[], help="only these (default: all)")
    parser.add_argument("--use", default="measure only", help="'measure only' or 'may train' (for looking at errors)")
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--records", type=Path, help="write one JSON line a picture here")
    parser.add_argument("--composed", type=int, default=0, help="also measure on this many composed scenes")
    given = parser.parse_args(argv)
    todo = photos(given.photos, given.sources, given.use)
    if not todo:
        parser.error(f"no labelled photographs with use {given.use!r} below {given.photos}")
    reader = Reader(given.models)
    report, records = measure(reader, todo)
    twice, _ = measure(TwoPassReader(reader), todo)
    report["figures, read twice"] = twice["figures"]
    print(table(report["figures"]), "read twice:", table(twice["figures"]), sep="\n\n")
    print(f"\nmedian {report['ms_median']} ms a picture, {twice['ms_median']} ms read twice")
    if given.composed:
        from companion.training.evaluation.composed import measure_composed

        report["composed scenes of held-out prints"] = measure_composed(reader, given.composed)
        print(json.dumps(report["composed scenes of held-out prints"], indent=2))
    if given.json:
        given.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    if given.records:
        given.records.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return 0
