"""Looks at the reader's errors: figures by arrangement, what is taken for what, and the worst pictures.

`python -m companion.training errors --out FOLDER` reads composed scenes of one arrangement after the other. Only
invented prints on drawn tables occur, so that every picture may be shown.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from companion.training.evaluation.composed import Sums, names_of, plain, readable, truth
from companion.training.scenes import backgrounds, layouts, prints
from companion.training.scenes import compose as scenes
from companion.vision.annotate import annotate
from companion.vision.geometry import as_quad, iou
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.types import CardRead, PictureReader, ReadResult

FIRST_SEED = 55_000_000
SIZE = (1280, 720)
ARRANGEMENTS = tuple(name for name in layouts.MAKERS if name != "single")
WORST_PX = 480

_THERE = 0.2
"""A name that shares less than this (IoU) with every card lies where none does."""


def errors(scene: scenes.Scene, result: ReadResult) -> tuple[list[tuple[str, CardRead]], list[scenes.CardLabel]]:
    """Wrong names with the face that lies there ("" where none does), and cards that must be read but were not.

    Of several equal cards those count that lie least over one of that name.
    """
    must, lying = truth(scene)
    spare, missed = names_of(result) - lying, must - names_of(result)
    wrong, lost = [], []
    for name in spare | missed:
        read = [card for card in result.cards if card.face and plain(card.face) == name]
        lies = [label for label in scene.cards if label.face and plain(label.face) == name]
        shares = {id(card): max((_shared(card, label) for label in lies), default=0.0) for card in read}
        for card in sorted(read, key=lambda card: shares[id(card)])[: spare[name]]:
            there = [(_shared(card, label), label.face or "back") for label in scene.cards]
            share, face = max(there, default=(0.0, ""))
            wrong.append((face if share > _THERE else "", card))
        met = {id(label): max((_shared(card, label) for card in read), default=0.0) for label in lies}
        lost += sorted(filter(readable, lies), key=lambda label: met[id(label)])[: missed[name]]
    return wrong, lost


def _shared(card: CardRead, label: scenes.CardLabel) -> float:
    """What a card read shares with one that lies there (IoU)."""
    return iou(label.quad, as_quad(card.polygon))


def look(reader: PictureReader, count: int, out: Path) -> dict:
    """Read `count` scenes of each arrangement; writes `worst-NAME.jpg` pictures, returns figures and confusions."""
    composer = scenes.Composer(
        [p for p in prints.load_prints("heldout", drawn=16) if p.source == "invented"], backgrounds.Bank(), SIZE
    )
    composer.widths = (40, 260)
    out.mkdir(parents=True, exist_ok=True)
    report: dict = {"arrangements": {}, "taken for": {}}
    confused: Counter[tuple[str, str]] = Counter()
    for number, name in enumerate(ARRANGEMENTS):
        composer.arrangement = name
        sums, worst = Sums(), (-1, None, None)
        for seed in range(FIRST_SEED + 100_000 * number, FIRST_SEED + 100_000 * number + count):
            scene = composer.compose(seed)
            picture = np.ascontiguousarray(scene.image[..., ::-1])
            result = reader.read(picture)
            sums.add(scene, names_of(result))
            wrong, lost = errors(scene, result)
            confused.update((face, card.face or "") for face, card in wrong)
            badness = 3 * len(wrong) + len(lost)
            if badness > worst[0]:
                worst = (badness, picture, result)
        report["arrangements"][name] = sums.figures()
        _, picture, result = worst
        if picture is not None and result is not None:
            shown = annotate(picture, result)
            scale = WORST_PX / shown.shape[1]
            small = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(out / f"worst-{name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 72])
    report["taken for"] = {f"{face or 'nothing'} → {name}": n for (face, name), n in confused.most_common()}
    return report


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training errors", description=__doc__)
    parser.add_argument("--models", type=Path, help="folder of the weights (default: those shipped)")
    parser.add_argument("--scenes", type=int, default=20, help="scenes of each arrangement")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures and report.json")
    given = parser.parse_args(argv)
    report = look(TwoPassReader(Reader(given.models)), given.scenes, given.out)
    (given.out / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(report, indent=2, ensure_ascii=False))
    return 0
