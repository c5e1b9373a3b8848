"""Many pictures in, a table of lasting cards out.

What lives here. `motion` says when the table lies still, `background` knows the table without cards, `tracker`
associates the cards of each picture with tracks and adds up their evidence, `watcher` is the thread that runs all of
it on a source.

What may come in: frames, a reader of pictures (any `types.PictureReader`), a calibration, and what a person says of a
card. What goes out: `SeenTable` and evidence pictures.

What never comes in: how a picture is read (nothing here imports `reading`, `assembly` or `pipeline`), and what the
game would expect to lie there.
"""
