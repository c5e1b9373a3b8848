"""Fits boosted trees, as `companion.vision.assembly.trees` reads them: scikit-learn's, written as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def fit(names: Sequence[str], features: np.ndarray, truth: np.ndarray, trees: int, depth: int, rate: float) -> dict:
    """Boosted trees for the chance that a row of features (n, names) is true (n,)."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=trees, max_depth=depth, learning_rate=rate, subsample=0.7, min_samples_leaf=20, max_features=0.5,
        random_state=1,
    )  # fmt: skip
    model.fit(features, truth)
    inner = 2**depth - 1
    table = {"feature": np.zeros((trees, inner), int), "threshold": np.zeros((trees, inner)),
             "value": np.zeros((trees, inner + 1))}  # fmt: skip
    for row, one in enumerate(model.estimators_[:, 0]):
        tree = one.tree_

        def fill(place: int, node: int, row: int = row, tree: object = tree) -> None:
            left = tree.children_left[node]
            if place >= inner:
                table["value"][row, place - inner] = rate * tree.value[node, 0, 0]
                return
            if left >= 0:
                table["feature"][row, place], table["threshold"][row, place] = tree.feature[node], tree.threshold[node]
            fill(2 * place + 1, left if left >= 0 else node)
            fill(2 * place + 2, tree.children_right[node] if left >= 0 else node)

        fill(0, 0)
    share = float(np.mean(truth))
    return {
        "names": list(names),
        "start": float(np.log(share / (1 - share))),
        "feature": table["feature"].tolist(),
        "threshold": [[float(f"{x:.5g}") for x in row] for row in table["threshold"]],
        "value": [[round(float(x), 4) for x in row] for row in table["value"]],
    }
