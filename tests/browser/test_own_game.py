"""A game made with `companion new-game` is found by the server and played to its end by taps, in both languages."""

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.extensions import load_folder
from companion.games.registry import install

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect


@pytest.fixture
def server_with_a_game_of_its_own(own_server):
    """A server that was started again after `companion new-game tower-duel` into its data folder."""
    made = CliRunner().invoke(main, ["new-game", "--data", str(own_server.data), "tower-duel"])
    assert made.exit_code == 0, made.output
    load_folder(own_server.data / "games" / "tower_duel")  # the test knows the true cards
    own_server.kill()
    own_server.start()
    yield own_server
    install(())


@pytest.mark.parametrize(("lang", "winner"), [("en", " win"), ("ja", "優勝です")])
def test_a_new_game_is_played_to_its_end_on_the_page(new_game, open_page, server_with_a_game_of_its_own, lang, winner):
    server = server_with_a_game_of_its_own
    home = open_page(f"{server.url}/", lang=lang)
    expect(home.locator("#new")).to_contain_text("Tower Duel")
    play = new_game("tower-duel", 3, own=server, seed=4, lang=lang, width=390, height=844)
    while (action := play.next()) is not None:
        play.tap(action)
        assert play.table["entries"][-1]["verdict"] == "legal"
    assert play.table["over"]
    assert sum(player["score"] for player in play.table["players"]) == 5
    expect(play.page.locator(".standing")).to_be_in_viewport()
    expect(play.page.locator(".results > p").last).to_contain_text(winner)
