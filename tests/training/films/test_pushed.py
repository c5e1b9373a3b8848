"""The camera is pushed in the middle of a game: through the real watcher, with eyes that never err."""

from __future__ import annotations

import pytest

pytest.importorskip("PIL", reason="prints are drawn with Pillow")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion.training.evaluation.films import Playing, play
from companion.training.evaluation.reels import Reel
from companion.training.films.spec import Accidents, Film


@pytest.mark.parametrize("px", [60.0, 200.0])
def test_a_game_goes_on_after_the_camera_was_pushed_and_nothing_wrong_is_told(px: float) -> None:
    film = Film("three-card-showdown", 5, actions=4, size=(1280, 720), fps=8.0, accidents=Accidents(nudges=(px,)),
                clutter=False, holders=False, resting_hand=False)  # fmt: skip
    reel = Reel.painted(film)
    ((pushed, _),) = reel.truth.pushes
    played = play(reel, None)
    assert reel.truth.actions[0].time < pushed < reel.truth.actions[-1].time
    assert (played.tally.right, played.tally.wrong) == (4, 0), played.notes
    assert played.tally.questions == 0


def test_where_a_push_cannot_be_mended_it_is_said_and_the_camera_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film("trading-poker", 5, actions=4, size=(1280, 720), fps=8.0, accidents=Accidents(nudges=(60.0,)),
                clutter=False, holders=False, resting_hand=False)  # fmt: skip
    reel, said = Reel.painted(film), list[str]()

    class Watched(Playing):
        def people_act(self, now: float) -> None:
            super().people_act(now)
            said.append(self.watch.status.key)

    monkeypatch.setattr("companion.training.evaluation.films.Playing", Watched)
    played = play(reel, None)
    ((pushed, _),) = reel.truth.pushes
    after = said[int((pushed + 3.0) * 8.0) :]
    assert played.tally.wrong == played.tally.mended == 0, played.notes
    assert set(after) == {"ui.camera.pushed"} or played.tally.right == played.tally.visible
