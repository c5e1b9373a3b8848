"""What holds for every game, as checks that need no line about any of them: for the program's own games and for games
from outside alike.

Bots play whole games with real cards (`World`). At every step: what the world offers is no foul; what the game claims
about the table is true; nothing is lost or doubled; a broken action gets a code and never an exception; the state
before is untouched by applying; the score sheet adds up. Everything a game can say has its words, and the records
beside it are ruled as they state.

An author runs all of them with three lines (``docs/new-game.md``)::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_the_contract(check):
        check(load_folder(Path(__file__).parents[1]).id)

Every check takes the id of a game that is on the list, and raises AssertionError.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from companion import resources
from companion.cards import deck
from companion.extensions import load_folder
from companion.games import UNKNOWN, Action, Game, Msg, Prompt, Role, Setup, Verdict, game, package
from companion.referee import Acted, Match, Started, TookBack
from companion.referee.record import parse, report
from companion.referee.simulate import Step, play, simulate, table_setup

STEPS = int(os.environ.get("COMPANION_STEPS", "150"))
"""Actions looked at per game and check. Set COMPANION_STEPS=100000 for the long run."""
ROLES = (Role(), Role("host"), Role("seat", 0), Role("scorekeeper"), Role("board"))


def steps_of(
    name: str, seed: int, bot: str = "random", players: int | None = None, limit: int = STEPS
) -> tuple[Game[Any], Iterator[Step]]:
    """`limit` steps, in as many games as that takes (a game without an end of its own is just one)."""
    rules = game(name)
    return rules, _steps(rules, table_setup(rules, players), f"{name}:{seed}", bot, limit)


def _steps(rules: Game[Any], setup: Setup, seed: str, bot: str, limit: int) -> Iterator[Step]:
    for number in count():
        for step in play(rules, setup, Random(f"{seed}:{number}"), bot, limit):
            yield step
            limit -= 1
        if limit <= 0:
            return


# --- the table and the cards -----------------------------------------------------------------------------------------


def claims_about_the_table_are_true_and_no_card_is_lost(name: str) -> None:
    """Zones the game claims hold the cards that truly lie there; every card of the deck is in one place."""
    for bot in ("random", "simple"):
        rules, steps = steps_of(name, 1, bot)
        whole = deck(rules.recommended_deck(min(max(4, rules.least_players), rules.most_players)))
        full = Counter({code: whole.copies(code) for code in whole.codes})
        for step in steps:
            _true_claims(rules, step, full)


def _true_claims(rules: Game[Any], step: Step, full: Counter[str]) -> None:
    truth = step.world.zones()
    lying = Counter(card for cards in truth.values() for card in cards)
    assert lying == full, f"after {step.action}: too many {lying - full}, missing {full - lying}"
    for zone in (*rules.whereabouts(step.after), *rules.expected_table(step.after)):
        real = cards_in(truth, zone.id)
        assert not Counter(zone.cards) - Counter(real), (zone, real, step.action)
        if not zone.open:
            assert len(zone.cards) + zone.down == len(real), (zone, real, step.action)
    for player in rules.view(step.after, Role("host")).players:
        if player.hand is not None:
            assert len(player.hand) == len(truth.get(f"hand:{player.seat}", [])), (player, step.action)


def cards_in(truth: dict[str, list[str]], zone: str) -> list[str]:
    """The true cards of a place: a zone, or a union such as ``pot+captured``, which means all captured piles."""
    parts = zone.split("+")
    return [
        card
        for name, cards in truth.items()
        for card in cards
        if name in parts or ("+" in zone and name.split(":")[0] in parts)
    ]


def every_number_of_players_plays_to_an_end(name: str) -> None:
    """The fewest and the most players: games end, with a winner or a result, and say so to every role."""
    rules = game(name)
    for players in {rules.least_players, rules.most_players}:
        limit, last = 200 if rules.endless else 20_000, None
        for step in play(rules, table_setup(rules, players), Random(f"{name}:{players}"), "random", limit):
            last = step
        assert last is not None, f"with {players} players nothing happens"
        if not rules.endless:
            assert rules.prompts(last.after) == (), f"with {players} players it does not end"
            # A game that everybody has lost (a failed quest) has no winner, and says so.
            assert rules.winners(last.after) or rules.view(last.after, Role()).results, "nobody wins, nothing is said"
            assert all(rules.view(last.after, role).over for role in ROLES), "the view does not say that it is over"


# --- what is not in order --------------------------------------------------------------------------------------------


def mutations(action: Action, rules: Game[Any], seats: int, chance: Random) -> Iterator[Action]:
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
    for kind in ("pass", "play", "draw", "fold", "next"):
        yield replace(action, kind=kind)
    codes = deck(rules.recommended_deck(seats)).codes
    yield replace(action, cards=tuple(chance.choice(codes) for _ in action.cards or "x"))


def fits(prompts: Sequence[Prompt], action: Action) -> bool:
    """Whether some prompt offers this kind of action to this seat with so many cards and these arguments."""
    return any(
        p.kind == action.kind
        and p.seat == action.seat
        and (p.slot.least <= len(action.cards) <= p.slot.most if p.slot else not action.cards)
        and {c.name for c in p.choices} == {n for n, _ in action.args}
        and all(dict(action.args)[c.name] in c.values for c in p.choices)
        for p in prompts
    )


def what_no_prompt_offers_is_refused_and_nothing_ever_raises(name: str) -> None:
    """A broken action gets a code; applying it does no harm, and leaves the state before as it was."""
    rules, steps = steps_of(name, 2)
    chance = Random(name)
    for step in steps:
        state, before = step.before, repr(step.before)
        prompts = rules.prompts(state)
        seats = len(rules.view(state, Role()).players)
        assert fits(prompts, step.action), (prompts, step.action)
        for action in mutations(step.action, rules, seats, chance):
            violations = rules.check(state, action)
            if not fits(prompts, action):
                assert [v for v in violations if v.verdict is Verdict.FOUL], f"{action} is no foul"
            rules.full(state, action)
            after = rules.apply(state, action)
            rules.proves(state, action)
            for role in ROLES[:2]:
                rules.view(after, role)
            rules.prompts(after), rules.scores(after), rules.expected_table(after), rules.whereabouts(after)
            assert all(zone.down >= 0 for zone in rules.expected_table(after)), action
        assert repr(step.before) == before, f"{step.action} changed the state before it"


def play_on_goes_on_from_whatever_lies_there(name: str) -> None:
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
            action = _some_action(rules, state, seats, codes, chance)
            fouls = [v for v in rules.check(state, action) if v.verdict is Verdict.FOUL]
            if fouls and chance.random() < 0.5:
                continue
            rules.proves(state, action)
            state = rules.apply(state, action)
            _never_below_zero(rules, state, action)


def _some_action(rules: Game[Any], state: Any, seats: int, codes: Sequence[str], chance: Random) -> Action:
    """An action out of thin air that looks like a prompt: right kind and seat mostly, any cards, any choice."""
    prompt = chance.choice(rules.prompts(state))
    cards: tuple[str, ...] = ()
    if prompt.slot is not None:
        faces = prompt.slot.faces or codes
        faces = (UNKNOWN,) if prompt.slot.side == "down" else faces
        number = chance.randint(prompt.slot.least, max(prompt.slot.least, min(prompt.slot.most, 6)))
        cards = tuple(chance.choice(faces) for _ in range(number))
    args = tuple(sorted((choice.name, chance.choice(choice.values)) for choice in prompt.choices))
    action = Action(prompt.kind, prompt.seat, cards, args)
    return chance.choice([*mutations(action, rules, seats, chance)]) if chance.random() < 0.3 else action


def _never_below_zero(rules: Game[Any], state: Any, action: Action) -> None:
    for zone in (*rules.whereabouts(state), *rules.expected_table(state)):
        assert zone.down >= 0, (zone, action)
    for player in rules.view(state, Role()).players:
        assert player.hand is None or player.hand.unknown >= 0, (player, action)
        assert all(number >= 0 for _, number in player.counters), (player, action)
    rules.scores(state), rules.winners(state)


# --- the match -------------------------------------------------------------------------------------------------------


def undo_of_do_is_the_identity(name: str) -> None:
    """What is taken back is as if it had never been; taken back again, as if it had never been taken back."""
    rules, steps = steps_of(name, 3, limit=60)
    match = Match.of([Started(name, table_setup(rules))])
    for step in steps:
        if step.before == rules.start(table_setup(rules)):  # the next game of the series
            match = Match.of([Started(name, table_setup(rules))])
        done = match.then(Acted(step.action, "bot"))
        assert done.entries[-1].standing, (step.action, done.entries[-1].ruling)
        assert done.state == step.after
        undone = done.then(TookBack(done.entries[-1].seq))
        assert undone.state == match.state and undone.prompts() == match.prompts(), step.action
        assert undone.then(TookBack(undone.entries[-1].seq)).state == done.state, step.action
        match = done


def scores_add_up_and_views_agree(name: str) -> None:
    """Totals are the sums of the score lines, and the page shows them."""
    rules, steps = steps_of(name, 4, "simple")
    for step in steps:
        totals: Counter[int] = Counter()
        for line in rules.scores(step.after):
            totals[line.seat] += line.points
        assert {seat: totals[seat] for seat in rules.totals(step.after)} == rules.totals(step.after), step.action
        for player in rules.view(step.after, Role()).players:
            assert player.score in (None, totals[player.seat]), (player, step.action)


def actions_and_rulings_survive_json(name: str) -> None:
    """What the journal writes reads back as the same."""
    rules, steps = steps_of(name, 5, limit=100)
    for step in steps:
        assert Action.from_json(json.loads(json.dumps(step.action.to_json()))) == step.action
        for line in rules.scores(step.after):
            json.dumps(line.reason.to_json())


def the_same_seed_plays_the_same_games(name: str) -> None:
    """Chance comes in from outside alone: a game that was played can be played again."""
    limit = 300
    one = simulate(name, 2, 5, Random, limit=limit).to_json()
    two = simulate(name, 1, 5, Random, limit=limit)
    two.merge(simulate(name, 1, 5, Random, first=1, limit=limit))
    assert one == two.to_json()


# --- words and records -----------------------------------------------------------------------------------------------


def catalogue_files(name: str, lang: str) -> list[Path]:
    """The words that all games share, and the game's own."""
    shared = sorted((resources.web() / "messages" / lang).glob("*.json"))
    return [*shared, resources.package(package(name)) / f"words.{lang}.json"]


def everything_it_can_say_has_its_words(name: str) -> None:
    """Phases, zones, prompts, results, reasons, codes and options, in every language."""
    said = _said(name)
    for lang in resources.LANGUAGES:
        known = {key for file in catalogue_files(name, lang) for key in resources.read_words(file)}
        assert sorted(said - known) == [], f"without words in {lang}"


def _said(name: str) -> set[str]:
    rules, steps = steps_of(name, 7)
    said, chance = {f"game.{name}.name"}, Random(name)
    for step in steps:
        view = rules.view(step.after, Role("host"))
        said |= {view.phase.key, *(zone.label.key for zone in view.zones)}
        for msg in [*view.results, *(p.label for p in view.prompts), *(z.note for z in view.zones)]:
            said |= _keys_of(msg)
        for line in rules.scores(step.after):
            said |= _keys_of(line.reason)
        for player in view.players:
            said |= _keys_of(player.status) | {key for msg, _ in player.counters for key in _keys_of(msg)}
        for action in mutations(step.action, rules, len(view.players), chance):
            said |= {f"violation.{v.code}" for v in rules.check(step.before, action)}
    said |= {f"option.{name}.{option.name}" for option in rules.options}
    return said | {f"option.{name}.{option.name}.{value}" for option in rules.options for value in option.values}


def _keys_of(msg: Msg | None) -> set[str]:
    if msg is None:
        return set()
    return {msg.key}.union(*(_keys_of(value) for _, value in msg.params if isinstance(value, Msg)))


CODE = re.compile(r"""(?:foul|unproven|Violation)\(\s*f?"([a-z0-9{}_-]+)"|violation\.([a-z0-9-]+)""")


def codes_in(folder: Path) -> set[str]:
    """Every violation code that the rules in a folder can utter; ``card-must-lie-{side}`` becomes a pattern."""
    files = [file for file in sorted(folder.rglob("*.py")) if "tests" not in file.relative_to(folder).parts]
    found = {first or second for file in files for first, second in CODE.findall(file.read_text("utf-8"))}
    return {re.sub(r"\{\w+\}", "[a-z-]+", code) for code in found}


def every_code_has_a_sentence(name: str) -> None:
    """In every language, and no sentence is for a code that is never uttered."""
    folder = resources.package(package(name))
    codes = codes_in(folder)
    for lang in resources.LANGUAGES:
        every = {key for file in catalogue_files(name, lang) for key in resources.read_words(file)}
        sentences = {key.removeprefix("violation.") for key in every if key.startswith("violation.")}
        own = resources.read_words(folder / f"words.{lang}.json")
        mine = {key.removeprefix("violation.") for key in own if key.startswith("violation.")}
        assert [code for code in codes if not any(re.fullmatch(code, known) for known in sentences)] == [], lang
        assert [known for known in mine if not any(re.fullmatch(code, known) for code in codes)] == [], lang


def its_records_are_ruled_as_they_state(name: str) -> None:
    """The text records in the game's folder ``records/``, if there are any."""
    for file in sorted((resources.package(package(name)) / "records").glob("*.txt")):
        record = parse(file.read_text(encoding="utf-8"))
        assert record.started.game == name, f"{file.name} is a game of {record.started.game}"
        assert report(record)["differences"] == [], file.name


CHECKS: tuple[Callable[[str], None], ...] = (
    claims_about_the_table_are_true_and_no_card_is_lost,
    every_number_of_players_plays_to_an_end,
    what_no_prompt_offers_is_refused_and_nothing_ever_raises,
    play_on_goes_on_from_whatever_lies_there,
    undo_of_do_is_the_identity,
    scores_add_up_and_views_agree,
    actions_and_rulings_survive_json,
    the_same_seed_plays_the_same_games,
    everything_it_can_say_has_its_words,
    every_code_has_a_sentence,
    its_records_are_ruled_as_they_state,
)
"""All of them. Each takes the id of a game."""

__all__ = ["CHECKS", "load_folder"]
