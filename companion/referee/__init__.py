"""The referee: judges every action against its game, counts every card, and keeps the line of events.

What lives here: events (`events`), the match as a fold over them (`match`), the count of copies (`copies`), games
as readable text (`record`), and games played by bots (`simulate`). What may come in: a game and its actions. What
never does: a file, a clock, a database, a camera, randomness that nobody handed in.

A ruling never blocks the people at the table. A foul is written down and waits: they take it back, or they play
on and it counts as it lies. Both are events, like everything else, and any event can be taken back or corrected
later; whatever came after it is then judged again.
"""

from companion.referee.events import (
    Acted,
    Corrected,
    Event,
    EventError,
    Finished,
    Overruled,
    Started,
    TookBack,
    event_from_json,
)
from companion.referee.hand import Play, Weighed, weigh_hand
from companion.referee.match import Change, Entry, Match
from companion.referee.offers import offers

__all__ = [
    "Acted",
    "Change",
    "Corrected",
    "Entry",
    "Event",
    "EventError",
    "Finished",
    "Match",
    "Overruled",
    "Play",
    "Started",
    "TookBack",
    "Weighed",
    "event_from_json",
    "offers",
    "weigh_hand",
]
