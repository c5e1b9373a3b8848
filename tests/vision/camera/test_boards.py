"""The boards as PDF: what is drawn there is the mat, at its true size."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from companion.vision.camera.boards import board_names, board_pdf
from companion.vision.camera.calibration import MATS, find_mat, find_tags
from companion.vision.images import Pixels

DENSITY = 4  # px per mm


def drawn(pdf: bytes) -> Pixels:
    """The filled squares of the page, `DENSITY` px a mm, as the content stream says."""
    width, height = (float(v) * 25.4 / 72 for v in re.search(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups())
    page = np.full((round(height * DENSITY), round(width * DENSITY), 3), 255, np.uint8)
    grey = 0
    for line in re.search(rb"stream\n(.*?)\nendstream", pdf, re.S)[1].decode("cp1252").splitlines():
        if found := re.match(r"(?:([01]) g ?)?(?:([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re f)?$", line):
            grey = 255 * int(found[1]) if found[1] else grey
            if found[2]:
                x, y, side = (float(found[n]) for n in (2, 3, 4))
                low, high = (round((height - v) * DENSITY) for v in (y + side, y))
                page[low:high, round(x * DENSITY) : round((x + side) * DENSITY)] = grey
    return page


@pytest.mark.parametrize("name", list(MATS))
def test_a_printed_mat_is_found_at_its_size(name: str) -> None:
    page = drawn(board_pdf(f"mat-{name}"))
    found, calibration = find_mat(page)
    assert found == name and page.shape[:2] == (DENSITY * (MATS[name].height + 20), DENSITY * (MATS[name].width + 20))
    corners = np.array(calibration.to_picture([(0, 0), (MATS[name].width, MATS[name].height)]))
    assert np.abs(corners / DENSITY - [[10, 10], [MATS[name].width + 10, MATS[name].height + 10]]).max() < 0.3


def test_the_tags_to_cut_out_are_all_there() -> None:
    tags = find_tags(drawn(board_pdf("tags-a4")))
    assert sorted(tags) == [0, 1, 2, 3]
    for quad in tags.values():
        assert cv2.contourArea(quad.astype(np.float32)) ** 0.5 / DENSITY == pytest.approx(60, abs=0.5)


@pytest.mark.parametrize("name", board_names())
def test_the_file_is_well_formed(name: str) -> None:
    pdf = board_pdf(name)
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[1])
    entries = re.findall(rb"(\d{10}) 00000 n ", pdf[start:])
    assert pdf.startswith(b"%PDF-1.4") and pdf[start:].startswith(b"xref") and len(entries) == pdf.count(b" 0 obj\n")
    for number, place in enumerate(entries, 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % number)
    length = int(re.search(rb"/Length (\d+)", pdf)[1])
    assert pdf[pdf.index(b"stream\n") + 7 :][length:].startswith(b"\nendstream")
