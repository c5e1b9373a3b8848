"""What moves on and on is known to the pixel: cards beside it, or under an edge of it, are read all the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.vision.following import parameters
from companion.vision.following.beside import Beside
from companion.vision.following.motion import Motion, MotionGate
from companion.vision.following.tracker import Tracker
from companion.vision.geometry import share_in, touches
from companion.vision.types import Candidate, CardRead, Quad, Region, Side
from tests.vision.following.test_motion import Table
from tests.vision.following.test_tracker import Card, Scene

FPS = 12
CARD = ((178.0, 170.0), (223.0, 170.0), (223.0, 233.0), (178.0, 233.0))
"""Eight pixels beside the farthest reach of a hand that goes to and fro."""


def fed(gate: MotionGate, table: Table, seconds: float, began: float = 0.0) -> Iterator[Motion]:
    """A hand goes to and fro beside the card, twice in three seconds."""
    for number in range(int(seconds * FPS)):
        now = began + number / FPS
        table.hand = (105 + round(15 * np.sin(4.2 * now)), 200)
        yield gate.feed(table.frame(), now)


def test_a_card_close_beside_hands_that_are_never_still_comes_to_rest() -> None:
    gate, table = MotionGate(), Table()
    early = list(fed(gate, table, 3.0))
    assert any(touches(CARD, gate.near(answer)) for answer in early[6:]), (
        "a hand that has just come may be about to leave it"
    )
    *_, last = fed(gate, table, 9.0, began=3.0)
    gate.accept(last.near)
    table.cards = [(178, 170)]
    answers = list(fed(gate, table, 4.0, began=12.0))
    assert not any(answer.still for answer in answers)
    assert not touches(CARD, gate.near(answers[-1]))
    assert share_in(CARD, gate.lasting(answers[-1])) < parameters.MOST_MOVES
    assert answers[-1].changed, "it is to be read"


def test_a_hand_that_comes_where_others_never_are_still_keeps_its_margin() -> None:
    gate, table = MotionGate(), Table()
    *_, last = fed(gate, table, 12.0)
    gate.accept(last.near)
    table.cards = [(400, 300)]
    *_, answer = fed(gate, table, 0.1, began=12.0)
    assert touches(((380, 290), (395, 290), (395, 340), (380, 340)), gate.near(answer))


def read(face: str, outline: Quad) -> CardRead:
    return CardRead(face, 0.99, Side.UP, outline, (Candidate(face, 0.99),))


def shifted(outline: Quad, by: float) -> Quad:
    a, b, c, d = ((x + by, y) for x, y in outline)
    return (a, b, c, d)


HALF = [(100, 150, 210, 240)]
"""Most of the card lies where something moves on and on."""


def test_a_card_mostly_there_counts_once_it_was_read_in_the_same_place_again() -> None:
    beside, card = Beside(), read("AC", CARD)
    moves, hides = beside.moving([card], [], HALF, 10.0)
    assert moves(CARD) and hides(CARD)
    moves, hides = beside.moving([card], [], HALF, 11.0)
    assert not moves(CARD) and not hides(CARD)


def test_a_back_has_to_lie_there_for_longer_as_a_deck_that_is_held_may_pause() -> None:
    beside, back = Beside(), CardRead(None, 0.9, Side.DOWN, CARD)
    assert [beside.moving([back], [], HALF, now)[0](CARD) for now in (10.0, 11.0, 12.5)] == [True, True, False]


def test_a_card_that_is_held_there_never_counts() -> None:
    beside = Beside()
    for step in range(6):
        outline = shifted(CARD, 8.0 * (step % 2))
        moves, _ = beside.moving([read("AC", outline)], [], HALF, 10.0 + step)
        assert moves(outline)
    assert beside.moving([read("AC", CARD)], [(150, 150, 300, 300)], [], 20.0)[0](CARD), "a hand is there"


def test_what_lay_there_stays_though_it_is_not_found() -> None:
    _, hides = Beside().moving([], [], HALF, 10.0)
    assert hides(CARD) and not hides(shifted(CARD, 100.0))


def look(tracker: Tracker, scene: Scene, lasting: list[Region], time: float) -> list[str | None]:
    """What lies there after a look at a table where something moves on and on (px)."""
    tracker.update(scene.result(), scene.picture(), time=time, lasting=lasting)
    return [card.face for card in tracker.table(settled=False).cards]


def test_a_card_under_the_edge_of_what_moves_is_taken_in_at_once_a_covered_one_later() -> None:
    tracker, scene = Tracker(), Scene([Card("AS", 200, 200)])
    assert look(tracker, scene, [(150, 150, 180, 260)], 1.0) == ["AS"]
    tracker = Tracker()
    assert look(tracker, scene, [(150, 150, 220, 260)], 1.0) == []
    assert look(tracker, scene, [(150, 150, 220, 260)], 2.0) == ["AS"]


def test_a_card_that_may_be_hidden_stays_until_its_place_was_seen_empty_often() -> None:
    tracker, scene = Tracker(), Scene()
    look(tracker, scene, [], 0.5)
    scene.cards = [Card("AS", 200, 200)]
    assert look(tracker, scene, [], 1.0) == ["AS"]
    assert [card.hidden for card in tracker.table(settled=False).cards] == [False]
    scene.hand = (190, 200, 60)
    lasting = [(150, 130, 195, 270)]
    assert look(tracker, scene, lasting, 2.0) == ["AS"], "the hand lies over it"
    assert [card.hidden for card in tracker.table(settled=False).cards] == [True]
    tracker.update(scene.result(), scene.picture(), time=2.5, parts=[(400, 300, 500, 400)])
    assert [card.hidden for card in tracker.table(settled=False).cards] == [True], "only another part was read"
    scene.cards, scene.hand = [], None
    assert look(tracker, scene, lasting, 3.0) == ["AS"], "one look may err"
    for _ in range(parameters.OFTEN_BARE):
        tracker.glance(scene.picture())
    assert look(tracker, scene, lasting, 4.0) == []
