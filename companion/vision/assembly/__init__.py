"""Detections and evidence become physical cards: each once, in millimetres on the table's plane.

What lives here, in the order in which it happens:

* `edges` moves detected outlines onto the edges in the picture;
* `plane` (`plane_fit`, `plane_model`, `index_pairs`) fits one homography to all outlines and indices of a picture;
  `poses`, `prints` and `rows` say how indices lie on it, which decks they are of, and how rows were laid;
* `assemble` (`borders`, `grouping`, `corner_counts`, `outlines`, `sides`) makes card `hypotheses` of them;
* `instances` joins a hypothesis with the observations of its indices and its classification;
* `duplicates` (`identity`, `row_pattern`) drops what surely is one card found twice;
* `candidates` puts all the rest in order, and `judge` (`trees`) says what of it is a further card, what is none, and
  what somebody must be asked about: a learned score;
* `inks` says which names are in the ink of another suit.

What may come in: detections, evidence of crops, the picture as its edges show. What goes out: `CardInstance`.

What never comes in: earlier pictures, and names as a reason to merge. A name forbids (two faces are two cards), or
makes the reader abstain; that two detections are one card is shown by place and direction alone.
"""
