"""The shapes of what is answered about decks that are shown to a camera, as JSON Schema (2020-12)."""

from __future__ import annotations

from companion.server.schema.shapes import BOOL, CARD, COUNT, NULL, TEXT, Schema, array, either, record, ref


def deck_answers() -> dict[str, Schema]:
    """What comes out, by name."""
    return {
        "DeckLeft": record({"samples": {**COUNT, "description": "Pictures that the camera still knows it by."}}),
        "Drawings": record(
            {
                "drawn": array(
                    record(
                        {
                            "face": {**TEXT, "description": "A card's code, or a picture's."},
                            "name": TEXT,
                            "whole": {**BOOL, "description": "The drawing is the whole card, not its middle alone."},
                            "of": {**TEXT, "description": "Changes when the drawing does."},
                        }
                    )
                )
            }
        ),
        "CardName": record({"code": CARD, "name": TEXT}),
        "Enrolment": record(
            {
                "deck": TEXT,
                "now": either(ref("CardName"), NULL),
                "step": {"enum": ["lay", "moving", "bad", "same", "known", "taken", "done"]},
                "said": {**TEXT, "description": "What to do, or what is wrong, in a sentence."},
                "known": {**COUNT, "description": "Cards that have a picture."},
                "total": COUNT,
                "progress": TEXT,
                "times": {**COUNT, "description": "So many pictures of each card are wanted."},
                "taken": {**COUNT, "description": "Pictures taken so far: one more is a beep."},
                "last": either(ref("CardName"), NULL),
                "missing": array(ref("CardName")),
                "alike": {**array(TEXT), "type": ["array", "null"], "description": "null: not known yet."},
                "advice": TEXT,
                "picture": {**COUNT, "description": "Number of the newest picture."},
                "camera": TEXT,
                "trouble": TEXT,
            }
        ),
    }
