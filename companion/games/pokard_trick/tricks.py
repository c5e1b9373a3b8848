"""The two cards laid aside and the five tricks of Pokard Trick (76-130), and the revoke that a card proves (94).
Numbers in brackets are lines of the rule sheet."""

from __future__ import annotations

from collections.abc import Mapping

from companion.cards import deck
from companion.games.common import put, replace, unproven
from companion.games.pokard_trick.deals import close_deal
from companion.games.pokard_trick.state import (
    TRICKS,
    Phase,
    Play,
    Revoke,
    State,
    Trick,
    complete,
    declarers,
    played_cards,
    plays_of,
    suit_of,
    trick_winner,
    voids,
)
from companion.games.values import Action, Msg, Verdict, Violation


def lay_aside(state: State, seat: int | None) -> State:
    """Two cards go face down before their player (80); when all have, the tricks begin."""
    if state.phase is not Phase.ASIDE or seat not in declarers(state) or state.laid[seat]:
        return state
    state = replace(state, laid=put(state.laid, seat, True))
    done = all(state.laid[s] for s in declarers(state))
    return replace(state, phase=Phase.TRICK) if done else state


def follows(state: State, seat: int, card: str) -> tuple[Violation, ...]:
    """Not following is in order only without the suit: unproven, unless nobody can hold the suit any more."""
    lead = suit_of(state.table[0].card) if state.table else ""
    if not lead or suit_of(card) in (lead, ""):
        return ()
    seen = {c for c in played_cards(state) if suit_of(c) == lead}
    if len(seen) == 13 or lead in voids(state, seat):
        return ()
    return (unproven("did-not-follow", "94", (state.table[0].card, card), seat=seat, suit=lead, deal=state.deal),)


def suit_decided(state: State, doubt: Mapping[str, str | int]) -> Verdict | None:
    """What has become of a card that did not follow: `doubt` has its ``seat``, the ``suit`` led and the ``deal``."""
    seat, suit = int(doubt["seat"]), doubt["suit"]
    if state.deal != doubt["deal"]:
        return Verdict.LEGAL
    if any((revoke.seat, revoke.suit) == (seat, suit) for revoke in state.revokes):
        return Verdict.FOUL
    return Verdict.LEGAL if len(plays_of(state, seat)) >= TRICKS or state.phase is not Phase.TRICK else None


def proven_revoke(state: State, action: Action) -> Revoke | None:
    """The revoke that playing this card proves. Cards shown from the pair laid aside prove nothing (80)."""
    seat = action.seat
    if not _can_play(state, seat) or seat is None or action.kind != "play" or len(action.cards) != 1:
        return None
    suit = suit_of(action.cards[0]) if action.cards[0] in deck("54") else ""
    known = {r.suit for r in state.revokes if r.seat == seat}
    earlier = voids(state, seat).get(suit)
    if earlier is None or suit in known:
        return None
    number = len(state.tricks) + (2 if complete(state) else 1)
    return Revoke(seat, suit, *earlier, number, action.cards[0])


def _can_play(state: State, seat: int | None) -> bool:
    """He plays this deal, has a card left, and has not played to the trick on the table."""
    if state.phase is not Phase.TRICK or seat not in declarers(state) or len(plays_of(state, seat)) >= TRICKS:
        return False
    return complete(state) or all(played.seat != seat for played in state.table)


def play(state: State, action: Action) -> State:
    """A card to the trick on the table (90), and what it proves about an earlier one."""
    seat, cards = action.seat, action.cards
    if not _can_play(state, seat) or seat is None or len(cards) != 1 or cards[0] not in deck("54"):
        return state
    revoke = proven_revoke(state, action)
    if complete(state):
        # Somebody leads before the trick was taken: the table plays on, so its winner has it.
        state = collect(state, trick_winner(state.table, state.rules.ace_high).seat)
    state = replace(state, table=(*state.table, Play(seat, cards[0])))
    if revoke is None:
        return state
    state = replace(state, revokes=(*state.revokes, revoke))
    if state.rules.revoke == "deal_void":
        return close_deal(state, (Msg.of("result.pokard.void", player=seat, suit=revoke.suit),))
    return state


def collect(state: State, seat: int | None) -> State:
    """The winner lays the trick open before him (106, 118); after five tricks the hands are shown."""
    if not complete(state) or seat is None or seat not in declarers(state):
        return state
    tricks = (*state.tricks, Trick(state.table, seat))
    phase = Phase.SHOW if len(tricks) == TRICKS else Phase.TRICK
    return replace(state, tricks=tricks, table=(), phase=phase)
