"""Pokard Trick (ポーカード・トリック) by Domicchi: five tricks whose cards make a poker hand, and chips to pay.

Two to seven players, 54 cards, 30 chips each (26-32). A deal: everybody declares whether he plays; who plays lays
two cards aside; five tricks with a rotating lead; tricks and the best poker hand of captured and laid-aside cards
score; the differences are paid in chips. Numbers in brackets are lines of the rule sheet, 7.x are house rules.

Zones: ``trick``, ``captured:<seat>``, ``aside:<seat>``, ``folded``, ``stock`` (never seen), ``hand:<seat>``.
"""

from __future__ import annotations

from typing import TypeVar

from companion.cards import deck
from companion.games.common import checked_setup, foul, misfit, next_seat, once_a_state, replace, unproven
from companion.games.contract import (
    Action,
    Game,
    Msg,
    Option,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    SetupError,
    Slot,
    View,
    Violation,
    Zone,
)
from companion.games.pokard_trick.points import deal_scores, point_results, settlement_lines
from companion.games.pokard_trick.settlement import settle
from companion.games.pokard_trick.state import (
    ASIDE,
    CARDS,
    CHIPS,
    FEE,
    HAND,
    TRICKS,
    Phase,
    Play,
    Revoke,
    Rules,
    State,
    Trick,
    captured,
    complete,
    declarers,
    in_hand,
    is_joker,
    played_cards,
    plays_of,
    suit_of,
    to_declare,
    to_play,
    trick_winner,
    turn_order,
    voids,
)
from companion.games.pokard_trick.view import view
from companion.games.pokard_trick.world import PokardWorld
from companion.games.world import Chance, World

T = TypeVar("T")

CLAUSES = {
    "in": "58",
    "fold": "60",
    "aside": "80",
    "play": "90",
    "collect": "106",
    "show": "166",
    "deal": "214",
    "time-up": "234",
}
"""Kinds of action, and where the sheet speaks of them."""


class PokardTrick(Game[State]):
    """The referee of Pokard Trick."""

    id = "pokard-trick"
    least_players = 2
    most_players = 7
    decks = ("54",)
    options = (
        Option("end", ("deals", "time", "bankrupts"), "232"),
        Option("deals", ("5", "1", "2", "3", "4", "6", "7", "8", "10", "12", "15", "20"), "236"),
        Option("bankrupts", ("1", "2", "3", "4", "5", "6"), "238"),
        Option("dealer", ("1", "2", "3", "4", "5", "6", "7"), "50"),
        Option("ace_trick", ("high", "low"), "7.1"),
        Option("ace_run", ("both", "low", "high"), "7.2"),
        Option("all_fold", ("fees_stay", "dealer_plays"), "7.3"),
        Option("fee_remainder", ("top", "carry"), "7.4"),
        Option("revoke", ("warn", "zero_points", "deal_void"), "7.6"),
        Option("settle", ("differences", "net"), "7.7"),
        Option("aside", ("if_used", "always_shown"), "7.8"),
    )

    def start(self, setup: Setup) -> State:
        """Thirty chips each; the first deal is waiting for its declarations."""
        setup = checked_setup(self, setup)
        chosen = setup.chosen(self)
        seats, dealer = len(setup.players), int(chosen["dealer"]) - 1
        if dealer >= seats:
            raise SetupError(f"the dealer is one of the {seats} players, not player {dealer + 1}")
        if chosen["end"] == "bankrupts" and int(chosen["bankrupts"]) >= seats:
            raise SetupError(f"of {seats} players at most {seats - 1} can go bankrupt, not {chosen['bankrupts']}")
        rules = Rules(
            ace_high=chosen["ace_trick"] == "high",
            ace_run=chosen["ace_run"],
            dealer_plays=chosen["all_fold"] == "dealer_plays",
            carry_remainder=chosen["fee_remainder"] == "carry",
            revoke=chosen["revoke"],
            net=chosen["settle"] == "net",
            aside_shown=chosen["aside"] == "always_shown",
            end=chosen["end"],
            limit=int(chosen[chosen["end"]]) if chosen["end"] != "time" else 0,
        )
        return State(
            rules,
            setup.players,
            dealer,
            chips=(CHIPS,) * seats,
            bankrupt=(False,) * seats,
            lines=tuple(ScoreLine(seat, CHIPS, Msg("score.pokard.start")) for seat in range(seats)),
            declared=("",) * seats,
            shown=(None,) * seats,
            laid=(False,) * seats,
        )

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """What is open in the phase, and the end of the agreed time."""
        if state.phase is Phase.OVER:
            return ()
        late = state.rules.end == "time" and not state.time_up
        return _open(state) + ((Prompt("time-up", None),) if late else ())

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn, phase and cards; a card that does not follow is unproven until the suit shows up (94)."""
        if action.kind == "fold" and _must_play(state, action.seat):
            return (foul("dealer-must-play", "7.3"),)
        if action.kind == "collect" and complete(state) and _seated(state, action.seat):
            winner = trick_winner(state.table, state.rules.ace_high)
            if winner.seat != action.seat:
                clause = "112" if is_joker(winner.card) else "102"
                return (foul("trick-not-yours", clause, (winner.card,), winner=winner.seat),)
        wrong = misfit(self.prompts(state), action, CLAUSES, len(state.players), deck("54"), _clause)
        if wrong or action.kind != "play":
            return wrong
        return _follows(state, to_play(state), action.cards[0])

    def proves(self, state: State, action: Action) -> tuple[Violation, ...]:
        """A card of a suit that its player did not follow before: a revoke, with both tricks and cards (94)."""
        revoke = _revoke(state, action)
        if revoke is None:
            return ()
        cards = (revoke.card, revoke.later)
        return (
            foul(
                "revoke",
                "94",
                cards,
                seat=revoke.seat,
                suit=revoke.suit,
                trick=revoke.trick,
                later_trick=revoke.later_trick,
            ),
        )

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        if state.phase is Phase.OVER:
            return state
        match action.kind:
            case "in" | "fold":
                return _declare(state, action.seat, action.kind)
            case "aside":
                return _lay_aside(state, action.seat)
            case "play":
                return _play(state, action)
            case "collect":
                return _collect(state, action.seat)
            case "show":
                return _show(state, action)
            case "deal":
                return _next_deal(state)
            case "time-up":
                return _time_up(state)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """The trick, the captured cards, two cards aside for each declarer, folded cards and the rest face down."""
        zones = [Zone("trick", tuple(play.card for play in state.table))]
        for seat in range(len(state.players)):
            zones.append(Zone(f"captured:{seat}", captured(state, seat)))
            shown = state.shown[seat] or ()
            zones.append(Zone(f"aside:{seat}", shown, down=max(0, ASIDE - len(shown)) if state.laid[seat] else 0))
        zones.append(Zone("folded", down=HAND * state.declared.count("fold"), pile=True))
        dealt = HAND * (len(state.players) - state.declared.count("out"))
        zones.append(Zone("stock", down=CARDS - dealt, pile=True))
        return tuple(zones)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        """The table and the hands, of which only the number of cards is known."""
        hands = tuple(Zone(f"hand:{seat}", down=max(0, in_hand(state, seat))) for seat in range(len(state.players)))
        return self.expected_table(state) + hands

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        """Every movement of chips; a player's lines add up to his chips."""
        return state.lines

    def view(self, state: State, role: Role) -> View:
        """The same for everybody: the referee knows nothing that is secret."""
        return view(state, self.prompts(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        """True hands for bots and tests."""
        return PokardWorld(self, setup, chance)


def _clause(kind: str) -> str:
    return CLAUSES.get(kind, "44")


def _seated(state: State, seat: int | None) -> bool:
    return seat is not None and 0 <= seat < len(state.players)


def _open(state: State) -> tuple[Prompt, ...]:
    """The prompts of the phase."""
    match state.phase:
        case Phase.DECLARE:
            seat = to_declare(state)
            fold = () if _must_play(state, seat) else (Prompt("fold", seat),)
            return (Prompt("in", seat), *fold)
        case Phase.ASIDE:
            return tuple(
                Prompt("aside", seat, Slot(ASIDE, ASIDE, None, f"hand:{seat}", f"aside:{seat}", "down"))
                for seat in turn_order(state)
                if not state.laid[seat]
            )
        case Phase.TRICK if complete(state):
            return (Prompt("collect", trick_winner(state.table, state.rules.ace_high).seat),)
        case Phase.TRICK:
            seat = to_play(state)
            return (Prompt("play", seat, Slot(1, 1, None, f"hand:{seat}", "trick")),)
        case Phase.SHOW:
            least = ASIDE if state.rules.aside_shown else 0
            return tuple(
                Prompt("show", seat, Slot(least, ASIDE, None, f"aside:{seat}", f"aside:{seat}"))
                for seat in turn_order(state)
                if state.shown[seat] is None
            )
        case _:
            return (Prompt("deal", _next_dealer(state)),)


# --- declaring (48-72) -----------------------------------------------------------------------------------------------


def _must_play(state: State, seat: int | None) -> bool:
    """House rule 7.3: when all others folded, the dealer plays."""
    if not state.rules.dealer_plays or state.phase is not Phase.DECLARE or seat != state.dealer:
        return False
    others = [said for at, said in enumerate(state.declared) if at != seat]
    return all(said in ("fold", "out") for said in others)


def _declare(state: State, seat: int | None, choice: str) -> State:
    if state.phase is not Phase.DECLARE or not _seated(state, seat) or seat is None or state.declared[seat]:
        return state
    state = replace(state, declared=_put(state.declared, seat, choice), said=(*state.said, seat))
    if choice == "fold":
        line = ScoreLine(seat, -FEE, Msg.of("score.pokard.fee", deal=state.deal))
        state = replace(
            state,
            chips=_put(state.chips, seat, state.chips[seat] - FEE),
            centre=state.centre + FEE,
            lines=(*state.lines, line),
        )
    if "" in state.declared:
        return state
    playing = declarers(state)
    if not playing:
        return _close(state, (Msg.of("result.pokard.all-folded", chips=state.centre),))
    if len(playing) == 1:
        return _solo(state, playing[0])
    return replace(state, phase=Phase.ASIDE)


def _solo(state: State, seat: int) -> State:
    """A single declarer takes the chips in the centre without a trick (70-72)."""
    line = ScoreLine(seat, state.centre, Msg.of("score.pokard.solo", deal=state.deal))
    result = Msg.of("result.pokard.solo", player=seat, chips=state.centre)
    state = replace(
        state,
        chips=_put(state.chips, seat, state.chips[seat] + state.centre),
        centre=0,
        lines=(*state.lines, line) if state.centre else state.lines,
    )
    return _close(state, (result,))


# --- tricks (76-130) -------------------------------------------------------------------------------------------------


def _lay_aside(state: State, seat: int | None) -> State:
    if state.phase is not Phase.ASIDE or seat not in declarers(state) or state.laid[seat]:
        return state
    state = replace(state, laid=_put(state.laid, seat, True))
    done = all(state.laid[s] for s in declarers(state))
    return replace(state, phase=Phase.TRICK) if done else state


def _follows(state: State, seat: int, card: str) -> tuple[Violation, ...]:
    """Not following is in order only without the suit: unproven, unless nobody can hold the suit any more."""
    lead = suit_of(state.table[0].card) if state.table else ""
    if not lead or suit_of(card) in (lead, ""):
        return ()
    seen = {c for c in played_cards(state) if suit_of(c) == lead}
    if len(seen) == 13 or lead in voids(state, seat):
        return ()
    return (unproven("did-not-follow", "94", (state.table[0].card, card), seat=seat, suit=lead),)


def _revoke(state: State, action: Action) -> Revoke | None:
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
    return complete(state) or all(play.seat != seat for play in state.table)


def _play(state: State, action: Action) -> State:
    seat, cards = action.seat, action.cards
    if not _can_play(state, seat) or seat is None or len(cards) != 1 or cards[0] not in deck("54"):
        return state
    revoke = _revoke(state, action)
    if complete(state):
        # Somebody leads before the trick was taken: the table plays on, so its winner has it.
        state = _collect(state, trick_winner(state.table, state.rules.ace_high).seat)
    state = replace(state, table=(*state.table, Play(seat, cards[0])))
    if revoke is None:
        return state
    state = replace(state, revokes=(*state.revokes, revoke))
    if state.rules.revoke == "deal_void":
        return _close(state, (Msg.of("result.pokard.void", player=seat, suit=revoke.suit),))
    return state


def _collect(state: State, seat: int | None) -> State:
    """The winner lays the trick open before him (106, 118); after five tricks the hands are shown."""
    if not complete(state) or seat is None or seat not in declarers(state):
        return state
    tricks = (*state.tricks, Trick(state.table, seat))
    phase = Phase.SHOW if len(tricks) == TRICKS else Phase.TRICK
    return replace(state, tricks=tricks, table=(), phase=phase)


# --- points and settlement (156-212) ---------------------------------------------------------------------------------


def _show(state: State, action: Action) -> State:
    seat = action.seat
    if state.phase is not Phase.SHOW or seat not in declarers(state) or state.shown[seat] is not None:
        return state
    cards = tuple(card for card in action.cards if card in deck("54"))[:ASIDE]
    state = replace(state, shown=_put(state.shown, seat, cards))
    if any(state.shown[s] is None for s in declarers(state)):
        return state
    return _settle(state)


def _settle(state: State) -> State:
    """Points, chips and the lines of the score sheet (156-212)."""
    scores = deal_scores(state)
    done = settle(
        state.chips,
        state.centre,
        scores,
        turn_order(state),
        net=state.rules.net,
        carry_remainder=state.rules.carry_remainder,
    )
    lines = state.lines + settlement_lines(state.deal, done)
    return _close(replace(state, chips=done.chips, centre=done.centre, lines=lines), point_results(scores))


# --- between the deals (214-242) -------------------------------------------------------------------------------------


def _close(state: State, results: tuple[Msg, ...]) -> State:
    """The deal is done: whoever has no chip left is bankrupt (222); the agreed end, if it has come (232-238)."""
    broke = tuple(chips == 0 for chips in state.chips)
    new = [s for s, gone in enumerate(broke) if gone and not state.bankrupt[s]]
    results += tuple(Msg.of("result.pokard.bankrupt", player=seat) for seat in new)
    state = replace(state, bankrupt=broke, results=results, phase=Phase.SETTLED)
    return _finish(state) if _at_end(state) else state


def _at_end(state: State) -> bool:
    rules = state.rules
    if state.time_up or state.bankrupt.count(False) < 2:
        return True
    if rules.end == "deals":
        return state.deal >= rules.limit
    return rules.end == "bankrupts" and state.bankrupt.count(True) >= rules.limit


def winners(state: State) -> tuple[int, ...]:
    """Most chips (240); several with equal chips draw (242)."""
    return tuple(seat for seat, chips in enumerate(state.chips) if chips == max(state.chips))


def _finish(state: State) -> State:
    best = winners(state)
    names = tuple(Msg.of("result.pokard.winner", player=s, chips=state.chips[s]) for s in best)
    draw = (Msg.of("result.pokard.draw", players=len(best)),) if len(best) > 1 else ()
    return replace(state, phase=Phase.OVER, results=state.results + draw + names)


def _time_up(state: State) -> State:
    """The agreed time is over: the deal being played is finished first (234)."""
    if state.rules.end != "time" or state.time_up:
        return state
    state = replace(state, time_up=True)
    return _finish(state) if state.phase is Phase.SETTLED else state


def _next_dealer(state: State) -> int:
    """The dealer moves left (214); seats of bankrupts are skipped (7.11)."""
    solvent = [seat for seat, gone in enumerate(state.bankrupt) if not gone]
    return next_seat(state.dealer, solvent, len(state.players))


def _next_deal(state: State) -> State:
    if state.phase is not Phase.SETTLED:
        return state
    seats = len(state.players)
    return replace(
        state,
        phase=Phase.DECLARE,
        deal=state.deal + 1,
        dealer=_next_dealer(state),
        declared=tuple("out" if gone else "" for gone in state.bankrupt),
        said=(),
        laid=(False,) * seats,
        tricks=(),
        table=(),
        shown=(None,) * seats,
        revokes=(),
        results=(),
    )


def _put(items: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*items[:at], value, *items[at + 1 :])
