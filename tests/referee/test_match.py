"""The match as a fold: foul waits, take back undoes, play on stands, a correction judges everything after it anew."""

import json

import pytest

from companion.games import Action, Role, Setup, Verdict
from companion.referee import Acted, Corrected, EventError, Match, Overruled, Started, TookBack, event_from_json


def started(deck="52D1", players=2):
    return Started("three-card-showdown", Setup(tuple("ABCDEFGH"[:players]), deck))


def lay(seat, cards, source="tap"):
    return Acted(Action("lay", seat, tuple(cards.split())), source)


def codes(entry):
    return [v.code for v in entry.ruling.violations]


def test_legal_actions_are_applied_and_scored():
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "2D 7D JD")])
    assert [e.ruling.verdict for e in match.entries[1:]] == [Verdict.LEGAL] * 2
    assert [(line.seat, line.points) for line in match.scores()] == [(0, 1)]
    assert match.next_seq == 4


def test_a_foul_waits_and_is_not_applied():
    match = Match.of([started(), lay(0, "5S 5S 7C")])
    assert match.entries[1].pending and not match.entries[1].standing
    assert codes(match.entries[1]) == ["identical-cards"]
    assert match.entries[1].ruling.violations[0].clause == "152"
    assert match.state == match.entries[0].state
    assert [e.seq for e in match.pending] == [2]


def test_take_back_drops_the_foul():
    match = Match.of([started(), lay(0, "5S 5S 7C"), TookBack(2), lay(0, "5S 6H 7C")])
    assert not match.pending
    assert match.state.laid[0] == ("5S", "6H", "7C")


def test_play_on_applies_the_foul_as_it_lies():
    match = Match.of([started(), lay(0, "5S 6H"), Overruled(2), lay(1, "2S 7H KD")])
    assert not match.pending
    assert match.entries[1].standing and match.entries[1].ruling.verdict is Verdict.FOUL
    assert match.state.laid[0] == ("5S", "6H")
    assert match.state.complete and match.state.winners == ()


def test_what_the_table_lets_stand_is_still_counted():
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "5S 8H")])
    assert codes(match.entries[2]) == ["wrong-count"]
    assert codes(match.then(Overruled(3)).entries[2]) == ["wrong-count", "too-many-copies"]


def test_undo_of_do_is_the_identity_and_redo_brings_it_back():
    before = Match.of([started(), lay(0, "5S 6H 7C")])
    done = before.then(lay(1, "2D 7D JD"))
    undone = done.then(TookBack(3))
    assert undone.state == before.state and undone.scores() == before.scores()
    assert undone.then(TookBack(4)).state == done.state


def test_undoing_play_on_makes_the_foul_wait_again():
    match = Match.of([started(), lay(0, "5S 6H"), Overruled(2), TookBack(3)])
    assert [e.seq for e in match.pending] == [2]
    assert match.state.laid == (None, None)


def test_a_correction_judges_what_came_after_again_and_says_what_changed():
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "5H 8H KS")])
    corrected = match.then(Corrected(2, Action("lay", 0, ("5S", "5H", "7C"))))
    assert codes(corrected.entries[2]) == ["too-many-copies"]
    assert [(c.seq, c.before.verdict, c.after.verdict) for c in corrected.changes] == [(3, Verdict.LEGAL, Verdict.FOUL)]
    assert corrected.entries[1].action == Action("lay", 0, ("5S", "5H", "7C"))
    back = corrected.then(TookBack(4))
    assert back.state == match.state


def test_a_correction_reopens_the_decision_to_play_on():
    match = Match.of([started(), lay(0, "5S 6H"), Overruled(2), Corrected(2, Action("lay", 0, ("5S", "9H")))])
    assert [e.seq for e in match.pending] == [2]


def test_a_surplus_copy_is_named_with_where_each_copy_was_seen():
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "5S 8H KS")])
    (violation,) = match.entries[2].ruling.violations
    assert violation.code == "too-many-copies" and violation.cards == ("5S",)
    assert dict(violation.params) == {
        "face": "5S",
        "copies": 2,
        "holds": 1,
        "where": "hand:0, hand:1",
        "seen": "#2",
    }
    assert not Match.of([started("52D2"), lay(0, "5S 6H 7C"), lay(1, "5S 8H KS")]).pending


def test_every_surplus_face_of_one_ruling_says_where_it_was_seen():
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "5S 6H KS")])
    found = match.entries[2].ruling.violations
    assert [(v.cards, dict(v.params)["seen"]) for v in found] == [(("5S",), "#2"), (("6H",), "#2")]


def test_a_surplus_the_table_plays_on_with_is_not_reported_again():
    match = Match.of([started(players=3), lay(0, "5S 6H 7C"), lay(1, "5S 8H KS"), Overruled(3), lay(2, "2S 3H 4C")])
    assert match.entries[-1].ruling.verdict is Verdict.LEGAL


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TookBack(9), "there is no entry 9: this match has 2 to 3"),
        (TookBack(1), "there is no entry 1: this match has 2 to 3"),
        (Overruled(2), "entry 2 is no foul that waits for a decision"),
        (Corrected(7, Action("lay", 0)), "there is no entry 7: this match has 2 to 3"),
        (started(), "a match starts only once"),
    ],
)
def test_impossible_events_are_refused_with_a_sentence(event, sentence):
    match = Match.of([started(), lay(0, "5S 6H 7C"), lay(1, "2D 7D JD")])
    with pytest.raises(EventError, match=sentence):
        match.then(event)


def test_what_was_taken_back_cannot_be_taken_back_or_corrected_again():
    match = Match.of([started(), lay(0, "5S 6H 7C"), TookBack(2)])
    with pytest.raises(EventError, match="does not stand"):
        match.then(TookBack(2))
    with pytest.raises(EventError, match="no action that stands"):
        match.then(Corrected(2, Action("lay", 0)))


def test_a_match_begins_with_its_start():
    with pytest.raises(EventError, match="begins with its start"):
        Match.of([lay(0, "5S 6H 7C")])


@pytest.mark.parametrize(
    "event",
    [
        started("52D2", 3),
        Started("three-card-showdown", Setup(("A", "B"), "52D1", (("ace", "low"),))),
        lay(1, "5S 6H 7C", "camera"),
        Acted(Action.of("x", None, (), a=("1", "2"), b=True, c=3, d="t"), evidence="k"),
        TookBack(3),
        Overruled(2),
        Corrected(2, Action("lay", 0, ("5S",))),
    ],
)
def test_events_survive_json(event):
    assert event_from_json(json.loads(json.dumps(event.to_json()))) == event


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"event": "x"},
        {"event": "started"},
        {"event": "started", "game": "g", "players": "AB"},
        {"event": "started", "game": "g", "players": ["A"], "options": {"a": 1}},
        {"event": "acted"},
        {"event": "acted", "action": {"kind": 3}},
        {"event": "acted", "action": {"kind": "a"}, "source": "rumour"},
        {"event": "acted", "action": {"kind": "a"}, "evidence": 3},
        {"event": "took-back", "seq": True},
        {"event": "overruled"},
        {"event": "corrected", "seq": 2},
    ],
)
def test_broken_json_is_one_sentence(data):
    with pytest.raises(EventError):
        event_from_json(data)


def test_tap_and_camera_differ_in_their_source_only():
    tapped = [started(), lay(0, "5S 6H 7C"), lay(1, "2D 7D JD")]
    seen = [started(), lay(0, "5S 6H 7C", "camera"), lay(1, "2D 7D JD", "camera")]
    strip = [{k: v for k, v in e.to_json().items() if k != "source"} for e in tapped]
    assert strip == [{k: v for k, v in e.to_json().items() if k != "source"} for e in seen]
    assert Match.of(tapped).state == Match.of(seen).state
    assert Match.of(tapped).view(Role()) == Match.of(seen).view(Role())


def test_the_state_is_what_the_standing_actions_make_of_the_start():
    """However much was taken back, brought back and corrected in the middle."""
    events = [started("52D2", 3), lay(0, "5S 6H"), lay(1, "2D 7D JD"), Overruled(2), TookBack(4), TookBack(2)]
    events += [
        lay(0, "5S 6H 7C"),
        Corrected(3, Action("lay", 1, ("9S", "9S"))),
        Overruled(3),
        TookBack(8),
        TookBack(10),
    ]
    match = Match.of(events[:1])
    for event in events[1:]:
        match = match.then(event)
        state = match.entries[0].state
        for action in match.actions:
            state = match.game.apply(state, action)
        assert match.state == state
        assert [entry.seq for entry in match.entries] == list(range(1, len(match.entries) + 1))
    standing = [entry.seq for entry in match.entries if entry.standing and entry.action]
    assert standing == [3, 7] and not match.pending
    assert match.entries[2].action == Action("lay", 1, ("9S", "9S"))


def test_two_jokers_that_look_alike_are_two_whatever_their_numbers():
    start = Started("pokard-trick", Setup(("Aki", "Ben", "Cho"), options=(("dealer", "3"),)))
    first = [Action("in", seat) for seat in range(3)] + [Action("aside", seat, ("?", "?")) for seat in range(3)]
    match = Match.of([start, *(Acted(action) for action in first)])
    match = match.then(Acted(Action("play", 0, ("JK2",)))).then(Acted(Action("play", 1, ("JK2",))))
    assert not match.pending
    (violation,) = match.then(Acted(Action("play", 2, ("JK1",)))).entries[-1].ruling.violations
    assert violation.code == "too-many-copies"
    assert {"copies": 3, "holds": 2, "seen": "#8, #9"}.items() <= dict(violation.params).items()
