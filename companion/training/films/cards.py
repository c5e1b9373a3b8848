"""The deck of a film: pictures of all its faces and backs, of one print or drawn by the project itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.artwork import STANDARD, back_svg, card_svg
from companion.cards import Deck
from companion.training.films.spec import Film
from companion.training.scenes import drawn_prints, prints

Array = np.ndarray
WIDTH = 250
HEIGHT_MM = 88.0


@dataclass(frozen=True, slots=True)
class DeckPictures:
    """`name` of the design; pictures BGRA, `WIDTH` px wide; `size` of a card in mm."""

    name: str
    faces: dict[str, Array]
    backs: tuple[Array, ...]
    size: tuple[float, float]

    def picture(self, face: str | None, number: int) -> Array:
        """What is seen of card `number`: its face, or its back (each deck of a double deck has its own)."""
        return self.backs[number % len(self.backs)] if face is None else self.faces[face]


@lru_cache(maxsize=256)
def _svg(text: str) -> Array:
    import resvg_py

    raw = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=text, width=WIDTH)), np.uint8)
    return cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)


def own_artwork(deck: Deck) -> DeckPictures:
    """The project's own drawings, of a deck of one's own as its file describes them."""
    size = deck.card_size if deck.design is not None else (STANDARD.width, STANDARD.height)
    style = STANDARD.sized(*size)
    drawn = {face.code: _svg(card_svg(face, deck, style)) for face in deck.faces}
    return DeckPictures("artwork", drawn, (_svg(back_svg(style=style)),), size)


def deck_pictures(film: Film, deck: Deck) -> DeckPictures:
    """The deck of this film, as its seed and what is installed here say. Two copies have mostly two backs."""
    wanted = set(deck.codes)
    rng = film.rng("print")
    own = deck.design is not None or (film.artwork if film.artwork is not None else film.seed % 8 == 7)
    if own or not wanted <= {*prints.FACES, *prints.JOKERS}:
        return own_artwork(deck)
    held_out = film.seed % 2 == 0 if film.held_out is None else film.held_out
    design = prints.one_print("heldout" if held_out else "train", rng)
    if not wanted <= set(design.faces):
        return own_artwork(deck)
    pictures = {face: _bgra(design.faces[face]) for face in sorted(wanted)}
    backs = tuple(_bgra(back) for back in design.backs) or (_bgra(drawn_prints.draw_back(film.seed, 1.4)),)
    aspect = next(iter(pictures.values())).shape[0] / WIDTH
    count = len(backs) if len(deck) > len(deck.codes) and rng.random() < 0.6 else 1
    return DeckPictures(design.name, pictures, backs[:count], (HEIGHT_MM / aspect, HEIGHT_MM))


def _bgra(picture: Array) -> Array:
    return cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGBA2BGRA)
