"""Decoding: every usual picture becomes 8-bit BGR, every bad one a sentence."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.vision.images import PictureError, as_bgr, decode, fit, load, shrunk, strongest


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """The bytes of a picture file."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def ramp(mode: str = "RGB", size: tuple[int, int] = (64, 48)) -> Image.Image:
    """A picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, (220, 10, 10))
    image.paste((10, 10, 220), (size[0] // 2, 0, *size))
    return image.convert(mode)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"this is a text file named .jpg\n" * 20, "not a picture"),
        (b"\x89PNG\r\n\x1a\n", "not a picture"),
        (encoded(Image.new("RGB", (1, 1)), "PNG"), "1×1 px"),
        (encoded(Image.new("RGB", (4000, 3)), "JPEG"), "4000×3 px"),
    ],
)
def test_a_bad_picture_is_one_sentence_with_its_name(data: bytes, words: str) -> None:
    with pytest.raises(PictureError) as caught:
        decode(data, "cards.jpg")
    text = str(caught.value)
    assert words in text
    assert text.startswith("cards.jpg")
    assert text.endswith(".")
    assert "\n" not in text


def test_a_missing_file_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"nothing\.png cannot be opened"):
        load(tmp_path / "nothing.png")


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "CMYK", "P", "I;16"])
def test_every_usual_layout_becomes_bgr(mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray((np.linspace(0, 65535, 64 * 48).reshape(48, 64)).astype(np.uint16))
        data = encoded(image, "PNG")
    else:
        data = encoded(ramp(mode), "JPEG" if mode == "CMYK" else "PNG")
    pixels = decode(data)
    assert pixels.shape == (48, 64, 3)
    assert pixels.dtype == np.uint8
    if mode in ("RGB", "RGBA", "CMYK", "P"):
        assert pixels[24, 8, 2] > pixels[24, 8, 0] + 100
        assert pixels[24, 56, 0] > pixels[24, 56, 2] + 100


def test_exif_orientation_turns_the_picture_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    pixels = decode(encoded(ramp(), "JPEG", exif=exif))
    assert pixels.shape == (64, 48, 3)
    assert pixels[8, 24, 2] > 150


def test_what_lies_under_full_transparency_does_not_show() -> None:
    image = ramp("RGBA")
    image.putalpha(0)
    assert np.ptp(decode(encoded(image, "PNG"))) == 0


def test_a_very_wide_picture_is_decoded_and_fitted() -> None:
    ok, data = cv2.imencode(".jpg", np.full((300, 12000, 3), 90, np.uint8))
    assert ok
    pixels = decode(data.tobytes())
    small, scale = fit(pixels, 2560)
    assert small.shape[1] == 2560
    assert scale == pytest.approx(12000 / 2560)


@pytest.mark.parametrize("shape", [(20, 30), (20, 30, 1), (20, 30, 2), (20, 30, 3), (20, 30, 4)])
@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_arrays_of_any_layout_become_bgr(shape: tuple[int, ...], depth: type) -> None:
    array = np.full(shape, np.iinfo(depth).max, depth)
    converted = as_bgr(array)
    assert converted.shape == (20, 30, 3)
    assert converted.min() == 255


def test_a_1080p_picture_is_shrunk_to_the_same_means_in_another_way() -> None:
    """Three by three pixels are one: as OpenCV's area means, which take twice as long."""
    picture = np.random.default_rng(0).integers(0, 256, (1080, 1920, 3), np.uint8)
    small, scale = fit(picture, 640)
    assert scale == 3 and np.array_equal(small, cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("shape", [(720, 1280), (1080, 1920), (722, 1282), (101, 203), (60, 80)])
def test_a_small_picture_shows_the_means_of_a_large_one(shape: tuple[int, int]) -> None:
    pixels = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (*shape, 3), np.uint8), (0, 0), 3)
    size = (96, 54)
    found, exact = shrunk(np.asarray(pixels), size), cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    assert found.shape == (54, 96, 3)
    assert np.abs(found.astype(int) - exact.astype(int)).max() <= 3


def test_the_strongest_channel_is_that_of_each_pixel() -> None:
    channels = np.random.default_rng(2).normal(size=(5, 7, 3))
    channels[0, 0] = np.inf
    assert np.array_equal(strongest(channels), channels.max(axis=-1))
