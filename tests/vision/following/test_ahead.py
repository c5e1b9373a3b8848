"""What lies at rest for a moment only before a hand comes over it again."""

from __future__ import annotations

import pytest

from companion.vision.camera.source import Frame
from companion.vision.images import Pixels

from .cards_in_ink import TWO, names, picture, still, told


@pytest.mark.parametrize(("frames", "seen"), [(2, ["AS"]), (3, ["AS", "KH"]), (4, ["AS", "KH"]), (6, ["AS", "KH"])])
def test_a_card_that_lies_open_for_a_moment_is_read_as_it_lay(frames: int, seen: list[str]) -> None:
    """One hand lays it, the next one is over it three frames later, and stays; a card seen in passing is not taken."""
    watcher, _, _ = told()
    film = still(TWO[:1])
    film += [picture(TWO[:1], (220, 240 - 20 * n), n) for n in range(4)]
    film += [picture(TWO, (220, 180 + 45 * n), n) for n in range(2)]
    film += [picture(TWO, None, n) for n in range(frames)]
    film += [picture(TWO, (220, 165 + (n % 2) * 8), n) for n in range(18)]
    for number, pixels in enumerate(film):
        watcher.feed(Frame(pixels, number / 15, number))
    table = watcher.now()
    assert table is not None and names(table) == seen


@pytest.mark.parametrize(("reads_per_s", "seen"), [(0.6, ["AS", "KH"]), (0.2, ["AS"])])
def test_what_is_about_to_be_covered_waits_for_half_a_pause_between_readings_only(
    reads_per_s: float, seen: list[str]
) -> None:
    watcher, _, reader = told(reads_per_s=reads_per_s)
    film = still(TWO[:1], 6)
    film += [picture(TWO[:1], (220, 240 - 20 * n), n) for n in range(4)]
    film += [picture(TWO, (220, 180 + 45 * n), n) for n in range(2)]
    film += [picture(TWO, None, n) for n in range(6)]
    for number, pixels in enumerate(film):
        watcher.feed(Frame(pixels, number / 15, number))
    assert reader.calls == 1
    for number in range(len(film), len(film) + 6):
        watcher.feed(Frame(picture(TWO, (220, 165 + (number % 2) * 8), number), number / 15, number))
    table = watcher.now()
    assert table is not None and names(table) == seen


@pytest.mark.parametrize(("gap", "seen"), [(0.5, ["AS", "KH"]), (30.0, ["AS"])])
def test_what_was_about_to_be_read_long_ago_is_not_read_any_more(gap: float, seen: list[str]) -> None:
    """The lens was covered meanwhile: a hand is there now, and nobody knows what lies under it."""
    watcher, _, _ = told()
    film = [(number / 15, pixels) for number, pixels in enumerate(still(TWO[:1]))]
    laid = [picture(TWO[:1], (220, 240 - 20 * n), n) for n in range(4)]
    laid += [picture(TWO, (220, 180 + 45 * n), n) for n in range(2)]
    laid += [picture(TWO, None, n) for n in range(3)]
    film += [(film[-1][0] + (number + 1) / 15, pixels) for number, pixels in enumerate(laid)]
    there = [picture(TWO, (220, 165 + (n % 2) * 8), n) for n in range(18)]
    film += [(film[-1][0] + gap + number / 15, pixels) for number, pixels in enumerate(there)]
    for number, (time, pixels) in enumerate(film):
        watcher.feed(Frame(pixels, time, number))
    table = watcher.now()
    assert table is not None and names(table) == seen


def laid_and_left() -> list[Pixels]:
    """A hand lays a second card and leaves."""
    film = still(TWO[:1], 8)
    film += [picture(TWO[:1], (220, 240 - 20 * n), n) for n in range(4)]
    film += [picture(TWO, (220, 180 + 45 * n), n) for n in range(2)]
    return [*film, *(picture(TWO, None, n) for n in range(10))]


def test_a_card_from_which_a_hand_leaves_is_read_once() -> None:
    """At rest it is read; not before, as the hand that was there just now does not come over it."""
    watcher, _, reader = told()
    for number, pixels in enumerate(laid_and_left()):
        watcher.feed(Frame(pixels, number / 15, number))
    table = watcher.now()
    assert table is not None and names(table) == ["AS", "KH"] and reader.calls == 2


def test_what_is_read_already_is_taken_in_though_the_pause_between_readings_is_not_over() -> None:
    watcher, _, reader = told(reads_per_s=0.6)
    watcher._desk.beside = True
    for number, pixels in enumerate(laid_and_left()):
        watcher.feed(Frame(pixels, number / 15, number))
        if (early := watcher._desk._early) is not None:
            early.result.result()
        watcher._desk.wait()
    table = watcher.now()
    watcher.stop()
    assert table is not None and names(table) == ["AS", "KH"] and reader.calls == 2


def test_twice_as_many_pictures_as_said_are_read_at_most_while_cards_come_and_go() -> None:
    watcher, _, reader = told(reads_per_s=1.0)
    watcher._desk.beside = True
    for number in range(90):
        watcher.feed(Frame(picture(TWO if number // 5 % 2 else TWO[:1], None, number), number / 15, number))
        if (early := watcher._desk._early) is not None:
            early.result.result()
        watcher._desk.wait()
    watcher.stop()
    assert 6 <= reader.calls <= 2 * 6 + 1


def test_what_waits_to_be_read_beside_the_edge_does_not_take_the_look_of_a_card_just_laid() -> None:
    """An arm rests over the edge since a second when a hand leaves a card: the next frame shows all of it."""

    def rests(pixels: Pixels) -> Pixels:
        pixels = pixels.copy()
        pixels[200:, 10:40] = (120, 150, 200)
        return pixels

    watcher, _, _ = told()
    film = still(TWO[:1], 8)
    film += [rests(picture(TWO[:1], None, n)) for n in range(4)]
    film += [rests(picture(TWO[:1], (220, 240 - 20 * n), n)) for n in range(4)]
    film += [rests(picture(TWO, (220, 160 + 5 * (n % 2)), n)) for n in range(6)]
    film += [rests(picture(TWO, (220, 180 + 45 * n), n)) for n in range(2)]
    film += [rests(picture(TWO, None, n)) for n in range(5)]
    for number, pixels in enumerate(film):
        watcher.feed(Frame(pixels, number / 15, number))
    table = watcher.now()
    assert table is not None and names(table) == ["AS", "KH"]
