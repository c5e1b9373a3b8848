"""The data folder: private, one program's at a time, tidy; files in it survive a power cut."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal import InUseError, used, write_durably
from companion.journal.folder import make_private

HOLD = "import sys; from pathlib import Path; from companion.journal import used\nwith used(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"  # noqa: E501


def test_only_one_program_uses_a_folder_and_a_killed_one_lets_go(tmp_path):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path / "data")], **pipes) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InUseError, match=f"process {other.pid}"), used(tmp_path / "data"):
            pass
        os.kill(other.pid, signal.SIGKILL)
    with used(tmp_path / "data"):
        pass


def test_the_folder_is_private(tmp_path):
    with used(tmp_path / "new" / "data"):
        assert stat.S_IMODE((tmp_path / "new" / "data").stat().st_mode) == 0o700
    old = tmp_path / "old"
    old.mkdir(mode=0o755)
    (old / "secret").touch()
    make_private(old)
    assert stat.S_IMODE(old.stat().st_mode) == 0o700


def test_a_folder_that_holds_nothing_of_ours_keeps_its_rights(tmp_path):
    make_private(tmp_path / "shared")
    (tmp_path / "shared").chmod(0o755)
    make_private(tmp_path / "shared")
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o755


def dead():
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_what_a_killed_program_left_goes_and_nothing_else(tmp_path):
    (tmp_path / "backups").mkdir()
    keep = [
        "journal.sqlite3",
        "journal-until-20260102-030405.sqlite3",
        "secret",
        "backups/games-20260102-030405.backup",
        f"games.backup.{os.getppid()}.part",  # somebody makes a backup just now
    ]
    ended = dead()
    left = [f"journal.sqlite3.{ended}.{end}" for end in ("part", "part-wal", "new")]
    left += [f"roles.json.{ended}.part", f"backups/games-20260102-030405.backup.{ended}.part"]
    for name in keep + left:
        (tmp_path / name).touch()
    (tmp_path / "working-x").mkdir()
    (tmp_path / "working-x" / "backup").touch()
    (tmp_path / "decks" / ".working-x" / "deck").mkdir(parents=True)
    with used(tmp_path):
        pass
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert found == {*keep, "backups", "decks", "lock"}


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(tmp_path, monkeypatch):
    """What a power cut may lose is seen by the order of calls: the new bytes, then the name, then the folder."""
    file, calls = tmp_path / "roles.json", []
    file.write_bytes(b"old")
    fsync = os.fsync

    def flush(handle):
        calls.append((str(Path(f"/proc/self/fd/{handle}").readlink()).removeprefix(str(tmp_path)), file.read_bytes()))
        fsync(handle)

    monkeypatch.setattr("os.fsync", flush)
    write_durably(file, b"new")
    assert calls == [(f"/roles.json.{os.getpid()}.part", b"old"), ("", b"new")]
    assert file.read_bytes() == b"new" and stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "roles.json"
    file.write_bytes(b"old")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_durably(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["roles.json"]
