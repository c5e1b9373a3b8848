"""Writes the trained detector as the ONNX file that ships."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.training.detector.network import quiet_environment
from companion.vision.reading.runtime import quantized_path


def export(weights: Path, target: Path, half: bool = False) -> Path:
    """Write `target` (ONNX, opset 17, free height and width in steps of 32, raw pose head but boxes); returns it."""
    quiet_environment()
    import shutil

    from ultralytics import YOLO

    with _aside(weights) as copy:
        written = YOLO(str(copy), task="pose").export(
            format="onnx", dynamic=True, opset=17, simplify=True, imgsz=320, device="cpu"
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(written, target)
    if half:
        _halve(target)
    _leave_out_boxes(target)
    quantized_path(target).unlink(missing_ok=True)  # it was made of the weights before
    return target


CORNERS = (
    "/model.10/", "/model.23/cv4", "/model.23/cv3.0/cv3.0.2", "/model.23/cv3.1/cv3.1.2", "/model.23/cv3.2/cv3.2.2",
    "/model.23/Concat", "/model.23/Sigmoid", "/model.23/Mul", "/model.23/Add", "/model.23/Sub", "/model.23/Reshape",
    "/model.23/Transpose", "/model.23/Slice", "/model.23/Split",
)  # fmt: skip
"""What stays exact in eight bits: attention, and the layers that say where corners lie and how sure they are."""


def quantize(onnx: Path, scenes: int) -> Path:
    """Write the detector in eight bits beside `onnx`, fitted to `scenes` composed ones; returns the new file."""
    from companion.training.networks.eight_bits import eight_bits
    from companion.training.scenes import dataset
    from companion.vision.reading.detector import letterbox

    composer = dataset.composer("train", (1280, 720))
    composer.widths, composer.harsh = (40, 260), 0.35
    pictures = (composer.compose(seed).image[..., ::-1] for seed in range(9_500_000, 9_500_000 + scenes))
    return eight_bits(onnx, (letterbox(picture, 640) for picture in pictures), CORNERS)


def _leave_out_boxes(path: Path) -> None:
    """Nothing but the training asks for boxes: corners say more. Their numbers stay in the file, for `revive`.

    Raises ValueError for a network that does not stack boxes, scores and corners into its answer.
    """
    import onnx

    model = onnx.load(str(path))
    makers = {name: node for node in model.graph.node for name in node.output}
    (answer,) = model.graph.output
    stack = makers[answer.name]
    if stack.op_type != "Concat" or len(stack.input) != 3:
        raise ValueError(f"{path} does not stack boxes, scores and corners: another head than the pose head")
    stack.input.pop(0)
    needed, names = set[int](), [answer.name]
    while names:
        node = makers.get(names.pop())
        if node is not None and id(node) not in needed:
            needed.add(id(node))
            names += node.input
    kept = [node for node in model.graph.node if id(node) in needed]
    del model.graph.node[:]
    model.graph.node.extend(kept)
    for size in answer.type.tensor_type.shape.dim:
        size.Clear()
    onnx.save(model, str(path))


def _halve(path: Path) -> None:
    """Store large float tensors as 16-bit, cast back when loaded: half the file, the same arithmetic."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    casts = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 256:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), name + "_h"))
        casts.append(helper.make_node("Cast", [name + "_h"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    onnx.save(model, str(path))


@contextmanager
def _aside(weights: Path) -> Iterator[Path]:
    """A scratch copy, because the exporter writes beside its input."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(weights, copy)
        yield copy
