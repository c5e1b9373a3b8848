"""Reading beside the frames: a slow reader keeps nobody from looking."""

from __future__ import annotations

import queue
import threading
from collections.abc import Collection, Sequence

import pytest

from companion.vision.camera.source import Frame, Source
from companion.vision.following.motion import Motion
from companion.vision.following.reads import Desk, Job
from companion.vision.following.tracker import Tracker
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.types import ReadResult, Region, SeenTable

from .cards_in_ink import SIZE, TWO, ColourReader, picture, still, wait_until


class SlowReader(ColourReader):
    """Takes its time, as a busy machine does."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.began = threading.Event(), threading.Event()

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: object = ()) -> ReadResult:  # fmt: skip
        result = super().read(image, deck, letters)
        self.began.set()
        assert self.go.wait(60)
        return result


class Fed(Source):
    """Frames as a test gives them."""

    def __init__(self) -> None:
        super().__init__("fed")
        self.queue: queue.Queue[Frame] = queue.Queue()

    def read(self, timeout: float = 0.5) -> Frame | None:
        try:
            return self.queue.get(timeout=timeout)
        except queue.Empty:
            return None

    def close(self) -> None:
        pass


def test_frames_are_looked_at_while_a_picture_is_read_and_what_is_unread_does_not_rest() -> None:
    source, reader = Fed(), SlowReader()
    watcher = Watcher(source, reader).start()
    try:
        shown = [*still(TWO[:1]), *still(TWO, 12)]
        reader.go.set()
        for number, pixels in enumerate(shown[:12]):
            source.queue.put(Frame(pixels, number / 10, number))
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 1)
        reader.go.clear()
        reader.began.clear()
        for number, pixels in enumerate(shown[12:], 12):
            source.queue.put(Frame(pixels, number / 10, number))
        assert reader.began.wait(60)
        assert wait_until(lambda: watcher.frame is not None and watcher.frame.number == 23)
        now = watcher.now()
        assert now is not None and len(now.cards) == 1 and not now.settled
        x, y = (220 / SIZE[0], 168 / SIZE[1])
        unread = [stir for stir in now.stirs if stir.time == now.time]
        assert any(s.area[0][0] < x < s.area[2][0] and s.area[0][1] < y < s.area[2][1] for s in unread)
        reader.go.set()
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 2)
        now = watcher.now()
        assert now is not None and now.settled and all(stir.time < now.time for stir in now.stirs)
    finally:
        reader.go.set()
        watcher.stop()


def test_a_picture_is_read_before_it_has_surely_come_to_rest_and_counts_when_it_has() -> None:
    source, reader = Fed(), SlowReader()
    watcher = Watcher(source, reader).start()
    try:
        reader.go.set()
        for number, pixels in enumerate(still(TWO[:1])):
            source.queue.put(Frame(pixels, number / 12, number))
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 1)
        reader.go.clear()
        reader.began.clear()
        shown = still(TWO, 6)
        for number, pixels in enumerate(shown[:3], 12):
            source.queue.put(Frame(pixels, number / 12, number))
        assert reader.began.wait(60)  # three frames, 0.17 s
        calls = reader.calls
        reader.go.set()
        for number, pixels in enumerate(shown[3:], 15):
            source.queue.put(Frame(pixels, number / 12, number))
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 2)
        assert reader.calls == calls
    finally:
        reader.go.set()
        watcher.stop()


@pytest.mark.parametrize(
    ("times", "busy", "reads"), [((0.0, 1.0), True, 1), ((0.0, 0.1), False, 1), ((0.0, 0.2), False, 2)]
)
def test_one_picture_at_a_time_is_read_early_and_the_next_one_soon_after(
    times: tuple[float, float], busy: bool, reads: int
) -> None:
    """What waits in line behind another is of a moment that has passed when its turn comes."""
    reader = SlowReader()
    desk = Desk("slow", reader, None, lambda *_: None)
    desk.beside = True
    for time in times:
        job = Job(Frame(picture(TWO), time, round(12 * time)), Motion(False, 0.0), Tracker(), {}, [(0, 0, 60, 60)])
        desk.ahead(job, (), time, 0.3)
        assert reader.began.wait(60)
        if not busy:
            reader.go.set()
            assert wait_until(lambda: desk.reads > 0 and desk._early is not None and desk._early.result.done())
    reader.go.set()
    desk.close()
    assert desk.reads == reads


def test_what_moved_on_is_read_anew() -> None:
    source, reader = Fed(), SlowReader()
    watcher = Watcher(source, reader).start()
    try:
        reader.go.set()
        for number, pixels in enumerate(still(TWO[:1])):
            source.queue.put(Frame(pixels, number / 12, number))
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 1)
        reader.began.clear()
        for number, pixels in enumerate(still(TWO, 3), 12):
            source.queue.put(Frame(pixels, number / 12, number))
        assert reader.began.wait(60)
        elsewhere = still([TWO[0], ("KH", 120, 60)], 8)
        for number, pixels in enumerate(elsewhere, 15):
            source.queue.put(Frame(pixels, number / 12, number))

        def there() -> bool:
            cards = watcher.table.cards if watcher.table is not None else ()
            kings = [card for card in cards if card.face == "KH"]
            return len(kings) == 1 and abs(kings[0].centre[0] - 140 / SIZE[0]) < 0.02

        assert wait_until(there)
    finally:
        reader.go.set()
        watcher.stop()


def test_what_lay_at_rest_is_told_as_it_lay_although_a_slow_reader_knows_it_only_when_it_has_moved_on() -> None:
    """While a picture is read no time passes; then it counts at its own time, before what has happened since."""
    source, reader, told = Fed(), SlowReader(), list[SeenTable]()
    watcher = Watcher(source, reader, on_table=told.append).start()
    try:
        reader.go.set()
        first, second = still(TWO[:1]), still(TWO, 5)
        for number, pixels in enumerate(first):
            source.queue.put(Frame(pixels, number / 12, number))
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 1)
        reader.go.clear()
        reader.began.clear()
        for number, pixels in enumerate(second, 12):
            source.queue.put(Frame(pixels, number / 12, number))
        assert reader.began.wait(60)
        last = [picture(TWO, (200 + 5 * (n % 2), 150), n) for n in range(12)]  # a hand over the second card
        for number, pixels in enumerate(last, 17):
            source.queue.put(Frame(pixels, number / 12, number))
        assert wait_until(lambda: watcher.frame is not None and watcher.frame.number == 28)
        held = watcher.now()
        assert held is not None and held.time < 17 / 12 and len(held.cards) == 1
        before = len(told)
        reader.go.set()
        assert wait_until(lambda: len(told) > before)
        late = told[before]
        assert late.time == held.time and len(late.cards) == 2
        x, y = next(card.centre for card in late.cards if card.face == TWO[1][0])
        over = [s.time for s in late.stirs if s.area[0][0] < x < s.area[2][0] and s.area[0][1] < y < s.area[2][1]]
        assert late.time - max(over, default=0.0) >= 0.2
        now = watcher.now()
        assert now is not None and now.time == 28 / 12 and not now.settled
    finally:
        reader.go.set()
        watcher.stop()
