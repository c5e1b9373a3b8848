"""Joker Quest, counted: everything that can be done, and every card."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import deck
from companion.games import UNKNOWN, Action, Setup, Verdict
from companion.referee.simulate import play as played
from tests.games.joker_quest.steps import RULES, road

CARDS = deck("52D1").codes
FACES = ("2S", "3H", "AH", "5D")


def lines(state, depth):
    """Legal lines of `depth` actions with a few faces, generated from the prompts and what ties their cards."""
    if depth == 0:
        return 1
    total = 0
    for prompt in RULES.prompts(state):
        for cards in ways(prompt, state):
            action = Action(prompt.kind, prompt.seat, cards)
            if not RULES.check(state, action):
                total += lines(RULES.apply(state, action), depth - 1)
    return total


def ways(prompt, state):
    laid = {*state.pile, *state.penalty[0], *state.penalty[1]}
    faces = [card for card in FACES if card not in laid]
    if prompt.kind == "draw":
        return [(UNKNOWN,) * n for n in range(prompt.slot.least, prompt.slot.most + 1)]
    if prompt.kind == "joker":
        return []
    return [(a,) for a in faces] + [(a, b) for a in faces for b in faces if a != b and prompt.kind == "play"]


def test_count_of_lines():
    state = road("4C", stock=30)
    # Plays on the four: 5D (over by one), 3H with one of three others; 2S and AH lack two and three cards, which the
    # pairs looked at do not reach. Passes: any of four.
    assert lines(state, 1) == 1 + 3 + 4
    # 5D: none or one is drawn. 3H with x: B passes with one of the two faces left; of the plays 5D beats the road 2S
    # or AH, and falls on nothing else; on the road 2S the ace needs one more card, on AH the two is higher, on 5D
    # neither reaches with one more card. A pass: he draws one.
    after_threes = {"2S": 2 + 2, "AH": 2 + 2, "5D": 2 + 0}
    assert lines(state, 2) == 2 + sum(after_threes.values()) + 4


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.data())
def test_what_no_prompt_offers_is_refused_with_a_code(seed, players, data):
    steps = list(played(RULES, Setup(tuple("ABCDE"[:players])), Random(seed), "simple", limit=80))
    state = data.draw(st.sampled_from(steps)).before
    prompts = RULES.prompts(state)
    kinds = ("play", "attack", "strike", "pass", "draw", "reclaim", "reshuffle", "kings", "turn-up", "pay", "joker")
    for kind in kinds:
        for seat in (None, *range(players)):
            for count in range(3):
                action = Action(kind, seat, CARDS[:count])
                open_now = any(
                    p.kind == kind and p.seat == seat and p.slot and p.slot.least <= count <= p.slot.most
                    for p in prompts
                )
                fouls = [v.code for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
                assert open_now or fouls


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 5),
    st.sampled_from([(), (("stock_empty", "reshuffle"),), (("overkill", "game_over"), ("king_fail", "lost_cards"))]),
)
def test_no_card_is_ever_lost(seed, players, options):
    setup = Setup(tuple("ABCDE"[:players]), "", options)
    for step in played(RULES, setup, Random(seed), "simple", limit=200):
        zones = RULES.whereabouts(step.after)
        assert sum(len(zone.cards) + zone.down for zone in zones) == 53
        known = [card for zone in zones for card in zone.cards]
        assert len(known) == len(set(known))
