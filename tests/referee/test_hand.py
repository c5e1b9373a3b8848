"""A hand that only its owner knows: what the referee says of it, and that the match forgets it."""

from pathlib import Path

import pytest

from companion.games import Setup, Verdict
from companion.referee import Match, Started, weigh_hand
from companion.referee.record import parse

RECORDS = Path(__file__).parents[1] / "records"


def showdown(deck="52D1"):
    return Match.of([Started("three-card-showdown", Setup(("Anna", "Ben"), deck))])


def codes(weighed):
    return [note.code for note in weighed.notes]


def test_a_whole_hand_is_told_what_it_is_worth():
    (play,) = weigh_hand(showdown(), 0, ("AS", "KS", "QS")).plays
    assert (play.prompt.kind, play.verdict) == ("lay", Verdict.LEGAL)
    assert play.note is not None
    assert play.note.key == "category.SF"


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (("AS", "AS", "QS"), "too-many-copies"),
        (("AS", "KS", "ZZ"), "not-in-deck"),
        (("AS", "KS", "JK1"), "not-in-deck"),
    ],
)
def test_what_cannot_be_is_named(cards, code):
    weighed = weigh_hand(showdown(), 0, cards)
    assert code in codes(weighed)


def test_two_equal_cards_can_be_with_two_decks():
    assert weigh_hand(showdown("52D2"), 0, ("AS", "AS", "QS")).notes == ()


def pokard_tricks():
    """Recorded games of Pokard Trick at every point where somebody follows to a lead."""
    for file in sorted(RECORDS.glob("pokard*.txt")):
        match = None
        for event in parse(file.read_text(encoding="utf-8")).events:
            match = Match.of([event]) if match is None else match.then(event)
            table = getattr(match.state, "table", ())
            prompts = [p for p in match.prompts() if p.kind == "play"]
            if prompts and table and len(table) < 3 and not table[0].card.startswith("JK"):
                yield match, prompts[0].seat, table[0].card
                break


def test_following_suit_is_settled_by_the_owners_other_cards():
    """What nobody else can prove yet the hand itself proves: with a card of the suit led any other is a revoke."""
    seen = 0
    for match, seat, led in pokard_tricks():
        suit = led[-1]
        other = next(s for s in "SHDC" if s != suit)
        own, off = f"9{suit}" if led != f"9{suit}" else f"8{suit}", f"7{other}"
        with_suit = {p.cards: p for p in weigh_hand(match, seat, (own, off)).plays if p.prompt.kind == "play"}
        without = {p.cards: p for p in weigh_hand(match, seat, (off,)).plays if p.prompt.kind == "play"}
        assert with_suit[(own,)].verdict is Verdict.LEGAL
        assert with_suit[(off,)].verdict is Verdict.FOUL
        assert with_suit[(off,)].violations[0].cards == (own,)
        assert without[(off,)].verdict is Verdict.LEGAL
        seen += 1
    assert seen


@pytest.mark.parametrize("file", sorted(RECORDS.glob("*.txt")), ids=lambda path: path.stem)
def test_any_hand_in_any_game_gets_an_answer_and_leaves_no_trace(file):
    match = None
    for number, event in enumerate(parse(file.read_text(encoding="utf-8")).events):
        match = Match.of([event]) if match is None else match.then(event)
        if number % 7 == 0:
            before, entries = match.state, match.entries
            faces = (*match.deck.codes[:4], "ZZ", "?")
            for seat in range(len(match.setup.players)):
                assert "not-in-deck" in codes(weigh_hand(match, seat, faces))
                weigh_hand(match, seat, faces[:1])
            assert match.state is before and match.entries is entries
