"""Trains the network for custom decks on decks invented as it goes: small enrolments, and cards to be told apart.

A step takes a few decks. Of each some pictures × some marks are enrolled by one view a card, sometimes three; then
views of these cards, of cards that were not enrolled and of other decks are to be named, or to be none of them.
"""

from __future__ import annotations

import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from companion.training.decks import views
from companion.training.decks.invented import HELDOUT, Invented
from companion.training.decks.net import Agreement, Embedder
from companion.vision.decks.crops import levelled
from companion.vision.reading.runtime import as_tensor

POOL = 24
DECKS, PICTURES, MARKS, QUERIES, OTHERS = 2, 4, 4, 20, 6


class Faces:
    """Decks in turn; each has its faces drawn once."""

    def __init__(self, rng: np.random.Generator, first: int) -> None:
        self._rng, self._next = rng, first
        self._decks: list[tuple[Invented, dict[str, np.ndarray]]] = []
        self._views: dict[tuple[int, str, int], list[np.ndarray]] = {}

    def deck(self) -> tuple[Invented, dict[str, np.ndarray]]:
        """Some deck and its faces so far; now and then a new one takes the place of the oldest."""
        if len(self._decks) < POOL or self._rng.random() < 0.1:
            assert self._next < HELDOUT
            self._decks.append((Invented(self._next, pictures=int(self._rng.integers(5, 9)), marks=5), {}))
            self._next += 1
            for gone, _ in self._decks[:-POOL]:
                self._views = {key: held for key, held in self._views.items() if key[0] != gone.seed}
            self._decks = self._decks[-POOL:]
        return self._decks[int(self._rng.integers(len(self._decks)))]

    def view(
        self, deck: tuple[Invented, dict[str, np.ndarray]], code: str, how: views.Conditions, cover: str = ""
    ) -> np.ndarray:
        """A view of a face, at times under another; more often than not one that was made before, as they cost time."""
        held = self._views.setdefault((deck[0].seed, code, id(how)), [])
        if not held or self._rng.random() < 0.6 / len(held):
            laid = self.face(deck, cover) if cover else None
            held.append(views.view(self._rng, self.face(deck, code), how, laid))
            del held[:-8]
            return held[-1]
        return held[int(self._rng.integers(len(held)))]

    @staticmethod
    def face(deck: tuple[Invented, dict[str, np.ndarray]], code: str) -> np.ndarray:
        """A face of a deck, drawn when first asked for."""
        if code not in deck[1]:
            deck[1][code] = deck[0].back if code == "back" else deck[0].face(code)
        return deck[1][code]


def episode(rng: np.random.Generator, faces: Faces) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """Crops of samples, how many there are of each face, crops of queries, and the number of each query's face
    (0: none)."""
    deck, other = faces.deck(), faces.deck()
    made = deck[0]
    pictures = rng.permutation(made.pictures)[:PICTURES]
    marks = rng.permutation(made.marks)[:MARKS]
    codes = [f"p{p}.m{m}" for p in pictures for m in marks]
    times = 3 if rng.random() < 0.2 else 1
    samples = [faces.view(deck, code, views.SAMPLE) for code in codes for _ in range(times)]
    queries, truth = [], []
    for _ in range(QUERIES):
        k = int(rng.integers(len(codes)))
        queries.append(faces.view(deck, codes[k], views.QUERY, codes[int(rng.integers(len(codes)))]))
        truth.append(k + 1)
    for n in range(OTHERS):
        if n % 3 == 0:  # a picture, or a mark, of the same hand that was not enrolled
            p = (
                pictures[int(rng.integers(PICTURES))]
                if rng.random() < 0.3
                else (set(range(made.pictures)) - set(pictures)).pop()
            )
            m = (set(range(made.marks)) - set(marks)).pop()
            queries.append(faces.view(deck, f"p{p}.m{m}", views.QUERY, codes[0]))
        elif n % 3 == 1 or other is deck:
            queries.append(faces.view(deck if other is deck or rng.random() < 0.2 else other, "back", views.QUERY))
        else:
            codes_there = other[0].codes
            code = codes_there[int(rng.integers(len(codes_there)))]
            queries.append(faces.view(other, code, views.QUERY, codes_there[0]))
        truth.append(0)
    return np.stack(samples), times, np.stack(queries), np.array(truth)


def train(out: Path, minutes: float, seed: int = 1, start: Path | None = None, rate: float = 3e-3) -> None:
    """Train for so long; `out` holds the weights, written every two minutes. `start`: weights to go on from."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 7])
    faces = Faces(rng, 1000 * seed)
    net, agreement = Embedder().to(memory_format=torch.channels_last), Agreement()
    if start is not None:
        held = torch.load(start)
        net.load_state_dict(held["net"])
        agreement.load_state_dict(held["agreement"])
    every = [*net.parameters(), *agreement.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": net.parameters()}, {"params": agreement.parameters(), "lr_scale": 3.0}], lr=rate, weight_decay=1e-4
    )
    average: dict[str, torch.Tensor] = {}
    began = told = saved = time.monotonic()
    step, sums = 0, np.zeros(5)
    while (spent := (time.monotonic() - began) / 60) < minutes:
        share = spent / minutes
        lr = rate * min(1.0, step / 25) * (0.5 + 0.5 * math.cos(math.pi * share) * 0.98)
        for group in optimizer.param_groups:
            group["lr"] = lr * group.get("lr_scale", 1.0)
        parts = [episode(rng, faces) for _ in range(DECKS)]
        crops = torch.from_numpy(as_tensor(levelled(np.concatenate([x for p in parts for x in (p[0], p[2])]))))
        maps, at, loss = net(crops.contiguous(memory_format=torch.channels_last)), 0, torch.zeros(())
        for samples, times, queries, truth in parts:
            own = maps[at : at + len(samples)].unflatten(0, (-1, times)).mean(1)
            asked = maps[at + len(samples) : at + len(samples) + len(queries)]
            at += len(samples) + len(queries)
            logits = agreement(asked, own)
            answer = torch.from_numpy(truth)
            loss = loss + functional.cross_entropy(logits, answer, label_smoothing=0.01) / DECKS
            best = logits.argmax(1).numpy()
            real = truth > 0
            sums += [len(truth[real]), (best == truth)[real].sum(), (real & (best > 0) & (best != truth)).sum(),
                     (~real).sum(), ((best == 0) & ~real).sum()]  # fmt: skip
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(every, 2.0)
        optimizer.step()
        step += 1
        state = {**net.state_dict(prefix="net."), **agreement.state_dict(prefix="agreement.")}
        keep = min(0.995, step / (step + 20))
        for name, value in state.items():
            value = value.detach()
            average[name] = value.clone() if name not in average or not value.is_floating_point() else average[
                name].lerp(value, 1 - keep)  # fmt: skip
        now = time.monotonic()
        if now - told > 30:
            print(f"{spent:6.1f} min step {step} loss {loss.item():.3f} named {sums[1] / sums[0]:.3f} "
                  f"wrong {sums[2] / sums[0]:.3f} refused {sums[4] / sums[3]:.3f} lr {lr:.5f}", flush=True)  # fmt: skip
            told, sums = now, np.zeros(5)
        if now - saved > 120:
            _save(out, net, agreement, average)
            saved = now
    _save(out, net, agreement, average)


def _save(out: Path, net: Embedder, agreement: Agreement, average: dict[str, torch.Tensor]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    torch.save({"net": net.state_dict(), "agreement": agreement.state_dict()}, out / "last.pt")
    parts = {
        part: {name.removeprefix(part + "."): value for name, value in average.items() if name.startswith(part + ".")}
        for part in ("net", "agreement")
    }
    torch.save(parts, out / "mean.pt")
