"""Both ways to run a network give the same answer; a wrong choice is said."""

from __future__ import annotations

import numpy as np
import pytest

from companion import resources
from companion.vision.runtime import session

READER = resources.models() / "reader" / "reader.onnx"
DETECTOR = resources.models() / "detector" / "detector.onnx"


def test_openvino_agrees_with_onnx_runtime() -> None:
    pytest.importorskip("openvino", reason="OpenVINO is not installed")
    rng = np.random.default_rng(1)
    for path, shape in ((READER, (3, 3, 64, 48)), (DETECTOR, (1, 3, 192, 320)), (DETECTOR, (1, 3, 320, 320))):
        tensor = rng.random(shape, np.float32)
        answers = [session(path, 1, runtime)(tensor) for runtime in ("onnxruntime", "openvino")]
        for one, other in zip(*answers, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one, other, rtol=0.02, atol=0.02 * float(np.abs(one).max()))


def test_free_sizes_are_none() -> None:
    assert session(DETECTOR, 1, "onnxruntime").shape == (1, 3, None, None) or session(
        DETECTOR, 1, "onnxruntime"
    ).shape == (None, 3, None, None)


def test_an_unknown_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_RUNTIME", "abacus")
    with pytest.raises(ValueError, match="abacus"):
        session(READER)
