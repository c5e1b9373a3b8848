"""Which cards rest though something moves on and on beside them, or over an edge of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.vision.following import parameters
from companion.vision.geometry import as_quad, corner_distance, share_in, touches
from companion.vision.types import CardRead, Quad, Region, Side

_BACK = "back"


class Beside:
    """Remembers what was read where something moves on and on: a card that is read there again lies there."""

    def __init__(self) -> None:
        self._read: list[tuple[str, Quad, float]] = []

    def moving(
        self, cards: Sequence[CardRead], moving: Sequence[Region], lasting: Sequence[Region], time: float
    ) -> tuple[Callable[[Quad], bool], Callable[[Quad], bool]]:
        """Whether an outline is that of something that may move, and whether what lay there may be hidden, in a picture
        of `time` (s) that shows these cards. `moving`: where something moves, and `lasting`: where it has for long,
        px."""

        def in_motion(outline: Quad) -> bool:
            return share_in(outline, lasting) > parameters.MOST_MOVES

        held = [card for card in cards if not touches(card.polygon, moving) and in_motion(card.polygon)]
        known = [(_BACK if card.side is Side.DOWN else card.face, card.polygon) for card in held]
        now = [(face, quad, self._since(face, quad, time)) for face, quad in known if face]
        rest = {_BACK: parameters.STEADY_BACK_S}
        steady = [as_quad(quad) for face, quad, since in now if time - since >= rest.get(face, parameters.STEADY_S)]
        faces = {face for face, *_ in now}
        missed = [one for one in self._read if time - one[2] < parameters.STIR_S and one[0] not in faces]
        self._read = now + missed

        def moves(outline: Quad) -> bool:
            if touches(outline, moving):
                return True
            own = as_quad(outline)
            same = (corner_distance(own, quad) <= parameters.SAME_PLACE for quad in steady)
            return in_motion(outline) and not any(same)

        resting = [as_quad(card.polygon) for card in cards if not moves(card.polygon)]

        def hides(outline: Quad) -> bool:
            if touches(outline, moving):
                return True
            own = as_quad(outline)
            found = any(corner_distance(own, quad) <= parameters.SAME_PLACE for quad in resting)
            return not found and share_in(outline, lasting) > parameters.MOST_HIDDEN

        return moves, hides

    def _since(self, face: str, outline: Quad, time: float) -> float:
        """Since when a card has been read so, s."""
        return min((one[2] for one in self._read if _again(one, [(face, outline, time)])), default=time)


def _again(one: tuple[str, Quad, float], others: Sequence[tuple[str, Quad, float]]) -> bool:
    """The same card, in the same place to a few millimetres."""
    return any(
        one[0] == face and corner_distance(as_quad(one[1]), as_quad(quad)) <= parameters.STEADY_PLACE
        for face, quad, _ in others
    )
