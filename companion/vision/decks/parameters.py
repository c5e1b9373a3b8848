"""Numbers that decide how custom decks are learned and recognised.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

OWN_STANDS_OUT = 1.3
"""What only one card has in a cell is noise up to this. Unit: ratio of variances. Found: on invented decks of the
development seeds."""

SHARED_STANDS_OUT = 1.6
"""What a picture or a mark has in common is noise up to this. Unit: ratio of variances. Found: as above."""

QUIET_CELLS = 0.3
"""With one sample a card the noise is that of the cells in which cards differ least, up to this share. Unit: share of
cells. Found: chosen by hand."""

NOISIER = (0.6, 3.0)
"""Samples are taken to be no less and no more noisy than this many times what the network knows. Unit: ratio. Found:
chosen by hand. Guard: a deck of which every card is another kind."""

SAMPLE_NOISE = (0.1, 0.4)
"""How noisy a cell of a sample is: where nothing is printed, and more for each unit of what is. Unit: the network's
usual noise. Found: on invented decks of the development seeds."""

VIEW_NOISE = (0.2, 0.9)
"""The same for a card on the table, its outline moved to where it fits best. Unit: the network's usual noise. Found: as
above."""

RING_NOISE = 3.0
"""So many times as noisy are the cells at the card's edge. Unit: ratio. Found: as above."""

MARK_CELL = 0.7
"""From here on marks stand out in a cell. Unit: share. Found: chosen by hand."""

MOST_WINDOWS = 6
"""Marks that are found in more places have none. Unit: windows. Found: chosen by hand."""

MARK_REACH = 6
"""A mark is looked for so far from where it should be. Unit: px of the crop. Found: chosen by hand."""

MARK_SOFTNESS = 0.7
"""Marks are compared as soft as this. Unit: px of the crop. Found: chosen by hand."""

MINGLED = 0.3
"""Where single cards have more of their own than this, pictures and marks are not told apart by themselves. Unit: share
of the card. Found: chosen by hand."""
