"""Runs an ONNX network: with ONNX Runtime, or with OpenVINO where that is installed and asked for.

The variable COMPANION_RUNTIME chooses: `onnxruntime`, `openvino`, or nothing for OpenVINO if it is there.
COMPANION_THREADS says how many threads may be used, where several programs share a machine.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from companion.resources import AGAIN, PartError, how_to_install
from companion.vision.images import Pixels

RUNTIMES = ("onnxruntime", "openvino")
VARIABLE = "COMPANION_RUNTIME"
THREADS = "COMPANION_THREADS"
MADE_OF = "made of"
"""Key of a network in eight bits: SHA-256 of the exact file of which it was made."""
_ERRORS = 3


class Session(Protocol):
    """One network. `shape` is that of its input; None where a size is free."""

    shape: tuple[int | None, ...]

    def __call__(self, tensor: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All outputs for one input."""


def as_tensor(pictures: Pixels | Sequence[Pixels]) -> NDArray[np.float32]:
    """BGR pictures of one size (height, width, 3) as a network wants them: (n, 3, height, width), RGB in 0..1."""
    every = np.asarray(pictures)
    tensor = np.empty((len(every), 3, *every.shape[1:3]), np.float32)
    for channel in range(3):
        np.divide(every[..., 2 - channel], np.float32(255), out=tensor[:, channel])
    return tensor


def quantized_path(path: Path) -> Path:
    """Where the same network lies in eight bits, several times as fast (`training.quantize` makes it)."""
    return path.with_name(f"{path.stem}-8bit{path.suffix}")


def thread_count(threads: int) -> int:
    """How many threads may be used: `threads`, or what COMPANION_THREADS says. PartError where that is no number."""
    given = os.environ.get(THREADS, "")
    if not given:
        return threads
    if not given.isdecimal() or not int(given):
        raise PartError(f"{THREADS}={given}: a number of threads is 1 or more")
    return int(given)


def session(
    path: Path, threads: int = 2, runtime: str | None = None, *, coarse: bool = False, alone: bool = False
) -> Session:
    """Load a network (.onnx), in eight bits where it lies beside it so (see `quantized_path`).

    Several threads may ask it at a time. ONNX Runtime answers each on its own thread; a network that works `alone`, on
    one large picture, gets `threads` (see `thread_count`), as OpenVINO's always do, which answer one after the other.
    `runtime` overrides COMPANION_RUNTIME. PartError: an unknown or missing runtime, or a damaged file. `coarse`:
    bfloat16 is exact enough; OpenVINO computes in it where the processor can.
    """
    wanted = runtime or os.environ.get(VARIABLE, "") or ("openvino" if _has_openvino() else "onnxruntime")
    if wanted not in RUNTIMES:
        raise PartError(f"{VARIABLE}={wanted}: known are {' and '.join(RUNTIMES)}")
    threads = thread_count(threads)
    path = quantized_path(path) if quantized_path(path).is_file() else path
    if wanted == "openvino" and not _has_openvino():
        raise PartError(f"{VARIABLE}=openvino, but OpenVINO is not installed: {how_to_install('openvino')}")
    try:
        return (
            _OnnxRuntime(path, threads if alone else 1) if wanted == "onnxruntime" else _OpenVino(path, threads, coarse)
        )
    except Exception as error:  # each runtime has its own, and what they say is for who wrote the file
        raise PartError(f"the network {path} is damaged or cannot be read: {AGAIN}") from error


def runtime_said() -> str:
    """What the networks run with, for people."""
    names = {"openvino": "OpenVINO", "onnxruntime": "ONNX Runtime"}
    wanted = os.environ.get(VARIABLE, "") or ("openvino" if _has_openvino() else "onnxruntime")
    return names.get(wanted, f"{VARIABLE}={wanted}, which is none of {' and '.join(RUNTIMES)}")


def _has_openvino() -> bool:
    return importlib.util.find_spec("openvino") is not None


class _OnnxRuntime:
    def __init__(self, path: Path, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.add_session_config_entry("session.force_spinning_stop", "1")  # the crops need its threads next
        options.log_severity_level = _ERRORS  # the detector's file keeps numbers for further training, unused here
        self._session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        given = self._session.get_inputs()[0]
        self._name = given.name
        self.shape = tuple(size if isinstance(size, int) else None for size in given.shape)

    def __call__(self, tensor: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        return [np.asarray(out) for out in self._session.run(None, {self._name: tensor})]


class _OpenVino:
    """Compiled once for each picture size, as free sizes run slower; the number of crops in a batch stays free."""

    def __init__(self, path: Path, threads: int, coarse: bool) -> None:
        import openvino

        self._core = openvino.Core()
        short = coarse and "BF16" in self._core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        self._settings = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "bf16" if short else "f32",  # unasked, bfloat16 would be used wherever there is
        }
        self._path = path
        sizes = self._core.read_model(path).inputs[0].partial_shape
        self.shape = tuple(size.get_length() if size.is_static else None for size in sizes)
        self._compiled = lru_cache(maxsize=12)(self._compile)
        self._one_at_a_time = Lock()

    def _compile(self, high: int, wide: int) -> Any:
        model = self._core.read_model(self._path)
        model.reshape([self.shape[0] or -1, self.shape[1] or 3, high, wide])
        return self._core.compile_model(model, "CPU", self._settings)

    def __call__(self, tensor: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        with self._one_at_a_time:
            answer = self._compiled(tensor.shape[2], tensor.shape[3])(tensor)
            return [np.array(answer[number]) for number in range(len(answer))]
