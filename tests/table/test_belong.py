"""Cards that lie in the wrong place, or beside every place: people say where they belong, with one tap."""

from __future__ import annotations

from dataclasses import replace

from companion.games import Action
from companion.table import Observation, Observer
from companion.vision.types import Candidate, SeenCard, Side
from tests.table.test_following import Desk

COMMON = Action.of("refill", None, ("4D", "7C", "8S", "AC", "AH"))


def test_a_card_before_the_wrong_player_belongs_to_another_with_one_tap() -> None:
    desk = Desk("trading-poker", 4, COMMON)
    desk.put("keep:2", "9S", at=10.0)
    desk.look(10.6)
    (question,) = desk.look(16.0).questions
    assert question.kind in ("unexplained", "foul") and "keep:0" in question.places
    assert question.zone not in question.places
    desk.observer.belongs(question.key, "keep:0")
    desk.look(16.3)
    assert desk.look(17.0).questions == ()
    assert desk.told[-1] == ("take", 0, ("9S",))


def test_it_counts_there_only_as_long_as_it_lies_so() -> None:
    desk = Desk("trading-poker", 4, COMMON)
    (card,) = desk.put("keep:2", "9S", at=10.0)
    desk.look(10.6)
    (question,) = desk.look(16.0).questions
    desk.observer.belongs(question.key, "keep:0")
    desk.look(16.3)
    assert desk.told[-1] == ("take", 0, ("9S",))
    assert [c.track for c in desk.observer.memory.zones["keep:0"].cards] == [card.track]
    desk.clear("keep:2", at=18.0)
    desk.table.cards["keep:0"], desk.table.stirred["keep:0"] = [card], 18.0
    desk.look(19.0)
    assert not desk.observer.memory.belongs
    assert [c.track for c in desk.observer.memory.zones["keep:0"].cards] == [card.track]
    desk.clear("keep:0", at=20.0)
    desk.look(21.0)
    assert not desk.observer.memory.zones["keep:0"].cards


def trading(*actions: Action) -> Desk:
    """A desk whose places leave a third of the table free."""
    desk = Desk("trading-poker", 4, *actions)
    shapes = desk.table.layout.zones
    zones = tuple(replace(one, polygon=tuple((x, y * 0.6) for x, y in one.polygon)) for one in shapes)
    desk.table.layout = replace(desk.table.layout, zones=zones)
    desk.observer = Observer(desk.table.layout)
    desk.look(5.0)
    return desk


def beside(desk: Desk, now: float, face: str = "9S", since: float = 10.0, top: float = 0.7) -> Observation:
    """A look at a table with one more card, which lies beside every place."""
    quad = ((0.45, top), (0.55, top), (0.55, top + 0.2), (0.45, top + 0.2))
    card = SeenCard(99, face, 0.99, Side.UP, quad, (Candidate(face, 0.99),), "c99", since)
    seen = desk.table.seen(now)
    return desk.observer.look(desk.match, replace(seen, cards=(*seen.cards, card)))


def _in_place() -> SeenCard:
    """The same card in the middle of the common row."""
    quad = ((0.45, 0.3), (0.55, 0.3), (0.55, 0.5), (0.45, 0.5))
    return SeenCard(99, "9S", 0.99, Side.UP, quad, (Candidate("9S", 0.99),), "c99", 10.0)


def test_a_card_beside_every_place_is_asked_about_where_the_game_waits_for_one() -> None:
    desk = trading(COMMON)
    assert beside(desk, 11.0).questions == (), "it may be pushed into its place yet"
    (question,) = beside(desk, 14.5).questions
    assert question.cards == ("9S",) and "keep:0" in question.places and question.evidence == ("c99",)
    desk.observer.belongs(question.key, "keep:0")
    (proposal,) = beside(desk, 14.8).proposals
    assert (proposal.action.kind, proposal.action.seat, proposal.action.cards) == ("take", 0, ("9S",))


def test_a_card_beyond_the_tables_edge_is_in_a_hand() -> None:
    desk = trading(COMMON)
    assert [beside(desk, now, top=1.0).questions for now in (11.0, 14.5, 30.0)] == [(), (), ()]


def test_a_card_that_lay_in_its_place_is_beside_it_from_then_on() -> None:
    desk = trading(COMMON)
    desk.observer.look(desk.match, replace(desk.table.seen(11.0), cards=(*desk.table.seen(11.0).cards, _in_place())))
    for now in (12.0, 14.5):
        assert beside(desk, now).questions == (), "its outline may be found where it is again"
    desk.observer.look(desk.match, replace(desk.table.seen(18.0), cards=(*desk.table.seen(18.0).cards, _in_place())))
    assert beside(desk, 21.0).questions == ()
    assert [question.cards for question in beside(desk, 22.5).questions] == [("9S",)]


def test_what_people_wave_away_beside_the_table_is_not_asked_again() -> None:
    desk = trading(COMMON)
    (question,) = beside(desk, 14.5).questions
    desk.observer.dismiss(question.key)
    assert beside(desk, 20.0).questions == () and beside(desk, 60.0).questions == ()


def test_nobody_is_asked_about_a_card_that_no_place_waits_for() -> None:
    desk = Desk("three-card-trick-poker")
    places = {p.slot.target for p in desk.match.prompts() if p.slot is not None}
    for face in ("9S", "4D", "KH"):
        found = beside(desk, 20.0, face).questions
        assert all(set(question.places) <= places and question.places for question in found)


def test_nothing_is_told_of_a_place_to_which_a_card_beside_it_may_belong() -> None:
    desk = trading()
    desk.put("common", "AH", "8S", "4D", "AC", at=10.0)
    for now in (11.0, 14.5, 20.0):
        assert beside(desk, now, "7C").proposals == ()
    question = next(q for q in beside(desk, 20.5, "7C").questions if q.cards == ("7C",))
    desk.observer.belongs(question.key, "common")
    desk.clear("joker", at=20.6)
    (proposal,) = beside(desk, 21.5, "7C").proposals
    assert sorted(proposal.action.cards) == ["4D", "7C", "8S", "AC", "AH"]


def test_who_waves_a_card_beside_the_table_away_says_nothing_of_the_places() -> None:
    desk = trading(COMMON)
    desk.put("keep:2", "2C", at=9.0)
    question = next(q for q in beside(desk, 14.5).questions if q.cards == ("9S",))
    desk.observer.dismiss(question.key)
    assert not desk.observer._waived
