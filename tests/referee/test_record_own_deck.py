"""A record of a game with a deck of one's own brings the deck file along, and says so where it is missing."""

import pytest

from companion.cards import decks, keep, own_deck
from companion.games import Action, Setup
from companion.referee import Acted, Match, Started
from companion.referee.record import RecordError, parse, record_of, text

FILE = '[deck]\nname = { en = "Harbour", ja = "港の札" }\nlike = "52D1"\n'


@pytest.fixture
def record() -> str:
    own = keep(own_deck(FILE, "harbour"))
    start = Started("three-card-showdown", Setup(("Anna", "Ben"), own.name), FILE)
    match = Match.of([start, Acted(Action.of("lay", 0, ("AS", "KS", "QS")))])
    written = text(record_of(match.events))
    decks._own.pop(own.name)  # opened elsewhere
    return written


def test_the_record_is_opened_where_the_deck_was_never_kept(record: str) -> None:
    read = parse(record)
    assert read.started.deck_file == FILE
    assert text(read) == record


def test_a_record_without_the_file_of_an_unknown_deck_says_what_to_do(record: str) -> None:
    bare = "\n".join(row for row in record.splitlines() if not row.startswith("file "))
    with pytest.raises(RecordError, match="somebody's own") as told:
        parse(bare)
    assert "line 2" in str(told.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.replace("harbour~", "harbour~0"), "is that of"),
        (lambda row: row.replace("52D1", "99D9"), "deck file of a start"),
    ],
)
def test_a_file_of_another_deck_or_of_none_is_refused(record: str, change, said: str) -> None:
    with pytest.raises(RecordError, match=said) as told:
        parse(change(record))
    assert "\n" not in str(told.value)
