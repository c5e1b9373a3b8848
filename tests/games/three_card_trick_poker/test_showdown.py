"""Three Card Trick Poker: showdown, leaving and the end; names as in `test_rules`."""

from dataclasses import replace

import pytest

from companion.games import Hand
from companion.games.three_card_trick_poker.flow import begin_bout, proceed
from companion.games.three_card_trick_poker.state import Phase
from tests.games.three_card_trick_poker.steps import (
    FLUSH,
    NOTHING,
    RULES,
    STRAIGHT,
    bout,
    codes,
    do,
    showdown,
    with_player,
)


def test_93_the_strongest_hand_takes_all_and_leads():
    state = showdown(bout(pot=("4H", "4C")), {0: FLUSH, 1: STRAIGHT, 2: NOTHING})
    assert state.result.winners == (1,)
    assert len(state.players[1].captured) == 11 and not len(state.pot)
    assert state.order[0] == 1 and state.bout == 2
    (line,) = state.lines
    assert (line.seat, line.points) == (1, 11)


def test_93_equal_hands_share_and_the_rest_stays():
    state = showdown(bout(leader=2, pot=("4H", "4C")), {0: FLUSH, 1: NOTHING, 2: "3H 8H QH"})
    assert state.result.winners == (2, 0)
    assert [len(p.captured) for p in state.players] == [5, 0, 5]
    assert len(state.pot) == 1
    assert state.order[0] == 2


def test_93_nobody_has_a_hand():
    state = showdown(bout(leader=1, pot=("4H", "4C")), {0: NOTHING, 1: "3S 8H QD", 2: None})
    assert state.result.winners == () and not state.lines
    assert len(state.pot) == 2 + 6 + 1
    assert state.order[0] == 1


def test_93_a_lone_survivor_still_needs_a_hand():
    state = showdown(bout(), {0: None, 1: NOTHING, 2: None})
    assert state.result.winners == () and len(state.pot) == 5
    assert state.order[0] == 1
    state = showdown(bout(), {0: None, 1: FLUSH, 2: None})
    assert len(state.players[1].captured) == 5


def test_97_when_all_fold_the_last_to_fold_leads():
    state = do(bout(), "0 play 5S", "1 fold 4C source=hidden", "2 fold 4D source=hidden", "0 fold")
    assert state.order[0] == 0 and state.bout == 2
    assert len(state.pot) == 3
    assert codes(state, "0 draw count=1") == []  # 67: the last to fold may still refill


def test_7_1_ranks_inside_a_category_by_option():
    state = showdown(bout(intra_order="rank"), {0: FLUSH, 1: "3H 8H QH", 2: NOTHING})
    assert state.result.winners == (1,)


# --- leaving ------------------------------------------------------------------------------------------------------


def test_101_who_runs_out_leaves_and_his_exposed_cards_go_to_the_pot():
    state = with_player(bout(4, "52D2"), 0, hidden=1, stock=0)
    state = do(state, "0 fold 4C source=hidden")
    assert state.left == (0,) and state.players[0].exposed == ()
    assert state.pot.known == ("4C", "2H", "9S", "KD")
    assert codes(state, "0 play 5S") == [("has-left", "101")]
    assert state.turn == 1


def test_7_15_running_out_after_the_first_card_is_a_fold():
    state = with_player(bout(4, "52D2"), 0, hidden=1, stock=0)
    assert do(state, "0 play 5S").pot.known == ("5S", "2H", "9S", "KD")
    shady = do(state, "0 play ?")
    assert codes(shady, "1 play ?") == [("reveal-first", "87")]
    shady = do(shady, "0 reveal 5S")
    assert shady.left == (0,) and "5S" in shady.pot.known and shady.turn == 1


def test_7_14_running_out_with_the_third_card_competes_then_leaves():
    def third(**options):
        state = bout(4, "52D2", **options)
        state = with_player(state, 0, hidden=2, stock=0)
        state = do(state, "0 play 5S", *(f"{s} fold 4C source=hidden" for s in (1, 2, 3)), "0 play 9S", "0 play ?")
        return do(state, "0 reveal 7S")

    competed = third()
    assert competed.result.winners == (0,) and competed.left == (0,)
    assert len(competed.players[0].captured) == 6
    # The exposed cards he still had go to the pot of the next bout, which the next player leads.
    assert competed.pot.known == ("2H", "KD") and competed.order[0] == 1
    folded = third(r3_out="fold")
    assert folded.result.winners == () and folded.left == (0,)


def test_118_those_who_run_out_together_leave_in_turn_order():
    state = bout(4, "52D2", leader=2, end="L")
    for seat in (0, 2):
        state = with_player(state, seat, hidden=2, stock=0)
    state = showdown(state, {0: FLUSH, 1: NOTHING, 2: STRAIGHT, 3: NOTHING})
    assert state.left == (2, 0)


# --- the end ------------------------------------------------------------------------------------------------------


def ending(players, left, **options):
    """The state at the start of a bout after `left` have gone, everybody else holding 6 + 3 + 8 cards."""
    state = bout(players, "52D3", **options)
    for seat in left:
        state = with_player(state, seat, hidden=0, stock=0, exposed=())
    return proceed(begin_bout(replace(state, left=left), 0))


@pytest.mark.parametrize(
    ("end", "players", "left", "over"),
    [
        ("M", 4, (0,), False),
        ("M", 4, (0, 1), True),
        ("M", 5, (0, 1), False),
        ("M", 5, (0, 1, 2), True),
        ("M", 2, (1,), True),
        ("L", 4, (0, 1), False),
        ("L", 4, (0, 1, 2), True),
        ("S", 5, (3,), True),
    ],
)
def test_105_to_109_the_end_is_judged_before_a_bout(end, players, left, over):
    assert (ending(players, left, end=end).phase is Phase.OVER) is over


def test_113_leftovers_go_to_those_who_left_the_odd_ones_in_order_of_leaving():
    state = ending(5, (3, 0, 2), end="M", pot=("4H",))
    # Two players with 17 cards each and one card in the pot: 35 cards among three.
    assert [len(state.players[s].captured) for s in (3, 0, 2)] == [12, 12, 11]
    assert sum(line.points for line in state.lines) == 35
    assert all(p.hidden == p.stock == 0 and not p.exposed for p in state.players)


def test_114_under_s_leftovers_count_for_nobody_and_7_17_the_pot_by_option():
    state = ending(4, (1,), end="S", pot=("4H",))
    assert not state.lines and len(state.pot) == 1
    won = showdown(bout(2, end="S", s_pot="last_winner"), {0: STRAIGHT, 1: FLUSH})
    won = with_player(replace(won, pot=Hand(("4H",))), 1, hidden=1, stock=0)
    won = do(won, "0 fold 4C source=hidden", "1 play 4D")
    assert won.phase is Phase.OVER
    assert RULES.totals(won)[0] == 6 + len(("4H", "4C", "4D", "9S", "KD"))


def test_118_a_tie_goes_to_the_earlier_leaver():
    state = ending(5, (3, 0, 2), end="M", pot=("4H",))
    assert RULES.totals(state) == {0: 12, 1: 0, 2: 11, 3: 12, 4: 0}
    assert RULES.winners(state) == (3,)


def test_7_18_players_who_never_left_share_or_go_by_turn_order():
    shared = showdown(bout(3, end="S"), {0: FLUSH, 1: "3H 8H QH", 2: NOTHING})
    out = with_player(shared, 2, hidden=1, stock=0)
    leader = out.order[0]
    out = do(out, *(f"{s} fold 4C source=hidden" for s in (leader, 1, 2)))
    assert out.phase is Phase.OVER and RULES.totals(out) == {0: 4, 1: 4, 2: 0}
    assert RULES.winners(out) == (0, 1)
    strict = replace(out, rules=replace(out.rules, tie_by_turn=True))
    assert RULES.winners(strict) == (strict.result.order[0],)


def test_118_several_games_in_a_row_add_up():
    state = ending(4, (0, 1), end="M", games="2")
    assert [p.kind for p in RULES.prompts(state)] == ["next-game"]
    assert RULES.winners(state) == ()
    before = RULES.totals(state)
    state = do(state, "- next-game")
    assert state.number == 2 and RULES.totals(state) == before and state.left == ()
    assert all(len(p.captured) == 0 for p in state.players)
