"""The settlement of a deal of Pokard Trick: who pays whom, in which order, until whose chips are gone.

Pure arithmetic on seats and chips; lines cite the rule sheet. Seats count clockwise, so the left neighbour of seat
``s`` is ``s + 1``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class DealScore:
    """What one declarer made of a deal: tricks won (joker tricks among them), points for tricks and for his hand."""

    seat: int
    tricks: int
    joker_tricks: int
    poker: str
    poker_points: int
    voided: bool = False

    @property
    def trick_points(self) -> int:
        """One point a trick (160), none for a trick won with a joker (162); none for a punished revoke (7.6)."""
        return 0 if self.voided else trick_points(self.tricks, self.joker_tricks)

    @property
    def total(self) -> int:
        """Trick points and poker points are added up (188)."""
        return 0 if self.voided else self.trick_points + self.poker_points


@dataclass(frozen=True, slots=True)
class Transfer:
    """`chips` go from `payer` (None: the centre of the table) to `payee`. `owed` is what should have gone."""

    reason: str
    payer: int | None
    payee: int
    chips: int
    owed: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The chips after the settlement, what stays in the centre, and every transfer in the order it is made."""

    chips: tuple[int, ...]
    centre: int
    transfers: tuple[Transfer, ...]


def trick_points(tricks: int, joker_tricks: int) -> int:
    """One point a trick (160), none for a trick won with a joker (162)."""
    return tricks - joker_tricks


def share_fees(centre: int, sharers: int) -> tuple[int, int]:
    """What each player without a trick gets of the fees, and what is left over (196-198)."""
    return divmod(centre, sharers) if sharers else (0, centre)


def differences(points: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """Who owes whom how much: the difference of points between every two declarers (202-206)."""
    owes: dict[int, dict[int, int]] = {seat: {} for seat in points}
    for a, b in combinations(points, 2):
        payer, payee = (a, b) if points[a] < points[b] else (b, a)
        if points[payee] > points[payer]:
            owes[payer][payee] = points[payee] - points[payer]
    return owes


def pay_out(chips: int, payer: int, owes: Mapping[int, int], seats: int) -> list[tuple[int, int]]:
    """What each creditor really gets, from the payer's left neighbour on (224), until the chips are gone (226)."""
    paid = []
    for step in range(1, seats):
        payee = (payer + step) % seats
        if payee in owes:
            amount = min(chips, owes[payee])
            chips -= amount
            paid.append((payee, amount))
    return paid


def top_scorer(scores: Sequence[DealScore], order: Sequence[int]) -> int:
    """Most points; then more poker points (210); then nearer to the starter in turn order (212)."""
    place = {seat: i for i, seat in enumerate(order)}
    best = max(scores, key=lambda s: (s.total, 0 if s.voided else s.poker_points, -place[s.seat]))
    return best.seat


def settle(
    chips: Sequence[int],
    centre: int,
    scores: Sequence[DealScore],
    order: Sequence[int],
    *,
    net: bool = False,
    carry_remainder: bool = False,
) -> Settlement:
    """Settle a deal in the order of the sheet: shared fees, differences, the top scorer takes what is left.

    `order`: the declarers in turn order from the starter. `net`: balances instead of every single difference.
    `carry_remainder`: what the shared fees leave over stays for the next deal.
    """
    purse, transfers = list(chips), []

    def move(reason: str, payer: int | None, payee: int, amount: int, owed: int) -> None:
        if payer is not None:
            purse[payer] -= amount
        purse[payee] += amount
        transfers.append(Transfer(reason, payer, payee, amount, owed))

    sharers = [seat for seat in order if next(s for s in scores if s.seat == seat).tricks == 0]
    each, rest = share_fees(centre, len(sharers))
    for seat in sharers:
        if each:
            move("no-trick", None, seat, each, each)

    points = {s.seat: s.total for s in scores}
    owes = _net_debts(points, len(purse)) if net else differences(points)
    # From the lowest score upwards: whoever pays has by then received everything that is due to him (7.7).
    for payer in sorted(points, key=lambda seat: points[seat]):
        for payee, amount in pay_out(purse[payer], payer, owes[payer], len(purse)):
            move("difference", payer, payee, amount, owes[payer][payee])

    if rest and not (carry_remainder and sharers):
        move("top", None, top_scorer(scores, order), rest, rest)
        rest = 0
    return Settlement(tuple(purse), rest, tuple(transfers))


def _net_debts(points: Mapping[int, int], seats: int) -> dict[int, dict[int, int]]:
    """Each player's balance only, spread over those who gain, beginning with the payer's left neighbour."""
    balance = {seat: len(points) * own - sum(points.values()) for seat, own in points.items()}
    due = {seat: value for seat, value in balance.items() if value > 0}
    owes: dict[int, dict[int, int]] = {seat: {} for seat in points}
    for payer in sorted(points, key=lambda seat: points[seat]):
        debt = max(0, -balance[payer])
        for payee, amount in pay_out(debt, payer, due, seats):
            if amount:
                owes[payer][payee] = amount
                due[payee] -= amount
    return owes
