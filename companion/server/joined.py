"""Scripts and styles of a page as one file each, made of the plain files as they are asked for: nothing is built and
nothing is kept that could be old. Every script is a function there, in the order in which they need each other, and
what it exports is a name for those after it. The page's script exports all of them, so that a script which comes
later, with a tap, finds the same ones and none is there twice.

For that no two scripts of a page may export the same name, none may rename what it imports, no exported name may change
what it stands for, and none may need each other in a circle; `JoinError` says which does.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from companion.server.lean import lean

EVERYWHERE = "worker"
"""The script that every page has."""

_STYLES = re.compile(r"css/([\w-]+(?:\+[\w-]+)*)\.css")
_SCRIPT = re.compile(r"page/([\w-]+)/([\w-]+)\.js")

_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b[^(].*", re.MULTILINE)


class JoinError(ValueError):
    """A script that cannot be joined with others, and why."""


def joined(folder: Path, name: str) -> str | None:
    """What stands for `name` in the folder of static files: ``css/one+other.css``, styles one after the other;
    ``page/PAGE/PAGE.js``, the script of a page with every one that it needs and with the one of all pages;
    ``page/PAGE/NAME.js``, one that comes later. None: nothing does. Raises `JoinError`."""
    if found := _STYLES.fullmatch(name):
        files = [folder / "css" / f"{one}.css" for one in found[1].split("+")]
        return "".join(map(_text, files)) if all(file.is_file() for file in files) else None
    found = _SCRIPT.fullmatch(name)
    if not found or not all((folder / "js" / f"{one}.js").is_file() for one in found.groups()):
        return None
    page, script = found.groups()
    if page == script:
        return _joined(folder, page, max(file.stat().st_mtime_ns for file in (folder / "js").glob("*.js")))
    return _later(folder, page, script)


def _later(folder: Path, page: str, script: str) -> str:
    """A script that comes later: what the page has is taken from there."""
    there, text = _order(folder, page), _text(folder / "js" / f"{script}.js")
    if script in there:
        return f'export {{ {", ".join(name for _, name in _EXPORT.findall(text))} }} from "./{page}.js";\n'
    at = re.compile(rf'"\./(?:{"|".join(there)})\.js";$', re.MULTILINE)
    return _IMPORT.sub(lambda found: at.sub(f'"./{page}.js";', found[0]), text)


def _text(file: Path) -> str:
    return lean(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _joined(folder: Path, page: str, _changed: int) -> str:
    parts, owner = [], dict[str, str]()
    for name in _order(folder, page):
        text = _text(folder / "js" / f"{name}.js")
        body, exported = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", text)), [found for _, found in _EXPORT.findall(text)]
        if left := _LEFT.search(body):
            raise JoinError(f"{name}.js: {left[0]}")
        for one in exported:
            if owner.setdefault(one, name) != name:
                raise JoinError(f"{name}.js and {owner[one]}.js both export {one}")
        for names, source in _IMPORT.findall(text):
            if strange := [one for one in names.split(", ") if one and owner.get(one) != source]:
                raise JoinError(f"{name}.js: {source}.js exports no {strange[0]}")
        given = f"const {{ {', '.join(exported)} }} = " if exported else ""
        back = f"return {{ {', '.join(exported)} }};\n" if exported else ""
        parts.append(f"// {name}.js\n{given}(() => {{\n{body}{back}}})();\n")
    return "".join(parts) + (f"export {{ {', '.join(owner)} }};\n" if owner else "")


def _order(folder: Path, page: str) -> list[str]:
    """The scripts of a page, each after those that it needs."""
    order, open_ones = list[str](), list[str]()

    def visit(name: str) -> None:
        if name in open_ones:
            raise JoinError(f"{' needs '.join([*open_ones, name])}")
        if name not in order:
            open_ones.append(name)
            for _, needed in _IMPORT.findall(_text(folder / "js" / f"{name}.js")):
                visit(needed)
            order.append(open_ones.pop())

    visit(EVERYWHERE)
    visit(page)
    return order
