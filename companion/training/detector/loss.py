"""A keypoint loss that does not mind which short side of a card comes first.

A card looks the same after half a turn, so any rule for its first corner jumps somewhere, and near the jump a network
that is punished for the wrong choice learns the mean of both: a collapsed outline. For cards, therefore, the better
of the two orders counts. Index corners have a direction and keep it. Needs torch and ultralytics to import.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from ultralytics.utils.loss import v8PoseLoss
from ultralytics.utils.ops import xyxy2xywh

INDEX = 2  # the class whose corners have a direction


def corner_losses(pred: Tensor, gt: Tensor, area: Tensor, sigmas: Tensor) -> Tensor:
    """Loss of each of n things: `pred` n×4×3, `gt` n×4×3 (x, y, seen), `area` n×1, `sigmas` 4; 0 best, 1 worst."""
    seen = (gt[..., 2] != 0).to(pred.dtype)
    distance = (pred[..., :2] - gt[..., :2]).pow(2).sum(-1)
    badness = 1 - torch.exp(-distance / ((2 * sigmas).pow(2) * (area + 1e-9) * 2))
    return (badness * seen).sum(1) / (seen.sum(1) + 1e-9)


def better_order(pred: Tensor, gt: Tensor, area: Tensor, sigmas: Tensor, directed: Tensor) -> tuple[Tensor, Tensor]:
    """The loss of each thing in the better of its two corner orders, and `gt` in that order.

    `directed` (n, bool) marks things whose first corner is fixed.
    """
    turned = gt.roll(2, dims=1)
    straight_loss = corner_losses(pred, gt, area, sigmas)
    turned_loss = corner_losses(pred, turned, area, sigmas)
    turn = (turned_loss < straight_loss) & ~directed
    return torch.where(turn, turned_loss, straight_loss), torch.where(turn[:, None, None], turned, gt)


class CardLoss(v8PoseLoss):  # type: ignore[misc]
    """ultralytics' pose loss with the better order for cards."""

    def _batch_keypoints(self, batch: dict[str, Any], batch_size: int, imgsz: Tensor) -> Tensor:
        """Keypoints padded per picture, as in the parent; remembers which slots are index corners."""
        padded = super()._batch_keypoints(batch, batch_size, imgsz)
        index = batch["batch_idx"].flatten().long()
        counts = torch.bincount(index, minlength=batch_size)
        slot = torch.arange(len(index), device=index.device) - (counts.cumsum(0) - counts)[index]
        self.directed = torch.zeros(padded.shape[:2], dtype=torch.bool, device=padded.device)
        self.directed[index, slot] = batch["cls"].flatten() == INDEX
        return padded

    def calculate_keypoints_loss(
        self,
        masks: Tensor,
        target_gt_idx: Tensor,
        keypoints: Tensor,
        stride_tensor: Tensor,
        target_bboxes: Tensor,
        pred_kpts: Tensor,
    ) -> tuple[Any, Any]:
        """Keypoint loss and keypoint-presence loss over all matched places."""
        if not masks.any():
            return 0, 0
        target_bboxes /= stride_tensor
        picture = masks.nonzero(as_tuple=True)[0]
        gt = keypoints[picture, target_gt_idx[masks]]
        gt[..., :2] /= stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks][:, None, None]
        area = xyxy2xywh(target_bboxes[masks])[:, 2:].prod(1, keepdim=True)
        pred = pred_kpts[masks]
        directed = self.directed[picture, target_gt_idx[masks]]
        losses, gt = better_order(pred, gt, area, self.keypoint_loss.sigmas, directed)
        return losses.mean(), self.bce_pose(pred[..., 2], (gt[..., 2] != 0).float())
