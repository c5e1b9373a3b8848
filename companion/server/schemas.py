"""The shapes that go through the API, as JSON Schema (2020-12). Requests are measured with them and tests measure
every kind of answer; the API's document shows exactly these."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.games import game, ids

Schema = dict[str, Any]

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
    500: "Something went wrong in the server.",
    503: "Too many pages listen at once.",
}
"""What every status means here."""

_TABLE: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9-]{1,20}$",
    "description": "A table's id.",
    "examples": ["k7m2xp"],
}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[0-9A-Za-z._+:-]+$"}

PATH: dict[str, Schema] = {
    "table_id": _TABLE,
    "seq": {"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "An entry's number."},
    "name": {**_NAME, "description": "A deck's name.", "examples": ["52D2"]},
    "deck": {**_NAME, "description": "A deck's name.", "examples": ["52D2"]},
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
}
"""The parameters of addresses, by name."""

_CARD: Schema = {
    "type": "string",
    "pattern": "^[^\\u0000-\\u0020,、]{1,24}$",
    "description": "A face code; `?` is a card whose face is not known.",
}
_CARDS: Schema = {"type": "array", "items": _CARD, "maxItems": 120}
_PLAIN: Schema = {"type": "string", "maxLength": 80, "pattern": "^[^\\u0000-\\u001f]*$"}
_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
_WHOLE: Schema = {"type": "integer", "minimum": -(2**53), "maximum": 2**53}
_KEY: Schema = {
    "type": "string",
    "pattern": "^[0-9A-Za-z._:-]{1,80}$",
    "description": "The sender's own key for this write: the same key again changes nothing.",
}
_TEXT: Schema = {"type": "string"}
_BOOL: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SEAT: Schema = {"type": ["integer", "null"], "minimum": 0}


def _object(needed: dict[str, Any], extra: dict[str, Any] | None = None, **more: Any) -> Schema:
    """An object with exactly these fields; those of `extra` may be missing."""
    found: Schema = {
        "type": "object",
        "properties": {**needed, **(extra or {})},
        "required": list(needed),
        "additionalProperties": False,
        **more,
    }
    if not needed:
        del found["required"]
    return found


def _list(items: Any) -> Schema:
    return {"type": "array", "items": items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _either(*options: Any) -> Schema:
    return {"anyOf": list(options)}


def _one_of(field: str, names: dict[str, str]) -> Schema:
    """One of several objects, told apart by a field."""
    mapping = {value: f"#/components/schemas/{name}" for value, name in names.items()}
    return {
        "oneOf": [_ref(name) for name in dict.fromkeys(names.values())],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


_NULL: Schema = {"type": "null"}
_PLACE: Schema = {**_list({"type": "number", "minimum": -1e6, "maximum": 1e6}), "minItems": 2, "maxItems": 2}
_PLACES: Schema = _list(_PLACE)


# --- what goes in --------------------------------------------------------------------------------------------------


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
        found[_title(name)] = _object(
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
                    "enum": ["", *rules.decks],
                    "description": "Without one the game takes the one it recommends.",
                },
                "options": _object({}, options),
                "camera": _CAMERA,
                "key": {**_KEY, "minLength": 16},
            },
        )
    return found


def _title(name: str) -> str:
    return "NewTable" + "".join(part.capitalize() for part in name.split("-"))


_CAMERA: Schema = {
    "type": ["string", "null"],
    "minLength": 1,
    "maxLength": 400,
    "pattern": "^[^\\u0000-\\u001f]*$",
    "description": "A source from the list of cameras; null: taps only.",
}
_OF: Schema = {**_NUMBER, "description": "The entry's number."}
_SEEN: dict[str, Any] = {
    "seq": {
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 999_999_999,
        "description": "The last entry the sender has seen.",
    },
    "key": {**_KEY, "type": ["string", "null"]},
}


def _requests() -> dict[str, Schema]:
    new = _new_tables()
    return {
        "NewTable": _one_of("game", {name: _title(name) for name in ids()}),
        **new,
        "AnyNewTable": _object(
            {
                "game": {"type": "string", "maxLength": 80},
                "players": {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": 64},
            },
            {
                "deck": {"type": "string", "maxLength": 80},
                "options": {"type": "object", "additionalProperties": _TEXT},
                "camera": _CAMERA,
                "key": {**_KEY, "minLength": 16},
            },
        ),
        "Action": _object(
            {"kind": {**_PLAIN, "minLength": 1}},
            {
                "seat": {"type": ["integer", "null"], "minimum": 0, "maximum": 99},
                "cards": _CARDS,
                "args": {
                    "type": "object",
                    "maxProperties": 20,
                    "propertyNames": _PLAIN,
                    "additionalProperties": _either(_PLAIN, _WHOLE, _BOOL, _CARDS),
                },
            },
            description="One thing somebody did. What may be done now stands in `prompts` of the table.",
            examples=[{"kind": "lay", "seat": 0, "cards": ["AS", "KS", "QS"]}],
        ),
        "Intent": _one_of(
            "intent", {"act": "Act", "take-back": "Decision", "play-on": "Decision", "correct": "Correction"}
        ),
        "Act": _object(
            {"intent": {"const": "act"}, "action": _ref("Action")},
            {
                **_SEEN,
                "source": {"enum": ["tap", "camera"]},
                "evidence": {"type": ["string", "null"], "pattern": "^[0-9a-f]{1,80}$"},
            },
        ),
        "Decision": _object({"intent": {"enum": ["take-back", "play-on"]}, "of": _OF}, _SEEN),
        "Correction": _object({"intent": {"const": "correct"}, "of": _OF, "action": _ref("Action")}, _SEEN),
        "CameraChoice": _object({"camera": _CAMERA}, {"key": _KEY}),
        "QuestionAnswer": _object(
            {},
            {
                "option": {"type": ["integer", "null"], "minimum": 0, "maximum": 999},
                "face": {**_CARD, "type": ["string", "null"]},
                "key": _KEY,
            },
            description="One of the options, or a face that was not thought of, or none of it.",
        ),
        "TableArea": _object(
            {},
            {
                "corners": {
                    **_list(_PLACE),
                    "minItems": 4,
                    "maxItems": 4,
                    "description": "Fractions of the picture, clockwise from the table's own top left: the first "
                    "player sits at the edge between the last two.",
                },
                "mat": {**_BOOL, "description": "Find the printed mat."},
                "tags": {**_BOOL, "description": "Find the cut-out tags on the corners of a table of `size`."},
                "size": {
                    **_list({"type": "number", "minimum": 10, "maximum": 20_000}),
                    "minItems": 2,
                    "maxItems": 2,
                    "description": "Width and height of the area in mm, where somebody measured.",
                },
                "key": _KEY,
            },
            description="Which part of the picture is the table; an empty object: all of it.",
        ),
        "RoleChoice": _object({"role": {"type": "string", "pattern": _ROLE}}, {"key": _KEY}),
        "PrivateHand": _object({"cards": {**_CARDS, "minItems": 1}}, {"key": _KEY}),
        "Empty": _object({}, {"key": _KEY}),
    }


_ROLE = "^(host|scorekeeper|camera|board|spectator|seat-[0-9]{1,2})$"


# --- what comes out ------------------------------------------------------------------------------------------------


def _answers() -> dict[str, Schema]:
    return {
        "Error": _object(
            {
                "error": _object(
                    {
                        "code": {"type": "string", "pattern": "^[a-z0-9-]+$"},
                        "message": {"type": "string", "minLength": 1},
                    }
                )
            },
            {"seq": {**_NUMBER, "description": "With 409: the table's last entry."}},
        ),
        "OpenApi": {"type": "object", "required": ["openapi", "info", "paths"]},
        "Games": _object({"games": _list(_ref("Game"))}),
        "Game": _object(
            {
                "id": _TEXT,
                "name": _TEXT,
                "about": _TEXT,
                "least": _COUNT,
                "most": _COUNT,
                "cards": _list(_CARD),
                "decks": _list(_object({"name": _TEXT, "text": _TEXT})),
                "options": _list(
                    _object(
                        {
                            "name": _TEXT,
                            "label": _TEXT,
                            "about": {**_TEXT, "description": "What it is about, in a sentence."},
                            "clause": _TEXT,
                            "values": _list(_object({"value": _TEXT, "text": _TEXT})),
                            "free": {**_COUNT, "description": "Characters of a text of the table's own; 0: none."},
                        }
                    )
                ),
            }
        ),
        "Deck": _object(
            {
                "name": _TEXT,
                "size": _COUNT,
                "suits": _list(_object({"suit": _TEXT, "name": _TEXT, "faces": _list(_ref("Face"))})),
            }
        ),
        "Face": _object(
            {
                "code": _CARD,
                "rank": _TEXT,
                "kind": _TEXT,
                "glyph": _TEXT,
                "ink": _TEXT,
                "short": _TEXT,
                "name": _TEXT,
                "copies": {"type": "integer", "minimum": 1},
            }
        ),
        "Tables": _object({"tables": _list(_ref("TableLine"))}),
        "TableLine": _object(
            {
                "id": _TABLE,
                "game": _TEXT,
                "deck": _TEXT,
                "players": _list(_TEXT),
                "created": _TEXT,
                "events": _COUNT,
                "over": _BOOL,
                "demo": _BOOL,
            }
        ),
        "Opened": _object({"id": _TABLE, "url": _TEXT}),
        "Table": _object({"table": _ref("Picture"), "around": _ref("Around")}),
        "Written": _object({"seq": _NUMBER, "table": _ref("Picture")}),
        "Asked": _object({"table": _ref("Picture")}),
        "Past": _object({"table": _ref("Picture")}),
        "AroundOnly": _object({"around": _ref("Around")}),
        "Entries": _object({"entries": _list(_ref("Entry"))}),
        "OneEntry": _object({"entry": _ref("Entry"), "action": _ref("Action"), "prompts": _list(_ref("Prompt"))}),
        "Cameras": _object({"cameras": _list(_object({"source": _TEXT, "name": _TEXT}))}),
        "Marked": _object(
            {"corners": {**_PLACES, "type": ["array", "null"], "description": "null: the whole picture."}}
        ),
        "Proof": _object(
            {
                "corners": _PLACES,
                "size": {"type": ["array", "null"], "items": {"type": "number"}},
                "cards": _list(
                    _object(
                        {
                            "face": {"type": ["string", "null"]},
                            "side": {"enum": ["up", "down"]},
                            "name": _TEXT,
                            "outline": _PLACES,
                            "inside": {**_BOOL, "description": "On the table; only such cards count."},
                        }
                    )
                ),
                "zones": _list(_object({"id": _TEXT, "label": _TEXT, "outline": _PLACES})),
                "picture": {"type": "string", "description": "The straightened table: JPEG as a data address."},
            }
        ),
        "NextPicture": _object(
            {
                "wait": {"type": "number", "description": "After so many seconds the next picture is wanted."},
                "held": {"type": "number", "description": "For so many seconds none was wanted."},
                "cards": {"type": ["integer", "null"], "description": "So many are seen; null before the first look."},
            }
        ),
        "Restored": _object({"tables": _COUNT, "kept": {"type": ["string", "null"]}}),
        "EventsFile": _object(
            {
                "format": {"const": "table-companion-events-1"},
                "table": _TABLE,
                "events": _list(
                    _object(
                        {
                            "seq": _NUMBER,
                            "at": _TEXT,
                            "event": {"type": "object", "required": ["event"]},
                            "ruling": {"type": ["object", "null"]},
                        }
                    )
                ),
            }
        ),
        "Devices": _object({"devices": _list(_ref("Device"))}),
        "Device": _object(
            {
                "id": {"type": "string", "description": "Names the device here; it opens nothing."},
                "role": {"type": "string", "pattern": _ROLE},
                "seat": _SEAT,
                "kind": {"enum": ["phone", "tablet", "computer", "tv", "other"]},
                "since": _TEXT,
                "movable": {**_BOOL, "description": "The host can give it another role."},
            }
        ),
        "Links": _object({"links": _list(_ref("Link"))}),
        "Link": _object(
            {
                "role": {"type": "string", "pattern": _ROLE},
                "seat": _SEAT,
                "player": {"type": ["string", "null"]},
                "url": _TEXT,
            }
        ),
        "HandCheck": _object(
            {
                "notes": {**_list(_ref("Violation")), "description": "What is wrong with the hand itself."},
                "plays": _list(
                    _object(
                        {
                            "kind": _TEXT,
                            "label": _TEXT,
                            "cards": _list(_CARD),
                            "verdict": _VERDICT,
                            "violations": _list(_ref("Violation")),
                            "note": _TEXT,
                        }
                    )
                ),
            }
        ),
        **_picture(),
    }


_VERDICT: Schema = {"enum": ["legal", "unproven", "foul"]}


def _picture() -> dict[str, Schema]:
    """A table as somebody in a role sees it."""
    card = _object({"face": {"type": ["string", "null"]}, "side": _TEXT, "marks": _list(_TEXT)})
    return {
        "Picture": _object(
            {
                "id": _TABLE,
                "seq": _NUMBER,
                "lang": _TEXT,
                "role": _object({"name": _TEXT, "seat": _SEAT, "acts": _BOOL}),
                "game": _object({"id": _TEXT, "name": _TEXT}),
                "deck": _TEXT,
                "phase": _TEXT,
                "over": _BOOL,
                "awaits": _list(_object({"text": _TEXT, "who": _list(_TEXT), "seats": _list(_COUNT)})),
                "players": _list(_ref("Player")),
                "zones": _list(
                    _object(
                        {
                            "id": _TEXT,
                            "label": _TEXT,
                            "seat": _SEAT,
                            "kind": _TEXT,
                            "note": _TEXT,
                            "cards": _list(card),
                        }
                    )
                ),
                "prompts": _list(_ref("Prompt")),
                "targets": _list(_TEXT),
                "results": _list(_TEXT),
                "winners": _list(_COUNT),
                "scores": _list(_object({"seat": _COUNT, "points": _WHOLE, "text": _TEXT, "cards": _list(_CARD)})),
                "pending": _list(_ref("Entry")),
                "entries": _list(_ref("Entry")),
                "changes": _list(_object({"seq": _NUMBER, "text": _TEXT})),
            }
        ),
        "Player": _object(
            {
                "seat": _COUNT,
                "name": _TEXT,
                "score": {"type": ["integer", "null"]},
                "counters": _list(_object({"label": _TEXT, "value": _WHOLE})),
                "hand": _either(_object({"known": _list(_CARD), "unknown": _COUNT}), _NULL),
                "status": _TEXT,
                "active": _BOOL,
            }
        ),
        "Prompt": _object(
            {
                "id": _TEXT,
                "kind": _TEXT,
                "seat": _SEAT,
                "who": _TEXT,
                "label": _TEXT,
                "detail": _TEXT,
                "slot": _either(_ref("Slot"), _NULL),
                "choices": _list(
                    _object(
                        {
                            "name": _TEXT,
                            "label": _TEXT,
                            "values": _list(
                                _object(
                                    {
                                        "value": _either(_TEXT, _WHOLE, _BOOL, _CARDS),
                                        "text": _TEXT,
                                        "cards": _list(_CARD),
                                    }
                                )
                            ),
                        }
                    )
                ),
            },
            description="Something that may be done now: an action with so many cards and one value of each choice.",
        ),
        "Slot": _object(
            {
                "least": _COUNT,
                "most": _COUNT,
                "side": {"enum": ["up", "down", "any"]},
                "source": {"type": ["string", "null"]},
                "target": {"type": ["string", "null"]},
                "faces": _either({"type": "object", "additionalProperties": _COUNT}, _NULL),
                "used": {"type": "object", "additionalProperties": _COUNT},
            }
        ),
        "Entry": _object(
            {
                "seq": _NUMBER,
                "at": _TEXT,
                "kind": {"enum": ["started", "acted", "tookback", "overruled", "corrected"]},
                "of": {"type": ["integer", "null"]},
                "text": _TEXT,
                "seat": {"type": ["integer", "null"]},
                "cards": _list(_CARD),
                "source": _TEXT,
                "evidence": {"type": ["string", "null"]},
                "verdict": {"enum": ["", "legal", "unproven", "foul"]},
                "violations": _list(_ref("Violation")),
                "proven": _list(_ref("Violation")),
                "standing": _BOOL,
                "pending": _BOOL,
                "correctable": _BOOL,
            }
        ),
        "Violation": _object(
            {
                "code": _TEXT,
                "text": _TEXT,
                "clause": _TEXT,
                "rule": {"type": ["string", "null"]},
                "cards": _list(_CARD),
                "verdict": _VERDICT,
            }
        ),
        "Around": _object(
            {
                "camera": {
                    "type": "object",
                    "properties": {
                        "state": _TEXT,
                        "text": _TEXT,
                        "source": _TEXT,
                        "questions": _list(_ref("Question")),
                    },
                    "required": ["state", "text", "source", "questions"],
                },
                "people": {**_COUNT, "description": "Devices that look at this table."},
                "seats": {**_list(_COUNT), "description": "Seats that a device acts for."},
                "doubled": {**_list(_COUNT), "description": "Seats that several devices act for."},
            },
            {"devices": {**_list(_ref("Device")), "description": "For the host alone."}},
        ),
        "Question": _object(
            {
                "id": _TEXT,
                "kind": _TEXT,
                "text": _TEXT,
                "crop": {"type": ["string", "null"]},
                "options": _list(_object({"text": _TEXT, "cards": _list(_CARD)})),
                "any": _BOOL,
            }
        ),
    }


@cache
def schemas() -> dict[str, Schema]:
    """All schemas by name."""
    return {**_answers(), **_requests()}
