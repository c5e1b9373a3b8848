"""A V is a jack or a queen: what a person says of one at a table tells it of the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from companion.vision.following.track import TrackEvidence
from companion.vision.images import Pixels
from companion.vision.types import Candidate, CardRead, Quad, ReadResult, Region, Side

from .cards_in_ink import TWO, ColourReader, names, play, still, told, waving

QUAD: Quad = ((0, 0), (60, 0), (60, 90), (0, 90))


class ValetReader(ColourReader):
    """Reads each card as a V alone, the jack or the queen of its suit, until it is told which."""

    def read(self, image: Pixels, deck: Collection[str] | None = None, letters: Collection[str] = (),
             where: Sequence[Region] | None = None, parts: object = ()) -> ReadResult:  # fmt: skip
        result = super().read(image, deck, letters, where)
        ranks = [said[-1] for said in letters if said.startswith("V=")] or (["J"] if "R" in letters else ["J", "Q"])
        guess = {c: tuple(Candidate(r + c.candidates[0].face[-1], 0.98 / len(ranks)) for r in ranks)
                 for c in result.cards}  # fmt: skip
        cards = (replace(c, face=g[0].face if len(g) == 1 else None, confidence=g[0].p, candidates=g)
                 for c, g in guess.items())  # fmt: skip
        return replace(result, cards=tuple(cards), letters=self.letters | {"V"})


@pytest.mark.parametrize("said", ["JS", "QS"])
def test_once_a_person_says_what_a_v_is_the_others_are_named_though_nothing_moves(said: str) -> None:
    watcher, tables, _ = told(reader=ValetReader())
    now = play(watcher, still([TWO[0]], 60))
    for laid in ("2C", "7D"):  # it stays asked however often it is looked at
        now = play(watcher, [*waving([TWO[0]], 6), *still([*TWO, (laid, 250, 40)], 40)], now)
    assert {card.face for card in tables[-1].cards} == {None}
    asked = next(card for card in tables[-1].cards if card.candidates[0].face == "JS")
    assert watcher.correct(asked.track, said)
    play(watcher, still([*TWO, ("7D", 250, 40)], 30), now)
    assert names(tables[-1]) == sorted(said[0] + suit for suit in "SHD")
    another, later, _ = told(reader=ValetReader())
    play(another, still(TWO, 60))
    assert {card.face for card in later[-1].cards} == {None}, "another table knows nothing of it"


def test_a_v_that_lay_long_is_named_once_letters_tell_its_language() -> None:
    watcher, tables, reader = told(reader=ValetReader())
    now, laid = play(watcher, still(TWO)), [("2C", 250, 40), ("7D", 130, 40)] * 5
    for last, card in zip([None, *laid], laid, strict=False):
        now = play(watcher, [*waving([*TWO, last] if last else TWO, 6), *still([*TWO, card], 40)], now)
    assert None in {card.face for card in tables[-1].cards}
    reader.letters = frozenset("R")
    for card in laid[:3]:
        now = play(watcher, [*waving(TWO, 6), *still([*TWO, card], 40)], now)
    assert {"JS", "JH"} <= set(names(tables[-1]))


def test_what_a_person_says_of_another_card_tells_no_language() -> None:
    watcher, tables, reader = told(reader=ValetReader())
    play(watcher, still(TWO, 60))
    for card in tables[-1].cards:
        assert watcher.correct(card.track, "KS")
    play(watcher, [*waving(TWO, 6), *still(TWO[:1])], 60)
    assert len(reader.known) == 4 and set().union(*reader.known) == {"V"}


def test_a_read_of_quite_another_card_does_not_wipe_out_what_was_read_before() -> None:
    """Only a name of the V itself says that its earlier reads said nothing."""

    def reads(face: str, p: float) -> TrackEvidence:
        evidence = TrackEvidence()
        either = (Candidate("JS", 0.49), Candidate("QS", 0.49))
        for _ in range(3):
            evidence.add(CardRead(None, 0.49, Side.UP, QUAD, either), repeated=False)
        assert evidence.open
        evidence.add(CardRead(face, p, Side.UP, QUAD, (Candidate(face, p),)), repeated=False)
        return evidence

    assert reads("JS", 0.97).candidates(1)[0].face == "JS"
    assert reads("KS", 0.97).candidates(1)[0].face in ("JS", "QS")
