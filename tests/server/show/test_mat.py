"""The mat to print: its sheets together are the table, its tags are found, and every zone stands there by name."""

import re

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion import resources
from companion.cli import main
from companion.games import Setup, game, ids, places
from companion.referee import Match, Started
from companion.server.show.mat import OVERLAP, PAPERS, PRINTED, RIM, mat_pdf, mat_title, tiled, with_rim
from companion.server.show.texts import LANGUAGES, Context, Texts
from companion.server.show.zones import zone_names
from companion.table.solve import TABLES, TAG, solve
from companion.vision.camera.calibration import Mat, calibrate_by_tags
from companion.vision.camera.pdf import width_of
from companion.vision.pipeline import Reader

TEXTS = Texts.load()


def printed(name, seats, table, lang="en", paper="a4"):
    match = Match.of([Started(name, Setup(tuple(f"P{n}" for n in range(seats)), game(name).recommended_deck(seats)))])
    layout = solve(places(name, match.setup), seats, table).layout
    context = Context((), match.deck, name, zone_names(match))
    names = [TEXTS.zone(zone, lang, context) for zone in layout.ids]
    return mat_pdf(layout, mat_title(match, layout, TEXTS, lang), TEXTS, lang, context, paper), layout, names


def streams(pdf):
    """What is drawn: the mat itself, the cover, the sheets."""
    return [found.decode("cp1252") for found in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.S)]


def said(stream):
    """The words of a content stream, each line of them."""
    lines = []
    for line in re.findall(r"^BT.*ET$", stream, re.M):
        parts = re.findall(r"\((.*?)(?<!\\)\) Tj|<([0-9a-f]+)> Tj", line)
        lines.append("".join(bytes.fromhex(h).decode("utf-16-be") if h else t for t, h in parts))
    return [re.sub(r"\\([()\\])", r"\1", line) for line in lines]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("table", TABLES)
def test_the_sheets_cover_the_table_and_overlap(table, paper):
    tiling = tiled(table, paper)
    wide, high = tiling.shown
    assert tiling.corner(tiling.columns - 1, 0)[0] + wide >= table[0]
    assert tiling.corner(0, tiling.rows - 1)[1] + high >= table[1]
    assert tiling.corner(1, 1) == (wide - OVERLAP, high - OVERLAP)
    assert sorted(tiling.sheet) == sorted(PAPERS[paper])
    other = tiled((table[1], table[0]), paper)
    assert other.columns * other.rows == tiling.columns * tiling.rows


@pytest.mark.parametrize("table", [(600.0, 450.0), (1000.0, 700.0)])
def test_the_tags_of_the_mat_are_found_at_the_size_of_the_table(table):
    pdf, layout, _ = printed("hexa-card", 3, table)
    page, grey = np.full((int(table[1]), int(table[0]), 3), 255, np.uint8), 0
    for line in streams(pdf)[0].splitlines():
        if found := re.match(r"(?:([01]) g ?)?(?:([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re f)?$", line):
            grey = 255 * int(found[1]) if found[1] else grey
            if found[2]:
                x, y, side = (float(found[n]) for n in (2, 3, 4))
                page[round(table[1] - y - side) : round(table[1] - y), round(x) : round(x + side)] = grey
    assert f"q 1 0 0 1 {RIM:g} {RIM:g} cm" in streams(pdf)[0]  # white paper round the tags, then a dark table
    page = cv2.copyMakeBorder(page, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    seen = cv2.resize(
        cv2.copyMakeBorder(page, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(20, 25, 20)), None, fx=2, fy=2
    )
    calibration = calibrate_by_tags(seen, Mat(*table, TAG))
    assert calibration.size == layout.size
    corners = np.array(calibration.to_picture([(0, 0), table]))
    assert np.abs(corners / 2 - [[40, 40], [table[0] + 40, table[1] + 40]]).max() < 1.0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ids())
def test_every_zone_stands_there_by_name_and_fits_its_frame(name, lang):
    seats = game(name).most_players if game(name).most_players < 6 else 4
    pdf, layout, names = printed(name, seats, (1200.0, 800.0), lang)
    assert sorted(said(streams(pdf)[0])) == sorted(names)
    sizes = [float(size) for size in re.findall(r"/F\d ([\d.]+) Tf", streams(pdf)[0])]
    assert min(sizes) >= 2.5
    assert not any("{" in line for stream in streams(pdf) for line in said(stream))
    assert all(width_of(text, 2.5) < 90 for text in names) and layout.zones


def test_every_sheet_shows_its_own_part():
    """Two neighbours show the same point of the mat where their crosses meet."""
    pdf, layout, _ = printed("trading-poker", 4, (1000.0, 700.0))
    tiling = tiled(with_rim(layout.size), "a4")
    sheets = streams(pdf)[2:]
    assert len(sheets) == tiling.columns * tiling.rows == 16
    shifts = [tuple(map(float, re.search(r"1 0 0 1 ([-\d.]+) ([-\d.]+) cm", sheet).groups())) for sheet in sheets]
    (wide, high), (x, y) = tiling.shown, shifts[0]
    assert (x, y) == pytest.approx((PRINTED, PRINTED + high - 720))
    assert shifts[1] == pytest.approx((x - wide + OVERLAP, y))
    assert shifts[tiling.columns] == pytest.approx((x, y + high - OVERLAP))
    assert [said(sheet) for sheet in sheets[:2]] == [["A1"], ["A2"]]


def run(*arguments):
    return CliRunner().invoke(main, ["mat", *map(str, arguments)])


def test_the_command_writes_the_mat_and_says_what_has_no_room(tmp_path):
    file = tmp_path / "mat.pdf"
    done = run("joker-quest", "--players", 3, "--table", "80x60", "--out", file)
    assert done.exit_code == 0 and file.read_bytes().startswith(b"%PDF-1.4")
    tight = run("trading-poker", "--players", 5, "--table", "60 x 45", "--out", file, "--lang", "ja", "--paper", "a3")
    assert tight.exit_code == 0 and "80 × 60 cm" in tight.output


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("pokard-trick", "--players", 7, "--table", "60x45"), "No room on 60 × 45 cm"),
        (("hexa-card", "--table", "round"), "100x70"),
        (("hexa-card", "--table", "10x10"), "25 to 400 cm"),
        (("hexa-cart", "--table", "100x70"), "hexa-card"),
        (("hexa-card", "--players", 9), "players"),
        (("hexa-card", "-o", "x"), "name=value"),
    ],
)
def test_a_mat_that_cannot_be_is_one_sentence(tmp_path, arguments, word):
    done = run(*arguments, "--out", tmp_path / "mat.pdf")
    assert done.exit_code == 2 and word in done.output and "Traceback" not in done.output
    assert not (tmp_path / "mat.pdf").exists()


def test_the_mat_itself_is_not_taken_for_cards():
    """The lines that are printed, seen as a camera sees them, are no cards to the reader."""
    if not list((resources.models() / "detector").glob("*.onnx")):
        pytest.skip("the weights are not in this checkout")
    pdf, layout, _ = printed("three-card-trick-poker", 4, (1000.0, 700.0))
    page, tall = np.full((1400, 2000, 3), 255, np.uint8), layout.size[1]
    for grey, line, *ends in re.findall(
        r"([\d.]+) G ([\d.]+) w ([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", streams(pdf)[0]
    ):
        ax, ay, bx, by = (float(v) for v in ends)
        ink, thick = [round(255 * float(grey))] * 3, max(1, round(2 * float(line)))
        cv2.line(page, (round(2 * ax), round(2 * (tall - ay))), (round(2 * bx), round(2 * (tall - by))), ink, thick)
    assert (page < 255).any()
    assert Reader().read(page).cards == ()
