"""Parts that the API's schemas are made of (JSON Schema 2020-12)."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TABLE: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9-]{1,20}$",
    "description": "A table's id.",
    "examples": ["k7m2xp"],
}
NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[0-9A-Za-z._+:-]+$"}

CARD: Schema = {
    "type": "string",
    "pattern": "^[^\\u0000-\\u0020,、]{1,24}$",
    "description": "A face code; `?` is a card whose face is not known.",
}
CARDS: Schema = {"type": "array", "items": CARD, "maxItems": 120}
PLAIN: Schema = {"type": "string", "maxLength": 80, "pattern": "^[^\\u0000-\\u001f]*$"}
NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
WHOLE: Schema = {"type": "integer", "minimum": -(2**53), "maximum": 2**53}
KEY: Schema = {
    "type": "string",
    "pattern": "^[0-9A-Za-z._:-]{1,80}$",
    "description": "The sender's own key for this write: the same key again changes nothing.",
}
TEXT: Schema = {"type": "string"}
BOOL: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SEAT: Schema = {"type": ["integer", "null"], "minimum": 0}


def record(needed: dict[str, Any], extra: dict[str, Any] | None = None, **more: Any) -> Schema:
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


def array(items: Any) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": items}


def ref(name: str) -> Schema:
    """The schema of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def either(*options: Any) -> Schema:
    """Any of the options."""
    return {"anyOf": list(options)}


def one_of(field: str, names: dict[str, str]) -> Schema:
    """One of several objects, told apart by a field."""
    mapping = {value: f"#/components/schemas/{name}" for value, name in names.items()}
    return {
        "oneOf": [ref(name) for name in dict.fromkeys(names.values())],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


NULL: Schema = {"type": "null"}
PLACE: Schema = {**array({"type": "number", "minimum": -1e6, "maximum": 1e6}), "minItems": 2, "maxItems": 2}
"""A place on the table or in a picture: x, y."""

PLACES: Schema = array(PLACE)
ROLE = "^(host|scorekeeper|camera|board|spectator|seat-[0-9]{1,2})$"


DECK: Schema = {
    "name": TEXT,
    "size": COUNT,
    "suits": array(record({"suit": TEXT, "name": TEXT, "faces": array(ref("Face"))})),
}
"""The fields of a deck."""

OWN_DECK: Schema = {
    "title": TEXT,
    "games": array(record({"name": TEXT, "fits": BOOL, "why": TEXT})),
    "parts": {"type": "object", "description": "The deck file as JSON."},
    "shape": array({"type": "number"}),
}
"""What is said besides of a deck of one's own."""

SIZE_MM: Schema = {
    "type": ["array", "null"],
    "items": {"type": "number"},
    "description": "Of the table, mm; null: shares.",
}
LENS: Schema = {"type": "number", "description": "How the lens bends the picture; 0: not at all."}
MARKED: Schema = {**PLACES, "type": ["array", "null"], "description": "null: the whole picture."}
