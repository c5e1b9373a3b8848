"""Somebody else reaches out while a player lays cards one after another: that splits nothing, and costs little."""

from __future__ import annotations

from companion.table.parts import Part
from companion.table.touches import Touch
from companion.table.visits import AIMLESS, Hands


def touch(zone: str, direction: float, began: float) -> Touch:
    return Touch(1, direction, zone, began, began + 0.5)


def test_who_reaches_out_elsewhere_meanwhile_does_not_split_what_another_does() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    own = [touch("stock", 70.0, 1.0), touch("common", 70.0, 2.0), touch("common", 70.0, 4.0)]
    hands.open = sorted([*own, touch("keep:1", -140.0, 3.0)], key=lambda one: one.began)
    part = Part(None, frozenset({"stock", "common"}), frozenset(), 9.0)
    cost, (did,) = hands.matched([part])
    assert list(did) == own
    hands.open = own
    assert cost == hands.matched([part])[0] + AIMLESS


def test_his_own_hand_elsewhere_does() -> None:
    hands = Hands(told=True, stacks=frozenset({"stock"}))
    hands.open = [touch("common", 70.0, 1.0), touch("keep:1", 70.0, 2.0), touch("common", 70.0, 3.0)]
    part = Part(None, frozenset({"common"}), frozenset(), 9.0)
    _, (did,) = hands.matched([part])
    assert len(did) < 2
