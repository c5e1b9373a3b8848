"""The document of the page shows every picture there is, and all of them are small."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 80 * 1024


def test_the_pictures_of_the_page_are_shown_and_small():
    shown = set(re.findall(r"\]\(pictures/([\w.-]+)\)", (DOCS / "players.md").read_text(encoding="utf-8")))
    there = {file.name: file.stat().st_size for file in (DOCS / "pictures").iterdir()}
    assert shown == there.keys()
    assert len(there) <= 12
    assert {name: size for name, size in there.items() if size > MOST_BYTES} == {}


def test_the_first_evening_shows_its_pictures_and_they_are_small():
    shown = re.findall(r"\]\(evening/([\w.-]+)\)", (DOCS / "install.md").read_text(encoding="utf-8"))
    there = {file.name: file.stat().st_size for file in (DOCS / "evening").iterdir()}
    assert shown == sorted(there)
    assert {name: size for name, size in there.items() if size > MOST_BYTES / 2} == {}
