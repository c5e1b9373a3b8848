"""A table whose deck is known: nobody is asked about faces that it does not hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from companion.cards import deck
from companion.vision.images import Pixels
from companion.vision.types import Candidate, ReadResult, Region

from .cards_in_ink import TWO, ColourReader, play, still, told


class UnsureReader(ColourReader):
    """Takes each card for a seven or an eight of its suit."""

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: object = ()) -> ReadResult:  # fmt: skip
        result = super().read(image, deck, letters, where)
        cards = (replace(c, face=None, confidence=0.5, candidates=tuple(
            Candidate(rank + c.candidates[0].face[-1], 0.4) for rank in "78")) for c in result.cards)  # fmt: skip
        return replace(result, cards=tuple(cards))


@pytest.mark.parametrize(("name", "ranks"), [("52D1", "78"), ("40D1", "7"), (None, "78")])
def test_a_card_may_be_no_face_that_its_deck_does_not_hold(name: str | None, ranks: str) -> None:
    watcher, tables, _ = told(reader=UnsureReader(), deck=deck(name) if name else None)
    play(watcher, still(TWO))
    assert len(tables[-1].cards) == 2
    for card in tables[-1].cards:
        assert {candidate.face[:-1] for candidate in card.candidates} == set(ranks)
