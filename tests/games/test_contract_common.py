"""What games share: why an action fits no prompt, set-ups, hands as known cards and a count."""

from dataclasses import dataclass

import pytest

from companion.games import UNKNOWN, Action, Choice, Hand, Prompt, Slot
from companion.games.common import give, misfit, once_a_state, put, replace, take, without
from companion.games.turns import after

DECK = ("AS", "2S", "3S", "4S")
OPEN = (
    Prompt("play", 1, Slot(1, 2, ("AS", "2S", "2S"))),
    Prompt("hide", 1, Slot(1, 1, side="down")),
    Prompt("lay", 1, Slot(0, 2, side="any")),
    Prompt("bid", 1, choices=(Choice("amount", (1, 2)), Choice("open", (True, False)))),
    Prompt("fold", 1, Slot(1, 1), (Choice("source", ("hand",)),)),
    Prompt("fold", 1, Slot(1, 1, ("3S",)), (Choice("source", ("row",)),)),
    Prompt("deal", None),
)
KINDS = ("play", "hide", "lay", "bid", "fold", "deal", "draw")


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Action("play", 1, ("AS",)), None),
        (Action("play", 1, ("2S", "2S")), None),
        (Action("hide", 1, (UNKNOWN,)), None),
        (Action("lay", 1, ("4S", UNKNOWN)), None),
        (Action("lay", 1), None),
        (Action.of("bid", 1, amount=2, open=False), None),
        (Action.of("fold", 1, ("4S",), source="hand"), None),
        (Action.of("fold", 1, ("3S",), source="row"), None),
        (Action("deal"), None),
        (Action("dance", 1), "unknown-action"),
        (Action("draw", 1), "wrong-phase"),
        (Action("play", 0, ("AS",)), "not-your-turn"),
        (Action("play", None, ("AS",)), "not-your-turn"),
        (Action("play", 4, ("AS",)), "unknown-seat"),
        (Action("play", -1, ("AS",)), "unknown-seat"),
        (Action("deal", 1), "for-the-table"),
        (Action("play", 1), "wrong-count"),
        (Action("play", 1, ("2S", "2S", "AS")), "wrong-count"),
        (Action("bid", 1, ("AS",), (("amount", 1), ("open", True))), "wrong-count"),
        (Action("play", 1, ("5S",)), "not-in-deck"),
        (Action("play", 1, ("AS", "AS")), "card-not-allowed"),
        (Action("play", 1, ("4S",)), "card-not-allowed"),
        (Action("play", 1, (UNKNOWN,)), "card-not-shown"),
        (Action("hide", 1, ("AS",)), "card-not-hidden"),
        (Action.of("bid", 1, amount=3, open=False), "wrong-choice"),
        (Action.of("bid", 1, amount=True, open=False), "wrong-choice"),
        (Action.of("bid", 1, amount=1, open=1), "wrong-choice"),
        (Action.of("bid", 1, amount=1), "wrong-choice"),
        (Action.of("play", 1, ("AS",), colour="red"), "wrong-choice"),
        (Action.of("fold", 1, ("4S",), source="row"), "card-not-allowed"),
    ],
)
def test_an_action_fits_a_prompt_or_has_one_reason(action, code):
    assert [v.code for v in misfit(OPEN, action, KINDS, 3, DECK, "12")] == ([code] if code else [])


def test_nothing_fits_when_nothing_is_open():
    (violation,) = misfit((), Action("play", 1, ("AS",)), KINDS, 3, DECK, lambda kind: f"clause of {kind}")
    assert (violation.code, violation.clause) == ("game-over", "clause of play")


def test_it_says_whose_turn_it_is():
    (violation,) = misfit(OPEN, Action("play", 0, ("AS",)), KINDS, 3, DECK)
    assert dict(violation.params) == {"turn": 1, "action": "play"}


def test_hands_are_known_cards_and_a_count():
    hand = give(Hand(("AS", "2S"), 3), ("2S",), 1)
    assert hand == Hand(("AS", "2S", "2S"), 4) and len(hand) == 7
    assert take(hand, ("2S",)) == Hand(("AS", "2S"), 4)
    assert take(hand, ("KD",)) == Hand(("AS", "2S", "2S"), 3)
    assert take(Hand(), ("KD",)) == Hand()


def test_a_card_that_leaves_face_down_may_be_any_of_the_known_ones():
    assert take(Hand(("AS", "2S"), 0), (UNKNOWN,)) == Hand((), 1)
    assert take(Hand((), 3), (UNKNOWN, UNKNOWN)) == Hand((), 1)


def test_without_takes_one_copy_each():
    assert without(("AS", "2S", "2S"), ("2S", "KD")) == ("AS", "2S")


@dataclass(frozen=True)
class Pile:
    cards: tuple[str, ...]
    unknown: int = 0


@pytest.mark.parametrize("kind", [Hand, Pile])
def test_replace_changes_fields_and_nothing_else(kind):
    """With slots and without."""
    item = kind(("AS",), 2)
    assert replace(item, unknown=3) == kind(("AS",), 3) and item == kind(("AS",), 2)
    assert type(replace(item, unknown=3)) is kind
    with pytest.raises(TypeError, match="colour"):
        replace(item, colour="red")


def test_prompts_are_made_once_while_the_state_stays_the_same():
    class Asked:
        times = 0

        @once_a_state
        def prompts(self, state):
            self.times += 1
            return (Prompt(state[0], 0),)

    game, one, twin = Asked(), ["draw"], ["draw"]
    assert game.prompts(one) is game.prompts(one) and game.times == 1
    assert game.prompts(twin) == game.prompts(one) and game.times == 3  # equal is not the same
    other = Asked()
    assert other.prompts(one) == (Prompt("draw", 0),) and other.times == 1


def test_the_next_seat_goes_round_the_table():
    assert [after(seat, (0, 2, 3), 5) for seat in range(5)] == [2, 2, 3, 0, 0]
    assert [after(seat, (0, 2, 3), 5, -1) for seat in range(5)] == [3, 0, 0, 2, 3]
    assert after(3, (3,), 5) == 3


def test_put_changes_one_place_and_leaves_the_rest():
    assert put((1, 2, 3), 1, 9) == (1, 9, 3)
    assert put((1,), 0, 0) == (0,)
