"""Custom decks: decks that nobody prints, scenes of them, and the network that tells their cards apart.

`invented` draws decks without end from seeds (pictures × marks), `views` makes of their faces what a camera would show
of each, `scenes` lays them on tables with exact truth, `net` is the network and `solve` solves for it. Designs for
training and those that are measured have seeds strictly apart (`invented.HELDOUT`).

What may come in: `companion.training.scenes`, `companion.vision`, NumPy, OpenCV, and torch inside `net` and `solve`.
What never does: a photograph, a print that exists.
"""
