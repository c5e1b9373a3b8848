"""Where cards on the table become actions of a game.

What lives here: layouts (which part of the table is which zone: `solve` finds one for real cards from what a game
declares, with the measures of `forms`, the seats of `seating` and the shelves of `pack`), and the one comparison that
everything hangs on: the table as seen against the table as the game expects it. The action whose expected table is the
seen one is what somebody did; where none, several or a doubtful one fits, there is a question for people instead. The
same code serves every game: it knows prompts, slots and zones, no rules.

What may come in: plain results of `companion.vision.types`, games and matches. What never does: a picture, OpenCV, a
clock, the journal, the page. Layout files are read by whoever has them; here they are text.
"""

from __future__ import annotations

from companion.table.compare import Difference, difference
from companion.table.explain import Proposal, explain
from companion.table.layout import Layout, LayoutError, ZoneShape
from companion.table.observe import Observation, Observer, Question, observe

__all__ = [
    "Difference",
    "Layout",
    "LayoutError",
    "Observation",
    "Observer",
    "Proposal",
    "Question",
    "ZoneShape",
    "difference",
    "explain",
    "observe",
]
