"""How the places of a game are shown: in the form that the game declares, whether cards lie there or not."""

from random import Random

import pytest

from companion.games import Role, Setup, game, places
from companion.games.places import Form, Shows
from companion.referee import Acted, Match, Started
from companion.referee.simulate import choose
from companion.server.show.zones import rooms


@pytest.mark.parametrize(("name", "players"), [("pokard-trick", 3), ("joker-quest", 2)])
def test_a_fan_is_one_before_cards_lie_there_and_after(name, players):
    rules, chance = game(name), Random(1)
    match = Match.of([Started(name, Setup(tuple("ABC"[:players]), ""))])
    world = rules.world(match.setup, chance)
    fans = {place.kind for place in places(name, match.setup) if place.form is Form.FAN and place.shows is Shows.ALL}
    seen = set()
    for _ in range(60):
        for zone, _room in rooms(match, match.view(Role())):
            kind = zone.id.partition(":")[0]
            if kind in fans:
                assert zone.kind == "fan", zone.id
                seen.add(bool(zone.cards))
        action = choose("simple", world, match.state, chance)
        if action is None:
            break
        before = match.state
        match = match.then(Acted(action))
        world.follow(before, action, match.state)
    assert seen == {False, True}
