"""What may be left out never makes a foul of what follows, and the fold knows what was left out."""

from itertools import islice
from random import Random

import pytest

from companion.games import Action, Role, Setup, Verdict, game, ids
from companion.games.implied import is_foul, judged, open_prompts, ways_on
from companion.referee import Acted, Corrected, Match, Started, TookBack
from companion.referee.match import Settled
from companion.referee.simulate import play, table_setup
from companion.server.show.texts import Texts

every_game = pytest.mark.parametrize("name", ids())

VARIANTS = {"three-card-trick-poker": {"games": "2"}}
STEPS_LEFT_OUT = set(ids()) - {"aces-king", "sixty-five-card-poker"}
"""Games with a step that may be left out. (A draw that is owed counts as done in Ace's King without one; whether he
exchanges nobody may decide for a player of the 65 cards.)"""


def skipping(name, seed, limit=400):
    """Pairs: a state in which something may be left out, and what bots with true cards do after leaving it out."""
    rules = game(name)
    setup = table_setup(rules, **VARIANTS.get(name, {}))
    for number in range(4):
        chance = Random(f"{name}:{seed}:{number}")
        state, world = rules.start(setup), rules.world(setup, chance)
        for _ in range(limit):
            actions = world.actions(state)
            if not actions:
                break
            skips = [p.skipped for p in rules.prompts(state) if p.skipped is not None]
            action = skips[0] if skips and chance.random() < 0.7 else chance.choice(actions)
            after = rules.apply(state, action)
            world.follow(state, action, after)
            if action in skips:
                yield rules, state, after, world
            state = after


@every_game
def test_skipping_what_is_optional_never_makes_the_next_action_a_foul(name):
    seen = 0
    for rules, before, after, world in islice(skipping(name, 1), 120):
        for action in world.actions(after)[:20]:
            implied, there, violations = judged(rules, before, action)
            assert not is_foul(violations), (action, violations)
            assert violations == rules.check(there, action)
            if not is_foul(rules.check(before, action)):
                assert implied == () and there == before
            elif not any(p.skipped for p in rules.prompts(after)):
                assert implied and rules.apply(there, action) == rules.apply(after, action)
                seen += 1
    if name in STEPS_LEFT_OUT:
        assert seen


@every_game
def test_whatever_is_open_behind_an_optional_step_is_offered_and_accepted(name):
    for rules, before, *_ in islice(skipping(name, 2), 40):
        prompts = open_prompts(rules, before)
        assert set(rules.prompts(before)) <= set(prompts)
        for _, there in ways_on(rules, before):
            for prompt in rules.prompts(there):
                assert any((p.kind, p.seat) == (prompt.kind, prompt.seat) for p in prompts)


@every_game
def test_what_is_left_out_is_no_foul_itself(name):
    for rules, before, *_ in islice(skipping(name, 3), 60):
        for prompt in rules.prompts(before):
            if prompt.skipped is not None:
                assert (prompt.skipped.kind, prompt.skipped.seat) == (prompt.kind, prompt.seat)
                assert not is_foul(rules.check(before, prompt.skipped))


def quest():
    """Joker Quest for two: Aki overcomes a four with a seven and may draw three."""
    start = Started("joker-quest", Setup(("Aki", "Ben")))
    return Match.of([start, Acted(Action("turn-up", None, ("4S",))), Acted(Action("play", 0, ("7H",)))])


def test_an_optional_draw_is_declined_by_the_next_play():
    match = quest().then(Acted(Action("play", 1, ("9C",))))
    entry = match.entries[-1]
    assert entry.ruling.verdict is Verdict.LEGAL and entry.implied == (Action("draw", 0),)
    assert match.state.pile == ("4S", "7H", "9C") and len(match.state.hands[0]) == 3


def test_the_journal_keeps_the_one_action_and_replays_to_the_same():
    match = quest().then(Acted(Action("play", 1, ("9C",))))
    assert [event for event in match.events if isinstance(event, Acted)][-1] == Acted(Action("play", 1, ("9C",)))
    again = Match.of(match.events)
    assert again == match
    assert match.then(TookBack(4)).state == quest().state
    corrected = match.then(Corrected(3, Action("play", 0, ("5H",))))
    assert corrected.entries[3].implied == (Action("draw", 0),) and corrected.state.pile == ("4S", "5H", "9C")


def test_a_foul_behind_an_optional_step_is_judged_where_it_would_be_open():
    match = quest().then(Acted(Action("play", 1, ("9H",))))
    entry = match.entries[-1]
    assert [v.code for v in entry.ruling.violations] == ["same-suit-as-road"] and entry.pending
    assert entry.state == quest().state


def test_the_page_offers_the_next_turn_beside_the_optional_step():
    match = quest()
    assert {(p.kind, p.seat) for p in match.prompts()} == {("draw", 0), ("play", 1), ("pass", 1)}
    assert match.view(Role()).prompts == match.prompts()


def test_out_of_turn_stays_a_foul():
    match = quest().then(Acted(Action("play", 0, ("9C",))))
    assert match.entries[-1].pending


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(STEPS_LEFT_OUT))
def test_what_was_left_out_is_said_in_words(name, lang):
    texts = Texts.load()
    kinds = set()
    for rules, before, *_ in islice(skipping(name, 4), 60):
        kinds |= {p.skipped.kind for p in rules.prompts(before) if p.skipped is not None}
    assert kinds and all(texts.has(f"implied.{name}.{kind}", lang) for kind in kinds)


def pokard(*plays):
    """Two declarers of Pokard Trick, and the tricks they play; whoever wins takes each silently."""
    start = Started("pokard-trick", Setup(("Aki", "Ben"), options=(("dealer", "2"),)))
    first = [Action("in", 0), Action("in", 1), Action("aside", 0, ("?", "?")), Action("aside", 1, ("?", "?"))]
    cards = [Action("play", seat, (card,)) for seat, card in plays]
    return Match.of([start, *(Acted(action) for action in (*first, *cards))])


FOUR_TRICKS = [(0, "5S"), (1, "9H"), (1, "2C"), (0, "3C"), (0, "4D"), (1, "6D"), (1, "KC"), (0, "QC")]


def test_94_a_doubt_about_following_ends_when_all_five_cards_have_been_seen():
    open_ = pokard(*FOUR_TRICKS, (0, "8D"))
    assert open_.doubts == (7,) and open_.entries[6].verdict is Verdict.UNPROVEN
    done = open_.then(Acted(Action("play", 1, ("9D",))))
    assert done.doubts == () and done.entries[6].verdict is Verdict.LEGAL
    assert done.entries[6].settled == Settled(Verdict.LEGAL, 15)
    assert done.entries[6].ruling.verdict is Verdict.UNPROVEN
    assert Match.of(done.events) == done and done.then(TookBack(15)).doubts == (7,)


def test_94_a_doubt_about_following_becomes_a_foul_when_the_suit_turns_up():
    match = pokard(*FOUR_TRICKS, (0, "8D"), (1, "7S"))
    assert match.entries[6].settled == Settled(Verdict.FOUL, 15) and not match.pending
    assert "revoke" in [v.code for v in match.entries[14].ruling.proven]
    corrected = match.then(Corrected(15, Action("play", 1, ("9D",))))
    assert corrected.entries[6].verdict is Verdict.LEGAL


def test_75_a_dice_is_in_order_once_the_robbed_player_has_let_it_be():
    start = Started("hexa-card", Setup(("Aki", "Ben")))
    match = Match.of([start, Acted(Action("dice", 0, ("5S",)))])
    assert match.doubts == (2,)
    assert match.then(Acted(Action("loop", 1, ("6S",)))).entries[1].verdict is Verdict.LEGAL
    assert match.then(Acted(Action("contest", 1))).entries[1].verdict is Verdict.FOUL


@pytest.mark.parametrize("bot", ["random", "simple"])
@every_game
def test_no_doubt_outlives_its_game(name, bot):
    """A claim that was perhaps possible is the one thing that nobody can see in the end."""
    rules = game(name)
    setup = table_setup(rules)
    match = Match.of([Started(name, setup)])
    for step in islice(play(rules, setup, Random(f"doubts:{name}"), bot), 300):
        match = match.then(Acted(step.action, "bot"))
    if match.over:
        left = [v.code for seq in match.doubts for v in match.entries[seq - 1].ruling.violations]
        assert set(left) <= {"claim-perhaps-possible"}


ODD = [None, 7, 3.5, "x", ["a"], {"a": 1}, ("a",), object(), b"x", True]


@every_game
def test_check_names_a_code_whatever_types_an_action_is_made_of(name):
    rules = game(name)
    steps = list(islice(play(rules, table_setup(rules), Random(f"odd:{name}"), "simple"), 40))
    for step in steps[:: max(1, len(steps) // 6)]:
        good = step.action
        for odd in ODD:
            for action in (
                Action(odd, good.seat, good.cards, good.args),
                Action(good.kind, odd, good.cards, good.args),
                Action(good.kind, good.seat, odd, good.args),
                Action(good.kind, good.seat, (odd,), good.args),
                Action(good.kind, good.seat, good.cards, odd),
                Action(good.kind, good.seat, good.cards, (odd,)),
                Action(good.kind, good.seat, good.cards, (("source", odd), ("hand", odd), (odd, odd))),
            ):
                found = rules.check(step.before, action)
                if action != good:
                    assert is_foul(found), action
                judged(rules, step.before, action)


def test_what_the_next_action_takes_as_drawn_is_written_down_and_a_correction_says_so():
    """Ace's King, 55: three on a five draws two; nobody said so."""
    start = Started("aces-king", Setup(("Aki", "Ben")))
    match = Match.of(
        [start, *(Acted(Action("play", seat, (card,))) for seat, card in [(0, "5S"), (1, "3H"), (0, "9C")])]
    )
    assert match.entries[2].implied == (Action("draw", 0, ("?",)),)
    assert match.entries[3].implied == (Action("draw", 1, ("?", "?")),)
    corrected = match.then(Corrected(3, Action("play", 1, ("4H",))))
    (change,) = corrected.changes
    assert (change.seq, change.implied) == (4, (Action("draw", 1, ("?",)),))
