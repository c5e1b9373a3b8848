"""Everything in one file, and back."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from flask import Blueprint, Response, jsonify, request, send_file

from companion.journal import BackupError, backup
from companion.server.config import journal_file
from companion.server.context import desk, owning
from companion.server.errors import ApiError
from companion.server.schema.openapi import operation

backups = Blueprint("backups", __name__)

BACKUP_TYPE = "application/vnd.sqlite3"
MOST_BACKUP = 4 * 2**30
"""Bytes of a backup that the page takes."""


def _owning() -> None:
    owning()
    if desk().config.database:
        raise ApiError("own-database", 422)


@backups.get("/backup")
@operation("Files", (BACKUP_TYPE,), errors=(403, 422, 500))
def take_backup() -> Response:
    """All games and pictures in one file. Only for the owner: it holds everybody's hands."""
    _owning()
    folder = Path(mkdtemp(prefix="working-", dir=desk().config.data))
    file = folder / "backup"
    try:
        backup(journal_file(desk().config.data), file)
    except BackupError as error:
        shutil.rmtree(folder)
        raise ApiError(f"backup-{error.code}", 500, reason=str(error)) from error
    name = f"table-companion-{datetime.now():%Y%m%d-%H%M%S}.backup"
    answer = send_file(file, mimetype=BACKUP_TYPE, as_attachment=True, download_name=name, max_age=0)
    answer.direct_passthrough = False  # handed straight to the server, the end of the sending would not be told
    answer.call_on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    return answer


@backups.post("/api/restore")
@operation("Files", "Restored", body=BACKUP_TYPE, errors=(403, 422))
def put_back() -> Response:
    """Put a backup, the body of the request, in the place of the present journal, which is kept beside it. Only
    for the owner; asking for the content type keeps other sites' forms out."""
    _owning()
    if request.mimetype != BACKUP_TYPE:
        raise ApiError("not-backup", 415)
    request.max_content_length = MOST_BACKUP
    with TemporaryDirectory(prefix="working-", dir=desk().config.data) as folder:
        file = Path(folder) / "backup"
        with file.open("wb") as out:
            shutil.copyfileobj(request.stream, out)
        try:
            kept = desk().restore(file, datetime.now())
        except BackupError as error:
            raise ApiError(f"backup-{error.code}", 422, reason=str(error)) from error
    desk().memory.clear()  # what was drawn from the old past while the new journal came
    return jsonify(tables=len(desk().journal.tables()), kept=kept.name if kept else None)
