"""What several games share: fitting actions to prompts, and small helpers for states, hands and points.

The heart is `misfit`: the reasons, common to all games, why an action is not open now. A game's `check` starts
with it and then adds the rules that tie cards together. Codes of this module have their sentences in the
catalogue file of the referee, so no game needs to repeat them:

========================  =====================================================================
``game-over``             nothing is open any more
``unknown-seat``          nobody sits there
``unknown-action``        no action of this game is called that, or not in this phase (`wrong-phase`)
``wrong-phase``           this action exists but is not open now
``not-your-turn``         it is open, but for somebody else
``for-the-table``         it is open, but belongs to nobody: the table itself does it (`seat` None)
``wrong-count``           too few or too many cards
``not-in-deck``           the deck has no such card
``card-not-allowed``      this card may not be put forward here
``card-not-shown``        the card has to lie face up, it lies face down
``card-not-hidden``       the card has to lie face down, it lies face up
``wrong-choice``          an argument is missing, superfluous or has another value
========================  =====================================================================
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from companion.games.values import UNKNOWN, Action, Hand, Prompt, ScoreLine, Slot, Verdict, Violation, Zone

T = TypeVar("T")
G = TypeVar("G")


def replace(item: T, /, **changes: Any) -> T:
    """`dataclasses.replace`, at a tenth of the time for frozen dataclasses without slots and ``__post_init__``: states
    change with every action. Raises TypeError for a field that is not there."""
    cls: Any = type(item)
    if "__slots__" in cls.__dict__:
        return cast(T, dataclasses.replace(cast(Any, item), **changes))
    fields = item.__dict__
    values = {**fields, **changes}
    if len(values) > len(fields):
        raise TypeError(f"{cls.__name__} has no field {', '.join(changes.keys() - fields.keys())}")
    new: T = object.__new__(cls)
    object.__setattr__(new, "__dict__", values)
    return new


def once_a_state(prompts: Callable[[G, T], tuple[Prompt, ...]]) -> Callable[[G, T], tuple[Prompt, ...]]:
    """`Game.prompts` that keeps its answer for the state it was last asked about: bots, `check` and the page ask about
    one state in turn. States never change, so the same object has the same prompts."""
    last: tuple[G | None, T | None, tuple[Prompt, ...]] = (None, None, ())

    @wraps(prompts)
    def kept(self: G, state: T) -> tuple[Prompt, ...]:
        nonlocal last
        game, known, answer = last
        if known is not state or game is not self:
            answer = prompts(self, state)
            last = (self, state, answer)
        return answer

    return kept


def form_first(
    check: Callable[[G, T, Action], tuple[Violation, ...]],
) -> Callable[[G, T, Action], tuple[Violation, ...]]:
    """`Game.check` that looks first whether the action is one at all: whatever types it is made of, it gets a code."""

    @wraps(check)
    def judged(self: G, state: T, action: Action) -> tuple[Violation, ...]:
        found = _malformed(action) or check(self, state, action)
        return tuple([_of(violation, action.seat) for violation in found]) if found else found

    return judged


def _of(found: Violation, seat: int | None) -> Violation:
    """The violation with its player in it, so that every sentence can name him."""
    if type(seat) is not int or any(name == "seat" for name, _ in found.params):
        return found
    return dataclasses.replace(found, params=(*found.params, ("seat", seat)))


def _malformed(action: Action) -> tuple[Violation, ...]:
    """A kind and cards that are no texts, a seat that is no number, arguments without names."""
    if not isinstance(action.kind, str):
        return (foul("unknown-action", action=repr(action.kind)),)
    if action.seat is not None and type(action.seat) is not int:
        return (foul("unknown-seat", seat=str(action.seat)),)
    if type(action.cards) is not tuple:
        return (foul("not-in-deck", "", (str(action.cards),)),)
    for card in action.cards:
        if not isinstance(card, str):
            return (foul("not-in-deck", "", (str(card),)),)
    if not action.args and type(action.args) is tuple:
        return ()
    if type(action.args) is not tuple:
        return (foul("wrong-choice", action=action.kind, offered=""),)
    for item in action.args:
        if type(item) is not tuple or len(item) != 2 or not isinstance(item[0], str) or not _is_arg(item[1]):
            return (foul("wrong-choice", action=action.kind, offered=""),)
    return ()


def _is_arg(value: object) -> bool:
    """Text, a number, true or false, or several texts (`Arg`)."""
    if isinstance(value, tuple):
        return all(isinstance(part, str) for part in value)
    return isinstance(value, str | int)


def foul(code: str, clause: str = "", cards: Iterable[str] = (), **params: str | int) -> Violation:
    """A violation that is a foul: ``foul("too-many-copies", "", ("5S",), holds=1)``."""
    return Violation(code, clause, tuple(cards), tuple(params.items()))


def unproven(code: str, clause: str = "", cards: Iterable[str] = (), **params: str | int) -> Violation:
    """A doubt that later cards may settle."""
    return Violation(code, clause, tuple(cards), tuple(params.items()), Verdict.UNPROVEN)


def misfit(
    prompts: Sequence[Prompt],
    action: Action,
    kinds: Collection[str],
    seats: int,
    deck: Collection[str],
    clause: str | Callable[[str], str] = "",
) -> tuple[Violation, ...]:
    """Why `action` fits none of `prompts`; empty when it fits one.

    `kinds`: every action kind of the game; `seats`: number of players; `deck`: the face codes there are (anything
    with ``in``); `clause`: of the sheet, or a function from the action's kind to its clause.
    """
    for prompt in prompts:
        if _fits(prompt, action, deck):
            return ()
    cite = clause if isinstance(clause, str) else clause(action.kind)
    if not prompts:
        return (foul("game-over", cite),)
    if action.seat is not None and not 0 <= action.seat < seats:
        return (foul("unknown-seat", cite, seat=action.seat),)
    if action.kind not in kinds:
        return (foul("unknown-action", cite, action=action.kind),)
    strange = tuple(dict.fromkeys(c for c in action.cards if c != UNKNOWN and c not in deck))
    if strange:
        return (foul("not-in-deck", cite, strange),)
    same_kind = [p for p in prompts if p.kind == action.kind]
    if not same_kind:
        step = prompts[0]
        player = -1 if step.seat is None else step.seat
        return (foul("wrong-phase", cite, action=action.kind, step=step.kind, player=player),)
    mine = [p for p in same_kind if p.seat == action.seat]
    if not mine:
        turn = same_kind[0].seat
        if turn is None:
            return (foul("for-the-table", cite, action=action.kind),)
        return (foul("not-your-turn", cite, turn=turn, action=action.kind),)
    wrong = [_cards_misfit(p.slot, action.cards, cite) or _args_misfit(p, action, cite) for p in mine][-1]
    return tuple([dataclasses.replace(v, params=(*v.params, ("action", action.kind))) for v in wrong])


def _fits(prompt: Prompt, action: Action, deck: Collection[str]) -> bool:
    """Whether `prompt` offers `action`: the quick way through, since nearly every action is in order."""
    if prompt.kind != action.kind or prompt.seat != action.seat:
        return False
    slot, cards = prompt.slot, action.cards
    for card in cards:
        if card not in deck and card != UNKNOWN:
            return False
    if (slot is not None or cards) and _cards_misfit(slot, cards, ""):
        return False
    return not (prompt.choices or action.args) or not _args_misfit(prompt, action, "")


def _cards_misfit(slot: Slot | None, cards: tuple[str, ...], cite: str) -> tuple[Violation, ...]:
    least, most = (slot.least, slot.most) if slot else (0, 0)
    if not least <= len(cards) <= most:
        allowed = str(least) if least == most else f"{least}–{most}"
        return (foul("wrong-count", cite, cards, count=len(cards), allowed=allowed),)
    if slot is None:
        return ()
    if slot.side == "down" and any(c != UNKNOWN for c in cards):
        return (foul("card-not-hidden", cite, [c for c in cards if c != UNKNOWN]),)
    if slot.side == "up" and UNKNOWN in cards:
        return (foul("card-not-shown", cite),)
    if slot.faces is not None and not (len(cards) == 1 and cards[0] in slot.faces):
        barred = tuple((Counter(c for c in cards if c != UNKNOWN) - Counter(slot.faces)).elements())
        if barred:
            return (foul("card-not-allowed", cite, barred),)
    return ()


def _args_misfit(prompt: Prompt, action: Action, cite: str) -> tuple[Violation, ...]:
    given = dict(action.args)
    for choice in prompt.choices:
        value = given.pop(choice.name, None)
        # 1 == True in Python: an argument must have the value and the type that was offered.
        offered = choice.values if type(value) is str else [v for v in choice.values if type(v) is type(value)]
        if value not in offered:
            return (foul("wrong-choice", cite, offered=f"{choice.name}:" + "|".join(map(str, choice.values))),)
    return (foul("wrong-choice", cite, offered=""),) if given else ()


def without(cards: Sequence[str], taken: Iterable[str]) -> tuple[str, ...]:
    """`cards` less one copy of each of `taken` (those that are there), order kept."""
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return tuple(left)


def give(hand: Hand, cards: Iterable[str] = (), unknown: int = 0) -> Hand:
    """The hand after these known cards and that many unknown ones came in."""
    return Hand(hand.known + tuple(cards), hand.unknown + unknown)


def take(hand: Hand, cards: Iterable[str]) -> Hand:
    """The hand after `cards` left it: a known copy if there is one, else one of the unknown cards. `UNKNOWN`
    cards leave a hand whose composition then is less sure: any known card may have been the one, so all known
    cards become unknown ones unless the hand has none. Never below zero."""
    known, unknown = list(hand.known), hand.unknown
    for card in cards:
        if card == UNKNOWN:
            unknown, known = unknown + len(known), []
        if card in known:
            known.remove(card)
        else:
            unknown = max(0, unknown - 1)
    return Hand(tuple(known), unknown)


def put(items: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`items` with `value` in place `at`: what a seat has, changed."""
    return (*items[:at], value, *items[at + 1 :])


def closed_hands(counts: Iterable[int]) -> tuple[Zone, ...]:
    """The hands as zones, of which only the number of cards is known, by seat."""
    return tuple(Zone(f"hand:{seat}", down=count) for seat, count in enumerate(counts))


def points_of(lines: Iterable[ScoreLine], seat: int) -> int:
    """What the lines of `seat` add up to."""
    return sum(line.points for line in lines if line.seat == seat)
