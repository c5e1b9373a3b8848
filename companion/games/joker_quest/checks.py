"""What is wrong with an action of Joker Quest that fits its prompt, or where this game can say more about one that
does not. Numbers in brackets are lines of the rule sheet, 7.x are house rules."""

from __future__ import annotations

from collections import Counter

from companion.games.common import foul
from companion.games.joker_quest.state import JOKER, Phase, State, draw_count, open_kings, suit, value
from companion.games.values import UNKNOWN, Action, Violation

FROM_HAND = ("play", "attack", "strike", "pass", "pay", "reveal")


def wrong(state: State, action: Action) -> tuple[Violation, ...]:
    """The rules that tie the cards of a fitting action together."""
    found = _hand(state, action) if action.kind in FROM_HAND else ()
    if found:
        return found
    match action.kind:
        case "play":
            return _play(state, action)
        case "attack":
            return _attack(state, action)
        case "draw":
            return _draw(state, action)
        case "kings" if JOKER in action.cards:
            return (foul("joker-is-no-king", "146", (JOKER,)),)
    return ()


def told(state: State, action: Action) -> tuple[Violation, ...]:
    """Reasons of this game for an action that fits no prompt; empty when the common ones say enough."""
    kind, seat = action.kind, action.seat
    if seat is None or seat not in state.alive:
        return ()
    if kind == "joker" and not state.joker_out and state.phase in (Phase.TURN, Phase.DRAW, Phase.RECLAIM):
        return (foul("joker-kept-back", "125", (JOKER,), seat=seat),)
    turn = state.phase is Phase.TURN and seat == state.turn
    if kind == "strike" and turn and not state.joker_out:
        return (foul("joker-not-here", "155"),)
    if kind == "strike" and turn and state.kings:
        return (foul("kings-left", "154", state.kings),)
    if kind == "attack" and turn and not state.kings:
        return (foul("no-king", "147"),)
    if kind == "attack" and turn and action.arg("king") in state.kings and action.arg("king") not in open_kings(state):
        return (foul("king-order", "7.4", open_kings(state)),)
    if kind == "play" and turn and state.joker_out and state.rules.kings_only:
        return (foul("road-closed", "7.3"),)
    if kind == "draw" and seat == state.turn and state.phase is Phase.DRAW and len(action.cards) > draw_count(state):
        return (foul("draw-too-many", "138", count=len(action.cards), most=draw_count(state)),)
    return ()


def _hand(state: State, action: Action) -> tuple[Violation, ...]:
    """The joker is no card of a hand, and a hand holds no more strange cards than unknown ones."""
    if JOKER in action.cards:
        return (foul("joker-is-no-card", "145", (JOKER,)),)
    hand = state.hands[action.seat or 0]
    if len(action.cards) <= hand.unknown:
        return ()
    strange = tuple((Counter(card for card in action.cards if card != UNKNOWN) - Counter(hand.known)).elements())
    if len(strange) > hand.unknown:
        return (foul("not-in-hand", "31", strange, seat=action.seat or 0),)
    return ()


def shortage(state: State, action: Action) -> int:
    """By how much the road, or the guardian that is attacked, is higher than the first card (140, 149)."""
    above = state.road if action.kind == "play" else str(action.arg("king"))
    return value(above) - value(action.cards[0])


def _play(state: State, action: Action) -> tuple[Violation, ...]:
    """Another suit than the road's (136); a shortage is made up for with exactly as many cards (140)."""
    card, road = action.cards[0], state.road
    if suit(card) == suit(road) and not (state.rules.same_suit and value(card) > value(road)):
        return (foul("same-suit-as-road", "136", (card,), road=road),)
    return _extras(state, action, shortage(state, action), "140", needy=state.rules.overkill)


def _attack(state: State, action: Action) -> tuple[Violation, ...]:
    """The guardian's own suit (148); a shortage is made up for with exactly as many cards (149)."""
    card, king = action.cards[0], str(action.arg("king"))
    if suit(card) != suit(king):
        return (foul("king-suit", "148", (card,), king=king),)
    lack = shortage(state, action)
    if state.rules.lost_cards and len(action.cards) - 1 < lack:
        return ()
    return _extras(state, action, lack, "149")


def _extras(state: State, action: Action, lack: int, clause: str, needy: bool = False) -> tuple[Violation, ...]:
    """`lack` further cards, no more and no fewer. `needy`: whoever has fewer lays all he has (7.7)."""
    extras, rest = action.cards[1:], len(state.hands[action.seat or 0]) - 1
    if lack <= 0:
        return (foul("extra-cards", clause, extras),) if extras else ()
    if rest < lack and not needy:
        return (foul("too-few-cards", clause, action.cards[:1], needs=lack, holds=rest),)
    needs = min(lack, rest)
    if len(extras) != needs:
        return (foul("discard-count", clause, action.cards, needs=needs, count=len(extras)),)
    return ()


def _draw(state: State, action: Action) -> tuple[Violation, ...]:
    """The joker ends a draw (145), and shows up before the stock is used up; a forced draw is whole."""
    cards = action.cards
    if JOKER in cards[:-1]:
        return (foul("joker-ends-draw", "145", (JOKER,), place=cards.index(JOKER) + 1),)
    if JOKER in cards:
        return ()
    if state.stock and len(cards) == state.stock and not state.joker_out:
        return (foul("joker-missing", "145"),)
    least = draw_count(state) if state.forced else 0
    if len(cards) < least:
        return (foul("draw-too-few", "132" if state.passed else "138", count=len(cards), least=least),)
    return ()
