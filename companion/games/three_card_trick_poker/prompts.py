"""What is open in Three Card Trick Poker: the turn, folding, refilling. Numbers are lines of the sheet, 7.x house
rules."""

from __future__ import annotations

from companion.games.three_card_trick_poker.state import EXPOSED_MOST, HIDDEN_MOST, Mode, State
from companion.games.values import Choice, Msg, Prompt, Slot

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


def prompt(kind: str, seat: int | None, slot: Slot | None = None, *choices: Choice) -> Prompt:
    """A prompt with the words of its kind."""
    return Prompt(kind, seat, slot, choices, LABELS[kind])


def reveal_prompt(state: State, seat: int) -> Prompt:
    """Turning up what lies face down before `seat`."""
    down = state.players[seat].down
    return prompt(REVEAL, seat, Slot(down, down, target=f"play:{seat}"))


def turn_prompts(state: State) -> list[Prompt]:
    """61: play a card, or fold."""
    seat = state.turn
    if seat is None:
        return []
    player, round_ = state.players[seat], state.round
    source = f"exposed:{seat}" if round_ == 2 else f"hand:{seat}"
    faces = player.exposed if round_ == 2 else None
    play = prompt(PLAY, seat, Slot(1, 1, faces, source, f"play:{seat}", state.mode.side(round_)))
    if round_ == 1:
        return [play, *_penalty_prompts(state, seat)]
    fold = prompt(FOLD, seat, Slot(player.down, player.down, target="pot") if player.down else None)
    # 89: who has no exposed card has to fold.
    return [fold] if round_ == 2 and not player.exposed else [play, fold]


def _penalty_prompts(state: State, seat: int) -> list[Prompt]:
    """88: folding in the first round costs a card, hidden or exposed."""
    if not may_fold(state, seat):
        return []
    player, side = state.players[seat], state.rules.penalty_side
    hidden = Slot(1, 1, None, f"hand:{seat}", "pot", side)
    prompts = [prompt(FOLD, seat, hidden, Choice("source", ("hidden",)))]
    if player.exposed:
        exposed = Slot(1, 1, player.exposed, f"exposed:{seat}", "pot")
        prompts.append(prompt(FOLD, seat, exposed, Choice("source", ("exposed",))))
    return prompts


def may_fold(state: State, seat: int) -> bool:
    """7.12: whether the leader may fold before he has shown the mode."""
    return state.rules.leader_may_fold or state.mode is not Mode.OPEN


def refill_prompts(state: State) -> list[Prompt]:
    """64 to 66: whose turn was last may move hidden cards to the exposed row, then draw from his stock (7.13)."""
    if state.refill is None:
        return []
    seat = state.refill.seat
    prompts = []
    if count := exposable(state, seat):
        prompts.append(prompt(EXPOSE, seat, Slot(1, count, None, f"hand:{seat}", f"exposed:{seat}")))
    if count := drawable(state, seat):
        prompts.append(prompt(DRAW, seat, None, Choice("count", tuple(range(1, count + 1)))))
    return prompts


def exposable(state: State, seat: int) -> int:
    """How many hidden cards may go to the exposed row now."""
    player, refill = state.players[seat], state.refill
    if refill is None or (state.rules.ordered_refill and (refill.exposed or refill.drawn)):
        return 0
    return max(0, min(EXPOSED_MOST - len(player.exposed), player.hidden))


def drawable(state: State, seat: int) -> int:
    """How many cards may be drawn from the stock now."""
    player, refill = state.players[seat], state.refill
    if refill is None or (state.rules.ordered_refill and refill.drawn):
        return 0
    return max(0, min(HIDDEN_MOST - player.hidden, player.stock))
