"""Pokard Trick (ポーカード・トリック) by Domicchi: five tricks whose cards make a poker hand, and chips to pay.

Two to seven players, 54 cards, 30 chips each (26-32). A deal: everybody declares whether he plays; who plays lays
two cards aside; five tricks with a rotating lead; tricks and the best poker hand of captured and laid-aside cards
score; the differences are paid in chips. Numbers in brackets are lines of the rule sheet, 7.x are house rules.

Zones: ``trick``, ``captured:<seat>``, ``aside:<seat>``, ``folded``, ``stock`` (never seen), ``hand:<seat>``.
"""

from __future__ import annotations

from companion.cards import deck
from companion.games.common import form_first, foul, misfit, once_a_state
from companion.games.contract import Game, Setup, SetupError
from companion.games.pokard_trick.deals import agreed_time_over, declare, next_deal, seated, show
from companion.games.pokard_trick.options import OPTIONS, Rules
from companion.games.pokard_trick.prompts import must_play, open_prompts
from companion.games.pokard_trick.state import (
    ASIDE,
    CARDS,
    CHIPS,
    HAND,
    Phase,
    State,
    captured,
    complete,
    in_hand,
    is_joker,
    to_play,
    trick_winner,
)
from companion.games.pokard_trick.tricks import collect, follows, lay_aside, play, proven_revoke, suit_decided
from companion.games.pokard_trick.view import view
from companion.games.pokard_trick.world import Deal
from companion.games.setup import checked_setup, chosen_seat
from companion.games.values import Action, Msg, Prompt, Role, ScoreLine, Verdict, View, Violation, Zone
from companion.games.world import Chance, World

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
    options = OPTIONS

    def start(self, setup: Setup) -> State:
        """Thirty chips each; the first deal is waiting for its declarations."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        dealer = chosen_seat(chosen, "dealer", seats)
        if Rules.of(chosen).bankrupts >= seats:
            raise SetupError(f"of {seats} players at most {seats - 1} can go bankrupt, not {chosen['bankrupts']}")
        return State(
            Rules.of(chosen),
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
        late = state.rules.timed and not state.time_up
        return open_prompts(state) + ((Prompt("time-up", None),) if late else ())

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Turn, phase and cards; a card that does not follow is unproven until the suit shows up (94)."""
        if action.kind == "fold" and must_play(state, action.seat):
            return (foul("dealer-must-play", "7.3"),)
        if action.kind == "collect" and complete(state) and seated(state, action.seat):
            winner = trick_winner(state.table, state.rules.ace_high)
            if winner.seat != action.seat:
                clause = "112" if is_joker(winner.card) else "102"
                return (foul("trick-not-yours", clause, (winner.card,), winner=winner.seat),)
        wrong = misfit(self.prompts(state), action, CLAUSES, len(state.players), deck("54"), _clause)
        if wrong or action.kind != "play":
            return wrong
        return follows(state, to_play(state), action.cards[0])

    def proves(self, state: State, action: Action) -> tuple[Violation, ...]:
        """A card of a suit that its player did not follow before: a revoke, with both tricks and cards (94)."""
        revoke = proven_revoke(state, action)
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

    def decides(self, state: State, doubt: Violation) -> Verdict | None:
        """Not following is judged when the suit turns up, or when all five cards have been seen without it (94)."""
        return suit_decided(state, dict(doubt.params)) if doubt.code == "did-not-follow" else None

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        if state.phase is Phase.OVER:
            return state
        match action.kind:
            case "in" | "fold":
                return declare(state, action.seat, action.kind)
            case "aside":
                return lay_aside(state, action.seat)
            case "play":
                return play(state, action)
            case "collect":
                return collect(state, action.seat)
            case "show":
                return show(state, action)
            case "deal":
                return next_deal(state)
            case "time-up":
                return agreed_time_over(state)
        return state

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        """The trick, the captured cards, two cards aside for each declarer, folded cards and the rest face down."""
        zones = [Zone("trick", tuple(played.card for played in state.table))]
        for seat in range(len(state.players)):
            zones.append(Zone(f"captured:{seat}", captured(state, seat), fan=True))
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
        return Deal(self, setup, chance)


def _clause(kind: str) -> str:
    return CLAUSES.get(kind, "44")
