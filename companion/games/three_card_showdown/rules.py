"""Three Card Showdown: everybody lays three cards, the strongest hand wins. The smallest game there is.

The hands are those of Three Card Trick Poker; clauses are line numbers of its sheet. One point for a win, one for
each of several equal winners (93); nobody with a category, nobody scores (93). Showdown after showdown the points
run on.

Zones: ``hand:<seat>``, three cards face up in front of each player.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.common import checked_setup, foul, misfit, once_a_state, replace
from companion.games.contract import (
    UNKNOWN,
    Action,
    CardView,
    Game,
    Msg,
    PlayerView,
    Prompt,
    Role,
    ScoreLine,
    Setup,
    Slot,
    View,
    Violation,
    Zone,
    ZoneView,
)
from companion.games.three_card import DECKS, NONE, RANKING_OPTIONS, Judge, judge
from companion.games.world import Chance, World

LAY, NEXT = "lay", "next"
CARDS = 3


@dataclass(frozen=True)
class State:
    """`laid`: each seat's cards, None while he has not laid. `lines`: points of the showdowns so far; those of the
    current one are added as soon as the last player has laid."""

    setup: Setup
    judge: Judge
    laid: tuple[tuple[str, ...] | None, ...]
    number: int = 1
    lines: tuple[ScoreLine, ...] = ()

    @property
    def complete(self) -> bool:
        """Everybody has laid."""
        return None not in self.laid

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats of a complete showdown."""
        if not self.complete:
            return ()
        return self.judge.best({seat: cards for seat, cards in enumerate(self.laid) if cards})


class ThreeCardShowdown(Game[State]):
    """See the module."""

    id = "three-card-showdown"
    least_players = 2
    most_players = 8
    decks = ("52D2", *(d for d in DECKS if d != "52D2"))
    options = RANKING_OPTIONS
    endless = True

    def start(self, setup: Setup) -> State:
        setup = checked_setup(self, setup)
        return State(setup, judge(self, setup), (None,) * len(setup.players))

    @once_a_state
    def prompts(self, state: State) -> tuple[Prompt, ...]:
        if state.complete:
            return (Prompt(NEXT, None, label=Msg("action.three-card-showdown.next")),)
        return tuple(
            Prompt(LAY, seat, Slot(CARDS, CARDS, target=f"hand:{seat}"), label=Msg("action.three-card-showdown.lay"))
            for seat, cards in enumerate(state.laid)
            if cards is None
        )

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        misfits = misfit(self.prompts(state), action, (LAY, NEXT), len(state.laid), state.judge.deck)
        if misfits or action.kind != LAY:
            return misfits
        # 152: completely identical cards exist in decks of several sets only.
        return tuple(
            foul(
                "identical-cards", "152", (face,), copies=action.cards.count(face), holds=state.judge.deck.copies(face)
            )
            for face in dict.fromkeys(action.cards)
            if action.cards.count(face) > state.judge.deck.copies(face)
        )

    def apply(self, state: State, action: Action) -> State:
        if action.kind == NEXT and state.complete:
            return replace(state, laid=(None,) * len(state.laid), number=state.number + 1)
        seat = action.seat
        if action.kind != LAY or seat is None or not 0 <= seat < len(state.laid) or state.complete:
            return state
        cards = tuple(c for c in action.cards if c != UNKNOWN)
        laid = replace(state, laid=(*state.laid[:seat], cards, *state.laid[seat + 1 :]))
        return replace(laid, lines=laid.lines + self._points(laid))

    def _points(self, state: State) -> tuple[ScoreLine, ...]:
        key = "score.three-card-showdown." + ("win" if len(state.winners) == 1 else "shared")
        lines = []
        for seat in state.winners:
            cards = state.laid[seat] or ()
            reason = Msg.of(key, number=state.number, category=Msg(f"category.{state.judge.category(cards)}"))
            lines.append(ScoreLine(seat, 1, reason, cards))
        return tuple(lines)

    def expected_table(self, state: State) -> tuple[Zone, ...]:
        return tuple(Zone(f"hand:{seat}", cards or (), open=cards is None) for seat, cards in enumerate(state.laid))

    def scores(self, state: State) -> tuple[ScoreLine, ...]:
        return state.lines

    def view(self, state: State, role: Role) -> View:
        winners = state.winners
        return View(
            game=self.id,
            deck=state.setup.deck,
            phase=Msg(f"game.{self.id}.phase." + ("shown" if state.complete else "lay")),
            players=tuple(
                PlayerView(
                    seat,
                    name,
                    score=sum(line.points for line in state.lines if line.seat == seat),
                    active=state.laid[seat] is None,
                )
                for seat, name in enumerate(state.setup.players)
            ),
            zones=tuple(self._zone_view(state, seat, seat in winners) for seat in range(len(state.laid))),
            prompts=self.prompts(state),
            results=self._results(state) if state.complete else (),
        )

    def _zone_view(self, state: State, seat: int, won: bool) -> ZoneView:
        cards = state.laid[seat]
        marks = ("win",) if won else ()
        return ZoneView(
            f"hand:{seat}",
            Msg.of("zone.three-card.hand", player=seat),
            tuple(CardView(card, marks=marks) for card in cards or ()),
            seat,
            note=Msg(f"category.{state.judge.category(cards)}") if cards is not None else None,
        )

    def _results(self, state: State) -> tuple[Msg, ...]:
        winners = state.winners
        if not winners:
            return (Msg("game.three-card-showdown.nobody"),)
        key = "game.three-card-showdown." + ("winner" if len(winners) == 1 else "shared")
        return tuple(
            Msg.of(
                key,
                player=seat,
                category=Msg(f"category.{state.judge.category(state.laid[seat] or ())}"),
            )
            for seat in winners
        )

    def world(self, setup: Setup, chance: Chance) -> World[State]:
        return _World(self.start(setup), chance)


class _World(World[State]):
    """Three cards each from a freshly shuffled deck."""

    def __init__(self, state: State, chance: Chance) -> None:
        self._chance = chance
        deck = state.judge.deck
        self._cards = [face for face in deck.codes for _ in range(deck.copies(face))]
        self._seats = len(state.laid)
        self._chance.shuffle(self._cards)

    def _hand(self, seat: int) -> list[str]:
        return self._cards[CARDS * seat : CARDS * seat + CARDS]

    def actions(self, state: State) -> list[Action]:
        if state.complete:
            return [Action(NEXT)]
        return [Action(LAY, seat, tuple(self._hand(seat))) for seat, cards in enumerate(state.laid) if cards is None]

    def follow(self, before: State, action: Action, after: State) -> None:
        if action.kind == NEXT:
            self._chance.shuffle(self._cards)

    def zones(self) -> dict[str, list[str]]:
        hands = {f"hand:{seat}": self._hand(seat) for seat in range(self._seats)}
        return hands | {"stock": self._cards[CARDS * self._seats :]}


__all__ = ["NONE", "State", "ThreeCardShowdown"]
