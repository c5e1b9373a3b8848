"""Games from outside: found in the data folder and by entry point; a broken one costs only itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.new_game import write
from companion.extensions import ExtensionError, install_all, load_folder
from companion.games import GameError, Setup, UnknownGameError, game, ids, origin, places, refused
from companion.games.registry import Listing, install
from companion.referee.simulate import play, table_setup

ROOT = Path(__file__).resolve().parents[1]
BUILT_IN = ids()


@pytest.fixture(autouse=True)
def only_the_built_in_games() -> Iterator[None]:
    yield
    install(())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one good game of its own, `good-one`."""
    write("good-one", tmp_path / "games")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


# --- found -----------------------------------------------------------------------------------------------------------


def test_a_game_in_the_data_folder_is_one_of_the_games(data: Path) -> None:
    install_all(data)
    assert ids() == (*BUILT_IN, "good-one") and refused() == ()
    assert origin("good-one") == str(data / "games" / "good_one") and origin("hexa-card") == ""
    last = list(play(game("good-one"), table_setup(game("good-one"), 3), Random("1")))[-1].after
    assert sum(game("good-one").totals(last).values()) == 5
    kinds = [place.kind for place in places("good-one", Setup(("Anna", "Ben")))]
    assert kinds == ["laid", "discard", "stock", "box"]


def test_what_is_no_longer_there_is_forgotten(data: Path, tmp_path: Path) -> None:
    install_all(data)
    install_all(tmp_path / "elsewhere")
    assert ids() == BUILT_IN
    with pytest.raises(UnknownGameError, match="'good-one'"):
        game("good-one")


def test_a_game_is_read_afresh(data: Path) -> None:
    install_all(data)
    change(data / "games" / "good_one", "options.py", "MOST_PLAYERS = 5", "MOST_PLAYERS = 3  # fewer")
    install_all(data)
    assert game("good-one").most_players == 3


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a package with a game, as pip lays it down, under an entry point of the value given."""

    def installed(value: str) -> None:
        site = tmp_path / "site"
        package = write("packed-game", site)[0].parent
        about = site / "packed_game-1.2.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: packed-game\nVersion: 1.2\n")
        (about / "entry_points.txt").write_text(f"[companion.games]\npacked-game = {value}\n")
        assert package.name == "packed_game"
        monkeypatch.syspath_prepend(str(site))

    return installed


def test_a_game_of_an_installed_package_is_found_by_its_entry_point(
    distribution: Callable[[str], None], tmp_path: Path
) -> None:
    distribution("packed_game:PackedGame")
    install_all(tmp_path / "data")
    assert ids() == (*BUILT_IN, "packed-game")
    assert origin("packed-game") == "packed-game 1.2"
    assert "Packed Game" in run("games", "--data", str(tmp_path / "data")).output


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("packed_game:Nothing", "AttributeError"),
        ("packed_game.state:State", "packed_game.state:State is no class of a game"),
        ("nowhere:Game", "No module named 'nowhere'"),
    ],
)
def test_an_entry_point_that_leads_nowhere_is_refused(
    distribution: Callable[[str], None], tmp_path: Path, value: str, words: str
) -> None:
    distribution(value)
    install_all(tmp_path / "data")
    assert ids() == BUILT_IN
    assert [(one.name, one.origin, words in one.reason) for one in refused()] == [
        ("packed-game", "packed-game 1.2", True)
    ]


def test_bots_play_a_game_from_outside_on_all_cores(data: Path) -> None:
    shown = run("simulate", "--data", str(data), "--games", "4", "--json", "good-one")
    assert json.loads(shown.output)["finished"] == 4
    lost = run("simulate", "--data", str(data / "elsewhere"), "good-one")
    assert lost.exit_code == 2 and "no game is called 'good-one'" in lost.stderr


# --- refused ---------------------------------------------------------------------------------------------------------

BROKEN = [
    ("rules.py", "class PoorOne(", "class PoorOne((", "rules.py, line "),
    ("rules.py", "class PoorOne(Game[State]):", "class PoorOne:", "exports no class of a game"),
    ("rules.py", 'id = "poor-one"', 'id = "other-one"', "PoorOne.id is 'other-one'; here it has to be 'poor-one'"),
    ("rules.py", "def world(", "def another(", "PoorOne lacks world"),
    ("rules.py", "    least_players = 2\n", "", "PoorOne lacks least_players"),
    ("rules.py", "least_players = 2", "least_players = 9", "for 9 to 5 players"),
    ("rules.py", "decks = (DECK,)", 'decks = ("51D1",)', "51D1"),
    ("rules.py", "decks = (DECK,)", "decks = ()", "at least one deck"),
    ("rules.py", "options = OPTIONS", 'options = ("tie",)', "a tuple of Option"),
    ("state.py", "HAND = 5", "HAND = 5 / 0", "state.py, line 14: ZeroDivisionError: division by zero"),
    ("state.py", "from .options import Rules", "from .option import Rules", "state.py, line 11: ModuleNotFoundError"),
    ("zones.py", "def places(", "def zones(", "no function places"),
    ("words.en.json", '",\n', '"\n', "words.en.json is no JSON: line 3"),
    ("words.ja.json", '"第{n}ラウンド:{card}で獲得"', "7", "words.ja.json in poor_one is not a flat object of texts"),
    ("words.en.json", "counter.poor-one.cards", "ui.app", "said already: ui.app"),
    ("words.en.json", "counter.poor-one.cards", "game.hexa-card.name", "said already: game.hexa-card.name"),
    ("words.en.json", "counter.poor-one.cards", "game.good-one.name", "said already: game.good-one.name"),
    ("__init__.py", "from .rules import PoorOne", "from companion.games import Game as PoorOne", "exports no class"),
    ("__init__.py", "from .rules import PoorOne", "raise SystemError('no')\nPoorOne = 1", "SystemError: no"),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), BROKEN, ids=[f"{b[0]}-{b[3][:24]}" for b in BROKEN])
def test_a_broken_game_costs_only_itself(data: Path, file: str, old: str, new: str, words: str) -> None:
    write("poor-one", data / "games")
    change(data / "games" / "poor_one", file, old, new)
    shown = run("games", "--data", str(data))
    assert shown.exit_code == 0
    [line] = [line for line in shown.output.splitlines() if line.startswith("poor-one: ")]
    assert line.startswith("poor-one: cannot be played. ") and words in line and line.endswith(".")
    assert ids() == (*BUILT_IN, "good-one")
    assert list(play(game("good-one"), table_setup(game("good-one"), 2), Random("1")))


def test_a_game_without_a_name_or_without_a_start_is_refused(data: Path) -> None:
    for name in ("nameless-one", "startless-one"):
        write(name, data / "games")
    (data / "games" / "startless_one" / "__init__.py").unlink()
    for file in ("words.en.json", "words.ja.json"):
        change(data / "games" / "nameless_one", file, "game.nameless-one.name", "game.nameless-one.title")
    (data / "games" / "Bad Name").mkdir()
    (data / "games" / "readme.txt").write_text("no game\n")
    install_all(data)
    reasons = {one.name: one.reason for one in refused()}
    assert reasons.keys() == {"Bad Name", "nameless-one", "startless-one"}
    assert "there is no game.nameless-one.name" in reasons["nameless-one"]
    assert "there is no __init__.py" in reasons["startless-one"]
    assert "called like my_game" in reasons["Bad Name"]


def test_a_name_that_is_taken_is_refused(data: Path) -> None:
    (data / "games" / "good_one").rename(data / "games" / "hexa_card")
    change(data / "games" / "hexa_card", "rules.py", 'id = "good-one"', 'id = "hexa-card"')
    install_all(data)
    assert ids() == BUILT_IN and origin("hexa-card") == ""
    assert [one.reason for one in refused()] == ["the name hexa-card is taken by the program itself."]
    with pytest.raises(ExtensionError, match="taken by the program itself"):
        load_folder(data / "games" / "hexa_card")
    with pytest.raises(ValueError, match="two games are called 'hexa-card'"):
        install([Listing("hexa-card", lambda: game("aces-king"), "somewhere")])


def test_refused_games_stand_in_the_json_too(data: Path) -> None:
    change(data / "games" / "good_one", "zones.py", "def places(", "def zones(")
    found = json.loads(run("games", "--json", "--data", str(data)).output)
    assert [row["id"] for row in found["games"]] == list(BUILT_IN)
    assert [row["id"] for row in found["refused"]] == ["good-one"]
    first = found["games"][0]
    assert first["names"] == {"en": "Three Card Showdown", "ja": "三枚役くらべ"}
    assert first["players"] == [2, 8] and first["decks"][0] == "52D2" and first["origin"] == ""


# --- failing while it is played --------------------------------------------------------------------------------------


def test_a_game_that_fails_says_where_and_never_more(data: Path) -> None:
    rules = data / "games" / "good_one" / "rules.py"
    line = rules.read_text(encoding="utf-8").splitlines().index("        if state.over:") + 1
    change(rules.parent, "rules.py", "        if state.over:\n            return ()", "        return state.nothing")
    install_all(data)
    state = game("good-one").start(Setup(("Anna", "Ben")))
    where = rf"the game good-one has failed: rules\.py, line {line}: AttributeError: .*nothing"
    with pytest.raises(GameError, match=where):
        game("good-one").prompts(state)
    shown = run("simulate", "--data", str(data), "--games", "1", "good-one")
    assert shown.exit_code == 2 and "AttributeError" in shown.stderr and "Traceback" not in shown.output


def test_an_answer_of_the_wrong_kind_is_a_failure_too(data: Path) -> None:
    change(data / "games" / "good_one", "rules.py", "        return state.lines", "        return list(state.lines)")
    change(data / "games" / "good_one", "world.py", "        return self._places", "        return None")
    change(data / "games" / "good_one", "zones.py", "    return PLACES", "    return PLACES[9]")
    install_all(data)
    rules = game("good-one")
    state = rules.start(Setup(("Anna", "Ben")))
    with pytest.raises(GameError, match="scores answers with list, not tuple"):
        rules.scores(state)
    with pytest.raises(GameError, match=r"Deal\.zones answers with NoneType, not dict"):
        rules.world(Setup(("Anna", "Ben")), Random(1)).zones()
    with pytest.raises(GameError, match=r"zones\.py, line \d+: IndexError"):
        places("good-one", Setup(("Anna", "Ben")))


# --- begun -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["My-Game", "my_game", "my--game", "-game", "2-game", "", "a" * 41, "../up", "ゲーム"])
def test_a_bad_name_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    shown = run("new-game", "--into", str(tmp_path), "--data", str(tmp_path / "data"), "--", name)
    assert shown.exit_code == 2 and shown.stderr.startswith("Error: a game is called like my-game")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_never_written_over(data: Path, tmp_path: Path) -> None:
    assert "there is a game called hexa-card already" in run("new-game", "--data", str(data), "hexa-card").stderr
    assert "there is a game called good-one already" in run("new-game", "--data", str(data), "good-one").stderr
    (tmp_path / "my_game").mkdir()
    shown = run("new-game", "--data", str(data), "--into", str(tmp_path), "my-game")
    assert shown.exit_code == 2 and f"{tmp_path / 'my_game'} is there already." in shown.stderr
    assert list((tmp_path / "my_game").iterdir()) == []


@pytest.mark.parametrize("name", ["tower-duel", "x", "deal", "none", "highest-card"])
def test_a_new_game_is_whole_under_any_name(tmp_path: Path, name: str) -> None:
    shown = run("new-game", "--data", str(tmp_path), name)
    assert shown.exit_code == 0, shown.output
    files = [Path(line) for line in shown.output.splitlines()]
    assert all(file.is_file() for file in files) and len(files) == 13
    record = next(file for file in files if file.suffix == ".txt")
    replayed = run("referee", "--data", str(tmp_path), str(record))
    assert replayed.exit_code == 0 and "Anna     2  =" in replayed.output
    if name != "highest-card":
        assert not any("ighest" in str(file.relative_to(tmp_path)) for file in files)
        texts = [file.read_text(encoding="utf-8") for file in files]
        assert not any(old in text for text in texts for old in ("highest-card", "HighestCard", "highest_card"))
