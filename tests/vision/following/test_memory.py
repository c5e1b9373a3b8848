"""What the table is remembered by: right, or unclear, never wrong; on drawn tables whose cards carry an index."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from companion.vision.camera.source import Frame
from companion.vision.following.tracker import Tracker
from companion.vision.following.watcher import Watcher
from companion.vision.types import ReadResult, SeenTable, Side

from .test_beside import Fed
from .test_tracker import HEIGHT, WIDTH, Card, Scene, faces, show


@dataclass
class Printed(Scene):
    """Cards whose index stands in two corners; a card is found where one of them is in view."""

    shift: tuple[int, int] = (0, 0)
    lamp: float = 0.0
    """Grey levels that the right side of the table is darker by than the left one."""

    def picture(self) -> np.ndarray:
        canvas = np.full((HEIGHT, WIDTH, 3), self.table, np.float32)
        for card in self.cards:
            cv2.fillConvexPoly(canvas, np.round(card.polygon).astype(np.int32), (232, 236, 238))
            if card.side is Side.DOWN:
                cv2.fillConvexPoly(canvas, np.round(card.polygon).astype(np.int32), (120, 40, 30))
                continue
            ink = (40, 30, 190) if card.face[-1] in "HD" else (20, 20, 20)
            sheet = np.full((88, 63, 3), (232, 236, 238), np.uint8)
            cv2.putText(sheet, card.face[:-1], (4, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, 3)
            cv2.circle(sheet, (11, 30), 5, ink, -1)
            for x, y in [(32, 30), (32, 58)][: 1 + sum(map(ord, card.face)) % 2]:
                cv2.circle(sheet, (x, y), 6, ink, -1)
            sheet = np.minimum(sheet, sheet[::-1, ::-1])
            corners = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], np.float32)
            matrix = cv2.getPerspectiveTransform(corners, np.array(card.polygon, np.float32))
            own = cv2.warpPerspective(np.ones((88, 63), np.float32), matrix, (WIDTH, HEIGHT))[..., None]
            canvas = canvas * (1 - own) + cv2.warpPerspective(sheet.astype(np.float32), matrix, (WIDTH, HEIGHT)) * own
        if self.hand:
            cv2.circle(canvas, self.hand[:2], self.hand[2], (130, 160, 215), -1)
        canvas = canvas * self.light - self.lamp * np.linspace(0, 1, WIDTH)[:, None]
        canvas = np.roll(canvas, self.shift, axis=(1, 0))
        return np.clip(canvas + self.rng.normal(0, 3, canvas.shape), 0, 255).astype(np.uint8)

    def result(self) -> ReadResult:
        found = []
        for at, card in enumerate(self.cards):
            a, b, c, d = (np.array(p) for p in card.polygon)
            ends = [a + 0.18 * (b - a) + 0.25 * (d - a), c + 0.18 * (d - c) + 0.25 * (b - c)]
            above = [np.array(other.polygon, np.float32) for other in self.cards[at + 1 :]]
            clear = [not any(cv2.pointPolygonTest(q, tuple(map(float, e)), False) >= 0 for q in above) for e in ends]
            if self.hand:
                hand = np.array(self.hand[:2])
                clear = [k and np.hypot(*(e - hand)) > self.hand[2] + 8 for k, e in zip(clear, ends, strict=True)]
            if card.seen and any(clear):
                read = card.read()
                moved = tuple((x + self.shift[0], y + self.shift[1]) for x, y in read.polygon)
                found.append(type(read)(read.face, read.confidence, read.side, moved, read.candidates))  # type: ignore
        return ReadResult(WIDTH, HEIGHT, 1.0, tuple(found))


class Tight(Printed):
    """A row so tight that of an index hardly more than its edge is in view; what is found is said of each card."""

    def result(self) -> ReadResult:
        return ReadResult(WIDTH, HEIGHT, 1.0, tuple(card.read() for card in self.cards if card.seen))


ROW = ["AS", "KH", "7D", "9C", "QD"]


def row(step: int = 24, *cards: str) -> list[Card]:
    """Cards that lie over each other from the left to the right."""
    return [Card(face, 200 + step * n, 240) for n, face in enumerate(cards or ROW)]


def look(tracker: Tracker, scene: Scene, times: int = 2) -> SeenTable:
    """Looked at as the watcher does: a second time when something is unclear."""
    for _ in range(times):
        table = show(tracker, scene)
    return table


@pytest.mark.parametrize("taken", [1, 2, 3])
@pytest.mark.parametrize("light", [1.0, 0.85])
def test_a_card_drawn_from_the_middle_of_an_overlapping_row_is_gone(taken: int, light: float) -> None:
    tracker, scene = Tracker(), Printed(row())
    assert faces(look(tracker, scene)) == sorted(ROW)
    scene.hand = (230, 330, 70)
    show(tracker, scene)
    scene.hand, scene.light = None, light
    del scene.cards[taken]
    assert faces(look(tracker, scene)) == sorted(set(ROW) - {ROW[taken]})


@pytest.mark.parametrize("weak", [0, 1, 2, 3])
def test_one_that_is_only_not_found_for_long_stays(weak: int) -> None:
    tracker, scene = Tracker(), Printed(row())
    look(tracker, scene)
    scene.cards[weak].seen = False
    for light in (1.0, 0.9, 1.05, 0.8, 1.0, 0.95):
        scene.light = light
        table = show(tracker, scene)
    assert faces(table) == sorted(ROW)


@pytest.mark.parametrize("spot", [(224, 200), (248, 240), (272, 280), (200, 300)])
def test_a_hand_that_rests_for_minutes_on_a_row_takes_nothing(spot: tuple[int, int]) -> None:
    tracker, scene = Tracker(), Printed(row())
    before = look(tracker, scene)
    scene.hand = (*spot, 45)
    for _ in range(12):
        table = show(tracker, scene)
    assert faces(table) == sorted(ROW)
    scene.hand = None
    assert [c.track for c in look(tracker, scene).cards] == [c.track for c in before.cards]


def test_a_glass_put_on_a_card_is_no_proof_either() -> None:
    tracker, scene = Tracker(), Printed(row(70))
    look(tracker, scene)
    scene.hand = (270, 240, 50)
    for _ in range(12):
        table = show(tracker, scene)
    assert faces(table) == sorted(ROW)


def test_a_pile_that_grows_keeps_every_card() -> None:
    tracker, scene = Tracker(), Printed([])
    show(tracker, scene)
    rng = np.random.default_rng(4)
    for n, face in enumerate([*ROW, "2S", "3H", "4D"]):
        scene.cards.append(Card(face, 300 + rng.normal(0, 4), 240 + rng.normal(0, 4), rng.normal(0, 4)))
        assert len(look(tracker, scene).cards) == n + 1
    table = look(tracker, scene)
    latest = max(table.cards, key=lambda card: (card.since, card.track))
    assert faces(table) == sorted([*ROW, "2S", "3H", "4D"]) and latest.face == "4D"


def test_a_card_exactly_on_another_covers_it_and_leaves_it_there() -> None:
    tracker, scene = Tracker(), Printed([Card("AS", 200, 240)])
    below = look(tracker, scene).cards[0].track
    scene.cards.append(Card("KH", 200, 240))
    assert faces(look(tracker, scene)) == ["AS", "KH"]
    scene.cards.pop()
    assert [(c.track, c.face) for c in look(tracker, scene).cards] == [(below, "AS")]


def test_a_card_of_a_tight_row_that_is_missed_is_not_lifted_from_the_one_below() -> None:
    """The one below is found again, and the other is not: but its index shows as before."""
    below, missed = Card("AS", 200, 240), Card("KH", 210, 240)
    tracker, scene = Tracker(), Tight([below])
    look(tracker, scene)
    below.seen = False
    scene.cards.append(missed)
    assert faces(look(tracker, scene)) == ["AS", "KH"]
    below.seen, missed.seen = True, False
    scene.cards.append(Card("9C", 232, 242))
    assert faces(look(tracker, scene)) == ["9C", "AS", "KH"]
    scene.cards.remove(missed)
    assert faces(look(tracker, scene)) == ["9C", "AS"]


def test_a_card_found_astray_is_known_by_its_index() -> None:
    """Its outline was taken for its neighbour's; found where it lies it is no second one, nor is the neighbour it."""

    @dataclass
    class Indexed(Tight):
        astray: float = 0.0

        def result(self) -> ReadResult:
            cards = []
            for card in self.cards:
                read = card.read()
                middle = (card.x - 20, card.y - 30)
                aside = self.astray if card.face == "2C" else 0.0
                moved = tuple((x - aside, y) for x, y in read.polygon)
                cards.append(replace(read, polygon=moved, indices=(middle,)))
            return ReadResult(
                WIDTH, HEIGHT, 1.0, tuple(one for one, card in zip(cards, self.cards, strict=True) if card.seen)
            )

    tracker, scene = Tracker(), Indexed([Card("10C", 200, 240), Card("10H", 222, 240), Card("2C", 244, 240)])
    scene.cards[1].seen, scene.astray = False, 24
    first = look(tracker, scene)
    assert faces(first) == ["10C", "2C"]
    scene.cards[1].seen, scene.astray = True, 0
    scene.cards.append(Card("9D", 266, 240))
    then = look(tracker, scene)
    assert faces(then) == ["10C", "10H", "2C", "9D"]
    assert {one.track for one in first.cards} < {one.track for one in then.cards}
    scene.cards.append(Card("2C", 288, 240))
    assert faces(look(tracker, scene)) == ["10C", "10H", "2C", "2C", "9D"], "a true second one has an index of its own"


def test_a_card_laid_on_the_strip_of_another_does_not_take_it() -> None:
    tracker, scene = Tracker(), Printed(row(24, "AS", "KH", "7D"))
    look(tracker, scene)
    scene.cards.append(Card("9C", 212, 240, 3))
    assert faces(look(tracker, scene, 4)) == sorted(["AS", "KH", "7D", "9C"])


def test_a_row_that_is_pushed_together_loses_nothing() -> None:
    tracker, scene = Tracker(), Printed(row(30))
    look(tracker, scene)
    scene.cards = row(24)
    assert faces(look(tracker, scene, 4)) == sorted(ROW)


def test_twins_that_change_places_are_two_wherever_they_lie() -> None:
    tracker, scene = Tracker(), Printed([Card("QD", 150, 150), Card("QD", 420, 300), Card("7D", 300, 150)])
    look(tracker, scene)
    scene.cards[0], scene.cards[1] = Card("QD", 418, 302), Card("QD", 152, 149)
    table = look(tracker, scene)
    assert faces(table) == ["7D", "QD", "QD"] and len({card.track for card in table.cards}) == 3


def test_a_card_that_leaves_and_comes_back_is_there_once() -> None:
    tracker, scene = Tracker(), Printed(row(70))
    look(tracker, scene)
    card = scene.cards.pop(2)
    assert faces(look(tracker, scene)) == sorted(set(ROW) - {card.face})
    scene.cards.insert(2, Card(card.face, card.x + 3, card.y - 2, 4))
    assert faces(look(tracker, scene)) == sorted(ROW)


@pytest.mark.parametrize(("light", "lamp"), [(0.75, 0.0), (1.0, 50.0), (0.8, 40.0)])
def test_when_the_light_changes_nothing_comes_and_nothing_goes(light: float, lamp: float) -> None:
    tracker, scene = Tracker(), Printed(row(70))
    before = look(tracker, scene)
    scene.light, scene.lamp = light, lamp
    for weak in range(len(ROW)):
        scene.cards[weak].seen = False
        table = look(tracker, scene)
        scene.cards[weak].seen = True
    assert [(c.track, c.face) for c in table.cards] == [(c.track, c.face) for c in before.cards]


class Eyes:
    """Reads the scene as it lies."""

    def __init__(self, scene: Printed) -> None:
        self.scene = scene

    def read(self, image: np.ndarray, deck: object = None, letters: object = (), where: object = None,
             parts: object = ()) -> ReadResult:  # fmt: skip
        return self.scene.result()


def watched(scene: Printed) -> tuple[Watcher, Callable[[int], list[str]]]:
    """A watcher over a scene, and what it sees after some more frames of 1/12 s."""
    watcher, moments = Watcher(Fed(), Eyes(scene)), itertools.count()

    def on(frames: int) -> list[str]:
        for _ in range(frames):
            number = next(moments)
            watcher.feed(Frame(scene.picture(), number / 12, number))
        return faces(watcher.table) if watcher.table is not None else []

    return watcher, on


def test_a_card_laid_exactly_on_another_while_a_hand_is_near_is_told_when_the_hand_has_left() -> None:
    scene = Printed([Card("KC", 200, 240)])
    _, on = watched(scene)
    assert on(8) == ["KC"]
    scene.cards += [Card("KH", 200, 240), Card("7D", 480, 120)]  # the other card is a reason to read at once
    for step in range(8):
        scene.hand = (286 + 6 * (step % 2), 250, 44)
        on(1)
    scene.hand = None
    assert on(16) == ["7D", "KC", "KH"]


def test_cards_of_a_tight_fan_that_are_missed_in_turns_all_stay() -> None:
    """One that is found again did not lie under its neighbour that is not: nobody lifted that."""
    tracker = Tracker()
    fan = [Card(face, 200 + 14 * at, 200) for at, face in enumerate(("4C", "8S", "7S", "9C"))]
    for missed in (None, 0, 1, 2, 1, 0):
        reads = tuple(card.read() for at, card in enumerate(fan) if at != missed)
        tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, reads), Scene(fan).picture())
        assert faces(tracker.table(settled=True)) == ["4C", "7S", "8S", "9C"]


def test_the_upper_of_two_cards_stays_though_it_is_seen_nearer_to_the_place_of_the_lower() -> None:
    tracker, scene = Tracker(), Scene([Card("AS", 200, 200)])
    show(tracker, scene)
    scene.cards.append(Card("KH", 204, 200))
    before = show(tracker, scene)
    scene.cards[1].x = 201
    for _ in range(3):
        after = show(tracker, scene, changed=())
    assert faces(after) == ["AS", "KH"]
    assert [(c.track, c.face, c.covered) for c in after.cards] == [(c.track, c.face, c.covered) for c in before.cards]


@pytest.mark.parametrize(("looks", "left"), [((True, False, True), 1), ((True, False, False), 0)])
def test_a_back_is_no_mistake_before_two_looks_have_missed_it(looks: tuple[bool, ...], left: int) -> None:
    """It was just laid, and nothing on it tells it from a thing: the next look may find its corners elsewhere."""
    tracker = Tracker()
    show(tracker, Scene())
    back = Card("", 200, 200, side=Side.DOWN)
    everywhere, nowhere = ((0, 0, WIDTH, HEIGHT),), ()
    for look, back.seen in enumerate(looks):
        table = show(tracker, Scene([back]), nowhere if look else everywhere)
        if look < 2:
            assert len(table.cards) == 1 and tracker.in_doubt([]) and tracker.unclear(), "it is looked for again"
    assert len(table.cards) == left


@pytest.mark.parametrize(("swapped", "left"), [(False, 1), (True, 0)])
def test_a_back_on_an_open_card_stays_though_a_look_takes_both_for_one(swapped: bool, left: int) -> None:
    """The open card is found so large that it explains the back, which still looks as it did; another card does not."""
    tracker, scene = Tracker(), Scene([Card("4C", 200, 200), Card("", 204, 226, side=Side.DOWN)])
    show(tracker, Scene())
    index = ((176.0, 164.0),)
    four, back = replace(scene.cards[0].read(), indices=index), scene.cards[1].read()
    tracker.update(ReadResult(WIDTH, HEIGHT, 0.0, (four, back)), scene.picture())
    if swapped:
        scene.cards[1] = Card("KH", 204, 226)
    grown = replace(four, polygon=((169, 156), (236, 156), (236, 270), (169, 270)))
    for number in range(3):
        tracker.update(ReadResult(WIDTH, HEIGHT, 0.0, (grown,)), scene.picture(), frame=number, changed=())
    backs = [card for card in tracker.table(settled=True).cards if card.side is Side.DOWN]
    assert len(backs) == left and not any(card.covered for card in backs)
