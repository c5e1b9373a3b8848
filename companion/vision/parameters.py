"""Numbers that decide what an outline or an index can be, shared by the storeys.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

INDEX_REACH_MM = (22.0, 32.0)
"""An index whose centre lies farther than this from its corner is not that corner's index. Unit: mm (x, y). Found:
chosen by hand."""

INDEX_OUTSIDE_MM = 4.0
"""So far outside an outline, which is inexact, the centre of its index may lie. Unit: mm. Found: chosen by hand."""

READING_SLOPE = 1.4
"""An index whose direction of reading has less than this times as much along the card as across it (35°) is none of it.
Unit: ratio. Found: chosen by hand."""

AMBIGUOUS_TURN = 1.2
"""Of an outline whose long side is less than this times the short one, a steep view leaves open which is which. Unit:
ratio. Found: chosen by hand."""

WIDEST_INDEX_WINDOW = 2.6
"""A window around an index is at most so wide, so that neighbours stay out of view where it is seen much from the side.
Unit: index widths. Found: chosen by hand."""

HIDDEN_IOU = 0.72
"""Outlines that share more than this are one card: a card so far under another shows a strip of less than 10 mm, in
which no index could be read. Unit: IoU. Found: geometry of a card."""

SMALLEST_PICTURE = 16
"""A picture with a shorter side cannot hold a card that anyone could read. Unit: px. Found: chosen by hand. Guard: bad
input."""

GREY_UNDER_TRANSPARENCY = 96
"""What is laid under transparent parts of a picture. Unit: grey level. Found: chosen by hand. Guard: bad input."""

BRIGHTEST = 99.5
"""The pixels above this percentile are a picture's brightest. Unit: percentile. Found: chosen by hand. Guard:
`test_a_dark_picture_is_read_like_a_bright_one`."""

DARKEST_WHITE = 64
"""A picture whose brightest pixels are darker is stretched before it is read. Unit: grey levels. Found: chosen by hand.
Guard: `test_a_dark_picture_is_read_like_a_bright_one`."""

STRETCHED_WHITE = 220
"""As bright as they become. Unit: grey levels. Found: chosen by hand. Guard:
`test_a_dark_picture_is_read_like_a_bright_one`."""

SURE_BACK = 0.6
"""A back that scores so much tells how its deck's backs look. Unit: score. Found: chosen by hand."""

BACKS_ALIKE = 11.0
"""Two backs of one deck differ less. Unit: mean distance of colours (Lab). Found: on three filmed tables 163 pairs of
backs differ by 6.5 to 7.8 at the median and up to 17.0, on five a back and a face by 14.7 at least (400 pairs)."""

NO_FACE = 0.1
"""A card of which every name is less likely looks like no face. Unit: probability. Found: on filmed tables backs that
were taken for faces show 0.001 to 0.03."""

BACK_LIGHT = 30.0
"""So much darker or brighter a back may lie. Unit: lightness (Lab, 0 to 255). Found: chosen by hand."""

BACK_SIZES = 1.2
"""Backs of one deck look alike large, one at most so many times another. Unit: ratio. Found: chosen by hand."""

PART_OF_BACK = 0.25
"""A further back shares less with the cards known. Unit: share of its area. Found: chosen by hand."""

PLACE_OF_FACE = 0.8
"""A back that lies on an open card lies not just where that does. Unit: overlap. Found: chosen by hand: of a card half
a centimetre aside nine tenths are covered."""

CUT_PX = 2.0
"""What reaches so near to the edge of a part is cut by it. Unit: px. Found: chosen by hand."""

CONTRAST_SIDE = 480
"""A card that stands out from its table is looked for in a picture so large. Unit: px. Found: chosen by hand."""

LEAST_SHARE = 0.03
"""… where it fills at least this. Unit: share of the picture. Found: chosen by hand."""

FULL_QUAD = 0.95
"""… and fills its outline like this, as a card with round corners does. Unit: share. Found: chosen by hand."""
