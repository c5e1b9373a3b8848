"""Three Card Trick Poker (UD Battle Poker, Rev. 0.9 of 2021-11-25), whole.

Reads like the sheet, top to bottom; numbers in brackets are its lines, 7.x the gaps of the formal reading, each of
which is an option. What follows by itself (forced refills, leaving, shares, the end) is in `_three_card_trick_flow`.

Actions
    ``pot`` (table): the cards the deal leaves over, face up (43). ``expose`` (seat): three cards at the beginning
    (44), later hidden cards moved to the exposed row (65). ``leader`` (table, leader=n): who begins (46).
    ``play`` (seat): one card, `UNKNOWN` when it lies face down (71 to 83). ``fold`` (seat): in the first round
    with a card as penalty and ``source`` hidden or exposed (88), later with the face-down card turned up (87).
    ``draw`` (seat, count=n): cards from the stock to the hidden hand (66). ``reveal`` (seat): face-down cards
    turned up, at the showdown (93) or when he drops out of cards in mid-bout (101). ``next-game`` (table).

Zones
    ``pot``; ``hand:<seat>`` hidden cards, held in hand; ``exposed:<seat>``; ``stock:<seat>``; ``play:<seat>`` cards
    of this bout; ``captured:<seat>``.
"""

from __future__ import annotations

from companion.games.common import checked_setup, foul, give, misfit, once_a_state, replace, unproven, without
from companion.games.contract import (
    UNKNOWN,
    Action,
    Choice,
    Game,
    Hand,
    Msg,
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
from companion.games.three_card import DECKS, judge
from companion.games.three_card_trick_poker import view as drawing
from companion.games.three_card_trick_poker.flow import begin_bout, fold_cards, proceed, totals, winners
from companion.games.three_card_trick_poker.state import (
    EXPOSED_MOST,
    HAND,
    HIDDEN_MOST,
    OPTIONS,
    ROUNDS,
    Mode,
    Phase,
    Player,
    Refill,
    Rules,
    State,
)
from companion.games.three_card_trick_poker.world import TrickPokerWorld
from companion.games.world import Chance, World

POT, EXPOSE, LEADER, PLAY, FOLD = "pot", "expose", "leader", "play", "fold"
DRAW, REVEAL, NEXT_GAME = "draw", "reveal", "next-game"
CLAUSES = {
    POT: "43",
    EXPOSE: "65",
    LEADER: "46",
    PLAY: "62",
    FOLD: "57",
    DRAW: "66",
    REVEAL: "93",
    NEXT_GAME: "118",
}
LABELS = {kind: Msg(f"action.three-card-trick-poker.{kind}") for kind in CLAUSES}
RECOMMENDED = {2: "40D1", 3: "52D1", 4: "36D2", 5: "48D2", 6: "52D2", 7: "40D3", 8: "40D3"}
"""The middle column of the recommended decks (124 to 130)."""


class ThreeCardTrickPoker(Game[State]):
    """See the module."""

    id = "three-card-trick-poker"
    least_players = 2
    most_players = 8
    decks = DECKS
    options = OPTIONS

    def recommended_deck(self, players: int) -> str:
        return RECOMMENDED.get(players, self.decks[0])

    # --- preparation (43 to 46) -----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> State:
        setup = checked_setup(self, setup)
        rules = Rules.of(self, setup, judge(self, setup))
        if rules.dealt < HAND:
            raise SetupError(
                f"{setup.deck} deals {rules.dealt} cards to each of {rules.seats} players, but a hand is {HAND}; "
                f"{self.recommended_deck(rules.seats)} would do"
            )
        return _dealt(rules)

    # --- what is open now ---------------------------------------------------------------------------------------------

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        match state.phase:
            case Phase.POT:
                rest = state.rules.rest
                return (_prompt(POT, None, Slot(rest, rest, target="pot")),)
            case Phase.EXPOSE:
                return tuple(
                    _prompt(EXPOSE, seat, Slot(EXPOSED_MOST, EXPOSED_MOST, None, f"hand:{seat}", f"exposed:{seat}"))
                    for seat, player in enumerate(state.players)
                    if player.hidden == HAND
                )
            case Phase.LEADER:
                return (_prompt(LEADER, None, None, Choice("leader", tuple(range(state.rules.seats)))),)
            case Phase.PLAY:
                if state.leaving is not None:
                    return (_reveal_prompt(state, state.leaving),)
                return (*_turn_prompts(state), *_refill_prompts(state))
            case Phase.SHOWDOWN:
                reveals = [_reveal_prompt(state, seat) for seat in state.standing if state.players[seat].down]
                return (*reveals, *_refill_prompts(state))
        if state.number < state.rules.games:
            return (_prompt(NEXT_GAME, None),)
        return ()

    # --- judging ------------------------------------------------------------------------------------------------------

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        prompts = self.prompts(state)
        deck = state.rules.judge.deck
        misfits = misfit(prompts, action, CLAUSES, state.rules.seats, deck, CLAUSES.get(action.kind, ""))
        if misfits:
            return _reasons(state, action) or misfits
        if UNKNOWN in action.cards and action.seat is not None:
            return (unproven("face-down", "87", player=action.seat),)
        return ()

    # --- doing --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> State:
        seat = action.seat
        if seat is None:
            return proceed(_by_table(state, action))
        if not 0 <= seat < state.rules.seats or seat in state.left:
            return state
        match action.kind:
            case "expose":
                state = _expose(state, seat, action.cards)
            case "play":
                state = _play(state, seat, action.cards)
            case "fold":
                state = _fold(state, seat, action)
            case "draw":
                state = _draw(state, seat, action.arg("count"))
            case "reveal":
                state = _reveal(state, seat, action.cards)
        return proceed(state)

    # --- looking ------------------------------------------------------------------------------------------------------

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        return drawing.expected_table(state)

    def whereabouts(self, state: State) -> tuple[Zone, ...]:
        return drawing.whereabouts(state)

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        return state.lines

    def totals(self, state: State) -> dict[int, int]:
        return totals(state)

    def winners(self, state: State) -> tuple[int, ...]:
        return winners(state) if not self.prompts(state) else ()

    def view(self, state: State, role: Role) -> View:
        return drawing.view(self.id, state, self.prompts(state), self.winners(state))

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        return TrickPokerWorld(self, self.start(setup), chance)


def _dealt(rules: Rules) -> State:
    """43 to 45: everything is dealt evenly, nine cards of one's own are the hand, what is left over goes to the pot."""
    players = (Player(hidden=HAND, stock=rules.dealt - HAND),) * rules.seats
    return State(rules, Phase.POT if rules.rest else Phase.EXPOSE, players)


# --- prompts ------------------------------------------------------------------------------------------------------


def _prompt(kind: str, seat: int | None, slot: Slot | None = None, *choices: Choice) -> Prompt:
    return Prompt(kind, seat, slot, choices, LABELS[kind])


def _reveal_prompt(state: State, seat: int) -> Prompt:
    down = state.players[seat].down
    return _prompt(REVEAL, seat, Slot(down, down, target=f"play:{seat}"))


def _turn_prompts(state: State) -> list[Prompt]:
    """61: play a card, or fold."""
    seat = state.turn
    if seat is None:
        return []
    player, round_ = state.players[seat], state.round
    source = f"exposed:{seat}" if round_ == 2 else f"hand:{seat}"
    faces = player.exposed if round_ == 2 else None
    play = _prompt(PLAY, seat, Slot(1, 1, faces, source, f"play:{seat}", state.mode.side(round_)))
    if round_ == 1:
        return [play, *_penalty_prompts(state, seat)]
    fold = _prompt(FOLD, seat, Slot(player.down, player.down, target="pot") if player.down else None)
    # 89: who has no exposed card has to fold.
    return [fold] if round_ == 2 and not player.exposed else [play, fold]


def _penalty_prompts(state: State, seat: int) -> list[Prompt]:
    """88: folding in the first round costs a card, hidden or exposed."""
    if not _may_fold(state, seat):
        return []
    player, side = state.players[seat], state.rules.penalty_side
    hidden = Slot(1, 1, None, f"hand:{seat}", "pot", side)
    prompts = [_prompt(FOLD, seat, hidden, Choice("source", ("hidden",)))]
    if player.exposed:
        exposed = Slot(1, 1, player.exposed, f"exposed:{seat}", "pot")
        prompts.append(_prompt(FOLD, seat, exposed, Choice("source", ("exposed",))))
    return prompts


def _may_fold(state: State, seat: int) -> bool:
    """7.12: whether the leader may fold before he has shown the mode."""
    return state.rules.leader_may_fold or state.mode is not Mode.OPEN


def _refill_prompts(state: State) -> list[Prompt]:
    """64 to 66: whose turn was last may move hidden cards to the exposed row, then draw from his stock (7.13)."""
    if state.refill is None:
        return []
    seat = state.refill.seat
    prompts = []
    if count := _exposable(state, seat):
        prompts.append(_prompt(EXPOSE, seat, Slot(1, count, None, f"hand:{seat}", f"exposed:{seat}")))
    if count := _drawable(state, seat):
        prompts.append(_prompt(DRAW, seat, None, Choice("count", tuple(range(1, count + 1)))))
    return prompts


def _exposable(state: State, seat: int) -> int:
    """How many hidden cards may go to the exposed row now."""
    player, refill = state.players[seat], state.refill
    if refill is None or (state.rules.ordered_refill and (refill.exposed or refill.drawn)):
        return 0
    return max(0, min(EXPOSED_MOST - len(player.exposed), player.hidden))


def _drawable(state: State, seat: int) -> int:
    """How many cards may be drawn from the stock now."""
    player, refill = state.players[seat], state.refill
    if refill is None or (state.rules.ordered_refill and refill.drawn):
        return 0
    return max(0, min(HIDDEN_MOST - player.hidden, player.stock))


# --- reasons ------------------------------------------------------------------------------------------------------


def _reasons(state: State, action: Action) -> tuple[Violation, ...]:
    """Why an action that no prompt offers is a foul, in the words of the sheet where it has any."""
    seat = action.seat
    deck = state.rules.judge.deck
    if seat is None or not 0 <= seat < state.rules.seats or any(c != UNKNOWN and c not in deck for c in action.cards):
        return ()
    if seat in state.left and action.kind in CLAUSES:
        return (foul("has-left", "101", player=seat),)
    if state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return ()
    leaving = state.leaving
    if leaving is not None and action.kind in (PLAY, FOLD, EXPOSE, DRAW):
        return (foul("reveal-first", "87", player=leaving),)
    match action.kind:
        case "play" | "fold" if seat in state.folded:
            return (foul("has-folded", "57", player=seat),)
        case "play" if seat == state.turn:
            return _play_reasons(state, seat, action)
        case "fold" if seat == state.turn:
            return _fold_reasons(state, seat, action)
        case "expose" | "draw":
            return _refill_reasons(state, seat, action)
    return ()


def _play_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player, round_ = state.players[seat], state.round
    if len(action.cards) != 1:
        return ()
    side, lies = state.mode.side(round_), "down" if UNKNOWN in action.cards else "up"
    if round_ == 2:
        if not player.exposed:
            return (foul("must-fold", "89", action.cards, player=seat),)
        if lies == "up" and action.cards[0] not in player.exposed:
            return (foul("second-card-not-exposed", "76" if state.mode is Mode.SUNNY else "82", action.cards),)
    if side != lies and side != "any":
        clause = "71" if round_ == 1 else "76" if round_ == 2 else "77" if state.mode is Mode.SUNNY else "83"
        return (foul(f"card-must-lie-{side}", clause, action.cards, round=round_),)
    return ()


def _fold_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player = state.players[seat]
    if state.round == 1:
        if not _may_fold(state, seat):
            return (foul("leader-may-not-fold", "7.12", player=seat),)
        if not action.cards:
            return (foul("penalty-missing", "88", player=seat),)
        if action.arg("source") == "exposed" and (extra := without(action.cards, player.exposed)):
            return (foul("penalty-not-exposed", "88", extra),)
    elif player.down and (not action.cards or UNKNOWN in action.cards):
        return (foul("fold-face-down", "87", player=seat),)
    return ()


def _refill_reasons(state: State, seat: int, action: Action) -> tuple[Violation, ...]:
    player, refill = state.players[seat], state.refill
    if refill is None or refill.seat != seat:
        return (foul("refill-not-now", "67" if seat in state.folded else "64", player=seat),)
    if action.kind == EXPOSE:
        if len(player.exposed) + len(action.cards) > EXPOSED_MOST:
            return (foul("exposed-full", "65", action.cards, most=EXPOSED_MOST, lying=len(player.exposed)),)
        if len(action.cards) > player.hidden:
            return (foul("expose-beyond-hand", "65", action.cards, count=len(action.cards), hidden=player.hidden),)
        return (foul("refill-order", "7.13", player=seat),) if action.cards and not _exposable(state, seat) else ()
    count = action.arg("count")
    if not isinstance(count, int) or isinstance(count, bool):
        return ()
    if count > player.stock:
        return (foul("refill-beyond-stock", "66", count=count, stock=player.stock),)
    if player.hidden + count > HIDDEN_MOST:
        return (foul("hidden-full", "66", most=HIDDEN_MOST, hidden=player.hidden),)
    return (foul("refill-order", "7.13", player=seat),) if count > 0 and not _drawable(state, seat) else ()


# --- doing --------------------------------------------------------------------------------------------------------


def _by_table(state: State, action: Action) -> State:
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
        return replace(_dealt(state.rules), number=state.number + 1, lines=state.lines)
    return state


def _expose(state: State, seat: int, cards: tuple[str, ...]) -> State:
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


def _draw(state: State, seat: int, count: object) -> State:
    """66: from one's own stock to the hidden hand."""
    player = state.players[seat]
    if not isinstance(count, int) or state.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        return state
    count = max(0, min(count, player.stock))
    state = state.with_player(seat, replace(player, hidden=player.hidden + count, stock=player.stock - count))
    if count and state.refill and state.refill.seat == seat:
        state = replace(state, refill=replace(state.refill, drawn=True))
    return state


def _play(state: State, seat: int, cards: tuple[str, ...]) -> State:
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


def _fold(state: State, seat: int, action: Action) -> State:
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


def _reveal(state: State, seat: int, cards: tuple[str, ...]) -> State:
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
