"""Ace's King, clause by clause, the house rules, and a count of everything that can be done."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import deck
from companion.games import UNKNOWN, Action, Role, Setup, SetupError, Verdict, game
from companion.games.aces_king.options import numbers
from companion.referee import Acted, Match, Overruled, Started
from companion.referee.simulate import play as played

RULES = game("aces-king")
CARDS = deck("52D1").codes
NUMBERS = numbers(deck("52D1"))


def table(players=3, **options):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple(options.items())))


def after(state, *actions):
    for action in actions:
        assert not RULES.check(state, action), (action, RULES.check(state, action))
        state = RULES.apply(state, action)
    return state


def lay(seat, card):
    return Action("play", seat, (card,))


def draw(seat, n):
    return Action("draw", seat, (UNKNOWN,) * n)


def codes(state, action):
    return [(v.code, v.clause) for v in RULES.check(state, action)]


@pytest.mark.parametrize(("card", "value"), [("AS", 1), ("10H", 10), ("JD", 11), ("QC", 12), ("KS", 13)])
def test_25_and_27_numbers(card, value):
    assert NUMBERS[card] == value


def test_7_1_the_ace_is_14_where_agreed():
    assert numbers(deck("52D1"), ace_high=True)["AS"] == 14
    state = after(table(ace="14"), lay(0, "KD"), draw(0, 1), lay(1, "AS"))
    assert state.owed == 0
    assert after(state, lay(2, "QS")).owed == 2


def test_39_only_whose_turn_it_is():
    state = after(table(), lay(0, "5S"))
    assert codes(state, lay(2, "9S")) == [("not-your-turn", "39")]
    assert codes(state, lay(0, "9S")) == [("not-your-turn", "39")]


def test_52_the_first_card_brings_one_and_may_not_be_a_pass():
    state = table()
    assert codes(state, Action("pass", 0)) == [("opening-pass", "52")]
    state = after(state, lay(0, "5S"))
    assert (state.owed, state.debtor, state.why) == (1, 0, "52")
    state = after(state, draw(0, 1))
    assert state.hands == (8, 8, 8) and state.stock == 27


def test_7_4_an_opening_pass_draws_two_and_leaves_the_opening_to_the_next():
    state = after(table(open_pass="yes"), Action("pass", 0), draw(0, 2))
    assert state.hands[0] == 10 and state.top is None
    assert after(state, lay(1, "5S")).owed == 1


def test_54_to_57_the_difference_is_drawn():
    state = after(table(), lay(0, "5S"), draw(0, 1), lay(1, "3D"))
    assert (state.owed, state.why) == (2, "55")
    state = after(state, draw(1, 2), Action("pass", 2))
    assert (state.owed, state.why, state.top) == (2, "57", "3D")


def test_55_a_wrong_number_of_drawn_cards_is_named():
    state = after(table(), lay(0, "5S"), draw(0, 1), lay(1, "3D"))
    (violation,) = RULES.check(state, draw(1, 1))
    assert (violation.code, violation.clause) == ("draw-count", "55")
    assert dict(violation.params) == {"seat": 1, "count": 1, "owed": 2}
    assert codes(state, draw(1, 3)) == [("draw-count", "55")]
    assert codes(state, draw(0, 2)) == [("not-your-turn", "55")]


def test_54_an_equal_card_owes_nothing():
    state = after(table(), lay(0, "5S"), draw(0, 1), lay(1, "5D"))
    assert codes(state, draw(1, 1)) == [("no-draw-owed", "54")]


def test_a_forced_draw_is_taken_as_done_when_the_next_player_acts():
    said = after(table(), lay(0, "5S"), draw(0, 1), lay(1, "3D"), draw(1, 2), lay(2, "3S"))
    silent = after(table(), lay(0, "5S"), lay(1, "3D"), lay(2, "3S"))
    assert said == silent


def test_59_out_and_won():
    state = replace(table(), hands=(1, 8, 8), discard=("5S",))
    state = after(state, lay(0, "9S"))
    assert state.over and RULES.prompts(state) == () and RULES.winners(state) == (0,)
    assert [(line.seat, line.points) for line in RULES.scores(state)] == [(0, 1)]
    assert codes(state, lay(1, "KS")) == [("game-over", "39")]


def test_7_2_a_last_card_too_low_is_not_out():
    state = replace(table(), hands=(1, 8, 8), discard=("9S",))
    assert not after(state, lay(0, "5S"), draw(0, 4)).over
    early = replace(table(out_on_empty="before_draw"), hands=(1, 8, 8), discard=("9S",))
    assert after(early, lay(0, "5S")).over


def test_7_3_a_short_stock_is_drawn_out_then_reshuffled():
    state = replace(table(), hands=(5, 8, 8), discard=("2C", "3C", "4C", "QS"), stock=2)
    state = after(state, lay(0, "8H"))
    assert state.owed == 4
    assert codes(state, lay(1, "KS")) == [("draw-first", "55")]
    state = after(state, draw(0, 2))
    assert RULES.prompts(state)[0].kind == "reshuffle" and state.owed == 2
    state = after(state, Action("reshuffle"))
    assert (state.stock, state.discard) == (4, ("8H",))
    state = after(state, draw(0, 2))
    assert (state.hands[0], state.stock, state.turn) == (8, 2, 1)


def test_7_3_what_is_not_there_is_not_drawn():
    state = replace(table(), hands=(5, 8, 8), discard=("QS",), stock=0)
    assert after(state, lay(0, "8H")).owed == 1  # the queen, reshuffled
    none = replace(table(stock_empty="no_draw"), hands=(1, 8, 8), discard=("QS",), stock=0)
    assert after(none, lay(0, "8H")).over  # nothing to draw, nothing in hand
    void = after(replace(table(stock_empty="game_void"), discard=("QS",), stock=1), lay(0, "8H"))
    assert void.over and RULES.winners(void) == () and RULES.scores(void) == ()
    assert [msg.key for msg in RULES.view(void, Role()).results] == ["result.aces-king.void"]


def test_7_5_places_are_played_out_where_agreed():
    state = replace(table(ranking="yes"), hands=(1, 1, 8), discard=("5S",))
    state = after(state, lay(0, "6S"))
    assert not state.over and state.turn == 1
    state = after(state, lay(1, "7S"))
    assert state.over and state.out == (0, 1)
    assert RULES.totals(state) == {0: 2, 1: 1, 2: 0} and RULES.winners(state) == (0,)


def test_7_6_counter_clockwise_where_agreed_and_any_starter():
    state = after(table(direction="ccw", starter="2"), lay(1, "5S"))
    assert state.turn == 0
    with pytest.raises(SetupError, match="one of the 3 players, not player 4"):
        table(starter="4")


def test_7_7_a_free_lead_after_everybody_passed_where_agreed():
    passes = [Action("pass", seat) for seat in (1, 2, 0)]
    state = after(table(all_pass="free_lead"), lay(0, "KS"), *passes)
    assert after(state, lay(1, "2S")).owed == 0
    assert after(table(), lay(0, "KS"), *passes, lay(1, "2S")).owed == 11


def test_a_card_played_twice_is_named_with_its_places():
    match = Match.of([Started("aces-king", Setup(("A", "B"))), Acted(lay(0, "5S")), Acted(lay(1, "5S"))])
    (violation,) = match.entries[-1].ruling.violations
    assert violation.code == "too-many-copies" and dict(violation.params)["where"] == "discard, discard"


def test_play_on_counts_what_was_drawn():
    match = Match.of([Started("aces-king", Setup(("A", "B", "C"))), Acted(lay(0, "5S")), Acted(lay(1, "3D"))])
    match = match.then(Acted(draw(1, 1))).then(Overruled(4))
    assert match.state.hands[1] == 8 and match.state.owed == 0
    more = match.then(Acted(lay(0, "9S"))).then(Overruled(6))
    assert (more.state.top, more.state.turn) == ("9S", 1)


def test_the_page_says_who_draws_and_who_holds_a_last_card():
    state = after(table(), lay(0, "5S"), draw(0, 1), lay(1, "3D"))
    view = RULES.view(state, Role())
    assert view.phase.key == "game.aces-king.phase.draw"
    assert [p.status.key if p.status else None for p in view.players][1] == "status.aces-king.draws"
    last = replace(table(), hands=(1, 8, 8), discard=("5S",))
    assert [msg.key for msg in RULES.view(last, Role()).results] == ["result.aces-king.last-card"]


def lines(state, faces, depth):
    """Legal lines of `depth` actions with these faces, generated from the prompts."""
    if depth == 0:
        return 1
    total = 0
    for prompt in RULES.prompts(state):
        if prompt.slot is None:
            options = [()]
        elif prompt.slot.side == "down":
            options = [(UNKNOWN,) * prompt.slot.least]
        else:
            options = [(card,) for card in faces if card not in state.discard]
        for cards in options:
            action = Action(prompt.kind, prompt.seat, cards)
            assert not RULES.check(state, action)
            total += lines(RULES.apply(state, action), faces, depth - 1)
    return total


def by_hand(tops, faces, depth, opened=False, owes=False):
    """The same count from the sheet alone: a card or a pass, and a draw in between that may stay unsaid."""
    if depth == 0:
        return 1
    total = by_hand(tops, faces, depth - 1, opened, False) if owes else 0
    for card in faces:
        if card not in tops:
            lack = max(0, NUMBERS[tops[-1]] - NUMBERS[card]) if tops else 1
            total += by_hand((*tops, card), faces, depth - 1, True, lack > 0)
    return total + (by_hand(tops, faces, depth - 1, True, True) if opened else 0)


@pytest.mark.parametrize(
    ("faces", "depth", "count"),
    [(CARDS, 1, 52), (CARDS, 2, 52 * 53), (CARDS[:4], 3, 78), (CARDS[:4], 4, 266), (CARDS[9:14], 5, 2280)],
)
def test_count_of_lines(faces, depth, count):
    assert lines(table(2), faces, depth) == by_hand((), faces, depth) == count


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.data())
def test_everything_that_is_offered_is_accepted_and_nothing_else(seed, players, data):
    setup = Setup(tuple("ABCDE"[:players]))
    steps = list(played(RULES, setup, Random(seed), limit=60))
    state = data.draw(st.sampled_from(steps)).before
    offered = {(p.kind, p.seat, p.slot.least if p.slot else 0) for p in RULES.prompts(state)}
    for kind in ("play", "pass", "draw", "reshuffle"):
        for seat in (None, *range(players)):
            for count in range(4):
                cards = (UNKNOWN,) * count if kind == "draw" else CARDS[:count]
                fouls = [v for v in RULES.check(state, Action(kind, seat, cards)) if v.verdict is Verdict.FOUL]
                assert (not fouls) == ((kind, seat, count) in offered)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_no_card_is_ever_lost(seed, players):
    setup = Setup(tuple("ABCDE"[:players]), "", (("ranking", "yes"),))
    for step in played(RULES, setup, Random(seed), limit=200):
        state = step.after
        assert sum(state.hands) + state.stock + len(state.discard) == 52
        assert min(state.hands) >= 0 and state.stock >= 0
