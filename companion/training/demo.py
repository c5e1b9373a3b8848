"""Renders the demo recording: four people lay three showdowns on a felt table, as a camera above would see it.

Everything is drawn by the project itself: the cards by `companion.artwork`, felt, hands and sleeves here. The picture
is composed at twice its size from a table plane in millimetres, with shadows, a little perspective, uneven light and
sensor noise. `SHOWDOWNS` is the play that is meant; the shipped test reads the recording with the shipped networks and
compares. Run ``python -m companion.training.demo`` to write ``calibration/demo`` again (needs the extra `train`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion import resources
from companion.artwork import STANDARD, face_svg

SHOWDOWNS: tuple[dict[int, tuple[str, str, str]], ...] = (
    {0: ("QD", "QC", "4S"), 1: ("AH", "10C", "6D"), 2: ("9C", "10D", "JH"), 3: ("2H", "6H", "JH")},
    {0: ("3S", "5S", "KS"), 1: ("8C", "8C", "5H"), 2: ("KD", "QC", "4S"), 3: ("7H", "7D", "2C")},
    {0: ("3S", "3H", "3D"), 1: ("JC", "JD", "10C"), 2: ("AS", "KD", "5C"), 3: ("9S", "9S", "9H")},
)
"""Three cards a seat: a straight wins, then an identical pair of two decks, then two seats share with three equals."""

NAME = "showdown.mp4"
FPS = 12
SIZE = (960, 720)
TABLE_MM = (720.0, 540.0)
SEED = 52

_SCALE = 2
_CORNERS = np.array([[14, 6], [946, 6], [976, 726], [-16, 726]], np.float32)  # of the table in the picture, px
_WIDE, _LONG = STANDARD.width, STANDARD.height
_DENSITY = 5.0  # card artwork, px per mm
_SKIN = ((120, 158, 214), (96, 132, 190), (150, 186, 232), (72, 100, 150))  # BGR, one a seat
_SLEEVE = ((120, 60, 40), (60, 60, 130), (70, 110, 60), (60, 60, 60))
_WAITS = ({1: 0, 2: 22, 3: 44}, {0: 0, 1: 3, 2: 22, 3: 24}, {0: 0, 2: 4, 1: 7, 3: 12})  # frames
_SEATS = {0: (360.0, 462.0, 0.0), 1: (135.0, 270.0, 90.0), 2: (360.0, 80.0, 180.0), 3: (585.0, 270.0, 270.0)}
_TURNS = {0: 0.0, 1: 35.0, 2: 180.0, 3: -35.0}  # of the cards: who sits at the side turns them a little to all

Array = np.ndarray


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table: centre in mm, turn in degrees (0: readable from seat 0)."""

    face: str
    x: float
    y: float
    turn: float


@dataclass(slots=True)
class Sweep:
    """One hand's way: in with `cards` (or empty), and out (with them, when `take`). Frames from `begin`."""

    seat: int
    begin: int
    cards: tuple[Laid, ...]
    take: bool = False
    come: int = 6
    stay: int = 2
    go: int = 6

    @property
    def end(self) -> int:
        return self.begin + self.come + self.stay + self.go

    def away(self, frame: int) -> float:
        """How far out the hand is: 1 beyond the edge, 0 at its place."""
        t = frame - self.begin
        share = 1 - t / self.come if t < self.come else (t - self.come - self.stay) / self.go
        share = min(1.0, max(0.0, share))
        return share * share * (3 - 2 * share)

    def carries(self, frame: int) -> bool:
        """Whether the cards move with the hand in this frame."""
        t = frame - self.begin
        return t >= self.come if self.take else t < self.come + 1


@dataclass(slots=True)
class Script:
    """All sweeps, and what lies on the table between them."""

    sweeps: list[Sweep] = field(default_factory=list)
    frames: int = 0

    def lying(self, frame: int) -> list[Laid]:
        """Cards at rest in this frame."""
        cards: list[Laid] = []
        for sweep in self.sweeps:
            if sweep.take and frame >= sweep.begin + sweep.come:
                cards = [card for card in cards if card not in sweep.cards]
            elif not sweep.take and frame >= sweep.begin + sweep.come + 1:
                cards += sweep.cards
        return cards


def places(seat: int, faces: tuple[str, ...], rng: np.random.Generator) -> tuple[Laid, ...]:
    """Three cards side by side in front of a seat, each a little askew."""
    x, y, _ = _SEATS[seat]
    turn = _TURNS[seat]
    along = np.deg2rad(turn)
    laid = []
    for n, face in enumerate(faces):
        across = (n - 1) * (_WIDE + 14.0) + rng.uniform(-2, 2)
        toward = rng.uniform(-3, 3)
        laid.append(
            Laid(
                face,
                float(x + across * np.cos(along) - toward * np.sin(along)),
                float(y + across * np.sin(along) + toward * np.cos(along)),
                float(turn + rng.uniform(-5, 5)),
            )
        )
    return tuple(laid)


def script(rng: np.random.Generator) -> Script:
    """Who does what when: one after the other, then in pairs, then nearly all at once."""
    play, now = Script(), 14
    for number, hands in enumerate(SHOWDOWNS):
        laid = {seat: places(seat, faces, rng) for seat, faces in hands.items()}
        if number == 0:
            for card, pause in zip(laid[0], (0, 10, 17), strict=True):  # card by card: two cards are no hand yet
                now += pause
                play.sweeps.append(Sweep(0, now, (card,), come=5, stay=1, go=4))
            now += 20
        for seat, wait in _WAITS[number].items():
            play.sweeps.append(Sweep(seat, now + wait, laid[seat]))
        now = max(sweep.end for sweep in play.sweeps) + 22
        for seat, wait in {2: 0, 0: 3, 3: 7, 1: 10}.items():
            play.sweeps.append(Sweep(seat, now + wait, laid[seat], take=True, come=5, stay=1, go=6))
        now = max(sweep.end for sweep in play.sweeps) + 14
    play.frames = now
    return play


@lru_cache(maxsize=64)
def artwork(face: str) -> Array:
    """A face as BGRA picture, `_DENSITY` px per mm, with rounded corners."""
    import resvg_py

    drawn = bytes(resvg_py.svg_to_bytes(svg_string=face_svg(face), width=round(_WIDE * _DENSITY)))
    return cv2.imdecode(np.frombuffer(drawn, np.uint8), cv2.IMREAD_UNCHANGED)


def felt(rng: np.random.Generator) -> Array:
    """The bare table at twice the picture's size: green cloth with its weave, darker towards the edges."""
    width, height = SIZE[0] * _SCALE, SIZE[1] * _SCALE
    cloth = np.empty((height, width, 3), np.float32)
    cloth[:] = (74, 112, 46)
    weave = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1.6) * 9
    clouds = cv2.resize(rng.normal(0, 1, (9, 12)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return cloth + (weave + clouds * 2.5)[:, :, None]


def light(rng: np.random.Generator) -> Array:
    """A warm lamp above the far right: factors for every pixel of the composed picture."""
    width, height = SIZE[0] * _SCALE, SIZE[1] * _SCALE
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((x / width - 0.62) ** 2 + (y / height - 0.35) ** 2) * 0.38
    return np.stack([0.95 - far, 1.0 - far, 1.03 - far], axis=2)


def plane() -> Array:
    """Homography from table mm to px of the composed picture."""
    w, h = TABLE_MM
    table = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return cv2.getPerspectiveTransform(table, _CORNERS * _SCALE)


def over(canvas: Array, colour: Array, alpha: Array) -> None:
    """Lay `colour` over `canvas` in place; `alpha` 0..1, both of the canvas's size."""
    canvas += (colour - canvas) * alpha[:, :, None]


def shadow(canvas: Array, alpha: Array, reach: float, depth: float) -> None:
    """Darken what lies beside a thing `reach` px above the table."""
    move = np.array([[1, 0, reach * 0.6], [0, 1, reach]], np.float32)
    moved = cv2.warpAffine(alpha, move, (alpha.shape[1], alpha.shape[0]))
    soft = cv2.GaussianBlur(moved, (0, 0), max(1.0, reach * 0.6))
    canvas *= 1 - depth * soft[:, :, None]


def draw_card(canvas: Array, card: Laid, matrix: Array, lift: float = 2.0) -> None:
    """A card with its shadow, in place."""
    art = artwork(card.face)
    turn = np.deg2rad(card.turn)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array([[-_WIDE, -_LONG], [_WIDE, -_LONG], [_WIDE, _LONG], [-_WIDE, _LONG]]) / 2
    corners = (half @ spin.T + (card.x, card.y)).astype(np.float32)
    target = cv2.perspectiveTransform(corners[None], matrix)[0].astype(np.float32)
    low = np.floor(target.min(axis=0) - 24).astype(int)
    high = np.ceil(target.max(axis=0) + 24).astype(int)
    left, top = np.maximum(low, 0)
    right, bottom = np.minimum(high, (canvas.shape[1], canvas.shape[0]))
    if left >= right or top >= bottom:
        return
    source = np.array([[0, 0], [art.shape[1], 0], [art.shape[1], art.shape[0]], [0, art.shape[0]]], np.float32)
    warp = cv2.getPerspectiveTransform(source, target - np.array([left, top], np.float32))
    size = (int(right - left), int(bottom - top))
    straight = cv2.warpPerspective(art, warp, size, flags=cv2.INTER_AREA).astype(np.float32)
    alpha = straight[:, :, 3] / 255
    window = canvas[top:bottom, left:right]
    shadow(window, alpha, 3 * lift, 0.45)
    over(window, straight[:, :, :3] * 0.97, alpha)


def draw_hand(canvas: Array, seat: int, x: float, y: float, matrix: Array) -> None:
    """A sleeve, the back of a hand and five fingers that point away from the seat; (x, y) mm is under the fingers."""
    turn = np.deg2rad(_SEATS[seat][2])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    def px(points: list[tuple[float, float]]) -> Array:
        mm = (np.array(points) @ spin.T + (x, y)).astype(np.float32)
        return np.round(cv2.perspectiveTransform(mm[None], matrix)[0] * 4).astype(np.int32)

    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    skin = np.zeros(canvas.shape[:2], np.uint8)
    fingers = [
        ((-30, 62), (-34, 14)),
        ((-13, 58), (-14, -2)),
        ((4, 58), (5, -6)),
        ((20, 60), (24, 2)),
        ((34, 88), (52, 52)),
    ]
    for root, tip in fingers:
        a, b = px([root, tip])
        cv2.line(skin, tuple(map(int, a)), tuple(map(int, b)), 255, int(17 * scale), cv2.LINE_AA, 2)
    palm = px([(-38, 60), (28, 58), (38, 92), (26, 130), (-30, 130), (-40, 96)])
    cv2.fillConvexPoly(skin, palm, 255, cv2.LINE_AA, 2)
    sleeve = np.zeros_like(skin)
    cv2.fillConvexPoly(sleeve, px([(-42, 122), (38, 122), (60, 420), (-64, 420)]), 255, cv2.LINE_AA, 2)
    left, top, wide, high = cv2.boundingRect(np.maximum(skin, sleeve))
    if not wide:
        return
    part = np.s_[max(0, top - 40) : top + high + 40, max(0, left - 40) : left + wide + 40]
    window, skin, sleeve = canvas[part], skin[part], sleeve[part]
    shadow(window, np.maximum(skin, sleeve).astype(np.float32) / 255, 14, 0.5)
    for mask, colour in ((skin, _SKIN[seat]), (sleeve, _SLEEVE[seat])):
        alpha = mask.astype(np.float32) / 255
        round_off = cv2.GaussianBlur(alpha, (0, 0), 9)
        tint = np.array(colour, np.float32) * (0.62 + 0.4 * round_off)[:, :, None]
        over(window, tint, alpha)


def frames(seed: int = SEED) -> Iterator[Array]:
    """Every picture of the recording, (720, 960, 3) BGR."""
    rng = np.random.default_rng(seed)
    play, cloth, lamp, matrix = script(rng), felt(rng), light(rng), plane()
    resting: list[Laid] | None = None
    still = cloth
    for number in range(play.frames):
        lying = play.lying(number)
        if lying != resting:
            resting, still = lying, cloth.copy()
            for card in lying:
                draw_card(still, card, matrix)
        canvas = still
        for sweep in (s for s in play.sweeps if s.begin <= number < s.end):
            canvas = still.copy() if canvas is still else canvas
            _draw_sweep(canvas, sweep, number, matrix)
        picture = cv2.resize(canvas * lamp, SIZE, interpolation=cv2.INTER_AREA)
        picture = cv2.GaussianBlur(picture, (0, 0), 0.5)
        flicker = 1 + 0.004 * np.sin(number * 1.7)
        yield np.clip(picture * flicker + rng.normal(0, 1.6, picture.shape), 0, 255).astype(np.uint8)


def _draw_sweep(canvas: Array, sweep: Sweep, number: int, matrix: Array) -> None:
    turn = np.deg2rad(_SEATS[sweep.seat][2])
    # Seats at the long edges reach their cards sooner than those at the short ones.
    way = 330 * sweep.away(number)
    dx, dy = -np.sin(turn) * way, np.cos(turn) * way
    if sweep.carries(number):
        for card in sweep.cards:
            draw_card(canvas, Laid(card.face, card.x + dx, card.y + dy, card.turn), matrix, lift=4)
    x = float(np.mean([card.x for card in sweep.cards]))
    y = float(np.mean([card.y for card in sweep.cards]))
    draw_hand(canvas, sweep.seat, x + dx - np.sin(turn) * 20, y + dy + np.cos(turn) * 20, matrix)


def write(path: Path, seed: int = SEED) -> int:
    """Write the recording; returns the number of frames. Raises OSError when this OpenCV cannot write MPEG-4."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    if not writer.isOpened():
        raise OSError(f"this OpenCV cannot write {path.name}: its FFmpeg lacks MPEG-4")
    count = 0
    for count, picture in enumerate(frames(seed), 1):  # noqa: B007
        writer.write(picture)
    writer.release()
    return count


def main(argv: list[str]) -> int:
    """Write the recording into ``calibration/demo``, or into the file named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m companion.training demo", description=main.__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=resources.calibration() / "demo" / NAME)
    path = parser.parse_args(argv).file
    count = write(path)
    print(f"{path}: {count} frames, {count / FPS:.1f} s, {path.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
