"""From a camera to a believed table: everything between light and a list of physical cards.

What lives here. Storeys, by what happens in them; each opens with what may come in and what never does:

* `camera`: frames, and how their px become table coordinates;
* `reading`: networks on pixels: detections, and the evidence of single crops;
* `assembly`: detections and evidence become physical cards, in millimetres on the table's plane;
* `pipeline`: one picture in, its cards out: the three above in turn;
* `following`: many pictures in, a table of lasting cards out.

Beside them: `types`, the plain values that go out and need no OpenCV; `images`, which decodes a picture; `geometry`, a
card as a plane figure; `annotate`, which draws a result for people. Where a card is and what it is are separate models
on purpose: a deck nobody trained on is found all the same.

What may come in: pictures, weights, and the set of faces a deck has, as a prior for ties. What goes out: the values of
`types`.

What never comes in: rules, games, the referee's wishes. A card is never merged, split or invented because a game
would like it; two equal faces are two cards when, and only when, geometry says so.
"""

from companion.vision.types import Candidate, CardRead, Point, Quad, ReadResult, SeenCard, SeenTable, Side, Unit

__all__ = ["Candidate", "CardRead", "Point", "Quad", "ReadResult", "SeenCard", "SeenTable", "Side", "Unit"]
