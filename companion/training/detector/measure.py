"""Figures for the detector on composed scenes of held-out prints (never on the training distribution's own prints).

The network is run alone, one look at the scene's own size: what the running program adds (several scales) is not
measured here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.training.scenes import dataset

BANDS = (14, 30, 50, 80, 130, 400)  # card widths in px, as bands


@dataclass(frozen=True, slots=True)
class Detection:
    """One answer of the network: class, score, box x0 y0 x1 y1 px, quad 4×2 px."""

    kind: int
    score: float
    box: np.ndarray
    quad: np.ndarray


@dataclass(slots=True)
class Tally:
    """Counts of one class: scores with hit or miss, number of things to find, corner errors, recall by width."""

    marks: list[tuple[float, bool, float]] = field(default_factory=list)
    wanted: int = 0
    errors: list[float] = field(default_factory=list)
    by_width: dict[int, list[int]] = field(default_factory=dict)


def box_iou(one: np.ndarray, many: np.ndarray) -> np.ndarray:
    """Intersection over union of one box with n boxes."""
    low, high = np.maximum(one[:2], many[:, :2]), np.minimum(one[2:], many[:, 2:])
    common = np.clip(high - low, 0, None).prod(1)
    return common / (np.prod(one[2:] - one[:2]) + (many[:, 2:] - many[:, :2]).prod(1) - common + 1e-9)


def detect(session: Any, image: np.ndarray, least: float = 0.05) -> list[Detection]:
    """The network's detections for an RGB picture whose sides are multiples of 32, suppressed per class (IoU 0.6)."""
    tensor = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / 255
    table = session.run(None, {session.get_inputs()[0].name: tensor})[0][0].T
    scores, kinds = table[:, :3].max(1), table[:, :3].argmax(1)
    corners = table[:, 3:].reshape(-1, 4, 3)[:, :, :2]
    out: list[Detection] = []
    for kind in range(3):
        rows = np.flatnonzero((kinds == kind) & (scores > least))
        boxes = np.concatenate([corners[rows].min(axis=1), corners[rows].max(axis=1)], axis=1)
        boxes = np.clip(boxes, 0, np.tile(image.shape[1::-1], 2))
        left = np.argsort(-scores[rows])
        while len(left):
            best, left = left[0], left[1:]
            row = rows[best]
            out.append(Detection(kind, float(scores[row]), boxes[best], corners[row]))
            left = left[box_iou(boxes[best], boxes[left]) < 0.6]
    return out


def score_scene(detections: list[Detection], asked: list[dataset.Target], tallies: list[Tally], sure: float) -> None:
    """Match detections to targets (box IoU ≥ 0.5, greedy by score) and count."""
    for kind in range(3):
        want = [t for t in asked if t.kind == kind]
        tally, taken = tallies[kind], set()
        tally.wanted += len(want)
        boxes = np.array([t.box for t in want], float).reshape(-1, 4)
        for g in sorted((g for g in detections if g.kind == kind), key=lambda g: -g.score):
            share = box_iou(g.box, boxes) if len(want) else np.zeros(0)
            order = [k for k in np.argsort(-share) if k not in taken and share[k] >= 0.5]
            tally.marks.append((g.score, bool(order), float(share[order[0]]) if order else 0.0))
            if not order:
                continue
            taken.add(order[0])
            target = want[order[0]]
            if g.score >= sure:
                seen = np.array(target.seen) > 0
                size = np.hypot(*(target.quad[1] - target.quad[0]))
                if seen.any():
                    tally.errors.append(float(np.hypot(*(g.quad - target.quad)[seen].T).mean() / size))
        for k, t in enumerate(want):
            width = min(np.hypot(*(t.quad[1] - t.quad[0])), np.hypot(*(t.quad[3] - t.quad[0])))
            band = int(np.digitize(width, BANDS))
            counts = tally.by_width.setdefault(band, [0, 0])
            counts[0] += k in taken
            counts[1] += 1


def average_precision(marks: list[tuple[float, bool, float]], wanted: int, iou: float) -> float:
    """Area under the precision-recall curve (101 points) where a hit needs at least this IoU."""
    if not wanted or not marks:
        return 0.0
    hits = np.array([h and share >= iou for _, h, share in sorted(marks, key=lambda m: -m[0])], float)
    got = np.cumsum(hits)
    precision = np.maximum.accumulate((got / np.arange(1, len(hits) + 1))[::-1])[::-1]
    return float(np.interp(np.linspace(0, 1, 101), got / wanted, precision, right=0).mean())


def figures(tallies: list[Tally], sure: float) -> dict[str, Any]:
    """The tallies as a small report."""
    out: dict[str, Any] = {}
    for name, t in zip(dataset.NAMES, tallies, strict=True):
        sure_marks = [m for m in t.marks if m[0] >= sure]
        hits = sum(m[1] for m in sure_marks)
        bands = {
            f"{BANDS[b - 1]}-{BANDS[b]}px": round(c[0] / c[1], 3)
            for b, c in sorted(t.by_width.items())
            if 0 < b < len(BANDS) and c[1] >= 10
        }
        out[name] = {
            "things": t.wanted,
            "ap50": round(average_precision(t.marks, t.wanted, 0.5), 4),
            "ap75": round(average_precision(t.marks, t.wanted, 0.75), 4),
            f"precision_at_{sure}": round(hits / max(1, len(sure_marks)), 4),
            f"recall_at_{sure}": round(hits / max(1, t.wanted), 4),
            "corner_error_of_width_median": round(float(np.median(t.errors)), 4) if t.errors else None,
            "corner_error_of_width_p90": round(float(np.percentile(t.errors, 90)), 4) if t.errors else None,
            "recall_by_short_side_any_score": bands,
        }
    return out


def report(
    onnx: Path, count: int, target: Path | None = None, *, sure: float = 0.4, first: int = 9_500_000
) -> dict[str, Any]:
    """Compose `count` held-out scenes, run the network, print the figures and write them to `target`."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
    cv2.setNumThreads(1)
    maker = dataset.composer("heldout", (320, 320))
    tallies = [Tally() for _ in dataset.NAMES]
    for seed in range(first, first + count):
        scene = maker.compose(seed)
        score_scene(detect(session, scene.image), dataset.targets(scene), tallies, sure)
    found = {"scenes": count, "prints": [p.name for p in maker.prints], "size": [320, 320], **figures(tallies, sure)}
    text = json.dumps(found, indent=2, ensure_ascii=False)
    print(text)
    if target is not None:
        target.write_text(text + "\n", "utf-8")
    return found
