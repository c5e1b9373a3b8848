"""Tables of Three Card Trick Poker to begin at, and actions at them, written in a line."""

from dataclasses import replace

from companion.games import Action, Hand, Setup, Verdict, game
from companion.games.three_card_trick_poker.flow import begin_bout
from companion.games.three_card_trick_poker.state import Phase, Player

RULES = game("three-card-trick-poker")
NAMES = tuple("ABCDEFGH")


def bout(players=3, deck="52D2", leader=0, exposed="2H 9S KD", hidden=6, stock=8, pot=(), **options):
    """The beginning of a bout: everybody has the same counts; seat n exposes `exposed` in every seat."""
    setup = Setup(NAMES[:players], deck, tuple(options.items()))
    state = RULES.start(setup)
    player = Player(hidden, stock, tuple(exposed.split()))
    state = replace(state, phase=Phase.PLAY, players=(player,) * players, pot=Hand(tuple(pot)))
    return begin_bout(state, leader)


def with_player(state, seat, **changes):
    return state.with_player(seat, replace(state.players[seat], **changes))


def do(state, *actions):
    """Apply actions that must not be fouls: "0 play 5S", "1 fold source=hidden 4C", "- leader leader=0"."""
    for text in actions:
        action = act(text)
        assert not [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL], (
            text,
            RULES.check(state, action),
        )
        state = RULES.apply(state, action)
    return state


def act(text):
    seat, kind, *rest = text.split()
    args = dict(item.split("=") for item in rest if "=" in item)
    args = {name: int(value) if value.isdigit() else value for name, value in args.items()}
    cards = tuple(item for item in rest if "=" not in item)
    return Action(kind, None if seat == "-" else int(seat), cards, tuple(sorted(args.items())))


def codes(state, text):
    return [(v.code, v.clause) for v in RULES.check(state, act(text))]


def showdown(state, hands, leader=0):
    """Play a whole sunny bout: `hands` per seat, second card put among the exposed ones first; None folds at once."""
    for seat, cards in hands.items():
        if cards:
            second = cards.split()[1]
            state = with_player(state, seat, exposed=(second, *state.players[seat].exposed[1:]))
    order = state.order
    for seat in order:
        state = do(state, f"{seat} play {hands[seat].split()[0]}" if hands[seat] else f"{seat} fold 2C source=hidden")
    for seat in order:
        state = do(state, f"{seat} play {hands[seat].split()[1]}") if hands[seat] else state
    for seat in order:
        state = do(state, f"{seat} play ?") if hands[seat] else state
    for seat in order:
        state = do(state, f"{seat} reveal {hands[seat].split()[2]}") if hands[seat] else state
    return state


FLUSH, STRAIGHT, NOTHING = "2D 7D JD", "5S 6H 7C", "2S 7H KD"
