"""Cards of decks that nobody trained on: learned from a few photographs, recognised on the table.

What lives here. `enrolled` keeps a deck's samples on disk, `photographs` says which photograph will do. `network` makes
maps of straightened cards (`crops`), `templates` makes of the samples' maps what each face looks like, `matching` says
how well a card agrees with that, `marks` looks at the small signs that tell cards of one picture apart, and `gallery`
brings it together: which card is this, how sure is its picture, how sure its mark. `outlines` completes cards of which
a part is seen.

What may come in: pictures, outlines, a deck. What goes out: candidates for each outline, or none.

What never comes in: where cards lie and which of them are one (that is `assembly`), earlier pictures, the rules of a
game. A card that is not in the deck gets no name.
"""
