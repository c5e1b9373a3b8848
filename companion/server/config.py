"""What a server needs to know before it starts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from platformdirs import user_data_path


class Opening(StrEnum):
    """Who may open tables and see the list of them: everybody who reaches the page, whoever knows the code that the
    server shows at its start, or the owner alone."""

    HOUSE = "house"
    PIN = "pin"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Config:
    """`data`: folder of the journal and the signing key. `address`: how other devices reach this server
    (``http://192.168.1.7:8765``), shown as QR; empty: the address of the request. `camera`: source for new tables,
    None to look for one. `heartbeat` (s): how often a silent stream shows that it lives. `demo`: keep a demo table.
    `streams`: how many pages may listen at once. `database`: SQLAlchemy URL of the journal, empty: SQLite in `data`.
    `opening`: who may open tables, with the code `pin` (empty: one is made and kept in `data`). `proxies`: so many
    reverse proxies stand before the server, whose forwarding headers are believed."""

    data: Path
    address: str = ""
    camera: str | None = None
    heartbeat: float = 2.0
    demo: bool = True
    streams: int = 2000
    secure: str = ""
    database: str = ""
    opening: Opening = Opening.PIN
    pin: str = ""
    proxies: int = 0


def journal_file(data: Path) -> Path:
    """The journal in a data folder."""
    return data / "journal.sqlite3"


def backup_folder(data: Path) -> Path:
    """Where backups make themselves, in a data folder."""
    return data / "backups"


def default_data() -> Path:
    """The folder for games and pictures when none is named: the user's data folder of this system."""
    return user_data_path("table-companion", appauthor=False)
