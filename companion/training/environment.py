"""Makes the environment that trains: `python -m companion.training environment FOLDER`.

A plain install of ultralytics brings gigabytes of GPU libraries. On a machine without a GPU it needs only a CPU build
of torch, and a package named torchvision for its metadata and one function, which ultralytics has itself. So a
three-file stand-in is installed instead, and ultralytics without its dependencies.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TORCH = "torch==2.13.0"
PLAIN = ("numpy", "opencv-python-headless", "pillow", "pyyaml", "requests", "psutil", "matplotlib", "polars", "onnx",
         "onnxslim", "onnxruntime", "resvg-py", "scikit-learn")  # fmt: skip
ULTRALYTICS = ("ultralytics==8.4.190", "ultralytics-thop")
VERSION = "0.28.0+stub"
STAND_IN = {
    "pyproject.toml": f"""[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "torchvision"
version = "{VERSION}"
[tool.setuptools]
packages = ["torchvision"]
""",
    "torchvision/__init__.py": f'__version__ = "{VERSION}"\nfrom . import ops\n',
    "torchvision/ops.py": """def nms(boxes, scores, iou_threshold):
    from ultralytics.utils.nms import TorchNMS

    return TorchNMS.nms(boxes, scores, iou_threshold)
""",
}


def write_stand_in(folder: Path) -> None:
    """Write the stand-in's source tree below `folder`."""
    for name, text in STAND_IN.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def make(folder: Path, torch: str = TORCH) -> None:
    """Create the virtual environment `folder` with all that training needs. Raises CalledProcessError if pip fails."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")

    def pip(*what: str) -> None:
        subprocess.run([python, "-m", "pip", "install", "-q", *what], check=True)

    pip(torch)
    pip(*PLAIN)
    with tempfile.TemporaryDirectory() as scratch:
        write_stand_in(Path(scratch))
        pip("--no-deps", scratch, *ULTRALYTICS)


def main(argv: list[str]) -> int:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m companion.training environment", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--torch", default=TORCH, help="what to ask pip for, e.g. the path of a CPU wheel")
    a = parser.parse_args(argv)
    try:
        make(a.folder, a.torch)
    except subprocess.CalledProcessError as problem:
        print(f"the environment could not be made: {problem}", file=sys.stderr)
        return 1
    return 0
