"""The cards of a test bed's table, moved from one expected table to the next and seen as a tracker would see them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Any

from companion.games import Zone
from companion.table import Layout, ZoneShape
from companion.vision.types import Candidate, SeenCard, SeenTable, Side, Stir, Unit


@dataclass(frozen=True)
class Trouble:
    """Chances (0..1), each of one kind of trouble for one action or one look.

    `rush`: the next action follows before anybody looks; `piecemeal`: cards are laid one by one, with a look after
    each, `pause` s apart; `hand`: a hand stays over a zone for some seconds; `unread`: a new card has
    no name at first, and candidates; `misread`: it has a wrong one; `phantom`: an outline without a name appears
    for some looks; `vanish`: a card is not seen for a look, and has another number afterwards; `twins`: equal cards
    change numbers; `blind`: zones (by the part before the colon) that the camera cannot see.
    """

    rush: float = 0.0
    piecemeal: float = 0.0
    pause: float = 1.0
    hand: float = 0.0
    unread: float = 0.0
    misread: float = 0.0
    phantom: float = 0.0
    vanish: float = 0.0
    twins: float = 0.0
    blind: tuple[str, ...] = ()


STANDARD = Trouble(rush=0.1, piecemeal=0.5, hand=0.2, unread=0.03, misread=0.01, phantom=0.03, vanish=0.02, twins=0.05)
"""A table as it may be: some cards in a hundred read wrongly or not at all at first, hands stay here and there."""


@dataclass
class Card:
    """A card that really lies there. `face` None: it lies face down. `shown`: how it reads at present, and until
    when; `phantom`: it is no card at all; `covered`: others lie on it; `hidden`: hands at rest."""

    track: int
    face: str | None
    since: float
    shown: tuple[str | None, tuple[Candidate, ...]] | None = None
    until: float = 0.0
    phantom: bool = False
    covered: bool = False
    buried: bool = False
    hidden: bool = False


def strips(zones: Sequence[str]) -> Layout:
    """Every zone a strip of the table."""
    wide = 1 / len(zones)
    shapes = tuple(
        ZoneShape(zone, ((n * wide, 0.0), ((n + 1) * wide, 0.0), ((n + 1) * wide, 1.0), (n * wide, 1.0)))
        for n, zone in enumerate(zones)
    )
    return Layout("strips", Unit.FRACTION, (1.0, 1.0), shapes)


def claim(zones: Sequence[Zone], sight: Sequence[str]) -> dict[str, Any]:
    """What a camera can tell of an expected table."""
    found: dict[str, Any] = {}
    for zone in zones:
        if zone.id in sight:
            if zone.pile:
                found[zone.id] = tuple(zone.cards) if zone.cards else bool(zone.down)
            else:
                found[zone.id] = tuple(sorted(zone.cards)), zone.down
    return found


class Table:
    """The cards as they lie, moved from one expected table to the next."""

    def __init__(self, zones: Sequence[str], chance: random.Random, trouble: Trouble, faces: Sequence[str]) -> None:
        self.layout = strips(zones)
        self.left = {shape.id: shape.polygon[0][0] for shape in self.layout.zones}
        self.cards: dict[str, list[Card]] = {zone: [] for zone in zones}
        self.stirred: dict[str, float] = {}
        self.chance, self.trouble, self.faces = chance, trouble, faces
        self.numbers = count(1)
        self.gone: dict[int, Card] = {}

    def become(self, zones: Mapping[str, Zone], now: float) -> list[str]:
        """Lay everything as `zones` say; returns the zones that changed."""
        changed = []
        self.gone |= {card.track: card for cards in self.cards.values() for card in cards}
        for name in self.cards:
            zone = zones.get(name, Zone(name))
            before = [(card.track, card.face) for card in self.cards[name]]
            self.cards[name] = self._pile(zone, now) if zone.pile else self._row(zone, now)
            if before != [(card.track, card.face) for card in self.cards[name]]:
                changed.append(name)
                self.stirred[name] = now
        return changed

    def _new(self, face: str | None, now: float) -> Card:
        card = Card(next(self.numbers), face, now)
        if face is not None:
            others = self.chance.sample([f for f in self.faces if f != face], 2)
            if self.chance.random() < self.trouble.unread:
                p = self.chance.uniform(0.5, 0.75)
                likely = (Candidate(face, p), Candidate(others[0], 0.15), Candidate(others[1], 0.05))
                card.shown, card.until = (None, likely), now + self.chance.choice([1.5, 3.0, 3.0, 6.0, 20.0])
            elif self.chance.random() < self.trouble.misread:
                likely = (Candidate(others[0], 0.85), Candidate(face, 0.12))
                card.shown, card.until = (others[0], likely), now + self.chance.choice([0.8, 1.5, 2.5])
        return card

    def _row(self, zone: Zone, now: float) -> list[Card]:
        want, backs, kept = Counter(zone.cards), zone.down, []
        for card in self.cards[zone.id]:
            if card.phantom:
                kept.append(card)
            elif card.face is None and backs > 0:
                backs -= 1
                kept.append(card)
            elif card.face is not None and want[card.face] > 0:
                want[card.face] -= 1
                kept.append(card)
        new = [self._new(face, now) for face in want.elements()] + [self._new(None, now) for _ in range(backs)]
        return kept + new

    def _pile(self, zone: Zone, now: float) -> list[Card]:
        """A pile: the tracker remembers what lies under its top; of face-down cards one is seen."""
        lying = [card for card in self.cards[zone.id] if not card.phantom]
        if not zone.cards:
            back = next((card for card in lying if card.face is None), None)
            return [back or self._new(None, now)] if zone.down else []
        have = [c for c in lying if c.face is not None and c.face in zone.cards and not c.buried]
        below = [c for c in lying if c not in have and c.face is not None and have and c.since <= have[-1].since]
        for card in below:
            card.covered = card.buried = True
        want = Counter(zone.cards) - Counter(card.face for card in have)
        fresh = [face for face in zone.cards if want[face] > 0 and not want.subtract([face])]
        return [*below, *have, *(self._new(face, now) for face in fresh)]

    def disturb(self, now: float) -> None:
        """What happens without anybody doing anything."""
        for cards in self.cards.values():
            cards[:] = [card for card in cards if not (card.phantom and card.until < now)]
        everything = [c for cards in self.cards.values() for c in cards if c.face is not None and not c.buried]
        if everything and self.chance.random() < self.trouble.vanish:
            card = self.chance.choice(everything)
            card.shown, card.until = ("", ()), now + 0.6
        if self.chance.random() < self.trouble.phantom:
            place = self.chance.choice(list(self.cards))
            likely = (Candidate(self.chance.choice(self.faces), 0.2),) if self.chance.random() < 0.5 else ()
            until = now + self.chance.choice([1.0, 3.0, 5.0])
            self.cards[place].append(Card(next(self.numbers), None, now, (None, likely), until, True))
        if self.chance.random() < self.trouble.twins:
            for one, two in product(everything, everything):
                if one.face == two.face and one.track < two.track:
                    one.track, two.track = two.track, one.track
                    break

    def seen(self, now: float, hands: Sequence[str] = ()) -> SeenTable:
        """How it looks; `hands` are over these zones."""
        shown: list[SeenCard] = []
        for name, cards in self.cards.items():
            for n, card in enumerate(cards):
                face, candidates = card.face, ((Candidate(card.face, 0.99),) if card.face else ())
                side = Side.DOWN if card.face is None and not card.phantom else Side.UP
                if card.shown is not None:
                    if card.until < now and not card.phantom:
                        if card.shown[0] == "":
                            card.track, card.since = next(self.numbers), now
                        card.shown = None
                    else:
                        face, candidates = card.shown
                if face == "":
                    continue
                x, y = self.left[name] + 0.5 / len(self.left), 0.1 + 0.012 * n
                quad = ((x - 0.001, y), (x + 0.001, y), (x + 0.001, y + 0.005), (x - 0.001, y + 0.005))
                shown.append(SeenCard(card.track, face, 0.99 if face else 0.4, side, quad, candidates, f"c{card.track}",
                                      card.since, card.covered, card.hidden))  # fmt: skip
        for zone in hands:
            self.stirred[zone] = now
        stirs = tuple(Stir(self._middle(zone), when) for zone, when in self.stirred.items())
        still = all(now - when >= 0.4 for when in self.stirred.values())
        return SeenTable(now, still, Unit.FRACTION, tuple(shown), 0, (1.0, 1.0), stirs)

    def _middle(self, zone: str) -> Any:
        x = self.left[zone] + 0.5 / len(self.left)
        return ((x - 0.001, 0.5), (x + 0.001, 0.5), (x + 0.001, 0.51), (x - 0.001, 0.51))

    def find(self, track: int | None) -> Card | None:
        return next((c for cards in self.cards.values() for c in cards if c.track == track), None)

    def drop(self, card: Card) -> None:
        """A person says that this is no card."""
        for cards in self.cards.values():
            cards[:] = [c for c in cards if c is not card]
