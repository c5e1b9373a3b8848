"""``companion watch``: a camera as a program of its own, on this machine or another one.

It is a client like any phone: it opens the camera link that the host hands out and sends the newest picture whenever
the server wants one. A driver that hangs or crashes ends this program and not the server; the page says so and play
goes on by taps.
"""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import quote, urlsplit

from companion.commands import CommandError
from companion.server.camera.pace import PROGRAM
from companion.server.show.texts import Texts
from companion.vision.camera.source import Source, SourceState
from companion.vision.camera.sources import open_source
from companion.vision.following.crops import jpeg
from companion.vision.images import Pixels

TIMEOUT_S = 15.0
PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""Pauses between attempts to reach the server again; the last one repeats."""


class Client:
    """The camera of one table, as its server knows it."""

    def __init__(self, server: str, token: str) -> None:
        """`token`: the key of the table's camera link, or the link. Raises CommandError where the server refuses it."""
        self._base = server.rstrip("/")
        if urlsplit(self._base).scheme not in ("http", "https") or not urlsplit(self._base).hostname:
            raise CommandError(f"--server is an address such as http://192.168.0.5:8765, not {server!r}.")
        self._key = token.rstrip("/").rpartition("/")[2]
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        self._sender = PROGRAM + secrets.token_hex(8)
        self._table = ""

    def join(self) -> str:
        """Become the camera of the table that the key is for; returns its id. Raises OSError without a server."""
        try:
            with self._open(f"{self._base}/join/{quote(self._key, safe='')}", timeout=TIMEOUT_S) as answer:
                path = urlsplit(answer.url).path.split("/")
        except urllib.error.HTTPError as error:
            raise CommandError(f"The server does not take this key: {_reason(error)}") from error
        if path[1:2] != ["tables"] or path[3:] != ["camera"]:
            raise CommandError("This key is not that of a camera: take the link for the camera from the page.")
        self._table = path[2]
        return self._table

    def send(self, pixels: Pixels, *, take: bool) -> float:
        """Send a picture (height, width, 3); returns after how long (s) the next one is wanted. Raises OSError where
        the server is not to be reached, CommandError where it refuses."""
        query = f"sender={self._sender}" + ("&take=1" if take else "")
        address = f"{self._base}/api/tables/{self._table}/camera/frame?{query}"
        body = jpeg(pixels)
        request = urllib.request.Request(address, body, {"Content-Type": "image/jpeg"})
        try:
            with self._open(request, timeout=TIMEOUT_S) as answer:
                return float(json.load(answer)["wait"])
        except urllib.error.HTTPError as error:
            if error.code >= 500:
                raise OSError(str(error)) from error
            raise CommandError(f"The server takes no more pictures: {_reason(error)}") from error


def run(server: str, token: str, camera: str, say: Callable[[str], object]) -> None:
    """Send what `camera` sees until it ends or the server refuses. Raises CommandError, SourceError."""
    client, source = Client(server, token), open_source(camera)
    try:
        _watch(client, source, say)
    finally:
        source.close()


def _watch(client: Client, source: Source, say: Callable[[str], object]) -> None:
    failures, joined, told, texts = 0, False, "", Texts.load()
    while True:
        frame = source.read(0.5)
        if frame is None:
            status = source.status
            if status.state is not SourceState.OK and status.key != told:
                told = status.key
                params: dict[str, Any] = dict(status.params)
                say(texts.text(told, "en", **params))
            if status.state is SourceState.ENDED:
                return
            continue
        told = ""
        try:
            if not joined:
                say(f"The camera {source.name} watches table {client.join()}.")
            wait = client.send(frame.pixels, take=not joined)
            joined, failures = True, 0
        except (OSError, HTTPException) as error:
            if failures == 0:
                say(f"The server cannot be reached ({error}); it is tried again.")
            joined = False
            wait = PAUSES_S[min(failures, len(PAUSES_S) - 1)]
            failures += 1
        time.sleep(wait)


def _reason(error: urllib.error.HTTPError) -> str:
    """What the server says; its status where it says nothing."""
    try:
        found: Any = json.loads(error.read())["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError):
        return f"{error.code} {error.reason}"
    return str(found)
