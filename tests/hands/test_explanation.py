"""Evaluation explains itself, in words that both catalogues have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import resources
from companion.cards import RECOMMENDED
from companion.hands import NONE, Explanation, Note, house_rules, ranking, ranking_names
from companion.hands.hexa import best_partition
from companion.hands.pokard import POINTS
from companion.hands.three_card import PREDICATES, every_triple
from companion.hands.trading import kind_codes

CATALOGUES = {
    lang: {
        key: text
        for file in ("hands", "cards")
        for key, text in json.loads((resources.web() / "messages" / lang / f"{file}.json").read_text("utf-8")).items()
    }
    for lang in ("en", "ja")
}


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", text))


def assert_worded(note: Note) -> None:
    """Both languages have the sentence, and it asks for nothing that the note does not give."""
    for texts in CATALOGUES.values():
        assert fields(texts[note.key]) <= set(dict(note.params)), note


def notes(explanation: Explanation) -> Iterator[Note]:
    yield from explanation.tie
    for refusal in explanation.refused:
        yield refusal.why


@pytest.mark.parametrize(
    ("name", "cards", "makers", "also", "refused"),
    [
        ("52D1", "5S 5H 6H", "5S 5H 6H", "RN2 P1", "K3:no-three SF:no-run-no-suit"),
        ("52D2", "9S 9S KD", "9S 9S", "P1", "RaP:pair-of-copies K3:no-three SF:no-run-no-suit"),
        (
            "52D1", "9S 4D 9H", "9S 9H", "",
            "RN2:no-friends FL:suits ST:no-run RaP:no-friend-of-pair K3:no-three SF:no-run-no-suit",
        ),
        ("52D1", "KD 6S 5S", "6S 5S", "", "FL:suits ST:no-run RaP:no-pair K3:no-three SF:no-run-no-suit"),
        ("40D3", "2S 2S KS", "2S 2S", "P1 CLF", "FL:copies RaP:pair-of-copies K3:no-three SF:no-run D3:no-triplets"),
        ("52D1", "5H 6H 7H", "5H 6H 7H", "ST FL RN2 CLF", ""),
        (
            "M9D1", "1z 2z 9m", "1z 2z 9m", "",
            "P1:no-pair MW:not-mixed RN2:no-friends FL:suits ST:no-run RaP:no-pair SF:no-run-no-suit K3:no-three "
            "CFL:not-honours",
        ),
        ("T52D1", "0y 2y 4y", "0y 2y 4y", "", "ST:no-run RaP:no-pair K3:no-three SF:no-run BoW:zat-neutral"),
        ("T52D1", "2S 3S 4S", None, "", ""),
    ],
)  # fmt: skip
def test_three_cards_say_why(name: str, cards: str, makers: str | None, also: str, refused: str) -> None:
    if makers is None:
        with pytest.raises(ValueError, match="did you mean"):
            ranking(name).explain(cards.split())
        return
    said = ranking(name).explain(cards.split())
    assert said.cards == tuple(makers.split())
    assert said.also == tuple(also.split())
    assert [f"{r.category}:{r.why.key.removeprefix('hand.why.')}" for r in said.refused] == refused.split()
    assert [note.key for note in said.tie] == ["hand.tie.shared"]


def test_nothing_is_explained_as_well() -> None:
    said = ranking("52D1").explain(["2S", "7H", "KD"])
    assert (said.category, said.cards, said.also) == (NONE, (), ())
    assert [r.category for r in said.refused] == list(ranking("52D1").categories)


def test_ranks_that_decide_are_named_in_order() -> None:
    (note,) = ranking("52D1", intra_order="rank").explain(["2D", "AD", "JD"]).tie
    assert dict(note.params) == {"cards": ("AD", "JD", "2D")}


def test_five_cards_say_why() -> None:
    said = ranking("five-card").explain(["9S", "9H", "4D", "9D", "4S"])
    assert said.category == "full_house"
    assert said.cards == ("9S", "9H", "9D", "4D", "4S")
    assert said.also == ("three", "two_pair", "one_pair")
    assert [(r.category, r.why.key) for r in said.refused] == [
        ("four", "hand.why.of-a-rank"),
        ("straight_flush", "hand.why.no-run-no-suit"),
    ]
    assert dict(said.refused[0].why.params) == {"need": 4, "have": 3}
    wheel = ranking("five-card").explain(["AS", "2S", "3D", "4C", "5S"])
    assert wheel.tie[0].params[0][1] == ("5S", "4C", "3D", "2S", "AS")
    pair = ranking("five-card").explain(["2S", "KD", "2D", "9C", "AS"])
    assert pair.cards == ("2S", "2D") and pair.tie[0].params[0][1] == ("2S", "2D", "AS", "KD", "9C")
    copies = ranking("five-card", deck="52D2").explain(["7S", "7S", "9C", "9C", "AS"])
    assert (copies.category, copies.cards) == ("two_pair", ("9C", "9C", "7S", "7S"))


def test_the_65_deck_says_why_shepherds_do_not_help() -> None:
    said = ranking("65").explain(["judge.lib", "shepherd.fed", "judge.fed", "shepherd.lib", "end.nomad"])
    assert (said.category, said.cards, said.also) == ("one_pair", ("judge.fed", "judge.lib"), ())
    why = {r.category: r.why for r in said.refused}
    assert why["two_pair"].key == why["full_house"].key == "hand.why.shepherds"
    assert dict(why["shepherd_five"].params) == {"shepherds": 2}
    assert [note.key for note in said.tie] == ["hand.tie.shepherds", "hand.tie.pictures", "hand.tie.suits"]
    assert dict(said.tie[1].params) == {"cards": ("judge.fed", "judge.lib")}
    royal = ranking("65", straights=3).explain(
        ["judge.fed", "sword.fed", "revolution.fed", "staff.fed", "shepherd.fed"]
    )
    assert royal.also == ("straight_flush", "flush", "straight") and not royal.refused


rankings = st.one_of(
    st.tuples(
        st.sampled_from([n for n in ranking_names() if n not in ("65", "five-card")]),
        st.sampled_from([{}, {"intra_order": "rank"}]),
    ),
    st.tuples(st.just("65"), st.sampled_from([{"straights": 1}, {"straights": 2}, {"straights": 3, "suits": "sum"}])),
    st.tuples(st.just("five-card"), st.sampled_from([{"deck": d} for d in ("52D1", "52D2", "52D3")])),
)


@settings(max_examples=300)
@given(rankings, st.data())
def test_explanations_are_complete_consistent_and_worded(
    drawn: tuple[str, dict[str, str | int]], data: st.DataObject
) -> None:
    ranked = ranking(drawn[0], **drawn[1])
    cards = list(ranked.deck)
    places = data.draw(
        st.lists(st.integers(0, len(cards) - 1), min_size=ranked.size, max_size=ranked.size, unique=True)
    )
    hand = [cards[i] for i in places]
    said = ranked.explain(hand)
    assert said.category == ranked.category(hand)
    assert (said.category == NONE) == (not said.cards)
    assert all(list(hand).count(card) >= said.cards.count(card) for card in said.cards)
    order = [NONE, *ranked.categories]
    if said.category in order:
        place = order.index(said.category)
        assert all(order.index(code) < place for code in said.also)
        named = [r.category for r in said.refused if r.category != "shepherd_five"]
        assert named == order[place + 1 :]
    for note in notes(said):
        assert_worded(note)
    assert json.loads(json.dumps(said.to_json()))["category"] == said.category


def test_every_reason_of_the_three_card_rows_is_worded() -> None:
    for row, options in (
        ("36D3", {}),
        ("M7D3", {"cfl": "winds_or_dragons"}),
        ("T36D2", {}),
        ("36D2", {"k3_identical": "no"}),
    ):
        ranked = ranking(row, **options)
        hands, _ = every_triple(ranked.deck)
        keys = {
            note.key: note
            for hand in hands[::11].tolist()
            for note in notes(ranked.explain([ranked.deck.codes[i] for i in hand]))
        }
        for note in keys.values():
            assert_worded(note)


def test_every_code_and_option_has_a_name_in_both_languages() -> None:
    codes = {NONE, *PREDICATES, *POINTS, *kind_codes(), "shepherd_five", "royal", "five"}
    codes |= {"jewel", "coin", "diret", "amulet", "kingdom", "park", "friend_park", "holy"}
    codes |= {code for name in ranking_names() for code in ranking(name).codes}
    lengths = {row.length for row in RECOMMENDED}
    options = {
        f"option.ranking.{rule.name}{suffix}"
        for name in ("52D1", "65", "five-card")
        for rule in house_rules(name)
        for suffix in ("", *(f".{value}" for value in rule.values))
    }
    wanted = {f"category.{code}" for code in codes} | options | {f"length.{length}" for length in lengths}
    for texts in CATALOGUES.values():
        assert wanted <= set(texts)
        assert all(texts.values())


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    english, japanese = CATALOGUES["en"], CATALOGUES["ja"]
    assert set(english) == set(japanese)
    assert all(fields(english[key]) == fields(japanese[key]) for key in english)


def test_hexa_groups_are_named_as_the_catalogue_names_them() -> None:
    kinds = {group.kind for group in best_partition(["AS", "AH", "AD", "2C", "3S", "9H"]).groups}
    assert {f"category.{kind}" for kind in kinds} <= set(CATALOGUES["en"])
