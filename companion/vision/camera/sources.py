"""Opens what a person wrote: a webcam, a picture, a folder, a recording, a stream, a phone's browser."""

from __future__ import annotations

import os
import re
from pathlib import Path

import cv2

from companion.vision.camera.live import stream, webcam
from companion.vision.camera.pushed import PushSource
from companion.vision.camera.recorded import PictureSource, VideoSource
from companion.vision.camera.source import Source, SourceError

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_URL = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def open_source(spec: str | int, *, loop: bool = False, realtime: bool = True, apart: bool = False) -> Source:
    """Open what `spec` names: camera number, picture, folder of pictures, recording, URL, or "push".

    `loop` starts pictures and recordings again at their end. `realtime` plays a recording at its own speed and
    drops frames when the reader is late, as a camera would; without it every frame comes as fast as it is asked for.
    `apart`: cameras and streams run in a process of their own, which is started again when it dies or hangs.
    Raises SourceError for a file that is missing or shows nothing; never for a camera that is not there yet.
    """
    _quiet()
    text = str(spec).strip()
    if text.isdecimal():
        return webcam(int(text), apart=apart)
    if text == "push":
        return PushSource()
    if _URL.match(text):
        return stream(text, apart=apart)
    path = Path(text).expanduser()
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES)
        if not files:
            raise SourceError(f"The folder {path} holds no pictures (JPEG, PNG, WebP, TIFF or BMP).")
        return PictureSource(text, files, loop=loop, realtime=realtime)
    if not path.exists():
        raise SourceError(f"There is no camera, file, folder or address called {text!r}.")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return PictureSource(text, [path], loop=loop, realtime=realtime)
    return VideoSource(path, loop=loop, realtime=realtime)


def _quiet() -> None:
    """Keep OpenCV's and FFmpeg's own complaints off the terminal: `status` says what matters."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)
