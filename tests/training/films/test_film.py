"""Frames of small films against their truth: cards are where it says, a seed says everything, files hold all of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="prints are drawn with Pillow")
pytest.importorskip("resvg_py", reason="the artwork is drawn with resvg")

from companion.cards import deck
from companion.table import Layout
from companion.training.films import commands
from companion.training.films.director import direct
from companion.training.films.film import Filmed
from companion.training.films.spec import Accidents, Film, Ranges
from companion.training.films.tabletop import Pose
from companion.vision.camera.calibration import Calibration
from companion.vision.camera.recorded import VideoSource
from companion.vision.types import Unit

SMALL = {"size": (640, 360), "artwork": True, "clutter": False, "resting_hand": False, "haste": 0.0}
CALM = Ranges(tilt=(5.0, 25.0), noise=(0.8, 1.5), quality=(88, 95), lamp=(0.8, 0.95), think=(0.8, 1.0))


def alike(pixels: np.ndarray, quad: list, picture: np.ndarray) -> float:
    """Correlation (-1..1) of what lies inside an outline with a card's picture, in grey, 24 px wide."""
    size = (24, 34)
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    seen = cv2.warpPerspective(pixels, cv2.getPerspectiveTransform(np.float32(quad), target), size)
    wanted = cv2.resize(picture[..., :3], size, interpolation=cv2.INTER_AREA)
    a, b = (cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(float) for p in (seen, wanted))
    return float(np.corrcoef(a[2:-2, 2:-2].ravel(), b[2:-2, 2:-2].ravel())[0, 1])


@pytest.mark.parametrize(("game", "seed"), [("three-card-showdown", 3), ("trading-poker", 1), ("hexa-card", 2)])
def test_cards_are_seen_where_the_truth_says(game: str, seed: int) -> None:
    """At rest before each next hand, every card in full view looks like its face, and better like it than like most."""
    filmed = Filmed(Film(game, seed, actions=7, ranges=CALM, **SMALL))
    faces = list(filmed.deck.faces.values())
    compared = 0
    for number, one in enumerate(filmed.happened):
        following = [gesture.start for gesture in filmed.script.gestures if gesture.start > one.time]
        last = max((gesture.end for gesture in filmed.script.gestures if gesture.start <= one.time), default=0)
        moment = min([*following, filmed.script.length]) - 0.02
        if moment < last:
            continue
        (frame,) = filmed.frames([moment])
        for card in filmed.line(number)["cards"]:
            if card["face"] is None or card["visible"] < 0.99:
                continue
            own = alike(frame.pixels, card["quad"], filmed.deck.faces[card["face"]])
            better = sum(alike(frame.pixels, card["quad"], face) > own for face in faces[::5])
            assert own > 0.45 and better <= 2, (game, number, card, own, better)
            compared += 1
    assert compared > 6


def test_a_seed_is_a_film() -> None:
    films = [Filmed(Film("aces-king", seed, actions=2, **SMALL)) for seed in (8, 8, 9)]
    first, same, other = ([frame.pixels for frame in islice(one.frames(), 12)] for one in films)
    assert all(np.array_equal(a, b) for a, b in zip(first, same, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_hands_are_seen_while_somebody_acts_and_only_then() -> None:
    filmed = Filmed(Film("aces-king", 3, actions=3, ranges=CALM, **SMALL))
    busy, still = [], []
    for frame in filmed.frames():
        acting = any(one.there - 0.05 <= frame.time <= one.release for one in filmed.script.gestures)
        idle = not any(one.start <= frame.time < one.end for one in filmed.script.gestures)
        (busy if acting else still if idle else []).append(frame.hands)
    assert busy and min(busy) > 0.01
    assert still and max(still) == 0


def test_a_push_moves_the_picture_as_its_calibration_says() -> None:
    """What lies at a place of the table is seen elsewhere afterwards: where the later calibration puts it."""
    film = Film("aces-king", 3, actions=4, ranges=CALM, accidents=Accidents(nudges=(60.0,)), **SMALL)
    filmed = Filmed(film)
    push = filmed.camera.pushes[0]
    before, after = (frame.pixels for frame in filmed.frames([push.time - 0.1, push.time + 1.2]))
    stock = next(card for card in filmed.lying(push.time) if card.zone == "stock")
    corners = [tuple(map(float, c)) for c in stock.pose.corners(filmed.deck.size)]
    places = [filmed.camera.calibration(t).to_picture(corners) for t in (push.time - 0.1, push.time + 1.0)]
    assert np.hypot(*np.subtract(places[0][0], places[1][0])) > 40
    back = filmed.deck.picture(None, stock.number)
    assert alike(before, places[0], back) > 0.5 and alike(after, places[1], back) > 0.5
    assert alike(after, places[0], back) < 0.4


def test_a_card_that_leaves_out_of_the_picture_takes_no_other_with_it() -> None:
    filmed = Filmed(Film("aces-king", 3, actions=4, ranges=CALM, **SMALL))
    painter, cards = filmed._painter(), filmed.lying(0.0)
    painter.show(cards)
    before = painter.still
    for x, y in ((-3000.0, 100.0), (100.0, -3000.0), (3000.0, 3000.0)):
        painter.show([*cards, replace(cards[0], number=99, pose=Pose(x, y, 0.0))])
        painter.show(cards)
        assert np.array_equal(painter.still, before)


def test_the_light_changes_as_often_as_asked() -> None:
    """After a change the picture is brighter or darker for good, as if a lamp had been switched; before it is not."""
    for count in (0, 1):
        film = Film("aces-king", 3, actions=4, ranges=CALM, accidents=Accidents(lights=count), **SMALL)
        filmed = Filmed(film)
        busy = [(one.start, one.end) for one in filmed.script.gestures]
        idle = [t / 5 for t in range(int(filmed.script.length * 5)) if not any(a <= t / 5 <= b for a, b in busy)]
        change = 0.7 * filmed.script.length
        early, late = [t for t in idle if t < change], [t for t in idle if t > change + 0.5]
        levels = [float(np.median(frame.pixels)) for frame in filmed.frames([early[0], early[-1], late[0]])]
        assert abs(levels[0] - levels[1]) < 0.03 * levels[0]
        assert (abs(levels[2] - levels[0]) > 0.06 * levels[0]) == bool(count)


def test_dealt_cards_slide_over_the_table_and_are_gone() -> None:
    seed = next(n for n in range(20) if direct(Film("pokard-trick", n, actions=1)).flights)
    filmed = Filmed(Film("pokard-trick", seed, actions=1, ranges=CALM, holders=False, **SMALL))
    flights = filmed.script.flights
    assert len(flights) == 4 * 4
    assert all(one.end <= filmed.happened[0].start + 0.2 for one in flights)
    middle = flights[5]
    now, before = (next(iter(filmed.frames([t]))).pixels for t in (middle.start + 0.2, 0.2))
    x, y = filmed.camera.calibration(0).to_picture([tuple(np.mean([middle.source, middle.target], axis=0))])[0]
    patch = np.s_[int(y) - 12 : int(y) + 12, int(x) - 12 : int(x) + 12]
    assert np.abs(now[patch].astype(float) - before[patch]).mean() > 8


def test_a_written_film_holds_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    given = ["--game", "three-card-showdown", "--seed", "7", "--actions", "2", "--size", "360", "--out", str(tmp_path)]
    assert commands.main(given) == 0
    assert "2 actions" in capsys.readouterr().out
    lines = [json.loads(line) for line in (tmp_path / "three-card-showdown-7.jsonl").read_text("utf-8").splitlines()]
    header, actions, shares = lines[0], lines[1:-1], lines[-1]["hands"]
    assert header["split"] == "development" and len(actions) == 2
    assert all(line["event"]["action"]["kind"] == "lay" and line["trace"] == "cards" for line in actions)
    layout = Layout.from_toml(header["layout"])
    calibration = Calibration(Unit.MM, layout.size, tuple(header["calibrations"][0]["matrix"]), (640, 360))
    for line in actions:
        for card in line["cards"]:
            centre = calibration.to_table([tuple(np.mean(card["quad"], axis=0))])[0]
            assert layout.zone_of(centre) == card["zone"]
            assert card["face"] in deck("52D2").codes
    source = VideoSource(tmp_path / "three-card-showdown-7.mp4", realtime=False)
    count = 0
    while (frame := source.read()) is not None:
        count += 1
        assert frame.pixels.shape == (360, 640, 3)
    source.close()
    assert count == header["frames"] == len(shares)


def test_a_film_that_cannot_be_made_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert commands.main(["--game", "hexa-card", "--players", "40", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip().endswith("players.")


def test_a_card_that_was_turned_over_is_as_sharp_as_any() -> None:
    """Seen edge-on first, half turned: it lies there afterwards as if it had been laid face up."""
    filmed = Filmed(Film("trading-poker", 1, actions=2, ranges=CALM, **SMALL))
    face, pose = deck("trading").codes[5], Pose(200.0, 200.0, 0.0)
    turned, laid = filmed._painter(), filmed._painter()
    turned.card(face, 5, pose, lift=12.0, narrow=0.05)
    seen, wanted = (one.card(face, 5, pose).colours.astype(float) for one in (turned, laid))
    assert np.abs(seen - wanted).mean() < 3
