"""The detector: where is a card, face up or down, and where is an index corner, whatever is printed on it.

`network` is ultralytics' smallest pose network, `loss` lets a card begin at either short side, `train` teaches,
`export` writes the ONNX file that ships and `revive` makes weights of it again, `measure` counts on held-out prints;
`commands` is the command line.
"""
