"""How a followed film is counted: what the journal holds exactly is right, all else is wrong, missed or tapped."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("PIL", reason="prints are drawn with Pillow")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion import resources
from companion.cli import main as cli
from companion.games import Action
from companion.referee import Acted, Event, Match, Started, TookBack
from companion.training.evaluation.films import MARKS_AFTER, PUSHED, Playing, evaluate, parsed, play
from companion.training.evaluation.followed import GRACE, PATIENCE, TAP_AFTER, How, People, only_spoken, same
from companion.training.evaluation.listening import Audience
from companion.training.evaluation.reels import FilmSource, PerfectEyes, Reel
from companion.training.evaluation.tally import Tally, table
from companion.training.films.changes import Trace
from companion.training.films.film import Filmed
from companion.training.films.spec import Film, FilmError, Ranges
from companion.training.films.truth import Truth
from companion.vision.camera.source import Frame


@cache
def truth(game: str = "aces-king", actions: int = 8, seed: int = 3) -> Truth:
    """The truth of a short film, its pictures never painted."""
    return Truth.of(Filmed(Film(game, seed, actions=actions, size=(640, 360), artwork=True)))


class Table:
    """A journal without a camera: what it is told, and what people write."""

    def __init__(self, true: Truth, **choices: bool) -> None:
        self.people = People(true, **choices)
        self.match = Match.of([true.started, *(Acted(action, "record") for action in true.skipped)])

    def told(self, action: Action, source: str = "camera") -> None:
        self.match = self.match.then(Acted(action, source))

    def until(self, time: float, since: float = 0.0) -> None:
        """Everybody looks ten times a second."""
        for tick in range(int(since * 10), int(time * 10) + 1):
            self.look(tick / 10)

    def look(self, time: float) -> list[Event]:
        written = self.people.look(self.match, time)
        for event in written:
            self.match = self.match.then(event)
        return written

    def close(self) -> Tally:
        return self.people.close(self.match)


def follow(true: Truth, table_: Table, late: float = 0.5, skip: frozenset[int] = frozenset()) -> None:
    """A camera that writes every visible action `late` s after it happened, or when it is its turn; not those of
    `skip`."""
    for tick in range(int((true.seconds + 3 * PATIENCE) * 10)):
        time, number = tick / 10, table_.people.next
        if number < len(true.actions) and number not in skip:
            one = true.actions[number]
            if one.trace is Trace.CARDS and time >= one.time + late:
                table_.told(one.action)
        table_.look(time)


def test_a_perfect_journal_is_right_throughout() -> None:
    true = truth()
    one = Table(true)
    follow(true, one)
    tally = one.close()
    visible = sum(a.trace is Trace.CARDS for a in true.actions)
    assert (tally.right, tally.visible, tally.wrong, tally.missed) == (visible, visible, 0, 0)
    assert tally.tapped == len(true.actions) - visible
    assert tally.waits and all(0.4 < wait < 1.2 for wait in tally.waits)


def test_an_action_that_did_not_happen_is_wrong_and_taken_back() -> None:
    """Somebody else plays the first card; after a while people undo it, and what truly happened counts as missed."""
    true = truth()
    first = true.actions[0]
    one = Table(true)
    one.told(replace(first.action, cards=tuple(reversed(first.action.cards)) or first.action.cards, seat=1))
    one.until(first.time + GRACE + PATIENCE + 2)
    tally = one.close()
    assert tally.wrong == 1 and tally.right == 0 and tally.taken_back == 1
    assert one.people.how[0] is How.MISSED


@pytest.mark.parametrize(
    "change", [{"cards": ("KD",)}, {"seat": 2}, {"kind": "draw"}, {"args": (("source", "stock"),)}]
)
def test_an_action_that_differs_in_anything_is_wrong(change: dict) -> None:
    true = truth()
    one = Table(true)
    wrong = replace(true.actions[0].action, **change)
    assert not same(wrong, true.actions[0].action)
    one.told(wrong)
    one.until(true.actions[0].time + 1)
    tally = one.close()
    assert tally.right == 0 and tally.wrong == 1


def test_what_nobody_wrote_is_missed_and_tapped_after_a_while() -> None:
    true = truth()
    number = next(n for n, one in enumerate(true.actions) if one.trace is Trace.CARDS)
    one = Table(true)
    follow(true, one, skip=frozenset([number]))
    tally = one.close()
    assert tally.missed == 1 and tally.wrong == 0
    assert tally.behind >= 1 and tally.right + tally.behind == tally.visible - 1
    assert one.people.how[number] is How.MISSED


def test_a_camera_that_mends_its_own_mistake_was_wrong_once_and_needs_nobody() -> None:
    true = truth()
    first = true.actions[0]
    one = Table(true)
    one.told(replace(first.action, seat=1))
    one.until(1.0)
    one.match = one.match.then(TookBack(2))
    one.told(first.action)
    one.until(first.time + 1, 1.0)
    tally = one.close()
    assert (tally.wrong, tally.mended, tally.taken_back) == (1, 1, 0)
    assert one.people.how[0] is How.CAMERA


def test_hands_laid_at_the_same_time_may_change_places_but_not_owners() -> None:
    true = truth("three-card-showdown", 4)
    two = [one.action for one in true.actions[:2]]
    swapped = Table(true)
    for action in reversed(two):
        swapped.told(action)
    swapped.look(true.actions[1].time + 1)
    assert swapped.people.next == 2
    mixed = Table(true)
    mixed.told(replace(two[0], seat=two[1].seat))
    mixed.told(replace(two[1], seat=two[0].seat))
    mixed.until(true.actions[1].time + 1)
    assert mixed.people.next == 0 and mixed.close().wrong == 2


def showdown() -> tuple[Truth, int]:
    """The truth of a film of showdowns, and the number of its first `next`."""
    true = truth("three-card-showdown", 12)
    return true, next(n for n, one in enumerate(true.actions) if one.action.kind == "next")


def test_what_a_later_action_says_is_right_with_it() -> None:
    """The next lay says that the table was cleared: the journal holds the same game."""
    true, at = showdown()
    one = Table(true)
    for number, action in enumerate(true.actions[: at + 2]):
        one.until(action.time, 0.0 if not number else true.actions[number - 1].time)
        if number != at:
            one.told(action.action)
            one.look(action.time + 0.1)
    tally = one.close()
    assert (tally.right, tally.implied, tally.wrong, tally.missed) == (at + 2, 1, 0, len(true.actions) - at - 2)


def test_a_true_action_before_an_earlier_one_is_early_and_right_once_that_is_told() -> None:
    true, _ = showdown()
    first, second = true.actions[:2]
    one = Table(true)
    one.told(second.action)
    one.look(second.time)
    assert one.people.next == 0
    one.told(first.action)
    one.look(second.time + 0.5)
    assert one.people.next == 2 and not one.people.wrong
    tally = one.close()
    assert (tally.early, tally.right, tally.wrong) == (1, 2, 0)


def test_one_that_the_earlier_one_can_no_longer_precede_is_wrong() -> None:
    """The order of plays is the game: told the other way round the state is another."""
    true = truth()
    plays = [one for one in true.actions if one.trace is Trace.CARDS]
    one = Table(true)
    one.told(replace(plays[0].action, seat=plays[1].action.seat, cards=plays[1].action.cards))
    one.until(true.seconds + GRACE)
    assert one.people.taken_back == 1 and one.close().wrong == 1


def test_where_nobody_corrects_each_action_is_matched_once() -> None:
    true = truth()
    one = Table(true, correct=False)
    written = [a.action for a in true.actions if a.trace is Trace.CARDS]
    for action in [written[0], replace(written[0], seat=3), *written[1:]]:
        one.told(action)
    one.until(true.seconds)
    tally = one.close()
    held = [entry.action for entry in one.match.entries if entry.action is not None and entry.standing]
    assert tally.right <= len(written) and tally.right + tally.wrong >= len(held)
    assert tally.wrong >= 1 and tally.tapped == 0


def test_invisible_actions_are_tapped_at_their_true_moment() -> None:
    true = truth("trading-poker", 12)
    hidden = [n for n, one in enumerate(true.actions) if one.trace is Trace.NONE]
    one = Table(true)
    follow(true, one)
    assert hidden and all(one.people.how[n] is How.TAP for n in hidden)
    assert all(abs(one.people.waits[n] - TAP_AFTER) < 1.0 for n in hidden)


def test_a_robbed_players_loop_or_dice_is_only_spoken_and_that_of_others_is_seen_at_the_stock() -> None:
    """Both let a robbed player draw and discard; of the others only who loops goes to the stock."""
    true = truth("hexa-card", 25, seed=4)
    match, robbed, found = Match.of([true.started, *(Acted(action, "record") for action in true.skipped)]), False, []
    for action in (one.action for one in true.actions):
        if action.kind in ("loop", "dice"):
            choices = [Action.of(kind, action.seat, action.cards) for kind in ("loop", "dice")]
            found.append((robbed, only_spoken(match, choices)))
            assert not only_spoken(match, choices[:1])
            assert not only_spoken(match, [choices[0], Action.of("loop", 1 - (action.seat or 0), action.cards)])
            robbed = action.kind == "dice"
        match = match.then(Acted(action, "camera"))
    assert set(found) == {(False, False), (True, True)}


def test_counts_add_up_and_become_a_table() -> None:
    one = Tally(
        films=1, actions=10, visible=8, right=6, questions=2, spoken=1, frames=100, seconds=4.0, waits=[0.5, 1.5]
    )
    one.merge(Tally(films=1, actions=10, visible=9, right=9, waits=[1.0]))
    figures = one.to_json()
    assert (figures["films"], figures["right"], figures["questions per 100 actions"]) == (2, 15, 10.0)
    assert figures["spoken"] == 1
    assert figures["let go to journal, median s"] == 1.0 and figures["frames looked at per s"] == 25.0
    lines = table({"hexa-card": one}).splitlines()
    assert len(lines) == 3 and len({line.count("|") for line in lines}) == 1
    *_, together = table({"hexa-card": one, "aces-king": Tally(films=1, actions=5, right=4, waits=[2.0])}).splitlines()
    assert together.startswith("| together | 3 | 25 | 17 | 19 |")


@pytest.mark.parametrize("wrong", ["hexa-card", "hexa-card:x", "hexa-card:1:x", "whist:1"])
def test_a_film_that_cannot_be_named_is_one_sentence(wrong: str) -> None:
    with pytest.raises(FilmError, match=r"\.$"):
        parsed(wrong)


def test_a_folder_without_films_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="holds no film"):
        Reel.below(tmp_path)


def test_a_written_film_is_played_to_the_program(tmp_path: Path) -> None:
    """From the file to the journal: source, reader, tracker, table, with the shipped networks; the truth is the same
    from the file as from the film, and whatever is counted as right is in the journal."""
    if not all((resources.models() / name).is_file() for name in ("detector/detector.onnx", "reader/reader.onnx")):
        pytest.skip("the weights are not in models/: run the recipe first")
    from companion.vision.pipeline import Reader

    filmed = Filmed(Film("three-card-showdown", 7, actions=2, haste=0.0, clutter=False, resting_hand=False))
    filmed.write(tmp_path)
    (reel,) = Reel.below(tmp_path)
    assert replace(reel.truth, hands=()) == Truth.of(filmed) and len(reel.truth.hands) == filmed.count
    played = play(reel, Reader())
    tally, events = played.tally, played.events
    written = [e.action for e in events if isinstance(e, Acted) and e.source == "camera"]
    assert tally.actions == tally.visible == 2
    assert sum(any(same(a, one.action) for a in written) for one in reel.truth.actions) >= tally.right >= 1
    assert tally.right + tally.answered + tally.missed == 2
    assert isinstance(events[0], Started) and tally.frames >= filmed.count


def test_the_command_says_in_one_sentence_what_is_wrong(tmp_path: Path) -> None:
    for given in ([], ["--render", "whist:1"], [str(tmp_path)], [str(tmp_path), "--render", "hexa-card:1"]):
        result = CliRunner().invoke(cli, ["eval-films", *given])
        assert result.exit_code == 2 and "Traceback" not in result.output
        assert result.stderr.strip().splitlines()[-1].startswith("Error: ")


class Blind:
    """Sees nothing."""

    def read(self, image, deck=None, letters=(), where=None, parts=()):  # type: ignore[no-untyped-def]
        from companion.vision.types import ReadResult

        return ReadResult(image.shape[1], image.shape[0], 0.0)


SMALL = {"size": (320, 180), "fps": 4.0, "artwork": True}


def test_perfect_eyes_follow_a_calm_showdown_without_any_help() -> None:
    """Nothing but tracking and comparing is left: three hands, laid one after the other with time to look."""
    film = Film("three-card-showdown", 3, actions=3, size=(640, 360), fps=8.0, artwork=True, haste=0.0, one_by_one=0.0,
                clutter=False, resting_hand=False, holders=False, ranges=Ranges(think=(1.5, 1.6)))  # fmt: skip
    played = play(Reel.painted(film), None)
    assert (played.tally.right, played.tally.wrong, played.tally.missed, played.tally.questions) == (3, 0, 0, 0)
    assert played.notes == ()
    with pytest.raises(FilmError, match="real time"):
        play(Reel.painted(film), None, real_time=True)


def test_people_mark_the_table_anew_where_the_page_says_that_the_camera_was_pushed(tmp_path: Path) -> None:
    """A cloth without detail, and no card in view: by how much it was pushed nothing tells."""
    reel = Reel.painted(Film("three-card-showdown", 9000, actions=2))
    eyes = PerfectEyes(reel)
    playing = Playing(reel, eyes, tmp_path, people=People(reel.truth), source=FilmSource(reel))
    for number, (at, pixels) in zip(range(8), reel.frames(), strict=False):
        playing.watch.feed(Frame(pixels, at, number))
        playing.people_act(at)
    lost = playing.watch._watcher._pushes
    lost.lost = True
    then = [playing.watch.status.key]
    for now in (1.0, 2.0, 1.0 + MARKS_AFTER):
        playing.people_act(now)
        then.append(playing.watch.status.key)
    assert then == [PUSHED, PUSHED, PUSHED, "ui.camera.ok"] and not lost.lost
    assert playing.watch.calibration == reel.truth.calibration_at(1.0 + MARKS_AFTER)
    assert playing.close().questions == 1


def test_at_its_own_speed_frames_that_come_too_fast_are_lost(tmp_path: Path) -> None:
    reel = Reel.painted(parsed("three-card-showdown:3:1", **SMALL)).painted_beforehand(tmp_path)
    source, looked = FilmSource(reel), list[float]()
    while (frame := source.read()) is not None:
        looked.append(frame.time)
        time.sleep(0.8)  # longer than from frame to frame
    assert max(b - a for a, b in pairwise(looked)) > 0.7 and source.shown == len(looked) < reel.truth.seconds * 2


def test_what_is_never_read_is_missed_in_real_time() -> None:
    tally = play(Reel.painted(parsed("three-card-showdown:3:1", **SMALL)), Blind(), real_time=True).tally
    assert tally.missed == tally.visible == 1 and tally.right == 0 and tally.frames > 0


def test_pages_listen_to_a_film_in_real_time() -> None:
    """Live streams of the server's own application: all are there to the end, and hear of what is tapped."""
    reel = Reel.painted(parsed("three-card-showdown:3:1", **SMALL))
    played = play(reel, Blind(), real_time=True, pages=3)
    assert played.tally.missed == 1 and not [note for note in played.notes if "pages" in note]
    with pytest.raises(FilmError, match="real time"):
        play(reel, Blind(), pages=3)


def test_pages_that_hear_nothing_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audience, "told", lambda _: None)
    played = play(Reel.painted(parsed("three-card-showdown:3:1", **SMALL)), Blind(), real_time=True, pages=2)
    assert any("pages" in note for note in played.notes)


def test_films_are_counted_by_game() -> None:
    told: list[str] = []
    reels = [Reel.painted(parsed("aces-king:3:2", **SMALL)), Reel.painted(parsed("three-card-showdown:3:1", **SMALL))]
    tallies = evaluate(reels, Blind(), told.append)
    assert list(tallies) == ["aces-king", "three-card-showdown"]
    assert sum(not line.startswith("  ") for line in told) == 2 and any("missed" in line for line in told[1:])
    assert all(tally.right == 0 and tally.missed == tally.visible for tally in tallies.values())


def test_in_real_time_a_film_is_painted_beforehand(tmp_path: Path) -> None:
    """Its frames come as files, as often as they are asked for, and look as they were painted."""
    reel = Reel.painted(parsed("three-card-showdown:3:1", **SMALL))
    kept = reel.painted_beforehand(tmp_path)
    painted = list(reel.frames())
    for _ in range(2):
        stored = list(kept.frames())
        assert [time for time, _ in stored] == [time for time, _ in painted]
        apart = [np.abs(a[1].astype(int) - b[1]).mean() for a, b in zip(stored, painted, strict=True)]
        assert max(apart) < 3
    with pytest.raises(FilmError, match=r"frame 0 .* cannot be written"):
        reel.painted_beforehand(tmp_path / "nowhere")
