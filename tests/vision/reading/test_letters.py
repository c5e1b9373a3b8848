"""A V is a jack in French and a queen in Dutch: the table's other letters say which."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.vision.images import load
from companion.vision.pipeline.reader import Reader
from companion.vision.reading import classifier
from companion.vision.reading.evidence import Evidence, in_dutch, in_polish
from companion.vision.reading.faces import FACES, LETTERS
from companion.vision.reading.letters import dutch_share, letters_seen

VALET = Path(__file__).parents[1] / "pictures" / "valet.jpg"


def evidence(face: str, letter: str, chance: float = 0.99, sure: float = 0.99) -> Evidence:
    """Evidence that names `face` with `chance`, where `letter` is printed as surely as `sure`."""
    faces = np.full(len(FACES), (1 - chance) / (len(FACES) - 1))
    faces[FACES.index(face)] = chance
    letters = np.full(len(LETTERS), (1 - sure) / (len(LETTERS) - 1))
    letters[LETTERS.index(letter)] = sure
    return Evidence(faces, 1.0, letters)


V = evidence("JS", "V")


def seen(*observed: Evidence) -> frozenset[str]:
    """The letters of a table whose indices are all as high."""
    return letters_seen((one, 30.0) for one in observed)


@pytest.mark.parametrize(
    ("others", "share"),
    [
        ([], 0.5),  # nobody knows
        ([evidence("KH", "K"), evidence("QH", "Q"), evidence("JD", "J")], 0.5),
        ([evidence("KH", "R")], 0.0),
        ([evidence("QH", "D")], 0.0),
        ([evidence("AH", "1"), evidence("KD", "K")], 0.0),
        ([evidence("KH", "H")], 1.0),
        ([evidence("JH", "B")], 1.0),
        ([evidence("KH", "H"), evidence("QC", "D")], 1.0),  # a German deck beside it
        ([evidence("KH", "R"), evidence("JH", "B")], 0.0),
        ([evidence("KH", "H"), evidence("KS", "R")], 0.5),  # a deck of each: nobody knows
        ([evidence("JH", "B"), evidence("QS", "D")], 0.5),
    ],
)
def test_the_other_letters_tell_the_language(others: list[Evidence], share: float) -> None:
    assert dutch_share(seen(V, *others)) == share
    assert dutch_share(seen(*others)) == 0  # without a V, there is no question


def test_an_unsure_letter_tells_nothing() -> None:
    assert seen(evidence("KH", "H", sure=0.7)) == set()
    assert seen(evidence("KH", "H", chance=0.7)) == set()
    assert seen(evidence("QH", "H")) == set()  # no queen is called H: one of both was misread
    assert seen(Evidence(V.faces, 1.0)) == set()
    assert seen(evidence("JH", "V", sure=0.3)) == {"V"}  # what may be a V is in question


@pytest.mark.parametrize(
    ("other", "high", "share"),
    [
        (evidence("JH", "B"), 31.0, 1.0),
        (evidence("JH", "B"), 38.0, 1.0),  # nearer to the camera
        (evidence("JH", "B"), 41.0, 0.5),  # another deck's: perhaps a German one beside a French one
        (evidence("AH", "1"), 20.0, 0.5),
        (evidence("KH", "R"), 20.0, 0.0),
    ],
)
def test_letters_of_larger_or_smaller_indices_are_another_decks_unless_kings(
    other: Evidence, high: float, share: float
) -> None:
    assert dutch_share(letters_seen([(V, 30.0), (other, high)])) == share
    assert letters_seen([(other, high)]) != set()  # remembered where no V lies beside it


def test_letters_seen_before_tell_where_the_table_does_not() -> None:
    assert dutch_share({"V"}, {"H"}) == 1
    assert dutch_share({"V"}, {"D"}) == 0
    assert dutch_share({"V", "R"}, {"H"}) == 0  # what lies there counts first
    assert dutch_share(set(), {"H"}) == 0


def test_what_people_say_of_a_v_tells_unless_letters_say_otherwise() -> None:
    assert dutch_share({"V"}, {"V=Q"}) == 1
    assert dutch_share({"V"}, {"V=J"}) == 0
    assert dutch_share({"V", "B"}, {"V=Q", "H"}) == 1
    assert dutch_share({"V", "R"}, {"V=Q"}) == 0.5  # a French king beside a Dutch queen: nobody knows
    assert dutch_share({"V"}, {"V=J", "H"}) == 0.5
    assert dutch_share({"V"}, {"V=J", "V=Q"}) == 0.5
    assert dutch_share(set(), {"V=Q"}) == 0


def test_a_dutch_v_is_a_queen() -> None:
    assert in_dutch(V, 0.0) is V
    queen = in_dutch(V, 1.0)
    assert FACES[int(queen.faces.argmax())] == "QS"
    assert queen.faces.sum() == pytest.approx(1)
    either = in_dutch(V, 0.5)
    assert either.faces[FACES.index("JS")] == pytest.approx(either.faces[FACES.index("QS")], rel=0.05)


def test_other_letters_keep_their_rank() -> None:
    jack = evidence("JH", "B")
    assert np.allclose(in_dutch(jack, 1.0).faces, jack.faces, atol=0.01)
    king = evidence("KH", "H")
    assert np.allclose(in_dutch(king, 1.0).faces, king.faces, atol=0.01)


def test_the_whole_face_leaves_open_what_a_v_is() -> None:
    face = Evidence(V.faces, 1.0)
    for share in (0.5, 1.0):
        open_face = in_dutch(face, share).faces
        assert open_face[FACES.index("JS")] == pytest.approx(open_face[FACES.index("QS")])
    assert in_dutch(face, 1.0).faces[FACES.index("9C")] == face.faces[FACES.index("9C")]


def test_beside_a_jack_with_a_w_a_b_may_be_a_queen_whose_letter_looks_like_one() -> None:
    """Polish decks have W, D and K."""
    assert "W" in seen(evidence("JS", "W"), evidence("KS", "K"))
    assert "W" not in seen(evidence("JS", "W", sure=0.5), evidence("JH", "B"))
    doubtful = in_polish(evidence("JH", "B"))
    assert doubtful.faces[FACES.index("JH")] == pytest.approx(doubtful.faces[FACES.index("QH")], rel=0.05)
    for sure in (evidence("JS", "W"), evidence("QS", "D"), Evidence(V.faces, 1.0)):
        assert np.allclose(in_polish(sure).faces, sure.faces, atol=0.01)


@pytest.mark.parametrize(("before", "polish"), [(set(), False), ({"W"}, True)])
def test_a_w_seen_before_tells_that_a_b_is_no_jack(
    before: set[str], polish: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Evidence] = []
    monkeypatch.setattr(classifier, "in_polish", lambda evidence: asked.append(evidence) or evidence)
    Reader().read(load(VALET), letters=before)
    assert bool(asked) is polish
