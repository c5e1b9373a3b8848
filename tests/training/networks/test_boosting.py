"""Boosted trees as they are kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.training.networks.boosting import fit
from companion.vision.assembly.trees import Trees

pytest.importorskip("sklearn", reason="training needs the extra `train`")


def test_trees_are_kept_as_they_were_fitted(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    names = [f"number {n}" for n in range(12)]
    features = rng.random((400, len(names)))
    new = features[:, 3] + 0.2 * features[:, 7] > 0.6
    (tmp_path / "trees.json").write_text(json.dumps(fit(names, features, new, 40, 3, 0.2)), "utf-8")
    trees = Trees.load(tmp_path / "trees.json")
    assert trees.names == tuple(names)
    said = trees.chances(features) > 0.5
    assert (said == new).mean() > 0.95
    assert said.tolist() == [trees.chance(row) > 0.5 for row in features]
