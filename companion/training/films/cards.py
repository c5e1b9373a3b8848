"""The deck of a film: pictures of all its faces and backs, of one print or drawn by the project itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.artwork import STANDARD, back_svg, face_svg
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


def own_artwork(faces: Iterable[str]) -> DeckPictures:
    """The project's own drawings."""
    drawn = {face: _svg(face_svg(face)) for face in sorted(set(faces))}
    return DeckPictures("artwork", drawn, (_svg(back_svg()),), (STANDARD.width, STANDARD.height))


def deck_pictures(film: Film, faces: Iterable[str], *, double: bool = False) -> DeckPictures:
    """The deck of this film, as its seed and what is installed here say. `double`: two decks, mostly with two backs."""
    wanted = set(faces)
    rng = film.rng("print")
    own = film.artwork if film.artwork is not None else film.seed % 8 == 7
    if own or not wanted <= {*prints.FACES, *prints.JOKERS}:
        return own_artwork(wanted)
    held_out = film.seed % 2 == 0 if film.held_out is None else film.held_out
    design = prints.one_print("heldout" if held_out else "train", rng)
    if not wanted <= set(design.faces):
        return own_artwork(wanted)
    pictures = {face: _bgra(design.faces[face]) for face in sorted(wanted)}
    backs = tuple(_bgra(back) for back in design.backs) or (_bgra(drawn_prints.draw_back(film.seed, 1.4)),)
    aspect = next(iter(pictures.values())).shape[0] / WIDTH
    count = len(backs) if double and rng.random() < 0.6 else 1
    return DeckPictures(design.name, pictures, backs[:count], (HEIGHT_MM / aspect, HEIGHT_MM))


def _bgra(picture: Array) -> Array:
    return cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGBA2BGRA)
