"""What is far larger or smaller than a table's cards is no card of it: what was read there counts once a card fits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.vision.camera.calibration import Calibration
from companion.vision.following.tracker import Tracker
from companion.vision.types import Quad, ReadResult, Unit
from tests.vision.following.test_tracker import HEIGHT, WIDTH, Card, Scene, show

IN_MM = Calibration(Unit.MM, (WIDTH, HEIGHT), (1, 0, 0, 0, 1, 0, 0, 0, 1), (WIDTH, HEIGHT))
LYING = [Card("AS", 100, 100), Card("7D", 220, 100), Card("KC", 340, 100)]


class Stretched(Card):
    """A card whose outline is found so many times as high as it is."""

    times = 1.6

    @property
    def polygon(self) -> Quad:
        a, b, (cx, cy), (dx, dy) = super().polygon
        more = (self.times - 1.0) * (cy - b[1])
        return a, b, (cx, cy + more), (dx, dy + more)


def watched(lying: list[Card]) -> tuple[Tracker, Scene]:
    """A table of 640 x 480 mm on which these cards were read twice."""
    tracker, scene = Tracker(IN_MM), Scene(lying)
    for _ in range(2):
        show(tracker, scene)
    return tracker, scene


@pytest.mark.parametrize(("times", "likeliest"), [(1.6, ["9H"]), (0.6, [])])
def test_what_is_read_in_an_outline_that_no_card_has_has_no_name_before_a_card_fits(
    times: float, likeliest: list[str]
) -> None:
    tracker, scene = watched(list(LYING))
    card = Stretched("9H", 460, 100)
    card.times = times
    scene.cards.append(card)
    table = show(tracker, scene)
    assert [card.face for card in table.cards] == ["AS", "7D", "KC", None]
    assert [one.face for one in table.cards[-1].candidates][:1] == likeliest
    scene.cards[-1] = Card("9H", 460, 100)
    assert show(tracker, scene).cards[-1].face == "9H"


def test_a_size_is_known_by_cards_that_were_not_looked_at_too() -> None:
    """Parts of a picture are read: the others lie elsewhere."""
    tracker, scene = watched(list(LYING))
    half = Stretched("9H", 460, 300)
    half.times = 0.6
    scene.cards.append(half)
    part = (380, 200, 540, 400)
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, (half.read(),), parts=(part,)), scene.picture(), parts=(part,))
    assert [card.face for card in tracker.table(settled=True).cards] == ["AS", "7D", "KC", None]


@pytest.mark.parametrize("times", [1.2, 0.85])
def test_a_little_larger_or_smaller_is_nothing_odd_and_before_sizes_are_known_nothing_is(times: float) -> None:
    tracker, scene = watched(list(LYING))
    card = Stretched("9H", 460, 100)
    card.times = times
    scene.cards.append(card)
    assert show(tracker, scene).cards[-1].face == "9H"
    few, scene = watched(LYING[:1])
    scene.cards.append(Stretched("9H", 460, 100))
    assert show(few, scene).cards[-1].face == "9H"


def test_tiles_are_measured_by_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of cards but those that lie there."""
    monkeypatch.setattr("tests.vision.following.test_tracker.CARD", (26.0, 35.0))
    tracker, scene = watched(list(LYING))
    scene.cards.append(Card("9H", 460, 100))
    assert show(tracker, scene).cards[-1].face == "9H"
    scene.cards.append(Stretched("QD", 520, 100))
    assert show(tracker, scene).cards[-1].face is None


def test_cards_held_over_the_tables_edge_of_which_a_part_is_seen_tell_no_size() -> None:
    held = [Stretched("AS", x, HEIGHT + 20) for x in (100, 220, 340)]
    for card in held:
        card.times = 0.6
    tracker, scene = watched([*held, Card("7D", 220, 100)])
    scene.cards.append(Card("9H", 460, 100))
    assert show(tracker, scene).cards[-1].face == "9H"


@pytest.mark.parametrize(("turned", "high"), [(0, 88), (3, 106)])
def test_a_card_that_is_known_does_not_grow_but_by_another_index(turned: float, high: float) -> None:
    """A back that came to lie across its edge made its outline larger."""
    tracker, scene = watched(list(LYING))
    known = [replace(card.read(), indices=((card.x - 25, card.y - 35),)) for card in LYING]
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, tuple(known)), scene.picture())
    grown = Stretched("KC", 340, 100)
    grown.times = 1.2
    read = replace(grown.read(), indices=((315.0 + 10 * turned, 65.0),))
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, (*known[:2], read)), scene.picture())
    (_, top), (_, bottom) = tracker.table(settled=True).cards[-1].polygon[1:3]
    assert round(bottom - top) == high
