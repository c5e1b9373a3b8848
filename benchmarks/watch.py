"""What watching a table costs: a still one, one on which cards come and go for an hour, and a film.

Each figure comes from a process of its own that runs what the server runs, `companion.server.camera.table.Watch`, with
the shipped reader: a still table at 12 frames/s (share of one core, memory), the demo recording as fast as it goes
(frames/s). Beside it a plain ``track`` of ultralytics on the same pictures, run by a Python that has it (`--peer`): its
smallest network untrained, which costs what a trained one does and finds nothing that has to be tracked.

    python benchmarks/watch.py            # --seconds N (a still table), --peer PYTHON, --json
    python benchmarks/watch.py --hour --curve hour.csv   # memory and processor time every half minute
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
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
HOUR_S, CURVE_S, DEAL_S = 3600.0, 30.0, 20.0
"""So long is a table watched on which all cards move every `DEAL_S` s, and so often it is looked at what that costs."""
PEER_THREADS = 2


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

    def __init__(self, *pixels: np.ndarray) -> None:
        """Several tables take turns, `DEAL_S` s each."""
        from companion.vision.camera.source import SourceState, SourceStatus

        self.name, self.status = "0", SourceStatus.of(SourceState.OK, "0")
        self.live, self.waits, self.over = True, False, False
        self._tables, self._number, self._due = [noisy(one) for one in pixels], 0, time.monotonic()
        self._closed = threading.Event()

    def read(self, timeout: float = 0.5) -> Any:
        """The next picture when it is due."""
        from companion.vision.camera.source import Frame

        if self._closed.wait(max(0.0, self._due - time.monotonic())):
            return None
        self._due = max(self._due + 1 / FPS, time.monotonic())
        self._number += 1
        table = self._tables[int(self._number / FPS / DEAL_S) % len(self._tables)]
        return Frame(next(table), time.monotonic(), self._number)

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


def hour_ours(pipe: Connection, _: float) -> None:
    """An hour in which cards come and go: (s, MiB, s of the processor, pictures read) every half minute."""
    from companion.vision import images

    table = images.fit(images.load(PICTURE), 1280)[0]
    with tempfile.TemporaryDirectory() as folder:
        one = watch(Path(folder), Shown(table, np.ascontiguousarray(table[:, ::-1]), np.roll(table, 90, axis=1)))
        one.start()
        began = time.monotonic()
        while (now := time.monotonic() - began) < HOUR_S:
            pipe.send((round(now), round(memory_mib(), 1), round(time.process_time(), 1), one.reads))
            time.sleep(CURVE_S)
        one.stop()
    pipe.send(None)


def peer(what: str, seconds: float) -> dict[str, Any]:
    """``track`` of ultralytics on the still table or the film: for a Python that has it."""
    import torch
    from ultralytics import YOLO

    from companion.vision import images
    from companion.vision.camera.recorded import VideoSource

    torch.set_num_threads(PEER_THREADS)
    model = YOLO("yolo11n.yaml", task="detect")
    if what == "film":
        source, times = VideoSource(FILM, realtime=False), []
        while (frame := source.read()) is not None:
            began = time.perf_counter()
            model.track(frame.pixels, persist=True, verbose=False)
            times.append(time.perf_counter() - began)
        return {"fps": len(times[20:]) / sum(times[20:])}
    shown = Shown(images.fit(images.load(PICTURE), 1280)[0])
    for _ in range(int(WARM_UP_S)):
        model.track(shown.read().pixels, persist=True, verbose=False)
    began, used, memory = time.monotonic(), time.process_time(), [memory_mib()]
    while time.monotonic() - began < seconds:
        model.track(shown.read().pixels, persist=True, verbose=False)
        memory.append(memory_mib())
    return {"core": (time.process_time() - used) / (time.monotonic() - began), "memory": memory}


def asked(python: str, what: str, seconds: float) -> dict[str, Any]:
    """What `peer` says in a Python of its own."""
    where = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [python, __file__, "--as-peer", what, "--seconds", str(seconds)]
    found = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": where})
    if found.returncode:
        raise SystemExit(f"{python} cannot run the peer: {found.stderr.strip().splitlines()[-1:]}")
    return dict(json.loads(found.stdout.strip().splitlines()[-1]))


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


def hour(curve: Path) -> None:
    """Watch for an hour, a line every half minute."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=hour_ours, args=(theirs, 0.0))
    process.start()
    theirs.close()
    curve.write_text("s,MiB,processor s,pictures read\n", "utf-8")
    rows = []
    while (row := ours.recv()) is not None:
        rows.append(row)
        with curve.open("a", encoding="utf-8") as file:
            file.write(",".join(map(str, row)) + "\n")
    process.join()
    sizes = [row[1] for row in rows]
    print(f"{rows[-1][0]} s, {rows[-1][3]} pictures read, {100 * rows[-1][2] / rows[-1][0]:.0f} % of one core")
    for name, part in (("minutes 5 to 10", sizes[10:20]), ("the last five", sizes[-10:])):
        print(f"{name}: {statistics.median(part):.0f} MiB")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the still table is watched")
    parser.add_argument("--hour", action="store_true", help="watch a table on which cards come and go for an hour")
    parser.add_argument("--curve", type=Path, default=Path("hour.csv"), help="what the hour costs, as a table")
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter that has ultralytics")
    parser.add_argument("--as-peer", choices=("still", "film"), help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.as_peer:
        print(json.dumps(peer(args.as_peer, args.seconds)))
        return
    if args.hour:
        hour(args.curve)
        return
    rows = {"Table Companion": measured(still_ours, args.seconds) | measured(film_ours, 0)}
    if args.peer:
        short = min(args.seconds, 60.0)
        rows["ultralytics track"] = asked(args.peer, "still", short) | asked(args.peer, "film", short)
    if args.json:
        print(json.dumps(rows))
        return
    print(f"load {os.getloadavg()[0]:.1f}")
    print("| | still table: share of a core | MiB at first / at the end / most | film, frames/s |\n|---|--:|--:|--:|")
    for name, row in rows.items():
        memory = row["memory"]
        sizes = f"{memory[0]:.0f} / {statistics.median(memory[-3:]):.0f} / {max(memory):.0f}"
        print(f"| {name} | {100 * row['core']:.0f} % | {sizes} | {row['fps']:.1f} |")
    if not args.peer:
        print("No peer was measured: --peer names a Python that has ultralytics.")


if __name__ == "__main__":
    main()
