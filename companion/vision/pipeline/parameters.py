"""Numbers that decide what of a picture is reported, and how.

Each with its meaning, its unit, and how it was found; read as `parameters.NAME`, so that one can be moved
(`benchmarks/parameters.py`; what each does stands in `docs/parameters.md`).
"""

from __future__ import annotations

LONGEST_PICTURE = 2560
"""Larger pictures are shrunk to this longer side. Unit: px. Found: by its cost: as little as leaves the answers as they
are. Guard: time and memory at huge pictures."""

SURE_INDEX_SCORE = 0.25
"""An index that scores less must be read clearly, or it was none. Unit: score. Found: chosen by hand."""

LEAST_WEIGHT = 0.25
"""A detected index in whose crop the classifier sees less of one was none. Unit: weight. Found: chosen by hand."""

PLAIN = 0.98
"""A faint index counts where the classifier is surer that it is one, and of which face. Unit: probability. Found:
chosen by hand; its rule was measured on composed scenes."""

NO_FACE_NEEDED = 0.99
"""What two indices of a card both say more surely, its whole face only repeats. Unit: probability. Found: every
reported figure stayed what it was."""

SURE_OBSERVATION = 0.6
"""Of detections in one place, those read more surely count before the others. Unit: probability. Found: chosen by
hand."""

REFINED_HEIGHT = (0.5, 2.0)
"""A refined index that is so much smaller or larger than the detected one is refused. Unit: ratio. Found: chosen by
hand. Guard: a network's wild answer."""

REFINED_REACH = 0.7
"""… or that lies farther away. Unit: index heights. Found: chosen by hand. Guard: a network's wild answer."""

REFINED_WAY = 0.5
"""… or that reads another way. Unit: cosine. Found: chosen by hand. Guard: a network's wild answer."""

CLOSER_MARGIN = 1.2
"""Margin of the further crop of an index that was not read surely; the first one has 1.4. Unit: index sizes. Found:
chosen by hand."""

CORNER_IN_PICTURE = 0.6
"""Corners of outlines are observed that lie in the picture with more. Unit: share of the window. Found: chosen by
hand."""

SAME_CARD_REACH = 0.45
"""Cards of two passes whose middles are nearer are one. Unit: share of the card's size. Found: chosen by hand."""

SURE_ALONE = 0.99
"""A face of which there is only one keeps its name from here on, though the second pass misses it. Unit: probability.
Found: chosen by hand; its rule was measured on composed scenes."""

SURE_CARD = 0.9
"""What is a card of its own with less chance is looked at twice. Unit: probability. Found: chosen by hand."""

PART_MARGIN = 1.0
"""So far around a card in doubt the second pass looks. Unit: long sides of the card. Found: chosen by hand."""

MOST_IN_PARTS = 0.5
"""Where those parts hold more of the picture it is read whole. Unit: share of the picture. Found: chosen by hand."""

PASSING_BACK = 0.6
"""A back that only one pass sees goes if it scores less. Unit: score. Found: chosen by hand."""

PART_OF_CARD = 0.8
"""What is smaller than an enrolled deck's card may be part of its picture. Unit: ratio. Found: chosen by hand."""

PART_INSIDE = 0.75
"""… where more of it lies in that card. Unit: share. Found: chosen by hand."""

PART_AGAIN = 0.25
"""An outline of which more lies in a card of its name is a second one of it, where a deck has no further copy. Unit:
share. Found: chosen by hand."""

SAME_OUTLINE = 0.6
"""Two outlines that share more are one card of an enrolled deck. Unit: overlap. Found: chosen by hand."""

SURE_PRINT = 0.8
"""A name that is not misread in every picture alike with a smaller chance is read once more by a camera that watches.
Unit: probability. Found: what a followed card needs for its name."""

MOST_SAID = 5.0
"""What one corner of a card, or its whole face, says for its name against another counts no more. Unit: difference of
log-likelihoods. Found: 240 composed tables of rows, fans and piles, of 48 prints that trained no network: 14 names were
wrong, all with evidence that contradicts itself, or of one corner at most 3.5 ahead."""

LEAST_AHEAD = 3.45
"""A name that is ahead of each other one by so much is as likely as not misread in every picture alike. Unit:
difference of log-likelihoods. Found: as the last: with 1.4 more, as a name needs, 1,060 names were told, 97 of them by
one corner alone, none wrong; 294 right ones were not told. On a film one lone corner was misread with a chance of
.99."""

CORNERS_LOOKED_AT = 3
"""A card on which no index is found may be a joker where so many of its corners were looked at. Unit: corners. Found:
chosen by hand: the fourth may be out of the picture."""

JOKER_WITHOUT_INDEX = (-20.8, 14.9, 6.6, 5.4, 1.23, 0.57, 2.2)
"""How likely such a card is one: the weights of 1, the outline's score, the chance that it is a card of its own, how
much its face shows, and the logarithms of how little of another index its corners show, of the face's chance to be a
joker, and to be none of the 52 faces, each and a hundredth. Unit: log-odds. Found: logistic regression over 214 cards
without a name of composed scenes and films of development seeds, 57 of them jokers, all films alike; 56 of the jokers
get 0.5 or more, and three of the others, all in harsh light."""

NEVER_A_NAME = 0.88
"""It is never so likely that it gets a name: cards that are no playing cards have no index either. Unit: probability.
Found: chosen by hand, below what a name needs."""

SEEN_AS_JOKER = 0.97
"""So surely it was read so then. Unit: probability. Found: chosen by hand."""

OWN_PICTURE = 0.5
"""A card whose picture an enrolled deck knows more surely is no joker. Unit: probability. Found: chosen by hand."""

INDEX_SAYS = 0.5
"""A card in doubt whose index says more surely which it is is read twice, whichever an enrolled deck names it. Unit:
probability. Found: chosen by hand; of cards of 65 on filmed tables no index said as much."""

BESIDE_CARDS = 0.2
"""What is in doubt is read twice, though an enrolled deck names it at once, where more of an outline lies beside all
cards. Unit: share of it. Found: chosen by hand; of one at a tile between two others 0.25 did."""

SAME_PART = 0.9
"""Two outlines that share more show an enrolled deck the same. Unit: overlap. Found: chosen by hand."""

SAME_PLACE = 0.5
"""Where a card has a name no other is looked for in an outline that shares more. Unit: overlap. Found: of two cards of
which a third is seen of the lower one."""

WITHIN_CARD = 0.9
"""An outline of which more lies within a card that has a name shows part of that card. Unit: share. Found: of cards of
three invented decks that were found so 0.54 at most did."""

WHOLE_CARD = 0.7
"""An outline that is smaller than this, beside the smallest card of an enrolled deck that has a name or lies face down,
is no whole card. Unit: ratio of the roots of areas. Found: of cards of three invented decks that were found in such
outlines the least had 1."""

SURE_FURTHER = 0.98
"""A card that is looked for in several outlines gets a name from here on. Unit: probability. Found: on twenty invented
decks of the development seeds: of 188 names from here on none was wrong, of 43 from 0.9 to here 4 were; before outlines
were exact, 3 of 9 between here and 0.994."""

SAYS_OTHERWISE = 0.5
"""… unless another look at the same place says more surely that it is another card. Unit: probability. Found: on
invented decks of the development seeds, where two looks at one card were sure of two names. Guard: a wrong name."""

LOOKS_WHOLE = 1
"""Of outlines in one place in which no card was named so many are looked at closely: those in which one picture is
furthest ahead of the others. Unit: outlines. Found: with the next."""

LOOKS_COVERED = 5
"""… and so many where others lie over them. Unit: outlines. Found: on 128 tables of twelve invented decks of the
development seeds, of 1,642 cards 1,543 were named rightly and 3 wrongly, with all outlines 1,542 and 3; with 3 of them
and a picture less tried six fewer on a third of the tables."""

LEAST_BACK = 0.25
"""What looks like a back counts where the detector scores it so much, as whatever. Unit: score. Found: backs of filmed
tables that went score 0.3 to 0.8."""

MANY_ALIKE = 20
"""More backs that look alike may be the checks of a cloth. Unit: backs. Found: chosen by hand."""

SURE_BACKS = 0.3
"""Of so many backs at least so many are sure. Unit: share. Found: on a cloth of checks as large as cards 9 of 115
were."""

BACK_ASIDE = 0.14
"""A back whose outline is not exact is looked for so far aside. Unit: share of its sides. Found: chosen by hand."""
