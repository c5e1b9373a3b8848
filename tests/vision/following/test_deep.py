"""A pile that was taken and begun anew while nobody saw: what lay deep in it comes from elsewhere when it is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.vision.following.tracker import Tracker

from .test_tracker import Card, Scene, tracker

__all__ = ["tracker"]  # the fixture


@pytest.mark.parametrize(("between", "lifted"), [(0, True), (3, False)])
def test_a_card_deep_in_a_pile_that_is_read_again_was_laid_anew(tracker: Tracker, between: int, lifted: bool) -> None:
    """The pile had been taken meanwhile, unseen; the card that it lies on now was not lifted."""
    scene, here = Scene(), ((120, 120, 280, 280),)
    for number, face in enumerate(["AS", *("2H", "5D", "9C")[:between], "KH"]):
        scene.cards.append(Card(face, 200 + number, 200, 2 * number))
        tracker.update(scene.result(), scene.picture(), time=1.0 + number, changed=here)
    scene.cards = [*([] if lifted else scene.cards), Card("AS", 200, 200)]
    tracker.update(scene.result(), scene.picture(), time=9.0, changed=here)
    cards = {card.face: card for card in tracker.table(settled=True).cards}
    assert ("KH" in cards) is not lifted
    assert (cards["AS"].covered, cards["AS"].since) == (False, 1.0 if lifted else 9.0)


@pytest.mark.parametrize(("index", "corner"), [((265.0, 260.0), True), ((215.0, 215.0), False)])
def test_a_corner_that_reads_as_a_card_deep_in_the_pile_says_nothing_while_another_lies_on_it(
    tracker: Tracker, index: tuple[float, float], corner: bool
) -> None:
    """The card under the top one shows an index that is read wrongly; of two cards the one whose index lies in the
    other's place is the upper one, which was laid anew."""
    scene, here = Scene(), ((120, 120, 280, 280),)
    for number, face in enumerate(["AS", "2H", "5D", "9C", "KH"]):
        scene.cards.append(Card(face, 200 + number, 200, 2 * number))
        tracker.update(scene.result(), scene.picture(), time=1.0 + number, changed=here)
    scene.cards.append(Card("3C", 206, 200))
    read = scene.result()
    assert [card.face for card in read.cards] == ["3C"]
    read = replace(read, cards=(*read.cards, replace(Card("AS", 200, 200).read(), indices=(index,))))
    tracker.update(read, scene.picture(), time=9.0, changed=here)
    cards = {card.face: card for card in tracker.table(settled=True).cards}
    assert (cards["3C"].covered, cards["3C"].since) == (False, 9.0)
    assert (cards["AS"].covered, cards["AS"].since) == (corner, 1.0 if corner else 9.0)
    assert len(tracker.table(settled=True).cards) == 6
