"""What came to a zone: cards that nothing accounts for, and that did not lie there all the time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import Action, Prompt, Setup, Slot, Zone, game
from companion.table.fill import Pool, fill, stand_in
from companion.table.sight import ZoneSeen, accounted
from companion.vision.types import Candidate, Quad, SeenCard, Side

PLACE = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))


def card(track: int, face: str | None) -> SeenCard:
    return SeenCard(track, face, 0.99, Side.UP if face else Side.DOWN, PLACE)


def unnamed(track: int, aside: float = 100.0, **chances: float) -> SeenCard:
    """A card without a name, so far (mm) `aside` of those that have one."""
    candidates = tuple(Candidate(face, p) for face, p in chances.items())
    return SeenCard(track, None, 0.5, Side.UP, moved(PLACE, aside), candidates)


def moved(place: Quad, aside: float) -> Quad:
    a, b, c, d = ((x + aside, y) for x, y in place)
    return a, b, c, d


def test_cards_that_lie_where_they_were_accounted_for_are_not_laid_again() -> None:
    lying = (card(1, "AH"), card(2, "10C"), card(3, "6D"))
    known = {"hand:1": accounted(Zone("hand:1", ("AH", "10C", "6D")), lying)}
    sight = {"hand:1": ZoneSeen((*lying, card(4, "8C")))}
    after_the_next_showdown = Pool.of({"hand:1": Zone("hand:1")}, sight, known)
    assert [one.track for one in after_the_next_showdown.came["hand:1"]] == [4]


def test_a_second_card_of_one_face_comes_although_the_first_is_known() -> None:
    zone = Zone("hand:0", ("8C",))
    assert accounted(zone, (card(7, "8C"), card(5, "8C"))) == {5}
    pool = Pool.of({"hand:0": zone}, {"hand:0": ZoneSeen((card(5, "8C"), card(7, "8C")))}, {"hand:0": {5}})
    assert [one.track for one in pool.came["hand:0"]] == [7]


def test_of_two_alike_the_one_that_is_known_was_there_whichever_is_listed_first() -> None:
    pool = Pool.of({"keep:2": Zone("keep:2", ("3D",))}, {"keep:2": ZoneSeen((card(22, "3D"), card(21, "3D")))},
                   {"keep:2": {21}})  # fmt: skip
    assert [one.track for one in pool.came["keep:2"]] == [22]


def test_of_two_alike_the_one_that_was_just_turned_up_is_new_though_its_place_is_known_longer() -> None:
    zone, lying = Zone("play:1", ("5D", "5C")), (card(23, "5D"), card(29, "5D"), card(35, "5C"))
    assert accounted(zone, lying) == {23, 35}
    assert accounted(zone, lying, {23}) == {29, 35}
    assert accounted(Zone("play:1", ("5D", "5C", "5D")), lying, {23}) == {23, 29, 35}


def test_several_cards_without_a_name_are_taken_for_their_likeliest_faces() -> None:
    lying = (unnamed(1, QC=0.7, QD=0.1), unnamed(2, **{"9C": 0.73}), card(3, "9H"))
    prompt = Prompt("kings", None, Slot(3, 3, None, "stock", "kings"))
    sight = {"kings": ZoneSeen(lying)}
    (filled,) = fill(prompt, Pool.of({"kings": Zone("kings")}, sight), sight)
    assert set(filled.action.cards) == {"QC", "9C", "9H"} and filled.unread == lying[:2]


def test_a_zone_that_lacks_a_card_accounts_for_none() -> None:
    assert accounted(Zone("hand:0", ("8C", "9C")), (card(1, "8C"),)) == set()


def test_cards_drawn_from_a_stack_into_a_hand_may_be_any_number_though_one_of_them_could_be_shown() -> None:
    """Nobody sees them: a hand at the stack tells that there were some."""
    stock = Zone("stock", down=20, pile=True)
    sight = {"stock": ZoneSeen((card(1, None),))}
    prompt = Prompt("draw", 0, Slot(0, 3, ("JK1",), "stock", "hand:0", "any"))
    found = {filled.action for filled in fill(prompt, Pool.of({"stock": stock}, sight), sight)}
    assert found == {Action("draw", 0, ("?",) * count) for count in range(4)}


def test_a_card_that_nobody_saw_is_taken_for_one_that_could_be_laid_there_and_the_next_on_it() -> None:
    rules = game("joker-quest")
    state = rules.apply(rules.start(Setup(("a", "b", "c"))), Action("turn-up", None, ("6H",)))
    prompt = next(p for p in rules.prompts(state) if p.kind == "play")
    assert stand_in(rules, state, prompt, ("QH", "AS", "7S", "6S", "6C"), ["KS"]) == "6C"  # a spade cannot follow 6S
    assert stand_in(rules, state, prompt, ("QH", "AS", "7S"), ["KS"]) == "7S"  # as it may be laid at least
    assert stand_in(rules, state, prompt, ("QH",), []) == "QH" and stand_in(rules, state, prompt, (), []) is None


def test_of_cards_laid_together_some_may_have_been_moved_on_before_all_were_seen() -> None:
    """Four kings were laid; one is attacked, and lies on the road, before the camera looks."""
    sight = {
        "kings": ZoneSeen((card(1, "KS"), card(2, "6H"), card(3, "JH"))),
        "road": ZoneSeen((card(4, "6S"), card(5, "QS"))),
    }
    prompt = Prompt("kings", None, Slot(4, 4, None, "stock", "kings"))
    before = {"kings": Zone("kings"), "road": Zone("road", pile=True)}
    found = [filled for filled in fill(prompt, Pool.of(before, sight), sight) if filled.cards]
    assert {frozenset(filled.action.cards) for filled in found} == {
        frozenset({"KS", "6H", "JH", "6S"}),
        frozenset({"KS", "6H", "JH", "QS"}),
    }
    assert all(filled.elsewhere for filled in found)
    lone = {"kings": ZoneSeen((card(1, "KS"),)), "road": sight["road"]}
    assert not any(filled.cards for filled in fill(prompt, Pool.of(before, lone), lone))
    late = {"kings": sight["kings"], "road": ZoneSeen((replace(card(4, "6S"), since=9.0),))}
    assert not any(filled.cards for filled in fill(prompt, Pool.of(before, late), late))  # drawn long after


def test_no_card_of_a_hand_was_moved_on_to_the_hand_of_another_player() -> None:
    slot = Slot(least=3, most=3, target="hand:1")
    here = tuple(replace(card(track, face), since=10.0) for track, face in ((1, "AH"), (2, "10C")))
    moved = replace(card(3, "6D"), since=11.0)
    for place, count in (("captured:2", 1), ("hand:2", 0)):
        sight = {"hand:1": ZoneSeen(here), place: ZoneSeen((moved,))}
        pool = Pool.of({name: Zone(name) for name in sight}, sight)
        assert len(list(fill(Prompt("lay", 1, slot), pool, sight))) == count


def test_of_cards_laid_together_one_that_is_not_found_again_may_have_been_misread() -> None:
    lying = (card(1, "AH"), card(2, "10C"), replace(card(3, "6D"), covered=True), card(4, "8C"))
    prompt = Prompt("lay", 1, Slot(3, 3, None, None, "hand:1"))
    sight = {"hand:1": ZoneSeen(lying)}
    found = [filled.action.cards for filled in fill(prompt, Pool.of({"hand:1": Zone("hand:1")}, sight), sight)]
    assert ("AH", "10C", "8C") in found


def test_of_two_alike_one_that_is_not_found_again_in_the_place_of_the_other_is_no_twin() -> None:
    """A card was seen a second time, a little off; farther away it is one."""
    for aside, twins in ((14.0, 1), (40.0, 2)):
        again = replace(card(3, "2D"), covered=True, polygon=moved(PLACE, aside))
        sight = {"exposed:1": ZoneSeen((card(1, "3H"), card(2, "2D"), again, unnamed(4, **{"2C": 0.3})))}
        came = Pool.of({"exposed:1": Zone("exposed:1")}, sight).came["exposed:1"]
        assert [one.face for one in came].count("2D") == twins


@pytest.mark.parametrize(("aside", "count"), [(4.0, 1), (15.0, 2)])
def test_what_has_no_name_just_where_a_card_with_a_name_is_seen_is_that_card(aside: float, count: int) -> None:
    """In a row of cards 15 mm apart every one is a card."""
    sight = {"shown:1": ZoneSeen((card(1, "6S"), unnamed(2, aside, **{"5S": 0.79})))}
    assert len(Pool.of({"shown:1": Zone("shown:1")}, sight).came["shown:1"]) == count


def test_on_a_pile_it_may_be_the_next_card() -> None:
    sight = {"trick": ZoneSeen((card(1, "6S"), unnamed(2, 4.0, **{"5S": 0.79})))}
    assert len(Pool.of({"trick": Zone("trick", pile=True)}, sight).came["trick"]) == 2


def test_of_one_card_more_than_may_lie_the_one_that_was_read_may_be_none() -> None:
    """A pair is turned over; a name was read across both of its cards."""
    slot = Slot(least=1, most=2, target="shown")
    there = (card(1, "8D"), card(2, "6H"), replace(unnamed(3), candidates=(Candidate("6D", 0.74),)))
    ways = fill(Prompt("show", 1, slot), Pool.of({}, {"shown": ZoneSeen(there)}), {"shown": ZoneSeen(there)})
    assert {tuple(sorted(way.action.cards)) for way in ways} >= {("6H", "8D"), ("6D", "6H"), ("6D", "8D")}


@pytest.mark.parametrize(("lie", "ways"), [(3, 1), (4, 4), (5, 0)])
def test_of_one_card_more_than_have_to_lie_any_may_be_none(lie: int, ways: int) -> None:
    """A name was read across two cards before the last one came: it is not the last one that is too many."""
    there = tuple(replace(card(n, face), since=n) for n, face in enumerate(("AH", "10C", "6D", "8C", "2S")[:lie], 1))
    sight = {"hand:1": ZoneSeen(there)}
    prompt = Prompt("lay", 1, Slot(3, 3, None, None, "hand:1"))
    found = {filled.action.cards for filled in fill(prompt, Pool.of({"hand:1": Zone("hand:1")}, sight), sight)}
    assert len([cards for cards in found if len(cards) == 3]) == ways + (lie == 5)  # of five, those that came first
