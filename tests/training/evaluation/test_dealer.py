"""A dealer's hands with the deck are in view for the whole film and never still: the table is followed all the same."""

from __future__ import annotations

from typing import Any

import pytest

from companion import resources
from companion.server.camera.table import Watch
from companion.training.evaluation.films import play, shipped_reader
from companion.training.evaluation.reels import Reel
from companion.training.films.film import Filmed
from companion.training.films.spec import Film
from companion.vision.following.watcher import Watcher
from companion.vision.types import Side


def test_with_a_dealers_hands_always_moving_the_table_is_read_with_the_shipped_networks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not all((resources.models() / name).is_file() for name in ("detector/detector.onnx", "reader/reader.onnx")):
        pytest.skip("the weights are not in models/: run the recipe first")
    film = Film("three-card-showdown", 4203, players=2, actions=1, dealer=True, haste=0.0, clutter=False, fps=10.0)
    assert Filmed(film).header()["hands in view"] >= 0.6
    tables: list[Any] = []
    saw, feed, still = Watch._saw, Watcher.feed, []
    monkeypatch.setattr(Watch, "_saw", lambda self, seen: (tables.append(seen), saw(self, seen))[1])
    monkeypatch.setattr(Watcher, "feed", lambda self, frame: (feed(self, frame), still.append(self._movement.still))[0])
    tally = play(Reel.painted(film), shipped_reader()).tally
    frames = int(10 * Reel.painted(film).truth.seconds)
    assert not any(still[:frames]), "the picture as a whole never rests"
    assert tables and sum(card.side is Side.UP for card in tables[-1].cards) == 3, "the held deck may show its back"
    assert (tally.right, tally.wrong, tally.visible) == (1, 0, 1)
