"""A deck to print: how many cards a sheet, at their true size, backs behind their faces, one's own pictures."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.artwork import STANDARD, back_svg, card_svg
from companion.artwork.vector import operators, segments
from companion.cards import DeckFileError, deck, own_deck
from companion.server.show.sheets import BLEED, PAPERS, Sheets, deck_pdf
from companion.shelf import Drawing, own_pictures, packed, put


def contents(pdf: bytes) -> list[str]:
    """What the pages draw, in order."""
    streams = re.findall(rb"<< ([^\n]*) >>\nstream\n(.*?)\nendstream", pdf, re.S)
    return [zlib.decompress(body).decode("cp1252") for head, body in streams if b"/XObject" not in head]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", ["poker", "bridge"])
def test_nine_cards_a_sheet(paper: str, size: str) -> None:
    sheets = Sheets(paper, size)
    assert sheets.grid(deck("65")) == (3, 3) and sheets.count(deck("65")) == 8
    pages = contents(deck_pdf(deck("65"), sheets))
    assert len(pages) == 16
    assert [page.count(" Do Q") for page in pages[:2]] == [9, 9] and pages[-2].count(" Do Q") == 2


def test_copies_are_printed_and_backs_lie_behind_their_faces() -> None:
    pages = contents(deck_pdf(own_deck("[deck]\ncopies = 2\n[[extras]]\ncode = 'x'\n", "x"), Sheets()))
    places = [[float(x) for x in re.findall(r"1 0 0 1 (\S+) ", page)] for page in pages]
    assert len(places[0]) == 2
    assert [210 - 63 - x for x in places[0]] == pytest.approx(places[1])
    assert pages[0].count(" l S") == 2 * 8 and " l S" not in pages[1]
    assert len(contents(deck_pdf(deck("52D1"), Sheets(backs=False)))) == 6


def test_tiles_have_their_own_size() -> None:
    assert Sheets().grid(deck("M9D1"))[0] >= 6 and Sheets(size="poker").grid(deck("M9D1")) == (3, 3)


def test_every_drawing_can_be_printed() -> None:
    for name in ("54", "M9D1", "T52D1", "65", "hanafuda"):
        for face in deck(name).faces:
            assert operators(card_svg(face, deck(name), STANDARD)).startswith("q 1 0 0 -1")
    assert operators(back_svg(bleed=2.0)).count("re") >= 1


def test_saving_ink_bleaches_large_areas_and_leaves_what_stands_in_the_corners() -> None:
    card = card_svg(deck("65").face("judge.nomad"), deck("65"), STANDARD)
    drawn = operators(card, lambda _: "#ffffff")
    fills = {drawn: re.findall(r"(?m)^([\d.]+ [\d.]+ [\d.]+) rg", drawn) for drawn in (operators(card), drawn)}
    plain, saving = fills.values()
    assert len(plain) == len(saving)
    changed = sum(a != b for a, b in zip(plain, saving, strict=True))
    assert 0 < changed < len(plain)  # the field and the picture, not the marks and the small pictures
    dark = "0.5529 0.05882 0.1059"  # the ink of the nomads
    assert saving.count(dark) >= 2 * 2  # mark and small picture in two corners


def test_pictures_of_ones_own_take_the_place_of_the_drawn_ones(tmp_path: Path) -> None:
    text = "[[suits]]\ncode = 'a'\n[[suits]]\ncode = 'b'\n[[pictures]]\ncode = 'owl'\n[[pictures]]\ncode = 'cat'\n"
    kept = put(tmp_path, text, "mine")
    folder = kept.place / "pictures"
    folder.mkdir()
    picture = np.full((400, 300, 3), (20, 160, 240), np.uint8)
    cv2.imwrite(str(folder / "owla.png"), picture)
    cv2.imwrite(str(folder / "cat.jpg"), picture)
    assert kept.deck is not None
    found = own_pictures(kept.place, kept.deck)
    assert set(found) == {"owla", "cata", "catb"}
    pdf = deck_pdf(kept.deck, Sheets(), found)
    assert pdf.count(b"/DCTDecode") == 2
    pack = tmp_path / "mine.deck"
    pack.write_bytes(packed(kept.place))
    assert deck_pdf(kept.deck, Sheets(), own_pictures(pack, kept.deck)) == pdf, "packed, they print the same"
    (folder / "cat.jpg").write_bytes(b"no picture")
    with pytest.raises(DeckFileError, match=r"cat\.jpg is no picture"):
        deck_pdf(kept.deck, Sheets(), own_pictures(kept.place, kept.deck))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["65", "M9D1"])
def test_colour_goes_beyond_the_cut_as_far_as_there_is_room(paper: str, name: str, tmp_path: Path) -> None:
    """Half of the gap between cards belongs to each: so far the back goes, and a picture that is the whole card; also
    where the card is smaller than a playing card and its drawing is made smaller."""
    of, sheets = deck(name), Sheets(paper)
    drawing = Drawing(tmp_path, f"{of.faces[0].code}.png")
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / drawing.name), np.full((400, 300, 3), (20, 160, 240), np.uint8))
    pdf = deck_pdf(of, sheets, {drawing.stem: drawing})
    (w, h), bleed = sheets.card(of), PAPERS[paper][2] / 2
    assert 0 < bleed <= BLEED
    forms = re.findall(rb"/Form /BBox \[(.*?)\][^\n]*\nstream\n(.*?)\nendstream", pdf, re.S)
    for box, _ in forms:
        assert [float(end) for end in box.split()] == pytest.approx([-bleed, -h - bleed, w + bleed, bleed])
    number = r"(-?[\d.]+)"
    for (_, body), area in ((forms[0], rf"{number} {number} {number} {number} re W n .*/P0 Do"),
                            (forms[-1], rf"{number} {number} {number} {number} re\nf")):  # fmt: skip
        drawn = zlib.decompress(body).decode("cp1252")
        made = re.match(r"q (\S+) 0 0 \1 0 0 cm", drawn)
        found = re.search(area, drawn)
        assert made and found
        left, end, wide, high = (float(made[1]) * float(each) for each in found.groups())
        assert left <= -bleed + 0.01 and left + wide >= w + bleed - 0.01
        low = end + high if area.endswith("f") else -end  # a back counts down from the card's upper edge
        assert low >= h + bleed - 0.01 and high >= h + 2 * bleed - 0.01


def test_paths_become_absolute_curves() -> None:
    assert list(segments("M1 2h3v4l-1-1z")) == [
        ("m", (1.0, 2.0)), ("l", (4.0, 2.0)), ("l", (4.0, 6.0)), ("l", (3.0, 5.0)), ("h", ()),
    ]  # fmt: skip
    half = [values for op, values in segments("M0 0A5 5 0 0 1 10 0") if op == "c"]
    assert len(half) == 2 and half[-1][-2:] == (10.0, 0.0) and half[0][-2:] == pytest.approx((5.0, -5.0))
    with pytest.raises(ValueError, match="no path"):
        list(segments("M0 0T1 1"))
