"""Numbers that decide which detections are one card, and how the table lies.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

SAME_WAY = 0.9
"""Indices on the table read the same way, or the opposite one, from this on. Unit: cosine. Found: chosen by hand."""

LARGEST_INDEX = 0.6
"""No print's index is taller. Unit: share of a card's long side. Found: of the prints that trained the reader one in
ten has taller ones than 0.42, none than 0.57."""

CLEAR_FACE_SCORE = 0.4
"""Outlines from this score on say how the table lies, and how large an index may be. Unit: score. Found: chosen by
hand."""

UNCONFIRMED_SCORE = 0.4
"""What a card counts that indices make where the detector saw no such outline. Unit: score. Found: chosen by hand."""

EXACT_OUTLINE_MM = 6.0
"""An outline on edges of the picture is taken when it is no farther from where the indices say. Unit: mm. Found: chosen
by hand."""

CORNERS_MM = 7.0
"""Largest residual of two corners of one card. Unit: mm. Found: chosen by hand."""

CORNERS_OUTLINED_MM = 14.0
"""The same where the detector saw that card's outline. Unit: mm. Found: chosen by hand."""

BELOW_MM = 10.0
"""Corners of a card that lie below each other differ by less across; those beside each other, in height. Unit: mm.
Found: chosen by hand."""

CONFIRMING_IOU = 0.5
"""An outline of the detector confirms the card that two indices make when it shares more. Unit: IoU. Found: chosen by
hand."""

MORE_PAPER = 0.3
"""A card lies to that side of its indices where so much more paper shows, its neighbours' counted with it. Unit: share
of a card. Found: 60 composed rows: the first card of one has 0.5 to 0.8 more; with 0.1 big pips turned a card over."""

PAPER_LIGHT = 0.85
"""What is so bright beside paper is paper. Unit: share of its brightness. Found: chosen by hand."""

PAPER_QUANTILE = 0.8
"""How bright paper is about an index: this quantile of what lies at both its sides. Unit: quantile. Found: geometry of
a card: half of it at least is paper."""

CLAIM_MM = 15.0
"""An outline of the detector is the card that indices make when its corners are nearer on average. Unit: mm. Found:
chosen by hand."""

SAME_DEPTH_MM = 6.0
"""Indices in the corners of one card lie as far in as each other, to this. Unit: mm. Found: chosen by hand."""

BORDER_REACH = 0.08
"""A card's border is looked for so far aside of its outline. Unit: share of the card's short side. Found: as inexact as
outlines are."""

BORDER_CLEARER = 4.0
"""Of two overlapping outlines that lies on top whose border shows so many times as clearly. Unit: ratio. Found: 567
pairs of equal indices in overlapping outlines of composed development tables: of those of one card 5 have more, of
those of two 57, many of the others less than 1, as they are seen from the upper card."""

FAINTEST_BORDER = 2.5
"""What shows less is no border. Unit: grey levels per px. Found: chosen by hand: noise of ordinary light shows 1."""

BORDER_SHOWN = 0.8
"""A border beside an index shows at this share of its places at least; pips in a column leave gaps. Unit: share. Found:
of 0.5, 0.65 and 0.8 the one that tells the pairs of `TWO_CARDS` apart best."""

BORDER_BESIDE = 0.55
"""A border beside an index is looked for from here on. Unit: index widths from its middle. Found: chosen by hand."""

TWO_CARDS = (-4.56, 2.61, -2.17, 0.9)
"""Log odds that two indices side by side are of two cards: a constant, and what counts of the line that shows more, of
the one that shows less (each the logarithm of its grey levels per px, and 1) and of the residual as one card (mm).
Unit: log odds. Found: fitted to 69 pairs of composed development tables, 28 of them of two cards; fitted to other
tables than theirs it knows 23 of those, and takes 2 of the others for two."""

MANY_DIAGONALS = 2
"""Cards that show more than two indices are of another print where so many diagonal pairs come on each. Unit: pairs per
card. Found: chosen by hand."""

OPEN_QUESTION_MM = 25.0
"""Residuals beyond this are no question any more. Unit: mm. Found: chosen by hand."""

CARD_SIZE = 0.4
"""Outlines whose sides differ more from a card's are no cards: books, envelopes, tiles. Unit: log ratio. Found: chosen
by hand."""

EQUAL_RESIDUALS_MM = 1.0
"""Residuals that differ by less are equal. Unit: mm. Found: chosen by hand."""

OUTLINE_ERROR = 0.05
"""Usual error of an outline's sides, and of its cosines. Unit: relative. Found: chosen by hand."""

INDEX_ERROR = 0.08
"""Usual error of an index's width and height, and of its cosine. Unit: relative. Found: chosen by hand."""

PAIR_ERROR = 0.025
"""Usual error of the distance between two indices of one card. Unit: relative. Found: chosen by hand."""

DIRECTION_ERROR = 0.09
"""Usual error of an index's direction against such a pair. Unit: rad. Found: chosen by hand."""

PRIOR_SPREAD = (30.0, 0.5, 0.5, 0.35, 0.35, 0.3, 0.2, 0.04, 0.08, 0.08)
"""How far the ten parameters of a table (see `plane_model`) usually lie from what is likely before anything is seen.
Unit: of each parameter. Found: chosen by hand."""

FIT_ROUNDS = 12
"""So often the fit is improved, at most. Unit: rounds. Found: by its cost: as little as leaves the answers as they are.
Guard: the fit must end."""

PAIR_REACHES = ((0.3, 0.5), (0.14, 0.3))
"""Which indices are taken for two of one card while fitting, first and then: error of their distance and direction.
Unit: relative, rad. Found: chosen by hand."""

FAINT_OUTLINES = 0.2
"""What outlines count at least where pairs of indices are known: at a slant they are seen more upright than they are.
Unit: weight. Found: chosen by hand."""

STARTS_KEPT = 2
"""From so many starts the fit goes on where pairs of indices are known: they mostly lead to one place then. Unit:
starts. Found: by its cost: as little as leaves the answers as they are."""

TILTED_STARTS = 0.7
"""By so much longer than it seems the table is tried to be, in the directions in which cameras look. Unit: ratio - 1.
Found: chosen by hand."""

PAIR_REACH = 9.0
"""No two indices of a card are farther apart in the picture. Unit: index heights. Found: geometry of a card."""

PAIR_SAME_WAY = 0.85
"""Indices of one card read the same way, or the opposite one, while the plane is being fitted. Unit: cosine. Found:
chosen by hand."""

PAIR_ASIDE = 1.5
"""The lower of two indices of one name is diagonal when it lies farther to the right, below when nearer. Unit: index
widths. Found: chosen by hand."""

BETWEEN_ENDS = 0.15
"""What lies nearer to either end is not between two indices. Unit: share of the distance. Found: chosen by hand."""

LEAST_SPACING_MM = 15.0
"""Two indices of a card are farther apart. Unit: mm. Found: geometry of a card. Guard: division: huge indices must not
leave a negative spacing."""

SPACING_MM = 20.0
"""A print's spacing differs from the usual by less. Unit: mm. Found: chosen by hand."""

TWO_PRINTS = 0.6
"""Indices are of two prints where two groups of their areas lie farther apart. Unit: log area. Found: chosen by
hand."""

TWO_PRINTS_SPREAD = 4.0
"""… and farther apart than so many times the spread within them. Unit: standard deviations. Found: chosen by hand."""

UNEQUAL_INDICES = 1.0
"""Two indices of different prints that differ more are not of one card. Unit: log area. Found: chosen by hand."""

BETWEEN_APART_MM = 5.0
"""What lies between two indices is farther from either. Unit: mm. Found: chosen by hand."""

BETWEEN_ASIDE_MM = 8.0
"""… and less aside of the line between them, for them to be two cards of a fan. Unit: mm. Found: chosen by hand."""

STEP_MM = 5.0
"""Cards of a row are laid at steps that differ by less. Unit: mm. Found: chosen by hand."""

LONGEST_STEP_MM = 60.0
"""… and that are shorter. Unit: mm. Found: geometry of a card."""

STEP_OF_RESIDUAL = 0.6
"""A step repeats others where it differs from them by less than this times its residual as one card. Unit: ratio.
Found: chosen by hand."""

CORNERS_BEFORE_ROW_MM = 4.0
"""Two indices that fit the upper corners of one card better are those, whatever the row. Unit: mm. Found: chosen by
hand."""

ROW_PATTERN_SAME_WAY = 0.7
"""Indices between two equal ones read as they do. Unit: cosine. Found: chosen by hand."""

ROW_PATTERN_ASIDE_MM = 12.0
"""… and lie less aside of the line between them. Unit: mm. Found: chosen by hand."""

DOUBTFUL_CORNERS_MM = 14.0
"""An index that misses the place of another corner of a card by less may be that corner. Unit: mm. Found: chosen by
hand."""

OPPOSITE_MM = 20.0
"""Opposite indices of a card are farther apart, both across and down. Unit: mm. Found: geometry of a card."""

RIM = 0.18
"""What was read clearly so near the edge of an outline may lie beside that card. Unit: share of the way to the middle.
Found: chosen by hand."""

UNREAD_DUPLICATE_IOU = 0.4
"""An outline in which nothing was read that shares more with a surer one is a duplicate. Unit: IoU. Found: chosen by
hand."""

WEAKER_SCORE = 0.8
"""… if it also scores less than this. Unit: share of the surer score. Found: chosen by hand."""

DUPLICATE_IOU = 0.45
"""An outline that shares more with a card whose opposite indices are seen is a duplicate if all it shows lies within
that. Unit: IoU. Found: chosen by hand."""

READABLE = 0.5
"""From here on an index was seen in a crop. Unit: weight. Found: as likely as not."""

CERTAIN = 0.9
"""From here on an observation is certain of a face: enough to contradict another one. Unit: probability. Found: chosen
by hand."""

CONFIRMED_OUTLINE = 0.7
"""From here on an outline with one index is a card without doubt. Unit: score. Found: chosen by hand."""

SAME_INDEX_REACH = (0.3, 0.45)
"""Observations nearer to each other are of one printed index: two detected ones, or one at an outline's corner. Unit:
window heights. Found: chosen by hand."""

SAME_INDEX_WAY = 0.7
"""… if they also read the same way. Unit: cosine. Found: chosen by hand."""

EDGE_SAMPLES = 16
"""At so many places of a side an edge is looked for. Unit: profiles. Found: by its cost: as little as leaves the
answers as they are."""

EDGE_STEPS = 25
"""So long is each profile across the side. Unit: samples. Found: by its cost: as little as leaves the answers as they
are."""

EDGE_PEAKS = 2
"""So many steps of a profile may be the edge. Unit: peaks. Found: by its cost: as little as leaves the answers as they
are."""

EDGE_BANDS = (0.12, 0.04)
"""How far from the side an edge is looked for: first wide, then close. Unit: share of the card's size. Found: chosen by
hand."""

LEAST_EDGE_BAND_PX = 1.5
"""… at least. Unit: px. Found: chosen by hand."""

EDGE_NEARNESS = 0.8
"""Standard deviation of how much a step counts by its distance. Unit: share of the band. Found: chosen by hand."""

MOST_MOVED = 0.16
"""An outline whose corners moved farther on average is refused. Unit: share of the card's size. Found: chosen by
hand."""

FAINTEST_EDGE = 3.0
"""Weaker steps are taken for noise. Unit: grey levels per sample. Found: chosen by hand."""

STRONGEST_EDGE = 25.0
"""Stronger steps count no more than this. Unit: grey levels per sample. Found: chosen by hand."""

EDGE_TOLERANCE = 0.08
"""Steps nearer to a line agree with it. Unit: share of the band. Found: chosen by hand."""

LEAST_EDGE_TOLERANCE_PX = 0.7
"""… at least. Unit: px. Found: chosen by hand."""

SHORTEST_SIDE_PX = 6.0
"""Shorter sides stay where they are. Unit: px. Found: chosen by hand. Guard: bad input: a side of a few px has no
profile."""

STEEPEST_EDGE = 0.3
"""Lines that lean more against the side are none of its edges. Unit: slope. Found: chosen by hand."""

EDGE_AGREEMENT = 0.5
"""So many profiles must agree for a side to move. Unit: share of the profiles. Found: chosen by hand."""

OWN_CARD = 0.5
"""What has a name, or is a back, counts where it is a further card with a greater chance. Unit: probability. Found: as
likely as not."""

OWN_EQUAL = 0.9
"""… and where its name is there already: one card must not have two names. Unit: probability. Found: development
scenes: the second names of one card that were left had 0.64 to 0.75."""

MAY_BE_CARD = 0.2
"""What has a name and is a further card with less chance is none; between, somebody is asked. Unit: probability. Found:
chosen on the scenes that trained the score."""

WORTH_ASKING = 0.6
"""What has no name is asked about where it is a further card with a greater chance. Unit: probability. Found: chosen on
the scenes that trained the score."""

LIKELY_SIGHT = 0.5
"""An outline is a card's where it is one with a greater chance, on tables of faces that the reader cannot name. Unit:
probability. Found: as likely as not."""

CLEAR_SIGHT = 0.7
"""Outlines that score more say how large cards are about there. Unit: score. Found: chosen by hand."""

SAME_SIGHT = 0.6
"""Outlines that share more are nearly one: they say nothing of each other's size. Unit: IoU. Found: chosen by hand."""

READ_SIGHT = 0.5
"""An outline that shares more with a card that was read is another outline of that card. Unit: IoU. Found: chosen by
hand."""

MAY_BE_SIGHT = 0.1
"""An outline that is a card's instead or besides with a greater chance is looked at by enrolled decks as well. Unit:
probability. Found: chosen by hand."""

SAME_OUTLINE_SEEN = 0.85
"""… where it does not share more with one that is looked at before. Unit: IoU. Found: chosen by hand."""

INSTEAD = 2
"""So many other outlines of a card are looked at where the likeliest gives it no name. Unit: outlines. Found: 12 tables
of two development decks: with 0 some 15 fewer cards of 164 had a name, with 1 two fewer."""

BLACK_SUITS_INK = (0.0, 0.0, 0.03)
"""Where spades' and clubs' ink usually lies in the plane of hues, and how far around. Unit: shares of darkening. Found:
the medians and spreads of 2,000 indices of invented prints."""

RED_SUITS_INK = (-0.29, 0.0, 0.12)
"""The same of hearts and diamonds. Unit: shares of darkening. Found: as `BLACK_SUITS_INK`."""

SAME_INK = (0.03, 0.1)
"""Inks of a table that lie nearer are one, the second so much more as it is coloured. Unit: shares of darkening. Found:
chosen on 260 development scenes of four-coloured, oddly coloured and usual prints."""

INK_UNSEEN = 0.3
"""What is usual counts like so many cards of a suit that are seen. Unit: cards. Found: as `SAME_INK`."""

ODD_INK = 0.3
"""How well an unusual ink fits a suit of which no card was seen; by the square of it that of the likeliest name, as
most decks that trained the reader are black and red. Unit: share of a usual one. Found: as `SAME_INK`."""

WRONG_INK = 0.02
"""However little an ink fits a suit it makes a name no less likely than by so much. Unit: ratio. Found: as
`SAME_INK`."""

ANOTHER_INK = 14.0
"""An ink that fits another suit so many times better is surely that suit's. Unit: ratio. Found: a nine of blue spades,
read as diamonds beyond doubt where of the table an orange diamond is known and no spade, fits spades 14.4 times better;
of 2,818 right names of 300 composed scenes it costs one, in harsh light, at 12 it would cost three."""

INK_CELL = 0.05
"""Inks of a table are remembered so exactly. Unit: shares of darkening. Found: chosen by hand."""
