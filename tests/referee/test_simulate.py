"""Statistics of many games: the same whoever plays them, and they add up."""

from random import Random

import pytest

from companion.games import SetupError, UnknownGameError, game
from companion.referee.simulate import Statistics, play, simulate, table_setup

NAME = "three-card-trick-poker"
SMALL = table_setup(game(NAME), 2)


def test_wins_and_points_add_up():
    found = simulate(NAME, 6, 1, Random, setup=SMALL).to_json()
    assert found["games"] == found["finished"] == 6
    assert sum(seat["wins"] for seat in found["seats"]) == pytest.approx(1, abs=0.001)
    # 36 or more cards are captured or left over: nobody scores more than the deck holds.
    assert all(0 <= seat["mean_score"] <= seat["best_score"] <= 40 for seat in found["seats"])
    assert found["actions"]["least"] <= found["actions"]["mean"] <= found["actions"]["most"]


def test_progress_is_told_game_by_game():
    heard = []
    simulate(NAME, 3, 1, Random, setup=SMALL, progress=heard.append)
    assert heard == [1, 2, 3]


def test_rows_are_a_table_for_people():
    statistics = simulate(NAME, 2, 1, Random, setup=SMALL)
    assert [row[0] for row in statistics.rows()] == ["1", "2"]
    assert all("%" in row[1] for row in statistics.rows())


def test_merging_nothing_changes_nothing():
    statistics = simulate(NAME, 2, 1, Random, setup=SMALL)
    before = statistics.to_json()
    statistics.merge(Statistics(NAME, SMALL, "random"))
    assert statistics.to_json() == before


def test_pieces_in_any_order_count_the_same_games_as_one_run():
    whole = simulate(NAME, 6, 3, Random, setup=SMALL)
    pieces = [simulate(NAME, 2, 3, Random, setup=SMALL, first=first) for first in (4, 0, 2)]
    pieces[0].merge(pieces[1])
    pieces[0].merge(pieces[2])
    assert pieces[0].to_json() == whole.to_json()


def test_the_simple_bot_beats_the_random_one():
    """Seats 0 and 1 with different bots on the same deals: sense must be worth something."""
    from companion.referee.simulate import choose

    rules, wins = game(NAME), [0, 0]
    for number in range(30):
        chance = Random(f"duel:{number}")
        state, world = rules.start(SMALL), rules.world(SMALL, chance)
        clever = number % 2
        while rules.prompts(state):
            turn = {p.seat for p in rules.prompts(state)}
            action = choose("simple" if clever in turn else "random", world, state, chance)
            after = rules.apply(state, action)
            world.follow(state, action, after)
            state = after
        for seat in rules.winners(state):
            wins[seat == clever] += 1
    assert wins[1] > wins[0]


def test_impossible_requests_are_one_sentence():
    with pytest.raises(UnknownGameError, match="did you mean 'three-card-trick-poker'"):
        simulate("three-card-trick-pokr", 1, 1, Random)
    with pytest.raises(SetupError):
        simulate(NAME, 1, 1, Random, setup=table_setup(game(NAME), 9))


def test_a_game_without_an_end_stops_after_some_actions():
    found = simulate("three-card-showdown", 1, 1, Random)
    assert found.games == 1 and found.finished == 0 and found.to_json()["cut"] == 1


def test_shares_and_scores_come_with_their_intervals():
    found = simulate(NAME, 8, 1, Random, setup=SMALL).to_json()
    for seat in found["seats"]:
        low, high = seat["wins_between"]
        assert low <= seat["wins"] <= high and seat["mean_score_within"] > 0
    duel = simulate(NAME, 4, 1, Random, setup=SMALL, bot="simple", rival="random").to_json()["duel"]
    assert duel["between"][0] <= duel["wins"] <= duel["between"][1]


def test_a_limit_stops_a_game():
    assert len(list(play(game(NAME), SMALL, Random(1), limit=7))) == 7
