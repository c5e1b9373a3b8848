"""Tables of Pokard Trick to begin at, and actions at them, written in a line."""

from companion.games import Action, Setup, Verdict, game

RULES = game("pokard-trick")


def start(players=4, **options):
    return RULES.start(Setup(tuple("ABCDEFG"[:players]), "", tuple(options.items())))


def act(state, *actions):
    """The state after actions written like "1 play KS" (seat 0-based) that are no fouls; "-" is the table."""
    for line in actions:
        seat, kind, *cards = line.split()
        action = Action(kind, None if seat == "-" else int(seat), tuple(cards))
        fouls = [v for v in RULES.check(state, action) if v.verdict is Verdict.FOUL]
        assert not fouls, (line, fouls)
        state = RULES.apply(state, action)
    return state


def codes(state, line):
    seat, kind, *cards = line.split()
    action = Action(kind, None if seat == "-" else int(seat), tuple(cards))
    return [(v.code, v.clause, v.verdict.value) for v in RULES.check(state, action)]


def playing(players=4, folded=(), **options):
    """Tricks can begin: all but `folded` are declarers and have laid two cards aside."""
    state = start(players, **options)
    for step in range(players):
        seat = (1 + step) % players
        state = act(state, f"{seat} {'fold' if seat in folded else 'in'}")
    return act(state, *(f"{seat} aside ? ?" for seat in range(players) if seat not in folded))


def totals(state):
    found = [0] * len(state.players)
    for line in RULES.scores(state):
        found[line.seat] += line.points
    return tuple(found)
