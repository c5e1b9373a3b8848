"""One picture in, its cards out: the storey that runs the others in turn.

What lives here. `Reader` detects, reads the indices, assembles cards, and decides on each: a name, a question, or
nothing. `TwoPassReader` does so twice, the second time with the picture upside down, and keeps what both passes say.

What may come in: pictures, weights, the faces of the deck in use, the letters and inks that were read on this table
before.

What never comes in: anything of earlier pictures (that is what `following` is for), a camera, the rules of a game.
"""

from companion.vision.pipeline.reader import Reader
from companion.vision.pipeline.two_pass import TwoPassReader

__all__ = ["Reader", "TwoPassReader"]
