"""A camera that is pushed on a bare cloth: its table is found again, or said to be lost; never silently another one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision import images
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.source import SourceState
from companion.vision.following.pushes import Pushes
from companion.vision.following.tracker import Tracker
from companion.vision.following.watcher import Watcher
from companion.vision.images import Pixels
from companion.vision.pipeline import Reader
from companion.vision.types import Side

from .cards_in_ink import SIZE, TWO, Cards, Film, picture, play, still, told
from .test_tracker import CARD, HEIGHT, WIDTH, Card, Scene, show

PICTURES = Path(__file__).parents[1] / "pictures"
WHOLE = (1280, 720)

CORNERS = [(40.0, 30.0), (280.0, 30.0), (300.0, 215.0), (20.0, 215.0)]


def framed(cards: Cards, push: int = 0, number: int = 0) -> Pixels:
    """A plain cloth on a plain floor: only its edges have detail."""
    floor = np.full((SIZE[1] + 400, SIZE[0] + 400, 3), (60, 60, 75), np.uint8)
    cloth = np.array([(x + 200, y + 200) for x, y in CORNERS], np.int32)
    cv2.fillConvexPoly(floor, cloth, (70, 120, 60))
    shown = picture(cards)
    drawn = (np.abs(shown.astype(int) - (70, 120, 60)) > 60).any(axis=2)
    view = floor[200 : 200 + SIZE[1], 200 : 200 + SIZE[0]]
    view[drawn] = shown[drawn]
    pushed = np.roll(floor, (push // 3, push), axis=(0, 1))[200 : 200 + SIZE[1], 200 : 200 + SIZE[0]]
    noise = np.random.default_rng(number).normal(0, 2, pushed.shape)
    return np.clip(pushed + noise, 0, 255).astype(np.uint8)


@pytest.fixture
def watched() -> tuple[Watcher, int]:
    watcher, _, _ = told(calibration=Calibration.from_corners(CORNERS, (900, 600), SIZE))
    return watcher, play(watcher, [framed(TWO[:1], 0, n) for n in range(12)])


@pytest.mark.parametrize("push", [15, 50, -50])
def test_a_push_on_a_plain_cloth_is_mended_or_said_within_five_seconds(watched: tuple[Watcher, int], push: int) -> None:
    watcher, now = watched
    assert watcher.status.state is SourceState.OK and watcher.calibration is not None
    before = watcher.calibration
    now = play(watcher, [framed(TWO[:1], push, n) for n in range(50)], now)
    if watcher.status.key == "ui.camera.mended":
        there = watcher.calibration.to_table([(160 + push, 120 + push // 3)], SIZE)[0]
        assert np.hypot(*(np.array(there) - before.to_table([(160, 120)], SIZE)[0])) < 20
    else:
        assert (watcher.status.state, watcher.status.key) == (SourceState.BLIND, "ui.camera.pushed")
        watcher.calibrate(before)
        play(watcher, [framed(TWO[:1], push, n) for n in range(20)], now)
        assert watcher.status.state is SourceState.OK


def test_pushed_back_it_goes_on_by_itself(watched: tuple[Watcher, int]) -> None:
    watcher, now = watched
    now = play(watcher, [framed(TWO[:1], 50, n) for n in range(50)], now)
    known = watcher.table.cards if watcher.table else ()
    play(watcher, [framed(TWO[:1], 0, n) for n in range(50)], now)
    assert watcher.status.state is SourceState.OK and watcher.table is not None
    assert [c.track for c in watcher.table.cards] == [c.track for c in known]


def test_cards_dealt_and_gathered_and_a_hand_that_rests_are_no_push(watched: tuple[Watcher, int]) -> None:
    watcher, now = watched
    for cards in ([], [*TWO], [("7D", 60, 100), ("2C", 130, 60), ("KH", 210, 90)], []):
        now = play(watcher, [framed(cards, 0, n) for n in range(15)], now)
        assert watcher.status.key == "ui.camera.ok"
    arm = [framed([], 0, n) for n in range(40)]
    for shown in arm:
        cv2.rectangle(shown, (120, 60), (190, SIZE[1]), (130, 160, 215), -1)
    play(watcher, arm, now)
    assert watcher.status.key == "ui.camera.ok"


def test_without_a_marked_table_a_push_is_nothing() -> None:
    watcher, _, _ = told()
    now = play(watcher, still(TWO))
    play(watcher, [framed(TWO[:1], 50, n) for n in range(30)], now)
    assert watcher.status.state is SourceState.OK


NEAR: Cards = [("AS", 120, 80), ("KH", 165, 80)]
WIDE: Cards = [("AS", 20, 30), ("KH", 200, 120), ("7D", 30, 150)]


def bare(cards: Cards, push: int = 0, number: int = 0, arm: int | None = None) -> Pixels:
    """A cloth that fills the picture: nothing but cards has detail. `arm`: one that reaches up to there from below."""
    shown = picture([(face, x + push, y + push // 3) for face, x, y in cards], number=number)
    if arm is not None:
        x, y = cards[0][1] + push + 20, cards[0][2] + push // 3 + 30
        cv2.rectangle(shown, (x - 18, y), (x + 18, SIZE[1]), (130, 160, 215), -1)
    return shown


@pytest.fixture
def marked() -> Watcher:
    watcher, _, _ = told(calibration=Calibration.from_corners(CORNERS, (900, 600), SIZE))
    return watcher


def slide(push: int, cards: Cards, arm: int | None = None) -> list[Pixels]:
    """Half a second in which everything, or what a hand holds, moves by so much."""
    return [bare(cards, push * n // 5, n, arm) for n in range(1, 6)]


@pytest.mark.parametrize("cards", [WIDE, NEAR], ids=["far apart", "near each other"])
def test_cards_that_all_moved_alike_on_a_bare_cloth_mend_the_table(marked: Watcher, cards: Cards) -> None:
    now = play(marked, [bare(cards, 0, n) for n in range(12)])
    before = {card.face: card for card in marked.table.cards} if marked.table else {}
    play(marked, [*slide(45, cards), *(bare(cards, 45, n) for n in range(20))], now)
    assert marked.status.key == "ui.camera.mended" and marked.table is not None
    for card in marked.table.cards:
        assert card.track == before[card.face].track
        assert np.hypot(*np.subtract(card.centre, before[card.face].centre)) < 8  # mm


def test_a_single_card_that_moved_without_a_hand_is_said_to_be_a_push(marked: Watcher) -> None:
    """How the camera is turned now it does not tell."""
    cards = NEAR[:1]
    now = play(marked, [bare(cards, 0, n) for n in range(12)])
    lay = marked.table.cards if marked.table else ()
    now = play(marked, [*slide(60, cards), *(bare(cards, 60, n) for n in range(45))], now)
    assert (marked.status.state, marked.status.key) == (SourceState.BLIND, "ui.camera.pushed")
    assert marked.table is not None and marked.table.cards == lay
    play(marked, [*reversed(slide(60, cards)), *(bare(cards, 0, n) for n in range(20))], now)
    assert marked.status.state is SourceState.OK
    assert [card.track for card in marked.table.cards] == [card.track for card in lay]


@pytest.mark.parametrize("cards", [NEAR[:1], NEAR])
def test_cards_that_a_hand_moves_are_no_push(marked: Watcher, cards: Cards) -> None:
    now = play(marked, [bare(cards, 0, n) for n in range(12)])
    lay = marked.table.cards if marked.table else ()
    grip = [bare(cards, 0, n, 1) for n in range(3)]
    now = play(marked, [*grip, *slide(60, cards, 1), *(bare(cards, 60, n) for n in range(30))], now)
    assert marked.status.key == "ui.camera.ok" and marked.table is not None
    assert {card.face for card in marked.table.cards} == {card.face for card in lay}
    assert all(a.centre[0] > b.centre[0] + 60 for a, b in zip(marked.table.cards, lay, strict=True))


def test_one_of_several_cards_that_is_moved_is_no_push(marked: Watcher) -> None:
    now = play(marked, [bare(WIDE, 0, n) for n in range(12)])
    play(marked, [bare([("AS", 100, 60), *WIDE[1:]], 0, n) for n in range(20)], now)
    assert marked.status.key == "ui.camera.ok"


@pytest.mark.parametrize("carried", [False, True], ids=["by hand", "the camera"])
def test_cards_that_are_gathered_while_backs_lie_still_are_no_push(carried: bool) -> None:
    backs = [Card("", x, y, side=Side.DOWN) for x, y in ((80, 80), (180, 80), (440, 320))]
    trick, tracker, pushes = [Card("KD", 300, 200), Card("JC", 380, 205)], Tracker(), Pushes()
    show(tracker, Scene([*backs, *trick]))
    for card in [*trick, *backs] if carried else trick:
        card.x, card.y = card.x - 40, card.y + 90
    scene = Scene([*backs, *trick])
    push = pushes.look(scene.picture(), tracker, scene.result().cards, (), ())
    assert (push is not None) is carried and not pushes.lost


@pytest.mark.parametrize(("back", "told"), [((380, 320), (70, 40)), ((150, 110), None)], ids=["far", "near"])
def test_backs_tell_of_a_push_as_well(lying: tuple[Tracker, Pushes], back: tuple[int, int], told: Any) -> None:
    """Hands move as they are: one may carry a card and a pile that lie near each other."""
    tracker, pushes = lying
    cards = [Card("QC", 60, 100), Card("", *back, side=Side.DOWN)]
    show(tracker, Scene(cards))
    assert looked(tracker, pushes, after(cards, (70, 40)), still=False) == told and not pushes.lost


def test_where_the_edge_cuts_all_cards_nobody_can_tell_by_how_much_it_was_pushed(
    lying: tuple[Tracker, Pushes],
) -> None:
    tracker, pushes = lying
    cards = [Card("QC", 200, 60), Card("JD", 320, 60)]
    show(tracker, Scene(cards))
    cut = [replace(card, x=card.x + 60, y=CARD[1] / 2 + 1) for card in cards]
    assert looked(tracker, pushes, cut, still=True) is None and pushes.lost


def cut(quad: list[list[float]]) -> Pixels:
    """A card of the photograph, upright, 110 × 154 px."""
    flat = np.array([(0, 0), (110, 0), (110, 154), (0, 154)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(quad, np.float32), flat)
    return cv2.warpPerspective(images.load(PICTURES / "table.jpg"), matrix, (110, 154)).astype(np.uint8)


CUT = [cut(card["quad"]) for card in json.loads((PICTURES / "table.json").read_text("utf-8"))[:3]]


def photographed(number: int, push: tuple[int, int]) -> Pixels:
    """Three cards cut out of a photograph, on a plain cloth of 1280 × 720 px, as a camera sees it after a push."""
    rng = np.random.default_rng(number)
    shown = np.full((720, 1280, 3), (70, 120, 60), np.uint8)
    for card, (left, top) in zip(CUT, ((120, 90), (880, 130), (520, 470)), strict=True):
        shown[top + push[1] : top + push[1] + 154, left + push[0] : left + push[0] + 110] = card
    return np.clip(shown + rng.normal(0, 3, shown.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("step", [(12, 4), (40, 14)])
def test_a_push_over_real_cards_on_a_plain_cloth_is_mended_with_the_shipped_reader(step: tuple[int, int]) -> None:
    """By 60 px, and by 200: the cards are the same, where they lay."""
    marked = Calibration.from_corners(
        [(40.0, 30.0), (1240.0, 30.0), (1240.0, 690.0), (40.0, 690.0)], (1200, 660), WHOLE
    )
    watcher = Watcher(Film([]), Reader(threads=1), calibration=marked)
    now = play(watcher, [photographed(n, (0, 0)) for n in range(8)])
    before = {card.face: card for card in watcher.table.cards} if watcher.table else {}
    assert len(before) == 3 and None not in before
    way = [(step[0] * n, step[1] * n) for n in range(1, 6)]
    pushed = [*(photographed(n, at) for n, at in enumerate(way)), *(photographed(n, way[-1]) for n in range(10))]
    play(watcher, pushed, now)
    assert watcher.status.key == "ui.camera.mended" and watcher.table is not None
    for card in watcher.table.cards:
        assert card.track == before[card.face].track
        assert np.hypot(*np.subtract(card.centre, before[card.face].centre)) < 5  # mm


def test_what_a_push_brings_into_the_picture_is_no_hand(watched: tuple[Watcher, int], monkeypatch: Any) -> None:
    """The edge of a chair, say: it still moves when the push is found out, and has been there ever since."""
    watcher, now = watched
    frames = [framed(TWO[:1], 0, n) for n in range(16)]
    for number, shown in enumerate(frames):
        left = 130 + 15 * min(number, 3)
        cv2.rectangle(shown, (left, 140), (left + 25, SIZE[1]), (130, 160, 215), -1)
    now = play(watcher, frames[:3], now)
    shifts = iter([np.eye(3)])
    monkeypatch.setattr(watcher._pushes, "shift", lambda pixels: next(shifts, None))
    monkeypatch.setattr(watcher, "_is_due", lambda frame, movement: True)
    now = play(watcher, frames[3:4], now)
    monkeypatch.undo()
    for shown in frames[4:]:
        now = play(watcher, [shown], now)
        there = watcher.now()
        assert watcher.status.key == "ui.camera.mended" and there is not None and there.visits == ()


WIDE_APART = [Card("AS", 60, 60), Card("KH", 420, 90), Card("7D", 80, 300)]
TWO_NEAR = [Card("QC", 60, 100), Card("JD", 120, 110)]


def after(cards: list[Card], step: tuple[float, float]) -> list[Card]:
    return [replace(card, x=card.x + step[0], y=card.y + step[1]) for card in cards]


def looked(tracker: Tracker, pushes: Pushes, cards: list[Card], *, still: bool) -> tuple[float, float] | None:
    """How far the cards tell that the middle of the picture went, px."""
    scene = Scene(cards)
    push = pushes.look(scene.picture(), tracker, scene.result().cards, (), (), still=still)
    if push is None:
        return None
    there = cv2.perspectiveTransform(np.array([[(WIDTH / 2, HEIGHT / 2)]]), push)[0, 0]
    return round(float(there[0] - WIDTH / 2)), round(float(there[1] - HEIGHT / 2))


@pytest.fixture
def lying() -> tuple[Tracker, Pushes]:
    return Tracker(), Pushes()


def test_a_push_is_told_while_hands_move_by_cards_far_apart_alone(lying: tuple[Tracker, Pushes]) -> None:
    tracker, pushes = lying
    show(tracker, Scene(WIDE_APART))
    assert looked(tracker, pushes, after(WIDE_APART, (70, 40)), still=False) == (70, 40)
    show(tracker := Tracker(), Scene(TWO_NEAR))
    assert looked(tracker, pushes, after(TWO_NEAR, (70, 40)), still=False) is None and not pushes.lost


def test_a_push_that_was_told_on_its_way_is_followed_to_its_end_once(lying: tuple[Tracker, Pushes]) -> None:
    tracker, pushes = lying
    show(tracker, Scene(WIDE_APART))
    assert looked(tracker, pushes, after(WIDE_APART, (70, 40)), still=False) == (70, 40)
    show(tracker := Tracker(), Scene(after(WIDE_APART, (70, 40))))
    assert looked(tracker, pushes, after(WIDE_APART, (76, 44)), still=True) == (6, 4)
    show(tracker := Tracker(), Scene(after(WIDE_APART, (76, 44))))
    assert looked(tracker, pushes, after(WIDE_APART, (80, 44)), still=True) is None


def test_of_a_card_cut_by_the_edge_no_corner_tells_how_far_it_went(lying: tuple[Tracker, Pushes]) -> None:
    """Its outline ends at the edge, so it seems to have gone less far than the others."""
    tracker, pushes = lying
    beside = Card("2C", WIDTH - 60, 240)
    show(tracker, Scene([*WIDE_APART, beside]))
    cards = [*after(WIDE_APART, (70, 0)), replace(beside, x=WIDTH - CARD[0] / 2 - 1)]
    assert looked(tracker, pushes, cards, still=True) == (70, 0)


@pytest.mark.parametrize(
    ("left", "told"), [(HEIGHT - 60, (0, 90)), (HEIGHT - 200, None)], ids=["out", "in the picture"]
)
def test_cards_that_went_out_of_the_picture_tell_of_a_push(lying: tuple[Tracker, Pushes], left: int, told: Any) -> None:
    """Two near each other stay in it. If what is gone would still be in the picture, somebody took it."""
    tracker, pushes = lying
    show(tracker, Scene([*TWO_NEAR, Card("9H", 420, left), Card("4S", 200, HEIGHT - 60)]))
    assert looked(tracker, pushes, after(TWO_NEAR, (0, 90)), still=False) == told


@pytest.mark.parametrize(
    ("backs", "told"),
    [([(60, 100), (180, 300), (420, 90), (300, 200)], (70, 40)), ([(60, 100), (180, 300)], None),
     ([(60 + 80 * n, 100) for n in range(4)], (70, 40))],
    ids=["several", "too few", "a row"],
)  # fmt: skip
def test_where_no_card_lies_open_backs_tell(lying: tuple[Tracker, Pushes], monkeypatch: pytest.MonkeyPatch,
                                           backs: list[tuple[int, int]], told: Any) -> None:  # fmt: skip
    """Where the picture tells no more than that nothing is where it was."""
    tracker, pushes = lying
    monkeypatch.setattr("companion.vision.camera.bump.Anchor.lost", lambda *_: True)
    cards = [Card("", x, y, side=Side.DOWN) for x, y in backs]
    show(tracker, Scene(cards))
    assert looked(tracker, pushes, after(cards, (70, 40)), still=True) == told
    assert pushes.lost is (told is None)


def test_a_row_that_somebody_draws_nearer_is_no_push(lying: tuple[Tracker, Pushes]) -> None:
    tracker, pushes = lying
    row = [Card(face, 60 + 70 * n, 120) for n, face in enumerate(("AS", "KH", "7D", "QC", "JD", "2C"))]
    show(tracker, Scene(row))
    assert looked(tracker, pushes, after(row, (0, 90)), still=False) is None and not pushes.lost


def test_while_the_camera_is_moved_nothing_is_read_and_for_long_it_is_waited_for_nothing() -> None:
    pushes, chance = Pushes(), np.random.default_rng(3)
    before, now = (cv2.resize(chance.integers(0, 255, (24, 32, 3), np.uint8), (WIDTH, HEIGHT)) for _ in range(2))
    pushes.keep(before)
    assert pushes.shift(now) is None and pushes.moves(10.0) and pushes.moves(11.4) and not pushes.moves(11.6)
    assert pushes.shift(before) is None and not pushes.moves(12.0)
