"""The shapes of all that the API answers, as JSON Schema (2020-12)."""

from __future__ import annotations

from companion.server.schema.decks import deck_answers
from companion.server.schema.evenings import evening_answers
from companion.server.schema.shapes import (
    BOOL,
    CARD,
    CARDS,
    COUNT,
    DECK,
    LENS,
    MARKED,
    NULL,
    NUMBER,
    OWN_DECK,
    PLACES,
    ROLE,
    SEAT,
    SIZE_MM,
    TABLE,
    TEXT,
    WHOLE,
    Schema,
    array,
    either,
    record,
    ref,
)


def answers() -> dict[str, Schema]:
    """What comes out, by name."""
    return {
        "Error": record(
            {
                "error": record(
                    {
                        "code": {"type": "string", "pattern": "^[a-z0-9-]+$"},
                        "message": {"type": "string", "minLength": 1},
                    }
                )
            },
            {
                "seq": {**NUMBER, "description": "With 409: the table's last entry."},
                "ways": {
                    **array(record({"args": {"type": "object"}, "text": TEXT})),
                    "description": "Of a practice move that can be meant in several ways.",
                },
            },
        ),
        "Health": record({"status": {"const": "ok"}, "version": TEXT}),
        "OpenApi": {"type": "object", "required": ["openapi", "info", "paths"]},
        "Games": record({"games": array(ref("Game"))}),
        "Game": record(
            {
                "id": TEXT,
                "name": TEXT,
                "about": TEXT,
                "least": COUNT,
                "most": COUNT,
                "cards": array(CARD),
                "decks": array(record({"name": TEXT, "text": TEXT})),
                "recommended": {
                    **array(record({"players": COUNT, "deck": TEXT, "text": TEXT})),
                    "description": "What the rule sheet recommends for so many players.",
                },
                "options": array(
                    record(
                        {
                            "name": TEXT,
                            "label": TEXT,
                            "about": {**TEXT, "description": "What it is about, in a sentence."},
                            "clause": TEXT,
                            "values": array(record({"value": TEXT, "text": TEXT})),
                            "free": {**COUNT, "description": "Characters of a text of the table's own; 0: none."},
                        }
                    )
                ),
            }
        ),
        "Deck": record(DECK),
        "SmallCards": {"type": "object", "additionalProperties": {"type": "string", "description": "SVG, by code."}},
        "OwnDeck": record({**DECK, **OWN_DECK}),
        "DeckText": record({"file": TEXT}),
        "Face": record(
            {
                "code": CARD,
                "rank": TEXT,
                "kind": TEXT,
                "glyph": TEXT,
                "ink": TEXT,
                "short": TEXT,
                "name": TEXT,
                "copies": {"type": "integer", "minimum": 1},
            }
        ),
        "Tables": record({"tables": array(ref("TableLine"))}),
        "TableLine": record(
            {
                "id": TABLE,
                "game": TEXT,
                "deck": TEXT,
                "players": array(TEXT),
                "created": TEXT,
                "events": COUNT,
                "over": BOOL,
                "demo": BOOL,
                "archived": {**BOOL, "description": "Put away by its host."},
                "playable": BOOL,
            }
        ),
        "Opened": record(
            {
                "id": TABLE,
                "url": TEXT,
                "key": {**TEXT, "description": "Makes its bearer the host."},
                "marked": {**BOOL, "description": "false: its camera is not told yet where the table lies."},
            }
        ),
        "Table": record({"table": ref("Picture"), "around": ref("Around")}),
        "Written": record({"seq": NUMBER, "table": ref("Picture")}),
        "Asked": record({"table": ref("Picture")}),
        "Past": record({"table": ref("Picture")}),
        "AroundOnly": record({"around": ref("Around")}),
        "Entries": record({"entries": array(ref("Entry"))}),
        "OneEntry": record({"entry": ref("Entry"), "action": ref("Action"), "prompts": array(ref("Prompt"))}),
        "Cameras": record({"cameras": array(record({"source": TEXT, "name": TEXT, "taken": BOOL}))}),
        "Marked": record({"corners": MARKED, "size": SIZE_MM, "lens": LENS}),
        "Proof": record(
            {
                "corners": PLACES,
                "size": SIZE_MM,
                "lens": LENS,
                "error": {"type": ["number", "null"], "description": "How exact it is, mm; null: nothing tells."},
                "by": {"enum": ["tags", "cards", None], "description": "What tells it."},
                "cards": array(
                    record(
                        {
                            "face": {"type": ["string", "null"]},
                            "side": {"enum": ["up", "down"]},
                            "name": TEXT,
                            "outline": PLACES,
                            "inside": {**BOOL, "description": "On the table; only such cards count."},
                        }
                    )
                ),
                "zones": array(record({"id": TEXT, "label": TEXT, "outline": PLACES})),
                "picture": {"type": "string", "description": "The straightened table: JPEG as a data address."},
            }
        ),
        "Zones": record(
            {
                "size": SIZE_MM,
                "whole": {**BOOL, "description": "The whole picture is the table."},
                "moved": {**BOOL, "description": "People have moved zones."},
                "fixed": {**BOOL, "description": "These zones cannot be moved."},
                "note": {**TEXT, "description": "For which zones there is no room; mostly empty."},
                "zones": array(
                    record(
                        {
                            "id": TEXT,
                            "label": TEXT,
                            "outline": PLACES,
                            "turn": {"enum": [0, 90, 180, 270], "description": "Degrees clockwise; 0: the lower edge."},
                            "reads": {**TEXT, "description": "What is read there now, in words."},
                        }
                    )
                ),
                "cards": array(
                    record(
                        {
                            "name": TEXT,
                            "side": {"enum": ["up", "down"]},
                            "outline": PLACES,
                            "zone": {"type": ["string", "null"]},
                        }
                    )
                ),
            }
        ),
        "NextPicture": record(
            {
                "wait": {"type": "number", "description": "After so many seconds the next picture is wanted."},
                "held": {"type": "number", "description": "For so many seconds none was wanted."},
                "cards": {"type": ["integer", "null"], "description": "So many are seen; null before the first look."},
            }
        ),
        "Devices": record({"devices": array(ref("Device"))}),
        "Device": record(
            {
                "id": {"type": "string", "description": "Names the device here; it opens nothing."},
                "role": {"type": "string", "pattern": ROLE},
                "seat": SEAT,
                "kind": {"enum": ["phone", "tablet", "computer", "tv", "other"]},
                "since": TEXT,
                "movable": {**BOOL, "description": "The host can give it another role."},
            }
        ),
        "Links": record({"links": array(ref("Link"))}),
        "Link": record(
            {
                "role": {"type": "string", "pattern": ROLE},
                "seat": SEAT,
                "player": {"type": ["string", "null"]},
                "url": TEXT,
            }
        ),
        "Offers": record(
            {"offers": array(record({"action": ref("Action"), "text": TEXT}))},
        ),
        "HandCheck": record(
            {
                "notes": {**array(ref("Violation")), "description": "What is wrong with the hand itself."},
                "plays": array(
                    record(
                        {
                            "kind": TEXT,
                            "label": TEXT,
                            "cards": array(CARD),
                            "verdict": _VERDICT,
                            "violations": array(ref("Violation")),
                            "note": TEXT,
                        }
                    )
                ),
            }
        ),
        **_picture(),
        **evening_answers(),
        **deck_answers(),
    }


_VERDICT: Schema = {"enum": ["legal", "unproven", "foul"]}


def _picture() -> dict[str, Schema]:
    """A table as somebody in a role sees it."""
    card = record({"face": {"type": ["string", "null"]}, "side": TEXT, "marks": array(TEXT)})
    return {
        "Picture": record(
            {
                "id": TABLE,
                "seq": NUMBER,
                "lang": TEXT,
                "role": record({"name": TEXT, "seat": SEAT, "acts": BOOL}),
                "game": record({"id": TEXT, "name": TEXT}),
                "deck": TEXT,
                "phase": TEXT,
                "over": BOOL,
                "awaits": array(record({"text": TEXT, "who": array(TEXT), "seats": array(COUNT)})),
                "players": array(ref("Player")),
                "zones": array(
                    record(
                        {
                            "id": TEXT,
                            "label": TEXT,
                            "own": TEXT,
                            "heading": TEXT,
                            "seat": SEAT,
                            "kind": TEXT,
                            "note": TEXT,
                            "room": COUNT,
                            "plain": BOOL,
                            "cards": array(card),
                        }
                    )
                ),
                "prompts": array(ref("Prompt")),
                "targets": array(TEXT),
                "results": array(TEXT),
                "winners": array(COUNT),
                "scores": array(record({"seat": COUNT, "points": WHOLE, "text": TEXT, "cards": array(CARD)})),
                "pending": array(ref("Entry")),
                "entries": array(ref("Entry")),
                "changes": array(record({"seq": NUMBER, "text": TEXT})),
            }
        ),
        "Player": record(
            {
                "seat": COUNT,
                "name": TEXT,
                "score": {"type": ["integer", "null"]},
                "counters": array(record({"label": TEXT, "value": WHOLE})),
                "hand": either(record({"known": array(CARD), "unknown": COUNT}), NULL),
                "status": TEXT,
                "active": BOOL,
            }
        ),
        "Prompt": record(
            {
                "id": TEXT,
                "kind": TEXT,
                "seat": SEAT,
                "who": TEXT,
                "label": TEXT,
                "detail": TEXT,
                "slot": either(ref("Slot"), NULL),
                "choices": array(
                    record(
                        {
                            "name": TEXT,
                            "label": TEXT,
                            "values": array(
                                record(
                                    {
                                        "value": either(TEXT, WHOLE, BOOL, CARDS),
                                        "text": TEXT,
                                        "cards": array(CARD),
                                    }
                                )
                            ),
                        }
                    )
                ),
            },
            description="Something that may be done now: an action with so many cards and one value of each choice.",
        ),
        "Slot": record(
            {
                "least": COUNT,
                "most": COUNT,
                "side": {"enum": ["up", "down", "any"]},
                "ordered": BOOL,
                "source": {"type": ["string", "null"]},
                "target": {"type": ["string", "null"]},
                "faces": either({"type": "object", "additionalProperties": COUNT}, NULL),
                "used": {"type": "object", "additionalProperties": COUNT},
            }
        ),
        "Entry": record(
            {
                "seq": NUMBER,
                "at": TEXT,
                "kind": {"enum": ["started", "acted", "tookback", "overruled", "corrected", "finished"]},
                "of": {"type": ["integer", "null"]},
                "text": TEXT,
                "seat": {"type": ["integer", "null"]},
                "cards": array(CARD),
                "source": TEXT,
                "evidence": {"type": ["string", "null"]},
                "verdict": {"enum": ["", "legal", "unproven", "foul"]},
                "violations": array(ref("Violation")),
                "proven": array(ref("Violation")),
                "standing": BOOL,
                "pending": BOOL,
                "correctable": BOOL,
                "revocable": {**BOOL, "description": "This device may take it back."},
            }
        ),
        "Violation": record(
            {
                "code": TEXT,
                "text": TEXT,
                "clause": TEXT,
                "rule": {"type": ["string", "null"]},
                "cards": array(CARD),
                "verdict": _VERDICT,
            }
        ),
        "Around": record(
            {
                "camera": {
                    "type": "object",
                    "properties": {
                        "state": TEXT,
                        "text": TEXT,
                        "source": TEXT,
                        "questions": array(ref("Question")),
                        "marked": {**BOOL, "description": "Whether it is known where the table lies in the picture."},
                        "cut": {**TEXT, "description": "Which zones lie partly out of the picture; empty: none."},
                        "tentative": {**array(TEXT), "description": "What the camera thinks is just being done."},
                        "waits": {
                            "type": ["string", "null"],
                            "description": "Whose word the game waits for, when no card can tell.",
                        },
                    },
                    "required": ["state", "text", "source", "questions"],
                },
                "people": {**COUNT, "description": "Devices that look at this table."},
                "seats": {**array(COUNT), "description": "Seats that a device acts for."},
                "doubled": {**array(COUNT), "description": "Seats that several devices act for."},
            },
            {"devices": {**array(ref("Device")), "description": "For the host alone."}},
        ),
        "Question": record(
            {
                "id": TEXT,
                "kind": TEXT,
                "text": TEXT,
                "crop": {"type": ["string", "null"]},
                "part": {**BOOL, "description": "The picture shows a part of the table with outlines, not one card."},
                "options": array(record({"id": TEXT, "text": TEXT, "cards": array(CARD)})),
                "any": BOOL,
            }
        ),
    }
