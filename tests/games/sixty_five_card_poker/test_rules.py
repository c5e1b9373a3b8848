"""The poker of the 65 cards, clause by clause; numbers in test names are lines of the rule sheet."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import UNKNOWN, Action, Role, Setup, SetupError, Verdict, game
from companion.games.sixty_five_card_poker.state import Phase, contenders, winners
from companion.referee.record import parse, replay

RULES = game("sixty-five-card-poker")
ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).resolve().parents[3] / "companion" / "games" / "sixty_five_card_poker"
VECTORS = ROOT.parent / "shared" / "rules" / "vectors.json"
SHEPHERDS = "shepherd.fed shepherd.lib shepherd.free shepherd.temple shepherd.nomad"
ROYAL = "judge.fed sword.fed revolution.fed staff.fed shepherd.fed"
TOP_SET = "judge.fed sword.lib revolution.fed staff.temple shepherd.nomad"
IN_A_ROW = "arms_dealer.fed sniper.lib exile.free cruiser.temple moon_earth.nomad"
NOTHING = "judge.lib sword.free revolution.fed staff.temple cruiser.fed"


def start(players=5, **options):
    return RULES.start(Setup(tuple("ABCDEFGHIJKLM"[:players]), "", tuple(options.items())))


def exchange(seat, count):
    return Action("exchange", seat, (UNKNOWN,) * count)


def opened(seat, cards, hand=None, state=None):
    hand = hand or (state or start()).rules.ranking.category(cards.split())
    return Action.of("open", seat, cards.split(), hand=hand)


def codes(state, action):
    return [(v.code, v.clause, v.verdict.value) for v in RULES.check(state, action)]


def act(state, *actions):
    for action in actions:
        assert RULES.check(state, action) == (), action
        state = RULES.apply(state, action)
    return state


def showdown(players=2, **options):
    """The showdown of players who exchanged nothing."""
    state = start(players, **options)
    while state.phase is Phase.EXCHANGE:
        state = act(state, exchange(RULES.prompts(state)[0].seat, 0))
    return state


def result(hands, **options):
    """Who wins when these hands are opened."""
    state = showdown(len(hands), **options)
    for seat, cards in enumerate(hands):
        state = act(state, opened(seat, cards, state=state))
    assert state.phase is Phase.OVER
    return winners(state)


# --- exchange --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "stock"), [(2, 55), (5, 40), (8, 25), (13, 0)])
def test_134_five_cards_each(players, stock):
    state = start(players)
    zones = {zone.id: zone for zone in RULES.whereabouts(state)}
    assert (zones["stock"].down, zones["hand:0"].down) == (stock, 5)


def test_136_everybody_exchanges_once_from_the_dealers_left():
    state, order = start(3, dealer="2"), []
    while state.phase is Phase.EXCHANGE:
        order.append(RULES.prompts(state)[0].seat)
        state = act(state, exchange(order[-1], 2))
    assert order == [2, 0, 1] and state.stock == 44 and state.discard == 6
    assert codes(state, exchange(2, 1)) == [("wrong-phase", "136", "foul")]


def test_136_an_exchange_out_of_turn_is_a_foul_and_may_stand():
    state = start(3)
    assert codes(state, exchange(0, 2)) == [("not-your-turn", "136", "foul")]
    state = RULES.apply(state, exchange(0, 2))
    assert state.exchanged == (2, None, None) and RULES.apply(state, exchange(0, 1)) == state


def test_137_discards_lie_face_down():
    assert codes(start(), Action("exchange", 1, ("judge.fed",))) == [("card-not-hidden", "136", "foul")]
    assert codes(start(), exchange(1, 6)) == [("wrong-count", "136", "foul")]


def test_138_no_more_is_exchanged_than_can_be_drawn():
    state = act(start(8), *(exchange(seat, 5) for seat in range(1, 5)), exchange(5, 3))
    assert codes(state, exchange(6, 3)) == [("stock-too-small", "138", "foul")]
    assert RULES.prompts(state)[0].slot.most == 2
    stands = RULES.apply(state, exchange(6, 3))
    assert (stands.stock, stands.discard) == (22, 3)  # the table shuffles the 23 discards


def test_7_9_discards_are_reshuffled_and_the_number_may_be_limited():
    state = act(start(8, draw_limit="reshuffle"), *(exchange(seat, 5) for seat in range(1, 6)), exchange(6, 4))
    assert (state.stock, state.discard) == (25 - 4, 4)
    assert codes(start(max_exchange="3"), exchange(1, 4)) == [("wrong-count", "136", "foul")]


# --- showdown --------------------------------------------------------------------------------------------------------


def test_141_everybody_declares_and_opens():
    state = showdown(2)
    assert codes(state, opened(0, NOTHING, "no_pair")) == []
    assert codes(state, Action.of("open", 0, NOTHING.split())) == [("wrong-choice", "141", "foul")]
    assert codes(state, opened(0, NOTHING, "one_pair")) == [("misdeclared", "141", "foul")]
    assert codes(state, Action.of("open", 0, ["judge.fed"] * 5, hand="five")) == [("card-twice", "24", "foul")]
    state = act(state, opened(0, NOTHING, "no_pair"))
    assert codes(state, opened(0, NOTHING, "no_pair")) == [("not-your-turn", "141", "foul")]


def test_141_a_wrong_declaration_that_stands_counts_as_the_cards_or_not_at_all():
    for rule, winner in (("cards_speak", (0,)), ("binding", (1,))):
        state = showdown(2, declare=rule)
        state = RULES.apply(state, opened(0, ROYAL, "flush"))
        state = act(state, opened(1, NOTHING, "no_pair"))
        assert winners(state) == winner == RULES.winners(state)
    state = showdown(2, declare="binding")
    for seat, cards in enumerate((ROYAL, IN_A_ROW)):
        state = RULES.apply(state, opened(seat, cards, "four"))
    assert contenders(state) == () and state.results[0].key == "result.65.nobody" and RULES.scores(state) == ()


@pytest.mark.parametrize(("rule", "winner", "turned"), [("cards_speak", (1,), True), ("binding", (2,), False)])
def test_7_10_five_shepherds_turn_the_order_over_only_where_the_hand_counts(rule, winner, turned):
    """Called a flush and played on: where the declaration binds the hand is dead, so nothing is turned over."""
    state = showdown(3, declare=rule)
    state = RULES.apply(state, opened(0, SHEPHERDS, "flush"))
    state = act(
        state,
        opened(1, NOTHING, "no_pair"),
        opened(2, "end.fed end.lib prayer.free exile.temple cruiser.nomad", "one_pair"),
    )
    assert winners(state) == winner == RULES.winners(state)
    assert ("result.65.turned-over" in [r.key for r in state.results]) is turned


@pytest.mark.parametrize(
    ("hands", "winner", "options"),
    [
        # 82: three judges with a shepherd lose to three ends without; 84: they beat any lower hand
        (
            [
                "judge.fed judge.lib judge.free shepherd.fed exile.lib",
                "end.fed end.lib end.free exile.fed cruiser.lib",
            ],
            1,
            {},
        ),
        (
            [
                "judge.fed judge.lib judge.free shepherd.fed shepherd.lib",
                "sword.fed sword.lib end.temple end.nomad cruiser.lib",
            ],
            0,
            {},
        ),
        # 144: the suits of the cards that form the hand, no kickers
        (
            [
                "judge.fed judge.temple end.lib exile.free cruiser.nomad",
                "judge.lib judge.free sword.fed revolution.fed staff.lib",
            ],
            0,
            {},
        ),
        # 149: a full house is compared by its triple
        (
            [
                "prayer.fed prayer.lib prayer.free moon_earth.fed moon_earth.nomad",
                "end.fed end.lib end.nomad judge.fed judge.lib",
            ],
            0,
            {},
        ),
        # 85: a flush with a shepherd is a flush, but a weak one
        (
            [
                "judge.free end.free prayer.free shepherd.free exile.free",
                "undertaker.lib end.lib prayer.lib cruiser.lib exile.lib",
            ],
            1,
            {},
        ),
        # 71: no pair > shepherd five > one pair
        (["judge.fed end.lib prayer.free exile.temple cruiser.nomad", SHEPHERDS], 0, {}),
        (["judge.fed judge.lib prayer.free exile.temple cruiser.nomad", SHEPHERDS], 1, {}),
        # 110, 123: straights
        ([TOP_SET, "end.fed end.lib end.free end.temple exile.fed"], 0, {"straights": "2"}),
        ([IN_A_ROW, "end.fed prayer.fed exile.fed cruiser.fed judge.fed"], 1, {"straights": "3"}),
    ],
)
def test_the_sheets_comparisons(hands, winner, options):
    assert result(hands, **options) == (winner,)


def test_68_five_shepherds_are_announced_and_can_be_declared():
    state = showdown(2)
    state = act(
        state,
        opened(0, SHEPHERDS, "shepherd_five"),
        opened(1, NOTHING, "no_pair"),
    )
    assert [r.key for r in state.results] == ["result.65.turned-over", "result.65.winner"]
    (line,) = RULES.scores(state)
    assert (line.seat, line.points, line.cards) == (1, 1, tuple(NOTHING.split()))
    marks = {
        z.seat: {m for c in z.cards for m in c.marks} for z in RULES.view(state, Role()).zones if z.seat is not None
    }
    assert marks == {0: set(), 1: {"win"}}


def test_7_11_in_outside_betting_players_drop_out_and_the_last_one_wins():
    state = start(3, betting="external")
    assert codes(start(3), Action("drop", 1)) == [("wrong-phase", "7.11", "foul")]
    state = act(state, Action("drop", 1))
    assert RULES.prompts(state)[0].seat == 2
    state = act(state, exchange(2, 1), exchange(0, 0), Action("drop", 0))
    assert state.phase is Phase.OVER and RULES.winners(state) == (2,)
    zones = RULES.whereabouts(state)
    assert sum(len(zone.cards) + zone.down for zone in zones) == 65


def test_suits_by_their_sum_can_tie_and_share():
    pair = [
        "judge.fed judge.nomad end.lib exile.free cruiser.nomad",
        "judge.lib judge.temple end.fed exile.fed prayer.lib",
    ]
    assert result(pair) == (0,)
    assert result(pair, suits="sum") == (0, 1)


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (1, {}, "2 to 13"),
        (14, {}, "2 to 13"),
        (5, {"dealer": "6"}, "one of the 5"),
        (5, {"straights": "4"}, "straights"),
    ],
)
def test_set_ups_that_cannot_be_are_refused_in_one_sentence(players, options, words):
    with pytest.raises(SetupError, match=words):
        RULES.start(Setup(tuple("ABCDEFGHIJKLMN"[:players]), "", tuple(options.items())))


def test_odd_actions_get_a_code_and_change_nothing():
    state = start(3)
    for action in (
        Action("open", 7),
        Action("open", None),
        Action("exchange", -1),
        Action("drop", 0),
        Action("sing", 1),
    ):
        assert [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
        assert RULES.apply(state, action) == state
    late = replace(state, phase=Phase.SHOWDOWN)
    assert RULES.apply(late, opened(0, "judge.fed sword.fed", "flush")) == late


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "records").glob("sixty-five-*.txt")), ids=lambda p: p.stem)
def test_records_replay_as_they_say(path):
    *_, last = steps = list(replay(parse(path.read_text("utf-8"))))
    assert [d for step in steps for d in step.differences] == []
    assert last.match.over and not last.match.pending


# --- rule vectors ----------------------------------------------------------------------------------------------------

NAMES = {
    "no_pair": "NoPair",
    "one_pair": "OnePair",
    "two_pair": "TwoPair",
    "three": "Three",
    "straight": "Straight",
    "flush": "Flush",
    "full_house": "FullHouse",
    "four": "Four",
    "five": "Five",
    "straight_flush": "StraightFlush",
    "shepherd_five": "ShepherdFive",
    "royal": "Royal",
}


def category_op(cards):
    ranks = {f"proposal_{n}": start(2, straights=str(n)).rules.ranking for n in (1, 2, 3)}
    return {name: NAMES[rank.category(cards)] for name, rank in ranks.items()}


def showdown_op(proposal, hands):
    rank = start(2, straights=str(proposal)).rules.ranking
    seats = list(hands)
    best = result([" ".join(cards) for cards in hands.values()], straights=str(proposal))
    return {
        "winner": seats[best[0]] if len(best) == 1 else [seats[s] for s in best],
        "categories": {seat: NAMES[rank.category(cards)] for seat, cards in hands.items()},
    }


def count_op(category, proposal=1):
    code = next(code for code, name in NAMES.items() if name == category)
    count = start(2, straights=str(proposal)).rules.ranking.counts()[code]
    # Four of 13 pictures and any fifth card: what the sheet counts when it forgets its own shepherd rule (109).
    return {"count": count, "count_with_shepherd_rule": count, "count_ignoring_shepherd_rule": 13 * 5 * 60}


def cases():
    if not VECTORS.exists():
        return [pytest.param({}, marks=pytest.mark.skip(reason="the rule vectors are not beside this checkout"))]
    every = json.loads(VECTORS.read_text("utf-8"))
    return [pytest.param(case, id=case["id"]) for case in every if case["game"] == RULES.id]


@pytest.mark.parametrize("case", cases())
def test_rule_vectors(case):
    question = dict(case["input"])
    answer = {"category": category_op, "showdown": showdown_op, "count": count_op}[question.pop("op")](**question)
    assert {key: answer.get(key) for key in case["expected"]} == case["expected"], case["quote"]


def test_every_code_of_the_game_has_its_sentences_and_a_test():
    sources = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))
    found = set(re.findall(r'(?:foul|unproven)\(\s*"([a-z0-9-]+)"', sources))
    tested = Path(__file__).read_text("utf-8")
    assert found and sorted(code for code in found if f'"{code}"' not in tested) == []
    for language in ("en", "ja"):
        texts = json.loads((FOLDER / f"words.{language}.json").read_text("utf-8"))
        assert sorted(code for code in found if f"violation.{code}" not in texts) == []
