"""Prints: the invented ones are complete, repeatable, and their index is where they say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="invented prints are drawn with Pillow")

from companion.training.scenes import drawn_prints, fonts, prints

needs_fonts = pytest.mark.skipif(not fonts.fonts(), reason="no text font is installed")
needs_gnome = pytest.mark.skipif(not prints.GNOME_DIR.exists(), reason="gnome-cards-data is not installed")


@needs_fonts
def test_a_seed_is_a_design() -> None:
    assert drawn_prints.invent(3) == drawn_prints.invent(3)
    assert drawn_prints.invent(3) != drawn_prints.invent(4)
    one = drawn_prints.draw_face(drawn_prints.invent(3), "KH")
    assert np.array_equal(one, drawn_prints.draw_face(drawn_prints.invent(3), "KH"))


@pytest.fixture
def font_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of further fonts."""
    fonts.further_fonts.cache_clear()
    monkeypatch.setenv("COMPANION_FONTS", str(tmp_path))
    yield tmp_path
    fonts.further_fonts.cache_clear()


@needs_fonts
def test_further_fonts_are_for_prints_that_may_train(font_folder: Path) -> None:
    held = [drawn_prints.invent(drawn_prints.HELDOUT_SEEDS + n) for n in range(40)]
    plain = drawn_prints.invent(3)
    (font_folder / "set").mkdir()
    further = shutil.copy(fonts.fonts()[0], font_folder / "set" / "further.ttf")
    assert drawn_prints.invent(3) == plain  # the folder was looked at already
    fonts.further_fonts.cache_clear()
    assert str(further) in {drawn_prints.invent(n).font for n in range(300)}
    assert [drawn_prints.invent(drawn_prints.HELDOUT_SEEDS + n) for n in range(40)] == held


@needs_fonts
def test_what_is_no_upright_text_font_is_left_out(font_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(fonts.fonts()[0], font_folder / "Some-Oblique.ttf")
    (font_folder / "broken.otf").write_bytes(b"no font")
    assert fonts.further_fonts() == {}
    assert "broken.otf" in capsys.readouterr().out


@needs_fonts
@pytest.mark.parametrize("seed", range(6))
def test_ink_lies_in_the_index_box(seed: int) -> None:
    """The box of a ten holds ink, and its own rim outside holds almost none above and left of it."""
    design = drawn_prints.invent(seed)
    card = drawn_prints.draw_face(design, "10S").astype(int)
    h, w = card.shape[:2]
    ink = np.abs(card - np.array(design.paper)).sum(2) > 120
    x0, y0, x1, y1 = (
        round(v) for v in (design.index[0] * w, design.index[1] * h, design.index[2] * w, design.index[3] * h)
    )
    assert ink[y0:y1, x0:x1].mean() > 0.05
    assert ink[:, : max(x0 - 1, 0)].sum() == 0
    assert ink[: max(y0 - 1, 0)].sum() == 0


@needs_fonts
def test_the_index_appears_again_after_half_a_turn() -> None:
    """The bottom-right corner is the top-left one turned."""
    design = drawn_prints.invent(1)
    card = drawn_prints.draw_face(design, "7D").astype(int)
    h, w = card.shape[:2]
    x1, y1 = int(design.index[2] * w), int(design.index[3] * h)
    turned = card[::-1, ::-1]
    assert np.abs(card[:y1, :x1] - turned[:y1, :x1]).mean() < 3


def test_four_corner_prints_have_four_quads_inside_the_card() -> None:
    card = np.full((350, 250, 4), 255, np.uint8)
    for corners in (2, 4):
        design = prints.Print("x", "test", "train", {"AS": card, "JK1": card}, [], (0.03, 0.04, 0.2, 0.25), corners)
        quads = prints.index_quads(design, "AS")
        assert len(quads) == corners
        assert all((q > 0).all() and (q < 1).all() for q in quads)
        assert quads[0][0].tolist() == pytest.approx([0.03, 0.04])
        assert quads[1][0].tolist() == pytest.approx([0.97, 0.96])
        assert prints.index_quads(design, "JK1") == []


def test_cut_out_finds_a_tilted_card() -> None:
    """A bright card on a dark ground comes out upright, its mark in the right place."""
    import cv2

    card = np.full((450, 300, 3), 230, np.uint8)
    card[20:80, 20:80] = (200, 0, 0)
    quad = np.array([[150, 90], [420, 150], [340, 560], [60, 490]], np.float32)
    flat = np.array([[0, 0], [300, 0], [300, 450], [0, 450]], np.float32)
    photo = cv2.warpPerspective(card, cv2.getPerspectiveTransform(flat, quad), (500, 650))
    out = prints.cut_out(photo)
    assert out is not None
    red = (out[..., 0].astype(int) - out[..., 1]) > 100
    ys, xs = np.nonzero(red)
    assert xs.mean() / out.shape[1] == pytest.approx(50 / 300, abs=0.04)
    assert ys.mean() / out.shape[0] == pytest.approx(50 / 450, abs=0.04)
    assert prints.cut_out(np.zeros((200, 200, 3), np.uint8)) is None


@needs_fonts
def test_load_prints_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two splits share no design; a second load reads the cache; an unknown split is an error."""
    monkeypatch.setenv("COMPANION_PRINTS", str(tmp_path))
    for source in ("COMPANION_NPM_CARDS", "COMPANION_PHOTOS", "COMPANION_FONTS"):
        monkeypatch.delenv(source, raising=False)
    monkeypatch.setattr(prints, "GNOME", {})
    one = prints.load_prints("train", drawn=1, workers=1)
    assert [p.split for p in one] == ["train"] and len(one[0].faces) == 54 and len(one[0].backs) == 2
    assert prints.load_prints("train", drawn=1, workers=1)[0].faces["AS"].shape == one[0].faces["AS"].shape
    assert not {r.name for r in prints._recipes("train", 3)} & {r.name for r in prints._recipes("heldout", 3)}
    with pytest.raises(ValueError, match="heldout"):
        prints.load_prints("test")


@needs_gnome
def test_a_sheet_becomes_a_deck() -> None:
    pytest.importorskip("resvg_py", reason="rendering SVG sheets needs resvg-py")
    cards = prints._gnome("simplistic")
    assert set(prints.FACES) <= set(cards)
    assert all(card.shape[1] == prints.WIDTH and card.shape[2] == 4 for card in cards.values())
    red = cards["7H"][..., 0].astype(int) - cards["7H"][..., 2]
    assert (red > 80).mean() > 0.03
    assert (np.abs(cards["7S"][..., 0].astype(int) - cards["7S"][..., 2]) > 80).mean() < 0.01
