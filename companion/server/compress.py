"""Text leaves gzipped: a table page is a hundred kilobytes of scripts, styles and drawn cards, and less than half of it
when packed. Live streams stay as they are, or their events would wait for the packer."""

from __future__ import annotations

import gzip

from flask import Response, request

LEAST = 600  # bytes; below, packing gains nothing
_TEXTS = frozenset(
    {
        "text/html", "text/css", "text/javascript", "text/plain", "text/csv", "application/javascript",
        "application/json", "image/svg+xml",
    }
)  # fmt: skip


def compress(answer: Response) -> Response:
    """`answer`, gzipped where it is whole text and the asking device takes that."""
    if answer.mimetype not in _TEXTS:
        return answer
    answer.vary.add("Accept-Encoding")
    if (
        answer.status_code != 200
        or "Content-Encoding" in answer.headers
        or not request.accept_encodings["gzip"]
        or (answer.is_streamed and not answer.direct_passthrough)
        or (answer.content_length or LEAST) < LEAST
    ):
        return answer
    answer.direct_passthrough = False  # a file from disk: read it
    packed = gzip.compress(answer.get_data(), compresslevel=9, mtime=0)
    answer.set_data(packed)
    answer.headers["Content-Encoding"] = "gzip"
    if tag := answer.get_etag()[0]:
        answer.set_etag(tag, weak=True)
    return answer
