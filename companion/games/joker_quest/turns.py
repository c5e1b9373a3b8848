"""What a turn of Joker Quest does: roads, guardians, the joker, draws (130-156), and his first appearance (145-147).
Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from companion.games.common import give, put, replace, take
from companion.games.joker_quest.ending import failed, final
from companion.games.joker_quest.state import JOKER, Phase, State, hold, value
from companion.games.turns import after
from companion.games.values import Action


def act(state: State, action: Action, cards: tuple[str, ...]) -> State:
    """A card for the road, against a guardian or the joker, or as a penalty, with what it brings (130-156)."""
    seat = action.seat or 0
    if state.phase is not Phase.TURN:
        # Whoever could still draw or take back has let it be: the table plays on.
        state = _ended(state)
        if state.phase is not Phase.TURN or seat not in state.alive:
            return state
    if action.kind == "strike" and (state.kings or not state.joker_out):
        return state
    if action.kind == "attack" and action.arg("king") not in state.kings:
        return state
    state = replace(state, turn=seat, allowance=0, forced=False, passed=False)
    state = hold(state, seat, take(state.hands[seat], cards))
    match action.kind:
        case "play":
            return _play(state, cards)
        case "attack":
            return _attack(state, str(action.arg("king")), cards)
        case "strike":
            card = cards[0]
            state = replace(state, struck=card, overcome=(*state.overcome, JOKER), allowance=value(card), forced=True)
            return _drawing(state)
    penalty = state.penalty[seat] + cards
    state = replace(state, penalty=put(state.penalty, seat, penalty))
    if not state.hands[seat] and state.rules.pass_last_over:
        return _ended(state)
    return _drawing(replace(state, allowance=1, forced=True, passed=True))


def _play(state: State, cards: tuple[str, ...]) -> State:
    """The first card overcomes the road; the last one laid is the next road (137, 142)."""
    road, seat = state.road, state.turn
    surplus = value(cards[0]) - value(road)
    state = replace(state, pile=state.pile + cards, overcome=(*state.overcome, road))
    if surplus > 0:
        return _drawing(replace(state, allowance=surplus, forced=state.rules.draw_exact))
    if surplus == 0 and state.penalty[seat]:
        return replace(state, phase=Phase.RECLAIM)
    return _ended(state)


def _attack(state: State, king: str, cards: tuple[str, ...]) -> State:
    """A beaten guardian, the card that beat it and the extras go to the pile in this order (150-153). Cards of an
    attack that failed are lost under the road (7.10)."""
    surplus = value(cards[0]) - value(king)
    if state.rules.lost_cards and surplus + len(cards) - 1 < 0:
        return _ended(replace(state, pile=(*state.pile[:-1], *cards, *state.pile[-1:])))
    kings = tuple(card for card in state.kings if card != king)
    state = replace(state, kings=kings, pile=(*state.pile, king, *cards), overcome=(*state.overcome, king))
    if surplus > 0:
        return _drawing(replace(state, allowance=surplus, forced=state.rules.draw_exact))
    return _ended(state)


def _drawing(state: State) -> State:
    """There is something to draw, now or after a new stock; otherwise the action is done (7.6)."""
    if state.stock or state.hidden:
        return replace(state, phase=Phase.DRAW)
    return _ended(state)


def draw(state: State, count: int, joker: bool) -> State:
    """Cards drawn, up to the joker (138, 145). The last cards of a stock may leave some to draw from a new one."""
    seat, stock = state.turn, state.stock
    joker = joker and not state.joker_out and stock > 0
    count = min(count, stock - joker)
    rest = state.allowance - count if count == stock and count else 0
    state = hold(state, seat, give(state.hands[seat], unknown=count))
    state = replace(state, stock=stock - count - joker)
    if joker:
        return appears(state)
    return _drawing(replace(state, allowance=rest)) if rest > 0 else _ended(state)


def reclaim(state: State, cards: tuple[str, ...]) -> State:
    """One penalty card back into the hand, or none (143)."""
    seat = state.turn
    if cards and cards[0] in state.penalty[seat]:
        rest = tuple(card for card in state.penalty[seat] if card != cards[0])
        state = replace(state, penalty=put(state.penalty, seat, rest))
        state = hold(state, seat, give(state.hands[seat], cards[:1]))
    return _ended(state)


def appears(state: State) -> State:
    """The joker is set apart, and guardians are laid on him, if the stock has any (145-147)."""
    state = replace(state, joker_out=True, allowance=1 if state.passed and state.rules.pass_joker_replace else 0)
    return replace(state, phase=Phase.KINGS) if state.stock else guarded(state)


def kept_back(state: State, phase: Phase) -> State:
    """A joker that was in a hand all the time comes out late: a card replaces him, guardians are laid, and the turn
    goes on where it was."""
    state = replace(state, stock=state.stock - 1, joker_out=True, resumes=phase)
    return replace(state, phase=Phase.KINGS) if state.stock else guarded(state)


def guarded(state: State) -> State:
    """After the guardians are laid: the first road, a replacement (7.14), or the next player."""
    if state.resumes is not None:
        state = replace(state, phase=state.resumes, resumes=None)
        return _ended(state) if state.phase is Phase.DRAW and not (state.stock or state.hidden) else state
    if not state.pile:
        return replace(state, phase=Phase.DEALT)
    return _drawing(state) if state.allowance else _ended(state)


def _ended(state: State) -> State:
    """The action is done: a beaten joker ends the quest (155), a hand without cards its player's game (144)."""
    state = replace(state, allowance=0, forced=False, passed=False, phase=Phase.TURN)
    if state.struck:
        return final(state)
    if not state.hands[state.turn]:
        return lost(state, state.turn)
    return replace(state, turn=after(state.turn, state.alive, len(state.players), state.rules.step))


def lost(state: State, seat: int) -> State:
    """A player without cards between turns: his game is over (144), and the turn passes him by."""
    state = replace(state, out=(*state.out, seat))
    if not state.alive:
        return failed(state)
    if state.turn != seat:
        return state
    return replace(state, turn=after(seat, state.alive, len(state.players), state.rules.step))
