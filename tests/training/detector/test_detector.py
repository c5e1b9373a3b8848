"""The detector's training: what can be checked without training."""

from __future__ import annotations

import pytest

from companion.training.detector import commands, network


def test_unknown_step_is_refused() -> None:
    with pytest.raises(SystemExit) as stop:
        commands.main(["dance"])
    assert stop.value.code == 2


def test_network_is_the_small_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Three classes, four keypoints, and only the smallest scale, so that none larger can be picked by accident."""
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    import yaml

    network.write_config(tmp_path / "net.yaml")
    config = yaml.safe_load((tmp_path / "net.yaml").read_text())
    assert config["nc"] == 3 and config["kpt_shape"] == [4, 3] and list(config["scales"]) == ["n"]


def test_average_precision_counts_what_it_should() -> None:
    """Two of two found first is 1; a false alarm above them costs; one missed halves it."""
    from companion.training.detector import measure

    hit, miss = (0.9, True, 0.9), (0.95, False, 0.0)
    assert measure.average_precision([hit, hit], 2, 0.5) == pytest.approx(1)
    assert measure.average_precision([miss, hit], 1, 0.5) == pytest.approx(0.5)
    assert measure.average_precision([hit], 2, 0.5) == pytest.approx(0.5, abs=0.02)
    assert measure.average_precision([(0.9, True, 0.6)], 1, 0.75) == 0
    assert measure.average_precision([], 3, 0.5) == 0


def test_scoring_matches_each_target_once() -> None:
    """A second guess on the same card is a false alarm, and the corner error is a share of the card's width."""
    import numpy as np

    from companion.training.detector import measure
    from companion.training.scenes import dataset

    quad = np.array([[10, 10], [110, 10], [110, 150], [10, 150]], float)
    box = np.array([10, 10, 110, 150], float)
    target = dataset.Target(0, (10, 10, 110, 150), quad, (2, 2, 2, 2))
    detections = [measure.Detection(0, 0.9, box, quad + np.array([5, 0])), measure.Detection(0, 0.8, box, quad)]
    tallies = [measure.Tally() for _ in range(3)]
    measure.score_scene(detections, [target], tallies, 0.4)
    assert [hit for _, hit, _ in tallies[0].marks] == [True, False]
    assert tallies[0].errors == [pytest.approx(0.05)]
    report = measure.figures(tallies, 0.4)["up"]
    assert report["recall_at_0.4"] == 1 and report["precision_at_0.4"] == 0.5


def test_cards_may_start_at_either_short_side_but_indices_may_not() -> None:
    """A half-turned guess costs a card nothing and an index corner the full price; a quarter turn costs both."""
    torch = pytest.importorskip("torch", reason="training needs the extra `train`")
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    from companion.training.detector.loss import better_order

    quad = torch.tensor([[[0.0, 0, 2], [10, 0, 2], [10, 14, 2], [0, 14, 2]]]).repeat(2, 1, 1)
    area, sigmas = torch.full((2, 1), 140.0), torch.full((4,), 0.1)
    directed = torch.tensor([False, True])
    losses, order = better_order(quad.roll(2, dims=1), quad, area, sigmas, directed)
    assert losses[0] < 1e-6 and losses[1] > 0.9
    assert torch.equal(order[0], quad[0].roll(2, dims=0)) and torch.equal(order[1], quad[1])
    losses, _ = better_order(quad.roll(1, dims=1), quad, area, sigmas, directed)
    assert (losses > 0.5).all()
