"""Invented decks without an index: what a scene of them teaches the detector."""

import numpy as np

from companion.training.scenes import backgrounds, compose, dataset, picture_prints

BANK = backgrounds.Bank()


def test_a_deck_is_the_same_for_the_same_seed_and_no_face_has_an_index() -> None:
    one, again, other = (picture_prints.invent(seed, BANK) for seed in (3, 3, 4))
    assert all(np.array_equal(one.faces[face], again.faces[face]) for face in one.faces)
    assert any(
        one.faces[face].shape != other.faces[face].shape or (one.faces[face] != other.faces[face]).any()
        for face in one.faces
    )
    assert not one.indexed
    assert one.backs


def test_held_out_decks_are_others_than_those_that_train() -> None:
    train, heldout = (picture_prints.Decks(split, 5, BANK) for split in ("train", "heldout"))
    assert [deck.split for deck in train[:2]] == ["train", "train"]
    assert heldout[-1].split == "heldout"
    assert not {deck.name for deck in train} & {deck.name for deck in heldout}


def test_a_scene_of_picture_cards_asks_for_outlines_alone() -> None:
    composer = compose.Composer([picture_prints.invent(0, BANK)], BANK, (320, 320), (60, 120))
    composer.pictures, composer.picture_share = picture_prints.Decks("train", 20, BANK), 1.0
    targets = [target for seed in range(6) for target in dataset.targets(composer.compose(seed))]
    assert len(targets) > 6
    assert {target.kind for target in targets} <= {0, 1}
    assert {target.face for target in targets} <= {"custom", None}


def test_without_a_share_of_them_a_scene_is_what_it_was() -> None:
    prints = [picture_prints.invent(0, BANK)]
    plain = compose.Composer(prints, BANK, (160, 160))
    offered = compose.Composer(prints, BANK, (160, 160), pictures=picture_prints.Decks("train", 9, BANK))
    assert all(np.array_equal(plain.compose(seed).image, offered.compose(seed).image) for seed in range(5, 12))
