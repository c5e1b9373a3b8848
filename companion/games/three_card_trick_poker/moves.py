"""What the actions of Three Card Trick Poker do. Numbers are lines of the sheet, 7.x house rules."""

from __future__ import annotations

from companion.games.common import give, replace, without
from companion.games.three_card_trick_poker.flow import begin_bout, fold_cards
from companion.games.three_card_trick_poker.options import Rules
from companion.games.three_card_trick_poker.prompts import LEADER, NEXT_GAME, POT
from companion.games.three_card_trick_poker.state import HAND, ROUNDS, Mode, Phase, Player, Refill, State
from companion.games.values import UNKNOWN, Action, Hand


def dealt(rules: Rules) -> State:
    """43 to 45: everything is dealt evenly, nine cards of one's own are the hand, what is left over goes to the pot."""
    players = (Player(hidden=HAND, stock=rules.dealt - HAND),) * rules.seats
    return State(rules, Phase.POT if rules.rest else Phase.EXPOSE, players)


def by_table(state: State, action: Action) -> State:
    """What nobody in particular does: the left-over cards, the choice of the leader, another game."""
    if action.kind == POT and state.phase is Phase.POT:
        known = tuple(card for card in action.cards if card != UNKNOWN)[: state.rules.rest]
        return replace(state, phase=Phase.EXPOSE, pot=Hand(known, state.rules.rest - len(known)))
    seat = action.arg("leader")
    if (
        action.kind == LEADER
        and state.phase is Phase.LEADER
        and isinstance(seat, int)
        and 0 <= seat < state.rules.seats
    ):
        return begin_bout(state, int(seat))
    if action.kind == NEXT_GAME and state.phase is Phase.OVER and state.number < state.rules.games:
        return replace(dealt(state.rules), number=state.number + 1, lines=state.lines)
    return state


def expose(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """44 and 65: hidden cards go face up to the exposed row."""
    player = state.players[seat]
    shown = tuple(card for card in cards if card != UNKNOWN)[: max(0, player.hidden)]
    if state.phase is Phase.OVER or not shown:
        return state
    moved = replace(player, hidden=player.hidden - len(shown), exposed=player.exposed + shown)
    state = state.with_player(seat, moved)
    if state.phase is Phase.EXPOSE:
        complete = all(player.hidden < HAND for player in state.players)
        return replace(state, phase=Phase.LEADER) if complete else state
    if state.refill and state.refill.seat == seat:
        state = replace(state, refill=replace(state.refill, exposed=True))
    return state


def draw(state: State, seat: int, count: object) -> State:
    """66: from one's own stock to the hidden hand."""
    player = state.players[seat]
    if not isinstance(count, int) or state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return state
    count = max(0, min(count, player.stock))
    state = state.with_player(seat, replace(player, hidden=player.hidden + count, stock=player.stock - count))
    if count and state.refill and state.refill.seat == seat:
        state = replace(state, refill=replace(state.refill, drawn=True))
    return state


def play(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """62: one card from the hidden hand, in the second round from the exposed row. The first card of a bout shows
    how all have to lie (71)."""
    player = state.players[seat]
    if state.phase is not Phase.PLAY or seat not in state.standing or not cards or len(player.played) == ROUNDS:
        return state
    card = cards[0]
    if len(player.played) == 1 and card in player.exposed:
        player = replace(player, exposed=without(player.exposed, (card,)))
    else:
        player = replace(player, hidden=max(0, player.hidden - 1))
    mode = state.mode or (Mode.SHADY if card == UNKNOWN else Mode.SUNNY)
    state = replace(state, mode=mode, refill=Refill(seat))
    return state.with_player(seat, replace(player, played=(*player.played, card)))


def fold(state: State, seat: int, action: Action) -> State:
    """57, 87, 88: what he has played goes to the pot, turned up; in the first round a card of his choice."""
    player = state.players[seat]
    if state.phase is not Phase.PLAY or seat not in state.standing:
        return state
    if player.played:
        state = _turned_up(state, seat, action.cards)
    elif action.cards:
        state = _penalty(state, seat, action)
    return replace(fold_cards(state, seat), refill=Refill(seat))


def _penalty(state: State, seat: int, action: Action) -> State:
    player, card = state.players[seat], action.cards[0]
    if action.arg("source") == "exposed" and card in player.exposed:
        player = replace(player, exposed=without(player.exposed, (card,)))
    else:
        player = replace(player, hidden=max(0, player.hidden - 1))
    pot = give(state.pot, (), 1) if card == UNKNOWN else give(state.pot, (card,))
    return replace(state, pot=pot).with_player(seat, player)


def reveal(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """93, 101: face-down cards are turned up. Nobody refills any more once the showdown has begun."""
    if state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return state
    refill = None if state.phase is Phase.SHOWDOWN else state.refill
    return replace(_turned_up(state, seat, cards), refill=refill)


def _turned_up(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """The seat's face-down cards, in the order in which they were played, become `cards`."""
    player = state.players[seat]
    faces = [card for card in cards if card != UNKNOWN]
    played = tuple([faces.pop(0) if card == UNKNOWN and faces else card for card in player.played])
    return state.with_player(seat, replace(player, played=played))
