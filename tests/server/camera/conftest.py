"""What tests of cameras share."""

import pytest

from companion.games import Setup
from companion.journal import Journal
from companion.referee import Started


@pytest.fixture
def journal(tmp_path):
    """A journal that holds one table, ``t``."""
    found = Journal(f"sqlite:///{tmp_path / 'journal.db'}")
    found.create("t", Started("three-card-showdown", Setup(("Anna", "Ben"), "52D1")))
    yield found
    found.close()
