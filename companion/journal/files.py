"""Files that are there whole or not at all, also after the power has gone."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_durably(file: Path, data: bytes, mode: int = 0o600) -> None:
    """Put `data` in the place of `file`: readers see the old or the new one, and after the return it is on the disk.
    Raises OSError when it cannot be written; the old one is still there then."""
    new = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        new.touch(mode=mode)
        new.write_bytes(data)
        move_durably(new, file)
    finally:
        new.unlink(missing_ok=True)


def move_durably(new: Path, file: Path) -> None:
    """Move `new` to `file` of the same folder, over what is there; both are on the disk then."""
    _flush(new)
    new.replace(file)
    _flush(file.parent)


def _flush(path: Path) -> None:
    """Ask the disk to keep a file or a folder's list of names."""
    with contextlib.suppress(PermissionError, IsADirectoryError):  # a system on which folders cannot be opened
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
