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

from functools import cache

from companion.cards import deck
from companion.games.common import checked_setup, foul, misfit, once_a_state, replace, unproven
from companion.games.contract import (
    Action,
    Game,
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
from companion.games.hexa_card.score import score_lines
from companion.games.hexa_card.state import (
    DECK,
    HAND,
    PRESENT,
    Declared,
    Phase,
    Rules,
    State,
    can_dice,
    can_loop,
    complete_before,
    dealt,
    loop_draw,
    next_player,
    turn_order,
)
from companion.games.hexa_card.view import view
from companion.games.hexa_card.world import HexaWorld
from companion.games.turns import DIRECTIONS, after, starter_option, starting_seat, step_of
from companion.games.world import Chance, World
from companion.hands.hexa import best_partition, may_go_out

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

_CODES = frozenset(deck(DECK).codes)
_HAND_RULES = ("ace_run", "amulet_voluntary", "amulet_inside", "friend_park", "amulet_counts")


class HexaCard(Game[State]):
    """The referee of Hexa Card."""

    id = "hexa-card"
    least_players = 2
    most_players = 5
    decks = ("52D1",)
    options = (
        starter_option("69"),
        Option("direction", DIRECTIONS, "7.1"),
        Option("dice", ("blind", "victim_chooses"), "7.2"),
        Option("dice_return", ("no", "yes"), "7.3"),
        Option("robbed", ("draw_first", "must_loop"), "7.4"),
        Option("out", ("declared", "auto"), "7.5"),
        Option("ace_run", ("low", "both"), "7.6"),
        Option("amulet_voluntary", ("yes", "no"), "7.7"),
        Option("amulet_inside", ("no", "yes"), "7.8"),
        Option("friend_park", ("few", "strict"), "7.9"),
        Option("amulet_counts", ("no", "yes"), "7.10"),
        Option("holy", ("first", "all_score"), "7.12"),
        Option("tie", ("shared", "playoff"), "7.15"),
    )

    def start(self, setup: Setup) -> State:
        """Six cards each, the first of the games of the match (70, 81)."""
        setup = checked_setup(self, setup)
        chosen = setup.chosen(self)
        rules = Rules(
            step=step_of(chosen["direction"]),
            victim_chooses=chosen["dice"] == "victim_chooses",
            may_return=chosen["dice_return"] == "yes",
            must_loop=chosen["robbed"] == "must_loop",
            auto_out=chosen["out"] == "auto",
            all_holy=chosen["holy"] == "all_score",
            playoff=chosen["tie"] == "playoff",
            hands=tuple((name, chosen[name]) for name in _HAND_RULES),
        )
        seats = tuple(range(len(setup.players)))
        return dealt(State(rules, setup.players, starting_seat(self, setup), seats))

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """What may be declared, then what the next player may do."""
        match state.phase:
            case Phase.OVER:
                return ()
            case Phase.SCORED:
                return (_prompt("deal", None),)
            case Phase.HOLY:
                return (*(_show("holy", seat) for seat in _may_be_holy(state)), _prompt("score", None))
        found = [_show("holy", seat) for seat in _may_be_holy(state)]
        if state.mover is not None:
            found.append(_show("out", state.mover))
        if state.victim is not None and not state.rules.may_return and not state.contested:
            found.append(_prompt("contest", state.victim))
        loop, dice = can_loop(state), can_dice(state)
        if loop:
            found.append(_move("loop", state.turn, "loop-draws", n=loop_draw(state)))
        if dice:
            key = "dice-chosen" if state.rules.victim_chooses else "dice-from"
            found.append(_move("dice", state.turn, key, victim=next_player(state, state.turn)))
        if not loop and not dice:
            found.append(_prompt("washout", None))
        return tuple(found)

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turns, the stock, one card discarded, six cards shown; a dice stays unproven (75)."""
        cite = CLAUSES.get(action.kind, "72")
        violations = misfit(self.prompts(state), action, KINDS, len(state.players), _CODES, cite)
        if violations:
            return _told(state, action) or violations
        if action.kind in ("out", "holy"):
            return _twice(action)
        if action.kind == "dice" and not state.rules.may_return:
            return (unproven("dice-exchange", "75", action.cards, victim=next_player(state, state.turn)),)
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
            return (foul("false-out", "113", cards, seat=seat),)
        if state.rules.auto_out and action.kind == "out" and complete_before(state, seat, cards):
            return (foul("missed-out", "77", cards, seat=seat),)
        return ()

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        seat = action.seat
        cards = tuple([card for card in action.cards if card in _CODES])
        match action.kind:
            case "score" if state.phase is Phase.HOLY:
                return _scored(state)
            case "deal" if state.phase is Phase.SCORED:
                return _next_game(state)
            case "washout" if state.phase is Phase.TURN and not can_loop(state) and not can_dice(state):
                return _closed(replace(state, results=(Msg.of("result.hexa-card.washout", game=state.game),)))
        if seat is None or seat not in state.playing or state.phase not in (Phase.TURN, Phase.HOLY):
            return state
        if action.kind in ("out", "holy"):
            return _declare(state, seat, action.kind == "holy", cards)
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
        return HexaWorld(self, setup, chance)


def leaders(state: State) -> tuple[int, ...]:
    """The seats with the highest total so far; of those still playing, after a tie (7.15)."""
    totals = {seat: sum(line.points for line in state.lines if line.seat == seat) for seat in state.playing}
    return tuple(seat for seat, total in totals.items() if total == max(totals.values()))


# --- what is open ----------------------------------------------------------------------------------------------------


def _label(kind: str, **params: int) -> Msg:
    return Msg.of(f"action.hexa-card.{kind}", **params)


@cache
def _prompt(kind: str, seat: int | None) -> Prompt:
    return Prompt(kind, seat, label=_label(kind))


@cache
def _move(kind: str, seat: int, label: str, **params: int) -> Prompt:
    return Prompt(kind, seat, Slot(1, 1, None, f"hand:{seat}", "discard"), label=_label(label, **params))


@cache
def _show(kind: str, seat: int) -> Prompt:
    return Prompt(kind, seat, Slot(HAND, HAND, None, f"hand:{seat}", f"shown:{seat}"), label=_label(kind))


def _may_be_holy(state: State) -> tuple[int, ...]:
    """Before the first turn everybody may declare (110); once somebody has, those whose declaration still matters:
    everybody where all score, else whoever comes earlier in turn order (7.12)."""
    if state.turns:
        return ()
    order, done = turn_order(state), [declared.seat for declared in state.declared]
    if done and not state.rules.all_holy:
        order = order[: min(order.index(seat) for seat in done)]
    return tuple(seat for seat in order if seat not in done)


def _told(state: State, action: Action) -> tuple[Violation, ...]:
    """The reasons of this game, where they say more than that the action does not fit."""
    seat, kind = action.seat, action.kind
    if seat is None or seat not in state.playing or state.phase is not Phase.TURN:
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


# --- declarations (77-114) -------------------------------------------------------------------------------------------


def _declare(state: State, seat: int, holy: bool, cards: tuple[str, ...]) -> State:
    """Six cards shown: a hand that is out, or a present for the others."""
    if len(cards) != HAND or len(set(cards)) != HAND or any(seat == declared.seat for declared in state.declared):
        return state
    holy = holy and not state.turns
    partition = best_partition(cards, {**dict(state.rules.hands), "holy": "yes" if holy else "no"})
    hands = (*state.hands[:seat], max(0, state.hands[seat] - HAND), *state.hands[seat + 1 :])
    state = replace(state, hands=hands, declared=(*state.declared, Declared(seat, cards, partition)))
    if holy and _may_be_holy(state):
        return replace(state, phase=Phase.HOLY)
    return _scored(state)


def _scored(state: State) -> State:
    """The declarations count: all of them, or the first in turn order (7.12)."""
    order = turn_order(state)
    declared = sorted(state.declared, key=lambda d: order.index(d.seat))
    if not state.rules.all_holy:
        declared = declared[:1]
    lines, results = list(state.lines), []
    for one in declared:
        if one.partition.out:
            lines += score_lines(state.game, one, state.rules)
            key = "holy" if one.partition.holy else "out"
            points = one.partition.score
            results.append(Msg.of(f"result.hexa-card.{key}", player=one.seat, points=points, cards=one.cards))
        else:
            reason = Msg.of("score.hexa-card.present", game=state.game, player=one.seat)
            lines += [ScoreLine(seat, PRESENT, reason) for seat in state.playing if seat != one.seat]
            results.append(Msg.of("result.hexa-card.present", player=one.seat, points=PRESENT))
    return _closed(replace(state, lines=tuple(lines), results=tuple(results)))


# --- between the games (81) ------------------------------------------------------------------------------------------


def _closed(state: State) -> State:
    """A game is done; after the last one the match is, unless a tie is to be played off (7.15)."""
    last = state.game >= 2 * len(state.players)
    if not last or (state.rules.playoff and len(leaders(state)) > 1):
        return replace(state, phase=Phase.SCORED)
    best = leaders(state)
    key = "winner" if len(best) == 1 else "shared"
    totals = {seat: sum(line.points for line in state.lines if line.seat == seat) for seat in best}
    names = tuple(Msg.of(f"result.hexa-card.{key}", player=seat, points=totals[seat]) for seat in best)
    return replace(state, phase=Phase.OVER, results=state.results + names)


def _next_game(state: State) -> State:
    """Fresh cards; the start passes on to the next player, so that everybody begins twice."""
    playing = leaders(state) if state.game >= 2 * len(state.players) else state.playing
    starter = after(state.starter, playing, len(state.players), state.rules.step)
    return dealt(replace(state, game=state.game + 1, starter=starter, playing=playing))
