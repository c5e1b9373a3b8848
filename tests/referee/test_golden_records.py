"""Golden records: whole games as text. A change of a rule shows here as a readable difference."""

from collections import Counter
from pathlib import Path

import pytest

from companion.games import ids
from companion.referee.record import parse, replay, report, text

RECORDS = sorted((Path(__file__).resolve().parents[1] / "records").glob("*.txt"))
every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)


@every_record
def test_the_referee_agrees_with_every_line(path):
    steps = list(replay(parse(path.read_text("utf-8"))))
    assert [sentence for step in steps for sentence in step.differences] == []
    assert steps, "a record without a line proves nothing"


@every_record
def test_it_survives_reading_and_writing(path):
    record = parse(path.read_text("utf-8"))
    assert parse(text(record)) == record


@every_record
def test_its_report_adds_up(path):
    found = report(parse(path.read_text("utf-8")))
    sums = Counter()
    for line in found["scores"]:
        sums[line["seat"]] += line["points"]
    assert all(sums[total["seat"]] == total["points"] for total in found["totals"])
    assert found["differences"] == []


def test_every_game_has_three_records_that_end():
    """A record ends when nothing is open any more; a game without an end of its own counts as it is."""
    ended = Counter()
    for path in RECORDS:
        record = parse(path.read_text("utf-8"))
        *_, last = replay(record)
        ended[record.started.game] += last.match.over or last.match.game.endless
    assert {name: ended[name] for name in ids() if ended[name] < 3} == {}
