"""Puts the reader's networks into eight bits, three times as fast: `python -m companion.training quantize`.

All layers compute in eight bits (`networks.eight_bits`), fitted to crops of the training prints. The trained file stays
beside it as it is: training goes on from that (`revive`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion import resources
from companion.training.networks.eight_bits import eight_bits
from companion.training.reader.stream import DRAWERS, FILES, Stream
from companion.vision.reading.runtime import as_tensor, quantized_path

BATCH = 64


def _drawn(kind: str) -> Iterator[np.ndarray]:
    """What a network sees, as it does in training."""
    stream = Stream(40, 9, DRAWERS[kind])
    for number in range(4):
        crops = stream[number][0].numpy()
        yield from (as_tensor(list(crops[first : first + BATCH])) for first in range(0, len(crops), BATCH))


def differences(source: Path, batch: np.ndarray) -> dict[str, float]:
    """How far the answers in eight bits are from the exact ones, as a share of the spread of these: by output."""
    import onnxruntime as ort

    first, second = (ort.InferenceSession(str(path), providers=["CPUExecutionProvider"]) for path in
                     (source, quantized_path(source)))  # fmt: skip
    name = first.get_inputs()[0].name
    answers = zip(first.get_outputs(), first.run(None, {name: batch}), second.run(None, {name: batch}), strict=True)
    return {out.name: round(float(np.abs(a - b).mean() / a.std()), 4) for out, a, b in answers}


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training quantize", description=__doc__)
    parser.add_argument("--out", type=Path, default=resources.models() / "reader", help="folder of the weights")
    parser.add_argument("--kind", nargs="*", default=list(FILES), choices=list(FILES))
    given = parser.parse_args(argv)
    for kind in given.kind:
        source = given.out / FILES[kind]
        if not source.is_file():
            parser.error(f"{source} is missing: train it first")
        target = eight_bits(source, _drawn(kind))
        print(target, json.dumps(differences(source, next(_drawn(kind)))), flush=True)
    return 0
