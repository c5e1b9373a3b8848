"""How long one look at a table takes, and how much memory: ONNX Runtime, OpenVINO, and ultralytics in PyTorch.

The picture is drawn from the project's own artwork: 1920 × 1080, 20 cards, two of them true duplicates; and another,
1280 × 720, that one card nearly fills. Each way runs in a process of its own with two threads, so that its peak memory
is its own; rounds take turns, so that a busy machine is busy for all. ultralytics runs where `--train-python` names a
Python that has it (see docs/training.md): its stock yolo11n with 52 classes at 640 and at 1280 px, untrained unless
`--weights` are given. Its answer is the set of classes it boxed: it cannot tell a duplicate from the other corner of
the same card, so 19 of the 20 are its most.
`--photos FOLDER` times the same ways on photographs, too: each once a round, in turns.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

SIZE = (1920, 1080)
FACES = tuple("AS KH QD JC 10S 9H 8D 7C 6S 5H 4D 3C 2S AH KD QC JS 10H 10H 8C".split())  # noqa: SIM905
CARD_PX = 120
LARGE, LARGE_SIZE, LARGE_PX = "QH", (1280, 720), 420
Laid = tuple[str, int, float, tuple[float, float]]
"""A card that lies in a picture: face, width (px), how far it is turned (rad), middle (px)."""

WORKER = """
import json, re, resource, sys, time
import cv2

def peak_mib():
    try:  # a process inherits the peak of the one that started it, but for this line
        return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
    except (OSError, TypeError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

cv2.setNumThreads(2)
files = sys.argv[1:]
picture = cv2.imread(files[0])
{setup}
for _ in range(3):
    answer = look(picture)
print("ready", flush=True)
for line in sys.stdin:
    times = []
    for file in files * int(line):
        picture = picture if len(files) == 1 else cv2.imread(file)
        wall, own = time.perf_counter(), time.process_time()
        answer = look(picture)
        times.append([(time.perf_counter() - wall) * 1000, (time.process_time() - own) * 1000])
    print(json.dumps({{"ms": times, "peak_mib": peak_mib(), "names": names(answer)}}), flush=True)
"""

OURS = """
import sys
from companion.vision.pipeline import Reader
reader = Reader(threads=2)
look = reader.read
names = lambda result: [card.face for card in result.cards if card.face]
"""
TWICE = """
from companion.vision.pipeline import TwoPassReader
look = TwoPassReader(reader).read
"""

PEER = """
import torch
from pathlib import Path
from ultralytics import YOLO
weights = Path({weights!r})
if weights.suffix == ".yaml":
    from companion.training.detector import network
    network.write_config(weights, "detect", 52)
model = YOLO(str(weights), task="detect")
look = lambda image: model.predict(image, imgsz={size}, conf={confidence}, device="cpu", verbose=False)[0]
names = lambda answer: list({{answer.names[int(kind)] for kind in answer.boxes.cls}})
look(picture)
torch.set_num_threads(2)  # after the first look, at which ultralytics leaves one core out
"""
SIZES = (640, 1280)
PHOTO_ROUNDS, MOST_PHOTOS = 3, 60


def table() -> np.ndarray:
    """The picture of a table: (1080, 1920, 3) BGR, cards of 120 px in four rows, each a little turned."""

    def laid(rng: np.random.Generator) -> Iterator[Laid]:
        (wide, high), rows = SIZE, 4
        for number, face in enumerate(FACES):
            angle = rng.normal(0, 0.2) + (0 if number % 3 else 1.5)
            middle = (
                wide * (number % 5 + 0.5) / 5 + rng.normal(0, 20),
                high * (number // 5 + 0.5) / rows + rng.normal(0, 8),
            )
            yield face, CARD_PX, angle, middle

    return drawn(SIZE, laid)


def one_large() -> np.ndarray:
    """The picture that one card nearly fills: (720, 1280, 3) BGR."""
    return drawn(LARGE_SIZE, lambda _: [(LARGE, LARGE_PX, 0.15, (LARGE_SIZE[0] / 2, LARGE_SIZE[1] / 2))])


def drawn(size: tuple[int, int], laid: Callable[[np.random.Generator], Iterable[Laid]]) -> np.ndarray:
    """A picture of this size (width, height): cards on green felt, (height, width, 3) BGR."""
    import resvg_py

    from companion.artwork import face_svg

    rng = np.random.default_rng(3)
    wide, high = size
    picture = np.empty((high, wide, 3), np.float32)
    picture[:] = (70, 105, 48)
    picture += cv2.GaussianBlur(rng.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), 1.3)[..., None] * 9
    for face, across, angle, middle in laid(rng):
        raw = bytes(resvg_py.svg_to_bytes(svg_string=face_svg(face), width=across * 2))
        art = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_UNCHANGED)
        tall = across * art.shape[0] / art.shape[1]
        half = np.array([[-across, -tall], [across, -tall], [across, tall], [-across, tall]]) / 2
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        source = np.array([[0, 0], [art.shape[1], 0], [art.shape[1], art.shape[0]], [0, art.shape[0]]], np.float32)
        warp = cv2.getPerspectiveTransform(source, (half @ turn + middle).astype(np.float32))
        flat = cv2.warpPerspective(art, warp, size, flags=cv2.INTER_AREA).astype(np.float32)
        alpha = flat[..., 3:] / 255
        shade = cv2.GaussianBlur(np.roll(alpha, (3, 2), axis=(0, 1)), (0, 0), 4)[..., None]
        picture *= 1 - 0.4 * shade * (1 - alpha)
        picture += (flat[..., :3] - picture) * alpha
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def start(python: str, setup: str, pictures: Sequence[Path], **variables: str) -> subprocess.Popen[str]:
    """A worker that has read the first picture three times and waits for rounds."""
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "2",
        "YOLO_OFFLINE": "1",
        "PYTHONPATH": str(Path.cwd()),
        **variables,
    }
    worker = subprocess.Popen([python, "-c", WORKER.format(setup=setup), *map(str, pictures)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, env=environment)  # fmt: skip
    assert worker.stdout is not None
    while (line := worker.stdout.readline()) != "ready\n":
        if not line:
            raise SystemExit(f"{python} could not start")
    return worker


def started(pictures: Sequence[Path], given: argparse.Namespace, folder: Path) -> dict[str, subprocess.Popen[str]]:
    """A worker for each way, by its name."""
    runtimes = {"ONNX Runtime": "onnxruntime", "OpenVINO": "openvino"}
    if importlib.util.find_spec("openvino") is None:
        print("OpenVINO is not installed: left out", file=sys.stderr)
        del runtimes["OpenVINO"]
    workers = {
        f"ours, {name}{twice and ', read twice'}": start(
            sys.executable, OURS + twice, pictures, COMPANION_RUNTIME=value
        )
        for twice in ("", TWICE)
        for name, value in runtimes.items()
    }
    if given.train_python:
        weights, kind = (given.weights, "") if given.weights else (folder / "yolo11n.yaml", ", untrained")
        for size in SIZES:
            setup = PEER.format(weights=str(weights), size=size, confidence=given.confidence)
            workers[f"ultralytics yolo11n, {size} px{kind}"] = start(given.train_python, setup, pictures)
    return workers


def race(workers: dict[str, subprocess.Popen[str]], rounds: int, looks: int) -> dict[str, dict]:
    """Rounds in turns; for each worker its last answer, with all its times (wall, own; ms)."""
    times: dict[str, list[list[float]]] = {name: [] for name in workers}
    last: dict[str, dict] = {}
    for _ in range(rounds):
        for name, worker in workers.items():
            assert worker.stdin is not None and worker.stdout is not None
            worker.stdin.write(f"{looks}\n")
            worker.stdin.flush()
            last[name] = json.loads(worker.stdout.readline())
            times[name] += last[name]["ms"]
    for worker in workers.values():
        worker.kill()
    return {name: last[name] | {"ms": times[name]} for name in workers}


def summed(result: dict) -> dict[str, float]:
    """Medians of a worker's times, its best one, and its peak memory."""
    wall, own = (statistics.median(row[k] for row in result["ms"]) for k in (0, 1))
    return {"ms": wall, "best_ms": min(row[0] for row in result["ms"]), "cpu_ms": own, "peak_mib": result["peak_mib"]}


def main() -> None:
    """Run all ways in turns and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--looks", type=int, default=5, help="looks a round")
    parser.add_argument("--train-python", help="a Python that has ultralytics and torch")
    parser.add_argument("--weights", type=Path, help="its trained 52 classes (.pt; default: untrained)")
    parser.add_argument("--confidence", type=float, default=0.25, help="from which its boxes count")
    parser.add_argument(
        "--photos",
        type=Path,
        help="a folder of photographs (*.jpg, the folders in it too): 60 to 119 of them are timed",
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    photos = sorted(given.photos.rglob("*.jpg")) if given.photos else []
    photos = photos[:: max(1, len(photos) // MOST_PHOTOS)]
    if given.photos and not photos:
        parser.error(f"no photographs (*.jpg) below {given.photos}")
    report: dict[str, dict] = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, picture, faces in (("", table(), FACES), ("one large card: ", one_large(), (LARGE,))):
            place = Path(folder) / f"{len(faces)}.png"
            cv2.imwrite(str(place), picture)
            results = race(started([place], given, Path(folder)), given.rounds, given.looks)
            print(f"{title:38} {'ms, median':>11} {'best':>7} {'CPU ms':>7} {'peak MiB':>9}  "
                  f"right wrong of {len(faces)} names")  # fmt: skip
            for name, result in results.items():
                read = Counter(result["names"])
                right = (read & Counter(faces)).total()
                report[title + name] = one = summed(result) | {"right": right, "wrong": read.total() - right}
                print(f"{name:38} {one['ms']:11.0f} {one['best_ms']:7.0f} {one['cpu_ms']:7.0f} {one['peak_mib']:9.0f}  "
                      f"{right:5} {one['wrong']:5}")  # fmt: skip
        if photos:
            print(f"\n{len(photos)} photographs{'':23} {'ms, median':>11} {'CPU ms':>7}")
            for name, result in race(started(photos, given, Path(folder)), PHOTO_ROUNDS, 1).items():
                report[f"photographs: {name}"] = one = summed(result)
                print(f"{name:38} {one['ms']:11.0f} {one['cpu_ms']:7.0f}")
    print("load of the machine:", " ".join(f"{load:.1f}" for load in os.getloadavg()))
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
