"""Seen tables become actions and questions: the showdown at a real table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from companion import resources
from companion.games import (
    Action,
    Setup,
)
from companion.referee import Acted, Corrected, Match, Overruled, Started, TookBack
from companion.table import Layout, Observation, Observer, observe
from companion.vision.types import SeenTable, Unit
from tests.table.lying import at

PLAYERS = ("Aki", "Ben", "Chie", "Dan")
PLACES = {0: (0.5, 0.85), 1: (0.15, 0.5), 2: (0.5, 0.15), 3: (0.85, 0.5)}
LAYOUT = Layout.from_toml((resources.calibration() / "demo" / "layout.toml").read_text(encoding="utf-8"))
HANDS = {0: ("AS", "KS", "QS"), 1: ("7H", "7D", "2C"), 2: ("9C", "4D", "JH"), 3: ("3S", "3H", "3D")}


def table(hands: Mapping[int, Sequence[str | None]], *, settled: bool = True, first: int = 1) -> SeenTable:
    """Cards in front of seats; equal hands in equal places keep their track numbers."""
    cards = [
        at(PLACES[seat][0] + 0.06 * (n - 1), PLACES[seat][1], first + 10 * seat + n, face)
        for seat, faces in hands.items()
        for n, face in enumerate(faces)
    ]
    return SeenTable(0.0, settled, Unit.FRACTION, tuple(cards))


def showdown(deck: str = "52D2", *actions: Action, source: str = "tap") -> Match:
    events = [Started("three-card-showdown", Setup(PLAYERS, deck)), *(Acted(a, source) for a in actions)]
    return Match.of(events)


def lay(seat: int, cards: Sequence[str] | None = None) -> Action:
    return Action("lay", seat, tuple(cards or HANDS[seat]))


def alike(found: Observation, expected: Sequence[Action]) -> bool:
    """The same actions, the cards of a hand in any order."""
    return [(a.kind, a.seat, Counter(a.cards)) for a in found.actions] == [
        (a.kind, a.seat, Counter(a.cards)) for a in expected
    ]


def look(match: Match, seen: SeenTable) -> Observation:
    return observe(match.game, match.state, seen, LAYOUT)


def played(match: Match, found: Observation) -> Match:
    for action in found.actions:
        match = match.then(Acted(action, "camera"))
    return match


# --- the showdown ----------------------------------------------------------------------------------------------------


def test_an_empty_table_means_nothing() -> None:
    assert look(showdown(), table({})) == Observation()


def test_three_cards_in_a_seats_zone_are_laid() -> None:
    found = look(showdown(), table({1: HANDS[1]}))
    assert alike(found, [lay(1)])
    assert found.evidence == (("crop-11", "crop-12", "crop-13"),)
    assert found.questions == () and found.differences == ()


@pytest.mark.parametrize("order", [("AS", "KS", "QS"), ("QS", "AS", "KS"), ("KS", "QS", "AS")])
def test_a_hand_may_lie_in_any_order(order: tuple[str, ...]) -> None:
    assert alike(look(showdown(), table({0: order})), [lay(0)])


def test_a_partial_hand_waits() -> None:
    for count in (1, 2):
        assert look(showdown(), table({0: HANDS[0][:count], 2: HANDS[2][:1]})) == Observation()


def test_a_moving_table_waits() -> None:
    assert look(showdown(), table(HANDS, settled=False)) == Observation()


def test_all_hands_at_once_are_all_laid_in_seat_order() -> None:
    assert alike(look(showdown(), table(HANDS)), [lay(seat) for seat in range(4)])


def test_what_is_known_already_is_not_repeated() -> None:
    match = showdown("52D2", lay(0), lay(1))
    assert alike(look(match, table({s: HANDS[s] for s in (0, 1, 3)})), [lay(3)])


def test_an_identical_pair_is_legal_with_two_decks_and_a_foul_with_one() -> None:
    pair = ("8C", "8C", "5H")
    assert alike(look(showdown("52D2"), table({2: pair})), [lay(2, pair)])
    found = look(showdown("52D1"), table({2: pair}))
    assert found.actions == ()
    (question,) = found.questions
    assert question.kind == "foul" and Counter(question.choices[0].cards) == Counter(pair)
    assert question.evidence == ("crop-21", "crop-22", "crop-23")


def test_of_four_cards_where_three_are_to_lie_any_may_be_none_and_all_are_shown() -> None:
    found = look(showdown("52D2"), table({2: ("8C", "KH", "5H", "JD")}))
    (question,) = found.questions
    hands = {frozenset(choice.cards) for choice in question.choices}
    assert found.actions == () and hands == {
        frozenset({"8C", "KH", "5H", "JD"} - {one}) for one in ("8C", "KH", "5H", "JD")
    }
    assert question.evidence == ("crop-21", "crop-22", "crop-23", "crop-24")


def test_an_unread_card_is_asked_about_once_the_hand_is_there() -> None:
    assert look(showdown(), table({0: ("AS", None)})).questions == ()
    found = look(showdown(), table({0: ("AS", None, "QS")}))
    assert found.actions == ()
    (question,) = found.questions
    assert (question.kind, question.zone, question.track, question.crop) == ("card", "hand:0", 2, "crop-2")
    assert [c.face for c in question.candidates] == ["6H", "9H"]


def test_an_unread_card_of_one_seat_does_not_hold_up_the_others() -> None:
    found = look(showdown(), table({0: ("AS", None, "QS"), 1: HANDS[1]}))
    assert alike(found, [lay(1)]) and [q.zone for q in found.questions] == ["hand:0"]


def test_a_card_added_to_a_laid_hand_is_a_question_and_a_difference() -> None:
    found = look(showdown("52D2", lay(0)), table({0: ("AS", "KS", "QS", "2D")}))
    assert [(q.kind, q.cards) for q in found.questions] == [("unexplained", ("2D",))]
    assert [(d.zone, d.extra, d.missing) for d in found.differences] == [("hand:0", ("2D",), ())]


def test_a_difference_that_people_put_right_is_no_question() -> None:
    found = look(showdown("52D2", lay(0)), table({0: ("AS", "KS", "JS")}))
    assert found.actions == () and found.questions == ()
    assert [(d.zone, d.extra, d.missing) for d in found.differences] == [("hand:0", ("JS",), ("QS",))]


def test_a_card_that_can_no_longer_be_read_changes_nothing() -> None:
    assert look(showdown("52D2", lay(0)), table({0: ("AS", None, "QS")})) == Observation()


def test_a_hand_lifted_for_a_moment_is_only_a_difference() -> None:
    found = look(showdown("52D2", lay(0)), table({}))
    assert found.actions == () and found.questions == () and len(found.differences) == 1


def test_cards_outside_all_zones_mean_nothing() -> None:
    cards = tuple(at(1.4 + n / 10, 0.5, n, "AS") for n in range(3))
    assert look(showdown(), SeenTable(0.0, True, Unit.FRACTION, cards)) == Observation()


ALL = tuple(lay(seat) for seat in range(4))


def test_the_next_showdown_begins_when_all_zones_are_empty() -> None:
    match = showdown("52D2", *ALL)
    assert look(match, table(HANDS)).actions == ()
    for left in ({0: HANDS[0]}, {1: HANDS[1], 2: HANDS[2][:1]}, {3: HANDS[3][:1]}):
        assert look(match, table(left)).actions == ()
    assert look(match, table({})).actions == (Action("next"),)


def test_new_hands_may_lie_before_the_last_old_one_is_gone() -> None:
    match = showdown("52D2", *ALL)
    fresh = {0: ("2H", "3C", "4C"), 1: ("5D", "5C", "6D"), 2: ("10H", "JC", "QD")}
    assert look(match, table({**fresh, 3: HANDS[3]})).actions == ()
    found = look(match, table(fresh))
    assert alike(found, [Action("next"), *(lay(seat, cards) for seat, cards in fresh.items())])


def test_two_showdowns_by_camera_are_the_same_match_as_by_taps() -> None:
    observer, match = Observer(LAYOUT), showdown()
    second = {0: ("2H", "3H", "4H"), 1: ("2H", "3H", "4H"), 2: ("KD", "KD", "5S"), 3: ("6C", "8D", "10S")}
    rounds: list[dict[int, tuple[str, ...]]] = [{}, {0: HANDS[0]}, HANDS, {}, {1: second[1]}, second, second, {}]
    for first, hands in enumerate(rounds):
        match = played(match, observer.look(match, table(hands, first=1 + 100 * (first > 3))))
    tapped = showdown("52D2", *ALL, Action("next"), lay(1, second[1]), lay(0, second[0]), lay(2, second[2]),
                      lay(3, second[3]), Action("next"))  # fmt: skip
    assert [(a.kind, a.seat, Counter(a.cards)) for a in match.actions] == [
        (a.kind, a.seat, Counter(a.cards)) for a in tapped.actions
    ]
    assert [(line.seat, line.points) for line in match.scores()] == [
        (line.seat, line.points) for line in tapped.scores()
    ]


# --- memory ----------------------------------------------------------------------------------------------------------


def test_what_was_taken_back_is_not_proposed_again_while_it_lies_there() -> None:
    observer, match, seen = Observer(LAYOUT), showdown(), table({0: HANDS[0]})
    match = played(match, observer.look(match, seen)).then(TookBack(2))
    for _ in range(3):
        assert observer.look(match, seen).actions == ()
    renumbered = table({0: HANDS[0]}, first=70)
    assert observer.look(match, renumbered).actions == ()
    observer.look(match, table({}))
    assert alike(observer.look(match, seen), [lay(0)])


def test_what_was_proposed_but_never_written_is_proposed_again() -> None:
    observer, match, seen = Observer(LAYOUT), showdown(), table({0: HANDS[0]})
    observer.look(match, seen)
    match = match.then(Acted(lay(1), "tap"))  # somebody was faster
    assert alike(observer.look(match, seen), [lay(0)])


def test_a_new_observer_does_not_repeat_what_was_taken_back_before() -> None:
    match = showdown("52D2", lay(0), source="camera").then(TookBack(2))
    observer = Observer(LAYOUT)
    assert observer.look(match, table({0: HANDS[0]})).actions == ()
    assert observer.look(match, table({0: HANDS[0]})).actions == ()
    another = table({0: ("AS", "KS", "JS")}, first=50)
    assert alike(observer.look(match, another), [lay(0, ("AS", "KS", "JS"))])


def test_a_correction_is_never_announced_again() -> None:
    observer, match, seen = Observer(LAYOUT), showdown(), table({0: HANDS[0]})
    match = played(match, observer.look(match, seen)).then(Corrected(2, lay(0, ("AS", "KS", "JS"))))
    found = observer.look(match, seen)
    assert found.actions == () and found.questions == ()
    assert [d.zone for d in found.differences] == ["hand:0"]


def test_taps_win_over_what_the_camera_reads() -> None:
    observer, match = Observer(LAYOUT), showdown("52D2", lay(0, ("2C", "3C", "4C")))
    found = observer.look(match, table({0: HANDS[0]}))
    assert found.actions == () and found.questions == ()


def test_a_tapped_showdown_is_not_cleared_by_a_camera_that_never_saw_it() -> None:
    observer, match = Observer(LAYOUT), showdown()
    observer.look(match, table({}))
    match = showdown("52D2", *ALL)
    for _ in range(3):
        assert observer.look(match, table({})).actions == ()
    observer.look(match, table(HANDS))
    assert observer.look(match, table({})).actions == (Action("next"),)


def test_next_that_was_taken_back_waits_for_the_table_to_change() -> None:
    observer, match = Observer(LAYOUT), showdown("52D2", *ALL)
    observer.look(match, table(HANDS))
    match = played(match, observer.look(match, table({})))
    match = match.then(TookBack(6))
    assert observer.look(match, table({})).actions == ()


def test_a_foul_that_waits_is_not_asked_again() -> None:
    observer, match = Observer(LAYOUT), showdown("52D1")
    pair = ("8C", "8C", "5H")
    (question,) = observer.look(match, table({2: pair})).questions
    match = match.then(Acted(question.choices[0], "camera"))
    assert match.pending and observer.look(match, table({2: pair})).questions == ()
    after = match.then(Overruled(2))
    assert observer.look(after, table({2: pair})) == Observation()
    back = match.then(TookBack(2))
    assert observer.look(back, table({2: pair})).questions == ()


def test_a_dismissed_question_stays_away_until_the_cards_change() -> None:
    observer, match = Observer(LAYOUT), showdown()
    (question,) = observer.look(match, table({0: ("AS", None, "QS")})).questions
    observer.dismiss(question.key)
    assert observer.look(match, table({0: ("AS", None, "QS")})).questions == ()
    assert len(observer.look(match, table({0: (None, None, "QS")})).questions) == 1


def test_questions_stay_while_the_table_moves() -> None:
    observer, match = Observer(LAYOUT), showdown()
    asked = observer.look(match, table({0: ("AS", None, "QS")})).questions
    moving = observer.look(match, table({0: ("AS", None, "QS")}, settled=False))
    assert moving.questions == asked and moving.actions == ()


def test_a_named_card_completes_the_hand() -> None:
    observer, match = Observer(LAYOUT), showdown()
    observer.look(match, table({0: ("AS", None, "QS")}))
    assert alike(observer.look(match, table({0: ("AS", "KS", "QS")})), [lay(0)])
