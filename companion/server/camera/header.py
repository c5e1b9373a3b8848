"""How large a picture is, from its first bytes: asked before anything is unpacked."""

from __future__ import annotations

from itertools import pairwise

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers whose segment begins a frame and says its size (ITU T.81, table B.1)."""

_ALONE = frozenset((0x01, *range(0xD0, 0xD8)))
"""JPEG markers without a segment."""


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height (px) that the header of a JPEG, PNG or WebP claims; None for anything else, also for a PNG
    with a part that claims more bytes than there are. A JPEG that says its size twice counts with the larger one."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return None


def _png(data: bytes) -> tuple[int, int] | None:
    """Chunk by chunk (PNG specification, 5.3): whoever unpacks it makes room for what each one claims."""
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    at, headers = 8, 0
    while at + 12 <= len(data):
        kind, length = data[at + 4 : at + 8], int.from_bytes(data[at : at + 4])
        headers += kind == b"IHDR"
        if headers > 1 or at + 12 + length > len(data):
            return None
        if kind == b"IEND":
            break
        at += 12 + length
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def _jpeg(data: bytes) -> tuple[int, int] | None:
    sizes, at = [], 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            sizes.append((int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])))
        if marker in (0xDA, 0xD9):  # the picture itself begins, or ends
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        wide, high = (int.from_bytes(data[a:b], "little") & 0x3FFF for a, b in pairwise((26, 28, 30)))
        return wide, high
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return None
