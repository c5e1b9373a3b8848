"""The demo recording, from its pixels to the journal: found, read, tracked, compared and judged like any table.

The script that was drawn is the only thing known of the play; nothing of it is stored beside the recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion import resources
from companion.cards import deck
from companion.games import Action, Setup, Verdict
from companion.journal import Journal
from companion.referee import Acted, Match, Started
from companion.table import Layout, Observer, Question
from companion.training.demo import NAME, SHOWDOWNS
from companion.vision.camera.recorded import VideoSource
from companion.vision.following.watcher import Watcher
from companion.vision.types import SeenTable

DEMO = resources.calibration() / "demo"
PLAYERS = ("Aki", "Ben", "Chie", "Dan")


class Play:
    """The recording played once into a journal: what the server does, without the server."""

    def __init__(self, folder: Path) -> None:
        from companion.vision.pipeline import Reader, TwoPassReader

        self.journal = Journal(f"sqlite:///{folder / 'demo.sqlite3'}")
        self.journal.create("demo", Started("three-card-showdown", Setup(PLAYERS, "52D2")))
        self.observer = Observer(Layout.from_toml((DEMO / "layout.toml").read_text(encoding="utf-8")))
        self.tables: list[SeenTable] = []
        self.questions: list[Question] = []
        self.due: float | None = None
        source = VideoSource(DEMO / NAME, realtime=False)
        self.watcher = Watcher(source, TwoPassReader(Reader()), deck=deck("52D2"), on_table=self.note)
        while (frame := source.read()) is not None:
            self.watcher.feed(frame)
        source.close()
        while self.due is not None:
            self.note(replace(self.tables[-1], time=self.due))

    def note(self, seen: SeenTable) -> None:
        found = self.observer.look(self.match, seen)
        self.due = found.due
        if seen.settled:
            self.tables.append(seen)
            self.questions += found.questions
        for proposal in found.proposals:
            picture = self.watcher.evidence({card.track for card in proposal.cards})
            key = self.journal.put_evidence(picture, "image/jpeg") if picture else None
            self.journal.append("demo", Acted(proposal.action, "camera", key))

    @property
    def match(self) -> Match:
        return self.journal.match("demo")


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    weights = ("detector/detector.onnx", "reader/reader.onnx")
    if not all((resources.models() / name).is_file() for name in weights):
        pytest.skip("the weights are not in models/: run the recipe first")
    played = Play(tmp_path_factory.mktemp("demo"))
    yield played
    played.journal.close()


def meant() -> list[list[tuple[str, int | None, Counter[str]]]]:
    """What was drawn: a block a showdown, the lays of a block in any order."""
    return [
        [*(("lay", seat, Counter(cards)) for seat, cards in sorted(hands.items())), ("next", None, Counter())]
        for hands in SHOWDOWNS
    ]


def content(action: Action) -> tuple[str, int | None, Counter[str]]:
    return action.kind, action.seat, Counter(action.cards)


def test_the_journal_holds_exactly_what_was_played(play: Play) -> None:
    actions = [content(action) for action in play.match.actions]
    blocks = [actions[at : at + 5] for at in range(0, len(actions), 5)]
    ordered = [sorted(block[:-1], key=lambda a: str(a[1])) + block[-1:] for block in blocks]
    assert ordered == meant()


def test_every_ruling_is_legal_also_that_of_the_identical_pair(play: Play) -> None:
    acted = [entry for entry in play.match.entries if entry.ruling is not None]
    assert {entry.ruling.verdict for entry in acted if entry.ruling} == {Verdict.LEGAL}
    assert any(max(Counter(entry.action.cards).values()) == 2 for entry in acted if entry.action and entry.action.cards)


def test_a_straight_a_pair_of_equals_and_two_who_share_win(play: Play) -> None:
    assert [(line.seat, line.points) for line in play.match.scores()] == [(2, 1), (1, 1), (0, 1), (3, 1)]


def test_nobody_had_to_be_asked(play: Play) -> None:
    assert play.questions == []


def test_taps_give_the_same_match(play: Play) -> None:
    tapped = Match.of([play.match.events[0], *(Acted(action, "tap") for action in play.match.actions)])
    assert tapped.state == play.match.state and tapped.scores() == play.match.scores()
    assert [entry.ruling for entry in tapped.entries] == [entry.ruling for entry in play.match.entries]


def test_every_hand_keeps_its_picture(play: Play) -> None:
    lays = [e.event for e in play.match.entries if isinstance(e.event, Acted) and e.event.action.kind == "lay"]
    assert len(lays) == 12
    for event in lays:
        assert event.evidence is not None
        body, mime = play.journal.evidence(event.evidence)
        assert mime == "image/jpeg" and body[:2] == b"\xff\xd8"


def test_the_table_is_seen_empty_between_the_showdowns(play: Play) -> None:
    counts = [len(table.cards) for table in play.tables]
    assert max(counts) == 12
    assert [n for at, n in enumerate(counts) if at == 0 or n == 0 or counts[at - 1] == 0].count(0) >= 4
