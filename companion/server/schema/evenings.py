"""The shapes of what files, evenings and practice games answer, as JSON Schema (2020-12)."""

from __future__ import annotations

from companion.server.schema.shapes import BOOL, CARD, COUNT, NUMBER, TABLE, TEXT, Schema, array, record, ref


def evening_answers() -> dict[str, Schema]:
    """What comes out, by name."""
    return {
        "Restored": record({"tables": COUNT, "kept": {"type": ["string", "null"]}}),
        "EventsFile": record(
            {
                "format": {"const": "table-companion-events-1"},
                "table": TABLE,
                "events": array(
                    record(
                        {
                            "seq": NUMBER,
                            "at": TEXT,
                            "event": {"type": "object", "required": ["event"]},
                            "ruling": {"type": ["object", "null"]},
                        }
                    )
                ),
            }
        ),
        "Guide": record({"steps": {"type": "object", "additionalProperties": TEXT}}),
        "Names": record({"names": array(TEXT), "rounds": array(array(TEXT))}),
        "Done": record({"done": BOOL}),
        "Removed": record({"kept": {**TEXT, "description": "Under this name it can come back."}}),
        "Brought": record({"id": TABLE, "url": TEXT}),
        "Practice": record(
            {
                "table": ref("Picture"),
                "hand": {**array(CARD), "description": "The player's own cards."},
                "aside": {**array(CARD), "description": "Those he has laid face down."},
                "moves": array(ref("PracticeMoveOffered")),
                "waits": {"enum": ["you", "bots", "over"]},
                "lets": {**BOOL, "description": "The player may let the bots go on without him."},
                "bots": TEXT,
            }
        ),
        "PracticeMoveOffered": record(
            {
                "id": TEXT,
                "kind": TEXT,
                "label": TEXT,
                "detail": TEXT,
                "cards": {"type": ["array", "null"], "items": CARD, "description": "To choose from; null: none."},
                "least": COUNT,
                "most": COUNT,
                "down": BOOL,
                "ordered": BOOL,
                "draws": {**BOOL, "description": "Cards come first, then the choice."},
                "options": array(record({"n": COUNT, "cards": array(CARD)})),
            }
        ),
    }
