"""Joker Quest (ジョーカークエスト) by Morimiya Teru: on the road, past four guardians, against the joker.

One to five players, 53 cards, four each (117-128). The top of the discard pile is the road: whoever is due overcomes
it with a higher card of another suit and may draw the difference (136-139), with a lower one and as many more cards
as it falls short (140-142), or with an equal one, which brings a penalty card back (143); or he passes, lays a card
before him as a penalty and draws one (131-132). Without cards his game is over (144). When the joker is drawn, four
guardians are laid on him (145-147), to be beaten in their own suit (148-153); then any card beats him and ends the
quest (154-155). Penalties are paid, and most cards win (157-162). A solo game may be read as a fortune (164-173).
Numbers in brackets are lines of the rule sheet, 7.x are house rules.

Hands are secret to the referee but for their size, and cards taken back into them. Cards drawn lie face down
(``?``); only the joker is shown. Zones: ``road`` (a pile), ``stock``, ``joker``, ``kings``, ``hand:<seat>``,
``penalty:<seat>``, ``paid:<seat>``, ``shown:<seat>``.
"""

from __future__ import annotations

from functools import cache

from companion.cards import deck
from companion.games.common import checked_setup, give, misfit, once_a_state, replace, take
from companion.games.contract import (
    UNKNOWN,
    Action,
    Choice,
    Game,
    Hand,
    Msg,
    Option,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    Slot,
    View,
    Violation,
    Zone,
)
from companion.games.joker_quest.checks import told, wrong
from companion.games.joker_quest.fortune import told as fortune_told
from companion.games.joker_quest.state import (
    DECK,
    HAND,
    HIGHEST,
    JOKER,
    Phase,
    Rules,
    State,
    draw_count,
    kings_to_lay,
    open_kings,
    owes,
    sought,
    unpaid,
    value,
)
from companion.games.joker_quest.view import view
from companion.games.joker_quest.world import JokerWorld
from companion.games.turns import DIRECTIONS, after, starter_option, starting_seat, step_of
from companion.games.world import Chance, World

CLAUSES = {
    "joker": "125",
    "turn-up": "128",
    "kings": "146",
    "play": "130",
    "pass": "131",
    "attack": "148",
    "strike": "154",
    "draw": "138",
    "reclaim": "143",
    "reshuffle": "7.6",
    "pay": "158",
    "reveal": "169",
}
"""Kinds of action, and where the sheet speaks of them."""


class JokerQuest(Game[State]):
    """The referee of Joker Quest."""

    id = "joker-quest"
    least_players = 1
    most_players = 5
    decks = (DECK,)
    options = (
        starter_option("130"),
        Option("direction", DIRECTIONS, "132"),
        Option("relative", ("none", "starts"), "7.1"),
        Option("kings", ("free", "only"), "7.3"),
        Option("king_order", ("any", "first", "last"), "7.4"),
        Option("stock_empty", ("no_draw", "reshuffle"), "7.6"),
        Option("overkill", ("not_allowed", "game_over"), "7.7"),
        Option("pass_last", ("draws", "game_over"), "7.8"),
        Option("draw", ("up_to", "exact"), "7.9"),
        Option("king_fail", ("not_allowed", "lost_cards"), "7.10"),
        Option("pass_joker", ("no_replacement", "replace"), "7.14"),
        Option("same_suit", ("not_allowed", "allowed"), "7.15"),
        Option("fortune", ("no", "yes"), "164"),
    )

    def start(self, setup: Setup) -> State:
        """Four cards each; the first road is not turned up yet (123-128)."""
        setup = checked_setup(self, setup)
        chosen = setup.chosen(self)
        rules = Rules(
            relative_starts=chosen["relative"] == "starts",
            kings_only=chosen["kings"] == "only",
            king_order=chosen["king_order"],
            reshuffle=chosen["stock_empty"] == "reshuffle",
            overkill=chosen["overkill"] == "game_over",
            pass_last_over=chosen["pass_last"] == "game_over",
            draw_exact=chosen["draw"] == "exact",
            lost_cards=chosen["king_fail"] == "lost_cards",
            pass_joker_replace=chosen["pass_joker"] == "replace",
            same_suit=chosen["same_suit"] == "allowed",
            step=step_of(chosen["direction"]),
            fortune=chosen["fortune"] == "yes",
        )
        seats = len(setup.players)
        return State(
            rules,
            setup.players,
            starting_seat(self, setup),
            hands=(Hand(unknown=HAND),) * seats,
            stock=deck(DECK).size - HAND * seats,
            penalty=((),) * seats,
            paid=(None,) * seats,
        )

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """What is open in the phase."""
        match state.phase:
            case Phase.DEALT:
                slot = Slot(1, 1, None, "stock", "road")
                return (*_joker_prompts(state), Prompt("turn-up", None, slot, label=_label("turn-up")))
            case Phase.KINGS:
                count = kings_to_lay(state)
                return (Prompt("kings", None, Slot(count, count, None, "stock", "kings"), label=_label("kings")),)
            case Phase.TURN:
                late = _joker_prompts(state) if sought(state) else ()
                return (*_turn_prompts(state), *late)
            case Phase.DRAW:
                return _draw_prompts(state)
            case Phase.RECLAIM:
                seat = state.turn
                slot = Slot(0, 1, state.penalty[seat], f"penalty:{seat}", f"hand:{seat}")
                return (Prompt("reclaim", seat, slot, label=_label("reclaim")),)
            case Phase.FINAL:
                return tuple(_pay_prompt(state, seat) for seat in unpaid(state))
            case Phase.READING:
                count = len(state.hands[0])
                return (Prompt("reveal", 0, Slot(count, count, None, "hand:0", "shown:0"), label=_label("reveal")),)
        return ()

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Suits, differences, the order of things: nearly everything here is public."""
        cite = CLAUSES.get(action.kind, "130")
        violations = misfit(self.prompts(state), action, CLAUSES, len(state.players), _CODES, cite)
        return (told(state, action) or violations) if violations else wrong(state, action)

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        faces = tuple([card for card in action.cards if card in _CODES])
        if action.seat is None:
            return _table(state, action.kind, faces)
        if action.seat not in state.alive:
            return state
        cards = tuple([card for card in faces if card != JOKER])
        match action.kind:
            case "joker":
                return _relative(state, action.seat)
            case "play" | "attack" | "strike" | "pass" if cards and state.phase in _ACTING:
                return _act(state, action, cards)
            case "draw" if state.phase is Phase.DRAW and action.seat == state.turn:
                return _draw(state, action.cards.count(UNKNOWN) + len(cards), JOKER in faces)
            case "reclaim" if state.phase is Phase.RECLAIM and action.seat == state.turn:
                return _reclaim(state, cards)
            case "pay" if action.seat in unpaid(state) and state.phase is Phase.FINAL:
                return _pay(
                    state, action.seat, tuple(card for card in action.cards if card == UNKNOWN or card in cards)
                )
            case "reveal" if state.phase is Phase.READING and cards:
                return _reveal(state, cards)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """The road, the stock, the joker with his guardians, what lies before the players."""
        joker = ((JOKER,) if state.joker_out else ()) + ((state.struck,) if state.struck else ())
        zones = [
            Zone("road", state.pile, pile=True),
            Zone("stock", down=state.stock, pile=True),
            Zone("joker", joker),
            Zone("kings", state.kings),
        ]
        for seat in range(len(state.players)):
            paid = state.paid[seat] or ()
            known = tuple(card for card in paid if card != UNKNOWN)
            zones.append(Zone(f"penalty:{seat}", state.penalty[seat]))
            zones.append(Zone(f"paid:{seat}", known, down=len(paid) - len(known)))
            zones.append(Zone(f"shown:{seat}", state.shown if seat == 0 else ()))
        return tuple(zones)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands, as far as they are known."""
        hands = tuple(Zone(f"hand:{seat}", hand.known, hand.unknown) for seat, hand in enumerate(state.hands))
        return self.expected_table(state) + hands

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """Cards left after the quest and what the penalties cost (157-162)."""
        return state.lines

    def winners(self, state: State) -> tuple[int, ...]:
        """Most cards (161), shared when several have them; nobody when the quest has failed (7.12, 7.13)."""
        if state.phase is not Phase.OVER or not state.alive:
            return ()
        totals = self.totals(state)
        return tuple(seat for seat in state.alive if totals[seat] == max(totals.values()))

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: the referee knows nothing that is secret."""
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return JokerWorld(self, setup, chance)


_CODES = frozenset(deck(DECK).codes)
_ACTING = (Phase.TURN, Phase.DRAW, Phase.RECLAIM)
"""Phases in which the table may go on with an action, though in some of them it comes too early."""


# --- what is open ----------------------------------------------------------------------------------------------------


def _label(kind: str, **params: int) -> Msg:
    return Msg.of(f"action.joker-quest.{kind}", **params)


def _joker_prompts(state: State) -> tuple[Prompt, ...]:
    """Anybody may turn out to hold the joker."""
    if state.joker_out:
        return ()
    return tuple([_joker_prompt(seat) for seat in state.alive])


@cache
def _joker_prompt(seat: int) -> Prompt:
    return Prompt("joker", seat, Slot(1, 1, (JOKER,), f"hand:{seat}", "joker"), label=_label("joker"))


@cache
def _from_hand(kind: str, seat: int, most: int, target: str) -> Prompt:
    return Prompt(kind, seat, Slot(1, most, None, f"hand:{seat}", target), label=_label(kind))


def _turn_prompts(state: State) -> tuple[Prompt, ...]:
    seat = state.turn
    most = min(HIGHEST, len(state.hands[seat]))
    found = []
    if not (state.joker_out and state.rules.kings_only):
        found.append(_from_hand("play", seat, most, "road"))
    if state.kings:
        attack = _from_hand("attack", seat, most, "road")
        found.append(Prompt("attack", seat, attack.slot, (Choice("king", open_kings(state)),), attack.label))
    elif state.joker_out:
        found.append(_from_hand("strike", seat, 1, "joker"))
    found.append(_from_hand("pass", seat, 1, f"penalty:{seat}"))
    return tuple(found)


def _draw_prompts(state: State) -> tuple[Prompt, ...]:
    """Cards face down, and the joker when he comes; a new stock first, when there is none (7.6)."""
    most, seat = draw_count(state), state.turn
    least = 1 if state.forced and most else 0
    faces, side = ((), "down") if state.joker_out else ((JOKER,), "any")
    slot = Slot(least, most, faces, "stock", f"hand:{seat}", side)
    draw = Prompt("draw", seat, slot, label=_label("draw-n" if state.forced else "draw-up-to", n=most))
    if most:
        return (draw,)
    reshuffle = Prompt("reshuffle", None, label=_label("reshuffle", n=state.hidden))
    return (reshuffle,) if state.forced else (reshuffle, draw)


def _pay_prompt(state: State, seat: int) -> Prompt:
    count = owes(state, seat)
    slot = Slot(count, count, None, f"hand:{seat}", f"paid:{seat}", "any")
    return Prompt("pay", seat, slot, label=_label("pay", n=count))


# --- the table itself: first road, guardians, a new stock ------------------------------------------------------------


def _table(state: State, kind: str, cards: tuple[str, ...]) -> State:
    match kind:
        case "turn-up" if state.phase is Phase.DEALT and cards and state.stock:
            if JOKER in cards:
                return _appears(replace(state, stock=state.stock - 1))
            return replace(state, pile=cards[:1], stock=state.stock - 1, phase=Phase.TURN)
        case "kings" if state.phase is Phase.KINGS and cards:
            kings = tuple(card for card in cards if card != JOKER)[: kings_to_lay(state)]
            return _guarded(replace(state, kings=kings, stock=state.stock - len(kings)))
        case "reshuffle" if state.phase is Phase.DRAW and not state.stock and state.hidden:
            return replace(state, stock=state.hidden, pile=state.pile[-1:])
    return state


def _relative(state: State, seat: int) -> State:
    """A joker in a hand: of the first hand he is a relative, and a card replaces him (125-127). One that was kept
    back until the stock was used up has no guardians left to come."""
    if state.joker_out or not (state.phase is Phase.DEALT or (state.phase is Phase.TURN and sought(state))):
        return state
    hand = state.hands[seat]
    unknown = max(0, hand.unknown - 1)
    if state.phase is Phase.DEALT:
        turn = seat if state.rules.relative_starts else state.turn
        state = replace(state, relative=seat, turn=turn, stock=state.stock - 1)
        return _appears(_hold(state, seat, Hand(hand.known, unknown + 1)))
    state = replace(_hold(state, seat, Hand(hand.known, unknown)), joker_out=True)
    return state if state.hands[seat] else _lost(state, seat)


def _lost(state: State, seat: int) -> State:
    """A player without cards between turns: his game is over (144), and the turn passes him by."""
    state = replace(state, out=(*state.out, seat))
    if not state.alive:
        return _failed(state)
    if state.turn != seat:
        return state
    return replace(state, turn=after(seat, state.alive, len(state.players), state.rules.step))


def _appears(state: State) -> State:
    """The joker is set apart, and guardians are laid on him, if the stock has any (145-147)."""
    state = replace(state, joker_out=True, allowance=1 if state.passed and state.rules.pass_joker_replace else 0)
    return replace(state, phase=Phase.KINGS) if state.stock else _guarded(state)


def _guarded(state: State) -> State:
    """After the guardians are laid: the first road, a replacement (7.14), or the next player."""
    if not state.pile:
        return replace(state, phase=Phase.DEALT)
    return _drawing(state) if state.allowance else _ended(state)


# --- a turn (130-156) ------------------------------------------------------------------------------------------------


def _act(state: State, action: Action, cards: tuple[str, ...]) -> State:
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
    state = _hold(state, seat, take(state.hands[seat], cards))
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
    state = replace(state, penalty=(*state.penalty[:seat], penalty, *state.penalty[seat + 1 :]))
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


def _draw(state: State, count: int, joker: bool) -> State:
    """Cards drawn, up to the joker (138, 145). The last cards of a stock may leave some to draw from a new one."""
    seat, stock = state.turn, state.stock
    joker = joker and not state.joker_out and stock > 0
    count = min(count, stock - joker)
    rest = state.allowance - count if count == stock and count else 0
    state = _hold(state, seat, give(state.hands[seat], unknown=count))
    state = replace(state, stock=stock - count - joker)
    if joker:
        return _appears(state)
    return _drawing(replace(state, allowance=rest)) if rest > 0 else _ended(state)


def _reclaim(state: State, cards: tuple[str, ...]) -> State:
    """One penalty card back into the hand, or none (143)."""
    seat = state.turn
    if cards and cards[0] in state.penalty[seat]:
        rest = tuple(card for card in state.penalty[seat] if card != cards[0])
        state = replace(state, penalty=(*state.penalty[:seat], rest, *state.penalty[seat + 1 :]))
        state = _hold(state, seat, give(state.hands[seat], cards[:1]))
    return _ended(state)


def _ended(state: State) -> State:
    """The action is done: a beaten joker ends the quest (155), a hand without cards its player's game (144)."""
    state = replace(state, allowance=0, forced=False, passed=False, phase=Phase.TURN)
    if state.struck:
        return _final(state)
    if not state.hands[state.turn]:
        return _lost(state, state.turn)
    return replace(state, turn=after(state.turn, state.alive, len(state.players), state.rules.step))


def _hold(state: State, seat: int, hand: Hand) -> State:
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


# --- the end (157-173) -----------------------------------------------------------------------------------------------


def _failed(state: State) -> State:
    """Everybody's game is over: nobody wins (7.12)."""
    hard = (Msg("result.joker-quest.fortune.hard"),) if state.rules.fortune and len(state.players) == 1 else ()
    return replace(state, phase=Phase.OVER, results=(Msg("result.joker-quest.failed"), *hard))


def _final(state: State) -> State:
    """The quest is finished: penalties are paid (158)."""
    return replace(state, phase=Phase.FINAL) if unpaid(state) else _closed(state)


def _pay(state: State, seat: int, cards: tuple[str, ...]) -> State:
    state = _hold(state, seat, take(state.hands[seat], cards))
    state = replace(state, paid=(*state.paid[:seat], cards, *state.paid[seat + 1 :]))
    return state if unpaid(state) else _closed(state)


def _closed(state: State) -> State:
    """The score: cards in hand when the quest ended, less the penalties; none left is game over (157-162)."""
    lines: list[ScoreLine] = []
    for seat in state.alive:
        left = len(state.hands[seat]) + len(state.paid[seat] or ())
        if left:
            lines.append(ScoreLine(seat, left, Msg("score.joker-quest.cards")))
        for card in state.penalty[seat]:
            cost = min(left, value(card))
            lines.append(ScoreLine(seat, -cost, Msg.of("score.joker-quest.penalty", n=value(card)), (card,)))
            left -= cost
    empty = tuple(seat for seat in state.alive if not state.hands[seat])
    state = replace(state, lines=tuple(lines), out=state.out + empty, phase=Phase.OVER)
    if not state.alive:
        return _failed(state)
    return replace(state, phase=Phase.READING) if _read(state) else replace(state, results=_results(state))


def _read(state: State) -> bool:
    return state.rules.fortune and len(state.players) == 1


def _results(state: State) -> tuple[Msg, ...]:
    """Who has most cards; alone, they are the score (161-162)."""
    counts = {seat: len(state.hands[seat]) + (len(state.shown) if seat == 0 else 0) for seat in state.alive}
    best = [seat for seat, count in counts.items() if count == max(counts.values())]
    if len(state.players) == 1:
        return (Msg.of("result.joker-quest.solo", player=best[0], n=counts[best[0]]),)
    key = "winner" if len(best) == 1 else "shared"
    return tuple(Msg.of(f"result.joker-quest.{key}", player=seat, n=counts[seat]) for seat in best)


def _reveal(state: State, cards: tuple[str, ...]) -> State:
    """The final hand is shown and read (169-172)."""
    state = replace(_hold(state, 0, Hand()), shown=cards, phase=Phase.OVER)
    return replace(state, results=_results(state) + fortune_told(cards, state.overcome))
