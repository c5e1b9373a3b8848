"""The reading of a solo Joker Quest: what was overcome and what is gained (lines 164-173 of the rule sheet)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.joker_quest.state import JOKER, suit
from companion.games.values import Msg

GAINS = {"D": "money", "S": "skill", "H": "trust", "C": "knowledge"}
"""What the suits of the final hand mean (170)."""
TROUBLES = {"S": "force", "H": "request", "C": "terrain", "D": "debt"}
"""What the suits of the roads mean (135)."""
PEOPLE = {"K": "older-man", "Q": "older-woman", "J": "same-generation"}
"""Whom the pictures stand for (172)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The final hand, read. Pictures are people of the world of their suit, and gain nothing (171)."""

    money: tuple[str, ...] = ()
    skill: tuple[str, ...] = ()
    trust: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    acquaintances: tuple[tuple[str, str], ...] = ()


def fortune(cards: tuple[str, ...]) -> Reading:
    """Read a final hand (169-172)."""
    gains: dict[str, tuple[str, ...]] = dict.fromkeys(GAINS.values(), ())
    people: list[tuple[str, str]] = []
    for card in cards:
        who = PEOPLE.get(card[:-1])
        if who is not None:
            people.append((card, who))
        else:
            gains[GAINS[suit(card)]] += (card,)
    return Reading(**gains, acquaintances=tuple(people))


def told(cards: tuple[str, ...], overcome: tuple[str, ...]) -> tuple[Msg, ...]:
    """The reading as messages: the troubles of the way (168), the gains, the people."""
    reading = fortune(cards)
    said = [Msg.of("result.joker-quest.fortune.answer", n=len(cards))]
    for mark, trouble in TROUBLES.items():
        met = tuple(card for card in overcome if card != JOKER and suit(card) == mark)
        if met:
            said.append(Msg.of(f"result.joker-quest.fortune.{trouble}", cards=met, n=len(met)))
    for gain in GAINS.values():
        gained: tuple[str, ...] = getattr(reading, gain)
        if gained:
            said.append(Msg.of(f"result.joker-quest.fortune.{gain}", cards=gained, n=len(gained)))
    for card, who in reading.acquaintances:
        world = Msg(f"result.joker-quest.fortune.world.{GAINS[suit(card)]}")
        said.append(Msg.of(f"result.joker-quest.fortune.{who}", card=card, world=world))
    return tuple(said)
