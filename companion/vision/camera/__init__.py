"""Where frames come from, and where on the table their pixels lie.

What lives here. Sources (`sources` opens what a person wrote: `recorded`, `live`, `pushed`), what is wrong with their
pictures (`health`), calibration (one
homography from px to table coordinates, by tags or tapped corners), and the boards to print for it.

What may come in: what a person wrote or tapped, devices, files, addresses, bytes from a browser. What goes out: frames
with a time, a status with a catalogue key, a `Calibration`.

What never comes in: cards. Nothing here looks at what lies on the table, but for the printed tags. And no failure of a
device goes out as an exception: a source says what is the matter.
"""
