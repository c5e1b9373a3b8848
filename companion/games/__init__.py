"""The games: each a pure function of its events, a folder a game.

What lives here, in the order in which one reads it: the plain data that goes in and comes out (`values`), the true
cards that bots play with (`world`), the contract that every game keeps (`contract`), what several games share
(`setup`, `places`, `common`, `turns`, `three_card`), the list of the games (`registry`), what holds games from
outside at arm's length (`guard`), and a folder per game with everything that is that game's alone. In every folder
`options` are its house rules, `state` is what is known, `rules` is the referee and reads like the rule sheet, `zones`
is what lies on the table, `view` is how it looks, `world` deals true cards; what else there is tells the folder's
first page. What may come in: faces as text codes, categories and rankings from `companion.hands`, decks from
`companion.cards`. What never does: a clock, randomness, a file, a camera, a page, another game. Sentences for people
stand beside the code of their game, in data files that the page reads. A game knows what has been shown at the table;
everything else is a count.

`game("hexa-card")` gives the game; modules are imported when they are first asked for.
"""

from __future__ import annotations

from companion.games.contract import Game, Setup, SetupError
from companion.games.guard import GameError
from companion.games.places import Form, Place, Shows
from companion.games.registry import UnknownGameError, game, ids, origin, package, places, refused
from companion.games.values import (
    UNKNOWN,
    Action,
    Arg,
    CardView,
    Choice,
    Hand,
    Msg,
    Option,
    PlayerView,
    Prompt,
    Role,
    Ruling,
    ScoreLine,
    Slot,
    Verdict,
    View,
    Violation,
    Zone,
    ZoneView,
)
from companion.games.world import Chance, World

__all__ = [
    "UNKNOWN",
    "Action",
    "Arg",
    "CardView",
    "Chance",
    "Choice",
    "Form",
    "Game",
    "GameError",
    "Hand",
    "Msg",
    "Option",
    "Place",
    "PlayerView",
    "Prompt",
    "Role",
    "Ruling",
    "ScoreLine",
    "Setup",
    "SetupError",
    "Shows",
    "Slot",
    "UnknownGameError",
    "Verdict",
    "View",
    "Violation",
    "World",
    "Zone",
    "ZoneView",
    "game",
    "ids",
    "origin",
    "package",
    "places",
    "refused",
]
