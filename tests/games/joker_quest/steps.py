"""Tables of Joker Quest to begin at, and actions at them."""

from dataclasses import replace

from companion.games import UNKNOWN, Action, Hand, Setup, game
from companion.games.joker_quest.state import JOKER, Phase

RULES = game("joker-quest")


def table(players=2, **options):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple(options.items())))


def road(card="4S", players=2, hand=5, stock=20, penalty=(), joker_out=False, kings=(), options=None):
    """A's turn on a road, with so many unknown cards in his hand."""
    state = table(players, **(options or {}))
    return replace(
        state,
        phase=Phase.TURN,
        pile=(card,),
        hands=(Hand(unknown=hand), *state.hands[1:]),
        stock=stock,
        penalty=(tuple(penalty), *state.penalty[1:]),
        joker_out=joker_out,
        kings=tuple(kings),
    )


def after(state, *actions):
    for action in actions:
        assert not RULES.check(state, action), (action, RULES.check(state, action))
        state = RULES.apply(state, action)
    return state


def codes(state, action):
    return [(v.code, v.clause) for v in RULES.check(state, action)]


def lay(*cards, seat=0):
    return Action("play", seat, cards)


def attack(king, *cards):
    return Action.of("attack", 0, cards, king=king)


def draw(n, joker=False, seat=0):
    return Action("draw", seat, (UNKNOWN,) * n + ((JOKER,) if joker else ()))


def kinds(state):
    return {(p.kind, p.seat) for p in RULES.prompts(state)}
