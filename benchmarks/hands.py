"""How fast hands are judged, side by side with other libraries in one run.

Five cards: all 2,598,960 hands as an array through `FiveCardRanking.places_of` (the full order, 7,462 places) against
treys and eval7 called once a hand, their cards built beforehand; treys through its inner `_five`, faster than its
documented `evaluate`. The others have no array evaluator: a loop is how a Python program uses them. Contestants take
turns, round by round; medians and ratios of the rounds count.

Large decks: all 8,259,888 hands of the 65 deck, as one array and without one (`counts`), in a process of its own so
that its memory can be read; all 620,620 hands of three cards of 52D3. Single hands: the plain call with text codes.

    pip install treys eval7   # or the project's `dev` extra
    python benchmarks/hands.py [--rounds 5] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.cards import deck
from companion.hands import ranking
from companion.hands.five import every_hand
from companion.hands.five_card import ranking as five_card
from companion.hands.hexa import best_partition
from companion.hands.pokard import best
from companion.hands.sixty_five import ranking as sixty_five

PEER_HANDS = 200_000


def seconds(work: Callable[..., object], *given: object) -> float:
    """How long one call takes, s."""
    start = time.perf_counter()
    work(*given)
    return time.perf_counter() - start


def five_card_contestants() -> dict[str, tuple[int, Callable[[], object]]]:
    """Name -> (hands a call, call). Peers that are not installed are left out."""
    ranked, hands = five_card(), every_hand(52, 5)
    found: dict[str, tuple[int, Callable[[], object]]] = {"companion": (len(hands), lambda: ranked.places_of(hands))}
    picked = hands[np.random.default_rng(1).choice(len(hands), PEER_HANDS, replace=False)].tolist()
    spelled = [code.replace("10", "T")[0] + code[-1].lower() for code in deck("52D1").codes]
    try:
        import treys

        judge = treys.Evaluator()
        treys_hands = [[treys.Card.new(spelled[i]) for i in hand] for hand in picked]
        found["treys"] = (PEER_HANDS, lambda: [judge._five(hand) for hand in treys_hands])
        found["treys evaluate"] = (PEER_HANDS, lambda: [judge.evaluate(hand, []) for hand in treys_hands])
    except ImportError:
        print("treys is not installed: left out", file=sys.stderr)
    try:
        import eval7

        eval7_hands = [[eval7.Card(spelled[i]) for i in hand] for hand in picked]
        found["eval7"] = (PEER_HANDS, lambda: [eval7.evaluate(hand) for hand in eval7_hands])
    except ImportError:
        print("eval7 is not installed: left out", file=sys.stderr)
    return found


def five_cards(rounds: int) -> list[dict[str, Any]]:
    """Hands a second of every contestant and the median ratio to ours."""
    contestants = five_card_contestants()
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, (count, work) in contestants.items():
            rates[name].append(count / seconds(work))
    return [
        {
            "what": name,
            "hands_per_second": round(statistics.median(own)),
            "ours_is_times": round(statistics.median(a / b for a, b in zip(rates["companion"], own, strict=True)), 1),
        }
        for name, own in rates.items()
    ]


def sixty_five_alone(rounds: int) -> dict[str, Any]:
    """All hands of the 65 deck in this very process: seconds, and the most memory it ever held."""
    ranked = sixty_five({"straights": 3})
    streamed = [seconds(ranked.counts) for _ in range(rounds)]
    made: list[float] = []
    classified: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        hands = every_hand(65, 5)
        made.append(time.perf_counter() - start)
        classified.append(seconds(ranked.categories_of, hands))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "counted_s": round(statistics.median(streamed), 3),
        "array_made_s": round(statistics.median(made), 3),
        "array_classified_s": round(statistics.median(classified), 3),
        "peak_mib": round(peak),
    }


def sixty_five_apart(rounds: int) -> dict[str, Any]:
    """`sixty_five_alone` in a fresh process."""
    code = f"import json, hands; print(json.dumps(hands.sixty_five_alone({rounds})))"
    folder = Path(__file__).resolve().parent
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def three_decks(rounds: int) -> dict[str, Any]:
    """All 620,620 hands of 52D3, every physical card its own, classified as an array; and counted by faces."""
    ranked = ranking("52D3")
    faces = np.array([ranked.deck.index(code) for code in ranked.deck], np.uint8)
    hands = faces[every_hand(len(faces), 3)]
    return {
        "hands": len(hands),
        "classified_s": round(statistics.median(seconds(ranked.categories_of, hands) for _ in range(rounds)), 4),
        "counted_s": round(statistics.median(seconds(ranked.counts) for _ in range(rounds)), 4),
    }


def plain_calls(rounds: int) -> list[dict[str, Any]]:
    """Microseconds a call for one hand of text codes: the median hand and the slowest, each at its best round."""
    rng = Random(7)
    calls: list[tuple[str, Callable[[list[str]], object], list[str], int]] = [
        ("52D3 category", ranking("52D3").category, list(deck("52D3")), 3),
        ("M9D4C3 category", ranking("M9D4C3").category, list(deck("M9D4C3")), 3),
        ("65 category", ranking("65").category, list(deck("65")), 5),
        ("65 key", ranking("65").key, list(deck("65")), 5),
        ("five-card category", ranking("five-card").category, list(deck("52D1")), 5),
        ("five-card key", ranking("five-card").key, list(deck("52D1")), 5),
        ("Hexa best partition", best_partition, list(deck("52D1")), 6),
        ("Hexa best partition, aces to threes", best_partition, [c for c in deck("52D1") if c[0] in "A23"], 6),
        ("Pokard best of 37 cards", best, list(deck("54")), 37),
    ]
    rows = []
    for name, call, cards, size in calls:
        hands = [rng.sample(cards, size) for _ in range(500)]
        fastest = [min(seconds(call, hand) for _ in range(rounds)) for hand in hands]
        rows.append(
            {
                "what": name,
                "median_us": round(statistics.median(fastest) * 1e6, 1),
                "slowest_us": round(max(fastest) * 1e6, 1),
            }
        )
    return rows


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description="Hands judged a second, beside treys and eval7.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    results = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"NumPy {np.__version__}",
        "load": round(os.getloadavg()[0], 1),
        "five_cards": five_cards(given.rounds),
        "sixty_five": sixty_five_apart(given.rounds),
        "52D3": three_decks(given.rounds),
        "plain_calls": plain_calls(given.rounds),
    }
    if given.json:
        print(json.dumps(results, indent=1))
    else:
        show(results)


def show(results: dict[str, Any]) -> None:
    """The results as tables."""
    print(f"{results['machine']}; load {results['load']}\n")
    print(f"{'five cards':28}{'hands/s':>14}{'ours is':>10}")
    for row in results["five_cards"]:
        print(f"{row['what']:28}{row['hands_per_second']:>14,}{row['ours_is_times']:>9}x")
    large, small = results["sixty_five"], results["52D3"]
    print(f"\n65, 8,259,888 hands: counted in {large['counted_s']} s; as an array made in {large['array_made_s']} s,")
    print(f"    classified in {large['array_classified_s']} s; peak memory {large['peak_mib']} MiB")
    print(f"52D3, {small['hands']:,} hands: classified in {small['classified_s']} s,")
    print(f"    counted by faces in {small['counted_s']} s\n")
    print(f"{'one hand':40}{'median':>10}{'slowest':>10}")
    for row in results["plain_calls"]:
        print(f"{row['what']:40}{row['median_us']:>7} us{row['slowest_us']:>7} us")


if __name__ == "__main__":
    main()
