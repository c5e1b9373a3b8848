"""What a command of the command line does where that is more than a few lines: a module a command.

What lives here: the work behind the commands that `declared` declares. What may come in: plain Python values. What
comes out: results to print, and `CommandError` with one sentence for the person who typed. What never does: a
traceback, a rule, an answer that another room could give.
"""

from __future__ import annotations

import signal

INTERRUPTED = 128 + signal.SIGINT
"""The exit status of a command that Ctrl-C has stopped, as shells count."""


def counted(count: int, noun: str) -> str:
    """A count before its noun: ``1 card``, ``2 cards``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


class CommandError(ValueError):
    """What was typed cannot be done; the message is one sentence that says what and where."""
