"""Every face of every deck has a drawing that is well-formed, bounded and its own."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from companion.artwork import BRIDGE, JUMBO, STANDARD, Style, back_svg, face_svg
from companion.cards import deck


@pytest.mark.parametrize("name", ["54", "M9D1", "T52D1", "65"])
def test_every_face_has_its_own_drawing(name: str) -> None:
    drawings = {face.code: face_svg(face.code) for face in deck(name).faces}
    for code, svg in drawings.items():
        root = ET.fromstring(svg)
        assert root.get("viewBox") == "0 0 63 88"
        assert root.get("aria-label") == code
    assert len(set(drawings.values())) == len(drawings)


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
