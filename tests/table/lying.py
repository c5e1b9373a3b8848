"""A card that lies somewhere, as the tracker tells it."""

from companion.vision.types import Candidate, SeenCard, Side


def at(x: float, y: float, track: int, face: str | None, side: Side = Side.UP) -> SeenCard:
    quad = ((x - 0.02, y - 0.03), (x + 0.02, y - 0.03), (x + 0.02, y + 0.03), (x - 0.02, y + 0.03))
    candidates = (Candidate(face, 0.99),) if face else (Candidate("6H", 0.6), Candidate("9H", 0.3))
    return SeenCard(track, face, 0.99, side, quad, candidates, crop=f"crop-{track}")
