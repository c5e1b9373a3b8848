"""Filmed games: whole games of bots at a table, as a camera would take them, with exact truth beside the pictures.

The proof of following. The program's own bots play (`companion.referee.simulate.play`); what the game expects on the
table before and after each action says which cards must come, go or move (`changes`). `places` gives every zone room in
millimetres, `tabletop` keeps every physical card with its pose, `director` turns actions into gestures of hands with
times, `hands`, `cards` and `camera` are what is seen, `picture` paints a frame over a cached still, `film` streams
frames and writes files, and `truth` reads them back. All choices of a film stand in one frozen `Film` (`spec`), drawn
from its seed.

What never comes in: a picture of anybody's table, the reader, the journal. What reads a film and counts is
`companion.training.evaluation.films`.
"""
