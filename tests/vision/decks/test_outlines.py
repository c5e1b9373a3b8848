"""Cards under others: what is seen of one is completed to a whole card; what lies on it is not compared."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.decks.crops import CARD, CROP, MARGIN, visible
from companion.vision.decks.outlines import completed, covering, share_seen
from companion.vision.geometry import box_quad, iou, project

WIDTH, LENGTH = 100.0, 140.0
SLANT = np.array([[0.98, 0.05, 40.0], [-0.04, 0.93, 30.0], [0.0, 0.00008, 1.0]])
"""A table seen a little from the side: the map from its plane to the picture."""


def lying(x: float, y: float, turn: float = 0.0) -> np.ndarray:
    """A card's outline on that table, px."""
    c, s = np.cos(turn), np.sin(turn)
    corners = box_quad((-WIDTH / 2, -LENGTH / 2, WIDTH / 2, LENGTH / 2)) @ np.array([[c, s], [-s, c]]) + (x, y)
    return project(SLANT, corners)


OTHERS = [lying(150, 150), lying(420, 160, 0.7), lying(700, 420, -0.4)]


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2])
@pytest.mark.parametrize("part", [(0, 0, 0.45, 1), (0.5, 0, 1, 1), (0, 0, 1, 0.5), (0, 0.45, 1, 1)])
def test_the_seen_part_of_a_card_is_completed(turn: float, part: tuple[float, float, float, float]) -> None:
    """A strip of it was found; what lies on the rest is known."""
    c, s = np.cos(turn), np.sin(turn)
    onto = np.array([[c, s], [-s, c]])

    def piece(left: float, top: float, right: float, bottom: float) -> np.ndarray:
        box = box_quad(((left - 0.5) * WIDTH, (top - 0.5) * LENGTH, (right - 0.5) * WIDTH, (bottom - 0.5) * LENGTH))
        return project(SLANT, box @ onto + (400, 420))

    rest = {
        (0, 0, 0.45, 1): (0.45, 0, 1.45, 1),
        (0.5, 0, 1, 1): (-0.5, 0, 0.5, 1),
        (0, 0, 1, 0.5): (0, 0.5, 1, 1.5),
        (0, 0.45, 1, 1): (0, -0.55, 1, 0.45),
    }
    cover = piece(*rest[part])
    whole = lying(400, 420, turn)
    found = completed([piece(*part)], [*OTHERS, cover])
    assert max(iou(one, whole) for one in found) > 0.9


def test_a_whole_card_stays_where_it_is() -> None:
    whole = lying(430, 430, 0.2)
    found = completed([whole], OTHERS)
    assert found and all(iou(one, whole) > 0.95 for one in found)


def test_a_part_on_which_nothing_lies_is_no_card_under_others() -> None:
    """Half of a card in the open: a whole one would be seen."""
    half = np.array([[0.0, 0], [40, 0], [40, 60], [0, 60]]) + 450
    assert completed([half], OTHERS) == []


def test_without_a_known_card_nobody_knows_how_large_cards_are() -> None:
    assert completed([lying(300, 300)], []) == []


def test_what_lies_on_a_card_is_not_seen() -> None:
    under, over = lying(400, 420), lying(450, 420)
    seen = visible(under, covering(under, [over, *OTHERS]))
    assert seen.shape == CROP[::-1] and set(np.unique(seen)) == {0, 1}
    assert share_seen(seen) == pytest.approx(0.5, abs=0.05)
    inner = seen[MARGIN:-MARGIN, MARGIN:-MARGIN]
    assert inner[:, : CARD[0] // 2 - 4].all() and not inner[:, CARD[0] // 2 + 4 :].any()


def test_cards_beside_each_other_cover_nothing() -> None:
    assert covering(lying(400, 420), [lying(510, 420), *OTHERS]) == []
