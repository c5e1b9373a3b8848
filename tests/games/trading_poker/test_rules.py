"""Trading Poker, clause by clause, in the order of the sheet; numbers in test names are lines of it.

What buys a score card, and which there are, stands in `test_claims`.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import UNKNOWN, Role, Setup, SetupError
from companion.games.implied import judged
from companion.games.trading_poker.knowledge import JOKER
from companion.games.trading_poker.state import Phase, ends, final_winner, half, right_of
from companion.referee.record import parse, replay
from tests.games.trading_poker.steps import COMMON, RULES, act, codes, do, holding, kinds_open, on_table, start, table

RECORDS = Path(__file__).resolve().parents[2] / "records"
FOLDER = Path(__file__).resolve().parents[3] / "companion" / "games" / "trading_poker"


# --- set-up ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "stock"), [(3, 70), (4, 68), (5, 66)])
def test_40_46_two_cards_each_five_common_then_the_joker(players, stock):
    state = start(players)
    assert on_table(state)["joker"].cards == (JOKER,)
    assert codes(state, "- refill JK1") == [("card-elsewhere", "33", "foul")]
    assert kinds_open(state) == ["refill"]
    state = act(state, "- refill AD 5H", "- refill 6C 10S 2D")
    zones = on_table(state)
    assert (state.phase, zones["stock"].down, zones["common"].cards) == (Phase.MAIN, stock, COMMON)
    assert zones["joker"].cards == () and zones["hand:0"].down == 2
    assert (state.active, state.once_more) == (0, players - 1)


def test_45_46_another_start_player_has_once_more_on_his_right():
    assert (start(4, start="3").active, start(4, start="3").once_more) == (2, 1)


# --- A, B, C ---------------------------------------------------------------------------------------------------------


def test_71_72_exactly_one_action_and_no_pass():
    state = table(keeps=("9D", "8D", ""))
    assert kinds_open(state) == ["claim", "collect", "swap", "take"]
    assert codes(state, "0 done") == [("no-pass", "72", "foul")]
    assert codes(state, "0 skip") == [("wrong-phase", "72", "foul")]
    assert codes(state, "1 collect") == [("not-your-turn", "83", "foul")]
    assert kinds_open(table(d_empty="allowed")) == ["claim", "done", "take"]


def test_75_two_cards_from_stock_or_common_freely_mixed():
    state = act(table(), "0 take 5H source=common", "0 take 7S source=stock")
    assert state.keeps[0] == ("5H", "7S") and state.common == ("AD", "6C", "10S", "2D")
    assert state.phase is Phase.REFILL and on_table(state)["stock"].down == 69
    assert codes(table(), "0 take 7S source=common") == [("card-not-allowed", "75", "foul")]
    assert codes(table(), "0 take 7S") == [("wrong-choice", "75", "foul")]


def test_75_a_joker_from_the_stock_is_put_aside_and_replaced_from_there():
    state = act(table(), "0 take JK1 source=stock")
    assert state.joker_out and state.keeps[0] == () and state.takes == 2
    assert codes(state, "0 take 5H source=common") == [("joker-replaced-from-stock", "75", "foul")]
    state = act(state, "0 take 7S source=stock", "0 take 5H source=common")
    assert state.keeps[0] == ("7S", "5H") and on_table(state)["joker"].cards == (JOKER,)


def test_33_a_card_that_lies_elsewhere_twice_cannot_be_drawn():
    state = table(common=("AD", "AD", "6C", "10S", "2D"))
    assert codes(state, "0 take AD source=stock") == [("card-elsewhere", "33", "foul")]
    assert RULES.apply(state, do(state, "0 take AD source=stock")) == state


def test_83_collecting_takes_the_whole_keep_area_and_one_new_card():
    state = act(table(keeps=("7H 10S", "", "")), "0 collect")
    assert state.keeps[0] == () and on_table(state)["hand:0"].cards == ("10S", "7H")
    state = act(state, "0 take 4D source=stock")
    assert state.keeps[0] == ("4D",)
    assert codes(table(), "0 collect") == [("no-keep-cards", "83", "foul")]


def test_91_92_swapping_needs_keep_cards_on_both_sides():
    assert codes(table(keeps=("", "8D", "")), "0 swap 8D target=1") == [("no-keep-cards", "91", "foul")]
    state = table(keeps=("9D", "8D", ""))
    assert codes(state, "0 swap target=2") == [("no-keep-cards", "92", "foul")]
    assert codes(state, "0 swap 8D target=0") == [("wrong-choice", "91", "foul")]


def test_94_101_swapping_four_cards_and_one_face_down():
    mine, theirs = "AD AH AC 4C", "10H 10C 7C 7D"
    state = act(table(keeps=(mine, theirs, "3S")), "0 swap 10H 10C 7C 7D target=1")
    assert set(on_table(state)["hand:1"].cards) == set(mine.split()) and state.keeps == ((), (), ("3S",))
    assert codes(state, "1 give AD") == [("card-not-hidden", "99", "foul")]
    assert codes(state, "2 give ?") == [("not-your-turn", "99", "foul")]
    state = act(state, "1 give ?")
    assert [state.hand(seat) for seat in range(3)] == [2 + 4 + 1, 2 + 4 - 1, 2]
    # Which card it was nobody saw: none of his is certain any more, and it cannot be with the third player.
    assert on_table(state)["hand:1"].cards == ()
    assert state.knowledge.possible(2) and "AD" in state.knowledge.possible(0)
    assert set(on_table(state)["hand:0"].cards) == set(theirs.split())


def test_95_97_as_many_as_given_as_far_as_there_are():
    state = table(keeps=("9D 9H 9S", "8D 8H", "7D 7H 7S 7C"))
    assert codes(state, "0 swap 8D target=1") == [("wrong-count", "91", "foul")]
    assert codes(state, "0 swap 8D 8H target=1") == []
    assert codes(state, "0 swap 7D 7H 7S 7C target=2") == [("wrong-count", "91", "foul")]
    assert codes(state, "0 swap 7D 7D 7S target=2") == [("card-not-allowed", "91", "foul")]
    assert codes(table(keeps=("9D 9H", "8D 8H", ""), c_take="up_to"), "0 swap target=1") == []


# --- the end of a turn -----------------------------------------------------------------------------------------------


def test_155_the_game_ends_with_six_kinds():
    assert [ends(left, 6) for left in (7, 6, 5)] == [False, True, True]
    text = 'kind=[{hand="one_pair",points=[3]},{hand="flush",points=[9]},{hand="straight",points=[8]}]'
    state = holding("AD AH 5S 5C 9D", catalogue=text, end_kinds="2")
    state = act(state, "0 claim AD AH hand=one_pair")
    assert state.phase is Phase.CLAIM  # 7.7: the action is finished first
    state = act(state, "0 done")
    assert state.phase is Phase.OVER and RULES.prompts(state) == () and RULES.winners(state) == (0,)
    assert codes(state, "0 done") == [("game-over", "117", "foul")]
    at_once = holding("AD AH 5S 5C 9D", catalogue=text, end_kinds="2", end_check="immediate")
    assert act(at_once, "0 claim AD AH hand=one_pair").phase is Phase.OVER


def test_157_159_the_common_cards_are_filled_up_to_five():
    state = act(table(), "0 take 5H source=common", "0 take AD source=common")
    assert codes(state, "- refill 7S 7H 8S") == [("too-many-common", "157", "foul")]
    assert codes(state, "- refill 7S JK1 7H") == []
    assert codes(state, "1 take 6C source=common") == [("wrong-phase", "75", "foul")]
    state = act(state, "- refill 7S")
    assert state.phase is Phase.REFILL
    state = act(state, "- refill 7H")
    assert (state.phase, state.active) == (Phase.MAIN, 1)


def test_162_half_of_every_hand_rounded_up():
    assert [half(n) for n in (0, 1, 4, 5, 7)] == [0, 1, 2, 3, 4]


def test_160_165_after_the_joker_everybody_from_the_active_player_discards_half():
    state = table(hands=(5, 2, 0))
    state = act(state, "0 take JK1 source=stock", "0 take 7S source=stock", "0 take 8S source=stock")
    assert state.phase is Phase.SHUFFLE and state.discarding == (0, 1)
    assert codes(state, "0 discard ? ?") == [("not-half", "162", "foul")]
    assert codes(state, "1 discard ?") == [("not-your-turn", "162", "foul")]
    before = state.knowledge.in_stock
    state = act(state, "0 discard ? ? ?")
    assert on_table(state)["discard"].down == 3
    state = act(state, "1 discard ?")
    assert (state.phase, state.active, state.joker_out) == (Phase.MAIN, 1, False)
    assert state.knowledge.in_stock == before + 3 + 1 + 1 and on_table(state)["discard"].down == 0


def test_162_whoever_plays_on_says_that_the_halves_were_discarded():
    """How many is the rule's, and which nobody sees. Who tells them is corrected as ever."""
    state = table(hands=(5, 2, 0))
    state = act(state, "0 take JK1 source=stock", "0 take 7S source=stock", "0 take 8S source=stock")
    implied, there, found = judged(RULES, state, do(state, "1 take 9S source=stock"))
    assert [(one.seat, one.kind, len(one.cards)) for one in implied] == [(0, "discard", 3), (1, "discard", 1)]
    assert (there.phase, there.active, found) == (Phase.MAIN, 1, ())
    _, _, (fault,) = judged(RULES, state, do(state, "0 discard ? ?"))
    assert fault.code == "not-half"


def test_164_165_claimed_cards_go_back_into_the_stock_and_the_row_is_filled_again():
    state = holding("AD AH", hands=(1, 1, 1))
    shorter = state.knowledge.hidden(state.common[4:], state.knowledge.stock)
    state = replace(state, common=state.common[:4], knowledge=shorter)
    state = act(state, "0 claim AD AH hand=one_pair", "0 done", "- refill JK1 7S")
    assert state.phase is Phase.SHUFFLE
    state = act(state, "0 discard ?", "1 discard ?", "2 discard ?")
    assert state.pile == () and state.knowledge.can("AD", state.knowledge.stock)
    assert (state.active, state.phase) == (1, Phase.MAIN)


def test_7_8_the_joker_again_in_one_turn():
    for rule, phase in (("repeat", Phase.SHUFFLE), ("once_per_turn", Phase.MAIN)):
        state = table(hands=(4, 0, 0), common=COMMON, shuffle=rule)
        state = replace(state, shuffled=True, phase=Phase.REFILL, common=COMMON[:4])
        state = replace(state, knowledge=state.knowledge.hidden(("2D",), state.knowledge.stock))
        assert act(state, "- refill JK1 7S").phase is phase


def test_167_169_once_more_goes_to_the_right_and_gives_another_turn():
    assert [right_of(seat, 3) for seat in range(3)] == [2, 0, 1]
    state = replace(table(), once_more=0)
    state = act(state, "0 take 7S source=stock", "0 take 8S source=stock")
    assert kinds_open(state) == ["end-turn", "once-more"]
    assert codes(state, "1 once-more") == [("once-more-elsewhere", "167", "foul")]
    again = act(state, "0 once-more")
    assert (again.active, again.once_more, again.phase) == (0, 2, Phase.MAIN)
    assert act(state, "0 end-turn").active == 1
    assert codes(table(), "2 once-more") == [("wrong-phase", "168", "foul")]


def test_170_turns_go_to_the_left():
    state, order = table(4), []
    for _ in range(5):
        order.append(state.active)
        state = act(
            state,
            f"{state.active} take {state.common[0]} source=common",
            f"{state.active} take 9{'SHDC'[len(order) % 4]} source=stock",
        )
        state = act(state, f"- refill {len(order) + 2}S")
        if state.phase is Phase.ONCE_MORE:
            state = act(state, f"{state.active} end-turn")
    assert order == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(
    ("points", "once_more", "winner"),
    [
        ((20, 15, 10), 2, 0),  # 177
        ((20, 20, 15), 1, 1),  # 178
        ((20, 20, 15), 2, 1),  # 179: from the holder to the right
        ((20, 15, 20), 1, 0),
        ((5, 5, 5, 5), 3, 3),
        ((9, 3, 9, 3, 9), 1, 0),
    ],
)
def test_177_179_most_points_then_once_more_then_nearest_to_its_right(points, once_more, winner):
    assert final_winner(points, once_more) == winner


def test_7_10_a_turn_without_any_possibility_is_skipped():
    state = table(common=COMMON, hands=(1, 0, 0))
    knowledge = replace(state.knowledge, held=(1, 75, 0, 0, 0), where=state.knowledge.where)
    empty = replace(state, common=(), knowledge=knowledge)
    assert kinds_open(empty) == ["skip"] and codes(empty, "0 skip") == []
    two = replace(empty, knowledge=replace(knowledge, held=(2, 74, 0, 0, 0)))
    assert codes(two, "0 skip") == [("claim-perhaps-possible", "72", "unproven")]
    assert act(two, "0 skip").active == 1


# --- set-ups that cannot be, what is shown, records ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [(2, {}, "3 to 5"), (6, {}, "3 to 5"), (3, {"start": "4"}, "one of the 3"), (3, {"end_kinds": "12"}, "end_kinds")],
)
def test_set_ups_that_cannot_be_are_refused_in_one_sentence(players, options, words):
    with pytest.raises(SetupError, match=words):
        start(players, **options) if players < 6 else RULES.start(Setup(tuple("ABCDEF")))


def test_7_12_the_discard_pile_is_open_only_by_house_rule():
    for rule, shown in (("closed", 1), ("open", 2)):
        state = act(holding("AD AH 5S", discard=rule), "0 claim AD AH hand=one_pair")
        pile = next(zone for zone in RULES.view(state, Role()).zones if zone.id == "discard")
        assert len(pile.cards) == shown


def test_what_is_known_of_a_hand_is_for_its_owner_and_the_book_keepers():
    state = holding("AD AH 5S", hands=(1, 1, 1))
    for role, known in (
        (Role("host"), 3),
        (Role("scorekeeper"), 3),
        (Role("seat", 0), 3),
        (Role("seat", 1), 0),
        (Role(), 0),
    ):
        hand = RULES.view(state, role).players[0].hand
        assert (len(hand.known), len(hand)) == (known, 4)


def test_fouls_that_stand_count_as_they_lie():
    state = table(keeps=("", "8D", ""))
    out_of_turn = RULES.apply(state, do(state, "2 take 5H source=common"))
    assert out_of_turn.keeps[2] == ("5H",) and out_of_turn.active == 0 and out_of_turn.phase is Phase.MAIN
    swap = RULES.apply(state, do(state, "0 swap 8D target=1"))  # without an own keep card
    assert on_table(swap)["hand:0"].cards == ("8D",)
    for line in ("0 take KD source=stock", "0 claim 5H", "7 collect", "0 discard ?", "0 give ?", "0 sing"):
        assert RULES.apply(state, do(state, line)) == state or line == "0 claim 5H", line
    assert sum(len(z.cards) + z.down for z in RULES.whereabouts(swap)) == 81
    assert UNKNOWN not in swap.common


@pytest.mark.parametrize("path", sorted(RECORDS.glob("trading-poker-*.txt")), ids=lambda p: p.stem)
def test_records_replay_as_they_say(path):
    *_, last = steps = list(replay(parse(path.read_text("utf-8"))))
    assert [d for step in steps for d in step.differences] == []
    assert last.match.over and not last.match.pending


def test_every_code_of_the_game_has_its_sentences_and_a_test():
    sources = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))
    found = set(re.findall(r'(?:foul|unproven)\(\s*"([a-z0-9-]+)"', sources))
    tested = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert found and sorted(code for code in found if f'"{code}"' not in tested) == []
    for language in ("en", "ja"):
        texts = json.loads((FOLDER / f"words.{language}.json").read_text("utf-8"))
        assert sorted(code for code in found if f"violation.{code}" not in texts) == []
