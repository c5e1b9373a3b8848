"""Games as text: what is written reads back, what is broken gets one sentence with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import Action, Setup, Verdict
from companion.referee import Acted, Corrected, Match, Overruled, Started, TookBack
from companion.referee.record import Expected, Line, Record, RecordError, parse, record_of, replay, report, text

SHORT = """# A pair of equal cards in a single deck
game three-card-showdown
deck 52D1
player Aki
player Ben
option ace=low

Aki: lay 5s 6♥ 7C
Ben: lay 9S 9S KD  ! identical-cards  # Ben laughs
take back 3
Ben: lay 9S 9H KD
score Aki 1
# that was quick
table: next
"""


def test_a_record_reads_as_events_with_rulings_and_totals():
    record = parse(SHORT)
    assert record.remarks == ("A pair of equal cards in a single deck",)
    assert record.started == Started("three-card-showdown", Setup(("Aki", "Ben"), "52D1", (("ace", "low"),)))
    assert record.events[1:] == (
        Acted(Action("lay", 0, ("5S", "6H", "7C")), "record"),
        Acted(Action("lay", 1, ("9S", "9S", "KD")), "record"),
        TookBack(3),
        Acted(Action("lay", 1, ("9S", "9H", "KD")), "record"),
        Acted(Action("next"), "record"),
    )
    assert record.lines[1].expected == Expected(Verdict.FOUL, ("identical-cards",))
    assert record.lines[1].remark == "Ben laughs"
    assert (record.lines[4].seat, record.lines[4].total) == (0, 1)


def test_text_and_parse_are_inverse():
    assert parse(text(parse(SHORT))) == parse(SHORT)
    assert text(parse(text(parse(SHORT)))) == text(parse(SHORT))


def test_replay_agrees_with_what_the_record_states():
    steps = list(replay(parse(SHORT)))
    assert [s.differences for s in steps] == [()] * len(steps)


def test_replay_says_where_record_and_referee_differ():
    wrong = SHORT.replace("  ! identical-cards", "").replace("score Aki 1", "score Aki 2")
    assert [d for s in replay(parse(wrong)) for d in s.differences] == [
        "line 9 (entry 3): the record says legal, the referee says ! identical-cards",
        "line 12: the record says 2 for Aki, the score sheet 1",
    ]


def test_the_report_has_every_ruling_and_the_scores_line_by_line():
    found = report(parse(SHORT))
    assert [line["ruling"]["verdict"] if line["ruling"] else None for line in found["lines"]] == [
        "legal",
        "foul",
        None,
        "legal",
        "legal",
    ]
    assert found["lines"][1]["text"] == "Ben: lay 9S 9S KD" and found["lines"][1]["seq"] == 3
    assert found["scores"][0]["player"] == "Aki" and found["scores"][0]["points"] == 1
    assert found["totals"] == [{"seat": 0, "player": "Aki", "points": 1}, {"seat": 1, "player": "Ben", "points": 0}]
    assert found["differences"] == [] and found["pending"] == [] and found["over"] is False


def test_a_match_becomes_a_record_that_replays_to_it():
    match = Match.of(parse(SHORT).events).then(Corrected(2, Action("lay", 0, ("5S", "6H", "8C"))))
    record = record_of(match.events, ["exported"])
    again = list(replay(parse(text(record))))
    assert again[-1].match.state == match.state
    assert not any(step.differences for step in again)


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("", "line 1: a record begins with 'game'"),
        ("game chess\nplayer A\nplayer B\n", "no game is called 'chess'"),
        ("game chess\nplayer A\nplayer B\n\nA: lay 5S\n", "line 1: no game is called 'chess'"),
        ("game three-card-showdown\nplayer A\n\nA: lay 5S\n", "line 2: .* 2 to 8 players, not 1"),
        ("game three-card-showdown\ndeck 52D9\nplayer A\nplayer B\n", "line 2: .*52D9"),
        ("game three-card-showdown\nplayer A\nplayer B\noption ace=low\noption queen=odd\n", "line 5: .*'queen'"),
        ("game three-card-showdown\nplayer A\ngame hexa-card\n", "line 3: a record has one game.*line 1"),
        ("game three-card-showdown\nplayer A\nplayer A\n", "line 3: a second player is called 'A'.*line 2"),
        ("game three-card-showdown\ndeck 52D1\ndeck 52D2\n", "line 3: a record has one deck"),
        ("game three-card-showdown\noption ace=low\noption ace=low\n", "line 3: option ace is set already .line 2"),
        ("game three-card-showdown\nplayer # nobody\n", "line 2: after 'player' something is missing"),
        (SHORT + "player Cho\n", "line 15: 'player' stands before the first event"),
        (SHORT + "Aki: lay x=1 x=2\n", "line 15: the argument 'x' is there twice"),
        ("game\n", "line 1: after 'game' something is missing"),
        ("game three-card-showdown\noption ace\n", "line 2: an option is written name=value"),
        (SHORT + "Aki lay 5S\n", "line 15: an event is"),
        (SHORT + "Aky: lay 5S\n", "line 15: no player is called 'Aky'; did you mean Aki?"),
        (SHORT + "Aki:\n", "line 15: after the colon the action is missing"),
        (SHORT + "Aki: lay 5S !\n", "line 15: after '!' the code of a ruling is missing"),
        (SHORT + "Aki: lay XS\n", "line 15: .*XS"),
        (SHORT + 'Aki: lay "5S\n', "line 15: a quoted text is not closed"),
        (SHORT + 'Aki: lay "5\\x"\n', "line 15: .* is not a quoted text"),
        (SHORT + "take back two\n", "line 15: a number was expected, not 'two'"),
        (SHORT + "score 3\n", "line 15: a score line"),
        (SHORT + "score Aki\n", "line 15: a score line"),
        (SHORT + "Aki: lay x=[1\n", "line 15: the list '\\[1' is not closed"),
    ],
)
def test_a_corrupt_record_is_one_sentence_with_its_line(broken, sentence):
    with pytest.raises(RecordError, match=sentence) as caught:
        parse(broken)
    assert "\n" not in str(caught.value)


def test_a_reference_to_a_missing_entry_is_one_sentence():
    with pytest.raises(RecordError, match="line 15: there is no entry 40"):
        list(replay(parse(SHORT + "take back 40\n")))


names = st.one_of(
    st.sampled_from(["Aki", "Ben B", "a: b", "take back", "table", "#", '"', "秋", "AS"]), st.text(max_size=6)
)
words = st.one_of(st.sampled_from(["lay", "yes", "12", "?", "a b", "!", "x=y"]), st.text(max_size=5))
cards = st.one_of(st.sampled_from(["5S", "10H", "?", "JK1", "th", "5s"]), st.text(max_size=4))
values = st.one_of(words, st.booleans(), st.integers(), st.lists(words, max_size=3).map(tuple))
kinds = words.filter(bool)
arg_names = st.one_of(st.sampled_from(["kind", "seat", "cards", "a=b", "", '"', "source"]), st.text(max_size=6))
actions = st.builds(
    lambda kind, seat, faces, args: Action(kind, seat, tuple(faces), tuple(sorted(args.items()))),
    kinds,
    st.one_of(st.none(), st.integers(0, 1)),
    st.lists(cards, max_size=4),
    st.dictionaries(arg_names, values, max_size=3),
)
expected = st.builds(Expected, st.just(Verdict.FOUL), st.just(("b-code", "c-code")), st.sampled_from([(), ("d",)]))
lines = st.one_of(
    st.builds(lambda a, e: Line(Acted(a, "record"), e), actions, st.one_of(st.just(Expected()), expected)),
    st.builds(lambda n: Line(TookBack(n)), st.integers(0, 99)),
    st.builds(lambda n: Line(Overruled(n)), st.integers(0, 99)),
    st.builds(lambda n, a: Line(Corrected(n, a)), st.integers(0, 99), actions),
    st.builds(lambda s, n: Line(seat=s, total=n), st.integers(0, 1), st.integers(-99, 99)),
)


def test_numbers_longer_than_any_score_survive():
    action = Action("lay", 0, ("5S",), (("n", 10**40), ("seat", -(10**12))))
    record = Record(
        Started("three-card-showdown", Setup(("A", "B"), "52D1")), (Line(Acted(action, "record"), Expected()),)
    )
    assert parse(text(record)) == record


def test_two_players_of_one_name_are_told_apart_when_written():
    record = Record(Started("three-card-showdown", Setup(("Aki", "Aki", "Aki 2"), "52D1")), (Line(seat=1, total=3),))
    again = parse(text(record))
    assert again.started.setup.players == ("Aki", "Aki 3", "Aki 2")
    assert again.lines == record.lines


def test_behind_a_line_of_the_head_a_remark_may_stand():
    head = 'game three-card-showdown # small\ndeck 52D1  # one pack\nplayer Aki # deals\nplayer "B #2"  # late\n'
    assert parse(head).started == Started("three-card-showdown", Setup(("Aki", "B #2"), "52D1"))


@given(st.lists(names, min_size=2, max_size=2, unique=True), st.lists(lines, max_size=5))
def test_every_record_survives_text(players, body):
    record = Record(Started("three-card-showdown", Setup(tuple(players), "52D1")), tuple(body), ("a remark",))
    assert parse(text(record)) == record


@given(st.text(alphabet=st.sampled_from(list('game: \n"#!~^[]=,Aki5Slay12?back')), max_size=80))
def test_nothing_but_a_record_error_escapes(tail):
    try:
        record = parse(SHORT + tail)
        list(replay(record))
    except RecordError:
        pass
