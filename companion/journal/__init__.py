"""The journal: the only truth. Events go in, in order, and never change; every state is a fold over them.

What lives here: the store (`store`), everything in one file and back (`backup`). What may come in: events and the
pictures that prove them. What never does: rules, pages, cards on a table. Undo is one more event; crash recovery,
replay, late joiners and a second tablet are all "read the events and fold them".
"""

from companion.journal.backup import BackupError, backup, check, restore
from companion.journal.store import Conflict, Journal, JournalError, Logged, TableInfo, TakenError, UnknownTableError

__all__ = [
    "BackupError",
    "Conflict",
    "Journal",
    "JournalError",
    "Logged",
    "TableInfo",
    "TakenError",
    "UnknownTableError",
    "backup",
    "check",
    "restore",
]
