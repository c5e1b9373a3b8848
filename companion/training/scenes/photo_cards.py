"""Cards cut out of photographs that may train, and the tables they lay on, for pasting scenes of them together.

Two decks: a Bicycle deck of which 24 faces (9 to ace) lie in several photographs each (`edje-tf-cards`), and a Piatnik
deck of which each card was photographed once (`predrag-piatnik`). The labels of the first know rank and box. Outline
and suit are what the shipped reader saw there, kept only where the rank is the label's, the outline fills the label's
box, and the picture looks like most others of that face: covered, blurred or misnamed cut-outs do not. All that were
left have been looked at by eye: every name was right.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.training.scenes import prints
from companion.training.scenes.backgrounds import card_free
from companion.training.scenes.layouts import boxes_cross
from companion.vision.assembly import edges
from companion.vision.geometry import as_quad
from companion.vision.images import Pixels, load
from companion.vision.pipeline import Reader
from companion.vision.reading.crops import rectify
from companion.vision.types import CardRead

BICYCLE, PIATNIK = "edje-tf-cards", "predrag-piatnik"
BICYCLE_BOX: prints.Box = (0.025, 0.03, 0.16, 0.245)
SURE = 0.99  # a name below is not trusted as a label
FILLS = 0.85  # an outline's box and the label's share this much (intersection / union)
ALIKE = 0.82  # correlation with the median picture of the face
SMALL = (50, 70)
LEAST_STRIP = 120  # a card-free strip narrower than this (px) shows no table
EVEN = (22, 0.5)  # the parts of an even table's strip differ by less: in grey levels, and as a share of the brightness


@dataclass(frozen=True, slots=True)
class Cut:
    """One photographed card: RGBA picture of its own size, upright, and the colour of its paper (RGB)."""

    face: str
    picture: np.ndarray
    paper: np.ndarray


@dataclass(frozen=True, slots=True)
class Table:
    """A card-free part of a photograph (RGB), and what cards looked like there: width in px, colour of the paper."""

    texture: np.ndarray
    card_px: float
    paper: np.ndarray


@dataclass(frozen=True, slots=True)
class Source:
    """The cut-outs of one deck by face, and the print that says where their indices are."""

    name: str
    cuts: dict[str, list[Cut]]
    design: prints.Print


def load_sources(photos: Path) -> tuple[list[Source], list[Table]]:
    """The decks and tables of the photographs below `photos`; raises FileNotFoundError where there are none."""
    sources, tables = [], []
    if (photos / BICYCLE / "manifest.jsonl").exists():
        rows = _rows(photos / BICYCLE)
        outlines = _outlines(photos / BICYCLE, rows)
        sources.append(_source(BICYCLE, _bicycle(photos / BICYCLE, outlines), BICYCLE_BOX, 2))
        tables = _tables(photos / BICYCLE, rows, outlines)
    if (photos / PIATNIK / "manifest.jsonl").exists():
        deck = next((p for p in prints.load_prints("train", drawn=0) if p.name == "piatnik-photo"), None)
        if deck is not None:
            cuts = [Cut(face, np.array(picture), _paper(picture[..., :3])) for face, picture in deck.faces.items()]
            sources.append(_source(PIATNIK, cuts, deck.index, deck.corners))
    if not sources or not tables:
        raise FileNotFoundError(f"no photographs with use 'may train' below {photos}")
    return sources, tables


def _rows(base: Path) -> list[dict]:
    rows = [json.loads(line) for line in (base / "manifest.jsonl").read_text("utf-8").splitlines()]
    return [row for row in rows if row.get("use") == "may train"]


def _source(name: str, cuts: list[Cut], box: prints.Box, corners: int) -> Source:
    by_face: dict[str, list[Cut]] = defaultdict(list)
    for one in cuts:
        by_face[one.face].append(one)
    faces = {face: found[0].picture for face, found in by_face.items()}
    return Source(name, dict(by_face), prints.Print(name, name, "train", faces, [], box, corners))


def _outlines(base: Path, rows: list[dict]) -> list[dict]:
    """`file`, `face` and `quad` of each card that lies free and was surely read; kept beside the rendered prints.

    Kept, so that scenes stay the same when the weights change.
    """
    key = hashlib.sha256((base / "manifest.jsonl").read_bytes()).hexdigest()[:12]
    kept = prints.cache_dir() / f"photo-cards-{key}.json"
    if not kept.exists():
        reader = Reader()
        found = [one for row in rows for one in _outlines_in(reader, load(base / row["file"]), row)]
        kept.write_text(json.dumps(found), "utf-8")
    return json.loads(kept.read_text("utf-8"))


def _outlines_in(reader: Reader, image: Pixels, row: dict) -> list[dict]:
    height, width = image.shape[:2]
    boxes = [card["bbox"] for card in row["cards"]]
    cards = reader.read(image).cards
    out = []
    for number, (card, box) in enumerate(zip(row["cards"], boxes, strict=True)):
        x, y, w, h = box
        inside = x >= 3 and y >= 3 and x + w <= width - 3 and y + h <= height - 3
        if not inside or any(boxes_cross(box, other) for k, other in enumerate(boxes) if k != number):
            continue
        one = max(cards, key=lambda read: _fills(read, box), default=None)
        if one is None or one.face is None or one.confidence < SURE or _fills(one, box) < FILLS:
            continue
        if one.face[:-1] == card["name"][:-1]:
            quad = edges.refine_outlines(edges.min_channel(image), [as_quad(one.polygon)], (0.05, 0.02))[0]
            out.append({"file": row["file"], "face": one.face, "quad": quad.round(2).tolist()})
    return out


def _fills(card: CardRead, box: list[float]) -> float:
    """Intersection / union of a card's bounding box and a label's (x, y, width, height)."""
    quad, (x, y, w, h) = as_quad(card.polygon), box
    low, high = quad.min(axis=0), quad.max(axis=0)
    shared = np.prod(np.maximum(0, np.minimum(high, [x + w, y + h]) - np.maximum(low, [x, y])))
    return float(shared / (np.prod(high - low) + w * h - shared))


def _bicycle(base: Path, outlines: list[dict]) -> list[Cut]:
    """The cut-outs that look like most others of their face, all turned one way."""
    by_face: dict[str, list[np.ndarray]] = defaultdict(list)
    for one in outlines:
        image, quad = cv2.imread(str(base / one["file"])), np.array(one["quad"])
        inner = quad + 0.008 * (quad[[2, 3, 0, 1]] - quad)  # nothing of the table round the edge
        width = float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))
        size = (round(width), round(width * 1.4))
        by_face[one["face"]].append(cv2.cvtColor(rectify(image, inner, size), cv2.COLOR_BGR2RGB))
    out = []
    for face, pictures in by_face.items():
        small = [cv2.resize(p, SMALL, interpolation=cv2.INTER_AREA).astype(np.float32) for p in pictures]
        usual = np.median([_like(one, small[0])[1] for one in small], axis=0)
        for picture, one in zip(pictures, small, strict=True):
            alike, turned = _like(one, usual)
            if alike >= ALIKE:
                upright = picture if turned is one else np.ascontiguousarray(picture[::-1, ::-1])
                out.append(Cut(face, prints.round_corners(upright, 0.05), _paper(picture)))
    return out


def _like(one: np.ndarray, other: np.ndarray) -> tuple[float, np.ndarray]:
    """Correlation of two small pictures, and the first as it lies or after half a turn, whichever is more alike."""
    turned = one[::-1, ::-1]
    straight, half = (float(np.corrcoef(p.ravel(), other.ravel())[0, 1]) for p in (one, turned))
    return (straight, one) if straight >= half else (half, turned)


def _paper(picture: np.ndarray) -> np.ndarray:
    """The colour of a card's paper: what its brighter pixels have, RGB."""
    return np.percentile(picture.reshape(-1, 3), 80, axis=0)


def _tables(base: Path, rows: list[dict], outlines: list[dict]) -> list[Table]:
    """The card-free strip of each photograph in which a card was cut out, where nothing else lies on it."""
    by_file = {one["file"]: np.array(one["quad"]) for one in outlines}
    out = []
    for row in rows:
        quad = by_file.get(row["file"])
        if quad is None:
            continue
        image = cv2.cvtColor(cv2.imread(str(base / row["file"])), cv2.COLOR_BGR2RGB)
        strip = card_free(image, [card["bbox"] for card in row["cards"]], LEAST_STRIP)
        if strip is not None and _is_even(strip):
            body = rectify(image, quad, SMALL)
            out.append(Table(strip, float(np.linalg.norm(quad[1] - quad[0])), _paper(body)))
    return out


def _is_even(strip: np.ndarray) -> bool:
    spread = cv2.resize(strip, (4, 4), interpolation=cv2.INTER_AREA).std(axis=(0, 1)).max()
    return bool(spread < min(EVEN[0], EVEN[1] * strip.mean()))
