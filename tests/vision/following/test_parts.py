"""What is read of a picture of which little has changed, and what becomes of the cards beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.vision.following.parts import Parts, parts_of
from companion.vision.following.tracker import Tracker
from companion.vision.pipeline import TwoPassReader
from companion.vision.pipeline.two_pass import parts_of as second_parts
from companion.vision.types import Candidate, CardRead, Part, Quad, ReadResult, Region, Side

SIZE = 1280, 720
PIXELS = np.zeros((720, 1280, 3), np.uint8)
CHANGED = (280, 280, 360, 380)


def card(face: str | None, x: float, y: float, p: float = 0.999) -> CardRead:
    """A card 60 px wide with its middle at (x, y)."""
    outline = ((x - 30, y - 42), (x + 30, y - 42), (x + 30, y + 42), (x - 30, y + 42))
    return CardRead(face, p, Side.UP, outline, (Candidate(face, p),) if face else ())


def tracker(*cards: CardRead) -> Tracker:
    """One that has read these cards twice."""
    found = Tracker()
    for time in (0.0, 1.0):
        found.update(ReadResult(*SIZE, 0.0, cards), PIXELS, time=time)
    return found


def faces(found: Tracker) -> list[str | None]:
    return [one.face for one in found.table(settled=True).cards if not one.covered]


def test_where_little_changed_a_card_of_which_a_part_changed_is_seen_whole() -> None:
    found = parts_of(tracker(card("7S", 320, 330), card("KH", 900, 500)), [CHANGED], PIXELS)
    ((left, top, right, bottom),) = found.boxes
    assert left < 280 - 84 and top < 280 - 84 and right > 360 + 84 and bottom > 380 + 84
    assert right < 860 and found.elsewhere == Counter({"KH": 1})
    assert found.beside == (card("KH", 900, 500).polygon,)


@pytest.mark.parametrize(
    ("cards", "where"),
    [
        ([], [CHANGED]),
        ([card("7S", 320, 330)], [CHANGED]),  # nothing tells that the camera was not pushed
        ([card("7S", 320, 330), card(None, 900, 500)], [CHANGED]),
        ([card("7S", 320, 330), card("KH", 900, 500)], [(0, 0, 900, 600)]),
        ([card("7S", 320, 330), card("KH", 900, 500)], []),
    ],
)
def test_where_much_changed_or_no_card_lies_elsewhere_all_is_read(cards: list[CardRead], where: list[Region]) -> None:
    assert parts_of(tracker(*cards), where, PIXELS) == Parts()


def test_a_card_of_which_no_look_was_sure_is_looked_at_each_time() -> None:
    unsure = replace(card("QD", 900, 150), agreed=0.85)
    found = parts_of(tracker(card("7S", 320, 330), card("KH", 900, 500), unsure), [CHANGED], PIXELS)
    assert any(left <= 870 and right >= 930 and top <= 108 for left, top, right, _ in found.boxes)


def test_a_name_that_is_not_sure_asks_for_no_look_at_all_of_the_picture() -> None:
    unsure = [replace(card("QD", x, y), agreed=0.85) for x, y in ((60, 60), (900, 150), (1200, 650), (640, 600))]
    found = parts_of(tracker(card("7S", 320, 330), card("KH", 900, 500), *unsure), [CHANGED], PIXELS)
    assert found.boxes == parts_of(tracker(card("7S", 320, 330), card("KH", 900, 500)), [CHANGED], PIXELS).boxes


def test_what_was_read_before_it_was_asked_for_has_to_show_as_much() -> None:
    parts = Parts(((100, 100, 300, 300),), spare=10.0)
    assert parts.hold(Parts(((105, 95, 305, 290),)))
    assert not parts.hold(Parts(((105, 95, 320, 290),)))
    assert not parts.hold(Parts()) and Parts().hold(parts)


def test_a_name_that_is_known_to_lie_elsewhere_is_read_again_in_the_whole_picture() -> None:
    parts = Parts((CHANGED,), Counter({"7S": 1}))
    assert parts.suffice([card("7D", 320, 330), card(None, 330, 330)], Counter({"7S": 1, "7D": 1}))
    assert not parts.suffice([card("7S", 320, 330)], Counter({"7S": 1, "7D": 1}))
    assert parts.suffice([card("7S", 320, 330)], Counter({"7S": 2}))


def test_cards_beside_the_parts_that_were_read_stay_as_they_are() -> None:
    found = tracker(card("7S", 320, 330), card("KH", 900, 500), card("QD", 1270, 500))
    part = (180, 180, 460, 480)
    found.update(ReadResult(*SIZE, 0.0, (card("9C", 320, 330),), parts=(part,)), PIXELS, time=2.0,
                 changed=[CHANGED], parts=(part,))  # fmt: skip
    assert Counter(faces(found)) == Counter(["9C", "KH", "QD"])
    found.update(ReadResult(*SIZE, 0.0, (card("9C", 320, 330),)), PIXELS, time=3.0, changed=[])
    assert faces(found) == ["9C"]


def test_a_card_that_a_part_holds_all_but_a_little_of_is_not_found_twice() -> None:
    found = tracker(card("7S", 320, 330), card("8D", 450, 330), card("KH", 900, 500))
    part = (180, 180, 478, 480)
    read = (card("7S", 320, 330), card("8D", 450, 330))
    found.update(ReadResult(*SIZE, 0.0, read, parts=(part,)), PIXELS, time=2.0, changed=[(280, 280, 430, 380)],
                 parts=(part,))  # fmt: skip
    assert Counter(faces(found)) == Counter(["7S", "8D", "KH"])


def test_what_the_edge_of_a_part_leaves_of_a_card_is_no_further_one() -> None:
    found = tracker(card("7S", 320, 330), card("8D", 450, 330), card("KH", 900, 500))
    part = (180, 180, 470, 480)
    left = replace(card("8D", 450, 330), polygon=((420, 288), (462, 288), (462, 372), (420, 372)))
    found.update(ReadResult(*SIZE, 0.0, (card("7S", 320, 330), left), parts=(part,)), PIXELS, time=2.0,
                 changed=[CHANGED], parts=(part,))  # fmt: skip
    assert Counter(faces(found)) == Counter(["7S", "8D", "KH"])


def test_a_card_half_beside_the_picture_lies_in_the_part_at_its_edge() -> None:
    found = tracker(card("7S", 320, 330), card("KH", 900, 500), card(None, -5, 600))
    part = (0, 450, 200, 720)
    for time in (2.0, 3.0):
        found.update(ReadResult(*SIZE, 0.0, parts=(part,)), PIXELS, time=time, changed=[], parts=(part,))
    assert len(found.tracks) == 2


class Eyes:
    """Reads a card in the middle of each picture, and one at its left edge."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.beside: list[Sequence[Quad]] = []

    def read(self, image: np.ndarray, deck: object = None, letters: object = (), where: object = None,
             *, beside: Sequence[Quad] = ()) -> ReadResult:  # fmt: skip
        self.shapes.append(image.shape[:2])
        self.beside.append(beside)
        height, width = image.shape[:2]
        return ReadResult(width, height, 1.0, (card("7S", width / 2, height / 2), card("KH", 20, height / 2)))


def test_parts_are_read_as_pictures_of_their_own_without_what_their_edges_cut() -> None:
    eyes = Eyes()
    parts = [Part((180, 180, 460, 480)), Part((0, 500, 300, 700))]
    result = TwoPassReader(eyes).read(PIXELS, where=[CHANGED], parts=parts)
    assert eyes.shapes == [(300, 280), (200, 300)]
    assert [(one.face, one.centre) for one in result.cards] == [
        ("7S", (320.0, 330.0)), ("KH", (20.0, 600.0)), ("7S", (150.0, 600.0)),
    ]  # fmt: skip
    assert (result.width, result.height, result.parts) == (*SIZE, ((180, 180, 460, 480), (0, 500, 300, 700)))


def test_cards_that_lie_beside_a_part_are_told_where_they_lie_as_seen_from_it() -> None:
    """Beside the part lies the king; to its second reading, of a part in it and upside down, also the surer card."""
    eyes = Eyes()
    king = card("KH", 900, 500).polygon
    TwoPassReader(eyes).read(PIXELS, where=[CHANGED], parts=[Part((180, 180, 460, 480), (king,))])
    assert [np.mean(quad, axis=0).tolist() for quad in eyes.beside[0]] == [[720, 320]]

    class Doubting(Eyes):
        def read(self, image: np.ndarray, *given: object, beside: Sequence[Quad] = ()) -> ReadResult:
            result = super().read(image, beside=beside)
            return replace(result, cards=(*result.cards, replace(card("9D", 560, 200), own=0.5)))

    doubting, part = Doubting(), Part((100, 100, 740, 580), (king,))
    TwoPassReader(doubting).read(PIXELS, where=[(600, 250, 720, 350)], parts=[part])
    ((_, _, right, bottom),) = second_parts([card("9D", 560, 200).polygon], (640, 480))
    assert [np.mean(quad, axis=0).tolist() for quad in doubting.beside[1]] == [
        [right - x, bottom - y] for x, y in ((800, 400), (320, 240), (20, 240))
    ]


@pytest.mark.parametrize("lies", [(1400, 330), (-90, 330), (600, 800), (600, -60)])
def test_a_card_that_lies_beside_the_picture_since_the_camera_was_pushed_is_not_read(lies: tuple[int, int]) -> None:
    cards = tracker(card("7S", 320, 330), card("KH", 900, 500))
    x, y = lies
    found = parts_of(cards, [CHANGED, (x - 30, y - 42, x + 30, y + 42)], PIXELS)
    assert found == parts_of(cards, [CHANGED], PIXELS) and found.boxes
    assert parts_of(cards, [(x - 30, y - 42, x + 30, y + 42)], PIXELS) == Parts()


@pytest.mark.parametrize(("face", "covered", "new"), [("5S", True, True), (None, True, False), ("5S", False, False)])
def test_a_card_on_a_pile_is_another_one_than_those_below_that_reach_out_of_the_part(
    face: str | None, covered: bool, new: bool
) -> None:
    """Of a long pile one of those below lies a little aside, and is not looked for; what is read there is not it."""
    found = tracker(card("KC", 306, 330), card("KH", 900, 500))
    found.tracks[0].covered = covered
    part = (280, 220, 420, 440)
    read = (card(face, 320, 330),)
    found.update(ReadResult(*SIZE, 0.0, read, parts=(part,)), PIXELS, time=2.0, changed=[CHANGED], parts=(part,))
    assert ("5S" in faces(found)) is new
    assert len(found.tracks) == 2 + new
