"""The journal: the only truth. Events go in, in order, and never change; every state is a fold over them.

What lives here: the store (`store`), which database it is kept in (`database`), what that looks like, how an older one
is brought up to date and how a changed byte is noticed (`schema`), everything in one file and back (`backup`), backups
that make themselves (`rotation`), a table taken out into a file of its own (`removal`), the data folder (`folder`),
files that survive a power cut (`files`). What may come in: events and the pictures that prove them. What never does:
rules, pages, cards on a table. Undo is one more event; crash recovery,
replay, late joiners and a second tablet are all "read the events and fold them".
"""

from companion.journal.backup import backup, check, is_damaged, restore, set_aside
from companion.journal.database import examine
from companion.journal.errors import (
    BackupError,
    Conflict,
    DamagedError,
    JournalError,
    TakenError,
    UnknownTableError,
)
from companion.journal.files import write_durably
from companion.journal.folder import InUseError, in_use, make_private, used
from companion.journal.removal import bring_back, remove
from companion.journal.rotation import backups, last_good, made_at, proven, rotate
from companion.journal.store import Journal, Logged, TableInfo

__all__ = [
    "BackupError",
    "Conflict",
    "DamagedError",
    "InUseError",
    "Journal",
    "JournalError",
    "Logged",
    "TableInfo",
    "TakenError",
    "UnknownTableError",
    "backup",
    "backups",
    "bring_back",
    "check",
    "examine",
    "in_use",
    "is_damaged",
    "last_good",
    "made_at",
    "make_private",
    "proven",
    "remove",
    "restore",
    "rotate",
    "set_aside",
    "used",
    "write_durably",
]
