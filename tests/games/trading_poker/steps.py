"""Tables of Trading Poker to begin at, and actions at them, written in a line."""

from dataclasses import replace

from companion.games import Action, Setup, Verdict, game
from companion.games.trading_poker.state import Phase

RULES = game("trading-poker")
COMMON = ("AD", "5H", "6C", "10S", "2D")


def start(players=3, **options):
    return RULES.start(Setup(tuple("ABCDE"[:players]), "", tuple(options.items())))


def table(players=3, common=COMMON, keeps=(), hands=(), **options):
    """The start player's main action: these common and keep cards lie open (turned up from the stock), and hands
    hold so many unseen cards (default two each)."""
    state = RULES.apply(start(players, **options), Action("refill", None, common))
    knowledge = state.knowledge
    for seat, extra in enumerate(hands):
        knowledge = knowledge.passed(knowledge.stock, seat, extra - 2) if extra > 2 else knowledge
        knowledge = knowledge.passed(seat, knowledge.stock, 2 - extra) if extra < 2 else knowledge
    laid = [()] * players
    for seat, cards in enumerate(keeps):
        laid[seat] = tuple(cards.split())
        for card in laid[seat]:
            knowledge = knowledge.seen(card, knowledge.stock)
    return replace(state, knowledge=knowledge, keeps=tuple(laid))


def do(state, line):
    """An action written like "0 take 5H source=stock"; "-" is the table."""
    seat, kind, *words = line.split()
    args = dict(word.split("=") for word in words if "=" in word)
    args = {name: int(value) if value.isdigit() else value for name, value in args.items()}
    cards = tuple(word for word in words if "=" not in word)
    return Action(kind, None if seat == "-" else int(seat), cards, tuple(sorted(args.items())))


def codes(state, line):
    return [(v.code, v.clause, v.verdict.value) for v in RULES.check(state, do(state, line))]


def act(state, *lines):
    for line in lines:
        fouls = [v for v in RULES.check(state, do(state, line)) if v.verdict is Verdict.FOUL]
        assert not fouls, (line, fouls)
        state = RULES.apply(state, do(state, line))
    return state


def kinds_open(state):
    return sorted({prompt.kind for prompt in RULES.prompts(state)})


def on_table(state):
    return {zone.id: zone for zone in RULES.whereabouts(state)}


def holding(cards, *, hands=(0, 0, 0), players=3, **options):
    """The start player has collected these cards, seen by everybody, on top of `hands` unseen ones."""
    state = table(players, ("2S", "5H", "6C", "10S", "8D"), keeps=(cards,), hands=hands, **options)
    state = act(state, "0 collect")
    state = replace(state, phase=Phase.MAIN, takes=0)
    assert sorted(on_table(state)["hand:0"].cards) == sorted(cards.split())
    return state
