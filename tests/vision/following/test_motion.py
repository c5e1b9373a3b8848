"""The gate: still after a few frames, held by hands, and precise about what changed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.following.motion import Motion, MotionGate, arms


class Table:
    """A felt with noise, cards at given places, and perhaps a hand."""

    def __init__(self, size: tuple[int, int] = (640, 480), noise: float = 3.0) -> None:
        self.width, self.height = size
        self.rng = np.random.default_rng(7)
        self.grain = self.rng.normal(0, noise, (self.height, self.width, 3)).astype(np.float32)
        self.cards: list[tuple[int, int]] = []
        self.hand: tuple[int, int] | None = None
        self.light = 1.0

    def frame(self) -> np.ndarray:
        picture = np.full((self.height, self.width, 3), (60, 110, 50), np.float32)
        for x, y in self.cards:
            cv2.rectangle(picture, (x, y), (x + 45, y + 63), (235, 235, 235), -1)
        if self.hand:
            cv2.circle(picture, self.hand, 50, (120, 150, 210), -1)
        grain = np.roll(self.grain, int(self.rng.integers(self.height)), axis=0)
        return np.clip(picture * self.light + grain, 0, 255).astype(np.uint8)


def settle(gate: MotionGate, table: Table, most: int = 20) -> int:
    """Frames fed until the gate is still; `most` when it never is."""
    for count in range(1, most + 1):
        if gate.feed(table.frame()).still:
            return count
    return most


def test_a_still_table_passes_after_the_gates_frames_and_is_new_all_over() -> None:
    gate, table = MotionGate(frames=6), Table()
    answers = [gate.feed(table.frame()) for _ in range(6)]
    assert [a.still for a in answers] == [False] * 5 + [True]
    assert answers[-1].changed == ((0, 0, 640, 480),)


def test_nothing_changed_after_it_was_read() -> None:
    gate, table = MotionGate(), Table(noise=6)
    settle(gate, table)
    gate.accept()
    for _ in range(20):
        answer = gate.feed(table.frame())
        assert answer.still and answer.changed == ()


def test_a_laid_card_is_the_only_region_that_changed() -> None:
    gate, table = MotionGate(), Table()
    table.cards = [(100, 100)]
    settle(gate, table)
    gate.accept()
    table.cards.append((400, 300))
    assert not gate.feed(table.frame()).still
    assert settle(gate, table) <= 6
    (region,) = gate.feed(table.frame()).changed
    left, top, right, bottom = region
    assert 370 < left <= 400 and 270 < top <= 300 and 445 <= right < 475 and 363 <= bottom < 395


def test_a_card_taken_away_is_a_change_too() -> None:
    gate, table = MotionGate(), Table()
    table.cards = [(100, 100), (400, 300)]
    settle(gate, table)
    gate.accept()
    table.cards = [(400, 300)]
    settle(gate, table)
    (region,) = gate.feed(table.frame()).changed
    assert region[0] <= 100 and region[2] < 200


@pytest.mark.parametrize("speed", [40, 4, 1])
def test_a_moving_hand_holds_the_gate_however_slow_it_is(speed: int) -> None:
    gate, table = MotionGate(), Table(noise=2)
    settle(gate, table)
    gate.accept()
    for step in range(25):
        table.hand = (100 + speed * step % 440, 200)
        assert not gate.feed(table.frame()).still


def test_brightness_that_drifts_is_no_change() -> None:
    gate, table = MotionGate(), Table()
    table.cards = [(100, 100)]
    settle(gate, table)
    gate.accept()
    answer = Motion(False, 1.0)
    for step in range(30):
        table.light = 1.0 - 0.001 * step
        answer = gate.feed(table.frame())
    assert answer.still and answer.changed == ()


def test_another_picture_size_starts_afresh() -> None:
    gate = MotionGate()
    settle(gate, Table())
    gate.accept()
    small = Table((320, 200))
    assert not gate.feed(small.frame()).still
    settle(gate, small)
    assert gate.feed(small.frame()).changed == ((0, 0, 320, 200),)


def test_reset_makes_the_same_table_new_again() -> None:
    gate, table = MotionGate(), Table()
    settle(gate, table)
    gate.accept()
    gate.reset()
    assert settle(gate, table) == gate.frames
    assert gate.feed(table.frame()).changed == ((0, 0, 640, 480),)


@pytest.mark.parametrize("size", [(16, 16), (1920, 160), (40, 900)])
def test_odd_sizes_pass(size: tuple[int, int]) -> None:
    assert settle(MotionGate(), Table(size)) == 3


@pytest.mark.parametrize("fps", [5, 12, 30, 60])
def test_a_table_has_to_rest_for_a_time_whatever_the_camera_gives(fps: int) -> None:
    gate, table = MotionGate(), Table()
    for n in range(fps * 2):
        if gate.feed(table.frame(), n / fps).still:
            assert 0.2 < n / fps < max(0.35, 2.5 / fps)
            return
    raise AssertionError("it never rests")


def test_what_reaches_over_the_edge_is_not_ripe_and_what_lies_apart_from_it_is() -> None:
    gate, table = MotionGate(frames=3), Table()
    settle(gate, table)
    gate.accept()
    table.hand = (10, 240)
    settle(gate, table)
    answer = gate.feed(table.frame())
    assert answer.still and answer.changed and not answer.ripe
    table.cards = [(400, 300)]
    settle(gate, table)
    assert gate.feed(table.frame()).ripe


def test_where_an_arm_was_when_the_table_was_read_nobody_waits_for_another() -> None:
    gate, table = MotionGate(frames=3), Table()
    settle(gate, table)
    gate.accept()
    table.hand, table.cards = (20, 240), [(400, 300)]
    settle(gate, table)
    assert gate.feed(table.frame()).ripe
    gate.accept()
    table.hand, table.cards = None, [(400, 300), (60, 210)]
    settle(gate, table)
    answer = gate.feed(table.frame())
    assert answer.still and answer.ripe, "what the arm leaves bare is the table, and the card beside it lies free"
    assert answer.foreign is not None and not answer.foreign[:, :10].any(), "there is no hand"


def test_a_hand_that_moves_elsewhere_keeps_nothing_unripe() -> None:
    gate, table = MotionGate(frames=3), Table()
    settle(gate, table)
    gate.accept()
    table.cards = [(400, 300)]
    answers = []
    for step in range(8):
        table.hand = (100 + 20 * (step % 2), 200)
        answers.append(gate.feed(table.frame()))
    assert not answers[-1].still and answers[-1].ripe
    table.cards = []
    gate.accept(answers[-1].near)
    for step in range(8):
        table.hand = (100 + 20 * (step % 2), 200)
        answer = gate.feed(table.frame())
    assert answer.ripe, "the card has left"
    gate.accept(answer.near)
    for step in range(8):
        table.hand = (100 + 20 * (step % 2), 200)
        assert not gate.feed(table.frame()).ripe, "the hand alone is no reason to read"


def test_with_hands_always_there_the_table_is_known_but_for_what_they_hide() -> None:
    gate, table = MotionGate(frames=3), Table()
    table.cards = [(100, 200), (400, 300)]
    for step in range(6):
        table.hand = (100 + 20 * (step % 2), 200)
        answer = gate.feed(table.frame())
    assert answer.changed and answer.where is not None
    gate.accept(answer.near)
    table.hand = None
    settle(gate, table)
    answer = gate.feed(table.frame())
    assert answer.ripe and all(right < 350 for _, _, right, _ in answer.changed)


def test_a_sleeve_as_bright_as_the_cloth_is_seen_by_its_colour() -> None:
    cloth, sleeve = (40, 20, 60), (18, 18, 72)
    gate = MotionGate()
    picture = np.full((480, 640, 3), cloth, np.uint8)
    grey = cv2.cvtColor(np.array([[cloth, sleeve]], np.uint8), cv2.COLOR_BGR2GRAY)[0]
    assert abs(int(grey[0]) - int(grey[1])) < gate.level / 2
    for number in range(6):
        gate.feed(picture, number / 12)
    gate.accept()
    arm = picture.copy()
    arm[200:240, :300] = sleeve
    arm[195:245, 300:360] = (150, 170, 220)  # the hand
    answers = [gate.feed(arm, number / 12) for number in range(6, 12)]
    foreign = answers[-1].foreign
    assert foreign is not None and len(arms(foreign)) == 1
    assert answers[-1].where is None or not answers[-1].where.any()


def test_a_card_as_bright_as_the_cloth_is_a_change_by_its_colour() -> None:
    cloth, back = (72, 92, 50), (116, 50, 120)
    grey = cv2.cvtColor(np.array([[cloth, back]], np.uint8), cv2.COLOR_BGR2GRAY)[0]
    gate = MotionGate()
    assert abs(int(grey[0]) - int(grey[1])) < 0.6 * gate.level
    picture = np.full((480, 640, 3), cloth, np.uint8)
    for number in range(6):
        gate.feed(picture, number / 12)
    gate.accept()
    picture[200:263, 300:345] = back
    changed = [gate.feed(picture, number / 12) for number in range(6, 12)][-1].changed
    assert len(changed) == 1
    left, top, right, bottom = changed[0]
    assert left <= 300 and top <= 200 and right >= 345 and bottom >= 263


def test_a_card_that_a_hand_has_left_is_ripe_though_the_arm_that_leaves_was_read_with_the_table() -> None:
    """Its fingers trembled over the card for long, while the arm lay still: what comes to light along its way joins the
    card and the hand."""
    gate, table = MotionGate(), Table()
    settle(gate, table)
    gate.accept()

    def frame(tip: int, n: int) -> np.ndarray:
        picture = table.frame()
        end = (tip + 8 * (n % 2), 130)
        cv2.line(picture, (650, 130), end, (120, 150, 210), 40)
        return picture

    table.cards = [(100, 100)]
    for n in range(20):
        answer = gate.feed(frame(140, n), n / 12)
    gate.accept(answer.near)
    leaving = [gate.feed(frame(220 + 60 * n, 0), (20 + n) / 12) for n in range(7)]
    assert [answer.ripe or bool(answer.soon) for answer in leaving][-1]
    assert any(answer.near is not None for answer in leaving[-1:])
