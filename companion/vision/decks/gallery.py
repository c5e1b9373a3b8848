"""All cards of an enrolled deck, ready to be recognised; and what is said of one card that lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.decks import marks, parameters
from companion.vision.decks.crops import Crops, half_turned, levelled, reduced
from companion.vision.decks.enrolled import EnrolledDeck
from companion.vision.decks.matching import Floats, Templates, compare, interiors
from companion.vision.decks.network import Network
from companion.vision.decks.templates import Anatomy, build


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is known of one card's crop: log evidence (pictures,) of each picture against any other card, and how marks
    agree (windows, marks) where marks have a place of their own; which way up it lies, by the likeliest picture."""

    pictures: Floats
    marks: Floats | None
    turned: bool
    faces: Floats
    """Log evidence (faces,) by the maps alone."""
    other: float
    """Log evidence of another card of such a deck."""


class Gallery:
    """The faces of an enrolled deck. Safe to share between threads as far as its network is."""

    def __init__(self, deck: EnrolledDeck, network: Network) -> None:
        """Learn the deck from its samples: a few seconds."""
        self.deck, self.network = deck, network
        self.faces = deck.faces
        self.parts = deck.parts()
        self.pictures = sorted({picture for picture, _ in self.parts})
        self.marks = sorted({mark for _, mark in self.parts})
        self.picture_of = np.array([self.pictures.index(picture) for picture, _ in self.parts])
        self.mark_of = np.array([self.marks.index(mark) for _, mark in self.parts])
        crops = reduced([sample.pixels for sample in deck.samples])
        owner = [self.faces.index(sample.face) for sample in deck.samples]
        ways = [self._learned(each, owner) for each in (crops, half_turned(crops))]
        self.templates = Templates(
            np.concatenate([way[0].means for way in ways]), np.concatenate([way[0].spread for way in ways])
        )
        self.anatomy = ways[0][1]
        self.windows: marks.Marks | None = None
        if float(self.anatomy.own.mean()) < parameters.MINGLED and len(self.marks) > 1:
            self.windows = marks.learned(levelled(crops), [int(self.mark_of[o]) for o in owner], self.anatomy.marks)

    def _learned(self, crops: Crops, owner: Sequence[int]) -> tuple[Templates, Anatomy]:
        samples = interiors(self.network.sample_maps(crops))
        return build(samples, owner, self.parts, self.network.numbers)

    def likeness(self, crops: Crops) -> list[Likeness]:
        """What is known of each crop (n, height, width, 3), as `crops.rectified` cuts them."""
        flat = levelled(crops)
        maps = self.network.maps(crops)
        return [self._likeness(crop, card) for crop, card in zip(flat, maps, strict=True)]

    def _likeness(self, crop: Crops, card: Floats) -> Likeness:
        both = compare(card, self.templates, self.network.numbers)
        upright, turned = np.split(both, 2)
        way = bool(turned[:-1].max() > upright[:-1].max())
        either = np.maximum(upright, turned)
        faces, other = either[:-1], float(either[-1])
        pictures = np.full(len(self.pictures), -np.inf, np.float32)
        np.maximum.at(pictures, self.picture_of, faces)
        agree = None
        if self.windows is not None:
            agree = self.windows.agreement(half_turned(crop[None])[0] if way else crop)
        return Likeness(pictures, agree, way, faces, other)
