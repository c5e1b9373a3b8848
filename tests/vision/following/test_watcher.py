"""The watcher: tells settled tables once, holds while hands move, keeps evidence, survives whatever happens."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cards import deck
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.pushed import PushSource
from companion.vision.camera.source import Frame, SourceState, SourceStatus
from companion.vision.following.motion import MotionGate
from companion.vision.following.parameters import MAX_READS
from companion.vision.following.watcher import Watcher
from companion.vision.geometry import touches
from companion.vision.images import Pixels
from companion.vision.types import SeenTable, Unit

from .cards_in_ink import (
    INKS,
    SIZE,
    TWO,
    Cards,
    ColourReader,
    Film,
    names,
    picture,
    play,
    still,
    told,
    wait_until,
    waving,
)


def test_a_settled_table_is_told_once_and_read_once() -> None:
    watcher, tables, reader = told()
    play(watcher, still(TWO, 60))
    assert [(t.settled, names(t)) for t in tables] == [(True, ["AS", "KH"])]
    assert reader.calls == watcher.reads == 1


def test_a_laid_card_is_told_when_the_hand_is_off() -> None:
    watcher, tables, reader = told(deck=deck("52D1"))
    now = play(watcher, still(TWO))
    now = play(watcher, waving(TWO), now)
    play(watcher, still([*TWO, ("7D", 120, 60)], 20), now)
    assert [(t.settled, names(t)) for t in tables] == [
        (True, ["AS", "KH"]),
        (False, ["AS", "KH"]),
        (True, ["7D", "AS", "KH"]),
    ]
    assert reader.decks == [deck("52D1").multiset] * 2
    assert tables[2].frame - now <= 8, "settles within the gate's frames and the pause between reads"


def test_inks_of_a_table_are_remembered_and_letters_read_in_several_of_its_pictures() -> None:
    watcher, _, reader = told()
    tables: list[Cards] = [TWO, TWO[:1], TWO, TWO[1:]]
    now, before = 0, TWO
    for cards, letters in zip(tables, ("R", "H", "R", ""), strict=True):
        reader.letters, reader.inks = frozenset(letters), frozenset({f"S@{len(cards)},0"})
        now, before = play(watcher, [*waving(before, 6), *still(cards)], now), cards
    assert reader.known == [set(), {"S@2,0"}, {"S@2,0", "S@1,0"}, {"R", "S@2,0", "S@1,0"}]


def test_a_wave_that_changes_nothing_settles_without_a_read() -> None:
    watcher, tables, reader = told()
    now = play(watcher, still(TWO))
    now = play(watcher, waving(TWO), now)
    play(watcher, still(TWO), now)
    assert [t.settled for t in tables] == [True, False, True] and reader.calls == 1


def test_a_cleared_table_is_told_empty() -> None:
    watcher, tables, _ = told()
    now = play(watcher, still([]))
    now = play(watcher, still(TWO), now)
    now = play(watcher, waving([]), now)
    play(watcher, still([], 20), now)
    assert names(tables[-1]) == [] and tables[-1].settled


def test_an_unclear_card_gets_further_looks_but_not_for_ever() -> None:
    watcher, tables, reader = told(reader=ColourReader(p=0.5))
    play(watcher, still(TWO, 100))
    assert reader.calls == MAX_READS
    assert [c.face for c in tables[-1].cards] == [None, None] and tables[-1].settled


def test_a_second_look_is_asked_for_only_where_something_changed_or_is_unclear() -> None:
    watcher, _, reader = told()
    number = play(watcher, still(TWO[:1]))
    assert reader.where[0] is not None and reader.where[0][0][2:] == SIZE  # first of all everywhere
    number = play(watcher, [*waving(TWO[:1]), *still(TWO)], number)
    lying, laid = (next(card.polygon for card in reader.last if card.face == face) for face, *_ in TWO)
    where = reader.where[-1]
    assert where is not None and touches(laid, where) and not touches(lying, where)
    watcher, _, unsure = told()
    unsure.p = 0.6
    play(watcher, still(TWO))
    assert len(unsure.where) == MAX_READS
    assert all(where is not None and touches(card.polygon, where) for where in unsure.where for card in unsure.last)


def test_an_unclear_card_does_not_rest_and_others_are_told_meanwhile() -> None:
    """Looked at only once and not clearly: what lies elsewhere is told at once."""
    watcher, _, reader = told()
    number = play(watcher, still(TWO[:1]))
    reader.p = 0.85
    laid = [*waving(TWO[:1]), *still(TWO, 20)]
    looked, at = reader.calls, number
    for at, pixels in enumerate(laid, number):
        watcher.feed(Frame(pixels, at / 10, at))
        now = watcher.now()
        if reader.calls == looked + 1 and now is not None and len(now.cards) == 2:
            unclear = next(card for card in now.cards if card.confidence < 0.95)
            fresh = [stir.area for stir in now.stirs if stir.time == now.time]
            assert not now.settled and any(
                a[0][0] < unclear.centre[0] < a[2][0] and a[0][1] < unclear.centre[1] < a[2][1] for a in fresh
            )
            break
    else:
        pytest.fail("never told before the second look")
    play(watcher, still(TWO, 20), at + 1)
    now = watcher.now()
    assert now is not None and now.settled and reader.calls > looked + 1
    assert all(stir.time < now.time for stir in now.stirs)


def test_reads_are_bounded_however_busy_the_table_is() -> None:
    watcher, _, reader = told(reads_per_s=0.5, gate=MotionGate(frames=2))
    for block in range(20):
        play(watcher, still(TWO[: 1 + block % 2], 5), block * 5)
    assert reader.calls <= 2 * 0.5 * 10 + 1, "a hand is there all the time"


def test_evidence_is_the_card_as_it_was_read() -> None:
    watcher, tables, _ = told()
    now = play(watcher, still(TWO))
    by_face = {card.face: card for card in tables[0].cards}
    keys = {face: card.crop for face, card in by_face.items()}
    assert len(set(keys.values())) == 2 and None not in keys.values()
    for face, key in keys.items():
        data = watcher.crop(str(key))
        assert data is not None and data[:2] == b"\xff\xd8"
        shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        middle = shown[shown.shape[0] // 2, shown.shape[1] // 2].astype(int)
        assert np.abs(middle - INKS[str(face)]).max() < 40
    both = watcher.evidence([card.track for card in tables[0].cards])
    assert both is not None and cv2.imdecode(np.frombuffer(both, np.uint8), cv2.IMREAD_COLOR).shape[1] > 150
    assert watcher.evidence([999]) is None and watcher.crop("nothing") is None
    play(watcher, still(TWO, 30, hand=(50, 60)), now)
    assert {card.face: card.crop for card in (watcher.table or tables[0]).cards} == keys, "a hand is no evidence"


def test_a_correction_is_told_at_once_and_stays() -> None:
    watcher, tables, _ = told(reader=ColourReader(p=0.5))
    now = play(watcher, still(TWO[:1], 40))
    track = tables[-1].cards[0].track
    assert watcher.correct(track, "2C")
    assert names(tables[-1]) == ["2C"] and tables[-1].settled
    now = play(watcher, waving(TWO[:1]), now)
    play(watcher, still(TWO[:1]), now)
    assert names(tables[-1]) == ["2C"]
    assert watcher.forget(track) and names(tables[-1]) == []
    assert not watcher.correct(999, "AS")


def test_reset_reads_the_table_afresh() -> None:
    watcher, tables, reader = told()
    now = play(watcher, still(TWO))
    old = {card.track for card in tables[-1].cards}
    watcher.calibrate(None)
    play(watcher, still(TWO), now)
    assert reader.calls == 2 and names(tables[-1]) == ["AS", "KH"] and old


def test_a_calibration_is_used_at_once_even_when_no_further_picture_comes() -> None:
    source = PushSource()
    tables: list[SeenTable] = []
    watcher = Watcher(source, ColourReader(), on_table=tables.append, reads_per_s=50).start()
    source.push(cv2.imencode(".png", picture(TWO))[1].tobytes(), single=True)
    assert wait_until(lambda: bool(tables) and names(tables[-1]) == ["AS", "KH"])
    before = {card.face: card.centre[0] for card in tables[-1].cards}
    right_half = Calibration.from_corners([(160, 0), (320, 0), (320, 240), (160, 240)], (400, 600), SIZE)
    watcher.calibrate(right_half)
    assert wait_until(lambda: tables[-1].unit is Unit.MM and names(tables[-1]) == ["AS", "KH"])
    assert tables[-1].size == (400.0, 600.0)
    assert {card.face: card.centre[0] for card in tables[-1].cards} == pytest.approx(
        {face: 400 * (2 * x - 1) for face, x in before.items()}, abs=1
    )
    watcher.stop()


def test_a_camera_turned_on_its_side_is_not_read_with_the_old_calibration() -> None:
    watcher, tables, _ = told()
    left_half = Calibration.from_corners([(0, 0), (160, 0), (160, 240), (0, 240)], (400, 600), SIZE)
    watcher.calibrate(left_half)
    now = play(watcher, still(TWO))
    assert tables[-1].unit is Unit.MM and watcher.calibration is left_half
    now = play(watcher, [np.rot90(frame).copy() for frame in still(TWO)], now)
    assert tables[-1].unit is Unit.FRACTION and watcher.calibration is None
    play(watcher, still(TWO), now)
    assert tables[-1].unit is Unit.MM and watcher.calibration is left_half


def test_a_reader_that_fails_does_not_end_the_watch(caplog: pytest.LogCaptureFixture) -> None:
    watcher, tables, reader = told()
    reader.fail = True
    now = play(watcher, still(TWO))
    assert not tables and "failed" in caplog.text
    reader.fail = False
    play(watcher, [*waving(TWO), *still([*TWO, ("7D", 120, 60)])], now)
    assert names(tables[-1]) == ["7D", "AS", "KH"]


@pytest.mark.parametrize("waits", [True, False])
def test_the_thread_plays_a_film_to_its_end_and_still_takes_corrections(waits: bool) -> None:
    tables: list[SeenTable] = []
    statuses: list[SourceStatus] = []
    threads = set()

    def note(table: SeenTable) -> None:
        threads.add(threading.current_thread().name)
        tables.append(table)

    film = Film([*still([]), *waving(TWO), *still(TWO, 20)])
    film.waits = waits
    watcher = Watcher(film, ColourReader(), on_table=note, on_status=statuses.append).start()
    assert watcher.wait_for_end(60)
    assert wait_until(lambda: bool(tables) and names(tables[-1]) == ["AS", "KH"])
    assert [s.state for s in statuses] == [SourceState.OK, SourceState.ENDED]
    assert watcher.correct(tables[-1].cards[0].track, "7D")
    assert wait_until(lambda: "7D" in names(tables[-1]))
    assert threads <= {"watch film", "read film_0"}
    assert waits == ("read film_0" not in threads)
    assert watcher.picture(100) is not None
    watcher.stop()
    watcher.stop()


def test_who_listens_may_wait_for_another_thread_that_corrects() -> None:
    """A callback that waits for a lock, whose holder just corrects a card, does not block both for ever."""
    desk = threading.Lock()
    source = PushSource()
    tables: list[SeenTable] = []

    def note(table: SeenTable) -> None:
        with desk:
            tables.append(table)

    watcher = Watcher(source, ColourReader(), on_table=note, gate=MotionGate(frames=2)).start()
    with desk:
        source.push(cv2.imencode(".png", picture(TWO))[1].tobytes(), single=True)
        assert wait_until(lambda: watcher.table is not None and len(watcher.table.cards) == 2) and watcher.table
        assert watcher.correct(watcher.table.cards[0].track, "2C")
    assert wait_until(lambda: bool(tables) and "2C" in names(tables[-1]))
    watcher.stop()


def test_a_missing_camera_is_reported_and_stops_cleanly(tmp_path: Path) -> None:
    source = PushSource()
    statuses: list[SourceStatus] = []
    watcher = Watcher(source, ColourReader(), on_status=statuses.append).start()
    assert wait_until(lambda: bool(statuses))
    assert statuses[0].state is watcher.status.state is SourceState.MISSING
    watcher.stop()
    assert watcher.table is None and watcher.picture() is None


def test_what_rests_is_read_although_a_hand_keeps_moving_elsewhere() -> None:
    watcher, tables, _ = told()
    now = play(watcher, still([]))
    busy = [picture([*TWO[:1], ("KH", 200, 180)], (280, 40 + 8 * (n % 5)), n) for n in range(60)]
    now = play(watcher, busy, now)
    assert names(tables[-1]) == ["AS", "KH"]
    assert not tables[-1].settled and tables[-1].stirs
    assert {card.since for card in tables[-1].cards} < {n / 10 for n in range(now)}
    hand = (270 / SIZE[0], 56 / SIZE[1])
    moving = [s for s in tables[-1].stirs if s.time > tables[-1].time - 0.25]
    assert any(min(x for x, _ in s.area) < hand[0] < max(x for x, _ in s.area) for s in moving)
    assert not any(min(x for x, _ in s.area) < 0.2 for s in moving)


def test_what_lies_under_a_moving_hand_stays_as_it_was() -> None:
    watcher, tables, _ = told()
    now = play(watcher, still(TWO))
    known = {card.face: card.track for card in tables[-1].cards}
    face, x, y = TWO[1]
    busy = [picture([TWO[0], ("2C", 30, 170)], (x + 20, y + 20 + 10 * (n % 5)), n) for n in range(60)]
    play(watcher, busy, now)
    assert {card.face: card.track for card in tables[-1].cards}[face] == known[face]
    assert "2C" in names(tables[-1])


CLOTH = np.random.default_rng(3).integers(-40, 1, (30, 40, 3)).astype(np.float32)


def on_a_pushed_cloth(cards: Cards, push: int, number: int) -> Pixels:
    """The felt with a pattern, seen by a camera that was pushed so far to the left."""
    pattern = cv2.resize(CLOTH, SIZE, interpolation=cv2.INTER_LINEAR)
    bare = (np.abs(picture(cards).astype(int) - (70, 120, 60)) < 15).all(axis=2)
    shown = picture(cards, None, number).astype(np.float32) + pattern * bare[..., None]
    return np.clip(np.roll(shown, push, axis=1), 0, 255).astype(np.uint8)


def test_a_pushed_camera_keeps_its_cards_where_they_lie_on_the_table() -> None:
    mended: list[Calibration] = []
    whole = Calibration.from_corners([(0, 0), (320, 0), (320, 240), (0, 240)], (640, 480), SIZE)
    watcher, tables, _ = told(calibration=whole, on_mended=mended.append)
    now = play(watcher, [on_a_pushed_cloth(TWO, 0, n) for n in range(12)])
    before = {card.track: (card.face, card.centre) for card in tables[-1].cards}
    assert len(before) == 2 and not mended
    began = now
    while not mended:
        now = play(watcher, [on_a_pushed_cloth(TWO, 30, now)], now)
        assert now - began < 50, "five seconds"
    now = play(watcher, [on_a_pushed_cloth(TWO, 30, n) for n in range(12)], now)
    after = {card.track: (card.face, card.centre) for card in tables[-1].cards}
    assert after.keys() == before.keys()
    for track, (face, centre) in before.items():
        assert after[track][0] == face
        assert np.hypot(*(np.array(after[track][1]) - centre)) < 8  # mm; the push was 60
    assert watcher.status.key == "ui.camera.mended" and len(mended) == 1
    assert watcher.calibration is mended[0]


def test_where_something_moved_is_told_for_a_while_and_then_forgotten() -> None:
    watcher, tables, _ = told()
    now = play(watcher, still(TWO))
    now = play(watcher, waving(TWO), now)
    now = play(watcher, still(TWO[:1], 20), now)
    assert tables[-1].settled and tables[-1].stirs
    now = play(watcher, still(TWO[:1], 130), now)
    play(watcher, still(TWO, 20), now)
    assert all(stir.time > now / 10 - 1 for stir in tables[-1].stirs)
