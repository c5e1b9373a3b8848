"""Three Card Trick Poker by clause: lines of the sheet (Rev. 0.9), 7.x of the formal reading.

One long file, in the order of the sheet: who reads a clause finds its test at the same place.
"""

from dataclasses import replace
from random import Random

import pytest

from companion.games import Action, Hand, Role, Setup, SetupError, Verdict, game
from companion.games.three_card_trick_poker.flow import begin_bout, proceed
from companion.games.three_card_trick_poker.state import Mode, Phase, Player
from companion.referee import Acted, Match, Started
from companion.referee.simulate import play

RULES = game("three-card-trick-poker")
NAMES = tuple("ABCDEFGH")
DOWN = ("?",)


def bout(players=3, deck="52D2", leader=0, exposed="2H 9S KD", hidden=6, stock=8, pot=(), **options):
    """The beginning of a bout: everybody has the same counts; seat n exposes `exposed` in every seat."""
    setup = Setup(NAMES[:players], deck, tuple(options.items()))
    state = RULES.start(setup)
    player = Player(hidden, stock, tuple(exposed.split()))
    state = replace(state, phase=Phase.PLAY, players=(player,) * players, pot=Hand(tuple(pot)))
    return begin_bout(state, leader)


def with_player(state, seat, **changes):
    return state.with_player(seat, replace(state.players[seat], **changes))


def do(state, *actions):
    """Apply actions that must not be fouls: "0 play 5S", "1 fold source=hidden 4C", "- leader leader=0"."""
    for text in actions:
        action = act(text)
        assert not [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL], (
            text,
            RULES.check(state, action),
        )
        state = RULES.apply(state, action)
    return state


def act(text):
    seat, kind, *rest = text.split()
    args = dict(item.split("=") for item in rest if "=" in item)
    args = {name: int(value) if value.isdigit() else value for name, value in args.items()}
    cards = tuple(item for item in rest if "=" not in item)
    return Action(kind, None if seat == "-" else int(seat), cards, tuple(sorted(args.items())))


def codes(state, text):
    return [(v.code, v.clause) for v in RULES.check(state, act(text))]


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


# --- showdown -----------------------------------------------------------------------------------------------------


def showdown(state, hands, leader=0):
    """Play a whole sunny bout: `hands` per seat, second card put among the exposed ones first; None folds at once."""
    for seat, cards in hands.items():
        if cards:
            second = cards.split()[1]
            state = with_player(state, seat, exposed=(second, *state.players[seat].exposed[1:]))
    order = state.order
    for seat in order:
        state = do(state, f"{seat} play {hands[seat].split()[0]}" if hands[seat] else f"{seat} fold 2C source=hidden")
    for seat in order:
        state = do(state, f"{seat} play {hands[seat].split()[1]}") if hands[seat] else state
    for seat in order:
        state = do(state, f"{seat} play ?") if hands[seat] else state
    for seat in order:
        state = do(state, f"{seat} reveal {hands[seat].split()[2]}") if hands[seat] else state
    return state


FLUSH, STRAIGHT, NOTHING = "2D 7D JD", "5S 6H 7C", "2S 7H KD"


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
