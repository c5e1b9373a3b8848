"""What somebody may have done, and what a game waits for, in the words of the buttons."""

import pytest

from companion.cards import deck
from companion.games import Action, Prompt
from companion.server.show.texts import Context, Texts
from companion.table.ask import about_steps
from companion.table.fill import Filled
from companion.table.hypotheses import Step

TEXTS = Texts.load()


def table(game):
    return Context(("Anna", "Ben"), deck("52D2"), game)


def step(action):
    return Step(Filled(action), (), None, False, False, None, 0.0)


@pytest.mark.parametrize(
    ("game", "action", "lang", "told"),
    [
        ("three-card-trick-poker", Action.of("draw", 0, count=1), "en", "Did Anna draw from the stock?"),
        ("three-card-trick-poker", Action.of("draw", 0, count=1), "ja", "Annaさんは「山札から補充」をしましたか?"),
        ("aces-king", Action("draw", 0, ("?", "?")), "en", "Did Anna draw 2?"),
        ("aces-king", Action("draw", 0, ("?", "?")), "ja", "Annaさんは「山から2枚引く」をしましたか?"),
        ("pokard-trick", Action("in", 0), "en", "Did Anna play this deal?"),
    ],
)
def test_the_question_says_what_somebody_may_have_done(game, action, lang, told):
    question = about_steps("did", [step(action)], {})
    said = TEXTS.text(question.text, lang, table(game))
    assert said.startswith(told), said


def test_a_number_that_nobody_knows_is_left_to_the_answers():
    question = about_steps("did", [step(Action("draw", 1, ("?",) * n)) for n in (1, 2)], {})
    assert TEXTS.text(question.text, "en", table("joker-quest")).startswith("Did Ben draw?")


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Ben: Play this deal / Fold and pay 1 chip · Time is up"),
        ("ja", "Ben:出る / 降りる(降り賃1チップ) · 時間切れ"),
    ],
)
def test_what_the_game_waits_for_is_told_in_the_words_of_the_buttons(lang, told):
    prompts = (Prompt("in", 1), Prompt("fold", 1), Prompt("time-up", None))
    assert TEXTS.awaited(prompts, lang, table("pokard-trick")) == told


def test_who_may_do_the_same_stand_together():
    prompts = (Prompt("fold", 0), Prompt("fold", 1))
    assert TEXTS.awaited(prompts, "en", table("pokard-trick")) == "Anna, Ben: Fold and pay 1 chip"
