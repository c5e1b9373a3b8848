"""Cards of enrolled decks in a picture: named from samples, whichever side their outlines begin on; never jokers."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import scenes, views
from companion.training.decks.invented import HELDOUT, Invented, toml_of
from companion.vision.decks.answers import NOTHING, Recognised
from companion.vision.decks.crops import SAMPLE
from companion.vision.decks.enrolled import EnrolledDeck, Sample
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.geometry import as_quad, box_quad, iou
from companion.vision.pipeline.comparison import Comparison
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader, further
from companion.vision.types import NOWHERE, Candidate, CardRead, ReadResult, Side, Sight

PHOTO = views.Conditions((150, 170), 0.1, 0.004, 0.0)


class Said:
    """A reader that has read already."""

    def __init__(self, result: ReadResult) -> None:
        self.result = result

    def read(self, image: object, deck: object = None, letters: object = (), where: object = None,
             parts: object = ()) -> ReadResult:  # fmt: skip
        return self.result


@pytest.fixture(scope="module")
def drawn() -> Invented:
    return Invented(HELDOUT + 9, "clear", 5, 4)


@pytest.fixture(scope="module")
def gallery(drawn: Invented) -> Gallery:
    rng = np.random.default_rng(1)
    crops = [(code, views.view(rng, drawn.face(code), PHOTO)) for code in drawn.codes]
    samples = [Sample(code, np.repeat(np.repeat(crop, SAMPLE, axis=0), SAMPLE, axis=1)) for code, crop in crops]
    text = toml_of(drawn)
    return Gallery(EnrolledDeck(deck_from_toml(text, "invented"), text, tuple(samples)), Network(threads=1))


def laid(drawn: Invented, face: str | None, turned: int, confidence: float = 0.95) -> tuple[np.ndarray, ReadResult]:
    """A table of the deck alone; of each card that is seen whole what a reader says, from another corner on."""
    scene = scenes.table(drawn, [Invented(HELDOUT + 8, "clear")], 4)
    cards = []
    for card in scene.cards:
        if card.face is None or card.visible < 0.98:
            continue
        quad = np.roll(card.quad, turned, axis=0)
        polygon = tuple((float(x), float(y)) for x, y in quad)
        cards.append(CardRead(face, confidence, Side.UP, polygon, (), own=1.0))  # type: ignore[arg-type]
    picture = np.ascontiguousarray(scene.image[..., ::-1])
    return picture, ReadResult(picture.shape[1], picture.shape[0], 1.0, tuple(cards))


@pytest.mark.parametrize("turned", [0, 1])
def test_an_outline_may_begin_on_its_long_side(drawn: Invented, gallery: Gallery, turned: int) -> None:
    picture, result = laid(drawn, None, turned, 0.0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, drawn.codes)
    assert sum(card.face is not None for card in said.cards) >= 0.5 * len(result.cards) > 0


def test_a_card_that_an_enrolled_deck_knows_is_no_joker(drawn: Invented, gallery: Gallery) -> None:
    picture, result = laid(drawn, "JK1", 0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, [*drawn.codes, "JK1"])
    known = [card for card in said.cards if card.candidates and card.candidates[0].face in drawn.codes]
    assert len(known) >= 0.5 * len(said.cards) > 0
    assert all(card.face != "JK1" for card in known)


def test_a_card_that_it_does_not_know_stays_what_the_reader_says(drawn: Invented, gallery: Gallery) -> None:
    picture, result = laid(Invented(HELDOUT + 8, "clear"), "JK1", 0)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, [*drawn.codes, "JK1"])
    assert [card.face for card in said.cards] == ["JK1"] * len(result.cards)


def overlapped(drawn: Invented, gallery: Gallery) -> tuple[np.ndarray, list[tuple[str, np.ndarray]]]:
    """Three cards in the open and one that half of another lies on: the picture, and (face, outline) of each."""
    rng = np.random.default_rng(5)
    canvas = np.full((420, 760, 3), (60, 90, 50), np.float32)
    places = [(110, 130, 0.1), (300, 140, 1.3), (600, 130, -0.2), (420, 300, 0.0), (478, 304, 0.05)]
    lying = []
    for code, (x, y, turn) in zip(drawn.codes[3::4], places, strict=False):
        c, s = np.cos(turn), np.sin(turn)
        box = np.array([[-55, -1], [55, -1], [55, 1], [-55, 1]]) * [1, 55 * drawn.style.tall]
        quad = box @ np.array([[c, s], [-s, c]]) + (x, y)
        views._paste(canvas, drawn.face(code), quad)
        lying.append((code, quad))
    noisy = np.clip(canvas[..., ::-1] + rng.normal(0, 2, canvas.shape), 0, 255)
    return np.ascontiguousarray(noisy.astype(np.uint8)), lying


def polygon(quad: np.ndarray):
    return tuple((float(x), float(y)) for x, y in quad)


def test_a_card_under_another_is_named_from_what_is_seen_of_it(drawn: Invented, gallery: Gallery) -> None:
    """The reader made no card of it; what it found is the part that is seen."""
    picture, lying = overlapped(drawn, gallery)
    under, quad = lying[3]
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), ()) for n, (_, quad) in enumerate(lying) if n != 3)
    part = quad.copy()
    part[1:3, 0] = 423
    plain = ReadResult(picture.shape[1], picture.shape[0], 1.0, cards)
    said = EnrolledReader(Said(plain), Chosen([gallery])).read(picture, drawn.codes)
    assert under not in {card.face for card in said.cards}
    more = ReadResult(picture.shape[1], picture.shape[0], 1.0, cards, outlines=(polygon(part),))
    named = EnrolledReader(Said(more), Chosen([gallery])).read(picture, drawn.codes).cards
    assert sorted(card.face or "" for card in named) == sorted(code for code, _ in lying)
    found = next(card for card in named if card.face == under)
    assert iou(as_quad(found.polygon), quad) > 0.85


def test_a_card_under_one_that_no_deck_knows_is_named_from_what_is_seen_of_it(
    drawn: Invented, gallery: Gallery
) -> None:
    picture, lying = overlapped(drawn, gallery)
    under, quad = lying[3]
    over = lying[4][1] + (-12, 0)
    views._paste(strange := picture[..., ::-1].astype(np.float32), Invented(HELDOUT + 8, "clear").face("p0.m0"), over)
    picture = np.ascontiguousarray(strange[..., ::-1].astype(np.uint8))
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(place), ()) for _, place in lying[:4])
    unknown = CardRead(None, 0.0, Side.UP, polygon(over), (), own=1.0)
    alone = ReadResult(picture.shape[1], picture.shape[0], 1.0, cards)
    assert under not in {
        c.face for c in EnrolledReader(Said(alone), Chosen([gallery])).read(picture, drawn.codes).cards
    }
    both = replace(alone, cards=(*cards, unknown))
    named = EnrolledReader(Said(both), Chosen([gallery])).read(picture, drawn.codes).cards
    assert iou(as_quad(next(card for card in named if card.face == under).polygon), quad) > 0.85


def test_a_named_card_lies_where_its_picture_does(drawn: Invented, gallery: Gallery) -> None:
    picture, lying = overlapped(drawn, gallery)
    off = np.array([(4, 3), (-3, 5), (4, -5), (-4, -4)])
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad + off), ()) for _, quad in lying[:3])
    said = EnrolledReader(Said(ReadResult(760, 420, 1.0, cards)), Chosen([gallery])).read(picture, drawn.codes).cards
    before, after = (
        [max(iou(as_quad(card.polygon), quad) for card in some) for _, quad in lying[:3]] for some in (cards, said)
    )
    assert all(card.face for card in said)
    assert max(before) < 0.94 < min(after)


def test_a_card_that_the_reader_took_for_a_second_sight_is_named_in_the_outline_that_is_chosen(
    drawn: Invented, gallery: Gallery
) -> None:
    picture, lying = overlapped(drawn, gallery)
    under, quad = lying[3]
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), ()) for n, (_, quad) in enumerate(lying) if n != 3)
    sights = [Sight(polygon(place + 2), Side.UP, 0.4 if n == 3 else 0.9, 3, 1.0) for n, (_, place) in enumerate(lying)]
    seen = ReadResult(picture.shape[1], picture.shape[0], 1.0, cards, sights=tuple(sights))
    named = EnrolledReader(Said(seen), Chosen([gallery])).read(picture, drawn.codes).cards
    assert sorted(card.face or "" for card in named) == sorted(code for code, _ in lying)
    assert iou(as_quad(next(card for card in named if card.face == under).polygon), quad) > 0.9


def test_a_card_without_a_name_lies_in_the_outline_that_is_chosen(drawn: Invented, gallery: Gallery) -> None:
    picture, lying = overlapped(drawn, gallery)
    aside = tuple(CardRead(None, 0.0, Side.UP, polygon(quad + 7), ()) for _, quad in lying[:3])
    sights = tuple(Sight(polygon(quad), Side.UP, 0.9, 3, 2.5) for _, quad in lying[:3])
    seen = ReadResult(picture.shape[1], picture.shape[0], 1.0, aside, sights=sights)
    said = EnrolledReader(Said(seen), Chosen([gallery])).read(picture, drawn.codes[:1]).cards
    assert [card.face for card in said] == [None] * 3
    assert min(max(iou(as_quad(card.polygon), quad) for _, quad in lying) for card in said) > 0.95


def test_outlines_where_nothing_lies_make_no_card(drawn: Invented, gallery: Gallery) -> None:
    picture, lying = overlapped(drawn, gallery)
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), ()) for _, quad in lying[:3])
    empty = tuple(polygon(lying[0][1] + (x, 160)) for x in (0, 60, 120))
    said = EnrolledReader(Said(ReadResult(760, 420, 1.0, cards, outlines=empty)), Chosen([gallery]))
    assert len(said.read(picture, drawn.codes).cards) == 3


def test_where_the_index_says_another_card_of_the_deck_neither_counts(drawn: Invented, gallery: Gallery) -> None:
    picture, lying = overlapped(drawn, gallery)
    code, quad = lying[0]
    other = next(face for face in drawn.codes if face != code)
    for read, name in ((code, code), (other, None), ("JK1", code)):
        cards = (CardRead(read, 0.98, Side.UP, polygon(quad), ()),)
        again = (polygon(quad + 3), polygon(quad - 4))
        said = EnrolledReader(Said(ReadResult(760, 420, 1.0, cards, outlines=again)), Chosen([gallery])).read(picture)
        assert len(said.cards) == 1
        assert said.cards[0].face == name, read
        assert name is not None or {c.face for c in said.cards[0].candidates} == {code, other}


class Doubting(Said):
    """A reader that is asked about a picture, and notes what matters; what it is told does is in doubt no longer."""

    def __init__(self, result: ReadResult) -> None:
        super().__init__(result)
        self.asked: list[object] = []

    def read(self, image: object, deck: object = None, letters: object = (), where: object = None,
             parts: object = ()) -> ReadResult:  # fmt: skip
        self.asked.append(where)
        return self.result if where is None else glancing(self.result)


def glancing(result: ReadResult) -> ReadResult:
    """The same where nothing of it was worth a second look."""
    return replace(result, cards=tuple(replace(card, face=None, glanced=True) for card in result.cards))


@pytest.mark.parametrize(
    ("own", "confidence", "foreign", "looks"),
    [(1.0, 0.3, False, 1), (0.7, 0.3, False, 2), (1.0, 0.6, False, 2), (1.0, 0.3, True, 2)],
)
def test_what_an_enrolled_deck_names_at_once_is_read_once(
    drawn: Invented, gallery: Gallery, own: float, confidence: float, foreign: bool, looks: int
) -> None:
    """But for what may be no card, what an index says surely, and what the deck does not know."""
    picture, lying = overlapped(drawn, gallery)
    quads = [quad for _, quad in lying[:3]] + ([lying[0][1] + (0, 180)] if foreign else [])
    read = tuple(CardRead(None, confidence, Side.UP, polygon(quad), (), own=own) for quad in quads)
    reader = Doubting(ReadResult(760, 420, 1.0, read))
    said = EnrolledReader(reader, Chosen([gallery])).read(picture, drawn.codes)
    assert reader.asked == [(NOWHERE,), None][:looks]
    assert [card.face for card in said.cards[:3]] == [code for code, _ in lying[:3]]
    assert not any(card.glanced for card in said.cards)


@pytest.mark.parametrize(
    ("aside", "far", "more", "looks"),
    [(0, False, ("AS",), 1), (40, False, ("AS",), 2), (40, True, ("AS",), 1), (40, False, (), 1)],
)
def test_where_more_was_seen_than_cards_were_read_it_is_read_twice(
    drawn: Invented, gallery: Gallery, aside: int, far: bool, more: tuple[str, ...], looks: int
) -> None:
    """As a card between two others; but not where nothing matters, nor over a table of cards that are all without an
    index: the next look may say the same for less."""
    picture, lying = overlapped(drawn, gallery)
    read = tuple(CardRead(None, 0.3, Side.UP, polygon(quad), (), own=1.0) for _, quad in lying[:3])
    seen = [Sight(polygon(quad), Side.UP, 0.9, 9, 9.0) for _, quad in lying[:3]]
    seen.append(Sight(polygon(lying[1][1] + (aside, 0)), Side.UP, 0.4, 1, 0.4))
    reader = Doubting(ReadResult(760, 420, 1.0, read, sights=tuple(seen)))
    there = lying[2 if far else 1][1]
    near = tuple(int(edge) for edge in (*(there.min(axis=0) + 8), *(there.max(axis=0) - 8)))
    deck = (*drawn.codes, *more)
    said = EnrolledReader(reader, Chosen([gallery])).read(picture, deck, where=[near])  # type: ignore[list-item]
    assert reader.asked == [(), [near]][:looks]
    assert [card.face for card in said.cards[:3]] == [code for code, _ in lying[:3]]


def test_what_does_not_matter_is_glanced_at_whatever_a_deck_says(drawn: Invented, gallery: Gallery) -> None:
    picture, lying = overlapped(drawn, gallery)
    read = tuple(CardRead(None, 0.3, Side.UP, polygon(quad), ()) for _, quad in lying[:2])
    reader = Doubting(ReadResult(760, 420, 1.0, read))
    near = tuple(int(edge) for edge in (*lying[1][1].min(axis=0), *lying[1][1].max(axis=0)))
    said = EnrolledReader(reader, Chosen([gallery])).read(picture, drawn.codes, where=[near])  # type: ignore[list-item]
    assert reader.asked == [()]
    assert [card.glanced for card in said.cards] == [True, False]


def test_without_an_enrolled_deck_the_reader_is_asked_as_it_would_be_without_one(gallery: Gallery) -> None:
    """So tables of standard cards are read whole, whatever reads them."""
    picture, cards = (
        np.zeros((420, 760, 3), np.uint8),
        (CardRead("7S", 0.9, Side.UP, polygon(box_quad((9, 9, 72, 97))), ()),),
    )
    for where in (None, [(0, 0, 80, 100)], [NOWHERE]):
        reader = Doubting(ReadResult(760, 420, 1.0, cards))
        EnrolledReader(reader, Chosen([gallery])).read(picture, ["7S", "8S"], (), where)  # type: ignore[arg-type]
        assert reader.asked == [where]


def test_outlines_too_small_for_a_card_or_within_one_are_compared_with_nothing(
    drawn: Invented, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, lying = overlapped(drawn, gallery)
    read = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), ()) for _, quad in lying[:2])
    middle = lying[0][1].mean(axis=0)
    inside, small = middle + 0.7 * (lying[0][1] - middle), 0.5 * lying[0][1] + (30, 250)
    looked: list[int] = []
    known = Comparison.known
    monkeypatch.setattr(
        Comparison, "known", lambda *given: (looked.append(len(given[2])) if given[2] else None) or known(*given)
    )
    for more in ((), (polygon(inside), polygon(small))):
        result = ReadResult(760, 420, 1.0, read, outlines=more)
        EnrolledReader(Said(result), Chosen([gallery])).read(picture, drawn.codes)
    assert looked == [2, 2]


def test_of_a_table_that_is_watched_only_what_changed_is_compared_anew(
    drawn: Invented, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three cards of which one is turned to another: the deck is asked about that one alone, and once more."""
    codes = drawn.codes[:4]
    cells = [box_quad((20 + 120 * n, 20, 20 + 120 * n + 90, 150)) for n in range(3)]

    def table(*shown: str) -> tuple[np.ndarray, ReadResult]:
        picture = np.full((200, 400, 3), (60, 80, 60), np.uint8)
        for quad, code in zip(cells, shown, strict=True):
            left, top, right, bottom = (int(x) for x in (*quad[0], *quad[2]))
            picture[top:bottom, left:right] = cv2.resize(drawn.face(code)[..., 2::-1], (right - left, bottom - top))
        cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), (), own=0.99) for quad in cells)
        return picture, ReadResult(400, 200, 1.0, cards)

    asked: list[int] = []
    cut = Gallery.cut
    monkeypatch.setattr(Gallery, "cut", lambda *given: asked.append(len(given[1])) or cut(*given))
    said = Said(table(*codes[:3])[1])
    reader = EnrolledReader(said, Chosen([gallery]))

    def names(*shown: str, where: list[tuple[int, int, int, int]] | None = None) -> list[str | None]:
        asked.clear()
        picture, said.result = table(*shown)
        return [card.face for card in reader.read(picture, drawn.codes, (), where).cards]

    first = names(*codes[:3])
    assert names(*codes[:3], where=[]) == first and sum(asked) == 3
    assert names(*codes[:3], where=[]) == first and sum(asked) == 3  # for the second time
    assert names(*codes[:3], where=[]) == first and not asked
    turned = codes[0], codes[3], codes[2]
    found = names(*turned, where=[])
    assert found == names(*turned) and found != first and found[::2] == first[::2]
    asked.clear()
    names(*turned, where=[])
    assert sum(asked) == 1
    assert names(*turned, where=[]) == found and not asked


@pytest.mark.parametrize("most", [1, 2])
def test_of_outlines_in_one_place_the_clearest_are_looked_at(drawn: Invented, gallery: Gallery, most: int) -> None:
    picture, lying = overlapped(drawn, gallery)
    (face, quad), (other, elsewhere) = lying[:2]
    places = [quad + 9, quad + 1, quad - 7, elsewhere]
    every = Comparison(picture).known(gallery, places)
    some = Comparison(picture).known(gallery, places, most=most)
    assert [some[1].face, some[3].face] == [face, other] == [every[1].face, every[3].face]
    assert [one is NOTHING for one in some].count(True) == 3 - most
    assert all(one is NOTHING or one == whole for one, whole in zip(some, every, strict=True))


def test_a_card_is_cut_once_whatever_may_lie_on_it(
    drawn: Invented, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, lying = overlapped(drawn, gallery)
    cut: list[int] = []
    maps = Network.maps_of_levelled
    monkeypatch.setattr(Network, "maps_of_levelled", lambda self, crops: [cut.append(len(crops)), maps(self, crops)][1])
    comparison, (_, under), (_, over) = Comparison(picture), *lying[3:5]
    whole = comparison.known(gallery, [under])
    parts = comparison.known(gallery, [under, under], [[over], [over, lying[0][1]]])
    assert sum(cut) == 1
    assert parts[0].candidates[0].p > max((c.p for c in whole[0].candidates), default=0.0)


@pytest.mark.parametrize(("says", "named"), [(0.999, None), (0.6, None), (0.3, "p0.m0")])
def test_what_another_look_at_the_same_place_calls_otherwise_has_no_name(
    gallery: Gallery, says: float, named: str | None
) -> None:
    places = [box_quad((20, 20, 100, 140)), box_quad((26, 24, 106, 144)), box_quad((200, 20, 280, 140))]
    looks = [Recognised((Candidate(face, p),), p, p) for face, p in
             (("p0.m0", 0.9995), ("p1.m0", says), ("p2.m0", 0.999))]  # fmt: skip

    class Looked:
        def known(self, gallery: Gallery, outlines: list[np.ndarray], *more: object) -> list[Recognised]:
            return [next(look for look, at in zip(looks, places, strict=True) if at is one) for one in outlines]

    found = further(gallery, Looked(), [], places)  # type: ignore[arg-type]
    assert [card.face for card in found] == ([named] if named else []) + ["p2.m0"]


@pytest.mark.parametrize(("copies", "left"), [(1, 1), (2, 2), (None, 2)])
def test_what_lies_partly_on_a_card_of_its_name_is_a_second_outline_of_it_where_there_is_no_further_copy(
    drawn: Invented, gallery: Gallery, copies: int | None, left: int
) -> None:
    face = drawn.codes[0]
    cards = tuple(
        CardRead(face, sure, Side.UP, polygon(np.array([[x, 50], [x + 60, 50], [x + 60, 134], [x, 134]])), (), own=1.0)
        for x, sure in ((50, 0.99), (80, 0.98))
    )
    table = np.full((240, 320, 3), (50, 90, 60), np.uint8)
    deck = drawn.codes if copies is None else {face: copies}
    read = EnrolledReader(Said(ReadResult(320, 240, 1.0, cards)), Chosen([gallery])).read(table, deck)
    assert [card.confidence for card in read.cards] == [0.99, 0.98][:left]
