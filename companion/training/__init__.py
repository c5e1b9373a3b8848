"""Training: pictures of tables that never were, and the networks that learn from them.

Here live the prints (many deck designs as pictures of their faces, drawn by ourselves or rendered from free card
sets), the composer that lays them on invented tables under invented light with exact labels, the data set writers,
and the training and measuring of the two networks: the detector (where is a card, where is an index) and the
reader (which rank and suit).

What may come in: `companion.artwork` and `companion.vision`, NumPy, OpenCV, Pillow, and, only inside the functions
that train, torch and ultralytics (the optional extra `train`). Everything is deterministic by seed.

What never does: a photograph that is marked "measure only", a rendered third-party print inside the repository, or
any import of this room by the running program: what training leaves behind is an ONNX file in `models/`.
"""
