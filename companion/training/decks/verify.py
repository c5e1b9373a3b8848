"""Trains the two networks that say whether a card shows a picture, and a window a mark (`vision.decks.verifying`).

Invented decks are enrolled as anybody's are, cards of theirs and of other decks are looked at as the gallery does, and
what it lays beside each other is what the networks learn from: which of a card's likeliest pictures is its own, if any,
and which mark it has, if any of this deck (cross entropy, so that what they say is how sure they are).
`python -m companion.training verify --cache FOLDER --out models/decks`; an hour on one core, most of it for the decks.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np

from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, STYLES, Invented, toml_of
from companion.training.networks import eights
from companion.vision.decks.alignment import TURNED, warped
from companion.vision.decks.crops import SAMPLE, half_turned, levelled, reduced
from companion.vision.decks.gallery import Gallery
from companion.vision.decks.network import Network
from companion.vision.decks.verifying import Verifier, triples

FIRST = 500_000
PHOTOGRAPH = views.Conditions((190, 260), 0.35, 0.006, 0.0, 0.25)
TABLE = views.Conditions((72, 150), 0.4, 0.008, 0.7, 0.4, (0.25, 0.85), 0.6, 0.1)
FOREIGN = 0.2
RATE = 2e-3
HOLD = 4
OFTEN = (0.15, 0.3, 0.15, 0.4)
"""How often a deck has each of the styles: small and like marks are harder to learn."""


def lesson(seed: int, network: Network, cards: int = 100) -> dict[str, np.ndarray] | None:
    """What a gallery of the deck of that seed lays beside each other, of so many cards; None where its marks have no
    place of their own.

    `looks` (pictures, …), `windows` (windows, marks, …); of each card `shown` (3, …) and where it is `seen`, `which`
    pictures they were laid onto, `picture` (its place among them, 3: none), `patches` (windows, marks, …), the windows
    that are `heard`, `mark` (the number of marks: none).
    """
    from companion.cards import deck_from_toml
    from companion.vision.decks.enrolled import EnrolledDeck, Sample

    rng = np.random.default_rng([seed, 70])
    style = str(rng.choice(STYLES, p=OFTEN))
    deck, others = Invented(seed, style, 9, int(rng.integers(4, 6))), [Invented(seed + 50_000 + k) for k in range(2)]
    faces = {code: deck.face(code) for code in deck.codes}
    strange = [other.face(str(code)) for other in others for code in rng.choice(other.codes, 3)]
    strange += [deck.back, *(other.back for other in others)]
    text = toml_of(deck)
    times = 1 if rng.random() < 0.7 else 3
    samples = [
        Sample(code, views.view(rng, faces[code], PHOTOGRAPH, None, SAMPLE))
        for code in deck.codes
        for _ in range(times)
    ]
    gallery = Gallery(EnrolledDeck(deck_from_toml(text, "invented"), text, tuple(samples)), network, _Unsure())
    if gallery.windows is None:
        return None
    rows: dict[str, list] = {key: [] for key in ("shown", "seen", "which", "picture", "patches", "heard", "mark")}
    names = list(faces)
    for _ in range(cards):
        code = None if rng.random() < FOREIGN else names[int(rng.integers(len(names)))]
        face = strange[int(rng.integers(len(strange)))] if code is None else faces[code]
        cover = faces[names[int(rng.integers(len(names)))]] if rng.random() < 0.7 else strange[0]
        shown, seen = views.view_and_seen(rng, face, TABLE, cover, SAMPLE)
        crop, turned = shown[None], bool(rng.random() < 0.5)
        if turned:
            crop, seen = half_turned(crop), None if seen is None else np.ascontiguousarray(seen[::-1, ::-1])
        fine = levelled(crop)
        plain = reduced(fine)[0]
        laid = gallery.laid(plain, network.maps(reduced(crop))[0], seen)
        picture = mark = -1
        if code is not None:
            at = gallery.faces.index(code)
            picture, mark = int(gallery.picture_of[at]), int(gallery.mark_of[at])
        number = laid.pictures.index(picture) if picture in laid.pictures else 0
        move = gallery.exactly(plain, laid, number, seen)
        if code is not None and laid.ways[number] != turned:  # a picture that is the same either way up
            move = move @ TURNED
        heard = np.ones(len(gallery.windows.boxes), bool) if seen is None else gallery.windows.heard(warped(seen, move))
        rows["shown"].append(laid.shown)
        rows["seen"].append(np.ones(laid.shown.shape[:3], np.uint8) if laid.seen is None else laid.seen)
        rows["heard"].append(heard if heard.any() else ~heard)
        rows["which"].append(laid.pictures)
        rows["picture"].append(number if picture in laid.pictures else len(laid.pictures))
        rows["patches"].append(gallery.windows.shown(fine[0], move))
        rows["mark"].append(mark if code is not None else len(gallery.marks))
    out = {key: np.array(value) for key, value in rows.items()}
    return out | {"looks": gallery.looks.small, "windows": gallery.windows.looks}


class _Unsure(Verifier):
    """What galleries have while the networks are still to be trained: it tells nothing from anything."""

    def __init__(self) -> None:
        """Without weights."""

    def pictures(self, shown, looks, mean, seen=None):
        """Even odds."""
        return np.zeros(len(looks), np.float32)

    def marks(self, shown, looks):
        """Even odds."""
        return np.zeros(looks.shape[1], np.float32)


def _network(widths: tuple[int, ...] = (24, 32, 48, 48)):
    import torch
    from torch import nn

    class Same(nn.Module):
        """(n, 9, height, width) → log odds (n,)."""

        def __init__(self) -> None:
            super().__init__()
            layers, before = [], 15
            for number, width in enumerate(widths):
                step = 2 if number < 3 else 1
                layers += [nn.Conv2d(before, width, 3, step, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
                before = width
            self.body = nn.Sequential(*layers)
            self.head = nn.Sequential(nn.Linear(2 * before, 32), nn.ReLU(), nn.Linear(32, 1))
            self.crowd = nn.Parameter(torch.tensor(0.4))

        def forward(self, x):
            shown, look, mean = x[:, :3], x[:, 3:6], x[:, 6:]
            seen = self.body(torch.cat([x, shown - look, look - mean], 1) - 0.5)
            pooled = torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)
            return self.head(pooled)[:, 0]

    return Same()


def _augmented(rng: np.random.Generator, shown: np.ndarray) -> np.ndarray:
    """The same images (n, …, height, width, 3), each card's under another light."""
    size = (len(shown), *[1] * (shown.ndim - 2), 3)
    return np.clip(shown * np.exp(rng.normal(0, 0.05, size)) + rng.normal(0, 5, size), 0, 255).astype(np.uint8)


def _pictures(held: dict, rows: np.ndarray, change):
    """What the network for pictures sees of these cards; which of it counts, of those beside each other; the right
    ones."""
    shown, looks = change(held["shown"][rows]), held["looks"]
    beside = looks[held["which"][rows]].reshape(-1, *looks.shape[1:])
    where = held["seen"][rows].reshape(-1, *held["seen"].shape[2:])
    seen = triples(shown.reshape(-1, *shown.shape[2:]), beside, looks.mean(axis=0).astype(np.uint8)[None], where)
    return seen, np.ones((len(rows), 1, shown.shape[1]), np.float32), held["picture"][rows]


def _marks(held: dict, rows: np.ndarray, change):
    """The same for marks."""
    patches, windows = change(held["patches"][rows]), held["windows"]
    marks = windows.shape[1]
    shown = patches.reshape(-1, *patches.shape[3:])
    looks = np.broadcast_to(windows, (len(rows), *windows.shape)).reshape(-1, *windows.shape[2:])
    mean = np.broadcast_to(windows.mean(axis=1, keepdims=True).astype(np.uint8), (len(rows), *windows.shape))
    heard = np.repeat(held["heard"][rows][:, :, None], marks, axis=2).astype(np.float32)
    return triples(shown, looks, mean.reshape(-1, *windows.shape[2:])), heard, held["mark"][rows]


KINDS = {"same_picture": (_pictures, (72, 56)), "same_mark": (_marks, (32, 32))}


def train(kind: str, cache: Path, out: Path, steps: int, progress=print) -> None:
    """Train one of the networks on the lessons in `cache`, of which the last `HOLD` decks only say how good it is, and
    write it into `out`."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(1)
    lessons = [dict(np.load(file)) for file in sorted(cache.glob("*.npz"))]
    net, (see, size) = _network(), KINDS[kind]
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-3)
    rng = np.random.default_rng(2)

    def loss_of(held: dict, rows: np.ndarray, change):
        seen, counts, true = see(held, rows, change)
        counts = torch.from_numpy(counts)
        said = (net(torch.from_numpy(seen)).reshape(counts.shape) * counts).sum(1) / counts.sum(1) ** net.crowd
        said = torch.cat([said, torch.zeros(len(said), 1)], 1)
        right = torch.from_numpy(true)
        return functional.cross_entropy(said, right), float((said.argmax(1) == right).float().mean())

    sums = 0.0
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / 30) * (0.51 + 0.49 * np.cos(np.pi * step / steps))
        held = lessons[int(rng.integers(len(lessons) - HOLD))]
        loss, _ = loss_of(held, rng.choice(len(held["mark"]), 16, replace=False), lambda shown: _augmented(rng, shown))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        sums += float(loss.detach())
        if step % 100 == 0 or step == steps:
            net.eval()
            with torch.no_grad():
                each = [loss_of(one, np.arange(40), lambda shown: shown) for one in lessons[len(lessons) - HOLD :]]
            net.train()
            tried = np.mean([[float(one), right] for one, right in each], axis=0).round(3)
            progress(
                kind, step, round(time.process_time()), round(sums / 100, 3), "held", *tried, float(net.crowd.detach())
            )
            sums = 0.0
            _export(out, kind, net, size)


def _export(out: Path, kind: str, net, size: tuple[int, int]) -> None:
    import torch

    out.mkdir(parents=True, exist_ok=True)
    net.eval()
    torch.save(net.state_dict(), out / f"{kind}.pt")
    torch.onnx.export(
        net, (torch.zeros(2, 9, *size),), str(out / f"{kind}.onnx"), dynamo=False, opset_version=17,
        input_names=["triples"], output_names=["odds"], dynamic_axes={"triples": {0: "n"}, "odds": {0: "n"}},
    )  # fmt: skip
    eights.compared(out / f"{kind}.onnx")
    net.train()
    if kind == "same_mark":
        (out / "same.json").write_text(json.dumps({"crowd": round(float(net.crowd.detach()), 4)}) + "\n", "utf-8")


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="companion.training verify", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where lessons are kept")
    parser.add_argument("--out", type=Path, help="the folder to write the networks into; without it lessons alone")
    parser.add_argument("--decks", type=int, default=120)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--steps", type=int, default=3000, help="of training, sixteen cards each")
    given = parser.parse_args(argv)
    assert given.first + given.decks + 50_010 < HELDOUT
    cv2.setNumThreads(1)
    given.cache.mkdir(parents=True, exist_ok=True)
    network = Network(threads=1)
    for seed in range(given.first, given.first + given.decks):
        file = given.cache / f"{seed}.npz"
        if not file.exists() and (made := lesson(seed, network)) is not None:
            np.savez(file, **made)
            print(seed, flush=True)
    for kind in KINDS if given.out is not None else ():
        train(kind, given.cache, given.out, given.steps, progress=lambda *said: print(*said, flush=True))
    return 0
