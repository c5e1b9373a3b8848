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

INK_DARKER = 0.5
"""Ink takes away at least so much of a card's light: where less is missing few lines are drawn, and no contrast is made
of paper. Unit: share. Found: on invented decks of the development seeds, thin letters on blank paper: of 104 separate
cards 75 had their name without, 100 with 0.4, 101 with 0.55."""

MARK_CELL = 0.7
"""From here on marks stand out in a cell. Unit: share. Found: chosen by hand."""

MARK_SHARE = (0.65, 0.45)
"""… and marks differ there more than pictures do; nearly as much where no place shows more, as beside pictures that
reach close to them. Unit: share of both. Found: on invented decks of the development seeds."""

MARKS_EVERYWHERE = 0.3
"""Where marks stand out in more of the card it is another ink that changes how all of it looks: then only where they
differ most counts. Unit: share of the card. Found: invented decks of the development seeds have up to 0.22."""

MARK_DIFFERS = 0.3
"""A mark reaches as far as marks differ by more than this. Unit: share of the most. Found: chosen by hand."""

MARK_AROUND = 0.35
"""So much more is looked at around it. Unit: share of its size. Found: chosen by hand."""

MARK_MOVES = 8
"""To learn a mark its samples are moved onto each other so far. Unit: px of a sample. Found: chosen by hand."""

MOST_WINDOWS = 8
"""Marks that are found in more places have none. Unit: windows. Found: chosen by hand."""

MINGLED = 0.6
"""Where single cards have more of their own than this, pictures and marks are not told apart by themselves. Unit: share
of the card. Found: chosen by hand."""

FACE_SURE = (-5.05, 2.1, 0.8)
"""How sure a face is where pictures and marks mingle: a constant, and weights of its lead (log) and of how far it is
beyond another card of the deck. Unit: logit. Found: fitted on invented decks of the development seeds."""

ACCEPT = 0.93
"""A card gets a name from here on. Unit: probability. Found: on sixteen invented decks of the development seeds: of
1,213 names from 0.9 on 3 were wrong, of those from here on 2, with 8 right ones fewer."""

EVIDENCE_SCALE = 12.0
"""Candidates after the likeliest picture share the rest by this. Unit: log evidence. Found: chosen by hand."""

LEAST_CARD = 90.0
"""A card to be enrolled is at least so wide, to show its mark. Unit: px. Found: chosen by hand."""

SAME_SIZE = 0.35
"""What has more than this share of the largest card's area is a card of its own. Unit: ratio. Found: chosen by hand."""

EDGE = 0.004
"""A side so near the picture's edge is cut off. Unit: share of the picture's longer side. Found: chosen by hand."""

BEYOND = 0.015
"""So is a corner so far beyond it. Unit: share of the picture's longer side. Found: chosen by hand."""

SHARPEST_EDGE = 0.1
"""A photograph whose steepest edges rise less than this between two px is blurred. Unit: share of the contrast. Found:
on invented cards, sharp and blurred."""

GLARE = 0.02
"""More of a card burnt out to white, where its paper is not, is glare. Unit: share of it. Found: chosen by hand."""

BRIGHT_PAPER = 228.0
"""Paper from here on is white itself. Unit: brightness. Found: chosen by hand."""

FADING = 225
"""What is darker beside a burnt spot ends it sharply. Unit: brightness. Found: on invented cards of the development
seeds with white margins, and with spots of light painted on."""

FADES_AROUND = 0.5
"""A spot of glare at the card's rim fades over more of its edge. Unit: share. Found: as the last."""

SAME_PICTURE = 8.0
"""Two samples that differ less in every part are of one card. Unit: brightness. Found: chosen by hand."""

LOOK_ALIKE_LEAD = 20.0
"""Where pictures and marks mingle, faces look alike where a sample's own is ahead of another by less. Unit: log
evidence. Found: cards of other decks had leads up to 17."""

LOOK_ALIKE = 8.0
"""Pictures, or marks, that the networks tell apart by less as the samples show them look alike. Unit: logit. Found: on
invented decks of the development seeds."""

SAME_CARD = 0.3
"""Outlines that share this are of one card. Unit: overlap. Found: chosen by hand."""
EDGE_REACHES = (0.02, 0.05)
"""So far from an outline the colours of its two sides are compared: beside a line they differ at one of these alone.
Unit: share of the outline's width. Found: chosen by hand."""
CLEAR_EDGE = 40.0
"""Colours that differ by so much are as clear an edge as any. Unit: distance in OpenCV's CIELAB. Found: chosen by
hand."""

GUIDED_SIDE = 1600
"""Pictures of a camera are looked at so large while a deck is shown to it. Unit: px. Found: chosen by hand."""

STILL_S = 0.3
"""A card that stands out from its table is taken when nothing has moved for so long. Unit: s. Found: chosen by hand."""

STILL_UNCLEAR_S = 1.2
"""… and what does not stand out, a hand may still hold it, after so long. Unit: s. Found: chosen by hand."""

JUDGE_AGAIN_S = 0.8
"""What would not do is looked at again after so long: the camera may have focused. Unit: s. Found: chosen by hand."""

MOVES = 10
"""A point has changed where its brightness differs by more from that of the picture before. Unit: brightness. Found:
chosen by hand."""

MOVES_SHARE = 0.004
"""Something moves where more points than this have changed. Unit: share. Found: chosen by hand."""

SAME_LYING = 28.0
"""Two pictures of cards in one light that differ less in every part, laid on each other, show one card. Unit:
brightness. Found: on invented decks, one card moved: up to 23; another mark: from 36."""

MOST_STRETCH = 0.2
"""A card is moved onto what it should look like by no more stretch or turn than this, as a rule. Unit: share. Found:
chosen by hand. Guard: a wild answer."""

FARTHEST_STRETCH = 0.35
"""It is moved by no more than this where it then clearly looks like it: an outline may leave out a part of its card.
Unit: share. Found: of 118 cards of eight invented decks that are seen whole, one side of their outlines cut off by 16
of a hundred, 56 were named before, 87 now; by 22, 12 and 67; wrongly 4 and 1. None of 38 others was."""

CLEARLY_ALIKE = 0.85
"""So much a card is like a picture onto which it is moved that far. Unit: correlation. Found: as the last; a TESCA
card, photographed small, is like a wrong suit by up to 0.78."""

FARTHEST_MOVE = 20.0
"""Its middle is moved no farther. Unit: px of the crop. Found: chosen by hand. Guard: a wild answer."""

FARTHEST_BEND = 8.0
"""Laid on exactly, a card's corners move no farther. Unit: px of the crop. Found: chosen by hand. Guard: a wild
answer."""

LEAST_GAIN = 0.02
"""A card on which a look is fainter than this does not show it. Unit: ratio of contrasts. Found: chosen by hand. Guard:
a wild answer."""

OUTLINE_ASIDE = 3
"""So far into a card its edge may show what lies beside it, or another part of its border: there pictures are not
compared. Unit: px at half the crop's size. Found: on invented decks of the development seeds."""

SAME_LOOK = 0.5
"""A sample that agrees less with what is expected of it is not moved. Unit: correlation. Found: chosen by hand."""

EITHER_WAY_SAME = 0.15
"""Samples of a picture that tell their way up agree by more. Unit: correlation. Found: on invented decks of the
development seeds."""

PICTURES_TRIED = 3
"""A card is laid onto so many pictures. Unit: pictures. Found: with `LOOKS_COVERED`, on its tables. Guard: time."""

PICTURES_SHOWN = 3
"""… of which so many may be its own. Unit: pictures. Found: by its cost. Guard: time."""

LEAST_EVIDENCE = 3.0
"""A card whose map says less for its likeliest picture, beyond nothing at all, is none of the deck. Unit: difference of
log-likelihoods. Found: of 106 cards of eight invented decks that were found where others lie over them, or in outlines
of which the reader made no card, the map of each said more than 5, of those named at once on eight others 50; of backs
and of what lies beside cards on filmed tables three of four said less."""

LEAST_ALIKE = 0.25
"""A card that is less like the two likeliest pictures is not looked at any further. Unit: correlation. Found: of 84
names on invented decks of the development seeds none had less than 0.27; a third of what got no name had."""

WHOLE_ALIKE = 0.5
"""A card that is seen whole and is less like the picture that it seems to show has no name. Unit: correlation. Found:
of 600 such cards of invented decks of the development seeds, outlines up to an eighth aside, none named rightly had
less and two wrongly; of TESCA cards, a side of their outlines cut off, three wrongly."""

SURELY_ALIKE = 0.6
"""A card that is as much like a picture lies on it: no other is tried. Unit: correlation. Found: four of five named
cards of invented decks have it, and one of eight without a name. Guard: time."""

SURELY_AHEAD = 0.25
"""… and is by so much less like any other. Unit: correlation. Found: as the last. Guard: time."""

LEAST_PICTURE = 0.05
"""Where no picture is surer marks are not looked at. Unit: probability. Found: chosen by hand. Guard: time."""

EITHER_WAY = 0.1
"""Where a picture is less surely this way up its mark decides. Unit: correlation. Found: chosen by hand."""

TOLD_APART = 5.0
"""Two pictures, or marks, that the networks tell apart by less even as the samples show them, upright or one of them
upside down, are twins: neither is sure. So far ahead a mark says which way up it lies. Unit: logit. Found: pairs of
development decks are 9 and more apart, upside down all but two of 2,500; a 6 and a 9 by less than 1."""

TURNED_TRIED = 8
"""So many pictures are compared with each upside down. Unit: pictures. Found: by its cost. Guard: time."""

LITTLE_SEEN = 0.15
"""Pictures that hardly differ where a card is seen agree with it by less. Unit: share of how they differ in all. Found:
chosen by hand."""

WINDOW_SEEN = 0.6
"""A window in which more of the card is seen tells its mark. Unit: share. Found: chosen by hand."""

LEAST_COVERED = 0.03
"""A card may lie under another that covers more of it. Unit: share of it. Found: chosen by hand."""

COVER_ASIDE = 2
"""So far beside the outline of a card that lies on another it may still cover it. Unit: px of the crop. Found: on eight
invented decks of the development seeds: of 586 partly covered cards 525 were named with 1, 528 with this, 529 with 3,
none wrongly that was not before."""

LEAST_SEEN = 0.25
"""A card of which less is seen gets no name. Unit: share of it. Found: chosen by hand, below a third."""

SAME_SLANT_PX = 50.0
"""Known cards nearer than this say alike how large and slanted another is. Unit: px. Found: chosen by hand."""

WHOLE_SIDE = 0.08
"""A side is seen whole where it misses no more. Unit: card widths. Found: chosen by hand."""

FILLS = 0.8
"""What is seen of a completed card lies in what was found by more. Unit: share. Found: chosen by hand."""

DRAWN_ANEW = 0.2
"""Cards that have more of their own beside picture and mark are pictures of their own. Unit: share of the card. Found:
invented decks, whose pictures are one drawing, have up to 0.12; one drawn by hand card by card 0.3."""
