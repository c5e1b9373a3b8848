"""Numbers that decide what is detected, and what crops say.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

CARD_SCORE = 0.25
"""An outline that scores less is no detection. Unit: score. Found: usual for this kind of detector."""

INDEX_SCORE_SHARE = 0.08
"""Indices are worth a crop from this score on: the classifier tells what is none. Unit: share of CARD_SCORE. Found:
chosen by hand; its rule was measured on composed scenes."""

FAINT_INDEX_SCORE = 0.1
"""An index that scores less is hardly seen: it counts only away from clearer ones, and where it is read plainly. Unit:
score. Found: chosen by hand; its rule was measured on composed scenes."""

ECHO_REACH = (0.5, 0.3)
"""A faint index nearer to a clearer one is that one. Unit: index widths, heights. Found: chosen by hand."""

CLEAR_INDEX_SCORE = 0.4
"""Indices that score more say how large indices are in the picture. Unit: score. Found: chosen by hand."""

SAME_OUTLINE = 0.11
"""Outlines whose corners are nearer than this on average are one card: 8 mm. Unit: share of the card's size. Found:
chosen by hand."""

SAME_INDEX = 0.35
"""Corners of detections of one index are no farther apart on average. Unit: share of the index's size. Found: chosen by
hand."""

SAME_CARD_IOU = 0.45
"""Outlines that share more than this and lean alike are one card, however inexactly seen. Unit: IoU. Found: chosen by
hand."""

SAME_CARD_LEAN = 30.0
"""They lean alike where their long sides differ by less. Unit: degrees. Found: chosen by hand."""

MERGED_MEMBERS = 5
"""So many detections of one instance, the clearest, have a say in where it lies. Unit: detections. Found: by its cost:
as little as leaves the answers as they are."""

MERGED_SCORE_SHARE = 0.6
"""Detections of one instance that score less have no say in where it lies. Unit: share of the best score. Found: chosen
by hand."""

NESTED_SLACK = 0.15
"""By so much an outline may stick out of the one on which it is printed. Unit: share of the outline's box. Found:
chosen by hand."""

NESTED_SIZE = 0.65
"""An outline larger than this is not printed on the other. Unit: share of the outer area. Found: chosen by hand."""

NESTED_SHARE = 0.9
"""So much of an outline lies within the one on which it is printed. Unit: share of the inner area. Found: chosen by
hand."""

APART_SHARE = 0.2
"""Two outlines within a larger one that overlap less are two cards on a ground, not prints on a card. Unit: share of
the smaller area. Found: chosen by hand."""

SAME_PRINTED_REACH = (1.0, 0.5)
"""Indices that read alike and lie nearer are one printed index: the next card of a fan leaves a whole index to be seen.
Unit: index widths, heights. Found: geometry of a card."""

CROSSING_SHARE = 0.03
"""Outlines that share more are of cards that lie over each other, not of inexactly seen neighbours. Unit: share of the
smaller area. Found: chosen by hand."""

LARGE_INDEX_PX = 30.0
"""Where indices are higher, cards are too large for the coarse passes: a coarser one tells where they lie. Unit:
network px. Found: chosen by hand."""

BEST_INDEX_PX = 22.0
"""About this height of indices, cards are found best. Unit: network px. Found: chosen by hand.
Guard: cards that fill a photograph, which no composed scene shows: far off it, one is seen twice."""

PART_INDEX_PX = 30.0
"""So high are indices in the second look at a part of a watched picture. Unit: network px. Found: 394 parts of composed
tables of development prints: of 827 readable cards 766 are named, as many as at 640 px (765); at 25 px one fewer, and
two more wrongly."""

LEAST_SECOND = 384
"""That look is so large at least. Unit: network px. Found: with the number above."""

ENOUGH_INDEX_PX = 12.0
"""Where all indices are higher in the coarsest pass, and no card lies over another, that pass suffices. Unit: network
px. Found: chosen by hand."""

WIDEST_TILE = 768.0
"""Finer views of a picture are at most so wide and high. Unit: network px. Found: by its cost: of a table in 1280 x 720
px two of 736 x 736 take half as long as nine of 640 x 384, and little of it is looked at twice."""

INDEX_OF_WIDTH = 0.3
"""How high an index is where none was found. Unit: share of a card's width. Found: geometry of a card."""

WANTED_CARD_PX = 75.0
"""Tiles are so large that a card is about this wide in the network. Unit: network px. Found: chosen by hand."""

TILE_MARGIN = 0.6
"""So far around what was found tiles reach. Unit: card widths. Found: chosen by hand."""

TINY_CARD = 0.35
"""Where cards are smaller, others may not have been seen at all: the whole picture is tiled. Unit: share of
WANTED_CARD_PX. Found: chosen by hand."""

SMALL_CARD = 0.5
"""Cards at least so large need no finer tile. Unit: share of WANTED_CARD_PX. Found: chosen by hand."""

CROSSED_CARD = 0.8
"""Smaller cards that lie over each other are tiled all the same. Unit: share of WANTED_CARD_PX. Found: chosen by
hand."""

WORTH_A_TILE = 1.25
"""A single tile that is not so much closer than the whole picture is not worth its time. Unit: ratio. Found: chosen by
hand."""

CLOSEST_CROSSED = 2.0
"""Tiles of crossed cards, and of an empty picture, are at most so much closer than the whole. Unit: ratio. Found: by
its cost: as little as leaves the answers as they are."""

CLOSEST = 3.0
"""Tiles of small cards are at most so much closer than the whole. Unit: ratio. Found: by its cost: as little as leaves
the answers as they are."""

CROSSED_LAP = 1.2
"""Tiles of crossed cards overlap by this. Unit: card widths. Found: chosen by hand."""

TILE_LAP = 2.0
"""Tiles of small cards overlap by this. Unit: card widths. Found: chosen by hand."""

MOST_DETECTIONS = 400
"""No picture holds more cards and indices; the clearest count. Unit: detections. Found: chosen by hand. Guard: bad
input: noise can look like thousands of indices."""

SHARPEST_CROP = 1.3
"""A crop is taken with more pixels and averaged where one of its pixels shows more. Unit: picture px per crop px.
Found: by its cost: as little as leaves the answers as they are."""

AIM_MARGIN = 2.2
"""How much larger than a detected index the crop is in which its keypoints are refined. Unit: index sizes. Found: kept
as the networks were trained."""

EVIDENCE_FLOOR = 1e-4
"""No crop rules a face out below this: one wild crop must not. Unit: probability. Found: chosen by hand."""

TINY_INDEX_PX = 10.0
"""Where windows of indices are less high, the card is so small that its whole face counts less, by the square. Unit:
px. Found: geometry of a card: one 35 px high, of which the face network sees too few pips to tell them.
Guard: cards of 25 to 35 px, which no scene here shows."""

CONTRADICTION = 0.9
"""Where the whole face shows another number of pips more surely, the name its indices give is a question. Unit:
probability. Found: chosen by hand; its rule was measured on composed scenes."""

LETTER_SURE = 0.8
"""A letter, and the face with it, counts from here on. Unit: probability. Found: chosen by hand."""

LETTER_MAYBE = 0.05
"""A V may be there from here on. Unit: probability. Found: chosen by hand."""

SAME_DECK_HEIGHT = 0.3
"""Letters tell a V's language only from indices whose height differs by less: as far and near ones of a slanted table.
Unit: share of a V's height. Found: geometry of a card."""

JOKER_INK = (12, 32, 8, 56)
"""Where in the crop of an index its ink lies, and none of the picture beside it: from and to column, from and to row.
Unit: px of the crop. Found: of five boxes the one that best tells the inks of 435 jokers of 40 drawn prints apart."""

RED_INK = 0.64
"""A joker is as likely the coloured one as the black one where red gets so much darker in its ink, as a share of what
green and blue do. Unit: ratio. Found: fitted with `RED_INK_SCALE` to the jokers of `JOKER_INK`."""

RED_INK_SCALE = 0.03
"""Which of the two it is gets e times surer with every so much. Unit: ratio. Found: with `RED_INK`; of 282 jokers of
held-out prints 98 % are named, 2 of them wrong."""

JOKER_SURE = 0.9
"""A joker whose colour is less sure than this has no name where the deck has both. Unit: probability. Found: chosen by
hand; from 0.8 to 0.95 one of a hundred more or less is named."""

CHANGE_BLOCK = 8
"""Pictures of one camera are compared in square blocks so wide. Unit: px. Found: chosen by hand: half an index."""

CHANGED_LEVEL = 6.0
"""A block that differs by more shows something else. Unit: grey levels. Found: chosen by hand: ten times the noise of a
block."""

CLEAR_LIGHT = (60.0, 240.0)
"""Between these a block tells how much brighter the picture has become. Unit: grey levels. Found: chosen by hand: steps
of one are small there, and nothing is cut off."""

LEAST_CLEAR = 0.01
"""… where so many blocks do. Unit: share. Found: chosen by hand: one card."""

MOST_CHANGED = 0.4
"""Where more of the picture shows something else it is looked at whole. Unit: share. Found: chosen by hand: that takes
no longer."""

CHANGE_REACH = 0.3
"""So far around what changed, and around cards there, is looked as well. Unit: length of a card. Found: chosen by
hand."""

LOOKS_ANEW = 40
"""After so many looks at parts the picture is looked at whole, and a closer view anew. Unit: looks. Found: chosen by
hand. Guard: errors that stay."""

PICTURES_BEFORE = 6
"""Of so many pictures what was found is remembered: of three cameras, both ways up. Unit: pictures. Found: chosen by
hand. Guard: memory."""

SAME_TILE = 10.0
"""A closer view of which no block differs by more shows what it showed before. Unit: grey levels. Found: on a film
those in which nothing happened differ by 3 to 5, those in which a card came or went by 90 and more."""

TILES_BEFORE = 64
"""Of so many closer views of watched tables what was found is remembered. Unit: views. Found: chosen by hand: three
cameras of twenty. Guard: memory."""

WIDEST_VIEW = 1280.0
"""A part that would be larger is no part. Unit: network px. Found: chosen by hand: four tiles."""

SAME_VIEW = 0.2
"""Finer views whose scale differs by less are the same. Unit: share. Found: chosen by hand."""

CUT_SHARE = 0.1
"""An outline that comes so near to the edge of a closer view may be of a card that the edge cuts. Unit: card widths.
Found: chosen by hand."""

CUT_SAYS = 0.5
"""Such an outline says so much of what one says that is seen whole. Unit: share of the score. Found: on 120 tables of
small cards recall .980 to .982, precision and settled tables the same; on a film 149 names of 29 looks, for 156 of
views laid anew each time, to 124 for 125 of 20."""

SAME_PLACE_PX = 1.0
"""What was found out of an outline that lies so near, in a part of the picture that has not changed, is not looked at
again. Unit: px. Found: chosen by hand: how much outlines tremble from picture to picture."""
