"""What is known of a game of Pokard Trick: the state and everything that can be read off it.

The referee sees declarations, chips and the cards played; hands, the two cards laid aside and the folded cards it
only counts. Numbers in brackets are lines of the rule sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.pokard_trick.options import Rules
from companion.games.turns import after
from companion.games.values import Msg, ScoreLine

HAND = 7
"""Cards dealt to each player (52)."""
ASIDE = 2
"""Cards a declarer lays aside face down (80)."""
TRICKS = 5
"""Tricks of a deal: every card left in the hand (130)."""
CHIPS = 30
"""Chips of each player at the start (32)."""
FEE = 1
"""What folding costs (62)."""
CARDS = 54
"""Cards in the deck (30)."""

_RANKS = {rank: i for i, rank in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))}


class Phase(StrEnum):
    """The phases of a deal, in the order of the sheet."""

    DECLARE = "declare"
    ASIDE = "aside"
    TRICK = "trick"
    SHOW = "show"
    SETTLED = "settled"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Play:
    """A card played to a trick."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick and who took it."""

    plays: tuple[Play, ...]
    taker: int


@dataclass(frozen=True, slots=True)
class Revoke:
    """Seat did not follow `suit` with `card` in a trick, and later played `later` from the same hand."""

    seat: int
    suit: str
    trick: int
    card: str
    later_trick: int
    later: str


@dataclass(frozen=True)
class State:
    """A game of Pokard Trick. `declared`: "in", "fold", "out" (bankrupt) or "" for each seat; `said`: the seats in
    the order in which they declared; `laid`: who has laid two cards aside; `table`: the trick being played;
    `shown`: the cards each declarer showed from those laid aside, None before he did."""

    rules: Rules
    players: tuple[str, ...]
    dealer: int
    chips: tuple[int, ...]
    bankrupt: tuple[bool, ...]
    lines: tuple[ScoreLine, ...]
    declared: tuple[str, ...]
    shown: tuple[tuple[str, ...] | None, ...]
    laid: tuple[bool, ...]
    phase: Phase = Phase.DECLARE
    deal: int = 1
    centre: int = 0
    said: tuple[int, ...] = ()
    tricks: tuple[Trick, ...] = ()
    table: tuple[Play, ...] = ()
    revokes: tuple[Revoke, ...] = ()
    results: tuple[Msg, ...] = ()
    time_up: bool = False


def suit_of(card: str) -> str:
    """The suit letter; a joker has none ("")."""
    return "" if card.startswith("JK") else card[-1]


def is_joker(card: str) -> bool:
    """A joker is exempt from following and beats every suit (108-112)."""
    return card.startswith("JK")


def rank_of(card: str, ace_high: bool = True) -> int:
    """How high a card is within its suit; which way the ace counts is an option (7.1)."""
    if card[:-1] == "A" and not ace_high:
        return -1
    return _RANKS[card[:-1]]


def trick_winner(plays: tuple[Play, ...], ace_high: bool = True) -> Play:
    """The later joker (112, 116); else the highest card of the suit led (102); other suits never win (104)."""
    jokers = [play for play in plays if is_joker(play.card)]
    if jokers:
        return jokers[-1]
    led = suit_of(plays[0].card)
    return max((p for p in plays if suit_of(p.card) == led), key=lambda p: rank_of(p.card, ace_high))


def legal_plays(lead: str | None, hand: tuple[str, ...]) -> tuple[str, ...]:
    """What may be played from a hand that is known: follow suit or a joker, if the suit is there (90-96, 108-110);
    anything when leading or under a joker (114)."""
    suit = suit_of(lead) if lead else ""
    if not suit or all(suit_of(card) != suit for card in hand):
        return hand
    return tuple(card for card in hand if suit_of(card) in (suit, ""))


def leaders(declarers: tuple[int, ...], starter: int) -> tuple[int, ...]:
    """Who leads the five tricks: the starter, then always the next declarer to the left, whoever won (120-128)."""
    at = declarers.index(starter)
    return tuple(declarers[(at + t) % len(declarers)] for t in range(TRICKS))


def declarers(state: State) -> tuple[int, ...]:
    """Seats that play this deal, clockwise."""
    return tuple(seat for seat, said in enumerate(state.declared) if said == "in")


def starter(state: State) -> int:
    """The first who declared that he plays (86)."""
    return next(seat for seat in state.said if state.declared[seat] == "in")


def turn_order(state: State) -> tuple[int, ...]:
    """The declarers in turn order from the starter."""
    playing = declarers(state)
    at = playing.index(starter(state))
    return playing[at:] + playing[:at]


def leader(state: State) -> int:
    """Who leads the trick being played, or led it."""
    order = turn_order(state)
    return order[len(state.tricks) % len(order)]


def complete(state: State) -> bool:
    """Every declarer has played to the trick on the table (100)."""
    return state.phase is Phase.TRICK and len(state.table) == len(declarers(state))


def to_play(state: State) -> int:
    """The next declarer to play: clockwise from the leader, who has not yet."""
    order = turn_order(state)
    at = order.index(leader(state))
    played = {play.seat for play in state.table}
    return next(seat for seat in order[at:] + order[:at] if seat not in played)


def to_declare(state: State) -> int:
    """Whose declaration is due: left of the dealer first, clockwise, the dealer last (54, 66-68)."""
    waiting = [seat for seat, said in enumerate(state.declared) if not said]
    return after(state.dealer, waiting, len(state.players))


def plays_of(state: State, seat: int) -> list[tuple[int, str, str | None]]:
    """What a seat played: number of the trick from 1, his card, and the card led (None: he led)."""
    found = []
    for number, plays in enumerate([*(t.plays for t in state.tricks), state.table], start=1):
        found += [
            (number, play.card, plays[0].card if at else None) for at, play in enumerate(plays) if play.seat == seat
        ]
    return found


def voids(state: State, seat: int) -> dict[str, tuple[int, str]]:
    """Suits this seat has shown not to hold: suit → the trick in which he did not follow, and his card there."""
    found: dict[str, tuple[int, str]] = {}
    for number, card, lead in plays_of(state, seat):
        suit = suit_of(lead) if lead else ""
        if suit and suit_of(card) not in (suit, ""):
            found.setdefault(suit, (number, card))
    return found


def played_cards(state: State) -> list[str]:
    """Every card played in this deal, in order."""
    return [play.card for trick in state.tricks for play in trick.plays] + [play.card for play in state.table]


def in_hand(state: State, seat: int) -> int:
    """How many cards this seat holds."""
    if state.declared[seat] in ("fold", "out"):
        return 0
    return HAND - (ASIDE if state.laid[seat] else 0) - len(plays_of(state, seat))


def captured(state: State, seat: int) -> tuple[str, ...]:
    """The cards of the tricks this seat took, lying open before him (118)."""
    return tuple(play.card for trick in state.tricks if trick.taker == seat for play in trick.plays)
