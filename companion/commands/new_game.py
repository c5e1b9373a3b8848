"""`companion new-game`: a small whole game under a new name, to begin with. It is a copy of `companion.skeleton`, which
is a real game with tests of its own."""

from __future__ import annotations

import keyword
import re
import shutil
from pathlib import Path

import companion.skeleton
from companion.commands import CommandError
from companion.extensions import NAME
from companion.games import ids

LONGEST = 40
_SKELETON = Path(companion.skeleton.__file__).parent


def write(name: str, place: Path) -> list[Path]:
    """Write the folder of a game called `name` (its id, such as my-game) into the folder `place`; returns the files.
    Raises CommandError when the name is none, or is taken, or the folder is there already."""
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise CommandError(f"a game is called like my-game: small letters, digits, single hyphens; not {name!r}.")
    if name in ids():
        raise CommandError(f"there is a game called {name} already.")
    folder = place / name.replace("-", "_")
    if folder.exists():
        raise CommandError(f"{folder} is there already.")
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(_SKELETON.rglob("*")) if _is_source(file)}
    words = [word.capitalize() for word in name.split("-")]
    new = {
        "highest-card": name,
        "highest_card": folder.name,
        "HighestCard": _class_name("".join(words), "\n".join(sources.values())),
        "Highest Card": " ".join(words),
    }
    place.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    written = []
    for source, text in sources.items():
        path = _renamed(str(source.relative_to(_SKELETON)), new)
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        (part / path).write_text(_renamed(text, new), encoding="utf-8")
        written.append(folder / path)
    part.rename(folder)
    return written


def _is_source(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts


def _class_name(name: str, sources: str) -> str:
    """A name for the class that nothing in the sources has already: ``Deal`` becomes ``DealGame``."""
    return f"{name}Game" if re.search(rf"\b{name}\b", sources) or keyword.iskeyword(name) else name


def _renamed(text: str, new: dict[str, str]) -> str:
    for old, word in new.items():
        text = text.replace(old, word)
    return text
