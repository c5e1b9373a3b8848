"""Three Card Trick Poker by clause, in the order of the sheet: lines of it (Rev. 0.9), 7.x of the formal reading.

Showdown, leaving and the end stand in `test_showdown`.
"""

from random import Random

import pytest

from companion.games import Action, Hand, Role, Setup, SetupError, Verdict
from companion.games.three_card_trick_poker.state import Mode, Phase
from companion.referee import Acted, Match, Started
from companion.referee.simulate import play
from tests.games.three_card_trick_poker.steps import (
    FLUSH,
    NAMES,
    RULES,
    STRAIGHT,
    act,
    bout,
    codes,
    do,
    showdown,
    with_player,
)

# --- preparation --------------------------------------------------------------------------------------------------


def test_43_to_46_deal_pot_exposed_leader():
    state = RULES.start(Setup(NAMES[:3], "52D1"))
    assert [(p.kind, p.seat) for p in RULES.prompts(state)] == [("pot", None)]
    state = do(state, "- pot 4H")
    assert state.pot == Hand(("4H",))
    state = do(state, "1 expose 2H 9S KD", "0 expose 3H 8S QD", "2 expose 4S 5S 6S")
    assert [(p.hidden, len(p.exposed), p.stock) for p in state.players] == [(6, 3, 8)] * 3
    state = do(state, "- leader leader=2")
    assert state.order == (2, 0, 1) and state.turn == 2


def test_43_without_a_remainder_nothing_goes_to_the_pot():
    assert [p.kind for p in RULES.prompts(RULES.start(Setup(NAMES[:2], "52D1")))] == ["expose", "expose"]


def test_a_deck_too_small_for_the_players_is_refused():
    with pytest.raises(SetupError, match="36D1 deals 7 cards to each of 5 players"):
        RULES.start(Setup(NAMES[:5], "36D1"))


@pytest.mark.parametrize("players", range(2, 9))
def test_124_the_recommended_deck_deals_nine_or_more(players):
    assert RULES.start(Setup(NAMES[:players])).rules.dealt >= 13


# --- rounds -------------------------------------------------------------------------------------------------------


def test_71_the_first_card_fixes_how_all_lie():
    sunny = do(bout(), "0 play 5S")
    assert sunny.mode is Mode.SUNNY
    assert codes(sunny, "1 play ?") == [("card-must-lie-up", "71")]
    shady = do(bout(), "0 play ?")
    assert shady.mode is Mode.SHADY
    assert codes(shady, "1 play 5S") == [("card-must-lie-down", "71")]


def test_75_to_77_sunny_up_exposed_down():
    state = do(bout(2), "0 play 5S", "1 play 6S", "0 play 2H", "1 play 9S")
    assert codes(state, "0 play 7C") == [("card-must-lie-down", "77")]
    state = do(state, "0 play ?", "1 play ?")
    assert state.phase is Phase.SHOWDOWN
    assert [p.played for p in state.players] == [("5S", "2H", "?"), ("6S", "9S", "?")]


def test_81_to_83_shady_down_exposed_up():
    state = do(bout(2), "0 play ?", "1 play ?", "0 play 2H", "1 play 9S")
    assert codes(state, "0 play ?") == [("card-must-lie-up", "83")]
    state = do(state, "0 play 4C", "1 play 5C")
    assert [(p.kind, p.seat) for p in RULES.prompts(state)][:2] == [("reveal", 0), ("reveal", 1)]


@pytest.mark.parametrize(("first", "clause"), [("5S", "76"), ("?", "82")])
def test_76_and_82_the_second_card_comes_from_the_exposed_ones(first, clause):
    state = do(bout(2), f"0 play {first}", f"1 play {first}")
    assert codes(state, "0 play QH") == [("second-card-not-exposed", clause)]
    assert codes(state, "0 play ?") == [("card-must-lie-up", "76")]
    assert do(state, "0 play KD").players[0].exposed == ("2H", "9S")


def test_52_players_act_in_turn():
    state = do(bout(leader=1), "1 play 5S")
    assert codes(state, "0 play 5S") == [("not-your-turn", "62")]
    assert codes(state, "2 play 5S") == []


def test_a_face_down_card_is_unproven_until_it_is_turned_up():
    state = do(bout(2), "0 play 5S", "1 play 6S", "0 play 2H", "1 play 9S")
    (violation,) = RULES.check(state, act("0 play ?"))
    assert (violation.code, violation.verdict) == ("face-down", Verdict.UNPROVEN)


# --- folding ------------------------------------------------------------------------------------------------------


def test_88_folding_in_the_first_round_costs_a_card():
    state = bout()
    assert codes(state, "0 fold source=hidden") == [("penalty-missing", "88")]
    hidden = do(state, "0 fold 4C source=hidden")
    assert hidden.pot.known == ("4C",) and hidden.players[0].hidden == 5
    exposed = do(state, "0 fold KD source=exposed")
    assert exposed.pot.known == ("KD",) and exposed.players[0].exposed == ("2H", "9S")
    assert codes(state, "0 fold QC source=exposed") == [("penalty-not-exposed", "88")]
    assert codes(hidden, "0 play 5S") == [("has-folded", "57")]


def test_89_without_an_exposed_card_the_second_round_is_a_forced_fold():
    state = with_player(do(bout(2), "0 play 5S", "1 play 6S"), 0, exposed=())
    assert codes(state, "0 play 5C") == [("must-fold", "89")]
    assert [p.kind for p in RULES.prompts(state) if p.seat == 0] == ["fold"]
    assert do(state, "0 fold").pot.known == ("5S",)


def test_87_who_folds_turns_his_face_down_card_up():
    state = do(bout(2), "0 play ?", "1 play ?")
    assert codes(state, "0 fold") == [("fold-face-down", "87")]
    assert codes(state, "0 fold ?") == [("fold-face-down", "87")]
    assert do(state, "0 fold 9S").pot.known == ("9S",)


def test_57_folded_players_are_skipped():
    state = do(bout(), "0 play 5S", "1 fold 4C source=hidden", "2 play 6S")
    assert state.turn == 0
    assert do(state, "0 play 2H").turn == 2


def test_7_12_the_first_player_who_plays_sets_the_mode_when_the_leader_folds():
    state = do(bout(), "0 fold 4C source=hidden", "1 play ?")
    assert state.mode is Mode.SHADY
    strict = bout(leader_fold="forbidden")
    assert codes(strict, "0 fold 4C source=hidden") == [("leader-may-not-fold", "7.12")]


def test_7_16_the_penalty_card_may_be_agreed_to_go_face_down():
    state = bout(penalty="face_down")
    assert codes(state, "0 fold 4C source=hidden") != []
    assert do(state, "0 fold ? source=hidden").pot == Hand((), 1)


# --- refilling ----------------------------------------------------------------------------------------------------


def test_64_to_66_refill_exposed_row_then_hand():
    state = do(bout(), "0 play 5S", "1 play 5C", "2 play 6C", "0 play KD")
    assert codes(state, "0 expose 3C 4C") == [("exposed-full", "65")]
    assert codes(state, "0 draw count=9") == [("refill-beyond-stock", "66")]
    assert codes(state, "0 draw count=2") == [("hidden-full", "66")]
    state = do(state, "0 expose 3C", "0 draw count=2")
    assert (state.players[0].hidden, state.players[0].exposed, state.players[0].stock) == (6, ("2H", "9S", "3C"), 6)


def test_65_more_cards_than_the_hand_holds_cannot_be_exposed():
    state = with_player(do(bout(), "0 play 5S"), 0, exposed=(), hidden=2)
    assert codes(state, "0 expose 2C 3C 4C") == [("expose-beyond-hand", "65")]


def test_7_13_each_refill_once_in_order_unless_agreed():
    def drawn(**options):
        state = do(bout(**options), "0 play 5S", "1 play 5C", "2 play 6C", "0 play KD")
        return do(with_player(state, 0, hidden=4), "0 draw count=1")

    assert codes(drawn(), "0 expose 3C") == [("refill-order", "7.13")]
    assert codes(drawn(), "0 draw count=1") == [("refill-order", "7.13")]
    assert codes(drawn(refill="any_order"), "0 expose 3C") == []


def test_67_refilling_ends_with_the_next_player_and_is_open_to_who_folds():
    state = do(bout(), "0 fold KD source=exposed", "0 expose 3C", "1 play 5C")
    assert codes(state, "0 draw count=1") == [("refill-not-now", "67")]
    assert codes(do(state, "2 play 6C"), "1 draw count=1") == [("refill-not-now", "64")]


def test_101_an_empty_hand_is_refilled_by_force():
    state = do(with_player(bout(), 0, hidden=1, stock=4), "0 play 5S")
    assert (state.players[0].hidden, state.players[0].stock) == (4, 0)


# --- the referee --------------------------------------------------------------------------------------------------


def played(deck, *texts, players=2):
    events = [Started(RULES.id, Setup(NAMES[:players], deck)), *(Acted(act(text)) for text in texts)]
    return Match.of(events)


def test_a_revealed_card_that_still_lies_exposed_is_a_surplus_copy():
    match = played(
        "52D1",
        *("0 expose 2H 9S KD", "1 expose 3H 8S QD", "- leader leader=0"),
        *("0 play 5S", "1 play 6S", "0 play 2H", "1 play 3H", "0 play ?", "1 play ?", "0 reveal 9S"),
    )
    (violation,) = match.entries[-1].ruling.violations
    assert violation.code == "too-many-copies" and dict(violation.params)["where"] == "exposed:0, play:0"
    assert dict(violation.params)["seen"] == "#2"
    assert match.pending


def test_views_show_no_hidden_card_and_every_count():
    view = RULES.view(do(bout(), "0 play ?"), Role("seat", 1))
    assert [len(player.hand) for player in view.players] == [5, 6, 6]
    assert all(player.hand.known == () for player in view.players)
    zone = next(zone for zone in view.zones if zone.id == "play:0")
    assert [card.face for card in zone.cards] == [None]


def test_between_two_bouts_the_view_still_shows_what_has_won():
    view = RULES.view(showdown(bout(), {0: FLUSH, 1: STRAIGHT, 2: None}), Role())
    zones = {zone.id: zone for zone in view.zones}
    assert [(card.face, card.marks) for card in zones["play:1"].cards] == [(c, ("win",)) for c in STRAIGHT.split()]
    assert zones["play:0"].note.key == "category.FL" and zones["play:2"].cards == ()


@pytest.mark.parametrize("games", ["1", "4", "7", "99"])
def test_118_any_number_of_games_may_be_agreed_on(games):
    state = RULES.start(Setup(("A", "B"), "36D1", (("games", games),)))
    assert state.rules.games == int(games)


@pytest.mark.parametrize("games", ["0", "100", "-1", "many", "", "2.5", "９"])
def test_118_a_number_of_games_that_is_none_is_one_sentence(games):
    with pytest.raises(SetupError, match="option games of three-card-trick-poker is a number from 1 to 99, not"):
        RULES.start(Setup(("A", "B"), "36D1", (("games", games),)))


def test_43_the_cards_left_over_have_a_place_before_they_are_turned_up():
    state = RULES.start(Setup(("A", "B", "C"), "40D2"))
    zones = {zone.id: (zone.cards, zone.down) for zone in RULES.whereabouts(state)}
    assert zones["rest"] == ((), 2)
    turned = RULES.apply(state, Action("pot", None, ("AS", "2S")))
    assert "rest" not in {zone.id for zone in RULES.whereabouts(turned)}


def test_after_the_end_everything_is_too_late():
    rules, last = RULES, None
    for step in play(rules, Setup(("A", "B"), "36D1"), Random(3), "simple"):
        last = step.after
    assert rules.prompts(last) == () and last.left
    for seat in (0, 1):
        for kind in ("play", "fold", "draw"):
            assert [v.code for v in rules.check(last, Action(kind, seat, ("AS",)))] == ["game-over"]
