"""Writes ``following.md``: what of every game the camera can tell, and what only a tap can.

Bots play; of each action it is seen whether the table looks otherwise after it, whether another action that was open
would look the same, whether hands would tell the two apart, and whether it may be left out. A test compares the page
with what this script would write, and looks whether a kind is missing.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from companion.games import UNKNOWN, Action, Game, game, ids
from companion.games.common import replace
from companion.games.implied import is_foul
from companion.games.trading_poker.rules import TradingPoker
from companion.games.trading_poker.state import Phase
from companion.referee.simulate import Step, play, table_setup
from companion.server.show.texts import Texts
from companion.training.films.changes import in_view, reached

NEVER = 99.0
ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "following.md"
GAMES, STEPS = 4, 160
MORE: dict[str, tuple[dict[str, Any], ...]] = {
    "three-card-trick-poker": ({"players": 3, "games": "2"},),
    "pokard-trick": ({"end": "time"},),
    "joker-quest": ({"stock_empty": "reshuffle", "players": 5}, {"players": 1, "fortune": "yes"}),
    "sixty-five-card-poker": ({"betting": "external"},),
}
"""Games that bring what the usual ones do not: house rules, numbers of players."""
MORE_GAMES, MORE_STEPS = 8, 400
HEAD = """# What the camera follows

The camera compares the table with what the game expects, and writes an action when the cards can no longer mean
another one. `python docs/following.py` writes this page from games of bots.

| how | meaning |
|---|---|
| cards | the cards tell it, nobody has to do anything |
| cards + hand | the cards show that it was done, a hand at a stack which of several; where none was seen, a tap |
| cards + choice | the cards show that it was done, one tap says which of several it was |
| hand | no card tells it, but a hand at a stack does; where no hand was seen, a tap |
| hand + choice | one tap says how many it took |
| implied | goes without saying: the next action says that it was done |
| tap | nothing on the table tells it |

Some actions are now this, now that: their kinds stand with how often of a hundred. What only some house rules or
numbers of players bring is listed too. After the first, the halves that are discarded in Trading Poker lie back on
back, at about the same time: nobody sees whose they are, and how many is the rule's. Whoever plays on says that they
were.

A player is known by where his hands come from, the arm followed beyond the table's edge: told by the zones before him,
learnt from what surely happened.
A hand that nothing explains holds back what would else be written. Two hands of two players on one pile, and only one
new card: people are asked which card lies below. Of two cards that came at once each is his whose hand was nearer.
Whatever people wave away is not written while the cards lie so.
Cards that could not be read are asked about three seconds after they came, all of a row at once; not one that looks
like a card known to lie there. What looks like no face at all is a back where only a back can lie.
Of a row of which all cards but one are seen that one is asked about after four seconds, or once it holds back the
next player. One or two cards are not taken from a stack, or laid there, with more hands than cards.
A card that was picked up is told as taken when it lies in its new place, or has been away for four seconds (people
are asked where no hand was at its old one); open cards that are seen where they were moved to, at once. Cards that
left are not told while a hand is over another place where they may lie by now, nor within a second after the one that
took them has left it; where it never leaves, people are asked. A deck that somebody holds over a place counts for
nothing there after two seconds. What somebody may have done at a stack that is out of sight, or that a dealer's
hands are at, and cannot do later, is asked with one tap before the next action is written; so is what he may have taken
back from a place that is partly out of the picture. The stock lies there though the camera does not find
it after somebody has drawn; where it never finds the back, from the second time that a hand was there for it.
What flies from the middle to the players is dealt: no hand reached for anything; nor did what passes over a stack for a
quarter of a second while others go to two other sides, hands from three sides within a second at another place, or
from two at one stack; as a new round is dealt, over a stack alone, for longer where others go to three sides. Who was
watched for five seconds before his card came, and was at no stack, has taken from none
(loop or dice); where a hand may have been missed, or taken for one that dealt, people are asked. A card of a row found
less than a quarter of its length beside an equal one that is not found any more is that one. A name that was read in
an outline of less than three quarters of a card of this table counts for nothing, once three cards are known there.
Of what lies on a heap, as captured cards of Three Card Trick Poker do, some may be hidden; none may be foreign. Of a
fan, as Pokard Trick's captured cards, one may be hidden where two are seen. Who takes cards from under the top of a
pile is seen there: no card tells it. Cards
that lay open for a second, more than one, and are gone have to be spoken of before anything later is told. Of a hand
or row that is full the last one without a name that can only be one face is that face, and counts as it while it lies;
so is what looks like a joker, four to one, and like nothing else. A card without a name but half a face, beside as many
as may lie there, may be one of them.
A deal is told once it is whole and what it clears is put away, cards without a name, too. Of a row of which one card or
two are not seen, as they lie exactly under others, people are asked for them, one after the other; where one card more
lies than have to, which is none. Whoever may lay several
cards has laid all once he has left the table for 1.2 s, or the next player's hand is anywhere. What was seen empty for
.4 s stays empty, whatever moves there then; a table of which all was gathered but its stacks is bare as soon. Where a
hand's tip is lost (a sleeve like the cloth) it may have reached farther: what is seen of it just before proves nothing,
and whoever was lost on his way in may have drawn. Who dealt puts the stock down, as who draws reaches for it.
Where a stack has to lie and no card is found, the one outline of a card's size that lies there, of a detector's or one
that stands out from the table, seen twice, shows its back. Hands where a stack is not found count from when people have
told of two that took from it. A card that lay open
before anybody was at the stock came out of a hand. Where something moves two thirds of the time, as a dealer's hands
do, what moves is known to the pixel, not to a hand's breadth: a card beside it is read, and one of which half lies
there once it was read in the same place twice; it counts once it has looked the same for a second. Beside hands that
have just come, new cards count once they have lain there for two seconds. An open card that such hands hide is neither
there nor gone until it is seen again; several cards that came where hands still are come before what others laid later.
A hand that is seen again at a stack where it was may only have rested: people are asked. A card under three others of a
pile that is read again was laid anew, and one that may be another has no name.
After a push of the camera all is read anew, and what came into the picture with it is no hand. The picture tells it, or
cards and backs that all moved alike, though 30 cm apart or though no hand was there; while the camera moves nothing is
read. What came while nobody watched, as the camera was lost, covered or gone, is asked about: more may have come than
is seen. A card that lay under another in a row is not told as taken while nobody sees it gone, nor one of a row
under a hand where one like it is seen; one that was not found any more before a hand came is asked about.
Cards that a place out of sight should hold no more are gone. A card without a name that
came to lie open after a hand was at a stack may be what was drawn: it is asked about first. A hand that reaches out
from under one at rest comes from the edge beside it; where that is not seen it is somebody unseen, and a card that it
may have covered is asked about. A card that lies at rest for three frames before the next hand is over it is read as it
lay. Where a hand stayed at an open card it is read anew, though no pixel tells. Who names a card that lies over a
nameless one is asked once more, about the one below. Cards that came after their place was seen bare correct nothing
that was written before. A card seen for a moment between two hands has to be spoken of before what was laid there after
it; one that came with the card just told, and that no hand laid, is asked about. Under a back that should lie in a row
one of its open cards may lie. What people know to differ stays known while it lies so; a card that they tell of, read
as another by the camera, has the name that they gave, where one hand only was there, or as many lie in the row as
should; what they wave away on a pile is
nothing to what comes after it. A hand between two zones reached for the one it stayed in. An equal card that has gone
from its row may be one that is seen elsewhere, and one of a shuffled pile lies there again without a hand: people are
asked, and where one card would tell of two players; also which of two players laid which of two cards that were
gathered before either was told. Who comes after another player's deed does not only go on with his own. What is first
seen once he was there he may have laid. Who takes card after card from a stack has drawn once he stays away.

| game | action | how |
|---|---|---|
"""


def how(rules: Game[Any], step: Step) -> str:
    """How the camera learns of one action."""
    prompts = rules.prompts(step.before)
    before, then = rules.expected_table(step.before), rules.expected_table(step.after)
    after = in_view(then)
    dealt = before != then
    if in_view(before) == after:
        silent = any(prompt.skipped == step.action for prompt in prompts)
        forced = len(prompts) == 1 and not prompts[0].choices and not _uncounted(prompts[0].slot)
        never = rules.unseen.get(step.action.kind, 0.0) >= NEVER
        if silent or never or not dealt:
            return "implied" if silent or (forced and not never) else "tap"
        seen = "hand"
    else:
        seen = "cards"
    told_apart = False
    for prompt in prompts:
        for other in _alike(rules, prompt, step.action):
            state = rules.apply(step.before, other)
            if state in (step.before, step.after) or is_foul(rules.check(step.before, other)):
                continue
            more = seen == "hand" and step.action in rules.implies(step.before, other)
            if more or in_view(rules.expected_table(state)) != after:
                continue
            if reached(before, rules.expected_table(state)) == reached(before, then):
                return f"{seen} + choice"
            told_apart = True
    return "cards + hand" if seen == "cards" and told_apart else seen


def _uncounted(slot: Any) -> bool:
    return slot is not None and slot.least < slot.most


def _alike(rules: Game[Any], prompt: Any, action: Action) -> list[Action]:
    """Actions of a prompt that use the same cards, or any number of cards that nobody can count."""
    slot = prompt.slot
    ways = [action.cards if slot is not None else ()]
    if slot is not None and slot.side == "down":
        ways = [(UNKNOWN,) * n for n in range(slot.least, min(slot.most, 12) + 1)]
    names = [choice.name for choice in prompt.choices]
    return [
        Action.of(prompt.kind, prompt.seat, cards, **dict(zip(names, values, strict=True)))
        for cards in ways
        if slot is None or slot.least <= len(cards) <= slot.most
        for values in product(*(choice.values for choice in prompt.choices))
    ]


def rows() -> list[tuple[str, str, str]]:
    """Game, action, how: in the order of the games, the kinds by name."""
    found = []
    for name in ids():
        rules = game(name)
        counts = _counted(rules, _games(rules, GAMES, STEPS))
        more = [_games(rules, MORE_GAMES, MORE_STEPS, **other) for other in MORE.get(name, ({},))]
        more += [_dried(_games(rules, GAMES, STEPS))] if name == TradingPoker.id else []
        for steps in more:
            for kind, ways in _counted(rules, steps, open_too=True).items():
                counts.setdefault(kind, ways)
        found += [(name, kind, _said(counts[kind])) for kind in sorted(counts)]
    return found


def _games(rules: Game[Any], games: int, steps: int, /, players: int | None = None, **options: str) -> Iterator[Step]:
    """All steps of games of bots."""
    for number, bot in product(range(games), ("simple", "random")):
        yield from play(rules, table_setup(rules, players, **options), Random(f"following/{number}"), bot, steps)


def _dried(steps: Iterator[Step]) -> Iterator[Step]:
    """Trading Poker where nothing is left to take, which no bots bring about: the stock lies on the pile."""
    for step in steps:
        state = step.before
        if state.phase is Phase.MAIN:
            *hands, stock, down = state.knowledge.held
            known = replace(state.knowledge, held=(*hands, 0, down + stock))
            before = replace(state, common=(), keeps=((),) * state.seats, knowledge=known)
            yield step._replace(before=before, action=Action("skip", state.active), after=before)


def _counted(rules: Game[Any], steps: Iterator[Step], *, open_too: bool = False) -> dict[str, Counter[str]]:
    """How often each kind is told how. `open_too`: what was open and takes no card counts like what was done: there is
    what no bot does."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for step in steps:
        bare = [Action(one.kind, one.seat) for one in rules.prompts(step.before) if not (one.slot or one.choices)]
        for action in dict.fromkeys([step.action, *(bare if open_too else ())]):
            after = step.after if action == step.action else rules.apply(step.before, action)
            counts[action.kind][how(rules, step._replace(action=action, after=after))] += 1
    return counts


def _said(ways: Counter[str]) -> str:
    if len(ways) == 1:
        return next(iter(ways))
    total = ways.total()
    return ", ".join(f"{way} {round(100 * count / total)}" for way, count in ways.most_common())


def page() -> str:
    """The whole page."""
    texts = Texts.load()
    named = ((texts.text(f"game.{name}.name", "en"), kind, said) for name, kind, said in rows())
    return HEAD + "\n".join(f"| {name} | `{kind}` | {said} |" for name, kind, said in named) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} written\n")
