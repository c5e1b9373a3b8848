"""Hexa Card, clause by clause, the house rules, and a count of everything that can be done."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import deck
from companion.games import Action, Role, Setup, Verdict, game
from companion.games.hexa_card.score import score_lines
from companion.games.hexa_card.state import Declared, Phase
from companion.hands.hexa import best_partition
from companion.referee import Acted, Match, Started
from companion.referee.simulate import play as played

RULES = game("hexa-card")
CARDS = deck("52D1").codes
RUN = ("2S", "3H", "4D", "5C", "6S", "KH")
SHORT = ("2D", "3C", "7D", "7C", "JD", "QC")
NOTHING = ("2S", "4H", "6D", "8C", "10S", "QH")


def table(players=3, **options):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple(options.items())))


def after(state, *actions):
    for action in actions:
        fouls = [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
        assert not fouls, (action, fouls)
        state = RULES.apply(state, action)
    return state


def codes(state, action):
    return [(v.code, v.clause) for v in RULES.check(state, action)]


def loop(seat, card):
    return Action("loop", seat, (card,))


def dice(seat, card):
    return Action("dice", seat, (card,))


def show(kind, seat, cards):
    return Action(kind, seat, tuple(cards))


def kinds(state):
    return {(p.kind, p.seat) for p in RULES.prompts(state)}


def test_70_six_cards_each():
    state = table(4)
    assert state.hands == (6, 6, 6, 6) and state.stock == 28
    assert kinds(state) == {("holy", 0), ("holy", 1), ("holy", 2), ("holy", 3), ("loop", 0), ("dice", 0)}


def test_73_a_loop_draws_one_and_discards_one():
    state = after(table(), loop(0, "9S"))
    assert (state.hands, state.stock, state.discard, state.turn) == ((6, 6, 6), 33, ("9S",), 1)


def test_74_to_76_a_dice_robs_the_next_player_who_then_draws_two():
    state = after(table(), dice(0, "9S"))
    assert (state.hands, state.stock, state.victim) == ((6, 5, 6), 34, 1)
    looped = after(state, loop(1, "8S"))
    assert (looped.hands, looped.stock) == ((6, 6, 6), 32)
    diced = after(state, dice(1, "8S"))
    assert (diced.hands, diced.stock) == ((6, 6, 5), 33)


def test_75_whether_a_dice_exchanged_only_the_victim_knows():
    state = table()
    (doubt,) = RULES.check(state, dice(0, "9S"))
    assert (doubt.code, doubt.clause, doubt.verdict) == ("dice-exchange", "75", Verdict.UNPROVEN)
    robbed = after(state, dice(0, "9S"))
    contest = Action("contest", 1)
    assert RULES.check(robbed, contest) == ()
    (proven,) = RULES.proves(robbed, contest)
    assert (proven.code, proven.cards, proven.clause) == ("stolen-card-returned", ("9S",), "75")
    assert dict(proven.params) == {"seat": 0, "victim": 1}
    assert codes(after(robbed, contest), contest) == [("wrong-phase", "75")]
    assert codes(robbed, Action("contest", 2)) == [("not-your-turn", "75")]


def test_7_3_the_stolen_card_may_be_discarded_where_agreed():
    state = table(dice_return="yes")
    assert RULES.check(state, dice(0, "9S")) == ()
    assert ("contest", 1) not in kinds(after(state, dice(0, "9S")))


def test_7_4_the_robbed_player_loops_where_agreed():
    state = after(table(robbed="must_loop"), dice(0, "9S"))
    assert codes(state, dice(1, "8S")) == [("robbed-must-loop", "7.4")]


def test_77_out_is_declared_right_after_ones_own_turn():
    state = table()
    assert codes(state, show("out", 0, RUN)) == [("out-not-now", "77")]
    state = after(state, loop(0, "9S"))
    assert codes(state, show("out", 1, RUN)) == [("out-not-now", "77")]
    assert codes(state, show("out", 0, RUN[:5])) == [("wrong-count", "77")]
    assert codes(state, show("out", 0, ("2S", *RUN[:5]))) == [("card-shown-twice", "64")]
    done = after(state, show("out", 0, RUN))
    assert done.phase is Phase.SCORED and RULES.totals(done) == {0: 25, 1: 0, 2: 0}
    assert codes(after(state, loop(1, "8S")), show("out", 0, RUN)) == [("out-not-now", "77")]


def test_79_nobody_scores_when_the_stock_is_used_up():
    state = replace(after(table(), loop(0, "9S")), stock=0)
    assert kinds(state) == {("out", 0), ("washout", None)}
    assert codes(state, loop(1, "8S")) == [("stock-exhausted", "79")]
    done = after(state, Action("washout"))
    assert done.phase is Phase.SCORED and RULES.scores(done) == ()
    last = after(state, show("out", 0, RUN))
    assert RULES.totals(last)[0] == 25


def test_76_a_last_card_is_too_few_for_the_robbed_players_loop():
    state = replace(after(table(), dice(0, "9S")), stock=1)
    assert codes(state, loop(1, "8S")) == [("stock-too-short", "79")]
    assert [v.code for v in RULES.check(state, dice(1, "8S"))] == ["dice-exchange"]


def test_81_twice_as_many_games_as_players_and_everybody_begins_twice():
    state, starters = table(3), []
    while state.phase is not Phase.OVER:
        starters.append(state.turn)
        state = after(replace(state, stock=0), Action("washout"))
        state = after(state, Action("deal")) if state.phase is Phase.SCORED else state
    assert starters == [0, 1, 2, 0, 1, 2]
    assert RULES.prompts(state) == () and RULES.winners(state) == (0, 1, 2)


def test_7_15_a_tie_is_shared_or_played_off():
    def end(**options):
        state = replace(table(3, **options), game=6)
        return replace(state, lines=after(table(3), loop(0, "9S"), show("out", 0, RUN)).lines, starter=0)

    shared = after(replace(end(), stock=0), Action("washout"))
    assert shared.phase is Phase.OVER and RULES.winners(shared) == (0,)
    tied = replace(end(tie="playoff"), lines=(), stock=0)
    tied = after(tied, Action("washout"))
    assert tied.phase is Phase.SCORED
    two = replace(end(tie="playoff").lines[0], points=7)
    state = replace(tied, lines=(two, replace(two, seat=1)))
    again = after(state, Action("deal"))
    assert again.playing == (0, 1) and again.hands == (6, 6, 0) and again.game == 7
    assert {seat for _, seat in kinds(again)} == {0, 1}
    done = after(again, loop(1, "9S"), show("out", 1, RUN))
    assert done.phase is Phase.OVER and RULES.winners(done) == (1,)


def test_108_to_110_holy_before_the_first_turn_only():
    state = table()
    done = after(state, show("holy", 0, RUN))
    assert done.phase is Phase.SCORED and RULES.totals(done)[0] == 35
    late = after(state, loop(0, "9S"))
    assert codes(late, show("holy", 1, SHORT)) == [("holy-too-late", "110")]


def test_7_12_of_several_holy_hands_the_first_in_turn_order_scores():
    state = after(table(), show("holy", 2, RUN))
    assert state.phase is Phase.HOLY
    assert kinds(state) == {("holy", 0), ("holy", 1), ("score", None)}
    state = after(state, show("holy", 1, SHORT), Action("score"))
    assert RULES.totals(state)[2] == 0 and RULES.totals(state)[1] > 10
    first = after(table(), show("holy", 1, RUN))
    (found,) = RULES.check(first, show("holy", 2, SHORT))
    assert (found.code, dict(found.params)) == ("holy-declared-before", {"seat": 2, "by": 1})
    every = after(table(holy="all_score"), show("holy", 0, RUN))
    assert kinds(every) == {("holy", 1), ("holy", 2), ("score", None)}
    every = after(every, show("holy", 1, SHORT), Action("score"))
    assert RULES.totals(every)[0] == 35 and RULES.totals(every)[1] > 10


def test_112_to_114_a_wrong_declaration_is_a_present_to_the_others():
    state = after(table(4), loop(0, "9S"))
    action = show("out", 0, NOTHING)
    assert RULES.check(state, action) == ()
    (proven,) = RULES.proves(state, action)
    assert (proven.code, proven.clause) == ("false-out", "113")
    done = after(state, action)
    assert RULES.totals(done) == {0: 0, 1: 10, 2: 10, 3: 10} and done.phase is Phase.SCORED
    assert {line.reason.key for line in RULES.scores(done)} == {"score.hexa-card.present"}


def test_7_5_who_has_to_go_out_and_did_not_is_found_out():
    """A asks nothing of chance here: whatever he drew, the hand of the turn before was complete."""
    hand = ("2S", "2H", "2D", "2C", "3S", "3H")
    state = after(table(2, out="auto"), loop(0, "3D"), loop(1, "9S"), loop(0, "3C"))
    assert [v.code for v in RULES.proves(state, show("out", 0, hand))] == ["missed-out"]
    assert RULES.proves(after(table(2, out="auto"), loop(0, "3D")), show("out", 0, hand)) == ()
    declared = after(table(2), loop(0, "3D"), loop(1, "9S"), loop(0, "3C"))
    assert RULES.proves(declared, show("out", 0, hand)) == ()
    robbed = after(table(2, out="auto"), loop(0, "3D"), dice(1, "9S"), loop(0, "3C"))
    assert RULES.proves(robbed, show("out", 0, hand)) == ()


def test_7_1_counter_clockwise_robs_the_other_neighbour():
    state = after(table(direction="ccw"), dice(0, "9S"))
    assert (state.turn, state.victim, state.hands) == (2, 2, (6, 6, 5))


def test_7_2_the_label_says_who_chooses_the_card():
    labels = {p.kind: p.label.key for p in RULES.prompts(table(dice="victim_chooses"))}
    assert labels["dice"] == "action.hexa-card.dice-chosen"


@pytest.mark.parametrize(
    ("options", "cards", "total"),
    [
        ({}, "10S JS QS KS AS 3H", None),
        ({"ace_run": "both"}, "10S JS QS KS AS 3H", 103),  # 25 x 2 for the ace x 2 for the park, 3 for the amulet
        ({}, "2S 3S 4S 5S 6S 7S", 72),
        ({}, "AS 3S 5S 7S 9S JS", 36),
        ({"friend_park": "strict"}, "2H 3H 5H 8H 10H QH", None),
    ],
)
def test_options_reach_the_hands(options, cards, total):
    state = after(table(**options), loop(0, "9D"))
    done = after(state, show("out", 0, cards.split()))
    assert RULES.totals(done) == ({0: total, 1: 0, 2: 0} if total else {0: 0, 1: 10, 2: 10})


def test_a_discard_seen_before_is_a_surplus_copy():
    match = Match.of([Started("hexa-card", Setup(("A", "B"))), Acted(loop(0, "9S")), Acted(loop(1, "9S"))])
    assert [v.code for v in match.entries[-1].ruling.violations] == ["too-many-copies"]
    out = Match.of([Started("hexa-card", Setup(("A", "B"))), Acted(loop(0, "2S")), Acted(show("out", 0, RUN))])
    assert [v.code for v in out.entries[-1].ruling.violations] == ["too-many-copies"]


def test_the_page_shows_the_hand_with_its_points():
    done = after(table(), loop(0, "9S"), show("out", 0, RUN))
    zone = next(z for z in RULES.view(done, Role()).zones if z.id == "shown:0")
    assert dict(zone.note.params) == {"points": 25}
    assert Counter(card.marks for card in zone.cards) == {("win",): 5, (): 1}


@settings(max_examples=150, deadline=None)
@given(st.permutations(CARDS), st.sampled_from(["no", "yes"]), st.booleans())
def test_score_lines_add_up_to_the_score(cards, inside, pictures):
    chosen = tuple(c for c in cards if not pictures or c[:-1] in "JQK")[:6]
    rules = table(amulet_inside=inside).rules
    for holy in ("no", "yes"):
        partition = best_partition(chosen, {**dict(rules.hands), "holy": holy})
        if partition.out:
            lines = score_lines(1, Declared(0, chosen, partition), rules)
            assert sum(line.points for line in lines) == partition.score


def lines(state, faces, depth):
    """Legal lines of `depth` turns and declarations with these faces, generated from the prompts."""
    if depth == 0:
        return 1
    total = 0
    for prompt in RULES.prompts(state):
        hands = [()] if prompt.slot is None else [RUN] if prompt.slot.most == 6 else [(card,) for card in faces]
        for cards in hands:
            action = Action(prompt.kind, prompt.seat, cards)
            assert not [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
            total += lines(RULES.apply(state, action), faces, depth - 1)
    return total


def test_count_of_lines():
    state = table(2)
    # At the deal both may be holy, and the first player loops or dices with any of four faces.
    assert lines(state, CARDS[:4], 1) == 2 + 4 + 4
    # A's holy ends the game (a deal follows); after B's, A may still be holy, or the table scores. After a loop A may
    # go out and B has eight turns; after a dice B may also contest.
    assert lines(state, CARDS[:4], 2) == 1 + 2 + 4 * 9 + 4 * 10
    # With two faces a third action: 5 after a loop (out, loop, dice), 6 after a dice, 1 (the deal) after a score.
    assert lines(state, CARDS[:2], 3) == 6 + (1 + 1) + 2 * (1 + 2 * 5 + 2 * 6) + 2 * (1 + 5 + 2 * 5 + 2 * 6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.data())
def test_everything_that_is_offered_is_accepted_and_nothing_else(seed, players, data):
    steps = list(played(RULES, Setup(tuple("ABCDE"[:players])), Random(seed), limit=60))
    state = data.draw(st.sampled_from(steps)).before
    offered = {(p.kind, p.seat, p.slot.least if p.slot else 0) for p in RULES.prompts(state)}
    for kind in ("holy", "loop", "dice", "contest", "out", "washout", "score", "deal"):
        for seat in (None, *range(players)):
            for count in (0, 1, 6):
                action = Action(kind, seat, CARDS[:count])
                fouls = [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
                assert (not fouls) == ((kind, seat, count) in offered), (action, fouls)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_no_card_is_ever_lost(seed, players):
    for step in played(RULES, Setup(tuple("ABCDE"[:players])), Random(seed), limit=150):
        state = step.after
        shown = sum(len(declared.cards) for declared in state.declared)
        assert sum(state.hands) + state.stock + len(state.discard) + shown == 52
