"""The tracker: what is seen as an outline alone, and what lies on a card without a name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.vision.following.tracker import Tracker
from companion.vision.types import Candidate, ReadResult

from .test_tracker import HEIGHT, WIDTH, Card, Scene, faces, show, tracker

__all__ = ["tracker"]  # the fixture

PICTURE = (200, 200, 28)
"""What a court has in its middle."""


def test_what_is_seen_as_an_outline_alone_is_no_mistake_unless_other_cards_explain_it(tracker: Tracker) -> None:
    """A back that looks like no face is now a card, now an outline of nothing that can be named."""
    strange = Card("AS", 200, 200, reads=(("AS", 0.02),))
    scene = Scene([strange])
    (first,) = show(tracker, scene).cards
    seen = ReadResult(WIDTH, HEIGHT, 1.0, outlines=(strange.polygon,))
    for _ in range(4):
        tracker.update(seen, scene.picture(), changed=())
    (card,) = tracker.table(settled=True).cards
    assert (card.track, card.covered) == (first.track, False)
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0), scene.picture(), changed=())
    assert not tracker.table(settled=True).cards

    (first,) = show(tracker, scene).cards
    scene.cards = [Card("7D", 190, 190)]
    read = replace(scene.result(), outlines=(strange.polygon,))
    tracker.update(read, scene.picture(), changed=((150, 150, 260, 260),))
    tracker.update(read, scene.picture(), changed=())
    assert faces(tracker.table(settled=True)) == ["7D"]


def test_a_card_laid_on_one_without_a_name_is_another(tracker: Tracker) -> None:
    """Hands were there, and the place looks otherwise: what nobody could name lies below."""
    nameless = Card("QC", 200, 200, reads=(("QC", 0.3),))
    scene = Scene([nameless])
    (first,) = show(tracker, scene).cards
    show(tracker, scene, ())
    nameless.x += 1  # it was only touched
    (again,) = show(tracker, scene, ((150, 150, 260, 260),)).cards
    assert again.track == first.track
    scene.cards.append(Card("8H", 200, 200, turn=90))
    cards = show(tracker, scene, ((150, 150, 260, 260),)).cards
    (top,) = [card for card in cards if card.face == "8H"]
    assert top.track != first.track and top.since >= first.since


def test_a_card_laid_exactly_on_another_is_that_other_one_though_it_has_no_name_yet(tracker: Tracker) -> None:
    """Two outlines of it, and neither is sure: but the card below it never looked so."""
    scene = Scene([Card("5S", 200, 200)])
    (first,) = show(tracker, scene).cards
    scene.cards.append(Card("KC", 200, 200))
    read = scene.result()
    unsure = replace(read, cards=tuple(replace(card, face=None) for card in read.cards))
    tracker.update(unsure, scene.picture(), changed=((150, 150, 260, 260),))
    below, top = tracker.table(settled=True).cards
    assert (below.track, below.face, below.covered) == (first.track, "5S", True)
    assert top.face is None and [candidate.face for candidate in top.candidates] == ["KC"]
    assert faces(show(tracker, scene, ())) == ["5S", "KC"]


def test_a_card_that_a_person_named_stays_it_though_it_reads_as_another_without_a_name(tracker: Tracker) -> None:
    scene = Scene([Card("4S", 200, 200)])
    read = scene.result()
    unsure = replace(read, cards=tuple(replace(card, face=None) for card in read.cards))
    for changed in (None, ()):
        tracker.update(unsure, scene.picture(), changed=changed)
    (first,) = tracker.table(settled=True).cards
    tracker.correct(first.track, "JK1")
    tracker.update(unsure, scene.picture(), changed=((150, 150, 260, 260),))
    assert [(card.track, card.face) for card in tracker.table(settled=True).cards] == [(first.track, "JK1")]


def test_an_outline_on_the_bare_table_keeps_nothing() -> None:
    bare = Tracker()
    show(bare, Scene())
    scene = Scene([Card("AS", 200, 200, reads=(("AS", 0.02),))])
    show(bare, scene)
    outline = scene.cards.pop().polygon
    bare.update(ReadResult(WIDTH, HEIGHT, 1.0, outlines=(outline,)), scene.picture())
    assert bare.table(settled=True).cards == ()


def one_of(scene: Scene, *chances: tuple[str, float]) -> ReadResult:
    """The top card of a scene read as one of these, nobody knows which."""
    read = scene.result()
    unsure = replace(read.cards[-1], face=None, candidates=tuple(Candidate(*one) for one in chances))
    return replace(read, cards=(unsure,))


def test_what_is_read_as_other_faces_alone_is_another_card_though_neither_has_a_name(tracker: Tracker) -> None:
    """A V of hearts, a jack or a queen, then one of clubs exactly on it."""
    scene = Scene([Card("JH", 200, 200)])
    hearts, clubs = (("JH", 0.51), ("QH", 0.49)), (("JC", 0.58), ("QC", 0.42))
    tracker.update(one_of(scene, *hearts), scene.picture(), changed=())
    tracker.update(one_of(scene, *hearts), scene.picture(), changed=((150, 150, 260, 260),))
    (first,) = tracker.table(settled=True).cards
    tracker.update(one_of(scene, *clubs), scene.picture(), changed=((150, 150, 260, 260),))
    below, top = tracker.table(settled=True).cards
    assert (below.track, below.covered) == (first.track, True) and top.candidates[0].face == "JC"


def test_an_unsure_look_at_a_pile_is_no_card_that_lies_under_others(tracker: Tracker) -> None:
    scene = Scene([Card("3S", 200, 200)])
    show(tracker, scene)
    scene.cards.append(Card("10S", 200, 200, turn=90))
    show(tracker, scene, ((150, 150, 260, 260),))
    scene.cards.append(Card("QH", 200, 200))
    tracker.update(one_of(scene, ("QH", 0.25), ("JH", 0.01)), scene.picture(), changed=((150, 150, 260, 260),))
    cards = tracker.table(settled=True).cards
    assert [(card.face, card.covered) for card in cards] == [("3S", True), ("10S", True), (None, False)]


@pytest.mark.parametrize("look", ["same", "other", "likely", "unknown"])
def test_a_card_that_lay_under_others_has_no_name_where_it_may_be_another_that_is_read_without_one(
    tracker: Tracker, look: str
) -> None:
    """Others were laid on it and taken, one of them may lie there now: a name that one reading holds for possible."""
    scene = Scene([Card("4H", 200, 200)])
    show(tracker, scene)
    (first,) = show(tracker, scene, ()).cards
    scene.cards.append(Card("10S", 200, 200, turn=90))
    show(tracker, scene, ((150, 150, 260, 260),))
    scene.cards, scene.hand = [Card("4H", 200, 200)], PICTURE if look in ("other", "likely") else None
    if look == "unknown":
        tracker._tracks[0].look = None  # the camera was pushed
    read = one_of(scene, ("4H", 0.7 if look == "likely" else 0.41), ("JC", 0.2 if look == "likely" else 0.41))
    tracker.update(read, scene.picture(), changed=((150, 150, 260, 260),))
    (card,) = tracker.table(settled=True).cards
    assert (card.track, card.face) == (first.track, "4H" if look in ("same", "likely") else None)


def test_a_card_without_a_name_that_was_read_twice_may_be_missed_once(tracker: Tracker) -> None:
    """Nobody was there. Gone it would stay gone: what is read on other cards is no new one while nothing moves."""
    strange = Card("KD", 200, 200, reads=(("KD", 0.6),))
    scene = Scene([strange])
    (first,) = show(tracker, scene).cards
    tracker.update(ReadResult(WIDTH, HEIGHT, 1.0), scene.picture(), changed=())
    assert not tracker.table(settled=True).cards, "an outline of one read"
    (first,) = show(tracker, scene, ((150, 150, 260, 260),)).cards
    show(tracker, scene, ())
    for left in ([first.track], []):
        tracker.update(ReadResult(WIDTH, HEIGHT, 1.0), scene.picture(), changed=())
        assert [card.track for card in tracker.table(settled=True).cards] == left


@pytest.mark.parametrize(("looks", "misses", "stays"), [(1, 1, False), (2, 1, True), (2, 2, False)])
def test_a_card_without_a_name_in_a_tight_row_may_be_missed_once_though_named_ones_lie_over_it(
    tracker: Tracker, looks: int, misses: int, stays: bool
) -> None:
    """What was seen once alone is nothing: the cards that have a name explain it."""
    between = Card("AS", 240, 200, reads=(("AS", 0.6),))
    scene = Scene([Card("4D", 200, 200), between, Card("3C", 270, 200)])
    for look in range(looks):
        show(tracker, scene, () if look else None)
    between.seen = False
    for _ in range(misses):
        show(tracker, scene, ())
    assert len(tracker.table(settled=True).cards) == 2 + stays


@pytest.mark.parametrize(("said", "back"), [("KD", True), (None, False)])
def test_a_card_on_others_that_was_given_up_comes_back_when_it_is_read_by_name(
    tracker: Tracker, said: str | None, back: bool
) -> None:
    """One look misses it, and nothing moves: what is read there without a name is a second sight of the others."""
    below, strange, named = Card("4S", 200, 200), Card("KD", 208, 200, reads=(("KD", 0.6),)), Card("KD", 208, 200)
    picture = Scene([below, strange]).picture()
    for on_it, changed in ((strange, None), (None, ()), (strange if said is None else named, ())):
        cards = (below.read(), *((on_it.read(),) if on_it else ()))
        tracker.update(ReadResult(WIDTH, HEIGHT, 1.0, cards), picture, changed=changed)
        lying = len(tracker.table(settled=True).cards)
        assert lying == (1 if on_it is None or (changed is not None and not back) else 2)


@pytest.mark.parametrize(("together", "known"), [(True, set()), (False, {"7D"})])
def test_a_name_read_where_a_card_lay_that_came_with_a_nameless_one_is_a_misreading_of_it(
    tracker: Tracker, together: bool, known: set[str]
) -> None:
    """An outline astray between two cards, and at the next look one of the two reads as another. Had the outline come
    later, another card might lie there by now."""
    scene, here = Scene([Card("AS", 200, 200)]), ((120, 120, 280, 320),)
    astray = Card("5C", 200, 224, reads=(("5C", 0.1),))
    if not together:
        tracker.update(scene.result(), scene.picture(), time=1.0, changed=here)
    read = replace(scene.result(), cards=(scene.cards[0].read(), astray.read()))
    tracker.update(read, scene.picture(), time=2.0, changed=here)
    assert len(tracker.table(settled=True).cards) == 2
    misread = Card("7D", 200, 206)
    tracker.update(replace(scene.result(), cards=(misread.read(),)), scene.picture(), time=2.2, changed=here)
    seen = {card.face for card in tracker.table(settled=True).cards if not card.covered} - {None}
    assert seen == known


@pytest.mark.parametrize(("chance", "stays"), [(0.55, True), (0.1, False)])
def test_a_card_that_nobody_named_is_still_there_under_one_that_was_laid_on_it(
    tracker: Tracker, chance: float, stays: bool
) -> None:
    """A joker that is not read surely, and three quarters covered; an outline that may be anything is none."""
    scene, here = Scene([Card("JK1", 200, 200, reads=(("JK1", chance), ("QD", chance / 2)))]), ((120, 120, 280, 320),)
    for n in range(4):
        tracker.update(scene.result(), scene.picture(), time=1.0 + n, changed=here)
    assert faces(tracker.table(settled=True)) == [None]
    scene.cards.append(Card("9H", 200, 222))
    for n in range(4):
        tracker.update(scene.result(), scene.picture(), time=6.0 + n, changed=here if n == 0 else ())
    seen = {card.face: card.covered for card in tracker.table(settled=True).cards}
    assert seen == ({None: True, "9H": False} if stays else {"9H": False})


def test_a_card_without_a_name_stays_the_same_one_though_its_place_looks_otherwise(tracker: Tracker) -> None:
    """A shadow came over it: what is read there still leans to the same face. What leans to another is another card."""
    nameless = Card("6H", 200, 200, reads=(("6H", 0.6),))
    scene = Scene([nameless])
    (first,) = show(tracker, scene).cards
    show(tracker, scene, ())
    shadow = scene.picture()
    shadow[185:250, 185:230] //= 3
    tracker.update(scene.result(), shadow, changed=((150, 150, 260, 260),))
    (again,) = tracker.table(settled=True).cards
    assert (again.track, again.since) == (first.track, first.since)
    scene.cards = [Card("9C", 200, 200, reads=(("9C", 0.6),))]
    below, other = show(tracker, scene, ((150, 150, 260, 260),)).cards
    assert (below.track, below.covered, other.covered) == (first.track, True, False)
