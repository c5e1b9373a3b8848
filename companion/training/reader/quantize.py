"""Puts the reader's networks into eight bits, three times as fast: `python -m companion.training quantize`.

All layers compute in eight bits, weights by channel, in a range fitted to what flows there on crops of the training
prints (the 99.999th percentile; Krishnamoorthi, "Quantizing deep convolutional networks", 2018). Weights keep to seven
of the bits, so that processors without dot products of bytes do not overflow. The trained file stays beside it as it
is: training goes on from that (`revive`). The detector stays exact: in eight bits its corners move by half a pixel.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion import resources
from companion.training.reader.stream import DRAWERS, FILES, Stream
from companion.vision.reading.runtime import as_tensor, quantized_path

BATCH = 64
PERCENTILE = 99.999


def eight_bits(source: Path, batches: Iterator[np.ndarray]) -> Path:
    """Write the network `source` (.onnx) in eight bits beside it (`runtime.small`); returns the new file.

    `batches`: inputs (n, 3, height, width) of the usual kind, float32.
    """
    import onnx
    from onnxruntime.quantization import (
        CalibrationDataReader,
        CalibrationMethod,
        QuantFormat,
        QuantType,
        quantize_static,
    )
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Inputs(CalibrationDataReader):
        def __init__(self, name: str) -> None:
            self.rest = ({name: batch} for batch in batches)

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self.rest, None)

    target = quantized_path(source)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(source), str(plain), skip_symbolic_shape=True)
        name = onnx.load(str(plain)).graph.input[0].name
        quantize_static(
            str(plain), str(target), Inputs(name), quant_format=QuantFormat.QDQ, activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
            calibrate_method=CalibrationMethod.Percentile, extra_options={"CalibPercentile": PERCENTILE},
        )  # fmt: skip
    return target


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
