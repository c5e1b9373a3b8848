"""Drawn cards as they travel."""

from companion.server.routes.pictures import _NOUGHTS


def test_numbers_lose_their_last_noughts_and_what_is_written_on_a_card_does_not() -> None:
    drawing = '<svg><path d="M1.50 2.0L10.05 3.00"/><text x="4.20">Rule 2.0 of 1.50</text></svg>'
    lean = '<svg><path d="M1.5 2L10.05 3"/><text x="4.2">Rule 2.0 of 1.50</text></svg>'
    assert _NOUGHTS.sub(r"\1", drawing) == lean
