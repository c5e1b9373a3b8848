"""What people get with a question of the camera: its picture, and the answers that are offered."""

from dataclasses import replace
from threading import Lock
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.cards import deck
from companion.games import Action, Msg, Setup, Zone, places
from companion.server.camera.asking import Answer, likely, question_id, replies
from companion.server.camera.pictured import pictured
from companion.server.camera.table import Watch
from companion.table import Observation, Question
from companion.table.solve import typical
from companion.vision.types import Candidate, SeenCard, SeenTable, Side, Unit

LAYOUT = typical(places("three-card-showdown", Setup(("Anna", "Ben"))), 2).layout
WIDE, HIGH = 800, 600
INKS = ((200, 40, 40), (40, 40, 200), (200, 200, 40))


def card(track, face, x, y, **more):
    """A card of 0.08 × 0.15 of the table, its corner at x, y."""
    outline = ((x, y), (x + 0.08, y), (x + 0.08, y + 0.15), (x, y + 0.15))
    return SeenCard(track, face, 0.9, Side.UP, outline, crop=f"crop{track}", **more)


def seen(*cards):
    return SeenTable(10.0, True, Unit.FRACTION, cards)


class Sees:
    """What a watcher knows of a picture in which every card has an ink of its own."""

    calibration = None

    def __init__(self, cards):
        self.pixels = np.full((HIGH, WIDE, 3), (70, 120, 60), np.uint8)
        for ink, one in zip(INKS, cards, strict=False):
            corners = np.array([(x * WIDE, y * HIGH) for x, y in one.polygon], np.int32)
            cv2.fillConvexPoly(self.pixels, corners, ink)
        self.frame = SimpleNamespace(pixels=self.pixels)

    def card(self, track):
        return None

    def crop(self, name):
        return name.encode()


def has(picture, ink):
    """How much of a picture has nearly this colour, px."""
    return int((np.abs(picture.astype(int) - ink).max(axis=2) < 45).sum())


def shown(question, table):
    body, part = pictured(question, table, LAYOUT, Sees(table.cards))
    assert part
    return cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)


def asks(kind="unexplained", zone="hand:0", **more):
    return Question("key", kind, zone, (None,), Msg.of("question.card", zone=zone), **more)


def test_one_card_is_shown_by_its_own_picture():
    table = seen(card(1, "9S", 0.3, 0.75))
    assert pictured(asks("card", track=1, crop="crop1"), table, LAYOUT, Sees(table.cards)) == (b"crop1", False)
    assert pictured(asks(evidence=("crop1",)), table, LAYOUT, Sees(table.cards)) == (b"crop1", False)


def test_several_cards_are_shown_together_with_their_numbers():
    cards = card(1, "9S", 0.3, 0.75), card(2, "8S", 0.42, 0.75), card(3, "7S", 0.8, 0.1)
    both = shown(asks(evidence=("crop1", "crop2")), seen(*cards))
    assert has(both, INKS[0]) > 2000
    assert has(both, INKS[1]) > 2000
    assert has(both, INKS[2]) == 0  # it is not asked about
    assert has(both, (60, 220, 255)) > 500
    all_three = shown(asks(evidence=("crop1", "crop2", "crop3")), seen(*cards))
    assert all(has(all_three, ink) > 1000 for ink in INKS)


def test_the_answers_about_one_of_several_cards_say_its_number_in_the_picture():
    cards = card(1, "9S", 0.3, 0.75), card(2, None, 0.42, 0.75), card(3, None, 0.54, 0.75)
    question = asks(evidence=("crop1", "crop2", "crop3"), odd=cards)
    assert [reply.number for reply in replies(question, deck("52D1"))] == [1, 2, 3]
    assert [reply.number for reply in replies(asks(evidence=("crop1",), odd=cards[:1]), deck("52D1"))] == [None]


def test_where_a_card_is_not_seen_its_place_is_shown_and_what_is_seen_there():
    cards = card(1, "9S", 0.3, 0.75), card(2, "8S", 0.42, 0.75)
    lacks = asks("card", track=-1, evidence=("crop1", "crop2"))
    picture = shown(lacks, seen(*cards))
    assert has(picture, INKS[0]) > 1000
    assert has(picture, INKS[1]) > 1000
    place = next(zone.polygon for zone in LAYOUT.zones if zone.id == "hand:0")
    form = np.ptp([x for x, _ in place]) * WIDE / (np.ptp([y for _, y in place]) * HIGH)
    assert picture.shape[1] / picture.shape[0] == pytest.approx(form, rel=0.25)
    assert shown(replace(lacks, evidence=()), seen()).shape[0] > 50  # none of its cards is seen
    assert (
        has(shown(replace(lacks, crop="crop1", evidence=("crop1",)), seen(*cards)), INKS[1]) > 1000
    )  # not that one alone
    assert pictured(asks("did", zone=""), seen(), LAYOUT, Sees(())) is None


def test_what_the_card_may_be_is_in_the_deck_and_what_surely_lies_elsewhere_comes_last():
    may_be = tuple(Candidate(face, p) for face, p in (("JK1", 0.4), ("KS", 0.3), ("4H", 0.2), ("2D", 0.1)))
    question = asks("card", track=7, crop="crop7", candidates=may_be)
    table = seen(card(7, None, 0.3, 0.75, candidates=may_be), card(8, "KS", 0.3, 0.1))

    def offered(name, zones=()):
        asked = likely(question, deck(name), zones, table, LAYOUT)
        return [reply.face for reply in replies(asked, deck(name))]

    assert offered("52D1") == ["4H", "2D", "KS"]
    assert offered("52D2") == ["KS", "4H", "2D"]  # there is another one
    assert offered("52D1", [Zone("discard", ("4H",), pile=True)]) == ["2D", "KS", "4H"]
    assert offered("52D1", [Zone("hand:1", ("KS",))]) == ["4H", "2D", "KS"]  # the one that is seen there
    assert offered("52D2", [Zone("hand:1", ("KS",))]) == ["KS", "4H", "2D"]


def test_an_enrolled_deck_offers_its_own_cards_however_many_others_were_likelier():
    others = tuple(Candidate(face, 0.1) for face in ("1m", "2m", "3m", "4m", "5m", "6m", "7m"))
    question = asks("card", track=7, candidates=(*others, Candidate("AS", 0.01)))
    assert [reply.face for reply in replies(question, deck("52D1"))] == ["AS"]


def test_a_tapped_answer_means_what_stood_on_it(monkeypatch):
    """The camera may think again between the drawing of a question and the tap."""
    named = []
    watch = object.__new__(Watch)
    watch._lock, watch._deck, watch._pictures = Lock(), deck("52D1"), {}
    watch._wake, watch._changed = SimpleNamespace(set=lambda: None), lambda: None
    watch._observer = SimpleNamespace(dismiss=lambda key: None)
    monkeypatch.setattr(watch, "_name", lambda track, face: named.append(face), raising=False)
    first = asks("card", track=7, candidates=(Candidate("KS", 0.3), Candidate("4H", 0.2)))
    (king, four) = (reply.id for reply in replies(first, watch._deck))
    watch._questions, watch._shown = (replace(first, candidates=first.candidates[::-1]),), Observation()
    assert not watch.answer(question_id(first), Answer(choice="0" * 16))
    assert watch.answer(question_id(first), Answer(choice=king))
    assert named == ["KS"]
    assert king != four
    assert replies(asks("did", zone="", choices=(Action("pass", 0),)), watch._deck)[0].id not in (king, four)
