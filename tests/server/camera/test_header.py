"""The size of a picture is what its header claims, for every kind that a phone sends; anything else has none."""

import resource
import zlib

import cv2
import numpy as np
import pytest

from companion.server.camera.header import picture_size
from companion.vision.images import PictureError, decode


def bomb(side):
    """A PNG of `side`² black pixels in a few hundred kilobytes."""

    def chunk(kind, data):
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    packer, row, packed = zlib.compressobj(9), b"\0" * (1 + 3 * side), []
    packed = [packer.compress(row) for _ in range(side)]
    head = side.to_bytes(4) * 2 + b"\x08\x02\0\0\0"
    body = b"".join(packed) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(640, 480), (31, 517)])
@pytest.mark.parametrize(
    ("ending", "flags"),
    [
        (".jpg", []),
        (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
        (".png", []),
        (".webp", [cv2.IMWRITE_WEBP_QUALITY, 80]),
        (".webp", [cv2.IMWRITE_WEBP_QUALITY, 101]),
    ],
)
def test_the_header_says_the_size(size, ending, flags):
    pixels = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)
    assert picture_size(cv2.imencode(ending, pixels, flags)[1].tobytes()) == size


def test_a_picture_with_transparency_says_it_too():
    data = cv2.imencode(".webp", np.zeros((40, 50, 4), np.uint8), [cv2.IMWRITE_WEBP_QUALITY, 50])[1].tobytes()
    assert picture_size(data) == (50, 40)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x02", b"RIFF....WEBPVP8 ", b"GIF89a"])
def test_anything_else_has_none(data):
    assert picture_size(data) is None


def test_a_png_whose_part_claims_what_is_not_there_has_none_and_is_not_unpacked():
    """OpenCV would make room for four gigabytes."""
    whole = cv2.imencode(".png", np.zeros((40, 50, 3), np.uint8))[1].tobytes()
    at = whole.index(b"IDAT") - 4
    damaged = whole[:at] + b"\xff" * 4 + whole[at + 4 :]
    assert picture_size(whole) == (50, 40)
    assert picture_size(damaged) is None
    twice = whole[:33] + whole[8:33].replace((40).to_bytes(4), (40_000).to_bytes(4)) + whole[33:]
    assert picture_size(twice) is None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(PictureError, match="claims to be larger"):
        decode(damaged)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    assert decode(whole).shape == (40, 50, 3)


def test_a_bomb_says_what_it_would_fill():
    data = bomb(10_000)
    assert len(data) < 500_000
    assert picture_size(data) == (10_000, 10_000)
