"""Cards of enrolled decks that lie under others and are looked at whole all the same."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.training.decks import views
from companion.training.decks.invented import Invented
from companion.vision.decks.answers import Recognised
from companion.vision.decks.gallery import Gallery
from companion.vision.geometry import box_quad
from companion.vision.pipeline.comparison import Comparison
from companion.vision.pipeline.enrolled import Chosen, EnrolledReader, less_covered
from companion.vision.types import Candidate, CardRead, ReadResult, Side

from .test_enrolled import Said, drawn, gallery, polygon

__all__ = ["drawn", "gallery"]  # the fixtures


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


def test_a_card_partly_under_another_is_compared_by_what_is_seen_of_it_too(
    drawn: Invented, gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = np.full((300, 420, 3), (60, 90, 50), np.float32)
    under, over = (box_quad((x, 60, x + 110, 60 + 110 * drawn.style.tall)) for x in (60, 145))
    for code, quad in zip(drawn.codes[3::4], (under, over), strict=False):
        views._paste(canvas, drawn.face(code), quad)
    picture = np.ascontiguousarray(canvas[..., ::-1].astype(np.uint8))
    cards = tuple(CardRead(None, 0.0, Side.UP, polygon(quad), ()) for quad in (under, over))
    asked: list[tuple[np.ndarray, np.ndarray]] = []
    known = Comparison.known

    def noted(self: Comparison, gallery: Gallery, outlines: list, covers: list | None = None, least: float = 0.0,
              most: int = 0) -> list[Recognised]:  # fmt: skip
        if covers and not least:
            asked.extend(
                (outline, over) for outline, covering in zip(outlines, covers, strict=True) for over in covering
            )
        return known(self, gallery, outlines, covers, least, most)

    monkeypatch.setattr(Comparison, "known", noted)
    result = ReadResult(picture.shape[1], picture.shape[0], 1.0, cards)
    said = EnrolledReader(Said(result), Chosen([gallery])).read(picture, drawn.codes).cards
    assert [card.face for card in said] == list(drawn.codes[3:8:4])
    assert len(asked) == 1 and np.allclose(asked[0][0], under) and np.allclose(asked[0][1], over)
