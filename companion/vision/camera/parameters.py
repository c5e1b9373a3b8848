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

OPENING_S = 15.0
"""A camera in a process of its own that does not open for so long is given up, for now. Unit: s. Found: chosen by hand:
some webcams take five. Guard: time out."""

PULSE_S = 0.25
"""So often it is looked whether a camera in a process of its own still answers. Unit: s. Found: chosen by hand. Guard:
pace."""

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

HEALTH_WIDTH = 96
"""Whether a picture shows anything is judged on grey pictures so wide. Unit: px. Found: by its cost: as little as
leaves the answers as they are."""

DARK = 24.0
"""Where hardly a pixel is brighter there is no picture. Unit: grey levels. Found: chosen by hand. Guard: bad input."""

SAME_TABLE = 0.5
"""A dark picture shows the black table seen before where its pixels go with those more. Unit: correlation. Found: 0.75
on a film of black cloth that was cleared, 0.00 to 0.02 for a covered lens with noise. Guard: bad input."""

EDGE = 24.0
"""Neighbours that differ by more are an edge. Unit: grey levels. Found: chosen by hand. Guard: bad input."""

COVERED_EDGES = 0.15
"""A picture that keeps fewer of its edges may be that of a covered lens. Unit: share. Found: chosen by hand. Guard: bad
input."""

LEAST_EDGES = 0.01
"""A cloth without any pattern counts as having so many edges. Unit: share of the picture. Found: chosen by hand. Guard:
bad input."""

COVERED_CHANGE = 0.7
"""… and is one if more of its area differs. Unit: share of the picture. Found: chosen by hand. Guard:
bad input."""

SAID_AFTER_S = 1.0
"""What is wrong with a picture is said when it has lasted so long. Unit: s. Found: chosen by hand. Guard: pace."""

FROZEN_S = 3.0
"""A camera that gives the same picture, or none, for so long stands still. Unit: s. Found: chosen by hand. Guard: time
out."""

RESIZED_S = 2.0
"""After a change of size pictures are left alone for so long. Unit: s. Found: chosen by hand. Guard: pace."""

CARRIED_S = 3.0
"""A picture in which nearly everything moves for so long is that of a camera that moves. Unit: s. Found: chosen by
hand: longer than a hand takes to gather a table."""

CARRIED_SHARE = 0.7
"""Nearly everything. Unit: share of the parts that have edges. Found: chosen by hand."""

CARRIED_DETAIL = 0.12
"""With fewer parts that have edges nobody can tell what moves. Unit: share of the picture. Found: chosen by hand."""

SLOW_FPS = 8.0
"""Fewer pictures are slow. Unit: frames per s. Found: chosen by hand: below it a table takes a second to rest."""

SLOW_FRAMES = 12
"""Over so many pictures their pace is measured, or over `FROZEN_S`. Unit: frames. Found: chosen by hand. Guard:
pace."""

LENS_RANGE = (-0.6, 0.12)
"""The lens is looked for in this range. Unit: division model, half diagonals. Found: from fisheyes to slight cushions.
Guard: bad input."""

LENS_GAIN = 0.7
"""A lens is believed if it leaves less of the misfit than so much. Unit: share. Found: chosen by hand. Guard: bad
input."""

BUMP_WIDTH = 640
"""Pictures are registered so wide. Unit: px. Found: by its cost: as little as leaves the answers as they are."""

BUMP_ALIKE = 0.5
"""Where more of the parts with detail look as before, the camera was not pushed. Unit: share. Found: chosen by hand."""

BUMP_AGREES = 0.55
"""A push is believed if so many agree after it is taken out. Unit: share. Found: chosen by hand: cards may be laid in
the same moment."""

BUMP_GAIN = 0.25
"""They have to be more than before by so much. Unit: share. Found: chosen by hand."""

BUMP_LOST = 0.3
"""Where fewer parts beside the cards look as before, the table is lost. Unit: share. Found: chosen by hand: a hand that
rests leaves more."""

BUMP_CARD = 3
"""Of a card so many parts with detail have to be whole to tell whether it lies as it did. Unit: cells. Found: chosen by
hand: a court card of a small picture has four."""

BUMP_SAME = 0.8
"""A card of which so many parts look as before was not pushed. Unit: share. Found: chosen by hand."""

BUMP_FEATURES = 20
"""Fewer features that agree tell nothing. Unit: features. Found: chosen by hand."""

BUMP_SPREAD = 0.12
"""They have to lie around so much of the picture: more than a card. Unit: share of the picture. Found: chosen by
hand."""

BUMP_DETAIL = 6.0
"""A part that varies by less has no detail. Unit: grey levels. Found: chosen by hand."""

BUMP_CELLS = 12
"""With fewer parts that have detail nothing can be said. Unit: cells. Found: chosen by hand."""
