"""Films whole games of bots: `python -m companion.training films --game G --seed N --out FOLDER`.

Every film is a video (.mp4, MPEG-4) and its truth (.jsonl): a line about the film, a line an action, a line with the
share of every frame that hands cover. `companion eval-films` plays them to the program and counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from companion.cards import keep
from companion.shelf import named
from companion.training.films.film import Filmed
from companion.training.films.spec import DEVELOPMENT, GAMES, REPORTED, Accidents, Film, FilmError


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m companion.training films", description=__doc__)
    parser.add_argument("--game", nargs="+", default=["all"], choices=["all", *GAMES], metavar="G")
    parser.add_argument("--seed", type=int, default=1, help=f"of the first film: {DEVELOPMENT[0]} to {DEVELOPMENT[-1]} "
                        f"for development, {REPORTED[0]} to {REPORTED[-1]} for figures that are reported")  # fmt: skip
    parser.add_argument("--count", type=int, default=1, help="so many films of each game, of one seed after the other")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, default=720, choices=(360, 480, 720, 1080), help="lines of the picture")
    parser.add_argument("--fps", type=float, default=12.0)
    parser.add_argument("--players", type=int)
    parser.add_argument("--deck", default="", help="a deck of one's own, drawn as its file says; see `companion decks`")
    parser.add_argument("--dealt", nargs="*", default=[], metavar="CARD",
                        help="these cards lie uppermost once the deck has been shuffled")  # fmt: skip
    parser.add_argument("--actions", type=int, help="at most so many actions of the game")
    parser.add_argument("--first", type=int, default=0, help="begin after so many actions")
    parser.add_argument("--dealer", action="store_true", help="a dealer's hands are in view all the time, never still")
    add_accidents(parser)
    a = parser.parse_args(argv)
    games = GAMES if "all" in a.game else a.game
    chosen = named(a.deck) if a.deck else None
    played = "" if chosen is None else (keep(chosen) if chosen.design is not None else chosen).name
    for game in games:
        for seed in range(a.seed, a.seed + a.count):
            try:
                film = Film(game, seed, a.players, actions=a.actions, deck=played, dealt=tuple(a.dealt),
                            first=a.first, fps=a.fps,
                            size=(a.size * 16 // 9, a.size), accidents=accidents_of(a), dealer=a.dealer)  # fmt: skip
                began, filmed = time.process_time(), Filmed(film)
                path = filmed.write(a.out)
            except FilmError as error:
                print(error, file=sys.stderr)
                return 2
            each = 1000 * (time.process_time() - began) / filmed.count
            print(f"{path}: {len(filmed.happened)} actions, {filmed.count} frames, {filmed.deck.name}, "
                  f"{path.stat().st_size / 1e6:.1f} MB, {each:.0f} ms a frame", flush=True)  # fmt: skip
    return 0


def add_accidents(parser: argparse.ArgumentParser) -> None:
    """The options for what no rule knows."""
    parser.add_argument("--nudges", type=float, nargs="*", default=[], metavar="PX", help="pushes of the camera, px")
    parser.add_argument("--bumps", type=int, default=0, help="so often the table is bumped")
    parser.add_argument("--lights", type=int, default=0, help="so often the light changes")
    parser.add_argument("--twins", type=float, default=0.0, help="share of cards laid exactly on another")
    parser.add_argument(
        "--excursions", type=float, default=0.0, help="share of pauses in which a card leaves and comes back"
    )


def accidents_of(given: argparse.Namespace) -> Accidents:
    """What these options say."""
    return Accidents(tuple(given.nudges), given.bumps, given.lights, given.twins, given.excursions)
