"""Three Card Trick Poker: whatever follows by itself, without anybody acting.

Forced refills, leaving, the end of a bout and of a game: `proceed` applies them until nothing more follows.
Clauses: lines of the sheet, or 7.x of the formal reading.
"""

from __future__ import annotations

from companion.games.common import give, replace
from companion.games.three_card_trick_poker.state import HIDDEN_MOST, ROUNDS, Mode, Phase, Result, State
from companion.games.values import UNKNOWN, Hand, Msg, ScoreLine


def proceed(state: State) -> State:
    """Apply what follows until nothing does."""
    while (following := _following(state)) is not None:
        state = following
    return state


def _following(state: State) -> State | None:
    """The next thing that happens by itself, or None when it is somebody's turn."""
    if state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return None
    for seat, player in enumerate(state.players):
        if player.hidden <= 0 and seat not in state.left and (forced := _forced(state, seat)) is not None:
            return forced
    if state.fresh:
        return _at_bout_start(state)
    if not state.standing:
        return _end_of_bout(state)
    if state.leaving is not None:
        return None
    if state.phase is Phase.PLAY:
        return replace(state, phase=Phase.SHOWDOWN) if state.round > ROUNDS else None
    return None if any(state.players[seat].down for seat in state.standing) else _end_of_bout(state)


def _forced(state: State, seat: int) -> State | None:
    """101: with no hidden card left the stock has to be drawn from, as far as it goes; without one he leaves."""
    player = state.players[seat]
    if player.stock > 0:
        count = min(HIDDEN_MOST, player.stock)
        return state.with_player(seat, replace(player, hidden=count, stock=player.stock - count))
    if seat in state.standing:
        if player.down or not state.drops(seat):
            return None
        return leave(fold_cards(state, seat), seat)
    return leave(state, seat)


def fold_cards(state: State, seat: int) -> State:
    """57, 87: the cards he has played go to the pot; he is out of this bout."""
    player = state.players[seat]
    known = [card for card in player.played if card != UNKNOWN]
    pot = give(state.pot, known, len(player.played) - len(known))
    state = replace(state, pot=pot, folded=(*state.folded, seat))
    return state.with_player(seat, replace(player, played=()))


def leave(state: State, seat: int) -> State:
    """101: he leaves the game; exposed cards go to the pot."""
    player = state.players[seat]
    refill = None if state.refill and state.refill.seat == seat else state.refill
    state = replace(state, pot=give(state.pot, player.exposed), left=(*state.left, seat), refill=refill)
    return state.with_player(seat, replace(player, exposed=()))


# --- bouts --------------------------------------------------------------------------------------------------------


def begin_bout(state: State, leader: int) -> State:
    """The next bout, led by `leader`, or by the next player clockwise when he has left the game."""
    seats = [(leader + step) % state.rules.seats for step in range(state.rules.seats)]
    order = tuple([seat for seat in seats if seat not in state.left])
    players = tuple([replace(player, played=()) if player.played else player for player in state.players])
    return replace(
        state, phase=Phase.PLAY, players=players, order=order, mode=Mode.OPEN, folded=(), bout=state.bout + 1
    )


def _at_bout_start(state: State) -> State | None:
    """105: the end is judged before a bout begins. A player who left by his last refill leads no more."""
    if ended(state):
        return _end_of_game(state)
    if any(seat in state.left for seat in state.order):
        return replace(state, order=tuple(seat for seat in state.order if seat not in state.left))
    return None


def ended(state: State) -> bool:
    """106 to 109: L, one player is left; M, half of the players have left; S, somebody has left."""
    match state.rules.end:
        case "L":
            return len(state.left) >= state.rules.seats - 1
        case "M":
            return 2 * len(state.left) >= state.rules.seats
        case _:
            return bool(state.left)


def _end_of_bout(state: State) -> State:
    """93: the strongest hand takes the cards of the bout and the pot; 97: who leads next."""
    standing = state.standing
    hands = {seat: state.players[seat].played for seat in standing}
    winners = state.rules.judge.best(hands)
    categories = tuple((seat, state.rules.judge.category(cards)) for seat, cards in hands.items())
    used = [card for cards in hands.values() for card in cards if card != UNKNOWN]
    prize = give(state.pot, used, sum(map(len, hands.values())) - len(used))
    leader = winners[0] if winners else standing[0] if standing else state.folded[-1]
    won = len(prize) // len(winners) * len(winners) if winners else 0
    result = Result(state.bout, state.order, categories, winners, won, tuple(hands.items()))
    state = _shared(replace(state, pot=prize, result=result), winners, "bout")
    # 118: those who run out together leave in turn order.
    for seat in state.order:
        if seat not in state.left and state.players[seat].empty:
            state = leave(state, seat)
    return begin_bout(state, leader)


def _shared(state: State, winners: tuple[int, ...], what: str) -> State:
    """93: the pot goes to `winners` in equal parts, what cannot be divided stays in it."""
    if not winners:
        return state
    share, left_over = divmod(len(state.pot), len(winners))
    kind = what if len(winners) == 1 else f"{what}-shared"
    if len(winners) == 1:
        state = _captured(state, winners[0], state.pot, kind)
        return replace(state, pot=Hand())
    # Who took which of the cards is not said: from here on they are known to lie in one of these piles.
    state = replace(state, spread=state.spread + state.pot.known, pot=Hand((), left_over))
    for seat in winners:
        state = _captured(state, seat, Hand((), share), kind)
    return state


def _captured(state: State, seat: int, prize: Hand, kind: str) -> State:
    """Cards into a captured pile, one point each (118), with their line on the score sheet."""
    player = state.players[seat]
    reason = Msg.of(f"score.three-card-trick-poker.{kind}", game=state.number, bout=state.bout)
    if state.result and kind.startswith("bout"):
        category = dict(state.result.categories).get(seat, "none")
        reason = Msg.of(reason.key, game=state.number, bout=state.bout, category=Msg(f"category.{category}"))
    lines = (*state.lines, ScoreLine(seat, len(prize), reason, prize.known))
    captured = give(player.captured, prize.known, prize.unknown)
    return replace(state, lines=lines).with_player(seat, replace(player, captured=captured))


# --- the end ------------------------------------------------------------------------------------------------------


def _end_of_game(state: State) -> State:
    """113: the unused cards are shared by those who have left, the odd ones in the order of leaving; 114: under S
    they count for nobody."""
    state = replace(state, phase=Phase.OVER, refill=None, order=())
    if state.rules.end == "S":
        won = [line.seat for line in state.lines if dict(line.reason.params)["game"] == state.number]
        return _shared(state, tuple(won[-1:]), "last-pot") if state.rules.pot_to_last_winner else state
    pot = state.pot
    for player in state.players:
        pot = give(pot, player.exposed, player.hidden + player.stock)
    players = tuple(replace(player, hidden=0, stock=0, exposed=()) for player in state.players)
    state = replace(state, players=players, pot=Hand())
    return _leftovers(state, pot, state.left)


def _leftovers(state: State, rest: Hand, leavers: tuple[int, ...]) -> State:
    share, odd = divmod(len(rest), len(leavers))
    alone = len(leavers) == 1
    if not alone:
        state = replace(state, spread=state.spread + rest.known)
    for place, seat in enumerate(leavers):
        count = share + (place < odd)
        if count:
            state = _captured(state, seat, rest if alone else Hand((), count), "leftovers")
    return state


def totals(state: State) -> dict[int, int]:
    """Points by seat over all games."""
    sums = dict.fromkeys(range(state.rules.seats), 0)
    for line in state.lines:
        sums[line.seat] += line.points
    return sums


def winners(state: State) -> tuple[int, ...]:
    """118: the most points; of equal ones whoever left (the last game) earlier; who never left comes after those
    who did, and ties with his like (7.18)."""
    points = totals(state)
    best = max(points.values())
    equal = [seat for seat, total in points.items() if total == best]
    early = [seat for seat in state.left if seat in equal]
    if early:
        return (early[0],)
    if state.rules.tie_by_turn and state.result:
        return (min(equal, key=state.result.order.index),)
    return tuple(equal)
