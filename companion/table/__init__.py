"""Where cards on the table become actions of a game.

What lives here: layouts (which part of the table is which zone: `solve` finds one for real cards from what a game
declares, with the measures of `forms`, the seats of `seating` and the shelves of `pack`), and the interpretation over
time that everything hangs on. `sight` remembers every zone through hands, `strangers` leaves out backs that are no
part of the game (a deck in a dealer's hand); a small `beam` of hypotheses about what was done, filled by `fill` from
what a game has open, is judged by how the whole table looks against how the game would expect it (`misfit`) and by the
hands that were seen (`touches`, `visits`); what is closed and far ahead of its rivals is certain (`decide`), once
nothing more can follow (`patience`); what is not is shown as tentative or asked (`ask`), and what later looks refute
the camera corrects itself (`mend`). The same code serves every game: it knows prompts, slots and zones, no rules.

What may come in: plain results of `companion.vision.types`, games and matches. What never does: a picture, OpenCV, a
clock, the journal, the page. Layout files are read by whoever has them; here they are text.
"""

from __future__ import annotations

from companion.table.ask import Question
from companion.table.compare import Difference, difference
from companion.table.layout import Layout, LayoutError, ZoneShape
from companion.table.mend import Correction
from companion.table.observation import Observation, Proposal
from companion.table.observe import Observer, observe

__all__ = [
    "Correction",
    "Difference",
    "Layout",
    "LayoutError",
    "Observation",
    "Observer",
    "Proposal",
    "Question",
    "ZoneShape",
    "difference",
    "observe",
]
