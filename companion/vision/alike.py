"""How far small straightened pictures of cards differ in colour, whichever way up they lie and whatever the light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import parameters
from companion.vision.images import Pixels

Colours = NDArray[np.float32]


def colours(crops: Pixels) -> Colours:
    """BGR crops (n, height, width, 3), softened, in Lab."""
    count, height, width = crops.shape[:3]
    soft = np.stack([cv2.GaussianBlur(crop, (0, 0), 1.0) for crop in crops]).reshape(count * height, width, 3)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32).reshape(crops.shape)


def apart(one: Colours, others: Colours) -> NDArray[np.float32]:
    """Mean distance (n,) of the colours of `others` (n, height, width, 3) from those of one, either way up, the light
    apart."""
    return np.asarray(np.minimum(*(_apart(one, way) for way in (others, others[:, ::-1, ::-1]))), np.float32)


def _apart(one: Colours, others: Colours) -> NDArray[np.float32]:
    by = one - others
    light = np.median(by[..., 0], axis=(1, 2), keepdims=True)
    by[..., 0] -= np.clip(light, -parameters.BACK_LIGHT, parameters.BACK_LIGHT)
    return np.asarray(np.sqrt(np.einsum("nhwc,nhwc->nhw", by, by)).mean(axis=(1, 2)), np.float32)
