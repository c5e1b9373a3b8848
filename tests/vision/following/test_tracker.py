"""The tracker: cards last while they are there, equal cards are several, and nothing is left of a cleared table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.vision.camera.calibration import Calibration
from companion.vision.following.background import BackgroundModel
from companion.vision.following.track import TrackEvidence
from companion.vision.following.tracker import Tracker
from companion.vision.types import Candidate, CardRead, Quad, ReadResult, Region, SeenTable, Side, Unit

WIDTH, HEIGHT = 640, 480
CARD = (63, 88)
NOISE = np.random.default_rng(5).normal(0, 3, (HEIGHT, WIDTH, 3)).astype(np.float32)


@dataclass
class Card:
    """A card on the invented table: what it is, where its middle lies (px), how it is turned (degrees)."""

    face: str
    x: float
    y: float
    turn: float = 0.0
    side: Side = Side.UP
    reads: tuple[tuple[str, float], ...] = ()
    seen: bool = True
    """False: the detector misses it, though it is there."""

    @property
    def polygon(self) -> Quad:
        angle = np.deg2rad(self.turn)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD) / 2
        points = half @ spin.T + (self.x, self.y)
        return tuple((float(x), float(y)) for x, y in points)  # type: ignore[return-value]

    def read(self) -> CardRead:
        if self.side is Side.DOWN:
            return CardRead(None, 0.9, Side.DOWN, self.polygon)
        guesses = self.reads or ((self.face, 0.96),)
        best = guesses[0]
        candidates = tuple(Candidate(face, p) for face, p in guesses)
        return CardRead(best[0] if best[1] >= 0.8 else None, best[1], Side.UP, self.polygon, candidates)


@dataclass
class Scene:
    """Cards from the bottom to the top of the heap, perhaps a hand over them, on a table of some colour."""

    cards: list[Card] = field(default_factory=list)
    hand: tuple[int, int, int] | None = None
    table: tuple[int, int, int] = (70, 120, 60)
    light: float = 1.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(3))

    def picture(self) -> np.ndarray:
        canvas = np.full((HEIGHT, WIDTH, 3), self.table, np.float32)
        for card in self.cards:
            outline = np.round(card.polygon).astype(np.int32)
            down = card.side is Side.DOWN
            cv2.fillConvexPoly(canvas, outline, (120, 40, 30) if down else (232, 236, 238))
            if not down:
                ink = (40, 30, 190) if card.face[-1] in "HD" else (20, 20, 20)
                for k in range(4):
                    spot = outline.mean(axis=0) + (outline[k] - outline.mean(axis=0)) * 0.45
                    cv2.circle(canvas, (int(spot[0]), int(spot[1])), 8, ink, -1)
        if self.hand:
            cv2.circle(canvas, self.hand[:2], self.hand[2], (130, 160, 215), -1)
        noise = np.roll(NOISE, int(self.rng.integers(HEIGHT)), axis=0)
        return np.clip(canvas * self.light + noise, 0, 255).astype(np.uint8)

    def result(self) -> ReadResult:
        found = []
        for at, card in enumerate(self.cards):
            cover = np.zeros((HEIGHT, WIDTH), np.uint8)
            for above in self.cards[at + 1 :]:
                cv2.fillConvexPoly(cover, np.round(above.polygon).astype(np.int32), 1)
            if self.hand:
                cv2.circle(cover, self.hand[:2], self.hand[2], 1, -1)
            own = np.zeros((HEIGHT, WIDTH), np.uint8)
            cv2.fillConvexPoly(own, np.round(card.polygon).astype(np.int32), 1)
            if card.seen and (own & ~cover & 1).sum() > 0.4 * own.sum():
                found.append(card.read())
        return ReadResult(WIDTH, HEIGHT, 1.0, tuple(found))


def show(tracker: Tracker, scene: Scene, changed: tuple[Region, ...] | None = None) -> SeenTable:
    tracker.update(scene.result(), scene.picture(), changed=changed)
    return tracker.table(settled=True)


def faces(table: SeenTable) -> list[str | None]:
    return sorted((c.face for c in table.cards), key=str)


@pytest.fixture(params=["bare first", "cards first"])
def tracker(request: pytest.FixtureRequest) -> Tracker:
    """One that saw the bare table before, and one that did not."""
    tracker = Tracker()
    if request.param == "bare first":
        show(tracker, Scene())
    return tracker


def test_cards_keep_their_numbers(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 150, 150), Card("KH", 300, 300, 20)])
    first = show(tracker, scene)
    scene.cards.append(Card("7D", 450, 120, -15))
    second = show(tracker, scene)
    assert [c.track for c in second.cards][:2] == [c.track for c in first.cards]
    assert [c.face for c in second.cards] == ["AS", "KH", "7D"]
    assert first.unit is Unit.FRACTION and first.cards[0].centre == pytest.approx((150 / WIDTH, 150 / HEIGHT))


def test_two_equal_cards_are_two(tracker: Tracker) -> None:
    scene = Scene([Card("QD", 150, 150), Card("QD", 180, 170, 10), Card("QD", 400, 300)])
    for _ in range(3):
        table = show(tracker, scene, ())
    assert faces(table) == ["QD"] * 3
    assert len({c.track for c in table.cards}) == 3


def test_one_of_two_equal_cards_is_taken(tracker: Tracker) -> None:
    scene = Scene([Card("QD", 150, 150), Card("QD", 400, 300)])
    before = show(tracker, scene)
    del scene.cards[0]
    after = show(tracker, scene)
    assert [c.track for c in after.cards] == [before.cards[1].track]


def test_a_hand_over_a_card_does_not_take_it(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 150, 150), Card("KH", 400, 300)])
    before = show(tracker, scene)
    scene.hand = (150, 150, 80)
    assert len(scene.result().cards) == 1
    for _ in range(5):
        table = show(tracker, scene)
    assert [(c.track, c.face) for c in table.cards] == [(c.track, c.face) for c in before.cards]
    scene.hand = None
    assert [c.track for c in show(tracker, scene).cards] == [c.track for c in before.cards]


def test_a_card_taken_under_the_hand_is_gone_when_the_hand_is(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 150, 150), Card("KH", 400, 300)])
    show(tracker, scene)
    scene.hand = (150, 150, 80)
    show(tracker, scene)
    scene.hand = None
    del scene.cards[0]
    assert faces(show(tracker, scene)) == ["KH"]


def test_a_card_under_another_is_still_there_and_comes_up_again(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200)])
    below = show(tracker, scene).cards[0].track
    scene.cards.append(Card("KH", 206, 203, 4))
    table = show(tracker, scene)
    assert faces(table) == ["AS", "KH"] and table.cards[0].track == below
    scene.cards.pop()
    after = show(tracker, scene)
    assert [(c.track, c.face) for c in after.cards] == [(below, "AS")]


def test_a_weak_moment_of_the_detector_loses_nothing(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 150, 150), Card("KH", 400, 300)])
    before = show(tracker, scene)
    scene.cards[0].seen = False
    for light in (1.0, 0.95, 1.05):
        scene.light = light
        table = show(tracker, scene)
    assert [c.track for c in table.cards] == [c.track for c in before.cards]


@pytest.mark.parametrize("colour", [(70, 120, 60), (60, 95, 140), (30, 30, 30), (200, 205, 210), (90, 30, 30)])
def test_a_cleared_table_leaves_no_phantom(colour: tuple[int, int, int]) -> None:
    tracker = Tracker()
    scene = Scene(table=colour)
    show(tracker, scene)
    scene.cards = [Card("AS", 90 + 90 * n, 120 + 60 * (n % 3), 17 * n) for n in range(6)]
    assert len(show(tracker, scene).cards) == 6
    scene.cards = []
    scene.light = 0.96
    assert show(tracker, scene).cards == ()


def test_a_back_taken_away_leaves_no_phantom(tracker: Tracker) -> None:
    scene = Scene([Card("", 200, 200, side=Side.DOWN), Card("KH", 400, 300)])
    assert [c.side for c in show(tracker, scene).cards] == [Side.DOWN, Side.UP]
    del scene.cards[0]
    assert faces(show(tracker, scene)) == ["KH"]


def test_a_card_changed_for_another_in_the_same_place(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200)])
    old = show(tracker, scene).cards[0].track
    scene.cards = []
    for _ in range(2):  # the hand still moves, the place is empty
        tracker.glance(scene.picture())
    scene.cards = [Card("KH", 200, 200)]
    table = show(tracker, scene)
    assert [c.face for c in table.cards] == ["KH"] and table.cards[0].track != old


def test_a_pushed_card_stays_the_same_card(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200)])
    old = show(tracker, scene).cards[0].track
    scene.cards[0].x += 40
    assert [c.track for c in show(tracker, scene).cards] == [old]


def test_a_glance_keeps_a_card_and_says_nothing_of_it(tracker: Tracker) -> None:
    """Its name, its side and what is known of it stay; and nothing begins to lie there by a glance alone."""
    scene = Scene([Card("7S", 100, 100)])
    before = show(tracker, scene).cards
    (read,) = scene.result().cards
    for side in (Side.UP, Side.DOWN):
        glanced = replace(read, face=None, side=side, candidates=(Candidate("KH", 0.9),), glanced=True)
        beside = replace(glanced, polygon=Card("KH", 400, 100).polygon)
        result = ReadResult(WIDTH, HEIGHT, 1.0, (glanced, beside))
        for _ in range(6):
            tracker.update(result, scene.picture(), changed=())
        (card,) = tracker.table(settled=True).cards
        assert (card.track, card.face, card.side, card.covered) == (before[0].track, "7S", Side.UP, False)
        assert card.candidates == before[0].candidates


def test_a_card_turned_over(tracker: Tracker) -> None:
    scene = Scene([Card("", 200, 200, side=Side.DOWN)])
    old = show(tracker, scene).cards[0]
    scene.cards = [Card("AS", 200, 200)]
    new = show(tracker, scene).cards[0]
    assert (old.side, old.face, new.side, new.face) == (Side.DOWN, None, Side.UP, "AS")
    assert new.track == old.track


def test_one_odd_look_does_not_turn_a_card_over(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200)])
    show(tracker, scene)
    scene.cards[0].side = Side.DOWN
    assert show(tracker, scene, ()).cards[0].face == "AS"


def test_doubtful_looks_add_up(tracker: Tracker) -> None:
    card = Card("6H", 200, 200, reads=(("6H", 0.7), ("9H", 0.25)))
    scene = Scene([card])
    first = show(tracker, scene).cards[0]
    assert first.face is None and [c.face for c in first.candidates] == ["6H", "9H"]
    for _ in range(4):
        table = show(tracker, scene)
    assert table.cards[0].face == "6H" and table.cards[0].confidence > 0.95


def test_looks_at_a_still_card_hardly_add_up() -> None:
    still, moved = TrackEvidence(), TrackEvidence()
    read = Card("6H", 0, 0, reads=(("6H", 0.7), ("9H", 0.25))).read()
    for appearance in range(40):
        still.add(read, repeated=appearance > 0)
        moved.add(read, repeated=False)
    assert still.candidates()[0].p < 0.95 < moved.candidates()[0].p


def test_a_wrong_first_look_is_outvoted(tracker: Tracker) -> None:
    scene = Scene([Card("6H", 200, 200, reads=(("9H", 0.82), ("6H", 0.17)))])
    assert show(tracker, scene).cards[0].face == "9H"
    scene.cards[0].reads = (("6H", 0.99), ("9H", 0.01))
    for _ in range(3):
        table = show(tracker, scene, ())
    assert [c.face for c in table.cards] == ["6H"]


def test_an_unreadable_card_stays_unnamed(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200, reads=(("AS", 0.3), ("4S", 0.2)))])
    for _ in range(10):
        table = show(tracker, scene, ())
    assert table.cards[0].face is None


def test_a_nameless_reading_across_a_named_card_is_asked_about(tracker: Tracker) -> None:
    """It may be a second card; a passing outline `second.TwoPassReader` leaves out already."""
    scene = Scene([Card("AS", 200, 200), Card("KH", 400, 300)])
    askew = Card("3S", 212, 190, 20, reads=(("3S", 0.4),)).read()
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, (*scene.result().cards, askew)), scene.picture())
    table = tracker.table(settled=True)
    assert faces(table) == ["AS", "KH", None]
    assert tracker.forget(next(card.track for card in table.cards if card.face is None))
    assert faces(show(tracker, scene)) == ["AS", "KH"]


def test_a_nameless_flicker_is_forgotten(tracker: Tracker) -> None:
    scene = Scene([Card("KH", 400, 300)])
    flicker = Card("3S", 200, 200, reads=(("3S", 0.4),)).read()
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, (*scene.result().cards, flicker)), scene.picture())
    assert len(tracker.table(settled=True).cards) == 2
    assert faces(show(tracker, scene, ())) == ["KH"]


def test_an_outline_that_turns_out_to_be_a_named_card_goes(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200)])
    askew = Card("3S", 212, 190, 20, reads=(("3S", 0.4),)).read()
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, (askew,)), scene.picture())
    tracker.update(scene.result(), scene.picture())
    assert faces(tracker.table(settled=True)) == ["AS"]


def test_no_card_comes_to_lie_on_another_where_nothing_moved(tracker: Tracker) -> None:
    scene = Scene([Card("10C", 200, 200)])
    show(tracker, scene)
    scene.cards.append(Card("10C", 228, 200))
    assert faces(show(tracker, scene, ((400, 300, 480, 400),))) == ["10C"]
    assert faces(show(tracker, scene, ((150, 150, 300, 260),))) == ["10C", "10C"]


def test_a_correction_holds_whatever_the_camera_says(tracker: Tracker) -> None:
    scene = Scene([Card("6H", 200, 200, reads=(("9H", 0.97),))])
    track = show(tracker, scene).cards[0].track
    assert tracker.correct(track, "6H")
    scene.hand = (200, 200, 70)
    show(tracker, scene)
    scene.hand = None
    scene.cards[0].x += 10
    table = show(tracker, scene)
    assert [(c.track, c.face, c.confidence) for c in table.cards] == [(track, "6H", 1.0)]
    assert not tracker.correct(999, "6H")


def test_what_is_no_card_is_not_reported_again(tracker: Tracker) -> None:
    scene = Scene([Card("", 200, 200, side=Side.DOWN), Card("KH", 400, 300)])
    phone = show(tracker, scene).cards[0].track
    assert tracker.forget(phone)
    assert faces(show(tracker, scene)) == ["KH"]
    scene.cards = [Card("KH", 400, 300)]
    show(tracker, scene)
    scene.cards.append(Card("AS", 200, 200))
    assert faces(show(tracker, scene)) == ["AS", "KH"]


def test_an_unclear_first_look_wants_a_second_one(tracker: Tracker) -> None:
    scene = Scene([Card("AS", 200, 200, reads=(("AS", 0.85),))])
    show(tracker, scene)
    assert tracker.unclear()
    show(tracker, scene, ())
    assert not tracker.unclear()


def test_millimetres() -> None:
    calibration = Calibration.from_corners([(0, 0), (640, 0), (640, 480), (0, 480)], (800, 600), (640, 480))
    table = show(Tracker(calibration), Scene([Card("AS", 320, 240)]))
    assert table.unit is Unit.MM and table.size == (800, 600)
    assert table.cards[0].centre == pytest.approx((400, 300))


def test_the_surface_says_nothing_of_a_place_it_cannot_see() -> None:
    surface = BackgroundModel()
    card, cover = Card("AS", 200, 200).polygon, Card("AS", 205, 200).polygon
    surface.show(Scene([Card("AS", 200, 200)]).picture())
    appearance = surface.appearance(card)
    surface.learn([card])
    surface.show(Scene().picture())
    assert surface.background_shows(card, appearance)
    assert not surface.background_shows(card, appearance, [cover])
    with pytest.raises(ValueError, match="first"):
        BackgroundModel().appearance(card)


def test_a_print_that_is_misread_alike_in_every_picture_is_not_named_by_many_reads() -> None:
    read = CardRead("5C", 0.99, Side.UP, Card("5C", 100, 100).polygon, (Candidate("5C", 0.99),), agreed=0.6)
    evidence = TrackEvidence()
    for _ in range(6):
        evidence.add(read, repeated=False)
    assert evidence.face(0.8) is None
    assert evidence.candidates(1) == (Candidate("5C", 0.6),)
    evidence.add(replace(read, agreed=0.97), repeated=False)  # one clearer look is enough
    assert evidence.face(0.8) == "5C"


def test_a_card_that_stays_unnamed_is_not_looked_at_for_ever(tracker: Tracker) -> None:
    scene = Scene([Card("5C", 150, 150, reads=(("5C", 0.5), ("6C", 0.4)))])
    wanted = []
    for changed in (None, (), (), (), ()):
        show(tracker, scene, changed)
        wanted.append(tracker.tracks[-1].doubtful(tracker.accept))
    assert wanted == [True, True, True, False, False]
    show(tracker, scene, None)  # a hand was there: it may show more now
    assert tracker.tracks[-1].doubtful(tracker.accept)
