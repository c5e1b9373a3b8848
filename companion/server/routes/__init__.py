"""What can be asked of the server: one blueprint a file, every handler a few lines.

What lives here: addresses, what a handler takes and answers (`operation`), and the calls into the rooms that do the
work. What may come in: everything below (`context` and `page` for the request at hand, `desk` behind it, `show` for the
picture, `schema` for the shapes). What never does: a handler of another file. What two of them need lies below.
"""

from __future__ import annotations

from flask import Blueprint

from companion.server.routes.api_pages import api_pages
from companion.server.routes.backups import backups
from companion.server.routes.camera import camera_routes
from companion.server.routes.decks import deck_pages
from companion.server.routes.demo import demo_pages
from companion.server.routes.enrol import enrol_routes
from companion.server.routes.evenings import evening_pages
from companion.server.routes.games import games_api
from companion.server.routes.history import history_pages
from companion.server.routes.install import install_pages
from companion.server.routes.odds import odds_pages
from companion.server.routes.own_decks import own_deck_routes
from companion.server.routes.pages import pages
from companion.server.routes.pictures import pictures
from companion.server.routes.practice import practice_pages
from companion.server.routes.roles import roles
from companion.server.routes.rules import rule_pages
from companion.server.routes.tables import tables_api
from companion.server.routes.zones import zone_routes

BLUEPRINTS: tuple[Blueprint, ...] = (
    tables_api,
    games_api,
    roles,
    api_pages,
    pages,
    camera_routes,
    zone_routes,
    deck_pages,
    own_deck_routes,
    enrol_routes,
    odds_pages,
    history_pages,
    evening_pages,
    practice_pages,
    install_pages,
    demo_pages,
    backups,
    rule_pages,
    pictures,
)

__all__ = ["BLUEPRINTS"]
