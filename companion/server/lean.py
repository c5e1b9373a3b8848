"""Scripts and styles as they leave: without what only their authors read. Names and code stay as they are written, so
that a browser's debugger shows them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_BLOCK = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n?", re.DOTALL | re.MULTILINE)
_REMARK = re.compile(r"[ \t]*/\*.*?\*/", re.DOTALL)
_LINE = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_LOOSE = re.compile(r"\s*([{};])\s*")
_EMPTY = re.compile(r"\n{2,}")


@lru_cache(maxsize=256)
def lean(file: Path, _changed: int) -> str:
    """The text of a script or style without the comments that stand in lines of their own, indents and empty lines; a
    style also without all other comments and the space around its signs. No script of ours has a text over several
    lines; a test sees to it. `_changed`: of the file, ns: a newer one is read."""
    text = file.read_text(encoding="utf-8")
    for found in (_BLOCK, _LINE, _INDENT) if file.suffix == ".js" else (_BLOCK, _REMARK, _INDENT):
        text = found.sub("", text)
    return _EMPTY.sub("\n", text) if file.suffix == ".js" else _LOOSE.sub(r"\1", text)
