"""Cards of enrolled decks that lie under others and are looked at whole all the same."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.decks.answers import Recognised
from companion.vision.geometry import box_quad
from companion.vision.pipeline.enrolled import less_covered
from companion.vision.types import Candidate


@pytest.mark.parametrize(("alike", "named"), [(0.7, None), (0.99, "6s")])
def test_what_another_may_cover_is_named_by_what_that_leaves_free(alike: float, named: str | None) -> None:
    """A half covered six of bamboos shows two strokes; the card on it looks like its whole picture."""

    class Comparing:
        def known(self, gallery: object, outlines: list[np.ndarray], covers: object = None) -> list[Recognised]:
            if covers is not None:
                return [Recognised((Candidate("2s", 0.6),), 0.6, 0.9, alike=0.9) for _ in outlines]
            sure = (("6s", alike), ("5m", 0.98), ("9p", 0.7))
            return [Recognised((Candidate(face, 0.97),), 0.97, 0.9, alike=fits) for face, fits in sure]

    quads = [box_quad((0, 0, 60, 80)), box_quad((0, 40, 60, 120)), box_quad((200, 0, 260, 80))]
    comparison = Comparing()
    said = less_covered(None, comparison, quads, comparison.known(None, quads))  # type: ignore[arg-type]
    upper = "5m" if named is None else None
    assert [one.face for one in said] == [named, upper, "9p"]
