"""The measuring protocol: multisets of names, ranks without suits, scene classes."""

from __future__ import annotations

import pytest

from companion.training.evaluation.photographs import Tally, met, scene_class


@pytest.mark.parametrize(
    ("labels", "read", "pairs"),
    [
        (["KH", "KH"], ["KH"], 1),
        (["KH"], ["KH", "KH"], 1),
        (["K?", "KH"], ["KH", "KS"], 2),
        (["K?"], ["KH", "KS"], 1),
        (["K?", "Q?"], ["QH", "JS"], 1),
        (["10?"], ["10D"], 1),
        (["JOKER"], ["JK2"], 1),
        (["6S"], ["6C"], 0),
        ([], ["6C"], 0),
    ],
)
def test_names_meet_as_multisets(labels: list[str], read: list[str], pairs: int) -> None:
    assert met(labels, read) == pairs


def test_figures_count_cards_and_tables() -> None:
    tally = Tally()
    tally.add(2, 2, 2)
    tally.add(2, 1, 0)
    figures = tally.figures()
    assert figures["precision"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures["recall"] == 0.5
    assert figures["wrong_confident"] == 0.25
    assert figures["exact"] == 0.5


@pytest.mark.parametrize(
    ("row", "scene"),
    [
        ({"scene": "single card", "cards": [{"name": "AS"}]}, "single"),
        ({"scene": "2-3 separate cards", "cards": [{"name": "AS"}, {"name": "2S"}]}, "separate"),
        ({"scene": "five, oblique", "cards": [{"name": "AS"}] * 5}, "oblique"),
        ({"scene": "", "cards": [{"bbox": [0, 0, 9, 9]}, {"bbox": [5, 5, 9, 9]}]}, "overlapping"),
        ({"scene": "", "cards": [{"bbox": [0, 0, 9, 9]}, {"bbox": [10, 0, 9, 9]}]}, "separate"),
        ({"scene": "", "deck": "CUSTOM hand-made", "cards": []}, "custom"),
    ],
)
def test_scene_classes_follow_the_manifest(row: dict, scene: str) -> None:
    assert scene_class("any", row) == scene
