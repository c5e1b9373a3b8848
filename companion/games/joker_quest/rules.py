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

from types import MappingProxyType

from companion.cards import deck
from companion.games.common import form_first, give, misfit, once_a_state, replace
from companion.games.contract import Game, Setup
from companion.games.joker_quest.checks import shortage, told, wrong
from companion.games.joker_quest.ending import pay, reveal
from companion.games.joker_quest.options import OPTIONS, Rules
from companion.games.joker_quest.prompts import draw_prompts, joker_prompts, label, pay_prompt, turn_prompts
from companion.games.joker_quest.state import DECK, HAND, JOKER, Phase, State, hold, kings_to_lay, sought, unpaid
from companion.games.joker_quest.turns import act, appears, draw, guarded, kept_back, lost, reclaim
from companion.games.joker_quest.view import view
from companion.games.joker_quest.world import Deal
from companion.games.setup import checked_setup, chosen_seat
from companion.games.values import UNKNOWN, Action, Hand, Prompt, Role, ScoreLine, Slot, View, Violation, Zone
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
CODES = frozenset(deck(DECK).codes)
_ACTING = (Phase.TURN, Phase.DRAW, Phase.RECLAIM)
"""Phases in which the table may go on with an action, though in some of them it comes too early."""


class JokerQuest(Game[State]):
    """The referee of Joker Quest."""

    id = "joker-quest"
    least_players = 1
    most_players = 5
    decks = (DECK,)
    options = OPTIONS
    drawn = MappingProxyType({"joker": "after"})  # another card is drawn for him (127)

    def start(self, setup: Setup) -> State:
        """Four cards each; the first road is not turned up yet (123-128)."""
        setup = checked_setup(self, setup)
        chosen, seats = setup.chosen(self), len(setup.players)
        return State(
            Rules.of(chosen),
            setup.players,
            chosen_seat(chosen, "starter", seats),
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
                return (*joker_prompts(state), Prompt("turn-up", None, slot, label=label("turn-up")))
            case Phase.KINGS:
                count = kings_to_lay(state)
                return (Prompt("kings", None, Slot(count, count, None, "stock", "kings"), label=label("kings")),)
            case Phase.TURN:
                late = joker_prompts(state) if sought(state) else ()
                return (*turn_prompts(state), *late)
            case Phase.DRAW:
                return draw_prompts(state)
            case Phase.RECLAIM:
                seat = state.turn
                slot = Slot(0, 1, state.penalty[seat], f"penalty:{seat}", f"hand:{seat}")
                return (Prompt("reclaim", seat, slot, label=label("reclaim"), skipped=Action("reclaim", seat)),)
            case Phase.FINAL:
                return tuple(pay_prompt(state, seat) for seat in unpaid(state))
            case Phase.READING:
                count = len(state.hands[0])
                return (Prompt("reveal", 0, Slot(count, count, None, "hand:0", "shown:0"), label=label("reveal")),)
        return ()

    @form_first
    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """Suits, differences, the order of things: nearly everything here is public."""
        cite = CLAUSES.get(action.kind, "130")
        violations = misfit(self.prompts(state), action, CLAUSES, len(state.players), CODES, cite)
        return (told(state, action) or violations) if violations else wrong(state, action)

    def full(self, state: State, action: Action) -> bool:
        """What the first card lacks is made up for with just so many cards (140, 149)."""
        above = state.road if action.kind == "play" else str(action.arg("king"))
        known = action.kind in ("play", "attack") and bool(action.cards) and {above, action.cards[0]} <= CODES - {JOKER}
        return known and len(action.cards) > max(0, shortage(state, action))

    def apply(self, state: State, action: Action) -> State:
        """The next state; a fouled action counts as it lies, an action without any meaning changes nothing."""
        faces = tuple([card for card in action.cards if card in CODES])
        if action.seat is None:
            return _table(state, action.kind, faces)
        if action.seat not in state.alive:
            return state
        cards = tuple([card for card in faces if card != JOKER])
        match action.kind:
            case "joker":
                return _relative(state, action.seat)
            case "play" | "attack" | "strike" | "pass" if cards and state.phase in _ACTING:
                return act(state, action, cards)
            case "draw" if state.phase is Phase.DRAW and action.seat == state.turn:
                return draw(state, action.cards.count(UNKNOWN) + len(cards), JOKER in faces)
            case "reclaim" if state.phase is Phase.RECLAIM and action.seat == state.turn:
                return reclaim(state, cards)
            case "pay" if action.seat in unpaid(state) and state.phase is Phase.FINAL:
                return pay(state, action.seat, tuple(card for card in action.cards if card == UNKNOWN or card in cards))
            case "reveal" if state.phase is Phase.READING and cards:
                return reveal(state, cards)
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
        return Deal(self, setup, chance)


# --- the table itself: first road, guardians, a new stock ------------------------------------------------------------


def _table(state: State, kind: str, cards: tuple[str, ...]) -> State:
    match kind:
        case "turn-up" if state.phase is Phase.DEALT and cards and state.stock:
            if JOKER in cards:
                return appears(replace(state, stock=state.stock - 1))
            return replace(state, pile=cards[:1], stock=state.stock - 1, phase=Phase.TURN)
        case "kings" if state.phase is Phase.KINGS and cards:
            kings = tuple(card for card in cards if card != JOKER)[: kings_to_lay(state)]
            return guarded(replace(state, kings=kings, stock=state.stock - len(kings)))
        case "reshuffle" if state.phase is Phase.DRAW and not state.stock and state.hidden:
            return replace(state, stock=state.hidden, pile=state.pile[-1:])
    return state


def _relative(state: State, seat: int) -> State:
    """A joker in a hand: of the first hand he is a relative, and a card replaces him (125-127). One that was kept
    back comes out as if he had just been drawn, once the table plays on; after the stock no guardians are left."""
    if state.joker_out or state.phase not in (Phase.DEALT, *_ACTING):
        return state
    hand = state.hands[seat]
    unknown = max(0, hand.unknown - 1)
    if state.phase is Phase.DEALT:
        turn = seat if state.rules.relative_starts else state.turn
        state = replace(state, relative=seat, turn=turn, stock=state.stock - 1)
        return appears(hold(state, seat, Hand(hand.known, unknown + 1)))
    state = hold(state, seat, Hand(hand.known, unknown))
    if state.stock:
        return kept_back(hold(state, seat, give(state.hands[seat], unknown=1)), state.phase)
    state = replace(state, joker_out=True)
    return state if state.hands[seat] else lost(state, seat)
