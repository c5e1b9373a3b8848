"""Games that people end, and what many evenings come to."""

from datetime import datetime

import pytest

from companion.games import Action, Role, Setup
from companion.referee import Acted, Corrected, EventError, Finished, Match, Started, TookBack, event_from_json
from companion.referee.league import Result, evening_of, of_season, profiles, ranking, rounds, seasons, teams
from companion.referee.record import parse, record_of, replay, text

SETUP = Setup(("Anna", "Ben", "Chie"), "52D1")
HANDS = (("AS", "AH", "AD"), ("2S", "3H", "5D"), ("2D", "3C", "6H"))


def showdown(teams=()):
    match = Match.of([Started("three-card-showdown", SETUP, teams=teams)])
    for seat, cards in enumerate(HANDS):
        match = match.then(Acted(Action.of("lay", seat, cards)))
    return match


def result(day, players, points, winners, game="hexa-card", named=None):
    return Result("t", game, datetime.fromisoformat(f"{day}T20:00"), players, points, winners, named or {})


# --- the end ---------------------------------------------------------------------------------------------------------


def test_people_end_an_endless_game_and_whoever_leads_has_won():
    before = showdown()
    assert not before.over
    assert before.winners() == ()
    over = before.then(Finished())
    assert over.over
    assert over.prompts() == ()
    assert over.winners() == (0,)
    assert over.view(Role("spectator")).over


def test_what_is_finished_takes_no_action_until_it_is_taken_back():
    over = showdown().then(Finished())
    for event in (Acted(Action.of("next")), Finished()):
        with pytest.raises(EventError, match="finished"):
            over.then(event)
    on = over.then(TookBack(over.entries[-1].seq))
    assert not on.over
    assert on.state == over.state
    again = on.then(TookBack(on.entries[-1].seq))
    assert again.finished
    assert on.then(Acted(Action.of("next"))).entries[-1].ruling.verdict == "legal"


def test_a_game_without_points_that_is_ended_has_no_winner():
    match = Match.of([Started("three-card-showdown", SETUP)]).then(Finished())
    assert match.over
    assert match.winners() == ()


def test_a_correction_after_the_end_changes_the_standing():
    over = showdown().then(Finished())
    assert over.then(Corrected(2, Action.of("lay", 0, ("7S", "8H", "9D")))).finished


def test_the_end_and_the_teams_survive_journal_and_record():
    match = showdown(("Red", "", "blue # 2")).then(Finished())
    for event in match.events:
        assert event_from_json(event.to_json()) == event
    written = text(record_of(match.events))
    assert "\nfinish\n" in written
    assert "team 1=Red\n" in written
    again = parse(written)
    assert again.started.teams == ("Red", "", "blue # 2")
    assert [step.differences for step in replay(again) if step.differences] == []
    assert text(again) == written
    assert match.teams == {"Red": (0,), "blue # 2": (2,)}


@pytest.mark.parametrize("teams", [["A"], "AAA", [1, 2, 3]])
def test_teams_are_a_text_for_every_player(teams):
    with pytest.raises(EventError, match="teams"):
        event_from_json({"event": "started", "game": "x", "players": ["A", "B", "C"], "teams": teams})


# --- over evenings ---------------------------------------------------------------------------------------------------


def test_a_result_is_there_when_the_match_is_over():
    at = datetime(2026, 11, 24, 20)
    assert Result.of(showdown(), "t", at) is None
    found = Result.of(showdown(("X", "Y", "Y")).then(Finished()), "t", at)
    assert found.points == (1, 0, 0)
    assert [found.place(seat) for seat in range(3)] == [1, 2, 2]
    assert found.team_points() == {"X": 1, "Y": 0}
    assert found.winning_teams() == ("X",)


def test_profiles_count_games_wins_streaks_and_who_was_ahead():
    played = [
        result("2026-11-01", ("Anna", "Ben"), (3, 1), (0,)),
        result("2026-11-02", ("ben", "ＡＮＮＡ"), (1, 5), (1,)),
        result("2026-11-03", ("Anna", "Ben", "Chie"), (2, 2, 9), (2,)),
        result("2026-12-01", ("Anna ", "Player 1"), (1, 0), (0,)),
    ]
    found = profiles(reversed(played), ["Player 1"])
    assert set(found) == {"anna", "ben", "chie"}
    anna, ben = found["anna"], found["ben"]
    assert (anna.name, anna.games, anna.wins, anna.streak, anna.best, anna.evenings) == ("Anna ", 4, 3, 1, 2, 4)
    assert anna.points == 1 + 1 + 0.5 + 1
    rival = anna.rivals["ben"]
    assert (rival.games, rival.ahead, rival.behind, rival.level) == (3, 2, 0, 1)
    assert (ben.rivals["anna"].ahead, ben.rivals["anna"].behind) == (0, 2)
    assert [p.name for p in ranking(found.values())] == ["Anna ", "Chie", "Ben"]


def test_ahead_without_points_is_having_won():
    found = profiles([result("2026-11-01", ("Anna", "Ben", "Chie"), None, (1,))])
    assert (found["ben"].points, found["anna"].points, found["chie"].points) == (2, 0.5, 0.5)


def test_an_evening_lasts_until_five_and_seasons_are_years_and_months():
    assert evening_of(datetime(2026, 12, 1, 4, 59)) == "2026-11-30"
    assert evening_of(datetime(2026, 12, 1, 5, 0)) == "2026-12-01"
    played = [result(day, ("A", "B"), None, (0,)) for day in ("2025-12-31", "2026-01-02", "2026-11-02")]
    assert seasons(played) == ["2026", "2026-11", "2026-01", "2025", "2025-12"]
    assert len(of_season(played, "2026")) == 2
    assert len(of_season(played, "")) == 3


def test_teams_win_by_the_points_of_their_players():
    named = {"Red": (0, 1), "Blue": (2, 3)}
    played = [
        result("2026-11-01", ("A", "B", "C", "D"), (9, 0, 5, 5), (0,), named=named),
        result("2026-11-02", ("A", "B", "C", "D"), (9, 2, 5, 5), (0,), named=named),
    ]
    assert [(t.name, t.games, t.wins) for t in teams(played)] == [("Blue", 2, 1), ("Red", 2, 1)]
    assert list(teams(played)[0].players.values()) == ["C", "D"]


def test_people_who_play_together_come_in_the_order_they_sat_last():
    tables = [("Ben", "Anna"), ("Chie", "Dan"), ("anna", "Ben"), ("Emi", "Finn")]
    assert rounds(tables) == [("Ben", "Anna"), ("Chie", "Dan"), ("Emi", "Finn")]
