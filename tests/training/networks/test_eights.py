"""Networks with empty channels answer what they answered without."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from companion import resources
from companion.training.networks import eights

onnx = pytest.importorskip("onnx", reason="training needs the extra `train`")


def answer(path: Path, seen: np.ndarray) -> np.ndarray:
    network = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return np.asarray(network.run(None, {network.get_inputs()[0].name: seen})[0])


def narrowed(graph, name: str, axis: int, channels: int) -> None:
    """Take from weights the channels that were appended to them."""
    held = next(one for one in graph.initializer if one.name == name)
    array = np.take(onnx.numpy_helper.to_array(held), range(channels), axis)
    held.CopyFrom(onnx.numpy_helper.from_array(array, name))


@pytest.mark.parametrize(("kind", "size"), [("same_picture", (72, 56)), ("same_mark", (32, 32))])
def test_what_is_seen_twice_counts_once(kind: str, size: tuple[int, int], tmp_path: Path) -> None:
    shipped, narrow = resources.models() / "decks" / f"{kind}.onnx", tmp_path / f"{kind}.onnx"
    model = onnx.load(str(shipped))
    graph = model.graph
    narrowed(graph, next(node for node in graph.node if node.op_type == "Conv").input[1], 1, 15)
    next(node for node in graph.node if "again" in node.input).input.remove("again")
    graph.node.remove(next(node for node in graph.node if "again" in node.output))
    onnx.save(model, str(narrow))
    seen = np.random.default_rng(1).random((3, 9, *size), np.float32)
    before = answer(narrow, seen)
    for _ in range(2):
        eights.compared(narrow)
        assert np.allclose(answer(narrow, seen), before, atol=1e-4)
    assert np.allclose(answer(shipped, seen), before, atol=1e-4) and np.ptp(before) > 1e-3


def test_maps_are_the_same_with_empty_channels(tmp_path: Path) -> None:
    shipped, narrow = resources.models() / "decks" / "decks.onnx", tmp_path / "decks.onnx"
    model = onnx.load(str(shipped))
    for name, axis in (("first.weight", 0), ("pool.weight", 0), ("straight.weight", 1)):
        narrowed(model.graph, name, axis, 14)
    pool = next(node for node in model.graph.node if "pool.weight" in node.input)
    next(each for each in pool.attribute if each.name == "group").i = 14
    onnx.save(model, str(narrow))
    crops = np.random.default_rng(1).random((2, 3, 144, 112), np.float32)
    before = answer(narrow, crops)
    for _ in range(2):
        eights.pooled(narrow)
        assert np.allclose(answer(narrow, crops), before, atol=1e-4)
    assert np.allclose(answer(shipped, crops), before, atol=1e-4) and np.ptp(before) > 1
