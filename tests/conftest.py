"""What tests of several rooms need: a PostgreSQL server of their own, where its programs are installed; and which tests
stay together when the suite runs on several processes (``make test``)."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

with contextlib.suppress(ImportError):  # one process will do
    from xdist.scheduler import LoadScopeScheduling

    class Side(LoadScopeScheduling):
        """A file is one process's, so that what its tests share is made once. Long tests that share nothing go each
        by itself; all that need PostgreSQL go together, so that one server is started."""

        ALONE = ("tests/browser/test_games.py", "tests/test_doc_commands.py")

        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            if "postgresql" in nodeid or file.endswith("test_database.py"):
                return "postgresql"
            return nodeid if file in self.ALONE else file

    def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
        config.option.loadscopereorder = False  # browser tests are few, long, and first
        return Side(config, log)


if "PYTEST_XDIST_WORKER" in os.environ:  # beside other processes, and the servers that tests start inherit it
    os.environ.setdefault("COMPANION_THREADS", "1")


def _programs() -> Path | None:
    """The folder with ``initdb`` and ``postgres``, the newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    path = found[-1] if found else shutil.which("postgres")
    return Path(path).resolve().parent if path else None


def _user() -> str | None:
    """PostgreSQL does not run as root: the user to run it as, None for ourselves."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in known)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a server that is started for this run and knows nothing yet but its own databases."""
    pytest.importorskip("psycopg", reason="the Python package psycopg is not installed")
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")
    folder, user = Path(tempfile.mkdtemp(prefix="companion-postgresql-")), _user()
    if user is not None:
        shutil.chown(folder, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    run = {"user": user, "extra_groups": [], "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    data = folder / "data"
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "companion", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        check=True,
        **run,
    )
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder], **run
    )
    try:
        ready = [programs / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "60"]
        for _ in range(600):
            if subprocess.run(ready, stdout=subprocess.DEVNULL).returncode == 0:
                break
            assert server.poll() is None, "the PostgreSQL server ended"
        yield f"postgresql://companion@127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
