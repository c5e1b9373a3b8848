"""Many pictures in, a table of lasting cards out.

What lives here. `motion` says where the table lies still and where it changed, `lasting` where something moves on and
on, and `beside` which cards rest there all the same; `visits` whose hands are there and `stirs` where something moved;
`background` knows the table without cards and `looks` the cards, `tracker` associates the cards of each picture with
tracks and adds up their evidence; `reads` reads beside the frames, and `watcher` is the thread that runs all of it on a
source.

What may come in: frames, a reader of pictures (any `types.PictureReader`), a calibration, and what a person says of a
card. What goes out: `SeenTable` and evidence pictures.

What never comes in: how a picture is read (nothing here imports `reading`, `assembly` or `pipeline`), and what the
game would expect to lie there.
"""
