"""Hexa Card (ヘキサカード) by Morimiya Teru: a small mah-jong with playing cards.

Two to five players, 52 cards, six each (63-71). In turn: a loop (one card from the stock, one discarded, 73) or a
dice (one card blindly from the next player, one of one's own discarded, 74-75; the robbed player makes up for it on
his turn, 76). Whose six cards now make groups of at least five goes out and scores (77-80, 84-107); who wrongly
says so presents ten points to everybody else (112-114). Whoever is complete when the cards are dealt may declare
holy before the first turn (108-110). Twice as many games as players, the highest total wins (81). Numbers in
brackets are lines of the rule sheet, 7.x are house rules.

Hands are secret to the referee too. What is public it enforces at once: turns, one card discarded, the stock, the
six cards shown. Whether a dice really exchanged (75) only the robbed player knows: it stands unproven until he
says so (`contest`).

Zones: ``discard`` (a pile), ``stock``, ``hand:<seat>``, ``shown:<seat>`` (six cards of a declaration).
"""

from __future__ import annotations

from types import MappingProxyType

from companion.cards import deck
from companion.games.common import form_first, foul, misfit, once_a_state, replace, unproven
from companion.games.contract import Game, Setup
from companion.games.hexa_card.declarations import closed, declare, leaders, next_game, scored
from companion.games.hexa_card.options import OPTIONS, Rules
from companion.games.hexa_card.prompts import may_be_holy, move, prompt, show
from companion.games.hexa_card.state import (
    DECK,
    HAND,
    Phase,
    State,
    can_dice,
    can_loop,
    complete_before,
    dealt,
    loop_draw,
    next_player,
)
from companion.games.hexa_card.view import view
from companion.games.hexa_card.world import Deal
from companion.games.setup import checked_setup, chosen_seat
from companion.games.values import Action, Msg, Prompt, Role, ScoreLine, Verdict, View, Violation, Zone
from companion.games.world import Chance, World
from companion.hands.hexa import may_go_out

KINDS = ("holy", "loop", "dice", "contest", "out", "washout", "score", "deal")

CLAUSES = {
    "holy": "110",
    "loop": "73",
    "dice": "74",
    "contest": "75",
    "out": "77",
    "washout": "79",
    "score": "80",
    "deal": "81",
}
"""Kinds of action, and where the sheet speaks of them."""

CODES = frozenset(deck(DECK).codes)


class HexaCard(Game[State]):
    """The referee of Hexa Card."""

    id = "hexa-card"
    least_players = 2
    most_players = 5
    decks = ("52D1",)
    options = OPTIONS
    drawn = MappingProxyType({"loop": "before"})  # (73)

    def start(self, setup: Setup) -> State:
        """Six cards each, the first of the games of the match (70, 81)."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        starter = chosen_seat(chosen, "starter", seats)
        return dealt(State(Rules.of(chosen), setup.players, starter, tuple(range(seats))))

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """What may be declared, then what the next player may do."""
        match state.phase:
            case Phase.OVER:
                return ()
            case Phase.SCORED:
                return (prompt("deal", None),)
            case Phase.HOLY:
                return (*(show("holy", seat) for seat in may_be_holy(state)), prompt("score", None))
        found = [show("holy", seat) for seat in may_be_holy(state)]
        if state.mover is not None:
            found.append(show("out", state.mover))
        if state.victim is not None and not state.rules.may_return and not state.contested:
            found.append(prompt("contest", state.victim))
        loop, dice = can_loop(state), can_dice(state)
        if loop:
            found.append(move("loop", state.turn, "loop-draws", n=loop_draw(state)))
        if dice:
            key = "dice-chosen" if state.rules.victim_chooses else "dice-from"
            found.append(move("dice", state.turn, key, victim=next_player(state, state.turn)))
        if not loop and not dice:
            found.append(prompt("washout", None))
        return tuple(found)

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turns, the stock, one card discarded, six cards shown; a dice stays unproven (75)."""
        cite = CLAUSES.get(action.kind, "72")
        violations = misfit(self.prompts(state), action, KINDS, len(state.players), CODES, cite)
        if violations:
            return _told(state, action) or violations
        if action.kind in ("out", "holy"):
            return _twice(action)
        if action.kind == "dice" and not state.rules.may_return:
            victim = next_player(state, state.turn)
            return (unproven("dice-exchange", "75", action.cards, victim=victim, number=state.game, move=state.turns),)
        return ()

    def proves(self, state: State, action: Action) -> tuple[Violation, ...]:
        """A declaration without a hand (113), a dice that gave the same card back (75), and, where going out is
        compulsory, a hand that was complete a turn ago (77)."""
        seat, cards = action.seat, action.cards
        if action.kind == "contest" and state.victim is not None and seat == state.victim and not state.contested:
            return (foul("stolen-card-returned", "75", state.discard[-1:], seat=state.mover or 0, victim=state.victim),)
        if action.kind not in ("out", "holy") or seat is None or self.check(state, action):
            return ()
        if not may_go_out(cards, dict(state.rules.hands)):
            return (foul("false-out", "113", cards, seat=seat, action=action.kind),)
        if state.rules.auto_out and action.kind == "out" and complete_before(state, seat, cards):
            return (foul("missed-out", "77", cards, seat=seat),)
        return ()

    def decides(self, state: State, doubt: Violation) -> Verdict | None:
        """A dice is in order when the robbed player has let his chance to object go by (75)."""
        what = dict(doubt.params)
        if doubt.code != "dice-exchange":
            return None
        if (state.game, state.turns) != (what["number"], int(what["move"]) + 1):
            return Verdict.LEGAL
        if state.contested:
            return Verdict.FOUL
        return None if state.phase is Phase.TURN else Verdict.LEGAL

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        seat = action.seat
        cards = tuple([card for card in action.cards if card in CODES])
        match action.kind:
            case "score" if state.phase is Phase.HOLY:
                return scored(state)
            case "deal" if state.phase is Phase.SCORED:
                return next_game(state)
            case "washout" if state.phase is Phase.TURN and not can_loop(state) and not can_dice(state):
                return closed(replace(state, results=(Msg.of("result.hexa-card.washout", game=state.game),)))
        if seat is None or seat not in state.playing or state.phase not in (Phase.TURN, Phase.HOLY):
            return state
        if action.kind in ("out", "holy"):
            return declare(state, seat, action.kind == "holy", cards)
        if action.kind == "contest":
            return replace(state, contested=True) if seat == state.victim else state
        if action.kind in ("loop", "dice") and state.phase is Phase.TURN and cards:
            return _moved(state, seat, action.kind, cards)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """The pile, the stock, and declared hands."""
        zones = [Zone("discard", state.discard, pile=True), Zone("stock", down=state.stock, pile=True)]
        shown = {declared.seat: declared.cards for declared in state.declared}
        zones += [Zone(f"shown:{seat}", shown.get(seat, ())) for seat in range(len(state.players))]
        return tuple(zones)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands, of which only the number of cards is known."""
        hands = tuple(Zone(f"hand:{seat}", down=count) for seat, count in enumerate(state.hands))
        return self.expected_table(state) + hands

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """Every group, bonus and present of every game so far."""
        return state.lines

    def winners(self, state: State) -> tuple[int, ...]:
        """The highest total (81), shared when it is (7.15)."""
        return leaders(state) if state.phase is Phase.OVER else ()

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: the referee knows nothing that is secret."""
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return Deal(self, setup, chance)


def _told(state: State, action: Action) -> tuple[Violation, ...]:
    """The reasons of this game, where they say more than that the action does not fit."""
    seat, kind = action.seat, action.kind
    if seat is None or seat not in state.playing:
        return ()
    if kind == "holy" and not state.turns and state.declared and all(d.seat != seat for d in state.declared):
        return (foul("holy-declared-before", "7.12", seat=seat, by=state.declared[0].seat),)
    if state.phase is not Phase.TURN:
        return ()
    if kind == "holy" and state.turns:
        return (foul("holy-too-late", "110", seat=seat),)
    if kind == "out" and seat != state.mover:
        return (foul("out-not-now", "77", seat=seat),)
    if kind not in ("loop", "dice") or seat != state.turn:
        return ()
    if not can_loop(state) and not can_dice(state):
        return (foul("stock-exhausted", "79"),)
    if kind == "dice" and not can_dice(state):
        return (foul("robbed-must-loop", "7.4", seat=seat),)
    if kind == "loop" and not can_loop(state):
        return (foul("stock-too-short", "79", needs=loop_draw(state), stock=state.stock),)
    return ()


def _twice(action: Action) -> tuple[Violation, ...]:
    """One deck holds every card once: a second one among the six is a misread."""
    double = tuple(card for card in dict.fromkeys(action.cards) if action.cards.count(card) > 1)
    return (foul("card-shown-twice", "64", double),) if double else ()


# --- turns (72-79) ---------------------------------------------------------------------------------------------------


def _moved(state: State, seat: int, kind: str, cards: tuple[str, ...]) -> State:
    """A loop or a dice: cards come in, one goes out, and the next player is due."""
    hands, stock = list(state.hands), state.stock
    lacking = max(0, HAND - hands[seat])
    drawn = min(stock, lacking + (1 if kind == "loop" else 0))
    hands[seat] += drawn
    victim = next_player(state, seat) if kind == "dice" else None
    if victim is not None and hands[victim]:
        hands[victim] -= 1
        hands[seat] += 1
    hands[seat] = max(0, hands[seat] - len(cards))
    return replace(
        state,
        hands=tuple(hands),
        stock=stock - drawn,
        discard=state.discard + cards,
        discards=(*state.discards, (seat, cards[-1])),
        robberies=(*state.robberies, (victim, len(state.discards))) if victim is not None else state.robberies,
        mover=seat,
        victim=victim,
        contested=False,
        turns=state.turns + 1,
        turn=next_player(state, seat),
    )
