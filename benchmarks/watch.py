"""What watching a table costs: a still one, and a film.

Each figure comes from a process of its own that runs what the server runs, `companion.server.camera.table.Watch`, with
the shipped reader: a still table at 12 frames/s (share of one core, memory), the demo recording as fast as it goes
(frames/s). Beside it a plain ``track`` of ultralytics on the same pictures, where that is installed.

    python benchmarks/watch.py            # --seconds N (a still table), --hour, --json
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "tests" / "vision" / "pictures" / "table.jpg"
FILM = ROOT / "calibration" / "demo" / "showdown.mp4"
FPS = 12.0
WARM_UP_S = 15.0
SAMPLE_S = 5.0


def memory_mib() -> float:
    """Resident memory of this process."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def noisy(pixels: np.ndarray) -> Iterator[np.ndarray]:
    """The same table for ever, with a sensor's noise."""
    rng = np.random.default_rng(1)
    grains = [rng.normal(0, 3, pixels.shape).astype(np.int16) for _ in range(8)]
    shown = [np.clip(pixels.astype(np.int16) + grain, 0, 255).astype(np.uint8) for grain in grains]
    while True:
        yield from shown


def watch(folder: Path, source: Any, wrote: Callable[[], None] = lambda: None) -> Any:
    """A watch over a showdown of two, as the server makes it."""
    from companion.games import Setup, places
    from companion.journal import Journal
    from companion.referee import Started
    from companion.server.camera.table import Watch
    from companion.table.solve import typical
    from companion.vision.pipeline import Reader, TwoPassReader

    setup = Setup(("Anna", "Ben"), "52D2")
    journal = Journal(f"sqlite:///{folder / 'journal.sqlite3'}")
    journal.create("t", Started("three-card-showdown", setup))
    layout = typical(places("three-card-showdown", setup), 2).layout

    def write(event: Any, seq: int) -> int:
        number = journal.append("t", event, expected_seq=seq)
        wrote()
        return number

    return Watch("t", source, TwoPassReader(Reader()), layout, journal, write, lambda: None)


class Shown:
    """A webcam over a drawn table: a new picture each 1/12 s. Looks like `companion.vision.camera.source.Source`."""

    def __init__(self, pixels: np.ndarray) -> None:
        from companion.vision.camera.source import SourceState, SourceStatus

        self.name, self.status, self.live = "0", SourceStatus.of(SourceState.OK, "0"), True
        self._pictures, self._number, self._due = noisy(pixels), 0, time.monotonic()
        self._closed = threading.Event()

    def read(self, timeout: float = 0.5) -> Any:
        """The next picture when it is due."""
        from companion.vision.camera.source import Frame

        if self._closed.wait(max(0.0, self._due - time.monotonic())):
            return None
        self._due = max(self._due + 1 / FPS, time.monotonic())
        self._number += 1
        return Frame(next(self._pictures), time.monotonic(), self._number)

    def close(self) -> None:
        """No more pictures."""
        self._closed.set()


def still_ours(pipe: Connection, seconds: float) -> None:
    """A still table of 1280 px: share of a core and memory, after a warm-up."""
    from companion.vision import images

    with tempfile.TemporaryDirectory() as folder:
        one = watch(Path(folder), Shown(images.fit(images.load(PICTURE), 1280)[0]))
        one.start()
        time.sleep(WARM_UP_S)
        began, used, memory = time.monotonic(), time.process_time(), [memory_mib()]
        while time.monotonic() - began < seconds:
            time.sleep(min(SAMPLE_S, seconds))
            memory.append(memory_mib())
        share = (time.process_time() - used) / (time.monotonic() - began)
        cards = len(one.seen.cards) if one.seen else 0
        one.stop()
    pipe.send({"core": share, "memory": memory, "cards": cards})


def still_peer(pipe: Connection, seconds: float) -> None:
    """The same with ultralytics' `track`."""
    from ultralytics import YOLO

    from companion.vision import images

    model, source = YOLO("yolo11n.pt"), Shown(images.fit(images.load(PICTURE), 1280)[0])
    for _ in range(int(WARM_UP_S)):
        model.track(source.read().pixels, persist=True, verbose=False)
    began, used, memory = time.monotonic(), time.process_time(), [memory_mib()]
    while time.monotonic() - began < seconds:
        model.track(source.read().pixels, persist=True, verbose=False)
        memory.append(memory_mib())
    pipe.send({"core": (time.process_time() - used) / (time.monotonic() - began), "memory": memory})


def film_ours(pipe: Connection, _: float) -> None:
    """The demo recording, every frame looked at in turn."""
    from companion.vision.camera.recorded import VideoSource

    source = VideoSource(FILM, realtime=False)
    with tempfile.TemporaryDirectory() as folder:
        one = watch(Path(folder), source)
        frames = []
        while (frame := source.read()) is not None:
            frames.append(frame)
        for frame in frames[:20]:
            one.feed(frame)  # the networks are loaded
        began = time.perf_counter()
        for frame in frames[20:]:
            one.feed(frame)
        pipe.send({"fps": (len(frames) - 20) / (time.perf_counter() - began)})


def film_peer(pipe: Connection, _: float) -> None:
    """The same with ultralytics' `track`."""
    from ultralytics import YOLO

    from companion.vision.camera.recorded import VideoSource

    model, source, times = YOLO("yolo11n.pt"), VideoSource(FILM, realtime=False), []
    while (frame := source.read()) is not None:
        began = time.perf_counter()
        model.track(frame.pixels, persist=True, verbose=False)
        times.append(time.perf_counter() - began)
    pipe.send({"fps": len(times[20:]) / sum(times[20:])})


def measured(work: Callable[[Connection, float], None], seconds: float) -> dict[str, Any]:
    """What a process of its own sends."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=work, args=(theirs, seconds))
    process.start()
    theirs.close()
    try:
        return dict(ours.recv())
    except EOFError:
        raise SystemExit(f"{work.__name__} did not end well") from None
    finally:
        process.join()


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the still table is watched")
    parser.add_argument("--hour", action="store_true", help="watch it for an hour")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    seconds = 3600.0 if args.hour else args.seconds
    rows = {"Table Companion": measured(still_ours, seconds) | measured(film_ours, 0)}
    if find_spec("ultralytics"):
        rows["ultralytics track"] = measured(still_peer, min(seconds, 60.0)) | measured(film_peer, 0)
    if args.json:
        print(json.dumps(rows))
        return
    print(f"load {os.getloadavg()[0]:.1f}")
    print("| | still table: share of a core | MiB at first / at the end / most | film, frames/s |\n|---|--:|--:|--:|")
    for name, row in rows.items():
        memory = row["memory"]
        sizes = f"{memory[0]:.0f} / {statistics.median(memory[-3:]):.0f} / {max(memory):.0f}"
        print(f"| {name} | {100 * row['core']:.0f} % | {sizes} | {row['fps']:.1f} |")
    if "ultralytics track" not in rows:
        print("ultralytics is not installed: no peer was measured.")


if __name__ == "__main__":
    main()
