"""A network in eight bits answers nearly as the exact one, runs in its place, and goes when that is written anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("onnx", reason="training needs the extra `train`")

import torch

from companion.training.reader import net as reader_net
from companion.training.reader import quantize
from companion.vision.reading.runtime import quantized_path, session


def batches(count: int) -> list[np.ndarray]:
    """Soft random crops (count, 32, 3, 64, 48), 0..1."""
    rng = np.random.default_rng(5)
    return [rng.random((32, 3, 8, 6), np.float32).repeat(8, axis=2).repeat(8, axis=3) for _ in range(count)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch: its older ONNX export
def test_a_network_of_ours_runs_in_eight_bits(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net, exact = reader_net.IndexNet(), tmp_path / "reader.onnx"
    reader_net.export(net, exact)
    crops = batches(5)
    before = session(exact, 1, "onnxruntime")(crops[4])
    assert quantize.eight_bits(exact, iter(crops[:4])) == quantized_path(exact)
    assert quantized_path(exact).stat().st_size < 0.4 * exact.stat().st_size
    off = quantize.differences(exact, crops[4])
    assert list(off) == ["rank", "suit", "letter"]
    assert all(0 < far < 0.3 for far in off.values())
    after = session(exact, 1, "onnxruntime")(crops[4])
    assert all(0 < np.abs(a - b).mean() < 0.3 * a.std() for a, b in zip(before, after, strict=True))
    reader_net.export(net, exact)
    assert not quantized_path(exact).exists()
    assert np.array_equal(session(exact, 1, "onnxruntime")(crops[4])[0], before[0])


def test_a_network_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        quantize.main(["--out", str(tmp_path), "--kind", "aim"])
    assert "aim.onnx is missing" in capsys.readouterr().err
