"""From a camera to a believed table: sources, detection, reading, geometry, tracking.

What lives here. Everything between light and a list of physical cards. A picture is decoded (`images`), cards and
index corners are found by a class-agnostic network (`detector`), outlines are moved onto their edges (`edges`), plane
geometry says which index belongs to which physical card (`geometry`), two small networks say what each card is or
that they cannot tell (`reader`), and `pipeline.Reader` runs all of it on one picture. Where a card is and what it is
are separate models on purpose: a deck nobody trained on is found all the same, and a gallery of enrolled decks is
one more source of evidence on the crops that are cut already.

What may come in: pictures, weights, and the set of faces a deck has, as a prior for ties. What goes out: the plain
values of `types`, which need no OpenCV to import.

What never comes in: rules, games, the referee's wishes. A card is never merged, split or invented because a game
would like it; two equal faces are two cards when, and only when, geometry says so.
"""

from companion.vision.types import Candidate, CardRead, Point, Quad, ReadResult, SeenCard, SeenTable, Side, Unit

__all__ = ["Candidate", "CardRead", "Point", "Quad", "ReadResult", "SeenCard", "SeenTable", "Side", "Unit"]
