"""What every training of ours shares: the learning rate by the clock, weights revived from ONNX, the mean of two."""
