"""The hints of a first round: every action that can be open has one, in both languages."""

import random

import pytest

from companion.games import Setup, game, ids
from companion.referee.bots import choose

STEPS = 90


@pytest.mark.parametrize("name", ids())
def test_every_action_of_a_game_has_its_hint(client, name):
    rules, chance = game(name), random.Random(name)
    count = max(3, rules.least_players)
    setup = Setup(("A", "B", "C", "D", "E")[:count], rules.recommended_deck(count))
    state, kinds = rules.start(setup), set()
    world = rules.world(setup, chance)
    for _ in range(STEPS):
        kinds |= {prompt.kind for prompt in rules.prompts(state)}
        action = choose("simple", world, state, chance)
        if action is None:
            break
        after = rules.apply(state, action)
        world.follow(state, action, after)
        state = after
    for lang in ("en", "ja"):
        steps = client.get(f"/api/guide/{name}?lang={lang}").get_json()["steps"]
        assert kinds - set(steps) <= {"next-game", "washout", "skip", "time-up"}, kinds - set(steps)
        assert {"goal", "table", "hand", "end"} <= set(steps)
    assert len(kinds) > 1


def test_a_game_that_is_not_there_has_no_hints(client):
    assert client.get("/api/guide/no-such-game").status_code == 404
