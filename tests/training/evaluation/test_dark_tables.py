"""Films of tables on which little can be told apart: dark wood without detail, a back as grey as the table."""

from __future__ import annotations

import pytest

pytest.importorskip("PIL", reason="prints are drawn with Pillow")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion.training.evaluation.films import play
from companion.training.evaluation.reels import Reel
from companion.training.films.spec import Film


@pytest.mark.parametrize(
    ("film", "right"),
    [
        # Hands deal over bare dark wood and are gone: they were no part of the table, and the camera was not pushed.
        (Film("aces-king", 8002, actions=2), 1),
        # A stack whose back looks like the wood from afar is taken away.
        (Film("pokard-trick", 8005, actions=10), 4),
    ],
    ids=lambda value: getattr(value, "game", None),
)
def test_what_lies_on_a_table_that_looks_like_it_is_followed(film: Film, right: int) -> None:
    played = play(Reel.painted(film), None)
    assert (played.tally.right, played.tally.visible, played.tally.wrong) == (right, right, 0), played.notes
