"""Prompts of any game are recognised by their slots: a small game of its own, and a first look at every other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from companion import resources
from companion.games import (
    Action,
    Choice,
    Game,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    Slot,
    View,
    Violation,
    Zone,
    game,
    places,
)
from companion.table import Layout, Observation, observe
from companion.table.solve import typical
from companion.vision.types import SeenTable, Side, Unit
from tests.table.lying import at

LAYOUT = Layout.from_toml((resources.calibration() / "demo" / "layout.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Goods:
    """State of `Market`: what lies where, whose turn it is."""

    common: tuple[str, ...] = ("2S", "3S", "4S")
    keeps: tuple[tuple[str, ...], ...] = ((), ())
    asides: int = 0
    discard: tuple[str, ...] = ()
    loud: int = 0
    turn: int = 0


class Market(Game[Goods]):
    """Take an open card, or lay one aside face down, or put one or two on the pile, or announce something."""

    id = "market"
    least_players, most_players, decks = 2, 2, ("52D1",)

    def start(self, setup: Setup) -> Goods:
        return Goods()

    def prompts(self, state: Goods) -> tuple[Prompt, ...]:
        me = state.turn
        return (
            Prompt("take", me, Slot(1, 1, state.common, "common", f"keep:{me}")),
            Prompt("aside", me, Slot(1, 2, None, f"hand:{me}", "aside", "down")),
            Prompt("drop", me, Slot(1, 2, None, f"hand:{me}", "discard"), (Choice("loud", (False, True)),)),
            Prompt("pick", me, Slot(1, 1, state.common, "common", f"hand:{me}")),
            Prompt("pass", me),
        )

    def check(self, state: Goods, action: Action) -> tuple[Violation, ...]:
        if action.kind in ("take", "pick") and action.cards[0] not in state.common:
            return (Violation("card-not-allowed", "1", action.cards),)
        return ()

    def apply(self, state: Goods, action: Action) -> Goods:
        state = replace(state, turn=1 - state.turn)
        left = tuple(c for c in state.common if c not in action.cards)
        if action.kind == "take":
            keeps = list(state.keeps)
            keeps[action.seat or 0] += action.cards
            return replace(state, common=left, keeps=tuple(keeps))
        if action.kind == "pick":
            return replace(state, common=left)
        if action.kind == "aside":
            return replace(state, asides=state.asides + len(action.cards))
        if action.kind == "drop":
            return replace(state, discard=state.discard + action.cards, loud=state.loud + bool(action.arg("loud")))
        return state

    def expected_table(self, state: Goods) -> tuple[Zone, ...]:
        return (
            Zone("common", state.common),
            *(Zone(f"keep:{seat}", cards) for seat, cards in enumerate(state.keeps)),
            Zone("aside", down=state.asides),
            Zone("discard", state.discard, pile=True),
        )

    def scores(self, state: Goods) -> tuple[ScoreLine, ...]:
        return ()

    def view(self, state: Goods, role: Role) -> View:
        raise AssertionError("nobody looks")

    def world(self, setup: Setup, chance: Any) -> Any:
        raise AssertionError("no bots here")


MARKET = Market()
STALLS = {"common": (0.5, 0.5), "keep:0": (0.5, 0.9), "keep:1": (0.5, 0.1), "aside": (0.1, 0.5), "discard": (0.9, 0.5)}
STALL_LAYOUT = Layout(
    "market",
    Unit.FRACTION,
    (1.0, 1.0),
    tuple(
        replace(
            LAYOUT.zones[0],
            id=name,
            polygon=((x - 0.3, y - 0.1), (x + 0.3, y - 0.1), (x + 0.3, y + 0.1), (x - 0.3, y + 0.1)),
        )
        if name not in ("aside", "discard")
        else replace(
            LAYOUT.zones[0],
            id=name,
            polygon=((x - 0.1, y - 0.1), (x + 0.1, y - 0.1), (x + 0.1, y + 0.1), (x - 0.1, y + 0.1)),
        )
        for name, (x, y) in STALLS.items()
    ),
)


def stalls(cards: Mapping[str, Sequence[str]]) -> SeenTable:
    """Cards by stall; "#" is a back."""
    seen = []
    for name, faces in cards.items():
        for n, face in enumerate(faces):
            x, y = STALLS[name]
            back = face == "#"
            seen.append(
                at(x + 0.05 * (n - 1), y, 100 + len(seen), None if back else face, Side.DOWN if back else Side.UP)
            )
    return SeenTable(0.0, True, Unit.FRACTION, tuple(seen))


FULL = ("2S", "3S", "4S")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ({"common": FULL}, []),
        ({"common": ("2S", "4S"), "keep:0": ("3S",)}, [Action("take", 0, ("3S",))]),
        ({"common": FULL, "aside": ("#",)}, [Action("aside", 0, ("?",))]),
        ({"common": FULL, "aside": ("#", "#")}, [Action("aside", 0, ("?", "?"))]),
        ({"common": ("2S", "3S")}, [Action("pick", 0, ("4S",))]),
        (
            {"common": ("2S",), "keep:0": ("3S",), "keep:1": ("4S",)},
            [Action("take", 0, ("3S",)), Action("take", 1, ("4S",))],
        ),
    ],
)
def test_prompts_of_any_game_are_recognised_by_their_slots(
    cards: dict[str, tuple[str, ...]], expected: list[Action]
) -> None:
    found = observe(MARKET, Goods(), stalls(cards), STALL_LAYOUT)
    assert found.actions == tuple(expected)


def test_several_explanations_are_a_question_with_choices() -> None:
    found = observe(MARKET, Goods(), stalls({"common": FULL, "discard": ("KH",)}), STALL_LAYOUT)
    assert found.actions == ()
    (question,) = found.questions
    assert question.kind == "several" and question.zone == "discard"
    assert question.choices == tuple(Action.of("drop", 0, ("KH",), loud=loud) for loud in (False, True))


def test_a_pile_shows_its_top_only() -> None:
    state = Goods(discard=("5D", "KH"))
    for shown in (("KH",), ("KH", "5D")):
        assert observe(MARKET, state, stalls({"common": FULL, "discard": shown}), STALL_LAYOUT) == Observation()
    found = observe(MARKET, state, stalls({"common": FULL, "discard": ("QC",)}), STALL_LAYOUT)
    assert [q.kind for q in found.questions] == ["several"]


def test_a_card_nobody_may_take_is_a_foul_or_unexplained() -> None:
    found = observe(MARKET, Goods(), stalls({"common": FULL, "keep:0": ("9H",)}), STALL_LAYOUT)
    assert found.actions == () and [q.kind for q in found.questions] == ["foul"]
    found = observe(MARKET, Goods(), stalls({"common": FULL, "keep:1": ("9H",)}), STALL_LAYOUT)
    assert [(q.kind, q.zone) for q in found.questions] == [("unexplained", "keep:1")]


def test_a_missing_common_card_is_a_difference() -> None:
    layout = replace(STALL_LAYOUT, zones=tuple(z for z in STALL_LAYOUT.zones if z.id != "keep:0"))
    found = observe(MARKET, Goods(turn=1), stalls({"common": ()}), layout)
    assert found.actions == ()
    assert [(d.zone, d.missing) for d in found.differences] == [("common", FULL)]


def test_every_registered_game_can_be_watched() -> None:
    from companion.games import ids

    for name in ids():
        rules = game(name)
        setup = Setup(tuple(f"P{n}" for n in range(rules.least_players)), rules.decks[0])
        state, layout = rules.start(setup), typical(places(name, setup), rules.least_players).layout
        cards = tuple(at(0.1 * n, 0.9, n, "AS") for n in range(1, 9))
        for seen in (SeenTable(0.0, True, Unit.FRACTION), SeenTable(0.0, True, Unit.FRACTION, cards)):
            assert isinstance(observe(rules, state, seen, layout), Observation)
