"""What every training of ours shares: the learning rate by the clock, weights revived from ONNX, the mean of
two, what lies on a GPU to learn from and what makes it meanwhile."""
