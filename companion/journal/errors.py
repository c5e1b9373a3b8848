"""What can go wrong with a journal; every message is one sentence."""

from __future__ import annotations


class JournalError(Exception):
    """The journal cannot do that; the message is one sentence."""


class UnknownTableError(JournalError):
    """No table has this id."""


class TakenError(JournalError):
    """A table with this id is there already, and another start opened it."""


class DamagedError(JournalError):
    """What was written is not what is there; the message says what, without a full stop."""


class Conflict(JournalError):  # noqa: N818 - the name the API speaks of
    """Somebody else wrote first: the writer's `expected_seq` is not the table's last number, `current_seq` is."""

    def __init__(self, current_seq: int) -> None:
        super().__init__(f"the table has moved on to entry {current_seq}; look again and repeat.")
        self.current_seq = current_seq


class BackupError(JournalError):
    """A backup that cannot be made or read; the message is one sentence. `code`: ``missing``, ``exists``,
    ``foreign``, ``damaged``, ``unreadable``, ``newer`` or ``failed``, for those who say it in another language."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
