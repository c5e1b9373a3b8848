"""Cards that could not be read: asked about at once, and backs that the reader does not know as such."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Action, Zone
from companion.table import Observer
from companion.table.misfit import EXTRA, OUTLINE, STALE, misfit
from companion.table.patience import ODD
from companion.vision.types import Candidate, SeenCard, SeenTable, Side
from tests.table.lying import at
from tests.table.test_following import Desk
from tests.table.test_observe import LAYOUT, look, showdown, table
from tests.table.test_visits import Watched


def shown(time: float, *faces: str | None) -> SeenTable:
    """A hand before the first player that lies so since the film began."""
    hand = table({0: faces})
    return replace(hand, time=time, cards=tuple(replace(card, since=0.0) for card in hand.cards))


def test_all_unread_cards_of_a_hand_are_asked_about_at_once() -> None:
    questions = look(showdown(), table({0: ("AS", None, None)})).questions
    assert [(q.kind, q.track) for q in questions] == [("card", 2), ("card", 3)]


def test_naming_one_card_does_not_put_off_the_question_about_the_next() -> None:
    observer, match = Observer(LAYOUT), showdown()
    observer.look(match, shown(0.0, "AS", None, None))
    assert len(observer.look(match, shown(4.0, "AS", None, None)).questions) == 2
    observer.name(2, "KS")
    (left,) = observer.look(match, shown(4.1, "AS", None, None)).questions
    assert left.track == 3


def test_an_outline_that_looks_like_no_face_may_be_a_back_that_should_lie_there() -> None:
    strange = replace(at(0.5, 0.5, 1, None), candidates=(Candidate("AS", 0.02), Candidate("AC", 0.01)))
    face = at(0.5, 0.5, 1, None)
    for zone in (Zone("stock", down=3, pile=True), Zone("hand:0", down=1)):
        assert misfit(zone, [replace(strange, side=Side.DOWN, candidates=())]) == 0.0
        assert 0.0 < misfit(zone, [strange]) < OUTLINE  # rather a back than a shadow
        assert misfit(zone, [face]) > 2 * OUTLINE
    assert misfit(Zone("stock", pile=True), [strange]) > OUTLINE


def test_nobody_is_asked_about_a_card_that_should_lie_there_and_is_not_read_again() -> None:
    plays = [Action("play", seat, (face,)) for seat, face in enumerate(("3H", "4C"))]
    for likeliest, asked in (("4C", []), ("9S", ["card"])):
        desk = Desk("aces-king", 4, *plays)
        top = desk.table.cards["discard"][-1]
        top.shown, top.until = (None, (Candidate(likeliest, 0.6), Candidate("3H", 0.3))), 99.0
        desk.table.stirred["discard"] = 10.0
        desk.look(11.0)
        assert [question.kind for question in desk.look(20.0).questions] == asked


@pytest.mark.parametrize("said", ["prayer.free", None])
def test_what_came_beside_a_card_that_is_asked_about_is_not_asked_about_too(said: str | None) -> None:
    """Once the card is named both hands are told; where it is none of that hand, people are asked further."""
    drawn = (Action("exchange", seat, ("?",) * 5) for seat in (1, 2, 3, 0))
    desk, now = Desk("sixty-five-card-poker", 4, *drawn), 11.5
    four = ["undertaker.temple", "arms_dealer.nomad", "arms_dealer.fed", "moon_earth.fed"]
    desk.put("hand:1", *four, "prayer.free", at=10.0)
    unread = desk.table.cards["hand:1"][-1]
    unread.shown = None, (Candidate("JC", 0.12), Candidate("QC", 0.01))  # what no card of this deck is
    unread.until = 99.0
    desk.look(11.0)
    desk.put("hand:3", "sniper.fed", "shepherd.nomad", "cruiser.temple", "sniper.temple", "staff.free", at=now)
    asked = {question.key: question for n in range(12) for question in desk.look(now + 0.5 * n).questions}
    (question,) = asked.values()
    assert (question.kind, question.zone) == ("card", "hand:1") and question.track is not None
    desk.observer.name(question.track, said)
    after = [found.key for n in range(8) for found in desk.look(now + 6.0 + 0.5 * n).questions]
    assert (sorted(seat for kind, seat, _ in desk.told[4:] if kind == "open") == [1, 3]) is (said is not None)
    assert bool(after) is (said is None)


def test_two_backs_that_look_like_one_are_told_as_two_where_so_many_have_to_be_laid() -> None:
    """They overlap, or the second one is just coming: nothing else can be laid."""
    joined = [Action("in", 1), Action("fold", 2), Action("fold", 3), Action("in", 0)]
    desk = Watched("pokard-trick", 4, *joined)
    desk.hand(0, "aside:0", at=9.6)
    desk.put("aside:0", None, at=10.0)
    assert desk.look(11.0).questions == () and desk.look(16.0).questions == ()
    assert desk.told[-1] == ("aside", 0, ("?", "?"))
    desk.hand(1, "aside:1", at=19.6)
    desk.put("aside:1", None, None, at=20.0)
    desk.look(21.0)
    assert desk.look(22.0).questions == ()
    assert desk.told[-1] == ("aside", 1, ("?", "?"))


def test_a_back_too_few_speaks_less_against_a_row_of_several_than_against_one() -> None:
    back = SeenCard(1, None, 0.9, Side.DOWN, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    assert misfit(Zone("aside:0", down=2), [back]) < ODD <= misfit(Zone("aside:0", down=2), [])
    assert misfit(Zone("aside:0", down=3), [back]) >= ODD, "of three that overlap two are seen"
    assert misfit(Zone("aside:0", down=1), [back, replace(back, track=2)]) >= ODD


def test_a_back_may_lie_under_an_open_card_that_was_laid_on_it() -> None:
    card = SeenCard(1, "3C", 0.99, Side.UP, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    assert misfit(Zone("play:1", ("3C",), down=1), [card]) < ODD <= misfit(Zone("play:1", down=1), [])
    assert misfit(Zone("play:1", ("3C",), down=2), [card]) >= ODD, "not two of them"


@pytest.mark.parametrize(("aside", "lost", "cost"), [(0.01, True, STALE), (0.02, True, EXTRA), (0.01, False, EXTRA)])
def test_a_card_found_anew_a_little_off_is_the_one_that_is_not_found_where_it_lay(
    aside: float, lost: bool, cost: float
) -> None:
    """Of a row in which cards lie over each other, outlines are not exact. Two that are both seen are two."""
    row = [at(0.3, 0.5, 1, "AD"), replace(at(0.4, 0.5, 2, "JS"), covered=lost), at(0.4 + aside, 0.5, 9, "JS")]
    assert misfit(Zone("exposed:0", ("AD", "JS")), row) == cost
    assert misfit(Zone("exposed:0", ("AD", "JS", "JS")), row) == 0.0


def test_a_back_that_is_not_found_any_more_is_no_card_laid_there() -> None:
    """On a pile that should be empty: it was gathered just now. One that is found is a card too many."""
    back = replace(at(0.5, 0.5, 1, None), side=Side.DOWN, candidates=())
    empty, full = Zone("folded", pile=True), Zone("folded", down=3, pile=True)
    assert misfit(empty, [replace(back, covered=True)]) < OUTLINE < misfit(empty, [back])
    assert misfit(full, [replace(back, covered=True)]) == misfit(full, [back]) == 0.0
