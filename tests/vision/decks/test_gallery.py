"""An enrolled deck: which card is it, which way up, and which is none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented decks are drawn with what training needs")

from companion.cards import deck_from_toml
from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.vision.decks.answers import Laid
from companion.vision.decks.crops import CELLS, CROP, SAMPLE, half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck, EnrolledDeckError, Origin, Sample, is_enrolled
from companion.vision.decks.gallery import Gallery, _with_twins
from companion.vision.decks.network import Network
from companion.vision.decks.templates import Anatomy, build
from companion.vision.decks.verifying import Verifier

from .small_deck import MARKS, PICTURES, SHARP, TABLE, TOML


def large(crop: np.ndarray) -> np.ndarray:
    return np.repeat(np.repeat(crop, SAMPLE, axis=0), SAMPLE, axis=1)


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(threads=1)


@pytest.fixture(scope="module")
def drawn() -> Invented:
    return Invented(HELDOUT + 9, "clear", PICTURES, MARKS)


@pytest.fixture(scope="module")
def enrolled(drawn: Invented) -> EnrolledDeck:
    rng = np.random.default_rng(1)
    samples = [Sample(code, large(views.view(rng, drawn.face(code), SHARP)), source=code) for code in drawn.codes]
    return EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, tuple(samples))


@pytest.fixture(scope="module")
def gallery(enrolled: EnrolledDeck, network: Network) -> Gallery:
    return Gallery(enrolled, network)


@pytest.fixture(scope="module")
def on_table(drawn: Invented) -> Callable[[str], np.ndarray]:
    rng = np.random.default_rng(2)
    return lambda code: views.view(rng, drawn.face(code), TABLE, None, SAMPLE)


def test_cards_are_named_from_one_photograph_each(gallery: Gallery, drawn: Invented, on_table: Callable) -> None:
    said = gallery.recognised(np.stack([on_table(code) for code in drawn.codes]))
    named = [one.face for one in said]
    assert sum(name == code for name, code in zip(named, drawn.codes, strict=True)) >= 0.9 * len(named)
    assert all(name in (None, code) for name, code in zip(named, drawn.codes, strict=True))


def test_a_card_upside_down_is_the_same_card(gallery: Gallery, drawn: Invented, on_table: Callable) -> None:
    crops = np.stack([on_table(code) for code in drawn.codes[:6]])
    upright, turned = gallery.recognised(crops), gallery.recognised(half_turned(crops))
    assert [one.candidates[0].face for one in upright] == [one.candidates[0].face for one in turned]


def test_a_thin_line_on_paper_is_levelled_without_making_contrast_of_the_paper() -> None:
    """Fewer than three px in a hundred are ink: the darkest three are paper, in a light that fades across it."""
    paper = np.linspace(190, 215, CROP[0])[None, :, None] + np.random.default_rng(5).normal(0, 2, (*CROP[::-1], 3))
    paper[60:80, 54:56] = 40
    out = levelled(paper.round().astype(np.uint8)[None])[0]
    inner = out[20:-20, 20:-20].astype(np.float32)
    assert inner[45:55, 34:36].max() < 30
    rest = np.delete(inner, slice(30, 40), axis=1)
    assert np.ptp(rest.mean(axis=(0, 2))) < 60
    assert rest.min() > 130


def test_cards_of_other_decks_and_backs_get_no_name(gallery: Gallery, drawn: Invented) -> None:
    rng = np.random.default_rng(3)
    other = Invented(HELDOUT + 8, "muted")
    faces = [drawn.back, other.back, *(other.face(code) for code in other.codes[::7])]
    said = gallery.recognised(np.stack([views.view(rng, face, TABLE, None, SAMPLE) for face in faces]))
    assert [one.face for one in said] == [None] * len(faces)


def test_blank_paper_where_a_mark_should_be_tells_no_mark(gallery: Gallery) -> None:
    assert gallery.windows is not None
    paper = np.full_like(gallery.windows.looks, int(np.median(gallery.windows.looks)))
    said = Verifier(threads=1).marks(paper, gallery.windows.looks)
    assert np.exp(said).sum() < 1  # none of them is likelier than all of them


def test_probabilities_add_up_to_no_more_than_one(gallery: Gallery, drawn: Invented, on_table: Callable) -> None:
    for one in gallery.recognised(np.stack([on_table(code) for code in drawn.codes[::3]])):
        chances = [candidate.p for candidate in one.candidates]
        assert chances == sorted(chances, reverse=True)
        assert 0 <= sum(chances) <= 1 + 1e-6


def test_where_marks_are_printed_is_found(gallery: Gallery, drawn: Invented) -> None:
    assert gallery.windows is not None
    boxes = [[side / SAMPLE for side in box] for box in gallery.windows.boxes]
    for left, top, right, bottom in drawn.mark_boxes:
        x, y = 8 + 96 * (left + right) / 2, 8 + 128 * (top + bottom) / 2
        assert any(a <= x <= c and b <= y <= d for a, b, c, d in boxes)
    assert sum((c - a) * (d - b) for a, b, c, d in boxes) < 0.25 * 96 * 128


@pytest.mark.parametrize("style", ["pen", "worst"])
def test_marks_of_line_drawings_have_a_place_of_their_own(network: Network, style: str) -> None:
    rng = np.random.default_rng(6)
    drawn = Invented(HELDOUT + 9, style, PICTURES, MARKS)
    samples = [Sample(code, large(views.view(rng, drawn.face(code), SHARP))) for code in drawn.codes]
    assert Gallery(EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, tuple(samples)), network).windows is not None


def test_what_is_drawn_large_is_the_picture_also_where_it_is_the_suit(
    enrolled: EnrolledDeck, drawn: Invented, network: Network, on_table: Callable
) -> None:
    """A TESCA card shows its suit all over, and its rank as a number in the corners."""
    text = '[deck]\nname = "Turned"\nseparator = "."\n' + "".join(
        [f'[[suits]]\ncode = "p{k}"\nname = "Suit {k}"\ncolour = "red"\n' for k in range(PICTURES)]
        + [f'[[ranks]]\ncode = "m{k}"\nname = "Rank {k}"\n' for k in range(MARKS)]
    )
    called = {code: ".".join(reversed(code.split("."))) for code in drawn.codes}
    samples = tuple(Sample(called[sample.face], sample.pixels) for sample in enrolled.samples)
    turned = Gallery(EnrolledDeck(deck_from_toml(text, "turned"), text, samples), network)
    assert turned.pictures == [f"p{k}" for k in range(PICTURES)] and turned.marks == [f"m{k}" for k in range(MARKS)]
    named = [one.face for one in turned.recognised(np.stack([on_table(code) for code in drawn.codes]))]
    assert sum(name == called[code] for name, code in zip(named, drawn.codes, strict=True)) >= 0.9 * len(named)


def test_the_picture_that_maps_find_likeliest_is_always_looked_at(
    gallery: Gallery, drawn: Invented, on_table: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An outline that lies aside may make other pictures look more alike."""
    rest = np.array([[0.1] * PICTURES, [0.1] * PICTURES], np.float32)
    rest[0, 1:4] = 0.9, 0.8, 0.7
    monkeypatch.setattr(gallery.looks, "alike", lambda crop, seen=None: rest.copy())
    plain = reduced(on_table("p0.m0")[None])
    laid = gallery.laid(levelled(plain)[0], gallery.network.maps(plain)[0])
    assert laid.pictures == [1, 2, 0]


def test_of_two_pictures_that_are_the_same_neither_is_sure(
    enrolled: EnrolledDeck, drawn: Invented, network: Network
) -> None:
    rng = np.random.default_rng(7)
    same = {f"p1.m{k}": f"p0.m{k}" for k in range(MARKS)}
    twins = [
        Sample(s.face, large(views.view(rng, drawn.face(same[s.face]), SHARP))) if s.face in same else s
        for s in enrolled.samples
    ]
    confused = Gallery(EnrolledDeck(enrolled.deck, TOML, tuple(twins)), network)
    said = confused.recognised(
        np.stack([views.view(rng, drawn.face(f"p0.m{k}"), TABLE, None, SAMPLE) for k in range(MARKS)])
    )
    assert [one.face for one in said] == [None] * MARKS
    assert all({c.face.split(".")[0] for c in one.candidates[:2]} == {"p0", "p1"} for one in said)


def test_of_two_marks_that_are_the_same_neither_is_sure(
    enrolled: EnrolledDeck, drawn: Invented, network: Network
) -> None:
    rng = np.random.default_rng(8)
    same = {f"p{k}.m1": f"p{k}.m0" for k in range(PICTURES)}
    twins = [
        Sample(s.face, large(views.view(rng, drawn.face(same[s.face]), SHARP))) if s.face in same else s
        for s in enrolled.samples
    ]
    confused = Gallery(EnrolledDeck(enrolled.deck, TOML, tuple(twins)), network)
    said = confused.recognised(
        np.stack([views.view(rng, drawn.face(f"p{k}.m0"), TABLE, None, SAMPLE) for k in range(PICTURES)])
    )
    assert [one.face for one in said] == [None] * PICTURES


def test_a_picture_that_is_there_twice_is_said_to_look_alike(
    enrolled: EnrolledDeck, drawn: Invented, network: Network
) -> None:
    rng = np.random.default_rng(4)
    same = {f"p1.m{k}": f"p0.m{k}" for k in range(MARKS)}
    twins = [
        Sample(s.face, large(views.view(rng, drawn.face(same[s.face]), SHARP))) if s.face in same else s
        for s in enrolled.samples
    ]
    confused = Gallery(EnrolledDeck(enrolled.deck, TOML, tuple(twins)), network)
    assert ("p0", "p1") in confused.look_alikes()


def test_pictures_that_the_networks_tell_apart_are_not_said_to_look_alike(gallery: Gallery) -> None:
    assert gallery.look_alikes() == []


def test_more_samples_make_templates_no_less_sure(network: Network) -> None:
    rng = np.random.default_rng(5)
    numbers = network.numbers
    true = rng.normal(0, 1, (12, 192, len(numbers.rho))).astype(np.float32)
    parts = [(f"p{k}", f"m{k}") for k in range(12)]

    def off(times: int) -> float:
        noise = rng.normal(0, 1, (times * 12, 192, len(numbers.rho))) * np.sqrt(1 - numbers.rho) * 0.7
        samples = (np.tile(true, (times, 1, 1)) + noise).astype(np.float32)
        made, _ = build(samples, list(range(12)) * times, parts, numbers)
        return float(np.abs(made.means[:12] - true).mean())

    assert off(3) < off(1)


def test_what_was_saved_is_read_again_as_folder_and_as_one_file(enrolled: EnrolledDeck, tmp_path: Path) -> None:
    for place in (tmp_path / "own", tmp_path / "own.deck"):
        assert not is_enrolled(place)
        enrolled.save(place)
        assert is_enrolled(place)
        again = EnrolledDeck.load(place)
        assert again.faces == enrolled.faces
        assert [(s.face, s.origin, s.source) for s in again.samples] == [
            (s.face, s.origin, s.source) for s in enrolled.samples
        ]
        assert again.samples[0].pixels.shape == (CROP[1] * SAMPLE, CROP[0] * SAMPLE, 3)


def test_a_correction_becomes_a_sample_and_can_be_taken_back(enrolled: EnrolledDeck, tmp_path: Path) -> None:
    more = enrolled.with_samples([Sample("p1.m1", enrolled.samples[0].pixels, Origin.CORRECTION)])
    place = tmp_path / "own.deck"
    more.save(place)
    again = EnrolledDeck.load(place)
    assert len(again.samples) == len(enrolled.samples) + 1
    assert again.without_correction("p1.m1").samples == again.samples[:-1]
    assert again.without_correction("p2.m1") is again


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace('"version": 1', '"version": 2'), "newer version"),
        (lambda text: text.replace('"face": "p0.m0"', '"face": "p9.m9"'), "card that the deck has not"),
        (lambda text: text[: len(text) // 2], "damaged"),
    ],
)
def test_samples_that_cannot_be_read_are_one_sentence(
    enrolled: EnrolledDeck, tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    place = tmp_path / "own"
    enrolled.save(place)
    listed = place / "samples.json"
    listed.write_text(change(listed.read_text("utf-8")), "utf-8")
    with pytest.raises(EnrolledDeckError, match=said) as told:
        EnrolledDeck.load(place)
    assert "\n" not in str(told.value)


def drawn_anew(drawn: Invented, code: str) -> np.ndarray:
    """A face whose picture is another one for each mark, as a hand draws it: turned over here; the marks stay."""
    face, number = drawn.face(code), int(code[-1])
    ways = (-1 if number & 1 else 1), (-1 if number & 2 else 1)
    out = face[:: ways[0], :: ways[1]].copy()
    high, wide = face.shape[:2]
    for left, top, right, bottom in drawn.mark_boxes:
        rows, columns = slice(int(top * high), int(bottom * high)), slice(int(left * wide), int(right * wide))
        out[::-1][rows, columns] = out[:, ::-1][rows, columns] = face[high // 2, 4]
        out[rows, columns] = face[rows, columns]
    return out


def test_a_picture_drawn_anew_for_each_mark_is_a_picture_of_its_own(drawn: Invented, network: Network) -> None:
    rng = np.random.default_rng(1)
    faces = {code: drawn_anew(drawn, code) for code in drawn.codes}
    samples = tuple(Sample(code, large(views.view(rng, face, SHARP))) for code, face in faces.items())
    by_hand = Gallery(EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, samples), network)
    assert by_hand.windows is not None and by_hand.pictures == sorted(drawn.codes)
    said = by_hand.recognised(np.stack([views.view(rng, face, TABLE, None, SAMPLE) for face in faces.values()]))
    named = [one.face for one in said]
    assert sum(name == code for name, code in zip(named, faces, strict=True)) >= 0.75 * len(faces)
    assert all(name in (None, code) for name, code in zip(named, faces, strict=True))


def test_a_card_whose_mark_says_otherwise_has_no_name(
    drawn: Invented, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each face is a picture of its own, the picture names the card and the mark may only agree."""
    rng = np.random.default_rng(1)
    faces = {code: drawn_anew(drawn, code) for code in drawn.codes}
    samples = tuple(Sample(code, large(views.view(rng, face, SHARP))) for code, face in faces.items())
    by_hand = Gallery(EnrolledDeck(deck_from_toml(TOML, "invented"), TOML, samples), network)
    monkeypatch.setattr(by_hand, "mark_of_card", lambda fine, move, seen: np.array([-6, 6, -6, -6], np.float32))
    crops = np.stack([views.view(rng, faces[code], TABLE, None, SAMPLE) for code in drawn.codes])
    named = {one.face for one in by_hand.recognised(crops)}
    assert {code for code in named if code is not None} <= {code for code in drawn.codes if code.endswith("m1")}
    assert len(named) > 1


def test_a_twin_onto_which_a_card_was_not_laid_is_as_sure() -> None:
    twins = np.eye(4, dtype=np.float32)
    twins[0, 3] = twins[3, 0] = 1
    laid = Laid([0, 2], [False] * 2, [], np.zeros((2, 1, 1, 3), np.uint8), np.zeros((2, 4), np.float32))
    after, said = _with_twins(laid, np.array([3.0, -2.0], np.float32), twins)
    assert after.pictures == [0, 2, 3] and said.tolist() == [3.0, -2.0, 3.0]


@pytest.mark.parametrize(
    ("of_pictures", "of_marks", "own", "parts"),
    [
        (0.7, 0.3, 0.1, ("p0", "m0")),
        (0.3, 0.7, 0.1, ("m0", "p0")),
        (0.3, 0.7, 0.35, ("p0.m0", "m0")),  # a hand draws digits anew; other colours of suits show all over
        (0.3, 0.7, 0.7, ("p0", "m0")),
    ],
)
def test_how_a_deck_is_drawn_says_what_is_a_picture(
    of_pictures: float, of_marks: float, own: float, parts: tuple[str, str]
) -> None:
    deck = object.__new__(Gallery)
    deck.faces, deck.parts = ("p0.m0", "p1.m0"), [("p0", "m0"), ("p1", "m0")]
    shares = [np.full(CELLS[0] * CELLS[1], share, np.float32) for share in (of_pictures, of_marks, own, 0.5)]
    deck.anatomy = Anatomy(shares[0], shares[1], shares[2], shares[3], (shares[0], shares[1]))
    deck._named_parts()
    assert deck.parts[0] == parts


def test_what_covers_a_card_is_not_compared(gallery: Gallery, drawn: Invented, on_table: Callable) -> None:
    """Half of each card lies under that half of another: known, it says nothing; unknown, it makes most doubtful."""
    crops = np.stack([on_table(code) for code in drawn.codes])
    half = crops.shape[1] // 2
    covered, seen = crops.copy(), np.ones(CROP[::-1], np.uint8)
    covered[:, half:] = np.roll(crops, 7, axis=0)[:, half:]
    seen[CROP[1] // 2 :] = 0
    known, unknown = ([one.face for one in gallery.recognised(covered, parts)] for parts in ([seen] * len(crops), None))
    right = [sum(name == code for name, code in zip(names, drawn.codes, strict=True)) for names in (known, unknown)]
    assert right[0] >= 0.7 * len(crops) and right[0] >= right[1] + 3
    assert all(name in (None, code) for name, code in zip(known, drawn.codes, strict=True))


def numbered(picture: str, mark: int, both: bool) -> np.ndarray:
    """A card (RGBA) with a number in its middle, a 9 being a 6 upside down, and a mark in one corner or in two that
    half a turn makes each other."""
    face = np.full((336, 240, 4), 255, np.uint8)
    drawn = np.full((336, 240, 3), 245, np.uint8)
    cv2.putText(drawn, "6" if picture == "9" else picture, (55, 245), cv2.FONT_HERSHEY_SIMPLEX, 6, (20, 20, 40), 14)
    if picture == "9":
        drawn = drawn[::-1, ::-1].copy()
    for way in (1, -1) if both else (1,):
        corner = np.ascontiguousarray(drawn[::way, ::way])
        colour = ((200, 30, 30), (30, 140, 40), (40, 60, 200), (210, 150, 20))[mark]
        if mark % 2:
            cv2.circle(corner, (36, 36), 17, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(corner, (20, 20), (52, 52), colour, -1)
        drawn = corner[::way, ::way]
    face[..., :3] = drawn
    return face


@pytest.mark.parametrize("both", [True, False])
def test_cards_that_are_each_other_upside_down_get_a_name_only_where_something_tells_the_way_up(
    network: Network, both: bool
) -> None:
    rng = np.random.default_rng(12)
    pictures = ("6", "9", "2", "4", "7")
    text = '[deck]\nname = "Numbers"\nseparator = "."\n' + "".join(
        [f'[[suits]]\ncode = "m{k}"\nname = "Mark {k}"\ncolour = "red"\n' for k in range(MARKS)]
        + [f'[[pictures]]\ncode = "n{k}"\nname = "Number {k}"\n' for k in pictures]
    )
    faces = {f"n{k}.m{m}": numbered(k, m, both) for k in pictures for m in range(MARKS)}
    samples = [Sample(code, large(views.view(rng, face, SHARP))) for code, face in faces.items()]
    read = Gallery(EnrolledDeck(deck_from_toml(text, "numbers"), text, tuple(samples)), network)
    assert read.windows is not None
    crops = np.stack([views.view(rng, face, TABLE, None, SAMPLE) for face in faces.values()])
    for way in (crops, half_turned(crops)):
        said = dict(zip(faces, read.recognised(way), strict=True))
        assert all(one.face in (None, code) for code, one in said.items())
        named = {code for code, one in said.items() if one.face is not None}
        turning = {code for code in faces if code[1] in "69"}
        assert len(named - turning) >= 0.75 * len(faces.keys() - turning)
        if both:
            assert not named & turning
            for code in turning:
                first = {candidate.face for candidate in said[code].candidates[:2]}
                assert first == {f"n6{code[2:]}", f"n9{code[2:]}"}
        else:
            assert len(named & turning) >= 0.75 * len(turning)
