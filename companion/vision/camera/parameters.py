"""Numbers of sources and calibration.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

LONGEST_FRAME = 1920
"""Frames are shrunk to this longer side: more pixels cost time and show nothing new on a table. Unit: px. Found: by its
cost: as little as leaves the answers as they are. Guard: time and memory."""

STILL_FPS = 10.0
"""A picture is shown so often. Unit: frames per s. Found: chosen by hand. Guard: pace."""

RETRY_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Pauses between attempts to open a camera or stream again; the last one repeats. Unit: s. Found: chosen by hand.
Guard: time out."""

STALLED_S = 5.0
"""A stream that sends nothing for so long has stalled. Unit: s. Found: chosen by hand. Guard: time out."""

GIVE_UP_S = 1.0
"""A camera that gives no frame for so long is opened again. Unit: s. Found: chosen by hand. Guard: time out."""

LONG_AWAY_S = 5.0
"""A reader so late after a recording's clock was away: it plays on from there. Unit: s. Found: chosen by hand. Guard:
time out."""

FOCAL = 0.8
"""Focal length of webcams and phones. Unit: share of the picture's longer side. Found: usual webcams: 60 to 75°
across."""

TAG_ERROR = 0.25
"""A mat's tag whose corner lies farther from its place does not lie as printed. Unit: tag sides. Found: chosen by hand.
Guard: bad input."""

SHAPE_ERROR = 0.02
"""Pictures whose proportions differ more are not those of the calibration: the camera was turned. Unit: relative.
Found: chosen by hand. Guard: bad input."""
