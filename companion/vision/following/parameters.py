"""Numbers that decide when a table lies still, and which card is which from picture to picture.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

STILL_FRAMES = 3
"""So many still frames in a row make a table. Unit: frames. Found: chosen by hand. Guard: slow cameras."""

STILL_S = 0.25
"""… if they span so long. Unit: s. Found: films: with 0.16 actions are told 0.05 s sooner, but dark sleeves are lost
from sight, and people are asked more."""

MOTION_LEVEL = 14.0
"""A pixel that changes by more moves. Unit: grey levels. Found: chosen by hand."""

COLOUR_LEVEL = 0.6
"""… and one whose colour differs by so much is foreign. Unit: share of MOTION_LEVEL. Found: a film: a dark red sleeve
on red cloth differs by 21 in colour and by less than 14 in brightness, the cloth itself by 2."""

LEAST_MOTION = 0.0012
"""So much has to move: about a fifth of a small card. Unit: share of the picture. Found: chosen by hand."""

CHANGE_LEVEL = 0.6
"""A pixel of the averaged still table that differs by more from the one last read has changed. Unit: share of
MOTION_LEVEL. Found: chosen by hand."""

COLOUR_CHANGE = 2.5
"""… and one whose colour differs by so many times as much. Unit: ratio. Found: films: violet backs on green cloth as
bright differ by 6 to 10 times as much; with 1 the coarse colours of JPEG widen what changed beside it."""

MOTION_WIDTH = 192
"""Motion is looked for in pictures so wide. Unit: px. Found: by its cost: as little as leaves the answers as they
are."""

MOTION_CELL = 4
"""Where it moves is told in square cells so wide; what is nearer to it than one is not read. Unit: px of the motion
picture. Found: chosen by hand: half a card, and a hand's soft shadow."""

LONG_MOTION_S = 1.0
"""What differs at the edge of the picture or beside something that moves, and all before the first reading, is read
after so long: before that it may be an arm that rests, or a card that a hand is about to leave. Unit: s. Found: chosen
by hand: most hands have left by then."""

LASTING_S = 4.0
"""How much of the time something moves is told of so long. Unit: s, time constant. Found: chosen by hand: longer than
one action takes."""

LASTS = (0.25, 0.65)
"""Where it moves for more than the second, it moves on and on, until it does for less than the first. Unit: share of
the time. Found: chosen by hand: players' hands are over a pile for less than half of it, also when they are quick."""

LASTING_PAUSE_S = 2.0
"""A pixel that has changed so lately belongs to it. Unit: s. Found: films: a dealer's hands go to and fro in 1.2 to 1.9
s."""

MOST_HIDDEN = 0.15
"""… and one that is not found is gone if no more of its place does. Unit: share of the box around it. Found: chosen by
hand."""

OFTEN_BARE = 4
"""… or if it was seen empty so often, and is. Unit: looks. Found: films: a second, of hands that go to and fro."""

STEADY_S = 0.6
"""What is read twice in the same place, so long apart, lies there though more of it is where something moves on and on.
Unit: s. Found: chosen by hand: half a sweep of a dealer's hands."""

STEADY_BACK_S = 2.0
"""… and a back: a deck that is held may pause for a moment. Unit: s. Found: chosen by hand."""

STEADY_PLACE = 0.1
"""… the corners no farther away than this. Unit: share of the card's size. Found: films: the outline of a card under a
dealer's hand is read 7 mm off; what he holds moves by 16 and more."""

MOST_MOVES = 0.5
"""A card of which no more lies where something moves on and on is at rest. Unit: share of the box around it. Found:
chosen by hand: a corner under the edge of a dealer's hand, with its index free."""

STIR_S = 10.0
"""Where something moved is told for so long. Unit: s. Found: longer than any action is waited for."""

ARM_LEAST = 0.004
"""What differs at the edge of the picture and is smaller is no arm. Unit: share of the picture. Found: films: half of
the slimmest arm."""

ARM_MOST = 0.6
"""… and what is larger is the light or the camera. Unit: share of the picture. Found: chosen by hand. Guard: bad
input."""

SAME_ARM_PX = 24.0
"""An arm whose entry is so near to that of the frame before is the same. Unit: px of the motion picture. Found: chosen
by hand: half a seat."""

TIP_PX = 4.0
"""So far from its end an arm still is its tip. Unit: px of the motion picture. Found: chosen by hand: a finger."""

STOP_PX = 6.0
"""A tip that moves by less stays. Unit: px of the motion picture. Found: chosen by hand: less than a card."""

MOST_STOPS = 240
"""So many stops of a visit are remembered. Unit: stops. Found: one of every frame for 20 s. Guard: memory."""

ARM_GONE_S = 0.35
"""An arm that is not seen for so long has left. Unit: s. Found: chosen by hand: some frames may miss it."""

UNSEEN_S = 0.6
"""Between frames that are farther apart a hand may come, lay a card, and leave. Unit: s. Found: films: the quickest
hands lay a card in 0.8 s."""

ASTRAY_CARDS = 3.0
"""What moves apart from the edge and from hands, and is so large, is a hand itself: a card that slides covers no more
than two places. Unit: cards. Found: films: hands from under another cover 3.8 to 4.9."""

ASTRAY_S = 0.25
"""… if it does so for so long. Unit: s. Found: chosen by hand: a hand that lays a card takes longer."""

RESTING_PX = 24.0
"""A hand at rest under which another comes out reaches in so far. Unit: px of the motion picture. Found: on films 13 to
18."""

REACHES_PX = 20.0
"""One that comes out there reaches on by so much. Unit: px of the motion picture. Found: on films 35 to 60."""

STAYED_S = 0.2
"""A tip that stays for so long may lay a card. Unit: s. Found: films: the quickest hands lay one in 0.25 s."""

VISIT_S = 30.0
"""A visit is told of for so long after its end. Unit: s. Found: longer than any action is waited for. Guard: memory."""

BACKGROUND_WIDTH = 320
"""The background is remembered in a picture so wide. Unit: px. Found: by its cost: as little as leaves the answers as
they are."""

ALIKE = 26.0
"""Colours that differ by less are the same. Unit: grey levels. Found: chosen by hand."""

DIFFERENT = 34.0
"""Pixels at which card and table differ by more can tell them apart. Unit: grey levels. Found: chosen by hand."""

FAINT = 8.0
"""A card whose colour is nearly the table's still differs by so much from it. Unit: grey levels. Found: chosen by hand:
a brown back differs by 13 from a table of the same light."""

NEARER = 4.0
"""Where such a card lay the place is bare if it is so many times nearer to the table as it was seen there. Unit: ratio.
Found: chosen by hand: of that table seen again less than one level differs."""

LEAST_PIXELS = 8
"""Fewer pixels tell nothing. Unit: px of the background. Found: chosen by hand. Guard: a median of too few pixels."""

LEARNING_RATE = 0.2
"""So fast the background follows slow changes. Unit: share of the difference. Found: chosen by hand."""

NEW_BACKGROUND = 6
"""What differs from the background so often in a row is background. Unit: looks. Found: chosen by hand."""

VIEWS_APART_S = 1.0
"""… in looks that are so far apart. Unit: s. Found: on a film a hand deals for three seconds, and six looks are taken
meanwhile."""

HAND_REACH = 10
"""So near to covered cards nothing new is learnt: it may be the hand. Unit: px of the background. Found: chosen by
hand."""

MOST_DRIFT = 25.0
"""Changes of brightness are taken out up to this. Unit: grey levels. Found: chosen by hand."""

FREE_SHARE = 0.12
"""Where less of a card's place is free of others, nothing can be said of it. Unit: share of the place. Found: chosen by
hand."""

EMPTY_SHARE = 0.35
"""So many must look like the table for a place to be empty. Unit: share of the telling pixels. Found: chosen by
hand."""

EMPTY_AGAINST_CARD = 3
"""… and so many times as many as look like the card. Unit: ratio. Found: chosen by hand."""

BARE_SHARE = 0.9
"""So much of a place has to look like the table to be bare although the card looked like it, too, from afar. Unit:
share of the place. Found: chosen by hand."""

UNLIKE = 0.7
"""… and to correlate less with how it looked with the card on it. Unit: correlation. Found: films: 0.78 and more of
cards that were found again, 0.55 and less of bare table where a grey back had lain on wood."""

FLAT_LOOK = 8.0
"""A card without a name that looks flatter is taken for the same however it correlates. Unit: grey levels, standard
deviation. Found: chosen by hand: the camera's noise has 3, an index on paper 20 and more."""

PRINT_GONE = 22.0
"""Where two parts of a card's place changed by more, its print is gone from there. Unit: grey levels, in the mean.
Found: chosen by hand: an index changes a part by 60 and more."""

PRINT_SURELY_GONE = 45.0
"""… and where one did by more. Unit: grey levels, in the mean. Found: chosen by hand."""

PRINT_SAME = 8.0
"""Where no part changed by more, the card lies there, though it is not found. Unit: grey levels, in the mean. Found:
drawn tables: what is as it was changes by 1, an ace under a king that was lifted by 21 in a part."""

PAPER = 45.0
"""What is darker than the paper of the place by more is a hand, a sleeve, or a picture. Unit: grey levels, in the mean.
Found: chosen by hand."""

ABSENT_LOOKS = 2
"""So often another card has to show in a card's place before the card is gone, and one without a name that was read as
often be missed. Unit: looks. Found: chosen by hand: one look may miss a card."""

SAME_PLACE = 0.25
"""A card whose corners moved by less lies where it lay: 18 mm. Unit: share of the card's size. Found: chosen by
hand."""

SAME_INDEX = 0.05
"""An index that lies nearer to where one of the same face was read is that one: 4 mm. Unit: share of the card's size.
Found: chosen by hand: indices of a row so tight that one is still seen are three times as far apart."""

PUSHED = 1.0
"""One that moved by less, while its old place is seen empty, was pushed. Unit: share of the card's size. Found: chosen
by hand."""

LAY_ON = 0.7
"""A card that is found again lay under one that is not, where they share more: that one was lifted. Cards of a fan
share less. Unit: overlap. Found: those of a tight fan on a filmed table share 0.62."""

DEEP = 3
"""A card under so many others that are covered does not show again: what reads as it was laid there anew. Unit: cards.
Found: chosen by hand: who lifts cards from a pile lifts one or two."""

PUSHED_IOU = 0.1
"""… if old and new place overlap by more. Unit: IoU. Found: chosen by hand."""

FAR_APART = 4.0
"""Cards that all moved alike, and lie so far from each other, were moved with the camera: hands move what lies close
together. Unit: share of the card's size. Found: chosen by hand: 30 cm."""

SEVERAL_BACKS = 3
"""Where no card lies open, fewer backs that moved alike tell nothing. Unit: backs. Found: chosen by hand."""

NEIGHBOURS = 1.5
"""Cards whose middles are no farther from each other lie side by side: a hand moves a row as one. Unit: share of the
card's size. Found: chosen by hand."""

PUSH_S = 1.5
"""While nearly nothing is where it was, and something moves, it is waited for so long. Unit: s. Found: chosen by hand:
three times as long as a push of the films shakes."""

CLOSE_TO = 0.5
"""A back that lies closer to where a card's push would have taken one is that one: a single card tells no turn well.
Unit: share of the card's size. Found: chosen by hand."""

ON_THE_WAY = 0.6
"""What moves no farther from the way of such cards is they, and their shadows. Unit: share of the card's size. Found:
chosen by hand."""

BY_HAND = 0.2
"""Where more of what moved is not on their way, a hand was there. Unit: share. Found: chosen by hand: of an arm more
than half is not."""

MOSTLY_COVERED = 0.45
"""What lies on cards with more is a second detection of those, if nothing moved there, or if it has no name and is not
found again. Unit: share of the area. Found: chosen by hand."""

ACCEPT = 0.8
"""A track has a name from here on. Unit: probability. Found: chosen by hand."""

REPEATED_READ = 0.35
"""What a read counts before which nothing moved: it is hardly new. Unit: weight. Found: chosen by hand."""

MOST_REPEATS = 4
"""Further ones count nothing. Unit: reads. Found: chosen by hand."""

OTHER_FACES = 50
"""Among so many the rest of the probability is shared. Unit: faces. Found: faces of a deck."""

LEAST_OTHER = 1e-3
"""They have at least this together. Unit: probability. Found: chosen by hand."""

CLEAR_AT_ONCE = 0.95
"""A card read less surely, and once, is tentative. Unit: probability. Found: chosen by hand."""

LEANING_READS = 3
"""A face that no read was sure of has the name after so many that leant to it. Unit: reads. Found: chosen by hand."""

LEANING_SURE = 0.97
"""… if all of them together say so. Unit: probability. Found: chosen by hand."""

LEANING_MEAN = 0.5
"""… and each does on average. Unit: probability. Found: as likely as not."""

MAX_READS = 3
"""A still table is read again while some card is unclear, so many times at most. Unit: reads. Found: by its cost: as
little as leaves the answers as they are. Guard: a table that stays unclear must be told."""

MOST_CROPS = 400
"""So many evidence pictures are remembered. Unit: pictures. Found: by its cost: as little as leaves the answers as they
are. Guard: memory."""

CROP_SIDE = 360
"""Longer side of an evidence picture. Unit: px. Found: by its cost: as little as leaves the answers as they are. Guard:
memory; for people's eyes."""

CROP_MARGIN = 0.12
"""What it shows around the card. Unit: share of the longer side. Found: chosen by hand. Guard: for people's eyes."""

GLANCE_EVERY = 3
"""While something moves, places are looked at so often. Unit: frames. Found: by its cost: as little as leaves the
answers as they are."""

MENDED_S = 20.0
"""That the camera was pushed is shown for so long. Unit: s. Found: chosen by hand. Guard: for people's eyes."""

CHECK_EVERY_S = 5.0
"""Covered cards are looked for again so often. Unit: s. Found: by its cost: as little as leaves the answers as they
are. Guard: time out."""

PAUSE_S = 0.1
"""So long a frame is waited for. Unit: s. Found: by its cost: as little as leaves the answers as they are. Guard: time
out."""

LETTER_PICTURES = 2
"""A letter read in so many pictures is printed in this table's deck. Unit: pictures. Found: chosen by hand."""

BACK_READS = 2
"""What a back, or something that looks like no face, looks like is known once it was read so often. Unit: reads. Found:
chosen by hand."""

AROUND_STACK = 0.15
"""So far around the place of a stack the table is looked at, for what stands out from it. Unit: share of the place's
shorter side. Found: chosen by hand."""

BACK_ASTRAY = 20.0
"""What differs less from a known back may be one that was outlined astray. Unit: mean distance of colours (Lab). Found:
on a film backs outlined six per cent too narrow differ by 11.5 to 18."""

BACK_SHIFTS = (-0.06, 0.0, 0.06)
"""So far aside its outline is tried then, in its usual size. Unit: share of its sides. Found: on the same film."""

MOST_BACKS = 6
"""So many looks of backs are remembered, the latest: a table holds as many designs as decks. Unit: looks. Found: chosen
by hand."""

MOST_STRANGE = 24
"""So many outlines that no card explains are remembered, the latest. Unit: outlines. Found: chosen by hand."""

PART_REACH = 1.4
"""So far around what changed a picture is read: a card of which a part changed is seen whole, and what lies beside it.
Unit: roots of a card's area, of which a card is 1.2 long. Found: geometry of a card."""

MOST_IN_PARTS = 0.4
"""Where such parts hold more of the picture it is read whole. Unit: share of the picture. Found: by its cost: as little
as leaves the answers as they are."""

OUTSIZED = 1.35
"""What is so many times as long or wide as the cards of its table is no card. Unit: ratio. Found: of 978 cards of 49
development films none that had a name at first sight was larger than 1.25, one in 200 larger than 1.12."""

GROWN = 1.15
"""A card that is known and is found so many times as long or wide as those of its table lies as it lay. Unit: ratio.
Found: chosen by hand: one in 200 right outlines is as large, those of two cards taken for one from 1.2 on."""

UNDERSIZED = 0.75
"""What is so many times as long or wide as the cards of its table, or less, is none. Unit: ratio. Found: of 597 right
reads of 16 development films one was smaller than 0.8, a strip that had no name by itself; the halves of a court with
four indices, read as two cards, are 0.55 as wide."""

SIZES_KNOWN = 3
"""So many cards tell how large those of a table are. Unit: cards. Found: chosen by hand."""

OUTSIZED_AGREES = 0.5
"""What is read in such an outline is no surer. Unit: probability. Found: chosen by hand: less than any name needs."""
