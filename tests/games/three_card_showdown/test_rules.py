"""The three-card showdown: categories, shared wins, the identical pair, two to eight players."""

import pytest

from companion.games import Action, Role, Setup, SetupError, game
from companion.referee import Acted, Match, Started

NAMES = tuple("ABCDEFGH")


def shown(deck, *hands, **options):
    """A complete showdown of `hands` ("5S 6H 7C")."""
    setup = Setup(NAMES[: len(hands)], deck, tuple(options.items()))
    lays = [Acted(Action("lay", seat, tuple(cards.split()))) for seat, cards in enumerate(hands)]
    return Match.of([Started("three-card-showdown", setup), *lays])


def categories(match):
    return [zone.note.key.removeprefix("category.") for zone in match.view(Role()).zones]


@pytest.mark.parametrize(
    ("deck", "hands", "names", "winners"),
    [
        # Line 135: FL below ST in 52 cards; line 141: the other way round in 40.
        ("52D1", ("2D 7D JD", "5S 6H 7C"), ["FL", "ST"], (1,)),
        ("40D1", ("2D 6D JD", "4S 5H 6C"), ["FL", "ST"], (0,)),
        # Line 133 and 134: D2 below ST with three sets, above it with two.
        ("52D3", ("9S 9S KD", "5S 6H 7C"), ["D2", "ST"], (1,)),
        ("52D2", ("9S 9S KD", "5S 6H 7C"), ["D2", "ST"], (0,)),
        # Line 93: equal categories share, nobody with a category wins nothing.
        ("52D1", ("2D 7D JD", "3H 8H QH", "2S 7H KD"), ["FL", "FL", "none"], (0, 1)),
        ("52D1", ("2S 7H KD", "3S 8H QD"), ["none", "none"], ()),
        ("52D1", ("8S 8H 8D", "5H 6H 7H", "5S 5D 6S", "9S 9H KD"), ["K3", "SF", "RaP", "P1"], (1,)),
        ("M9D4", ("1z 2z 3z", "1m 1m 1m"), ["CFL", "D3"], (1,)),
    ],
)
def test_categories_and_winners(deck, hands, names, winners):
    match = shown(deck, *hands)
    assert not match.pending
    assert categories(match) == names
    assert match.state.winners == winners
    assert [line.seat for line in match.scores()] == list(winners)
    assert {line.points for line in match.scores()} <= {1}


def test_152_an_identical_pair_is_a_hand_in_two_sets_and_a_foul_in_one():
    assert categories(shown("52D2", "5S 5S 7C", "2S 7H KD"))[0] == "D2"
    match = shown("52D1", "5S 5S 7C", "2S 7H KD")
    (violation,) = match.entries[1].ruling.violations
    assert (violation.code, violation.clause, violation.cards) == ("identical-cards", "152", ("5S",))
    assert match.pending and match.state.laid[0] is None


@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_players(players):
    hands = [f"{rank}S {rank}H {rank}D" for rank in ("2", "3", "4", "5", "6", "7", "8", "9")][:players]
    match = shown("52D1", *hands)
    assert match.state.winners == tuple(range(players))
    assert [p.score for p in match.view(Role()).players] == [1] * players


@pytest.mark.parametrize("players", [(), ("A",), (*NAMES, "I")])
def test_one_or_nine_players_are_too_few_or_too_many(players):
    with pytest.raises(SetupError, match="2 to 8 players"):
        game("three-card-showdown").start(Setup(players))


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (Setup(("A", "B"), "52D7"), "52D7"),
        (Setup(("A", "B"), "", (("ace", "middle"),)), "ace"),
        (Setup(("A", "B"), "", (("colour", "red"),)), "no option 'colour'"),
    ],
)
def test_an_impossible_setup_says_what_is_wrong(setup, sentence):
    with pytest.raises(SetupError, match=sentence):
        game("three-card-showdown").start(setup)


def test_points_run_on_from_showdown_to_showdown():
    match = shown("52D1", "2D 7D JD", "5S 6H 7C").then(Acted(Action("next")))
    assert categories_open(match) and [line.points for line in match.scores()] == [1]
    for seat, cards in enumerate(("5S 6H 7C", "8S 8H 8D")):
        match = match.then(Acted(Action("lay", seat, tuple(cards.split()))))
    assert [(line.seat, dict(line.reason.params)["number"]) for line in match.scores()] == [(1, 1), (1, 2)]


def categories_open(match):
    return all(zone.open and not zone.cards for zone in match.expected_table())


def test_options_reach_the_ranking():
    assert categories(shown("52D1", "QS KH AD", "2S 7H KD"))[0] == "ST"
    assert categories(shown("52D1", "QS KH AD", "2S 7H KD", ace="low"))[0] == "none"
    ranked = shown("52D1", "2D 7D JD", "3H 8H QH", intra_order="rank")
    assert ranked.state.winners == (1,)


def test_laying_twice_or_too_few_is_a_foul_with_a_code():
    rules = game("three-card-showdown")
    state = shown("52D1", "2D 7D JD", "5S 6H 7C").entries[1].state
    for action, code in [
        (Action("lay", 0, ("5S", "6H", "7C")), "not-your-turn"),
        (Action("lay", 1, ("5S", "6H")), "wrong-count"),
        (Action("lay", 1, ("5S", "6H", "XX")), "not-in-deck"),
        (Action("lay", 1, ("5S", "6H", "?")), "card-not-shown"),
        (Action("lay", 5, ("5S", "6H", "7C")), "unknown-seat"),
        (Action("next"), "wrong-phase"),
        (Action("dance", 1), "unknown-action"),
        (Action.of("lay", 1, ("5S", "6H", "7C"), side="up"), "wrong-choice"),
    ]:
        assert [v.code for v in rules.check(state, action)] == [code]
