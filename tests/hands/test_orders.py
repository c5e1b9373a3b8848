"""One hash a ranking locks its whole order: any change of any hand's standing shows here.

A hash is of the keys of every hand there is, in a fixed order of hands. When an order changes on purpose, the failing
test prints the new hash.
"""

from __future__ import annotations

import hashlib
from itertools import combinations_with_replacement

import numpy as np
import pytest

from companion.hands.five import every_hand
from companion.hands.five_card import ranking as five_card
from companion.hands.rows import ROWS
from companion.hands.sixty_five import ranking as sixty_five
from companion.hands.three_card import every_triple
from companion.hands.three_card import ranking as three_card

THREE_CARDS = {
    "52D3": "1e7d9738fb7fb9486ff0b50cd0441f30",
    "52D2": "3121636bebe7c076d79351f1207df742",
    "52D1": "4ccbe3a2400871df8610a723398e05d8",
    "48D3": "26745300ad614f6e4b531e082ae5238d",
    "48D2": "c6b5eb505ac3d9161a1e11afca9e427c",
    "48D1": "f2186ea6ba5ae37fffd4aadc7539e56e",
    "40D3": "44756f293dde6c049feab366b5f85665",
    "40D2": "c69c0184d27719a220a160cd61648265",
    "40D1": "e081b113fc57bb4fd00599e2f33fc620",
    "36D3": "b01fd2f0cd344c4e2ab726ae5f33bd3d",
    "36D2": "a7c49eb05e1489bcc04fc524db83d3f0",
    "36D1": "f54567c46dcacc6db38d262f15a144c7",
    "M9D4": "5e12cb6d525704ecbf211e37bec984c6",
    "M9D3": "5e12cb6d525704ecbf211e37bec984c6",
    "M9D2": "b97ee8342421763d0e89bc1b8199dc4e",
    "M9D1": "f6b509bff1c6ea43302dbc51a246dfac",
    "M9D4C3": "5e12cb6d525704ecbf211e37bec984c6",
    "M9D3C2": "4e940d82051bb27aa7da0569d67aae51",
    "M7D3": "faf7cfb1a8d2bde25248af115e93781e",
    "M7D2": "283a147376eaa32e53418fbd8d5bd28e",
    "M7D1": "77ae663efa534c17d4f023fb3479223a",
    "T52D3": "0e981690fc672b4f74fbc6c4743695c6",
    "T52D2": "7b67164c5c858c8a8812f3fe7aef1ee9",
    "T52D1": "5da338b20b1576bf408aec04edec0509",
    "T44D3": "a3c6b576e783288f241568d78dfb9621",
    "T44D2": "4497cb759c4797e5acd0569cf2986912",
    "T44D1": "46cea1e64212db66649b1cb7eb364154",
    "T36D3": "b8048e133d808faf1ffdaab3ff3d40a1",
    "T36D2": "a682a874a85961153d0ce823cdcc4488",
    "T36D1": "3ac9647a67a409a1d996843eb1fc33a5",
}
FIVE_CARDS = {
    "52D1": "821ef62e86ff6032aca5586a94341758",
    "52D2": "ae8c4669e07807178a0af1779ebc5f5f",
    "52D3": "1b7e20e24e5aeab01979f987c50e58b3",
}
SIXTY_FIVE = {
    "1": "f46a6798301ae0cd31412de170a72aa9",
    "2": "54f73be0f9a11c03ff30e2c26d698dfe",
    "3": "fc8b9d1e28d39f5d047f177229315e73",
}


def digest(keys: np.ndarray) -> str:
    """The first half of the SHA-256 of the keys as little-endian 64-bit numbers."""
    return hashlib.sha256(np.ascontiguousarray(keys, "<i8").tobytes()).hexdigest()[:32]


@pytest.mark.parametrize("row", ROWS)
def test_three_cards(row: str) -> None:
    ranked = three_card(row)
    hands, _ = every_triple(ranked.deck)
    assert digest(ranked.keys_of(hands)) == THREE_CARDS[row]


def test_standard_poker_with_one_deck() -> None:
    assert digest(five_card().keys_of(every_hand(52, 5))) == FIVE_CARDS["52D1"]


@pytest.mark.parametrize("deck", ["52D2", "52D3"])
def test_standard_poker_with_several_decks(deck: str) -> None:
    ranked = five_card({"deck": deck})
    # Two suits of thirteen ranks hold every multiset of ranks that these decks can deal, mixed and suited.
    faces = [ranked.deck.index(code) for code in ranked.deck.codes if code[-1] in "SH"]
    hands = np.array(list(combinations_with_replacement(faces, 5)), np.uint8)
    copies = (hands[:, :, None] == hands[:, None, :]).sum(axis=2).max(axis=1)
    assert digest(ranked.keys_of(hands[copies <= ranked.deck.counts[0]])) == FIVE_CARDS[deck]


@pytest.mark.parametrize("straights", SIXTY_FIVE)
def test_all_hands_of_the_65_deck(straights: str) -> None:
    assert digest(sixty_five({"straights": straights}).keys_of(every_hand(65, 5))) == SIXTY_FIVE[straights]
