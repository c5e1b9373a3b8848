"""Joker Quest, clause by clause, in the order of the sheet, the house rules, and the reading.

Numbers in test names are lines of the sheet. Everything that can be done is counted in `test_counts`.
"""

from dataclasses import replace

import pytest

from companion.games import UNKNOWN, Action, Hand, Role, Setup
from companion.games.joker_quest.state import JOKER, Phase
from companion.referee import Acted, Match, Overruled, Started
from tests.games.joker_quest.steps import RULES, after, attack, codes, draw, kinds, lay, road, table


def test_123_to_128_four_cards_each_and_the_first_road():
    state = table(3)
    assert [len(hand) for hand in state.hands] == [4, 4, 4] and state.stock == 41
    assert kinds(state) == {("joker", 0), ("joker", 1), ("joker", 2), ("turn-up", None)}
    state = after(state, Action("turn-up", None, ("5C",)))
    assert (state.road, state.stock, state.phase) == ("5C", 40, Phase.TURN)
    assert kinds(state) == {("play", 0), ("pass", 0)}


def test_125_to_127_a_joker_in_a_first_hand_is_a_relative_and_replaced():
    state = after(table(3), Action("joker", 2, (JOKER,)))
    assert (state.relative, state.phase, len(state.hands[2]), state.stock) == (2, Phase.KINGS, 4, 40)
    state = after(state, Action("kings", None, ("2S", "3H", "4D", "5C")))
    assert (state.kings, state.stock, state.phase) == (("2S", "3H", "4D", "5C"), 36, Phase.DEALT)
    assert kinds(state) == {("turn-up", None)}
    state = after(state, Action("turn-up", None, ("6C",)))
    assert state.turn == 0 and kinds(state) == {("play", 0), ("attack", 0), ("pass", 0)}


def test_7_1_the_relative_begins_where_agreed():
    assert after(table(3, relative="starts"), Action("joker", 2, (JOKER,))).turn == 2


def test_7_2_a_joker_for_a_first_road_appears_and_another_road_is_turned_up():
    state = after(table(), Action("turn-up", None, (JOKER,)), Action("kings", None, ("2S", "3H", "4D", "5C")))
    assert state.phase is Phase.DEALT and not state.pile
    assert after(state, Action("turn-up", None, ("6C",))).phase is Phase.TURN


def test_131_a_pass_costs_a_penalty_and_draws_one():
    state = after(road(), Action("pass", 0, ("KD",)))
    assert (state.penalty[0], len(state.hands[0]), state.phase) == (("KD",), 4, Phase.DRAW)
    assert codes(state, draw(0)) == [("wrong-count", "138")]
    assert codes(state, draw(2)) == [("draw-too-many", "138")]
    state = after(state, draw(1))
    assert (len(state.hands[0]), state.turn) == (5, 1)


def test_136_the_road_takes_another_suit():
    state = road("4C")
    (violation,) = RULES.check(state, lay("9C"))
    assert (violation.code, violation.clause, violation.cards) == ("same-suit-as-road", "136", ("9C",))
    assert codes(state, lay("9C", "2H")) == [("same-suit-as-road", "136")]


def test_7_15_a_higher_card_of_the_same_suit_where_agreed():
    state = road("4C", options={"same_suit": "allowed"})
    assert after(state, lay("9C")).allowance == 5
    assert codes(state, lay("3C", "2H")) == [("same-suit-as-road", "136")]


def test_138_the_surplus_may_be_drawn():
    state = after(road("4C"), lay("6H"))
    assert (state.allowance, state.phase, state.road) == (2, Phase.DRAW, "6H")
    assert [len(after(state, draw(n)).hands[0]) for n in range(3)] == [4, 5, 6]
    assert codes(state, draw(3)) == [("draw-too-many", "138")]
    assert codes(state, lay("9S", seat=1)) == [("wrong-phase", "130")]


def test_7_9_the_whole_surplus_is_drawn_where_agreed():
    state = after(road("4C", options={"draw": "exact"}), lay("7H"))
    assert codes(state, draw(2)) == [("draw-too-few", "138")]
    assert len(after(state, draw(3)).hands[0]) == 7
    assert after(state, draw(1, joker=True)).phase is Phase.KINGS


def test_140_to_142_a_shortage_is_made_up_for_and_the_last_card_is_the_road():
    state = after(road("4S"), lay("AD", "9H", "2C", "KC"))
    assert (state.road, len(state.hands[0]), state.turn) == ("KC", 1, 1)
    assert codes(road("4S"), lay("AD", "9H", "2C")) == [("discard-count", "140")]
    assert codes(road("4S"), lay("AD", "9H", "2C", "KC", "QC")) == [("discard-count", "140")]
    assert codes(road("4S"), lay("9D", "2C")) == [("extra-cards", "140")]


def test_7_7_a_shortage_larger_than_the_hand():
    assert codes(road("4S", hand=3), lay("AD", "9H", "2C")) == [("too-few-cards", "140")]
    state = road("4S", hand=3, options={"overkill": "game_over"})
    assert codes(state, lay("AD", "9H")) == [("discard-count", "140")]
    assert after(state, lay("AD", "9H", "2C")).out == (0,)


def test_143_the_same_number_brings_a_penalty_card_back():
    state = after(road("4C", penalty=("4S", "3D")), lay("4H"))
    assert state.phase is Phase.RECLAIM
    assert codes(state, Action("reclaim", 0, ("5D",))) == [("card-not-allowed", "143")]
    back = after(state, Action("reclaim", 0, ("3D",)))
    assert (back.penalty[0], back.hands[0]) == (("4S",), Hand(("3D",), 4))
    assert after(state, Action("reclaim", 0)).penalty[0] == ("4S", "3D")
    assert after(road("4C"), lay("4H")).turn == 1


def test_144_without_cards_the_game_is_over():
    state = after(road("4C", players=3, hand=1), lay("4H"))
    assert state.out == (0,) and state.turn == 1
    assert after(replace(state, hands=(Hand(), Hand(unknown=1), Hand(unknown=1))), lay("4D", seat=1)).turn == 2
    assert codes(state, lay("5D")) == [("not-your-turn", "130")]
    lost = after(road("4C", players=1, hand=1), lay("4H"))
    assert lost.phase is Phase.OVER and RULES.winners(lost) == ()
    assert [msg.key for msg in RULES.view(lost, Role()).results] == ["result.joker-quest.failed"]


def test_7_8_a_pass_with_the_last_card():
    assert after(road(hand=1), Action("pass", 0, ("KD",)), draw(1)).out == ()
    assert after(road(hand=1, stock=0, joker_out=True), Action("pass", 0, ("KD",))).out == (0,)
    assert after(road(hand=1, options={"pass_last": "game_over"}), Action("pass", 0, ("KD",))).out == (0,)


def test_145_the_joker_ends_a_draw():
    state = after(road("2C"), lay("9H"))
    assert state.allowance == 7
    assert codes(state, Action("draw", 0, (UNKNOWN, JOKER, UNKNOWN))) == [("joker-ends-draw", "145")]
    came = after(state, draw(3, joker=True))
    assert (len(came.hands[0]), came.phase, came.stock) == (7, Phase.KINGS, 16)
    guarded = after(came, Action("kings", None, ("2S", "3S", "5S", "6S")))
    assert (guarded.stock, guarded.turn, guarded.phase) == (12, 1, Phase.TURN)


def test_145_the_joker_shows_up_before_the_stock_is_used_up():
    state = after(road("2C", stock=2), lay("9H"))
    assert codes(state, draw(2)) == [("joker-missing", "145")]
    assert codes(road(), lay("9H", JOKER)) == [("joker-is-no-card", "145")]
    hidden = RULES.apply(state, draw(2))
    assert ("joker", 1) in kinds(hidden)
    shown = after(hidden, Action("joker", 1, (JOKER,)))
    assert shown.joker_out and shown.kings == () and shown.turn == 1 and len(shown.hands[1]) == 3
    alone = after(replace(hidden, hands=(hidden.hands[0], Hand(unknown=1))), Action("joker", 1, (JOKER,)))
    assert alone.out == (1,) and alone.turn == 0


def test_7_5_as_many_guardians_as_the_stock_holds():
    state = after(road("2C", stock=3), lay("9H"), draw(0, joker=True))
    assert RULES.prompts(state)[0].slot.least == 2
    none = after(road("2C", stock=1), lay("9H"), draw(0, joker=True))
    assert none.phase is Phase.TURN and none.joker_out and none.kings == ()


def test_7_14_the_joker_drawn_by_a_pass():
    came = after(road(), Action("pass", 0, ("KD",)), draw(0, joker=True))
    came = after(came, Action("kings", None, ("2S", "3S", "5S", "6S")))
    assert (len(came.hands[0]), came.turn) == (4, 1)
    again = after(road(options={"pass_joker": "replace"}), Action("pass", 0, ("KD",)), draw(0, joker=True))
    again = after(again, Action("kings", None, ("2S", "3S", "5S", "6S")))
    assert again.phase is Phase.DRAW and len(after(again, draw(1)).hands[0]) == 5


def test_148_to_153_a_guardian_falls_to_his_own_suit():
    state = road("5C", joker_out=True, kings=("10H", "2S"))
    assert codes(state, attack("10H", "KS")) == [("king-suit", "148")]
    assert codes(state, attack("10H", "8H", "6C")) == [("discard-count", "149")]
    assert codes(state, attack("10H", "QH", "6C")) == [("extra-cards", "149")]
    assert codes(road("5C", hand=2, joker_out=True, kings=("10H",)), attack("10H", "8H", "6C")) == [
        ("too-few-cards", "149")
    ]
    beaten = after(state, attack("10H", "8H", "6C", "2D"))
    assert beaten.pile == ("5C", "10H", "8H", "6C", "2D") and beaten.kings == ("2S",)
    strong = after(state, attack("10H", "QH"))
    assert (strong.allowance, strong.road) == (2, "QH")
    assert after(state, attack("10H", "KH")).allowance == 3


def test_7_4_which_guardian_comes_first():
    kings = ("10H", "2S")
    first = road("5C", joker_out=True, kings=kings, options={"king_order": "first"})
    assert codes(first, attack("2S", "KS")) == [("king-order", "7.4")]
    last = road("5C", joker_out=True, kings=kings, options={"king_order": "last"})
    assert codes(last, attack("10H", "KH")) == [("king-order", "7.4")]
    assert codes(last, attack("9D", "KD")) == [("wrong-choice", "148")]


def test_7_3_guardians_only_where_agreed():
    state = road("5C", joker_out=True, kings=("10H",), options={"kings": "only"})
    assert codes(state, lay("9H")) == [("road-closed", "7.3")]
    assert kinds(state) == {("attack", 0), ("pass", 0)}


def test_7_10_a_failed_attack_loses_its_cards_where_agreed():
    state = road("5C", joker_out=True, kings=("10H",), options={"king_fail": "lost_cards"})
    state = after(state, attack("10H", "8H", "6C"))
    assert (state.kings, state.pile, len(state.hands[0])) == (("10H",), ("8H", "6C", "5C"), 3)


def test_147_and_154_no_guardian_no_attack_and_no_strike_too_early():
    assert codes(road(), attack("10H", "KH")) == [("no-king", "147")]
    assert codes(road(), Action("strike", 0, ("KH",))) == [("joker-not-here", "155")]
    guarded = road(joker_out=True, kings=("10H",))
    assert codes(guarded, Action("strike", 0, ("KH",))) == [("kings-left", "154")]


def test_154_any_card_beats_the_joker_and_draws_its_number():
    state = after(road(joker_out=True, hand=3), Action("strike", 0, ("9D",)))
    assert (state.struck, state.allowance, state.forced) == ("9D", 9, True)
    assert codes(state, draw(8)) == [("draw-too-few", "138")]
    done = after(state, draw(9))
    assert done.phase is Phase.OVER and RULES.totals(done) == {0: 11, 1: 4} and RULES.winners(done) == (0,)


def test_157_to_161_penalties_are_paid_and_most_cards_win():
    state = road(joker_out=True, hand=9, penalty=("4S", "3D"), stock=0)
    state = after(state, Action("strike", 0, ("AD",)))
    assert state.phase is Phase.FINAL and kinds(state) == {("pay", 0)}
    assert codes(state, Action("pay", 0, (UNKNOWN,) * 6)) == [("wrong-count", "158")]
    done = after(state, Action("pay", 0, ("2H", *(UNKNOWN,) * 6)))
    assert [(line.seat, line.points, line.cards) for line in RULES.scores(done)] == [
        (0, 8, ()),
        (0, -4, ("4S",)),
        (0, -3, ("3D",)),
        (1, 4, ()),
    ]
    assert RULES.winners(done) == (1,) and len(done.hands[0]) == 1


def test_160_nothing_left_is_game_over():
    state = after(road(joker_out=True, hand=6, penalty=("KS",), stock=0), Action("strike", 0, ("AD",)))
    done = after(state, Action("pay", 0, (UNKNOWN,) * 5))
    assert done.out == (0,) and RULES.totals(done) == {0: 0, 1: 4}


def test_7_13_a_tie_is_shared():
    done = after(road(joker_out=True, hand=5, stock=0), Action("strike", 0, ("AD",)))
    assert RULES.winners(done) == (0, 1)
    assert [msg.key for msg in RULES.view(done, Role()).results] == ["result.joker-quest.shared"] * 2


def test_162_alone_the_cards_are_the_score():
    done = after(road(players=1, joker_out=True, hand=3, stock=1), Action("strike", 0, ("9D",)), draw(1))
    assert RULES.totals(done) == {0: 3} and RULES.winners(done) == (0,)
    assert [msg.key for msg in RULES.view(done, Role()).results] == ["result.joker-quest.solo"]


def test_164_to_173_the_final_hand_is_read():
    state = road("5C", players=1, joker_out=True, hand=3, stock=1, options={"fortune": "yes"})
    state = after(replace(state, overcome=("4S", "10H")), Action("strike", 0, ("9D",)), draw(1))
    assert state.phase is Phase.READING
    done = after(state, Action("reveal", 0, ("3D", "9S", "QH")))
    assert done.phase is Phase.OVER and RULES.totals(done) == {0: 3}
    said = [msg.key.removeprefix("result.joker-quest.") for msg in RULES.view(done, Role()).results]
    assert said == [
        "solo",
        "fortune.answer",
        "fortune.force",
        "fortune.request",
        "fortune.money",
        "fortune.skill",
        "fortune.older-woman",
    ]
    lost = after(road("4C", players=1, hand=1, options={"fortune": "yes"}), lay("4H"))
    assert [msg.key for msg in RULES.view(lost, Role()).results][-1] == "result.joker-quest.fortune.hard"


def test_169_the_whole_hand_is_read():
    state = road("5C", players=1, joker_out=True, hand=3, stock=0, options={"fortune": "yes"})
    state = replace(state, hands=(Hand(("3D",), 2),))
    state = after(state, Action("strike", 0, ("9D",)))
    assert codes(state, Action("reveal", 0, ("9S", "QH"))) == [("not-in-hand", "31")]
    assert after(state, Action("reveal", 0, ("3D", "QH"))).phase is Phase.OVER


def test_29_a_hand_that_is_known_holds_no_other_card():
    state = replace(road("4C"), hands=(Hand(("3D", "9H")), Hand(unknown=4)))
    (violation,) = RULES.check(state, lay("9D"))
    assert (violation.code, violation.cards) == ("not-in-hand", ("9D",))
    assert not RULES.check(state, lay("9H"))


def test_7_6_a_new_stock_where_agreed():
    plain = after(road("4C", stock=1, joker_out=True), lay("9H"))
    assert after(plain, draw(1)).turn == 1
    state = replace(road("4C", stock=1, joker_out=True, options={"stock_empty": "reshuffle"}), pile=("2C", "3C", "4C"))
    state = after(state, lay("9H"), draw(1))
    assert kinds(state) == {("reshuffle", None), ("draw", 0)}
    assert after(state, draw(0)).turn == 1
    fresh = after(state, Action("reshuffle"))
    assert (fresh.stock, fresh.pile, fresh.allowance) == (3, ("9H",), 4)
    assert after(fresh, draw(3)).turn == 1


def test_play_on_takes_what_lies_there():
    start = Started("joker-quest", Setup(("A", "B")))
    match = Match.of([start, Acted(Action("turn-up", None, ("4C",))), Acted(lay("9C")), Overruled(3)])
    assert (match.state.road, match.state.allowance, len(match.state.hands[0])) == ("9C", 5, 3)
    drawing = replace(after(road("4C", hand=1), lay("6H")), hands=(Hand(), Hand(unknown=4)))
    hurried = RULES.apply(drawing, lay("9S", seat=1))
    assert hurried.out == (0,) and (hurried.road, hurried.turn, hurried.allowance) == ("9S", 1, 3)
    twice = Match.of([start, Acted(Action("turn-up", None, ("4C",))), Acted(Action("pass", 0, ("4C",)))])
    assert [v.code for v in twice.entries[-1].ruling.violations] == ["too-many-copies"]


# --- the joker, late or twice (125, 146) -----------------------------------------------------------------------------


def standing(*actions, seats=2):
    return Match.of([Started("joker-quest", Setup(("Aki", "Ben", "Cho")[:seats])), *(Acted(a) for a in actions)])


def test_146_a_joker_that_is_out_already_is_no_guardian():
    match = standing(Action("turn-up", None, ("JK1",)), Action("kings", None, ("2H", "3H", "5H", "JK1")))
    assert [v.code for v in match.entries[-1].ruling.violations] == ["joker-is-no-king"] and match.pending


@pytest.mark.parametrize(
    "before",
    [
        [],
        [Action("play", 0, ("7H",))],  # Aki may draw
        [Action("pass", 0, ("2C",))],  # Aki has to draw
    ],
)
def test_125_a_joker_kept_back_is_a_foul_and_play_on_brings_him_out(before):
    match = standing(Action("turn-up", None, ("4S",)), *before, Action("joker", 1, ("JK1",)))
    seq = len(match.entries)
    assert [v.code for v in match.entries[-1].ruling.violations] == ["joker-kept-back"] and match.pending
    phase, turn, stock = match.state.phase, match.state.turn, match.state.stock
    on = match.then(Overruled(seq))
    assert on.state.joker_out and on.state.stock == stock - 1 and len(on.state.hands[1]) == 4
    assert [p.kind for p in on.prompts()] == ["kings"]
    laid = on.then(Acted(Action("kings", None, ("2H", "3H", "5H", "6H"))))
    assert (laid.state.phase, laid.state.turn) == (phase, turn) and laid.state.kings == ("2H", "3H", "5H", "6H")
    assert not laid.pending and laid.prompts()


def test_142_the_order_of_the_cards_is_said_where_they_are_picked():
    match = standing(Action("turn-up", None, ("4S",)))
    labels = {p.kind: p.label.key for p in match.prompts() if p.label}
    assert labels["play"] == "action.joker-quest.play-order"


def test_a_card_that_lacks_nothing_and_one_whose_shortage_is_made_up_for_take_no_more():
    state = road("8S")
    assert RULES.full(state, lay("9H")) and RULES.full(state, lay("8H"))
    assert not RULES.full(state, lay("6H")) and not RULES.full(state, lay("6H", "KC"))
    assert RULES.full(state, lay("6H", "KC", "2D"))
    state = road(joker_out=True, kings=("JH",))
    assert not RULES.full(state, attack("JH", "10H")) and RULES.full(state, attack("JH", "10H", "2C"))
    assert RULES.full(state, attack("JH", "QH")) and not RULES.full(state, Action("pass", 0, ("2C",)))
    assert not RULES.full(state, Action("play", 0)) and not RULES.full(state, lay("?"))
