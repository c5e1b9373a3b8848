"""The numbers that decide: each says what it means, each is read where it decides, and the page shows them all."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.vision.images import load
from companion.vision.pipeline import Reader
from companion.vision.reading import parameters

ROOT = Path(__file__).parents[2]
VISION = ROOT / "companion" / "vision"
FILES = sorted(VISION.rglob("parameters.py"))
SAID = re.compile(r".+\. Unit: .+\. Found: .+\.")


def numbers(path: Path) -> list[tuple[str, object, str]]:
    """Name, value and docstring of each number in a file."""
    body = ast.parse(path.read_text("utf-8")).body
    assigned = [at for at, node in enumerate(body) if isinstance(node, ast.Assign)]
    out = []
    for at in assigned:
        node, after = body[at], body[at + 1] if at + 1 < len(body) else None
        assert isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        out.append((node.targets[0].id, ast.literal_eval(node.value), " ".join(str(said).split())))
    return out


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_each_number_says_what_it_means_its_unit_and_how_it_was_found(path: Path) -> None:
    assert [name for name, _, said in numbers(path) if not SAID.fullmatch(said)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_each_number_is_read_as_an_attribute_where_it_decides(path: Path) -> None:
    others = [other for other in VISION.rglob("*.py") if other.name != "parameters.py"]
    code = "\n".join(other.read_text("utf-8") for other in others)
    unread = [name for name, _, _ in numbers(path) if not re.search(rf"\b(\w*parameters|common)\.{name}\b", code)]
    assert unread == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_page_shows_each_number_as_it_is(path: Path) -> None:
    page = (ROOT / "docs" / "parameters.md").read_text("utf-8")
    storey = path.parent.name if path.parent != VISION else "shared"
    part = page.split(f"## {storey}\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| ([A-Z_]+)¹? \| ([^|]+) \|", part, re.MULTILINE))
    assert rows == {name: shown(value) for name, value, _ in numbers(path)}


def shown(value: object) -> str:
    """A value as the page has it."""
    return ", ".join(map(shown, value)) if isinstance(value, tuple) else f"{value:g}"


def test_a_number_that_is_moved_decides_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = load(Path(__file__).parent / "pictures" / "table.jpg")
    assert Reader().read(picture).cards
    monkeypatch.setattr(parameters, "CARD_SCORE", 1.1)
    monkeypatch.setattr(parameters, "INDEX_SCORE_SHARE", 1.0)
    assert not Reader().read(picture).cards
