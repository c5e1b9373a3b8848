"""What a server needs to know before it starts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """`data`: folder of the journal and the signing key. `address`: how other devices reach this server
    (``http://192.168.1.7:8765``), shown as QR; empty: the address of the request. `camera`: source for new tables,
    None to look for one. `heartbeat` (s): how often a silent stream shows that it lives. `demo`: keep a demo table.
    `streams`: how many pages may listen at once. `database`: SQLAlchemy URL of the journal, empty: SQLite in `data`."""

    data: Path
    address: str = ""
    camera: str | None = None
    heartbeat: float = 2.0
    demo: bool = True
    streams: int = 160
    secure: str = ""
    database: str = ""


def journal_file(data: Path) -> Path:
    """The journal in a data folder."""
    return data / "journal.sqlite3"


def backup_folder(data: Path) -> Path:
    """Where backups make themselves, in a data folder."""
    return data / "backups"


def default_data() -> Path:
    """The folder for games and pictures when none is named: the user's data folder of this system."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    return base / "table-companion"
