"""Three Card Trick Poker: the state of a game and what follows from it by itself.

A round is not stored: whoever has played one card more than another is a round ahead, so the round is one more than
the fewest cards that a player still in the bout has before him. Clauses: lines of the sheet, or 7.x (formal reading).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.common import replace
from companion.games.three_card_trick_poker.options import Rules
from companion.games.values import UNKNOWN, Hand, ScoreLine

HIDDEN_MOST = 6  # 45, 66

EXPOSED_MOST = 3  # 45, 65

HAND = HIDDEN_MOST + EXPOSED_MOST  # 44: nine cards from one's own stock

ROUNDS = 3  # 52

EMPTY = Hand()


class Phase(StrEnum):
    """Where the game is. `PLAY` is the three rounds of a bout."""

    POT = "pot"
    EXPOSE = "expose"
    LEADER = "leader"
    PLAY = "play"
    SHOWDOWN = "showdown"
    OVER = "over"


class Mode(StrEnum):
    """How the cards of a bout lie (71): sunny is up, exposed, down; shady is down, exposed, up."""

    OPEN = ""
    SUNNY = "yo"
    SHADY = "in"

    def side(self, round_: int) -> str:
        """How the card of this round lies: "up", "down", or "any" while the mode is open."""
        if round_ == 2:
            return "up"
        if self is Mode.OPEN:
            return "any"
        return "up" if (self is Mode.SUNNY) == (round_ == 1) else "down"


@dataclass(frozen=True)
class Player:
    """One seat. `hidden`, `stock`: cards nobody else may know, so only their number; `exposed` lies open;
    `played`: this bout's cards in order, `UNKNOWN` while face down; `captured`: faces known for certain and a count
    of the others (a shared win is split without saying who took what)."""

    hidden: int
    stock: int
    exposed: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    captured: Hand = EMPTY

    @property
    def down(self) -> int:
        """How many of his played cards lie face down."""
        return self.played.count(UNKNOWN)

    @property
    def empty(self) -> bool:
        """No hidden card and no stock (101)."""
        return self.hidden <= 0 and self.stock <= 0


@dataclass(frozen=True, slots=True)
class Refill:
    """The player whose turn was last may refill until somebody else acts (64); what he has done so far."""

    seat: int
    exposed: bool = False
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How the last bout ended: its turn order, the categories and hands of those who showed, the winners, the cards
    won in all."""

    bout: int
    order: tuple[int, ...] = ()
    categories: tuple[tuple[int, str], ...] = ()
    winners: tuple[int, ...] = ()
    cards: int = 0
    hands: tuple[tuple[int, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class State:
    """A game at one moment. `order`: seats of this bout from the leader on; `folded`: in the order of folding,
    those who left in mid-bout included; `left`: in the order of leaving the game; `spread`: faces that lie in the pot
    or in captured piles, nobody knows which; `lines`: the score sheet over all games."""

    rules: Rules
    phase: Phase
    players: tuple[Player, ...]
    pot: Hand = EMPTY
    spread: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    mode: Mode = Mode.OPEN
    folded: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    refill: Refill | None = None
    bout: int = 0
    number: int = 1
    lines: tuple[ScoreLine, ...] = ()
    result: Result | None = None

    @property
    def standing(self) -> tuple[int, ...]:
        """The seats still in the bout, in turn order."""
        return tuple([seat for seat in self.order if seat not in self.folded])

    @property
    def round(self) -> int:
        """1 to 3; 4 when everybody still in has three cards before him."""
        return 1 + min((len(self.players[seat].played) for seat in self.standing), default=0)

    @property
    def turn(self) -> int | None:
        """The seat that plays or folds now, the first of those with the fewest cards before them; None outside
        `Phase.PLAY`."""
        if self.phase is not Phase.PLAY:
            return None
        standing = self.standing
        return min(standing, key=lambda seat: len(self.players[seat].played)) if standing else None

    @property
    def leaving(self) -> int | None:
        """A seat that has run out of cards in mid-bout and has to turn up his face-down card first (87, 101)."""
        if self.phase is Phase.PLAY:
            for seat in self.order:
                player = self.players[seat]
                if player.empty and player.down and seat not in self.folded and self.drops(seat):
                    return seat
        return None

    def drops(self, seat: int) -> bool:
        """Whether an empty-handed player still in the bout has to fold: with three cards played he competes (7.14)."""
        return not (self.rules.third_card_competes and len(self.players[seat].played) == ROUNDS)

    @property
    def fresh(self) -> bool:
        """A bout is about to begin: nobody has played or folded."""
        return self.phase is Phase.PLAY and not self.folded and not any(p.played for p in self.players)

    def with_player(self, seat: int, player: Player) -> State:
        """The state with one player changed."""
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))
