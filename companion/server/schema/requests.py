"""The shapes that go through the API, as JSON Schema (2020-12). Requests are measured with them and tests measure
every kind of answer; the API's document shows exactly these."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.games import game, ids
from companion.referee.bots import BOTS
from companion.server.schema.answers import answers
from companion.server.schema.shapes import (
    BOOL,
    CARD,
    CARDS,
    KEY,
    NUMBER,
    PLACE,
    PLAIN,
    ROLE,
    SEAT,
    TABLE,
    TEXT,
    WHOLE,
    Schema,
    array,
    either,
    one_of,
    record,
    ref,
)

STATUS = {
    200: "Done.",
    201: "Made.",
    400: "A parameter or a field of the body is missing or impossible; the sentence names it.",
    401: "This needs a key, and the request shows none.",
    403: "This device may not do that.",
    404: "There is no such thing.",
    409: "Somebody was faster: the table has moved on to entry `seq`. Look at it again and repeat.",
    413: "The body is too large.",
    415: "The body has another content type than the one asked for.",
    422: "Well-formed, but the game or the table does not allow it; the sentence says why.",
    429: "Too often within a minute.",
    500: "Something went wrong in the server.",
    503: "Not now: too many pages listen at once, or the games cannot be reached.",
}
"""What every status means here."""

_DECK_NAME: Schema = {
    "type": "string",
    "pattern": "^[0-9A-Za-z][0-9A-Za-z~-]{0,40}$",
    "description": "A deck's name.",
    "examples": ["52D2"],
}

PATH: dict[str, Schema] = {
    "table_id": TABLE,
    "seq": {"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "An entry's number."},
    "name": _DECK_NAME,
    "deck": _DECK_NAME,
    "face": {
        "type": "string",
        "minLength": 1,
        "maxLength": 24,
        "pattern": "^[^\\u0000-\\u0020/?#%]+$",
        "examples": ["10H"],
    },
    "suit": {"enum": ["S", "H", "D", "C"]},
    "board": {"enum": ["mat-a4", "mat-a3", "mat-a2", "tags-a4"], "description": "A board to print."},
    "kind": {"enum": ["pdf", "svg"]},
    "question": {"type": "string", "pattern": "^[0-9a-f]{16}$", "description": "A question's id."},
    "device": {"type": "string", "pattern": "^[0-9a-f]{12}$", "description": "A device's id in the list of devices."},
    "role": {"type": "string", "pattern": "^(host|scorekeeper|camera|board|seat-[0-9]{1,2})$"},
    "key": {"type": "string", "pattern": "^[0-9a-f]{32}$", "description": "A picture's key."},
    "kept": {"type": "string", "pattern": "^[0-9]{8}-[0-9]{6}-[a-z0-9-]{1,20}$", "description": "A removed table."},
}
"""The parameters of addresses, by name."""


OWN_DECK: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9-]{1,24}~[0-9a-f]{8}$",
    "description": "A deck of one's own that fits the game.",
}


def _new_tables() -> dict[str, Schema]:
    """A new table of each game: the games themselves say how many players, which decks, which house rules."""
    found: dict[str, Schema] = {}
    for name in ids():
        rules = game(name)
        options = {
            option.name: {
                "type": "string",
                "maxLength": option.free,
                "description": f"{', '.join(option.values)}, or a text",
            }
            if option.free
            else {"enum": list(option.values)}
            for option in rules.options
        }
        found[_title(name)] = record(
            {
                "game": {"const": name},
                "players": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": rules.least_players,
                    "maxItems": rules.most_players,
                    "description": "Names in seat order; who has none is called after the seat.",
                },
            },
            {
                "deck": {
                    "anyOf": [{"enum": ["", *rules.decks]}, OWN_DECK],
                    "description": "Without one the game takes the one it recommends.",
                },
                "teams": _TEAMS,
                "options": record({}, options),
                "camera": _CAMERA,
                "key": {**KEY, "minLength": 16},
                "pin": _PIN,
            },
        )
    return found


def _title(name: str) -> str:
    return "NewTable" + "".join(part.capitalize() for part in name.split("-"))


_PIN: Schema = {
    "type": "string",
    "pattern": "^[0-9A-Za-z]{1,40}$",
    "description": "The code that the server shows at its start, where its owner asks for one.",
}
_TEAMS: Schema = {
    **array({"type": "string", "maxLength": 80}),
    "maxItems": 64,
    "description": "The team of every player, empty for none; no list at all: everybody plays for himself.",
}
_CAMERA: Schema = {
    "type": ["string", "null"],
    "minLength": 1,
    "maxLength": 400,
    "pattern": "^[^\\u0000-\\u001f]*$",
    "description": "An id from the list of cameras; null: taps only.",
}
_OF: Schema = {**NUMBER, "description": "The entry's number."}
_SEEN: dict[str, Any] = {
    "seq": {
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 999_999_999,
        "description": "The last entry the sender has seen.",
    },
    "key": {**KEY, "type": ["string", "null"]},
}


def _requests() -> dict[str, Schema]:
    new = _new_tables()
    return {
        "NewTable": one_of("game", {name: _title(name) for name in ids()}),
        **new,
        "AnyNewTable": record(
            {
                "game": {"type": "string", "maxLength": 80},
                "players": {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 64},
            },
            {
                "deck": {"type": "string", "maxLength": 80},
                "teams": _TEAMS,
                "options": {"type": "object", "additionalProperties": TEXT},
                "camera": _CAMERA,
                "key": {**KEY, "minLength": 16},
                "pin": _PIN,
            },
        ),
        "Action": record(
            {"kind": {**PLAIN, "minLength": 1}},
            {
                "seat": {"type": ["integer", "null"], "minimum": 0, "maximum": 99},
                "cards": CARDS,
                "args": {
                    "type": "object",
                    "maxProperties": 20,
                    "propertyNames": PLAIN,
                    "additionalProperties": either(PLAIN, WHOLE, BOOL, CARDS),
                },
            },
            description="One thing somebody did. What may be done now stands in `prompts` of the table.",
            examples=[{"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]}],
        ),
        "Intent": one_of(
            "intent",
            {
                "act": "Act",
                "take-back": "Decision",
                "play-on": "Decision",
                "correct": "Correction",
                "finish": "Finish",
            },
        ),
        "Act": record(
            {"intent": {"const": "act"}, "action": ref("Action")},
            {
                **_SEEN,
                "source": {"enum": ["tap", "camera"]},
                "evidence": {"type": ["string", "null"], "pattern": "^[0-9a-f]{1,80}$"},
            },
        ),
        "Decision": record({"intent": {"enum": ["take-back", "play-on"]}, "of": _OF}, _SEEN),
        "Correction": record({"intent": {"const": "correct"}, "of": _OF, "action": ref("Action")}, _SEEN),
        "Finish": record(
            {"intent": {"const": "finish"}}, _SEEN, description="The game ends here, for whoever keeps it."
        ),
        "NewPractice": record(
            {"game": {"enum": list(ids())}},
            {
                "bots": {"enum": list(BOTS[1:]), "description": "How well they play."},
                "players": {"type": "integer", "minimum": 2, "maximum": 8, "description": "You and the bots."},
                "key": {**KEY, "minLength": 16},
            },
        ),
        "PracticeMove": record(
            {"move": {**PLAIN, "minLength": 1}, "seq": NUMBER},
            {
                "cards": CARDS,
                "option": {"type": ["integer", "null"], "minimum": 0, "maximum": 999},
                "args": {
                    "type": "object",
                    "maxProperties": 20,
                    "propertyNames": PLAIN,
                    "additionalProperties": either(PLAIN, WHOLE, BOOL, CARDS),
                },
                "key": KEY,
            },
        ),
        "PracticeStep": record({"seq": NUMBER}, {"let": BOOL, "key": KEY}),
        "Again": record(
            {}, {"turn": {**BOOL, "description": "Everybody one seat on."}, "key": {**KEY, "minLength": 16}}
        ),
        "Archive": record({"archived": BOOL}, {"key": KEY}),
        "Remove": record({"sure": {**TABLE, "description": "The table's id once more."}}, {"key": KEY}),
        "CameraChoice": record({"camera": _CAMERA}, {"key": KEY}),
        "QuestionAnswer": record(
            {},
            {
                "option": {"type": ["integer", "null"], "minimum": 0, "maximum": 999},
                "face": {**CARD, "type": ["string", "null"]},
                "choice": {"type": "string", "maxLength": 40, "description": "The `id` of one of the options."},
                "key": KEY,
            },
            description="One of the options, by id or number, or a face that was not thought of, or none of it.",
        ),
        "TableArea": record(
            {},
            {
                "corners": {
                    **array(PLACE),
                    "minItems": 4,
                    "maxItems": 4,
                    "description": "Fractions of the picture, clockwise from the table's own top left: the first "
                    "player sits at the edge between the last two.",
                },
                "mat": {**BOOL, "description": "Find the printed mat."},
                "tags": {**BOOL, "description": "Find the cut-out tags on the corners of a table of `size`."},
                "cards": {**BOOL, "description": "All that is seen, in mm by the cards that lie there."},
                "lens": {
                    "type": "number",
                    "minimum": -0.9,
                    "maximum": 0.2,
                    "description": "With corners: how the lens bends the picture, as a proof by tags said.",
                },
                "size": {
                    **array({"type": "number", "minimum": 10, "maximum": 20_000}),
                    "minItems": 2,
                    "maxItems": 2,
                    "description": "Width and height of the area in mm, where somebody measured.",
                },
                "key": KEY,
            },
            description="Which part of the picture is the table; an empty object: all of it.",
        ),
        "ZoneBoxes": record(
            {},
            {
                "zones": {
                    **array(
                        record(
                            {
                                "id": {"type": "string", "pattern": "^[a-z]{1,20}(:[0-9]{1,2})?$"},
                                "box": {
                                    **array({"type": "number", "minimum": -1, "maximum": 2}),
                                    "minItems": 4,
                                    "maxItems": 4,
                                    "description": "Left, top, right and bottom in shares of the table.",
                                },
                            }
                        )
                    ),
                    "maxItems": 100,
                },
                "key": KEY,
            },
            description="Where zones lie; an empty object: where they were solved to lie.",
        ),
        "RoleChoice": record({"role": {"type": "string", "pattern": ROLE}}, {"key": KEY}),
        "PrivateHand": record({"cards": {**CARDS, "minItems": 1}}, {"key": KEY}),
        "Offering": record({"kind": TEXT, "seat": SEAT}, {"key": KEY, "cards": CARDS}),
        "EnrolmentStep": record(
            {
                "deck": {**PLAIN, "description": "A deck's name."},
                "do": {"enum": ["begin", "skip", "back", "again", "take", "more", "go"]},
            },
            {"face": CARD, "phone": PLAIN, "key": KEY},
            description="`again` throws the last picture away, `take` takes the next one as it is, `more` asks for one "
            "picture more of each card, `go` for the card `face`.",
        ),
        "EnrolmentCamera": record({"deck": PLAIN, "camera": _CAMERA}, {"key": KEY}),
        "SampleChoice": record(
            {"deck": PLAIN, "sample": {**NUMBER, "maximum": 9999}, "face": {**CARD, "description": "Its card."}},
            {"key": KEY},
        ),
        "DrawingChoice": record(
            {"deck": PLAIN, "face": {**PLAIN, "description": "A card's code, or a picture's."}}, {"key": KEY}
        ),
        "DeckChoice": record(
            {"deck": PLAIN, "sure": {**PLAIN, "description": "The deck's name once more."}}, {"key": KEY}
        ),
        "Empty": record({}, {"key": KEY}),
    }


def schemas() -> dict[str, Schema]:
    """All schemas by name."""
    return _schemas(ids())


@lru_cache(maxsize=4)
def _schemas(_games: tuple[str, ...]) -> dict[str, Schema]:
    return {**answers(), **_requests()}
