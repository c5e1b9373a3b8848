"""Every face of every deck has a drawing that is well-formed, bounded and its own."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from companion.artwork import BRIDGE, JUMBO, STANDARD, Style, back_svg, card_svg, face_svg, small_svg
from companion.cards import deck, own_deck
from companion.cards.design import EMBLEMS, MARKS

DECKS = ["54", "M9D1", "T52D1", "65", "hanafuda"]


@pytest.mark.parametrize("name", DECKS)
def test_every_face_has_its_own_drawing(name: str) -> None:
    drawings = {face.code: card_svg(face, deck(name)) for face in deck(name).faces}
    for code, svg in drawings.items():
        root = ET.fromstring(svg)
        assert root.get("viewBox") == "0 0 63 88"
        assert root.get("aria-label") == code
    assert len(set(drawings.values())) == len(drawings)


@pytest.mark.parametrize("name", ["52D1", "M9D1", "T52D1", "65"])
def test_every_face_has_its_own_small_drawing(name: str) -> None:
    drawings = [small_svg(face, deck(name), STANDARD) for face in deck(name).faces]
    assert len(set(drawings)) == len(drawings) and all(ET.fromstring(svg).get("viewBox") for svg in drawings)


def test_every_mark_and_picture_that_a_deck_file_may_name_is_drawn() -> None:
    text = "".join(f'[[suits]]\ncode = "s{i}"\nmark = "{mark}"\n' for i, mark in enumerate((*MARKS, "漢", "&")))
    own = own_deck(
        f'{text}[[pictures]]\ncode = "x"\n' + "".join(f'[[pictures]]\ncode = "{p}"\n' for p in EMBLEMS[:7]), "all"
    )
    for size in ("poker", "tile", "square"):
        made = own_deck(f'[deck]\nsize = "{size}"\n{own.design and own.design.text}', "all")
        style = Style(*made.card_size)
        assert len({card_svg(face, made, style) for face in made.faces}) == len(made.faces)
        for face in made.faces:
            ET.fromstring(card_svg(face, made, style))
            ET.fromstring(small_svg(face, made, STANDARD))


@pytest.mark.parametrize(
    "style", [STANDARD, JUMBO, Style(index=1.55, weight=1.2, pips=0.72)], ids=["plain", "jumbo", "screen"]
)
def test_pips_stand_clear_of_the_index(style: Style) -> None:
    right, low = 2.8 + 8.8 * style.index, 3.6 + 16.4 * style.index
    for rank in range(2, 11):
        pips = re.findall(
            r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)", face_svg(f"{rank}S", style).split("stroke-linecap")[0]
        )
        for x, y, scale in [tuple(map(float, pip)) for pip in pips][:rank]:
            assert x >= right or y >= low or scale == 0, (rank, x, y)


def test_styles_change_the_print_and_not_the_card() -> None:
    french = Style(letters={"J": "V", "Q": "D", "K": "R"})
    assert face_svg("QH", french) != face_svg("QH", STANDARD)
    assert 'viewBox="0 0 58 88"' in face_svg("7C", BRIDGE)
    assert face_svg("7C", JUMBO).count("<path") == face_svg("7C").count("<path")
    assert face_svg("7C", Style(corners=4)).count("<path") > face_svg("7C").count("<path")


def test_pip_cards_show_as_many_pips_as_their_rank() -> None:
    for rank in range(2, 11):
        suit_marks = face_svg(f"{rank}H").count('fill="#c8102e"')
        assert suit_marks == rank + 2  # the pips and one mark in each index


def test_backs_differ_by_colour() -> None:
    assert back_svg("#111111") != back_svg("#222222")
    ET.fromstring(back_svg())


def test_an_unknown_face_is_named() -> None:
    with pytest.raises(KeyError, match="11X"):
        face_svg("11X")
