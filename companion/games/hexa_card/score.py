"""A hand of Hexa Card, line by line: every group, what the whole hand adds, the amulet, holy. The lines add up to the
score that `companion.hands.hexa` found. Numbers in brackets are lines of the rule sheet."""

from __future__ import annotations

from companion.games.hexa_card.options import Rules
from companion.games.hexa_card.state import Declared
from companion.games.values import Msg, ScoreLine
from companion.hands.hexa import Group

KINGDOM, PARK = 4, 2
"""What they multiply the whole hand by (100, 102)."""


def score_lines(game: int, declared: Declared, rules: Rules) -> tuple[ScoreLine, ...]:
    """The lines of a declaration that is out."""
    seat, partition = declared.seat, declared.partition

    def line(points: int, key: str, cards: tuple[str, ...] = (), **params: int | Msg) -> ScoreLine:
        return ScoreLine(seat, points, Msg.of(f"score.hexa-card.{key}", game=game, **params), cards)

    holy = [line(partition.holy, "holy")] if partition.holy else []
    if partition.friend_park:
        return (line(partition.base, "friend-park", declared.cards), *holy)
    groups = [
        line(group.points, group.kind, group.cards, size=len(group.cards), how=_how(group))
        for group in partition.groups
    ]
    card = partition.amulet_card
    amulet = [line(partition.amulet, "amulet", (card,))] if card is not None else []
    inside = dict(rules.hands)["amulet_inside"] == "yes"
    total = partition.base + (partition.amulet + partition.holy if inside else 0)
    whole = []
    if partition.kingdom:
        whole.append(line(total * (KINGDOM - 1), "kingdom"))
        total *= KINGDOM
    if partition.park:
        whole.append(line(total * (PARK - 1), "park"))
    return (*groups, *amulet, *holy, *whole) if inside else (*groups, *whole, *amulet, *holy)


def _how(group: Group) -> Msg:
    """The sum behind a group: its size or the square of it, times three for aces (91), two for an ace in a coin (95),
    two for pictures (97)."""
    squared = group.kind == "jewel" or group.friends
    how = Msg.of("score.hexa-card.how." + ("square" if squared else "plain"), n=len(group.cards))
    if group.aces:
        how = Msg.of("score.hexa-card.how." + ("aces" if group.kind == "jewel" else "ace"), how=how)
    return Msg.of("score.hexa-card.how.diret", how=how) if group.diret else how
