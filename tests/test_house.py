"""The house keeps its own rules: short files, and every game in the same shape."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 400
GAMES = sorted(p.parent for p in (ROOT / "companion" / "games").glob("*/rules.py"))


def sources() -> list[Path]:
    return sorted(
        path
        for folder in ("companion", "web", "tests", "benchmarks", "docs")
        for kind in ("*.py", "*.js", "*.css", "*.html")
        for path in (ROOT / folder).rglob(kind)
    )


def test_no_file_has_more_than_400_lines() -> None:
    assert len(sources()) > 300
    long = [str(path.relative_to(ROOT)) for path in sources() if path.read_text("utf-8").count("\n") > LONGEST]
    assert not long, long


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_game_is_a_folder_of_one_shape(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {"__init__.py", "rules.py", "state.py", "view.py", "world.py", "zones.py"} <= names
    assert {f"{kind}.{language}" for kind in ("words", "rules") for language in ("en", "ja")} == {
        name.rsplit(".", 1)[0] for name in names if name.endswith((".json", ".toml"))
    }
    assert not [name for name in names if name.startswith(folder.name)]
