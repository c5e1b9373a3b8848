"""A further card, or a second sight of one: what the learned score says of plain cases, and what is made of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion import resources
from companion.vision.assembly import parameters
from companion.vision.assembly.candidates import candidates
from companion.vision.assembly.duplicates import merge_opposite_corners, split_by_face, suppress_duplicates
from companion.vision.assembly.hypotheses import CardHypothesis
from companion.vision.assembly.instances import CardInstance, IndexObservation
from companion.vision.assembly.judge import FEATURES, Lie, judged
from companion.vision.assembly.plane import TablePlane
from companion.vision.assembly.trees import Trees
from companion.vision.geometry import CARD_MM, INDEX_MM, Array, box_quad, homography, index_window, project
from companion.vision.reading.evidence import Evidence, Tuning, combine
from companion.vision.reading.faces import FACES
from companion.vision.types import Side

TUNING = Tuning()
TREES = Trees.load(resources.models() / "reader" / "judge.json")
SIZE = (720, 1280)


def card(x: float, y: float, scale: float = 1.5) -> Array:
    """An upright outline, px."""
    return box_quad((x, y, x + CARD_MM[0] * scale, y + CARD_MM[1] * scale))


def index(outline: Array, corner: int = 0) -> Array:
    """Its top-left (0), top-right (1), bottom-right (2) or bottom-left (3) index."""
    left, top, right, bottom = INDEX_MM
    flat = box_quad((CARD_MM[0] - right, top, CARD_MM[0] - left, bottom)) if corner % 2 else box_quad(INDEX_MM)
    return project(homography(outline), np.array(CARD_MM) - flat if corner > 1 else flat)


TABLE = TablePlane.fit(
    [card(100 + 200 * k, 100) for k in range(3)], [index(card(100 + 200 * k, 100), n) for k in range(3) for n in (0, 2)]
)


def observation(quad: Array, face: str, chance: float = 0.999) -> IndexObservation:
    """A look at a detected index."""
    faces = np.full(len(FACES), (1 - chance) / (len(FACES) - 1))
    faces[FACES.index(face)] = chance
    return IndexObservation(index_window(quad), np.zeros((64, 48, 3), np.uint8), Evidence(faces, 0.99), quad)


def seen(
    outline: Array, face: str, corners: Sequence[int] = (0, 2), score: float = 0.9, chance: float = 0.999
) -> CardInstance:
    """A card of which these indices were read."""
    observations = tuple(observation(index(outline, corner), face, chance) for corner in corners)
    classification = combine([one.evidence for one in observations], None, TUNING)
    return CardInstance(CardHypothesis(outline, Side.UP, score, TABLE), observations, None, classification)


def by_index(outline: Array, face: str, corner: int = 0, chance: float = 0.999) -> CardInstance:
    """A card of which nothing but one index was found."""
    known = seen(outline, face, (corner,), chance=chance)
    return replace(known, hypothesis=CardHypothesis.of_index(index(outline, corner), TABLE))


def names(*found: CardInstance, copies: Mapping[str, int] | None = None) -> list[str | None]:
    """What is reported of these, sorted: names, None for a question."""
    kept = merge_opposite_corners(suppress_duplicates(split_by_face(found, TUNING), TUNING), TUNING)
    out = judged(candidates(kept, found, (), TUNING), SIZE, TREES, TUNING, copies)
    return sorted(
        (one.likeliest_face if TUNING.accepts(one.classification) else None for one in out), key=lambda name: str(name)
    )


OTHERS = (seen(card(100, 400), "2H"), seen(card(300, 400), "9S"), seen(card(500, 400), "QD"))


def test_the_shipped_score_is_of_these_features() -> None:
    assert TREES.names == FEATURES


def test_all_candidates_at_once_are_judged_as_one_after_the_other() -> None:
    """Beside those alone that were accepted before: the second sight of a king says nothing of what comes after it."""
    king = seen(card(700, 100), "KH")
    sights = [replace(seen(card(700 + 3 * k, 100 + 4 * k), "KH", (0,), 0.3), own=0.5) for k in range(1, 4)]
    found = candidates([*OTHERS, king, *sights, by_index(card(900, 420), "KH")], OTHERS, (), TUNING)
    lie, accepted, chances = Lie(found, SIZE, TUNING), list[int](), list[float]()
    for number in range(len(found)):
        chance = TREES.chance(lie.features(number, accepted))
        sure = TUNING.accepts(lie.cards[number].classification)
        if chance >= (parameters.MAY_BE_CARD if sure else parameters.WORTH_ASKING):
            accepted.append(number)
            chances.append(chance)
    assert len(accepted) < len(found)
    assert [one.own for one in judged(found, SIZE, TREES, TUNING)] == pytest.approx(chances)


def test_cards_apart_are_cards_whatever_their_names() -> None:
    assert names(*OTHERS) == ["2H", "9S", "QD"]
    assert names(*OTHERS, seen(card(100, 100), "2H")) == ["2H", "2H", "9S", "QD"]


@pytest.mark.parametrize("face", ["KH", "KD", "9S"])
def test_one_card_never_has_two_names(face: str) -> None:
    """A second outline ten px aside, or an inner frame, whatever is read on it."""
    king = seen(card(700, 100), "KH")
    for outline in (card(710, 103), card(708, 112, 1.25)):
        second = seen(outline, face, (0,), 0.6, 0.97)
        assert len(names(*OTHERS, king, second)) == 4


def test_a_name_is_said_again_only_where_that_is_surely_another_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of the same name in another card's outline, or elsewhere, is asked about where the score is in doubt."""
    king = seen(card(700, 100), "KH", (0,))
    for second in (by_index(card(722, 140), "KH"), seen(card(300, 400), "KH")):
        said = {}
        for chance in (0.6, 0.95):
            monkeypatch.setattr(Trees, "chances", lambda _, of, c=chance: np.full(len(of), c))
            said[chance] = names(king, second)
        assert said == {0.6: ["KH", None], 0.95: ["KH", "KH"]}


def test_an_unread_outline_over_a_card_asks_nothing() -> None:
    king = seen(card(700, 100), "KH")
    blank = replace(seen(card(722, 112), "KH", (), 0.45), observations=())
    assert names(*OTHERS, king, blank) == ["2H", "9S", "KH", "QD"]


def test_equal_cards_of_a_column_are_as_many_as_their_indices() -> None:
    column = [by_index(card(700, 100 + 36 * k), "7S") for k in range(2)] + [seen(card(700, 172), "7S", score=0.95)]
    assert names(*OTHERS, *column) == ["2H", "7S", "7S", "7S", "9S", "QD"]


def test_with_one_deck_what_can_only_be_a_second_copy_is_none_but_where_it_surely_lies() -> None:
    one = dict.fromkeys(FACES, 1)
    king, far = seen(card(700, 100), "KH"), seen(card(900, 400), "KH")
    corner = by_index(card(700, 100), "KH", 1)
    assert names(*OTHERS, king, corner, copies=one) == ["2H", "9S", "KH", "QD"]
    assert Counter(names(*OTHERS, king, far, copies=one))["KH"] == 2  # said to be too many; see `companion read`


def test_trees_are_walked_to_their_leaves(tmp_path: Path) -> None:
    kept = {
        "names": ["a", "b"], "start": 0.0, "feature": [[0, 1, 1], [1, 0, 0]], "threshold": [[0.5, 2, 3], [9, 0, 0]],
        "value": [[-1, 1, 2, 3], [0, 0, 5, 5]],
    }  # fmt: skip
    (tmp_path / "trees.json").write_text(json.dumps(kept), "utf-8")
    trees = Trees.load(tmp_path / "trees.json")
    for features, logit in (([0.5, 2.0], -1), ([0.5, 2.1], 1), ([0.6, 3.0], 2), ([0.6, 3.1], 3), ([0.6, 9.1], 8)):
        assert trees.chance(np.array(features)) == pytest.approx(1 / (1 + np.exp(-logit)))


def test_nothing_seen_is_no_card() -> None:
    assert judged([], SIZE, TREES, TUNING) == []
    assert candidates((), (), (), TUNING) == []
