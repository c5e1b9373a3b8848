"""Ten parameters of a table, and how badly outlines, indices and pairs of indices fit them.

A homography has eight degrees of freedom; where the table's origin and direction lie does not matter, so five are left:
log scale, log stretch, shear, and two slants. Five more are logs of mm: an index's width and height, a card's width,
and the distances across and down between the indices of a card.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.assembly import parameters
from companion.vision.assembly.prints import usual_spacing
from companion.vision.geometry import CARD_MM, INDEX_MM, Array

Complex = NDArray[np.complex128]


USUAL_INDEX = (INDEX_MM[2] - INDEX_MM[0], INDEX_MM[3] - INDEX_MM[1])

START = np.concatenate([np.zeros(5), np.log([*USUAL_INDEX, CARD_MM[0], *usual_spacing(np.array(USUAL_INDEX))])])


_ASIDE_OF, _ALONG_OF = np.array([1.0, 0.0, 1.0, -1.0]), np.array([0.0, 1.0, 1.0, 1.0])
"""For each kind of pair: by how many of the distances across and down it goes."""


def homography_matrix(p: Array) -> Array:
    grow, stretch = np.exp(p[0]), np.exp(p[1])
    return np.array([[grow * stretch, grow * p[2], 0], [0, grow / stretch, 0], [p[3], p[4], 1]])


def on_table(p: Array, points: Array) -> Complex:
    """Points (n, 4, 2) on the tables of many parameters (…, 10): (4, …, n) mm, down times i."""
    x, y = points.transpose(2, 1, 0).reshape(2, 4, *[1] * (p.ndim - 1), -1)
    grow, stretch = np.exp(p[..., 0, None]), np.exp(p[..., 1, None])
    nearer = grow / np.maximum(1 + p[..., 3, None] * x + p[..., 4, None] * y, 0.05)
    flat = np.empty(nearer.shape, np.complex128)
    flat.real = (stretch * x + p[..., 2, None] * y) * nearer
    flat.imag = y * nearer / stretch
    return flat


def residual_rows(p: Array, points: Array, cards: int, pairs: NDArray[np.intp]) -> list[Array]:
    """How badly outlines, indices and pairs of indices fit each of the parameters (…, 10), in usual errors: (kinds, …,
    n) each.

    `points` (n, 4, 2): outlines first, `cards` of them, then indices. Of an outline count its four sides and the angles
    at two corners; of an index its width, height and angle; of a pair (see `pairs_by_place`) its length and direction.
    """
    flat = on_table(p, points)
    sides = flat[[1, 2, 2, 3]] - flat[[0, 1, 3, 0]]
    across, down = (sides[[0, 3]] + sides[[2, 1]])[..., cards:] / 2
    wide, tall = np.maximum(np.abs(across), 1e-9), np.maximum(np.abs(down), 1e-9)
    ways = across.conj() * down
    parts = [_outline_residuals(p, sides[..., :cards]), np.empty((3, *ways.shape))]
    np.divide(np.log(wide) - p[..., 5, None], parameters.INDEX_ERROR, out=parts[1][0])
    np.divide(np.log(tall) - p[..., 6, None], parameters.INDEX_ERROR, out=parts[1][1])
    np.divide(ways.real, 2 * parameters.INDEX_ERROR * wide * tall, out=parts[1][2])
    if len(pairs):
        first, second, kind = pairs.T
        mean = down / tall + 1j * across / wide
        mean = mean[..., first] + np.where(kind == 0, 1.0, -1.0) * mean[..., second]
        centre = flat[..., cards:].mean(axis=0)
        way = centre[..., second] - centre[..., first]
        wanted = np.exp(p[..., 8, None]) * _ASIDE_OF[kind] + 1j * np.exp(p[..., 9, None]) * _ALONG_OF[kind]
        length = np.log(np.maximum(np.abs(way), 1e-9)) - np.log(np.abs(wanted))
        turned = np.angle(1j * way * (mean * wanted).conj())
        parts.append(np.stack([length / parameters.PAIR_ERROR, turned / parameters.DIRECTION_ERROR]))
    return parts


def _outline_residuals(p: Array, sides: Complex) -> Array:
    """See `residual_rows`; `sides` (4, …, n): top, right and bottom to the right and down, left down."""
    lengths = np.maximum(np.abs(sides), 1e-9)
    logs = np.log(lengths)
    upright = logs[0] + logs[2] <= logs[1] + logs[3]
    short, long = p[..., 7, None], float(np.log(CARD_MM[1]))
    out = np.empty((6, *upright.shape))
    out[:4] = logs
    out[:4:2] -= np.where(upright, short, long)
    out[1:4:2] -= np.where(upright, long, short)
    out[4] = (sides[0].conj() * sides[3]).real / (lengths[0] * lengths[3])
    out[5] = (sides[1].conj() * sides[2]).real / (lengths[1] * lengths[2])
    out /= parameters.OUTLINE_ERROR
    return out


def prior_mean(p: Array) -> Array:
    """What is likely beside parameters (…, 10): the larger an index, the nearer are two of a card."""
    out = np.broadcast_to(START, p.shape).copy()
    out[..., 8:] = np.log(usual_spacing(np.exp(p[..., 5:7])))
    return out
