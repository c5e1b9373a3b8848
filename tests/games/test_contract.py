"""What holds for every game, without a line about any of them.

Bots play whole games with real cards (`World`). At every step: what the world offers is no foul; what the game
claims about the table is true; nothing is lost or doubled; a broken action gets a code and never an exception; the
state before is untouched by applying; the score sheet adds up.
"""

import json
import os
import re
from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from companion.cards import deck
from companion.games import UNKNOWN, Action, Role, Verdict, game, ids
from companion.referee import Acted, Match, Started, TookBack
from companion.referee.simulate import play, simulate, table_setup

ROOT = Path(__file__).resolve().parents[2]


def catalogue_files(lang):
    """The words that all games share, and each game's own."""
    shared = (ROOT / "web" / "messages" / lang).glob("*.json")
    return [*sorted(shared), *sorted((ROOT / "companion" / "games").glob(f"*/words.{lang}.json"))]


ROLES = [Role(), Role("host"), Role("seat", 0), Role("scorekeeper"), Role("board")]
every_game = pytest.mark.parametrize("name", ids())
STEPS = int(os.environ.get("COMPANION_STEPS", "150"))
"""Actions looked at per game and property. Set COMPANION_STEPS=100000 for the long run."""


def steps_of(name, seed, bot="random", players=None, limit=STEPS):
    """`limit` steps, in as many games as that takes (a game without an end of its own is just one)."""
    rules = game(name)
    return rules, _steps(rules, table_setup(rules, players), f"{name}:{seed}", bot, limit)


def _steps(rules, setup, seed, bot, limit):
    for number in count():
        for step in play(rules, setup, Random(f"{seed}:{number}"), bot, limit):
            yield step
            limit -= 1
        if limit <= 0:
            return


@every_game
@pytest.mark.parametrize("bot", ["random", "simple"])
def test_claims_about_the_table_are_true_and_no_card_is_lost(name, bot):
    rules, steps = steps_of(name, 1, bot)
    whole = deck(rules.recommended_deck(min(max(4, rules.least_players), rules.most_players)))
    full = Counter({code: whole.copies(code) for code in whole.codes})
    for step in steps:
        truth = step.world.zones()
        assert Counter(card for cards in truth.values() for card in cards) == full
        for zone in (*rules.whereabouts(step.after), *rules.expected_table(step.after)):
            real = cards_in(truth, zone.id)
            assert not Counter(zone.cards) - Counter(real), (zone, real, step.action)
            if not zone.open:
                assert len(zone.cards) + zone.down == len(real), (zone, real, step.action)
        for player in rules.view(step.after, Role("host")).players:
            if player.hand is not None:
                assert len(player.hand) == len(truth.get(f"hand:{player.seat}", [])), step.action


@every_game
@pytest.mark.parametrize("players", ["least", "most"])
def test_every_number_of_players_plays_to_an_end(name, players):
    rules = game(name)
    count = rules.least_players if players == "least" else rules.most_players
    limit = 200 if rules.endless else 20_000
    last = None
    for step in play(rules, table_setup(rules, count), Random(f"{name}:{count}"), "random", limit):
        last = step
    assert last is not None
    if not rules.endless:
        assert rules.prompts(last.after) == ()
        # A game that everybody has lost (a failed quest) has no winner, and says so.
        assert rules.winners(last.after) or rules.view(last.after, Role()).results
        for role in ROLES:
            assert rules.view(last.after, role).over


def cards_in(truth, zone):
    """The true cards of a place: a zone, or a union such as ``pot+captured``, which means all captured piles."""
    parts = zone.split("+")
    return [
        c
        for name, cards in truth.items()
        for c in cards
        if name in parts or ("+" in zone and name.split(":")[0] in parts)
    ]


def mutations(action, rules, seats, chance):
    """Actions near `action`, most of them wrong."""
    yield replace(action, kind="dance")
    yield replace(action, seat=None if action.seat is not None else 0)
    yield replace(action, seat=(action.seat + 1) % seats if action.seat is not None else seats)
    yield replace(action, seat=seats + 3)
    yield replace(action, cards=(*action.cards, "XX"))
    yield replace(action, cards=(*action.cards, UNKNOWN))
    yield replace(action, cards=action.cards * 3)
    yield replace(action, cards=action.cards[1:])
    yield replace(action, args=(*action.args, ("colour", "blue")))
    yield replace(action, args=action.args[1:])
    yield replace(action, args=tuple((name, "nothing") for name, _ in action.args))
    for prompt in [{"kind": k} for k in ("pass", "play", "draw", "fold", "next")]:
        yield replace(action, **prompt)
    codes = deck(rules.recommended_deck(seats)).codes
    yield replace(action, cards=tuple(chance.choice(codes) for _ in action.cards or "x"))


def fits(prompts, action):
    """Whether some prompt offers this kind of action to this seat with so many cards and these arguments."""
    return any(
        p.kind == action.kind
        and p.seat == action.seat
        and (p.slot.least <= len(action.cards) <= p.slot.most if p.slot else not action.cards)
        and {c.name for c in p.choices} == {n for n, _ in action.args}
        and all(dict(action.args)[c.name] in c.values for c in p.choices)
        for p in prompts
    )


@every_game
def test_what_no_prompt_offers_is_refused_and_nothing_ever_raises(name):
    rules, steps = steps_of(name, 2)
    chance = Random(name)
    for step in steps:
        state, before = step.before, hash_of(step.before)
        prompts = rules.prompts(state)
        seats = len(rules.view(state, Role()).players)
        assert fits(prompts, step.action), (prompts, step.action)
        for action in mutations(step.action, rules, seats, chance):
            violations = rules.check(state, action)
            if not fits(prompts, action):
                assert [v for v in violations if v.verdict is Verdict.FOUL], action
            after = rules.apply(state, action)
            rules.proves(state, action)
            for role in ROLES[:2]:
                rules.view(after, role)
            rules.prompts(after), rules.scores(after), rules.expected_table(after), rules.whereabouts(after)
            assert all(zone.down >= 0 for zone in rules.expected_table(after)), action
        assert hash_of(step.before) == before


def some_action(rules, state, seats, codes, chance):
    """An action out of thin air that looks like a prompt: right kind and seat mostly, any cards, any choice."""
    prompt = chance.choice(rules.prompts(state))
    cards = ()
    if prompt.slot is not None:
        faces = prompt.slot.faces or codes
        faces = (UNKNOWN,) if prompt.slot.side == "down" else faces
        number = chance.randint(prompt.slot.least, max(prompt.slot.least, min(prompt.slot.most, 6)))
        cards = tuple(chance.choice(faces) for _ in range(number))
    args = tuple(sorted((choice.name, chance.choice(choice.values)) for choice in prompt.choices))
    action = Action(prompt.kind, prompt.seat, cards, args)
    return chance.choice([*mutations(action, rules, seats, chance)]) if chance.random() < 0.3 else action


@every_game
def test_play_on_goes_on_from_whatever_lies_there(name):
    """Fouls that the table lets stand, one upon another: the game never breaks and never counts below zero."""
    rules = game(name)
    for number in range(max(4, STEPS // 100)):
        chance = Random(f"{name}:{number}")
        setup = table_setup(rules, chance.randint(rules.least_players, rules.most_players))
        seats, codes = len(setup.players), deck(setup.deck).codes
        state = rules.start(setup)
        for _ in range(150):
            if not rules.prompts(state):
                break
            action = some_action(rules, state, seats, codes, chance)
            fouls = [v for v in rules.check(state, action) if v.verdict is Verdict.FOUL]
            if fouls and chance.random() < 0.5:
                continue
            rules.proves(state, action)
            state = rules.apply(state, action)
            for zone in (*rules.whereabouts(state), *rules.expected_table(state)):
                assert zone.down >= 0, (zone, action)
            for player in rules.view(state, Role()).players:
                assert player.hand is None or player.hand.unknown >= 0, action
                assert all(number >= 0 for _, number in player.counters), (player, action)
            rules.scores(state), rules.winners(state)


def hash_of(state):
    """A state's whole content: it must never change."""
    return repr(state)


@every_game
def test_undo_of_do_is_the_identity(name):
    rules, steps = steps_of(name, 3, limit=60)
    match = Match.of([Started(name, table_setup(rules))])
    for step in steps:
        if step.before == rules.start(table_setup(rules)):  # the next game of the series
            match = Match.of([Started(name, table_setup(rules))])
        done = match.then(Acted(step.action, "bot"))
        assert done.entries[-1].standing, (step.action, done.entries[-1].ruling)
        assert done.state == step.after
        undone = done.then(TookBack(done.entries[-1].seq))
        assert undone.state == match.state and undone.prompts() == match.prompts()
        assert undone.then(TookBack(undone.entries[-1].seq)).state == done.state
        match = done


@every_game
def test_scores_add_up_and_views_agree(name):
    rules, steps = steps_of(name, 4, "simple")
    for step in steps:
        totals = Counter()
        for line in rules.scores(step.after):
            totals[line.seat] += line.points
        assert {seat: totals[seat] for seat in rules.totals(step.after)} == rules.totals(step.after)
        for player in rules.view(step.after, Role()).players:
            assert player.score in (None, totals[player.seat])


@every_game
def test_actions_and_rulings_survive_json(name):
    rules, steps = steps_of(name, 5, limit=100)
    for step in steps:
        assert Action.from_json(json.loads(json.dumps(step.action.to_json()))) == step.action
        for line in rules.scores(step.after):
            json.dumps(line.reason.to_json())


@every_game
def test_the_same_seed_plays_the_same_games(name):
    limit = 300
    one = simulate(name, 2, 5, Random, limit=limit).to_json()
    two = simulate(name, 1, 5, Random, limit=limit)
    two.merge(simulate(name, 1, 5, Random, first=1, limit=limit))
    assert one == two.to_json()


def catalogue(lang):
    merged = {}
    for path in catalogue_files(lang):
        merged |= json.loads(path.read_text("utf-8"))
    return merged


@every_game
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_word_that_a_game_can_say_is_in_the_catalogue(name, lang):
    texts = catalogue(lang)
    rules, steps = steps_of(name, 7)
    said = {f"game.{name}.name"}
    chance = Random(name)
    for step in steps:
        view = rules.view(step.after, Role("host"))
        said |= {view.phase.key, *(zone.label.key for zone in view.zones)}
        for msg in [*view.results, *(p.label for p in view.prompts), *(z.note for z in view.zones)]:
            said |= keys_of(msg)
        for line in rules.scores(step.after):
            said |= keys_of(line.reason)
        for player in view.players:
            said |= keys_of(player.status) | {key for msg, _ in player.counters for key in keys_of(msg)}
        seats = len(view.players)
        for action in mutations(step.action, rules, seats, chance):
            said |= {f"violation.{v.code}" for v in rules.check(step.before, action)}
    said |= {f"option.{name}.{option.name}" for option in rules.options}
    said |= {f"option.{name}.{option.name}.{value}" for option in rules.options for value in option.values}
    assert sorted(said - set(texts)) == []


def keys_of(msg):
    if msg is None:
        return set()
    inner = [keys_of(value) for _, value in msg.params if hasattr(value, "key")]
    return {msg.key}.union(*inner)


CODE = re.compile(r"""(?:foul|unproven|Violation)\(\s*f?"([a-z0-9{}_-]+)"|violation\.([a-z0-9-]+)""")


def codes_in(folders):
    """Every violation code that the rules can utter; ``card-must-lie-{side}`` becomes a pattern."""
    found = set()
    for folder in folders:
        for path in sorted((ROOT / "companion" / folder).rglob("*.py")):
            found |= {first or second for first, second in CODE.findall(path.read_text("utf-8"))}
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_code_has_a_sentence_and_every_sentence_a_code(lang):
    sentences = {key.removeprefix("violation.") for key in catalogue(lang) if key.startswith("violation.")}
    patterns = [re.sub(r"\{\w+\}", "[a-z-]+", code) for code in codes_in(["games", "referee"])]
    assert [p for p in patterns if not any(re.fullmatch(p, sentence) for sentence in sentences)] == []
    assert [sentence for sentence in sentences if not any(re.fullmatch(p, sentence) for p in patterns)] == []


def test_every_code_is_provoked_by_a_test_or_a_record():
    texts = [
        path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.*") if path.suffix in (".py", ".txt", ".json")
    ]
    sentences = [key.removeprefix("violation.") for key in catalogue("en") if key.startswith("violation.")]
    assert [code for code in sentences if not any(re.search(rf"\b{code}\b", text) for text in texts)] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_two_catalogue_files_say_the_same_key(lang):
    """One rule, one sentence: two games with one code would quietly take each other's words."""
    seen = Counter(key for path in catalogue_files(lang) for key in json.loads(path.read_text("utf-8")))
    assert [key for key, times in seen.items() if times > 1] == []
