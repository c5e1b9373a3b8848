"""How a place looked with a card on it tells whether the card is still there, whatever the light."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.following import parameters
from companion.vision.following.background import BackgroundModel
from companion.vision.following.looks import grey, likeness, taken
from companion.vision.images import Pixels

PLACE = ((100.0, 100.0), (163.0, 100.0), (163.0, 188.0), (100.0, 188.0))
TABLE = (95, 105, 110)


def table(*, card: bool = False, hand: bool = False, light: float = 1.0, number: int = 0) -> Pixels:
    """A grey table, perhaps with a back on it whose lattice is as grey from afar, perhaps with a hand."""
    picture = np.full((360, 640, 3), TABLE, np.float32)
    if card:
        lines = (np.indices((88, 63)).sum(axis=0) // 8 % 2) * 40.0 - 20.0
        picture[100:188, 100:163] += lines[..., None]
    if hand:
        picture[90:200, 60:150] = (130, 160, 215)
    noise = np.random.default_rng(number).normal(0, 3, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
def test_a_card_correlates_with_its_look_and_the_bare_table_does_not(light: float) -> None:
    seen = taken(grey(table(card=True)), PLACE, [])
    assert likeness(seen, grey(table(card=True, light=light, number=1)), PLACE) > parameters.UNLIKE
    assert likeness(seen, grey(table(light=light, number=2)), PLACE) < parameters.UNLIKE


def test_the_table_may_show_where_nothing_differs_from_it_and_not_under_a_hand_or_a_card() -> None:
    background = BackgroundModel()
    background.show(table())
    assert not background.may_show(PLACE)  # nobody has seen it bare
    background.learn([])
    background.show(table(card=True, number=1))
    assert background.may_show(PLACE)  # from afar the lattice is as grey
    background.show(table(number=2))
    assert background.may_show(PLACE) and not background.may_show(PLACE, [PLACE])
    background.show(table(hand=True, number=3))
    assert not background.may_show(PLACE)
