"""Two readings of one picture: what both say holds, what only one says is asked about or goes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.server.camera.reader import OneReader
from companion.vision.geometry import as_quad, corner_distance
from companion.vision.images import load
from companion.vision.pipeline import Reader, TwoPassReader
from companion.vision.pipeline.two_pass import merge_passes, parts_of, rotated_180
from companion.vision.types import Candidate, CardRead, ReadResult, Region, Side, Sight

PICTURES = Path(__file__).parents[1] / "pictures"


def card(
    name: str | None, x: float = 100, y: float = 100, p: float = 0.999, *, likeliest: str | None = None
) -> CardRead:
    """A card 63 px wide with its middle at (x, y); without a name it may have a likeliest face, of chance `p`."""
    polygon = ((x - 31, y - 44), (x + 31, y - 44), (x + 31, y + 44), (x - 31, y + 44))
    face = name or likeliest
    return CardRead(name, p, Side.UP, polygon, (Candidate(face, p), Candidate("4S", 0.0)) if face else ())


def back(x: float, y: float, score: float) -> CardRead:
    """A card lying face down."""
    return replace(card(None, x, y, score), side=Side.DOWN)


def read(*cards: CardRead) -> ReadResult:
    """One reading of a picture."""
    return ReadResult(640, 480, 50.0, cards)


def merged(first: ReadResult, second: ReadResult) -> ReadResult:
    """Two readings of the whole picture together."""
    return merge_passes(first, [second], [(0, 0, 640, 480)])


def both(first: list[CardRead], second: list[CardRead]) -> list[str]:
    """The names that two readings give together, `?` where there is none, `-` for a back, with likeliest faces."""
    cards = merged(read(*first), read(*second)).cards
    return [
        "-" if c.side is Side.DOWN else c.face or "?" + (c.candidates[0].face if c.candidates else "") for c in cards
    ]


def test_what_both_name_holds() -> None:
    cards = [card("7S"), card("7S", 200), card("KH", 300)]
    assert both(cards, [card("KH", 302, 101), card("7S", 201), card("7S", 99)]) == ["7S", "7S", "KH"]


def test_an_ink_is_remembered_only_where_a_card_of_its_suit_has_a_name_after_all() -> None:
    """One reading took a blue six for spades, the other for diamonds: neither is known."""
    king = card("KH", 300)
    inked = [
        replace(read(card(six, p=0.97), king), inks=frozenset({f"{six[1]}@5,3", "H@-6,-1"})) for six in ("6S", "6D")
    ]
    assert merged(*inked).inks == {"H@-6,-1"}
    assert merged(inked[0], inked[0]).inks == {"H@-6,-1", "S@5,3"}


def test_a_twin_that_only_one_reading_counts_loses_its_name() -> None:
    """However sure: the one that reads otherwise in its place; which way round the readings came does not matter."""
    cards = [card("7S"), card("7S", 140, p=1.0)]
    assert both(cards, [card("7S", 101)]) == ["7S", "?7S"]
    assert both([card("7S", 101)], cards) == ["7S", "?7S"]
    assert both([card("7S"), card("7S", 200, p=0.999)], [card("9S"), card("7S", 200)]) == ["?7S", "7S"]


@pytest.mark.parametrize(("p", "name"), [(0.999, "KH"), (0.97, "?KH")])
def test_a_single_card_that_the_second_reading_misses_keeps_its_name_if_it_is_sure(p: float, name: str) -> None:
    assert both([card("KH", p=p)], []) == [name]
    assert both([card("KH", p=p)], [card("QH", p=0.98)]) == [name]
    assert both([card("KH", p=p)], [card(None, likeliest="QH", p=0.5)]) == [name]


def test_what_one_names_and_the_other_takes_for_the_same_has_that_name() -> None:
    unsure = card(None, likeliest="KH", p=0.6)
    assert both([unsure], [card("KH")]) == both([card("KH", p=0.96)], [unsure]) == ["KH"]
    assert merged(read(unsure), read(card("KH"))).cards[0].confidence == 0.999
    assert both([card(None, likeliest="KD", p=0.6)], [card("KH")]) == ["?KD"]


def test_what_only_the_second_sees_is_a_card_without_a_name() -> None:
    assert both([], [card("KH")]) == ["?KH"]
    assert both([card("KH")], [card("KH"), card(None, 300, likeliest="9D", p=0.3)]) == ["KH", "?9D"]


def test_passing_things_go() -> None:
    """What may be no card and is seen once; not so where both see it, or it surely is one."""
    weak, weaker = (replace(card(None, x, likeliest=face, p=0.4), own=0.7) for x, face in ((300, "9D"), (305, "2S")))
    assert both([weak], []) == both([], [weaker]) == []
    assert both([weak], [weaker]) == ["?9D"]
    assert both([card(None)], []) == both([], [card(None)]) == ["?"]


def test_a_back_that_one_reading_sees_must_be_clear() -> None:
    assert both([back(100, 100, 0.5), back(300, 100, 0.7)], []) == ["-"]
    assert both([back(100, 100, 0.5)], [back(101, 99, 0.4)]) == ["-"]
    assert both([], [back(100, 100, 0.9)]) == []


def test_a_face_that_the_other_reading_takes_for_a_back_is_asked_about() -> None:
    unsure = card(None, 105, likeliest="8S", p=0.47)
    assert both([back(100, 100, 0.5), card("8S", 130)], [unsure, card("8S", 128)]) == ["?8S", "8S"]
    assert both([back(100, 100, 0.5)], [card("8S", 105)]) == ["?8S"]
    assert both([back(100, 100, 0.9)], [card("8S", 105)]) == ["-", "?8S"]
    assert both([card("8S")], [back(105, 100, 0.9)]) == ["8S"]  # of which there is only one, and surely


def test_what_is_a_card_for_both_does_not_go_because_they_see_it_from_other_sides() -> None:
    """A joker full of ornament: neither reading is sure enough of its side to keep it alone."""
    ornate = replace(card(None, p=0.7, likeliest="JK1"), own=0.8)
    assert both([ornate], [back(101, 101, 0.55)]) == ["?JK1"]
    assert both([back(101, 101, 0.55)], [ornate]) == ["?JK1"]
    assert both([back(101, 101, 0.75)], [ornate]) == ["-"]
    assert both([ornate], []) == both([], [ornate]) == both([back(101, 101, 0.55)], []) == []


def test_neighbours_of_a_narrow_fan_are_paired_by_their_names() -> None:
    first = [card("4C", 100), card("5C", 112), card("6C", 124)]
    second = [card("4C", 108), card("5C", 120), card("6C", 132)]
    assert both(first, second) == ["4C", "5C", "6C"]


def test_jokers_are_one_kind() -> None:
    assert both([card("JK1")], [card("JK2")]) == ["JK1"]
    assert both([card("JK1"), card("JK1", 200)], [card("JK2")]) == ["JK1", "?JK1"]


def test_upside_down_twice_is_the_same() -> None:
    result = read(card("7S", 100, 60), card(None, 300, 200))
    assert rotated_180(rotated_180(result)) == result
    assert rotated_180(result).cards[0].centre == (540, 420)


@pytest.mark.parametrize(
    ("doubtful", "readings"),
    [
        (card("7S"), 1),
        (back(100, 100, 0.9), 1),
        (card("7S", p=0.98), 2),
        (card(None, likeliest="7S", p=0.4), 2),
        (replace(card("7S"), own=0.8), 2),
        (replace(back(100, 100, 0.9), own=0.8), 2),
    ],
)
def test_there_is_a_second_reading_only_where_something_is_in_doubt(doubtful: CardRead, readings: int) -> None:
    class Once:
        asked = 0

        def read(self, *_: object, **__: object) -> ReadResult:
            self.asked += 1
            return read(card("KH", 300), doubtful)

    once = Once()
    TwoPassReader(once).read(np.zeros((480, 640, 3), np.uint8))
    assert once.asked == readings


@pytest.mark.parametrize(
    ("where", "readings"),
    [(None, 2), ([], 1), ([(500, 400, 640, 480)], 1), ([(0, 0, 10, 10), (60, 60, 110, 110)], 2)],
)
def test_what_is_in_doubt_and_does_not_matter_is_glanced_at(where: list[Region] | None, readings: int) -> None:
    """A doubt where nothing changed takes no second reading; nor does it count for a name."""

    class Once:
        asked = 0

        def read(self, *_: object, **__: object) -> ReadResult:
            self.asked += 1
            cards = read(card("KH", 540, 420), card("7S", 100, 100, p=0.98))
            return cards if self.asked == 1 else rotated_180(cards)

    once = Once()
    found = TwoPassReader(once).read(np.zeros((480, 640, 3), np.uint8), where=where)
    assert once.asked == readings
    told = {one.centre: (one.face, one.glanced) for one in found.cards}
    assert told[(540, 420)] == ("KH", False)
    assert told[(100, 100)] == (("7S", False) if readings == 2 else (None, True))


@pytest.mark.parametrize(("where", "readings", "agreed"), [([(60, 60, 140, 140)], 2, 0.9), (None, 1, 0.2)])
def test_a_camera_reads_a_name_twice_of_which_little_agrees(
    where: list[Region] | None, readings: int, agreed: float
) -> None:
    """Upside down it may see the other corner; of a single picture it would be no news."""

    class Once:
        asked = 0

        def read(self, *_: object, **__: object) -> ReadResult:
            self.asked += 1
            seen = replace(card("7S", 100, 100), agreed=0.2 if self.asked == 1 else 0.9)
            return read(seen) if self.asked == 1 else rotated_180(read(seen))

    once = Once()
    (found,) = TwoPassReader(once).read(np.zeros((480, 640, 3), np.uint8), where=where).cards
    assert (once.asked, found.face, found.agreed) == (readings, "7S", agreed)


def test_who_asks_again_as_something_matters_pays_for_the_second_reading_alone() -> None:
    class Once:
        asked = 0

        def read(self, *_: object, **__: object) -> ReadResult:
            self.asked += 1
            return read(card("7S", 100, 100, p=0.98))

    once = Once()
    reader, picture = TwoPassReader(once), np.zeros((480, 640, 3), np.uint8)
    assert reader.read(picture, ("7S",), where=[]).cards[0].glanced and once.asked == 1
    assert not reader.read(picture.copy(), ("7S",)).cards[0].glanced and once.asked == 2
    reader.read(picture, ("7S", "KH"))
    reader.read(picture + 1, ("7S",))
    assert once.asked == 6, "another deck, or another picture"


def test_the_second_reading_is_of_the_part_in_doubt_upside_down() -> None:
    """It gets the deck, and the letters and inks that the first one saw; what both tell and take is added up."""
    asked: list[tuple[np.ndarray, object, set[str]]] = []

    class Once:
        def read(
            self, image: np.ndarray, deck: object = None, letters: Collection[str] = (), *_: object, **__: object
        ) -> ReadResult:
            asked.append((image, deck, set(letters)))
            number = len(asked)
            height, width = image.shape[:2]
            lying = replace((card("7S", 100, 60), card("7S", width - 100, height - 60))[number - 1], own=0.5)
            inks = frozenset({f"S@{number},0"})
            return ReadResult(width, height, 50.0 * number, (lying,), frozenset("VH"[number - 1]), inks)

    picture = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    result = TwoPassReader(Once()).read(picture, ("7S", "KH"), ("D",), [(0, 0, 640, 480)])
    assert np.array_equal(asked[0][0], picture)
    (part,) = parts_of([result.cards[0].polygon], (640, 480))
    left, top, right, bottom = part
    assert (left, top) == (0, 0) and 104 + 88 <= bottom < 480 and 131 + 88 <= right < 640
    assert np.array_equal(asked[1][0], picture[bottom - 1 :: -1, right - 1 :: -1])
    assert [one[1] for one in asked] == [("7S", "KH")] * 2
    assert [one[2] for one in asked] == [{"D"}, {"D", "V", "S@1,0"}]
    assert [(one.face, one.centre) for one in result.cards] == [("7S", (100, 60))]
    assert (result.ms, result.letters, result.inks) == (150.0, frozenset("VH"), {"S@1,0", "S@2,0"})


def test_what_lies_in_no_part_stays_as_it_was_read() -> None:
    """A name that the second reading did not look for is no misread one; what was in doubt there is glanced at."""
    first = read(card("7S", 100), card("KH", 300, p=0.9), card(None, 500, likeliest="9D", p=0.4))
    second = read(card("7S", 101))
    box = (0, 0, 200, 480)
    assert [one.face for one in merge_passes(first, [second], [box]).cards] == ["7S", "KH", None]
    glanced = merge_passes(first, [second], [box], glance=True).cards
    assert [(one.face, one.glanced) for one in glanced] == [("7S", False), (None, True), (None, True)]
    assert [one.face for one in merge_passes(first, [read()], [(0, 0, 640, 480)]).cards] == ["7S", None, None]


def test_a_card_that_the_edge_of_a_part_cuts_is_neither_confirmed_nor_refuted() -> None:
    first = read(card("7S", 100), card("KH", 180, p=0.98))
    assert [one.face for one in merge_passes(first, [read(card("7S", 101))], [(0, 0, 200, 480)]).cards] == ["7S", "KH"]

    class Once:
        asked = 0

        def read(self, image: np.ndarray, *_: object, **__: object) -> ReadResult:
            self.asked += 1
            height, width = image.shape[:2]
            if self.asked == 1:
                return ReadResult(width, height, 1.0, (replace(card("7S", 100), own=0.5),))
            lying = card("7S", width - 100, height - 100), card("9D", 20, height - 100)
            return ReadResult(width, height, 1.0, lying, outlines=(lying[1].polygon,))

    result = TwoPassReader(Once()).read(np.zeros((480, 640, 3), np.uint8), where=[(0, 0, 640, 480)])
    assert [(one.face, one.centre) for one in result.cards] == [("7S", (100, 100))] and not result.outlines


@pytest.mark.parametrize(
    ("where", "other", "whole"),
    [
        ([(0, 0, 640, 480)], card("KH", 500, 400), False),
        ([(0, 0, 640, 480)], card("7S", 500, 400), True),
        ([(0, 0, 640, 480)], card(None, 500, 400, p=0.4, likeliest="7S"), True),
        (None, card("KH", 500, 400), True),
    ],
)
def test_a_single_picture_and_what_may_be_a_twin_are_read_whole(
    where: list[Region] | None, other: CardRead, whole: bool
) -> None:
    """Of the part alone nobody could say that the other card is the one that is in doubt."""
    asked: list[tuple[int, ...]] = []

    class Once:
        def read(self, image: np.ndarray, *_: object, **__: object) -> ReadResult:
            asked.append(image.shape[:2])
            height, width = image.shape[:2]
            return ReadResult(width, height, 1.0, (card("7S", 100, p=0.9), other) if len(asked) == 1 else ())

    TwoPassReader(Once()).read(np.zeros((480, 640, 3), np.uint8), where=where)
    assert (asked[1] == (480, 640)) is whole


def test_parts_that_meet_are_one_and_most_of_a_picture_is_all_of_it() -> None:
    near, far = [card("7S", x).polygon for x in (100, 150)], card("7S", 560, 400).polygon
    assert len(parts_of(near, (640, 480))) == 1 and len(parts_of([*near, far], (640, 480))) == 2
    assert parts_of([card("7S", x, y).polygon for x in (60, 320, 580) for y in (60, 420)], (640, 480)) == [
        (0, 0, 640, 480)
    ]
    assert parts_of([], (640, 480)) == []


def test_cameras_and_pictures_are_read_twice_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shipped: one look at a table, and `companion read`; of the two pictures one shows a lone V."""
    reads = []
    real = Reader.read

    def read(self: Reader, *given: object, **named: object) -> ReadResult:
        reads.append(given)
        return real(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Reader, "read", read)
    for sum_of_readings, picture in ((1, "2H-2.jpg"), (3, "valet.jpg")):
        OneReader().read(load(PICTURES / picture))
        assert len(reads) == sum_of_readings
    assert CliRunner().invoke(main, ["read", str(PICTURES / "valet.jpg")]).exit_code == 0
    assert len(reads) == 5


def test_both_readings_see_the_drawn_table_alike() -> None:
    """The drawn table: the names of one reading, each where it lies; other kinds of pixels as well."""
    picture, reader = load(PICTURES / "table.jpg"), Reader()
    once, twice = reader.read(picture), TwoPassReader(reader).read(picture)
    table = json.loads((PICTURES / "table.json").read_text("utf-8"))
    named = [card for card in twice.cards if card.face is not None]
    assert Counter(card.face for card in named) == Counter(card.face for card in once.cards if card.face is not None)
    for card in named:
        lying = [as_quad(label["quad"]) for label in table if label["face"] == card.face]
        assert min(corner_distance(as_quad(card.polygon), quad) for quad in lying) < 0.1
    clear = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    deep = clear.astype(np.uint16) * 257
    assert Counter(card.face for card in TwoPassReader(reader).read(deep).cards) == Counter(
        card.face for card in twice.cards
    )  # type: ignore[arg-type]
    assert TwoPassReader(reader).read(np.zeros((200, 300, 3), np.uint8)).cards == ()


def test_all_that_looked_like_a_card_is_told_as_it_lies_in_the_first_picture() -> None:
    here, there = ((1.0, 2.0), (9.0, 2.0), (9.0, 12.0), (1.0, 12.0)), ((20.0, 30.0),) * 4
    upside_down = rotated_180(replace(read(), outlines=(there,)))
    assert upside_down.outlines == (((620.0, 450.0),) * 4,)
    assert merged(replace(read(), outlines=(here,)), upside_down).outlines == (here, *upside_down.outlines)


def test_all_that_was_seen_is_told_as_it_lies_in_the_first_picture() -> None:
    here = Sight(((1.0, 2.0), (9.0, 2.0), (9.0, 12.0), (1.0, 12.0)), Side.UP, 0.5, 3, 1.2)
    there = Sight(((20.0, 30.0),) * 4, Side.DOWN, 0.4, 2, 0.7)
    upside_down = rotated_180(replace(read(), sights=(there,)))
    assert upside_down.sights == (replace(there, polygon=((620.0, 450.0),) * 4),)
    assert merged(replace(read(), sights=(here,)), upside_down).sights == (here, *upside_down.sights)
