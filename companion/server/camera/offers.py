"""The cameras that a table can have, as people may see them: by an id that says nothing of where a camera is, and by a
name without any password."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.server.camera.calibrate import PHONE
from companion.vision.camera.live import cameras
from companion.vision.camera.source import Source, SourceError
from companion.vision.camera.sources import open_source

NONE = "none"


class CameraError(ValueError):
    """This source cannot watch; the message is one sentence."""


class Offers:
    """What the command line named (`named`), the cameras plugged in, and a phone. Ids last as long as the process."""

    def __init__(self, named: str | None) -> None:
        self._named = named
        self._salt = secrets.token_bytes(16)

    def rows(self, phone: str, taken: Callable[[str], bool]) -> list[dict[str, Any]]:
        """Id, name and whether it is `taken`, for each; a phone is called `phone`."""
        plugged = [
            {"source": self._id(source), "name": name, "taken": taken(source)} for source, name in self._plugged()
        ]
        return [*plugged, {"source": PHONE, "name": phone, "taken": False}]

    def source(self, name: str) -> str | None:
        """The source that is offered under this id; None when none is."""
        return PHONE if name == PHONE else next((s for s, _ in self._plugged() if self._id(s) == name), None)

    def _plugged(self) -> list[tuple[str, str]]:
        if self._named == NONE:
            return []
        first = [] if self._named in (None, PHONE) else [(str(self._named), shown_source(str(self._named)))]
        return first + [(str(c.index), c.name) for c in cameras() if str(c.index) != self._named]

    def _id(self, source: str) -> str:
        return hashlib.blake2b(source.encode(), key=self._salt, digest_size=8).hexdigest()


def shown_source(source: str) -> str:
    """A source as people see it: of a file its name; of an address neither user name and password nor its query, where
    some cameras have theirs."""
    if "://" in source:
        scheme, _, rest = source.partition("://")
        place = re.split(r"[?#]", rest, maxsplit=1)[0]
        host, slash, path = place.partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
    return Path(source).name or source


def opened(source: str) -> Source:
    """The source, opened in a process of its own where it is a camera. Raises CameraError when it can never work."""
    try:
        return open_source(source, apart=True)
    except SourceError as error:
        raise CameraError(str(error).replace(source, shown_source(source))) from error
