"""What the networks that verify pictures and marks learn from: cards of an invented deck beside what they are like."""

import numpy as np
import pytest

from companion.training.decks.verify import lesson
from companion.vision.decks.network import Network
from companion.vision.decks.verifying import Verifier

SEED, CARDS = 3, 16


@pytest.fixture(scope="module")
def held():
    return lesson(SEED, Network(threads=1), CARDS)


def test_a_lesson_lays_each_card_onto_pictures_of_its_deck(held):
    pictures, several = len(held["looks"]), held["which"].shape[1]
    assert held["shown"].shape == (CARDS, several, *held["looks"].shape[1:])
    assert held["patches"].shape == (CARDS, *held["windows"].shape)
    assert (held["which"] < pictures).all() and (held["picture"] <= several).all()
    assert {0} < set(held["mark"].tolist()) <= set(range(held["windows"].shape[1] + 1))
    foreign = held["mark"] == held["windows"].shape[1]
    assert foreign.any() and (held["picture"][foreign] == several).all()


def test_the_shipped_networks_know_what_a_lesson_says(held):
    """Of a deck below the seeds that they learned from: mostly the right picture of three, and the right mark."""
    verifier, mean = Verifier(threads=1), held["looks"].mean(axis=0).astype(np.uint8)
    right = []
    for shown, which, picture, patches, mark in zip(
        held["shown"], held["which"], held["picture"], held["patches"], held["mark"], strict=True
    ):
        if picture < len(which):
            right.append(int(verifier.pictures(shown, held["looks"][which], mean).argmax()) == picture)
            right.append(int(verifier.marks(patches, held["windows"]).argmax()) == mark)
    assert len(right) >= 8 and np.mean(right) > 0.75
