"""The background: which changes are the light's, which a hand's, and which show that a card is gone."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.following.background import BackgroundModel
from companion.vision.images import Pixels
from companion.vision.types import Quad

CLOTH, WHITE, SKIN = (70, 120, 60), (235, 235, 235), (130, 160, 215)
CARD: Quad = ((100, 80), (140, 80), (140, 136), (100, 136))
BESIDE: Quad = ((142, 80), (182, 80), (182, 136), (142, 136))


def table(*patches: tuple[Quad, tuple[int, int, int]], light: float = 0.0) -> Pixels:
    """A plain cloth of 320 × 240 px with patches of one colour each, all of it brighter by `light` grey levels."""
    canvas = np.full((240, 320, 3), CLOTH, np.float32)
    for quad, colour in patches:
        (left, top), (right, bottom) = quad[0], quad[2]
        canvas[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = colour
    return np.clip(canvas + light, 0, 255).astype(np.uint8)


def part(quad: Quad, share: float) -> Quad:
    """The upper `share` of a place."""
    (left, top), (right, bottom) = quad[0], quad[2]
    middle = top + share * (bottom - top)
    return ((left, top), (right, top), (right, middle), (left, middle))


@pytest.fixture
def known() -> BackgroundModel:
    """A bare table that is known."""
    model = BackgroundModel()
    model.show(table())
    model.learn([])
    return model


def gone(model: BackgroundModel, card: Quad, before: Pixels, after: Pixels) -> bool:
    """Whether the table shows `after` where a card lay `before`."""
    model.show(before)
    appearance = model.appearance(card)
    model.show(after)
    return model.background_shows(card, appearance)


@pytest.mark.parametrize("light", [-22, 22])
def test_a_lamp_is_no_card_that_goes_or_stays(known: BackgroundModel, light: float) -> None:
    laid = table((CARD, WHITE))
    assert gone(known, CARD, laid, table(light=light))
    assert not gone(known, CARD, laid, table((CARD, WHITE), light=light))


@pytest.mark.parametrize(("after", "bare"), [((), True), (((CARD, (82, 132, 72)),), False), (((CARD, SKIN),), False)])
def test_a_card_whose_colour_is_nearly_the_tables_is_gone_where_the_table_looks_as_it_was_seen(
    known: BackgroundModel, after: tuple[tuple[Quad, tuple[int, int, int]], ...], bare: bool
) -> None:
    """Of a place that was never seen bare nobody can tell."""
    laid = table((CARD, (82, 132, 72)))
    assert gone(known, CARD, laid, table(*after)) is bare
    assert not gone(BackgroundModel(), CARD, laid, table(*after))


def test_a_covered_lens_takes_no_card_away(known: BackgroundModel) -> None:
    assert not gone(known, CARD, table((CARD, WHITE)), np.zeros((240, 320, 3), np.uint8))


def test_a_shadow_that_grows_slowly_is_the_tables(known: BackgroundModel) -> None:
    wide: Quad = ((60, 40), (230, 40), (230, 180), (60, 180))
    for step in range(1, 31):
        shade = tuple(level + 1.5 * step for level in CLOTH)
        known.show(table((wide, shade)))  # type: ignore[arg-type]
        known.learn([])
    assert gone(known, CARD, table((wide, shade), (CARD, WHITE)), table((wide, shade)))  # type: ignore[arg-type]


def test_another_cloth_is_learnt_and_a_short_rest_of_a_hand_is_not(known: BackgroundModel) -> None:
    cloth: Quad = ((60, 40), (230, 40), (230, 180), (60, 180))
    blue = (150, 60, 30)
    for look in range(8):
        known.show(table((cloth, blue)))
        known.learn([])
        if look == 2:
            assert not gone(known, CARD, table((CARD, WHITE)), table((cloth, blue)))
    assert gone(known, CARD, table((cloth, blue), (CARD, WHITE)), table((cloth, blue)))


@pytest.mark.parametrize(("apart", "learnt"), [(0.3, False), (1.0, True)])
def test_a_hand_that_is_looked_at_often_in_a_few_seconds_is_not_the_table(
    known: BackgroundModel, apart: float, learnt: bool
) -> None:
    """What is there as often over a longer time is."""
    resting = table((CARD, SKIN))
    for number in range(10):
        known.show(resting)
        known.learn([], time=number * apart)
    assert gone(known, CARD, table((CARD, WHITE)), resting) == learnt
    assert gone(known, CARD, table((CARD, WHITE)), table()) != learnt


def test_a_hand_that_rests_on_a_card_is_not_the_table_beside_it(known: BackgroundModel) -> None:
    resting = table((CARD, SKIN), (BESIDE, SKIN))
    for _ in range(10):
        known.show(resting)
        known.learn([CARD], covered=[CARD])
    near: Quad = ((143, 82), (150, 82), (150, 134), (143, 134))
    assert not gone(known, near, table((near, WHITE)), resting)
    assert gone(known, near, table((near, WHITE)), table())


def test_a_card_of_which_half_is_still_there_is_not_gone(known: BackgroundModel) -> None:
    laid = table((CARD, WHITE))
    assert not gone(known, CARD, laid, table((part(CARD, 0.5), WHITE)))
    assert gone(known, CARD, laid, table((part(CARD, 0.12), WHITE)))
