"""The mean of two trainings' weights, one of which went on from the other: `python -m companion.training blend`.

It reads what each of them learned and is calmer than both (Wortsman et al., "Model soups", 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def blend(first: dict[str, Any], second: dict[str, Any], share: float = 0.5) -> dict[str, Any]:
    """`share` 0..1 of the second state and the rest of the first; counters (integers) are the second's.

    Raises ValueError where the two are not states of one network.
    """
    if {key: value.shape for key, value in first.items()} != {key: value.shape for key, value in second.items()}:
        raise ValueError("these are weights of two different networks")
    return {
        key: (1 - share) * first[key].float() + share * value.float() if value.is_floating_point() else value
        for key, value in second.items()
    }


def blend_files(first: Path, second: Path, out: Path, share: float = 0.5) -> Path:
    """The same for two .pt files, ultralytics' checkpoints or states of the reader's networks; returns `out`."""
    import torch

    one, other = (torch.load(path, map_location="cpu", weights_only=False) for path in (first, second))
    if "model" in other:
        state = blend(one["model"].float().state_dict(), other["model"].float().state_dict(), share)
        other["model"].load_state_dict(state)
        other["model"].half()
    else:
        other = blend(one, other, share)
    torch.save(other, out)
    return out


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m companion.training blend", description=__doc__)
    parser.add_argument("first", type=Path, help="weights (.pt)")
    parser.add_argument("second", type=Path, help="weights (.pt) of the same network, trained on from the first")
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0..1")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(argv)
    try:
        print(blend_files(given.first, given.second, given.out, given.share))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0
