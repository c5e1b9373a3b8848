"""Pokard Trick, clause by clause, in the order of the sheet; numbers in test names are lines of it.

Points and what they are paid stand in `test_settlement`.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import UNKNOWN, Action, Role, Setup, SetupError, Verdict
from companion.games.pokard_trick.deals import winners
from companion.games.pokard_trick.state import Phase, Play, Trick, leaders, legal_plays, trick_winner
from companion.referee.record import parse, replay
from tests.games.pokard_trick.steps import RULES, act, codes, playing, start, totals

RECORDS = Path(__file__).resolve().parents[2] / "records"
FOLDER = Path(__file__).resolve().parents[3] / "companion" / "games" / "pokard_trick"


# --- declaring -------------------------------------------------------------------------------------------------------


def test_32_everybody_starts_with_thirty_chips():
    state = start(7)
    assert state.chips == (30,) * 7 == totals(state)


def test_54_66_declarations_go_clockwise_from_the_dealers_left_and_end_with_him():
    state = start(3, dealer="2")
    order = []
    while state.phase is Phase.DECLARE:
        seat = RULES.prompts(state)[0].seat
        order.append(seat)
        state = act(state, f"{seat} in")
    assert order == [2, 0, 1]


def test_54_declaring_out_of_turn_is_a_foul_and_may_stand():
    state = start(3)
    assert codes(state, "2 in") == [("not-your-turn", "58", "foul")]
    state = RULES.apply(state, Action("in", 2))
    assert state.declared == ("", "", "in") and RULES.prompts(state)[0].seat == 1


def test_60_62_folding_costs_one_chip_and_lays_seven_cards_down():
    state = act(start(4), "1 fold")
    assert (state.chips, state.centre) == ((30, 29, 30, 30), 1)
    zones = {zone.id: zone for zone in RULES.whereabouts(state)}
    assert (zones["folded"].down, zones["hand:1"].down) == (7, 0)
    assert codes(state, "1 in") == [("not-your-turn", "58", "foul")]


def test_70_72_a_single_declarer_takes_the_fees_without_a_trick():
    state = act(start(4), "1 fold", "2 in", "3 fold", "0 fold")
    assert state.phase is Phase.SETTLED and state.chips == (29, 29, 33, 29)
    assert state.centre == 0 and totals(state) == state.chips
    assert RULES.prompts(state)[0].kind == "deal"


def test_7_3_when_all_fold_the_fees_stay_for_the_next_deal():
    state = act(start(3), "1 fold", "2 fold", "0 fold")
    assert (state.centre, state.chips, state.phase) == (3, (29,) * 3, Phase.SETTLED)
    state = act(state, "1 deal", "2 in", "0 fold", "1 fold")
    assert state.chips == (28, 28, 29 + 5)


def test_7_3_the_dealer_has_to_play_by_house_rule():
    state = act(start(3, all_fold="dealer_plays"), "1 fold", "2 fold")
    assert codes(state, "0 fold") == [("dealer-must-play", "7.3", "foul")]
    assert [p.kind for p in RULES.prompts(state)] == ["in"]
    assert act(state, "0 in").chips == (32, 29, 29)


def test_214_the_deal_moves_to_the_left():
    state = act(start(3), "1 fold", "2 fold", "0 in")
    assert codes(state, "0 deal") == [("not-your-turn", "214", "foul")]
    assert act(state, "1 deal").dealer == 1


# --- tricks ----------------------------------------------------------------------------------------------------------


def test_80_84_two_cards_are_laid_aside_face_down_and_five_stay():
    state = act(start(2), "1 in", "0 in")
    assert codes(state, "0 aside ?") == [("wrong-count", "80", "foul")]
    assert codes(state, "0 aside 5S 6S") == [("card-not-hidden", "80", "foul")]
    state = act(state, "0 aside ? ?")  # everybody at once: no turn order
    assert codes(state, "0 aside ? ?") == [("not-your-turn", "80", "foul")]
    zones = {zone.id: zone for zone in RULES.whereabouts(act(state, "1 aside ? ?"))}
    assert (zones["hand:0"].down, zones["aside:0"].down) == (5, 2)


def test_86_the_first_who_declared_in_is_the_starter():
    state = playing(4, folded=(1,))
    assert RULES.prompts(state)[0].seat == 2


def test_120_128_the_lead_goes_to_the_left_whoever_won():
    assert leaders((0, 1, 2, 3), 1) == (1, 2, 3, 0, 1)
    assert leaders((0, 3), 3) == (3, 0, 3, 0, 3)
    state = act(playing(3), "1 play AS", "2 play 2S", "0 play 3S", "1 collect")
    assert RULES.prompts(state)[0].seat == 2


@pytest.mark.parametrize(
    ("cards", "winner", "ace_high"),
    [
        ("9S KS 10S", 1, True),  # 102
        ("2S AH KD", 0, True),  # 104
        ("KS AS 2S", 1, True),
        ("KS AS 2S", 0, False),  # 7.1
        ("AS JK2 KS", 1, True),  # 112
        ("JK2 AS JK1", 2, True),  # 116
        ("JK1 AS KS", 0, True),  # 114
    ],
)
def test_102_116_who_wins_a_trick(cards, winner, ace_high):
    plays = tuple(Play(seat, card) for seat, card in enumerate(cards.split()))
    assert trick_winner(plays, ace_high).seat == winner


@pytest.mark.parametrize(
    ("lead", "hand", "legal"),
    [
        ("7S", "KS 9D JK1 4C", "KS JK1"),  # 94, 110
        ("7S", "KH 9D JK1", "KH 9D JK1"),  # 96
        ("JK1", "KS 9D 4C", "KS 9D 4C"),  # 114
        ("", "KS 9D JK2", "KS 9D JK2"),
    ],
)
def test_94_114_what_a_known_hand_may_play(lead, hand, legal):
    assert legal_plays(lead or None, tuple(hand.split())) == tuple(legal.split())


def test_98_turns_go_round_and_nobody_plays_twice():
    state = act(playing(3), "1 play AS")
    assert codes(state, "0 play 3S") == [("not-your-turn", "90", "foul")]
    state = RULES.apply(state, Action("play", 0, ("3S",)))  # the table plays on
    assert RULES.prompts(state)[0].seat == 2
    again = RULES.apply(state, Action("play", 0, ("4S",)))
    assert again == state


def test_106_the_trick_goes_to_its_winner():
    state = act(playing(3), "1 play 5S", "2 play JK1", "0 play 3S")
    assert codes(state, "1 collect") == [("trick-not-yours", "112", "foul")]
    assert act(state, "2 collect").tricks == (Trick(state.table, 2),)
    high = act(playing(3), "1 play 5S", "2 play 6S", "0 play AS")
    assert codes(high, "1 collect") == [("trick-not-yours", "102", "foul")]
    assert RULES.apply(high, Action("collect", 1)).tricks[0].taker == 1  # as it lies


def test_94_not_following_is_unproven_until_nobody_can_hold_the_suit():
    state = act(playing(2), "1 play 5S")
    assert codes(state, "0 play 5H") == [("did-not-follow", "94", "unproven")]
    assert codes(state, "0 play JK1") == [] == codes(state, "0 play 6S")
    spades = [f"{rank}S" for rank in ["A", "2", "3", "4", "6", "7", "8", "9", "10", "J", "Q", "K"]]
    tricks = tuple(Trick((Play(0, a), Play(1, b)), 0) for a, b in zip(spades[::2], spades[1::2], strict=True))
    everything_seen = replace(state, tricks=tricks[:6])
    assert (
        codes(replace(everything_seen, table=(Play(1, "5S"),)), f"{RULES.prompts(everything_seen)[0].seat} play 5H")
        == []
    )


def test_94_a_revoke_is_proven_by_the_suit_from_the_hand_with_both_tricks():
    state = act(playing(3), "1 play 7S", "2 play 3H", "0 play 9S", "0 collect")
    later = act(state, "2 play 4D", "0 play 8D", "1 play 10D", "1 collect", "0 play KC", "1 play 2C")
    action = Action("play", 2, ("KS",))
    (proof,) = RULES.proves(later, action)
    assert (proof.code, proof.clause, proof.cards) == ("revoke", "94", ("3H", "KS"))
    assert dict(proof.params) == {"seat": 2, "suit": "S", "trick": 1, "later_trick": 3}
    assert [v.verdict for v in RULES.check(later, action)] == [Verdict.UNPROVEN]  # clubs were led
    assert RULES.proves(later, Action("play", 2, ("5C",))) == ()
    assert RULES.apply(later, action).revokes[0].later == "KS"
    marked = [c for z in RULES.view(RULES.apply(later, action), Role()).zones for c in z.cards if "foul" in c.marks]
    assert {card.face for card in marked} == {"3H", "KS"}


def test_94_a_revoke_is_told_once_per_suit():
    state = act(playing(2), "1 play 7S", "0 play 3H", "1 collect", "0 play 4S", "1 play 9S", "1 collect")
    assert state.revokes and RULES.proves(state, Action("play", 1, ("5S",))) == ()
    assert RULES.proves(act(state, "1 play 2S"), Action("play", 0, ("5S",))) == ()


def test_80_a_suit_shown_from_the_cards_laid_aside_proves_nothing():
    state = playing(2)
    for lead, follow in zip(["7S", "4D", "6D", "8D", "9D"], ["3H", "5D", "5C", "KH", "2C"], strict=True):
        first = RULES.prompts(state)[0].seat
        pair = (lead, follow) if first == 1 else (follow, lead)
        state = act(state, f"{first} play {pair[0]}", f"{1 - first} play {pair[1]}")
        state = act(state, f"{RULES.prompts(state)[0].seat} collect")
    assert state.phase is Phase.SHOW
    shown = Action("show", 0, ("9S", "AS"))
    assert RULES.check(state, shown) == () == RULES.proves(state, shown)


def test_7_6_a_revoke_makes_the_deal_void_by_house_rule():
    state = act(playing(2, revoke="deal_void"), "1 play 7S", "0 play 3H", "1 collect", "0 play 4S")
    assert state.phase is Phase.SETTLED and state.chips == (30, 30)
    assert state.results[0].key == "result.pokard.void"


# --- ends ------------------------------------------------------------------------------------------------------------


def test_236_the_game_ends_after_the_agreed_deals_with_a_draw():
    state = act(start(2, deals="2"), "1 fold", "0 in", "1 deal", "0 fold", "1 in")
    assert state.phase is Phase.OVER and RULES.prompts(state) == ()
    assert winners(state) == (0, 1) == RULES.winners(state)
    assert state.results[-3].key == "result.pokard.draw"
    assert codes(state, "0 deal") == [("game-over", "214", "foul")]


def test_234_when_the_time_is_up_the_deal_is_finished():
    state = act(start(2, end="time"), "1 fold", "- time-up")
    assert state.phase is Phase.DECLARE and codes(state, "- time-up") == [("wrong-phase", "234", "foul")]
    assert act(state, "0 in").phase is Phase.OVER
    waiting = act(start(2, end="time"), "1 fold", "0 in")
    assert act(waiting, "- time-up").phase is Phase.OVER


def test_222_238_bankrupts_are_out_and_end_the_game():
    state = replace(start(3, end="bankrupts", bankrupts="2"), chips=(1, 45, 44))
    state = act(state, "1 in", "2 fold", "0 fold")
    assert state.bankrupt == (True, False, False) and state.phase is Phase.SETTLED
    assert any(r.key == "result.pokard.bankrupt" for r in state.results)
    state = act(state, "1 deal")
    assert state.declared == ("out", "", "") and RULES.prompts(state)[0].seat == 2
    zones = {zone.id: zone.down for zone in RULES.whereabouts(state)}
    assert (zones["hand:0"], zones["stock"]) == (0, 40)
    one = replace(start(3, end="bankrupts"), chips=(1, 45, 44))
    assert act(one, "1 in", "2 fold", "0 fold").phase is Phase.OVER


@pytest.mark.parametrize(
    ("end", "by_deals", "by_time", "by_bankrupts"),
    [
        ("deals_time", True, True, False),
        ("deals_bankrupts", True, False, True),
        ("time_bankrupts", False, True, True),
        ("all", True, True, True),
    ],
)
def test_232_of_several_agreed_ends_the_first_one_counts(end, by_deals, by_time, by_bankrupts):
    def over(state, *actions):
        return act(state, *actions).phase is Phase.OVER

    assert over(start(3, end=end, deals="1"), "1 in", "2 fold", "0 fold") is by_deals
    fresh = start(3, end=end, deals="20")
    assert any(p.kind == "time-up" for p in RULES.prompts(fresh)) is by_time
    if by_time:
        assert over(fresh, "- time-up", "1 in", "2 fold", "0 fold")
    assert over(replace(fresh, chips=(1, 45, 44)), "1 in", "2 fold", "0 fold") is by_bankrupts


def test_7_11_with_one_solvent_player_any_game_is_over():
    state = replace(start(2, deals="20"), chips=(1, 59))
    assert act(state, "1 in", "0 fold").phase is Phase.OVER


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (1, {}, "2 to 7"),
        (8, {}, "2 to 7"),
        (3, {"dealer": "4"}, "one of the 3 players"),
        (3, {"end": "bankrupts", "bankrupts": "3"}, "at most 2"),
        (3, {"deals": "0"}, "deals"),
        (3, {"colour": "red"}, "colour"),
    ],
)
def test_set_ups_that_cannot_be_are_refused_in_one_sentence(players, options, words):
    with pytest.raises(SetupError, match=words):
        RULES.start(Setup(tuple("ABCDEFGH"[:players]), "", tuple(options.items())))


def test_a_card_never_lies_in_two_places():
    state = playing(7)
    for zone in RULES.whereabouts(state):
        assert UNKNOWN not in zone.cards
    assert sum(len(zone.cards) + zone.down for zone in RULES.whereabouts(state)) == 54


@pytest.mark.parametrize("path", sorted(RECORDS.glob("pokard-trick-*.txt")), ids=lambda p: p.stem)
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
