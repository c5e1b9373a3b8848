"""Both ways to run a network give the same answer; a wrong choice is said."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from companion import resources
from companion.vision.reading.crops import FACE_SIZE, INDEX_SIZE
from companion.vision.reading.runtime import MADE_OF, as_tensor, quantized_path, session

READER = resources.models() / "reader" / "reader.onnx"
DETECTOR = resources.models() / "detector" / "detector.onnx"


def test_openvino_agrees_with_onnx_runtime() -> None:
    """In 32 bits to the last digits, in eight as nearly as their steps are wide."""
    pytest.importorskip("openvino", reason="OpenVINO is not installed")
    rng = np.random.default_rng(1)
    for path, shape, step in (
        (READER, (3, 3, 64, 48), 0.1),
        (DETECTOR, (1, 3, 192, 320), 0.1),
        (DETECTOR, (1, 3, 320, 320), 0.1),
    ):
        tensor = rng.random(shape, np.float32)
        answers = [session(path, 1, runtime)(tensor) for runtime in ("onnxruntime", "openvino")]
        for one, other in zip(*answers, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one, other, rtol=1e-4, atol=step * float(np.abs(one).max()))


@pytest.mark.parametrize(("name", "size"), [("reader", INDEX_SIZE), ("aim", INDEX_SIZE), ("face", FACE_SIZE)])
def test_a_network_runs_in_eight_bits_where_it_lies_beside_so_and_answers_nearly_the_same(
    name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    exact = resources.models() / "reader" / f"{name}.onnx"
    alone = tmp_path / exact.name
    shutil.copy(exact, alone)
    rng = np.random.default_rng(2)
    soft = rng.integers(0, 256, (32, size[1] // 8, size[0] // 8, 3), np.uint8).repeat(8, axis=1).repeat(8, axis=2)
    crops = as_tensor(list(soft))
    before = session(alone, 1, "onnxruntime")(crops)
    shutil.copy(quantized_path(exact), quantized_path(alone))
    after = session(alone, 1, "onnxruntime")(crops)
    shipped = session(exact, 1, "onnxruntime")(crops)
    for one, other, same in zip(before, after, shipped, strict=True):
        assert np.array_equal(other, same)
        assert 0 < np.abs(one - other).mean() < 0.15 * one.std()
    assert quantized_path(exact).stat().st_size < 0.4 * exact.stat().st_size


def test_the_detector_in_eight_bits_was_made_of_the_one_beside_it() -> None:
    """Else `python -m companion.training detector quantize` was forgotten."""
    small = quantized_path(DETECTOR)
    if not small.exists():
        pytest.skip("the detector runs as it was trained")
    kept = ort.InferenceSession(str(small)).get_modelmeta().custom_metadata_map
    assert kept[MADE_OF] == hashlib.sha256(DETECTOR.read_bytes()).hexdigest()


def test_coarse_is_near_enough_for_finding() -> None:
    pytest.importorskip("openvino", reason="OpenVINO is not installed")
    tensor = np.random.default_rng(4).random((1, 3, 192, 320), np.float32)
    exact, coarse = (session(DETECTOR, 1, "openvino", coarse=way)(tensor)[0] for way in (False, True))
    assert np.abs(exact[:, :3] - coarse[:, :3]).max() < 0.05
    corners = [0, 1, 3, 4, 6, 7, 9, 10]
    assert np.median(np.abs(exact[0, 3:][corners] - coarse[0, 3:][corners])) < 0.5  # px


def test_pictures_become_a_tensor_of_rgb() -> None:
    blue = np.zeros((6, 4, 3), np.uint8)
    blue[:, :, 0] = 255
    grey = np.full((6, 4, 3), 51, np.uint8)
    tensor = as_tensor([blue, grey])
    assert (tensor.shape, tensor.dtype) == ((2, 3, 6, 4), np.float32)
    assert tensor[0, :, 5, 3].tolist() == [0, 0, 1]
    assert np.allclose(tensor[1], 0.2)


def test_free_sizes_are_none() -> None:
    assert session(DETECTOR, 1, "onnxruntime").shape == (1, 3, None, None) or session(
        DETECTOR, 1, "onnxruntime"
    ).shape == (None, 3, None, None)


def test_an_unknown_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_RUNTIME", "abacus")
    with pytest.raises(ValueError, match="abacus"):
        session(READER)


def test_the_number_of_threads_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = np.random.default_rng(5).random((1, 3, 192, 320), np.float32)
    two = session(DETECTOR, 2, "onnxruntime", alone=True)(tensor)
    monkeypatch.setenv("COMPANION_THREADS", "1")
    one = session(DETECTOR, 2, "onnxruntime", alone=True)(tensor)
    assert np.allclose(one[0], two[0], rtol=1e-4, atol=1e-3)
    for wrong in ("0", "many", "-1"):
        monkeypatch.setenv("COMPANION_THREADS", wrong)
        with pytest.raises(ValueError, match="COMPANION_THREADS"):
            session(DETECTOR)
